/*
 * kit.h: class files made by hand, for the tests of cfr.
 *
 * kit_class() makes a class T with one method; its pool is always the same, so tests name constants
 * by the KIT_ indices below.
 */
#ifndef JW_TESTS_CFR_KIT_H
#define JW_TESTS_CFR_KIT_H

#include "base/memory.h"
#include "cfr/class.h"
#include "cfr/code.h"
#include "tests/tap.h"

enum {
	KIT_T_NAME = 1,
	KIT_T, /* Class T */
	KIT_OBJECT_NAME,
	KIT_OBJECT, /* Class java/lang/Object */
	KIT_M,      /* Utf8 of the method's name */
	KIT_DESC,   /* Utf8 of its descriptor */
	KIT_CODE,   /* Utf8 Code */
	KIT_SMT,    /* Utf8 StackMapTable */
	KIT_NAT,    /* NameAndType of the method */
	KIT_METHOD, /* Methodref T.m */
	KIT_LONG,   /* Long, two slots */
	KIT_LINES = KIT_LONG + 2,
	KIT_VARS,  /* Utf8 LocalVariableTable */
	KIT_TYPES, /* Utf8 RuntimeVisibleTypeAnnotations */
	KIT_I,     /* Utf8 I */
	KIT_FIELD_NAT,
	KIT_FIELD,  /* Fieldref T.m:I */
	KIT_STRING, /* String "I" */
	KIT_COUNT,
};

struct kit {
	uint16_t major, minor, access; /* major 0: 52 */
	const char *name, *descriptor; /* "m", "()V" */
	uint16_t stack, locals;
	struct jw_span code;
	struct jw_span handlers; /* entries of 8 bytes */
	struct {
		uint16_t name;
		struct jw_span info;
	} attrs[3]; /* of Code; name 0 ends them */
};

#define KIT_BYTES(...) \
	jw_span((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static inline void kit_utf8(struct jw_buf *b, const char *text)
{
	jw_put_u1(b, CFR_CONSTANT_Utf8);
	jw_put_u2(b, jw_span_str(text).n);
	jw_put_str(b, text);
}

static inline void kit_pair(struct jw_buf *b, uint8_t tag, uint16_t first, uint16_t second)
{
	jw_put_u1(b, tag);
	jw_put_u2(b, first);
	if (second)
		jw_put_u2(b, second);
}

static inline void kit_pool(struct jw_buf *b, const struct kit *k)
{
	jw_put_u2(b, KIT_COUNT);
	kit_utf8(b, "T");
	kit_pair(b, CFR_CONSTANT_Class, KIT_T_NAME, 0);
	kit_utf8(b, "java/lang/Object");
	kit_pair(b, CFR_CONSTANT_Class, KIT_OBJECT_NAME, 0);
	kit_utf8(b, k->name ? k->name : "m");
	kit_utf8(b, k->descriptor ? k->descriptor : "()V");
	kit_utf8(b, "Code");
	kit_utf8(b, "StackMapTable");
	kit_pair(b, CFR_CONSTANT_NameAndType, KIT_M, KIT_DESC);
	kit_pair(b, CFR_CONSTANT_Methodref, KIT_T, KIT_NAT);
	jw_put_u1(b, CFR_CONSTANT_Long);
	jw_put_u8(b, 42);
	kit_utf8(b, "LineNumberTable");
	kit_utf8(b, "LocalVariableTable");
	kit_utf8(b, "RuntimeVisibleTypeAnnotations");
	kit_utf8(b, "I");
	kit_pair(b, CFR_CONSTANT_NameAndType, KIT_M, KIT_I);
	kit_pair(b, CFR_CONSTANT_Fieldref, KIT_T, KIT_FIELD_NAT);
	kit_pair(b, CFR_CONSTANT_String, KIT_I, 0);
}

static inline void kit_code(struct jw_buf *b, const struct kit *k)
{
	uint16_t attrs = 0;
	size_t start;

	jw_put_u2(b, KIT_CODE);
	start = b->n;
	jw_put_u4(b, 0);
	jw_put_u2(b, k->stack);
	jw_put_u2(b, k->locals);
	jw_put_u4(b, k->code.n);
	jw_put_bytes(b, k->code);
	jw_put_u2(b, k->handlers.n / 8);
	jw_put_bytes(b, k->handlers);
	while (attrs < 3 && k->attrs[attrs].name)
		attrs++;
	jw_put_u2(b, attrs);
	for (uint16_t i = 0; i < attrs; i++) {
		jw_put_u2(b, k->attrs[i].name);
		jw_put_u4(b, k->attrs[i].info.n);
		jw_put_bytes(b, k->attrs[i].info);
	}
	jw_patch_u4(b, start, b->n - start - 4);
}

/* The class file, in B (cleared). */
static inline struct jw_span kit_class(struct jw_buf *b, const struct kit *k)
{
	jw_buf_clear(b);
	jw_put_u4(b, (uint32_t)CFR_MAGIC);
	jw_put_u2(b, k->minor);
	jw_put_u2(b, k->major ? k->major : 52);
	kit_pool(b, k);
	jw_put_u2(b, CFR_ACC_PUBLIC | CFR_ACC_SUPER);
	jw_put_u2(b, KIT_T);
	jw_put_u2(b, KIT_OBJECT);
	jw_put_u2(b, 0); /* interfaces */
	jw_put_u2(b, 0); /* fields */
	jw_put_u2(b, 1);
	jw_put_u2(b, k->access ? k->access : CFR_ACC_STATIC);
	jw_put_u2(b, KIT_M);
	jw_put_u2(b, KIT_DESC);
	jw_put_u2(b, k->code.n ? 1 : 0);
	if (k->code.n)
		kit_code(b, k);
	jw_put_u2(b, 0); /* attributes of the class */
	return jw_buf_span(b);
}

/* The class files of testdata/classes, for tests over real ones. */
#define KIT_REAL(X)           \
	X("8/Flow")           \
	X("8/Flow-Base")      \
	X("11/Notes")         \
	X("11/Notes-Mark")    \
	X("11/Notes-Quiet")   \
	X("11/module-info")   \
	X("17/Modern")        \
	X("17/Modern-Point")  \
	X("17/Modern-Side")   \
	X("17/Modern-Side-1") \
	X("25/Prologue")

static const char *const kit_real[] = {
#define KIT_PATH(name) "testdata/classes/" name ".class",
	KIT_REAL(KIT_PATH)
#undef KIT_PATH
};
enum { KIT_REAL_COUNT = sizeof(kit_real) / sizeof(kit_real[0]) };

#endif
