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

void kit_pool(struct jw_buf *b, const struct kit *k);

/* The class file, in B (cleared). */
struct jw_span kit_class(struct jw_buf *b, const struct kit *k);

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
