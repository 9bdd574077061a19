/*
 * make.h: class files by hand, for tests: class T with one method m, woven with everything chosen.
 */
#ifndef JW_TESTS_WEAVER_MAKE_H
#define JW_TESTS_WEAVER_MAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cfr/check.h"
#include "cfr/class.h"
#include "cfr/code.h"
#include "tests/tap.h"
#include "weaver/class/weave.h"

/* Constants that every made class has. */
enum {
	MAKE_THIS = 2,   /* Class T */
	MAKE_OBJECT = 4, /* Class java/lang/Object */
	MAKE_INIT = 10,  /* Methodref Object.<init>()V */
	MAKE_NAME = 11,  /* Utf8: the method's name */
	MAKE_DESCRIPTOR = 12,
	MAKE_ATTR = 13, /* Utf8: the name of the attribute of Code */
	MAKE_ATTR_2 = 14,
	MAKE_FREE = 15,
};

struct make {
	uint16_t major;                /* 0: 49 */
	uint16_t access;               /* of the method; 0: static */
	const char *name, *descriptor; /* NULL: m, ()V */
	uint16_t max_stack, max_locals;
	struct jw_span code;
	struct jw_span handlers;   /* 8 bytes each */
	const char *attr, *attr_2; /* names of attributes of Code, or NULL */
	struct jw_span info, info_2;
	uint32_t fill; /* Integer constants added, for a pool that is nearly full */
};

static inline void make_utf8(struct jw_buf *b, const char *text)
{
	jw_put_u1(b, 1);
	jw_put_u2(b, strlen(text));
	jw_put_str(b, text);
}

static inline void make_pool(const struct make *m, struct jw_buf *b)
{
	jw_put_u2(b, MAKE_FREE + m->fill);
	make_utf8(b, "T");
	jw_put_u1(b, 7), jw_put_u2(b, 1);
	make_utf8(b, "java/lang/Object");
	jw_put_u1(b, 7), jw_put_u2(b, 3);
	make_utf8(b, "Code");
	make_utf8(b, "<init>");
	make_utf8(b, "()V");
	jw_put_u1(b, 12), jw_put_u2(b, 6), jw_put_u2(b, 7);
	make_utf8(b, "T.java");
	jw_put_u1(b, 10), jw_put_u2(b, MAKE_OBJECT), jw_put_u2(b, 8);
	make_utf8(b, m->name ? m->name : "m");
	make_utf8(b, m->descriptor ? m->descriptor : "()V");
	make_utf8(b, m->attr ? m->attr : "Odd");
	make_utf8(b, m->attr_2 ? m->attr_2 : "Odder");
	for (uint32_t i = 0; i < m->fill; i++)
		jw_put_u1(b, 3), jw_put_u4(b, i);
}

/* The bytes of the class; the caller frees them. */
static inline struct jw_buf make_class(const struct make *m)
{
	struct jw_buf b = { 0 };
	size_t at;

	jw_put_u4(&b, 0xcafebabeu);
	jw_put_u2(&b, 0);
	jw_put_u2(&b, m->major ? m->major : 49);
	make_pool(m, &b);
	jw_put_u2(&b, 0x21);
	jw_put_u2(&b, MAKE_THIS);
	jw_put_u2(&b, MAKE_OBJECT);
	jw_put_zeros(&b, 4); /* no interfaces, no fields */
	jw_put_u2(&b, 1);
	jw_put_u2(&b, m->access ? m->access : CFR_ACC_STATIC);
	jw_put_u2(&b, MAKE_NAME);
	jw_put_u2(&b, MAKE_DESCRIPTOR);
	jw_put_u2(&b, 1);
	jw_put_u2(&b, 5);
	at = b.n;
	jw_put_u4(&b, 0);
	jw_put_u2(&b, m->max_stack);
	jw_put_u2(&b, m->max_locals);
	jw_put_u4(&b, m->code.n);
	jw_put_bytes(&b, m->code);
	jw_put_u2(&b, m->handlers.n / 8);
	jw_put_bytes(&b, m->handlers);
	jw_put_u2(&b, (size_t)(m->attr != NULL) + (m->attr_2 != NULL));
	if (m->attr) {
		jw_put_u2(&b, MAKE_ATTR);
		jw_put_u4(&b, m->info.n);
		jw_put_bytes(&b, m->info);
	}
	if (m->attr_2) {
		jw_put_u2(&b, MAKE_ATTR_2);
		jw_put_u4(&b, m->info_2.n);
		jw_put_bytes(&b, m->info_2);
	}
	jw_patch_u4(&b, at, b.n - at - 4);
	jw_put_u2(&b, 0);
	return b;
}

