/*
 * t_quiet.c: which bodies get a catch-all, and which can do without.
 */
#include "tests/weaver/make.h"

#include "base/banned.h"

enum {
	ILOAD_1 = 27,
	ASTORE_0 = 75,
	DUP = 89,
	IADD = 96,
	IDIV = 108,
	LDC = 18,
	GETFIELD = 180,
	PUTFIELD = 181,
	OWN = 17,     /* Fieldref T.f: declared, an int */
	OTHER = 19,   /* Fieldref Object.f */
	MISSING = 22, /* Fieldref T.m */
	NUMBER = 23,
	STRING = 24,
};

struct
try {
	uint16_t major, access, field_access;
	const char *name;
	uint16_t handler_pc; /* of an exception table entry over 0..1, 0: none */
};

/* class T { int f; } with the method that has CODE: how many entries has its exception table? */
static int handlers(const struct try *t, struct jw_span code)
{
	static const uint8_t constants[] = {
		1,  0, 1,         'f', 12, 0, 15,          0, 20, 9, 0, MAKE_THIS, 0,
		16,                                                                   /* 15 16 17 */
		1,  0, 1,         'x', 9,  0, MAKE_OBJECT, 0, 16,                     /* 18 19 */
		1,  0, 1,         'I', 12, 0, MAKE_NAME,   0, 20,                     /* 20 21 */
		9,  0, MAKE_THIS, 0,   21, 3, 0,           0, 1,  0, 8, 0,         1, /* 22 23 24 */
	};
	uint8_t entry[] = { 0, 0, 0, 1, 0, (uint8_t)t->handler_pc, 0, 0 };
	const struct make m = { .major = t->major ? t->major : 49,
				.access = t->access ? t->access : CFR_ACC_PUBLIC,
				.name = t->name,
				.max_stack = 4,
				.max_locals = 4,
				.code = code,
				.handlers = jw_span(entry, t->handler_pc ? 8 : 0) };
	struct jw_buf plain = make_class(&m), in = { 0 };
	struct jw_span s = jw_buf_span(&plain);
	struct rules *rules = make_rules(NULL);
	struct woven w = { .limits = weave_default_limits };
	struct cfr_class cls;
	int count = -1;

	/* the pool grows by ten entries, the class by a field */
	ok(cfr_class_open(s, &w.arena, &cls, &w.e) == JW_OK);
	jw_put_bytes(&in, jw_span_sub(s, 0, cls.pool.start));
	jw_put_u2(&in, MAKE_FREE + 10);
	jw_put_bytes(&in, jw_span_sub(s, cls.pool.start + 2, cls.pool.end - cls.pool.start - 2));
	jw_put_bytes(&in, jw_span(constants, sizeof(constants)));
	jw_put_bytes(&in, jw_span_sub(s, cls.pool.end, cls.header_end - cls.pool.end));
	jw_put_u2(&in, 1);
	jw_put_u2(&in, t->field_access);
	jw_put_u2(&in, 15);
	jw_put_u2(&in, 20);
	jw_put_u2(&in, 0);
	jw_put_bytes(&in, jw_span_sub(s, cls.methods_at, s.n));
	cfr_class_close(&cls);
	ok(weave_bytes(jw_buf_span(&in), rules, &w) == JW_OK && w.result.changed);
	if (ok(cfr_class_open(jw_buf_span(&w.out), &w.arena, &w.cls, &w.e) == JW_OK) &&
	    ok(cfr_code_open(&w.cls, &w.cls.methods[0], &w.arena, &w.code, &w.e) == JW_OK))
		count = w.code.handler_count;
	rules_free(rules);
	jw_buf_free(&plain);
	jw_buf_free(&in);
	woven_free(&w);
	return count;
}
#define HANDLERS(t, ...) \
	handlers(&(t), jw_span(((uint8_t[]){ __VA_ARGS__ }), sizeof((uint8_t[]){ __VA_ARGS__ })))

static const struct try instance = { 0 };
static const struct try in_static = { .access = CFR_ACC_STATIC };
static const struct try of_static = { .field_access = CFR_ACC_STATIC };
static const struct try of_final = { .field_access = CFR_ACC_FINAL };

