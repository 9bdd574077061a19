/*
 * class.h: a class file (JVMS 4.1) as an index of offsets over the caller's bytes.
 *
 * Nothing is copied: every span points into the bytes given to cfr_class_open(), which must live as
 * long as the class. Attributes are walked, not collected.
 */
#ifndef JW_CFR_CLASS_H
#define JW_CFR_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "cfr/pool.h"

enum {
	CFR_MAGIC = (int)0xcafebabe, /* compare as uint32_t */
	CFR_MAJOR_MIN = 45,
	CFR_MAJOR_KNOWN = 69, /* JDK 25: newer ones are woven when their structure is understood */
	CFR_MAJOR_CLASS_CONSTANTS = 49, /* the first whose ldc takes a class */
	CFR_MAJOR_FRAMES = 50,          /* the first with StackMapTable */
	CFR_MAJOR_STRICT = 51,          /* the first that must have it where control flow joins */
};

/* Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A). */
enum {
	CFR_ACC_PUBLIC = 0x0001,
	CFR_ACC_PRIVATE = 0x0002,
	CFR_ACC_PROTECTED = 0x0004,
	CFR_ACC_STATIC = 0x0008,
	CFR_ACC_FINAL = 0x0010,
	CFR_ACC_SYNCHRONIZED = 0x0020,
	CFR_ACC_SUPER = 0x0020,
	CFR_ACC_BRIDGE = 0x0040,
	CFR_ACC_VOLATILE = 0x0040,
	CFR_ACC_VARARGS = 0x0080,
	CFR_ACC_TRANSIENT = 0x0080,
	CFR_ACC_NATIVE = 0x0100,
	CFR_ACC_INTERFACE = 0x0200,
	CFR_ACC_ABSTRACT = 0x0400,
	CFR_ACC_STRICT = 0x0800,
	CFR_ACC_SYNTHETIC = 0x1000,
	CFR_ACC_ANNOTATION = 0x2000,
	CFR_ACC_ENUM = 0x4000,
	CFR_ACC_MODULE = 0x8000,
};

/* One attribute: its name and its info bytes. `at` is the offset of its name index in the class. */
struct cfr_attr {
	struct jw_span name, info;
	size_t at;
};

/* A table of attributes: `count` of them in `bytes`, checked to fill it exactly. */
struct cfr_attrs {
	struct jw_span bytes;
	uint16_t count;
	size_t at; /* offset of the first one in the class file */
};

/* A field or method (JVMS 4.5, 4.6). */
struct cfr_member {
	struct jw_span bytes; /* the whole member_info */
	struct jw_span name, descriptor;
	uint16_t access;
	struct cfr_attrs attrs;
	struct jw_span code; /* info of its Code attribute; p == NULL: none. Two of them: JW_INPUT.
			      * Of a field: always none */
};

struct cfr_class {
	struct jw_span bytes;
	uint16_t minor, major, access;
	struct cfr_pool pool;
	uint16_t this_index, super_index;
	struct jw_span name,
		super; /* internal form; super empty for java/lang/Object, module-info */
	const struct cfr_member *fields, *methods;
	uint16_t field_count, method_count, interface_count;
	size_t header_end;      /* offset after the interfaces: of fields_count */
	size_t methods_at;      /* offset of methods_count */
	struct cfr_attrs attrs; /* of the class */
};

/* Is METHOD abstract or native, and so without a body? The flags of <clinit> do not say so
 * (JVMS 4.6): it always has one. */
bool cfr_is_bodiless(const struct cfr_member *method);

/* Do BYTES begin as a class file does (JVMS 4.1, magic)? For files that are told by their content.
 */
static inline bool cfr_is_class(struct jw_span bytes)
{
	return jw_span_starts(bytes, JW_SPAN_LIT("\xca\xfe\xba\xbe"));
}

/* The head of the class alone, as fast as possible, for the gate: versions, pool, access, this,
 * super, interfaces, header_end; the rest stays empty. Nothing to close. Same errors as
 * cfr_class_open() for these parts. */
enum jw_status JW_MUST_USE cfr_class_peek(struct jw_span bytes, struct jw_arena *arena,
					  struct cfr_class *out, struct jw_err *e);

/* The rest, of a class that was peeked at with the same ARENA: as cfr_class_open() from here on. */
enum jw_status JW_MUST_USE cfr_class_open_rest(struct cfr_class *out, struct jw_arena *arena,
					       struct jw_err *e);

/* Indexes BYTES. Wrong magic, anything that reaches past its container, bytes after the end:
 * JW_INPUT with the offset; unknown constant tag: JW_UNSUPPORTED. Attribute tables of the class and
 * of its members are walked and checked; what is inside an attribute is not looked at. Close it
 * to free what was appended to its pool. */
enum jw_status JW_MUST_USE cfr_class_open(struct jw_span bytes, struct jw_arena *arena,
					  struct cfr_class *out, struct jw_err *e);
void cfr_class_close(struct cfr_class *cls);

/* Reads a table of attributes (its count first) from CUR, which reads bytes of CLS: JW_INPUT when
 * one reaches past the end or has no name. Leaves CUR after the table. */
enum jw_status JW_MUST_USE cfr_attrs_read(const struct cfr_class *cls, struct jw_cur *cur,
					  struct cfr_attrs *out, struct jw_err *e);

/* The interface at INDEX (< interface_count), internal form. */
struct jw_span cfr_class_interface(const struct cfr_class *cls, uint16_t index);

/*
 * Walks attributes:   struct cfr_attr_iter it = cfr_attrs_iter(cls, &attrs);
 *                     while (cfr_attr_next(&it, &attr)) ...
 */
struct cfr_attr_iter {
	const struct cfr_pool *pool;
	struct jw_cur cur;
	size_t base;
	uint16_t left;
};
struct cfr_attr_iter cfr_attrs_iter(const struct cfr_class *cls, const struct cfr_attrs *attrs);
bool cfr_attr_next(struct cfr_attr_iter *it, struct cfr_attr *out);

/* The first attribute of this name; false when there is none. */
bool cfr_attrs_find(const struct cfr_class *cls, const struct cfr_attrs *attrs, const char *name,
		    struct cfr_attr *out);

#endif