/* ---- weaving it ---- */

static inline struct rules *make_rules(const char *text)
{
	struct rules_options options = { .jdk = true, .no_guard = true };
	struct rules *rules = NULL;
	struct jw_err e = { 0 };

	if (!text)
		text = "{\"jweave\": 1, \"rules\": [{\"select\": {\"class\": \"**\", \"kind\": "
		       "[\"method\", \"constructor\", \"clinit\", \"lambda\", \"accessor\", "
		       "\"bridge\", \"synthetic\"]}}]}";
	if (rules_parse(jw_span_str(text), "rules", &options, &rules, &e) != JW_OK) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return rules;
}

/* What weaving gave, opened. */
struct woven {
	struct jw_arena arena;
	struct jw_buf in, out;
	struct weave_class_result result;
	struct weave_limits limits;
	enum jw_status status;
	struct cfr_class cls;
	struct cfr_code code;              /* of method 0 of the output */
	const struct weave_method *method; /* the first chosen one, or NULL */
	struct jw_err e;
};

static inline enum jw_status weave_bytes(struct jw_span bytes, const struct rules *rules,
					 struct woven *w)
{
	struct weave_class_job job = { .rules = rules,
				       .limits = &w->limits,
				       .runtime = jw_span_str("rt/Probe"),
				       .entry = jw_span_str("T.class"),
				       .home = jw_span_str("T") };

	return weave_class(&job, bytes, &w->arena, &w->out, &w->result, &w->e);
}

/* Weaves M within LIMITS (NULL: the defaults), checks what comes out, and opens it into W. */
static inline void weave_made(const struct make *m, const struct weave_limits *limits,
			      struct woven *w)
{
	struct rules *rules = make_rules(NULL);
	struct jw_span s;

	*w = (struct woven){ .limits = limits ? *limits : weave_default_limits };
	w->in = make_class(m);
	w->status = weave_bytes(jw_buf_span(&w->in), rules, w);
	rules_free(rules);
	if (!ok(w->status == JW_OK))
		tap_note("%s", w->e.text);
	w->method = w->result.method_count ? &w->result.methods[0] : NULL;
	s = w->result.changed ? jw_buf_span(&w->out) : jw_buf_span(&w->in);
	if (w->result.changed && !ok(cfr_check(s, jw_buf_span(&w->in), &w->arena, &w->e) == JW_OK))
		tap_note("%s", w->e.text);
	if (!ok(cfr_class_open(s, &w->arena, &w->cls, &w->e) == JW_OK) ||
	    !ok(cfr_code_open(&w->cls, &w->cls.methods[0], &w->arena, &w->code, &w->e) == JW_OK)) {
		tap_note("%s", w->e.text);
		exit(1);
	}
}

static inline void woven_free(struct woven *w)
{
	cfr_class_close(&w->cls);
	jw_buf_free(&w->in);
	jw_buf_free(&w->out);
	jw_arena_free(&w->arena);
}

/* The skip of the one method of W. */
static inline enum weave_skip woven_skip(const struct woven *w)
{
	return w->method ? w->method->skip : WEAVE_SKIP_NOT;
}

/* Code under construction: bytes, and gaps of nops. */
static inline void put_ops(struct jw_buf *b, const uint8_t *ops, size_t n)
{
	jw_put_bytes(b, jw_span(ops, n));
}
#define OPS(b, ...) \
	put_ops((b), (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

enum {
	NOP = 0,
	ICONST_0 = 3,
	ICONST_1 = 4,
	ALOAD_0 = 42,
	ARRAYLENGTH = 190, /* may throw, and leaves the stack as deep as it was */
	POP = 87,
	IFEQ = 153,
	GOTO = 167,
	JSR = 168,
	RET = 169,
	TABLESWITCH = 170,
	LOOKUPSWITCH = 171,
	IRETURN = 172,
	RETURN = 177,
	INVOKESPECIAL = 183,
	NEW = 187,
	ATHROW = 191,
	GOTO_W = 200,
	JSR_W = 201,
	LDC2_W = 20,
	PROBE = 6, /* bytes of a probe */
};

#endif