TEST(what_only_computes_is_quiet)
{
	is_int(HANDLERS(instance, RETURN), 0);
	is_int(HANDLERS(instance, ICONST_0, ICONST_1, IADD, POP, RETURN), 0);
	is_int(HANDLERS(instance, ICONST_0, ICONST_1, IDIV, POP, RETURN), 1);
	is_int(HANDLERS(instance, LDC, NUMBER, POP, RETURN), 0);
	is_int(HANDLERS(instance, LDC, STRING, POP, RETURN), 1); /* is made when first loaded */
	is_int(HANDLERS(instance, NEW, 0, MAKE_OBJECT, POP, RETURN), 1);
}

TEST(loops_are_not_quiet)
{
	is_int(HANDLERS(instance, ICONST_0, IFEQ, 0, 3, RETURN), 0);
	is_int(HANDLERS(instance, GOTO, 0, 0), 1);
	is_int(HANDLERS(instance, ICONST_0, IFEQ, 0xff, 0xff, RETURN), 1);
	is_int(HANDLERS(instance, NOP, NOP, ICONST_0, LOOKUPSWITCH, 0, 0, 0, 9, 0, 0, 0, 0, RETURN),
	       0);
	is_int(HANDLERS(instance, NOP, NOP, ICONST_0, LOOKUPSWITCH, 0xff, 0xff, 0xff, 0xff, 0, 0, 0,
			0),
	       1);
}

TEST(own_fields_of_this_are_quiet)
{
	is_int(HANDLERS(instance, ALOAD_0, GETFIELD, 0, OWN, POP, RETURN), 0);
	is_int(HANDLERS(instance, ALOAD_0, ILOAD_1, PUTFIELD, 0, OWN, RETURN), 0);
	is_int(HANDLERS(instance, ALOAD_0, GETFIELD, 0, OTHER, POP, RETURN), 1);
	is_int(HANDLERS(instance, ALOAD_0, GETFIELD, 0, MISSING, POP, RETURN), 1);
	is_int(HANDLERS(in_static, ALOAD_0, GETFIELD, 0, OWN, POP, RETURN), 1); /* null? */
	is_int(HANDLERS(of_static, ALOAD_0, GETFIELD, 0, OWN, POP, RETURN), 1);
	is_int(HANDLERS(of_final, ALOAD_0, GETFIELD, 0, OWN, POP, RETURN), 0);
	is_int(HANDLERS(of_final, ALOAD_0, ILOAD_1, PUTFIELD, 0, OWN, RETURN), 1);
}

TEST(whose_field_it_is_must_be_certain)
{
	/* this is not in local 0 any more */
	is_int(HANDLERS(instance, ALOAD_0, GETFIELD, 0, OWN, POP, 1, ASTORE_0, RETURN), 1);
	/* another object may be on the stack: something branches to the getfield */
	is_int(HANDLERS(instance, 1, ICONST_0, IFEQ, 0, 5, POP, ALOAD_0, GETFIELD, 0, OWN, POP,
			RETURN),
	       1);
	/* or an exception arrives there */
	struct try caught = { .handler_pc = 1 };
	is_int(HANDLERS(caught, ALOAD_0, GETFIELD, 0, OWN, POP, RETURN), 2);
	/* what was loaded last is not what the field is of */
	is_int(HANDLERS(instance, ALOAD_0, ICONST_1, DUP, PUTFIELD, 0, OWN, RETURN), 1);
	is_int(HANDLERS(instance, ALOAD_0, NOP, GETFIELD, 0, OWN, POP, RETURN), 1);
}

TEST(each_range_is_judged_by_itself)
{
	/* one return after another: the second range has nothing that throws */
	is_int(HANDLERS(instance, ICONST_0, IFEQ, 0, 9, NEW, 0, MAKE_OBJECT, POP, NOP, RETURN, NOP,
			RETURN),
	       1);
	/* a constructor that only keeps its argument */
	struct try constructor = { .major = 52, .name = "<init>", .field_access = CFR_ACC_FINAL };
	is_int(HANDLERS(constructor, ALOAD_0, INVOKESPECIAL, 0, MAKE_INIT, ALOAD_0, ILOAD_1,
			PUTFIELD, 0, OWN, RETURN),
	       0);
	is_int(HANDLERS(constructor, ALOAD_0, INVOKESPECIAL, 0, MAKE_INIT, ALOAD_0, ILOAD_1,
			PUTFIELD, 0, OTHER, RETURN),
	       1);
}
