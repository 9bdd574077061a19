/*
 * annot.h: walks annotations (JVMS 4.7.16) and type annotations (4.7.20) without building a tree.
 *
 * Type annotations inside Code may hold pcs: those whose target_type is in CFR_TARGET_LOCALVAR to
 * CFR_TARGET_METHOD_REF_ARG. Everything else of an annotation is pool indices, and copies as it is.
 */
#ifndef JW_CFR_ANNOT_H
#define JW_CFR_ANNOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/* X(name, target_type, bytes of target_info; -1: a table of local-variable ranges) : JVMS 4.7.20.1
 */
#define CFR_TARGET_LIST(X)              \
	X(CLASS_PARAMETER, 0x00, 1)     \
	X(METHOD_PARAMETER, 0x01, 1)    \
	X(SUPERTYPE, 0x10, 2)           \
	X(CLASS_BOUND, 0x11, 2)         \
	X(METHOD_BOUND, 0x12, 2)        \
	X(FIELD, 0x13, 0)               \
	X(RETURN, 0x14, 0)              \
	X(RECEIVER, 0x15, 0)            \
	X(FORMAL_PARAMETER, 0x16, 1)    \
	X(THROWS, 0x17, 2)              \
	X(LOCALVAR, 0x40, -1)           \
	X(RESOURCE, 0x41, -1)           \
	X(CATCH, 0x42, 2)               \
	X(INSTANCEOF, 0x43, 2)          \
	X(NEW, 0x44, 2)                 \
	X(CONSTRUCTOR_REF, 0x45, 2)     \
	X(METHOD_REF, 0x46, 2)          \
	X(CAST, 0x47, 3)                \
	X(CONSTRUCTOR_ARG, 0x48, 3)     \
	X(METHOD_ARG, 0x49, 3)          \
	X(CONSTRUCTOR_REF_ARG, 0x4a, 3) \
	X(METHOD_REF_ARG, 0x4b, 3)

enum cfr_target {
#define CFR_TARGET_ENUM(name, type, bytes) CFR_TARGET_##name = type,
	CFR_TARGET_LIST(CFR_TARGET_ENUM)
#undef CFR_TARGET_ENUM
};

/* The name of a target type ("LOCALVAR"); NULL when there is none. */
const char *cfr_target_name(uint8_t target_type);

/* One type_annotation taken apart. The spans are in the attribute, in this order and without gaps,
 * after the target_type byte. */
struct cfr_type_annot {
	uint8_t target_type;
	struct jw_span target;     /* target_info */
	struct jw_span path;       /* type_path, its length byte included */
	struct jw_span annotation; /* from type_index on */
};

/* Reads the next one (CUR is after num_annotations). False at an unknown target_type or at
 * bytes that are cut off: CUR is bad then, and OUT has its target_type alone (0 when that is cut
 * off, too), so that cfr_target_name() tells which it was. */
bool cfr_type_annot_next(struct jw_cur *cur, struct cfr_type_annot *out);

/* Skips one annotation from its type_index on; false and a bad CUR when it is cut off, has an
 * unknown tag, or nests deeper than 100. */
bool cfr_annot_skip(struct jw_cur *cur);

/* Skips one element_value; the same. */
bool cfr_annot_skip_value(struct jw_cur *cur);

#endif
