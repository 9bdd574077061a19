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
#include "weaver/class/class_weave.h"

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

/* The bytes of the class; the caller frees them. */
struct jw_buf make_class(const struct make *m);

/* ---- weaving it ---- */
struct rules *make_rules(const char *text);

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

enum jw_status weave_bytes(struct jw_span bytes, const struct rules *rules, struct woven *w);

/* Weaves M within LIMITS (NULL: the defaults), checks what comes out, and opens it into W. */
void weave_made(const struct make *m, const struct weave_limits *limits, struct woven *w);

void woven_free(struct woven *w);

void put_ops(struct jw_buf *b, const uint8_t *ops, size_t n);

/* The skip of the one method of W. */
enum weave_skip woven_skip(const struct woven *w);
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
