/*
 * smt.h: StackMapTable (JVMS 4.7.4), decoded to full frames. smt_put.h writes it.
 *
 * An unknown frame tag (128..246 today) is JW_UNSUPPORTED: the method is left alone, never guessed.
 */
#ifndef JW_CFR_SMT_H
#define JW_CFR_SMT_H

#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "cfr/class.h"
#include "cfr/code.h"

/* Entry forms by their first byte (JVMS 4.7.4). */
enum {
	CFR_SMT_SAME = 0,        /* .. 63: the delta itself; locals as before, empty stack */
	CFR_SMT_SAME_STACK = 64, /* .. 127: 64 + delta; locals as before, one stack entry */
	CFR_SMT_UNKNOWN = 128,   /* .. 246: no such form yet */
	CFR_SMT_SAME_STACK_EXT = 247,
	CFR_SMT_CHOP = 248, /* .. 250: 251 - how many locals less */
	CFR_SMT_SAME_EXT = 251,
	CFR_SMT_APPEND = 252, /* .. 254: 251 + how many locals more */
	CFR_SMT_FULL = 255,
};

/* X(name, tag, slots) : verification types. */
#define CFR_VTYPE_LIST(X)    \
	X(TOP, 0, 1)         \
	X(INTEGER, 1, 1)     \
	X(FLOAT, 2, 1)       \
	X(DOUBLE, 3, 2)      \
	X(LONG, 4, 2)        \
	X(NULL, 5, 1)        \
	X(UNINIT_THIS, 6, 1) \
	X(OBJECT, 7, 1)      \
	X(UNINIT, 8, 1)

enum cfr_vtype_tag {
#define CFR_VTYPE_ENUM(name, tag, slots) CFR_VTYPE_##name = tag,
	CFR_VTYPE_LIST(CFR_VTYPE_ENUM)
#undef CFR_VTYPE_ENUM
};

struct cfr_vtype {
	uint8_t tag;
	uint16_t data; /* OBJECT: class index; UNINIT: pc of the `new` */
};

struct cfr_frame {
	uint32_t pc;
	uint16_t local_count, stack_count; /* entries (long and double are one) */
	const struct cfr_vtype *locals, *stack;
};

struct cfr_smt {
	const struct cfr_frame *frames; /* by pc, strictly rising */
	uint32_t count;
	const struct cfr_frame *initial; /* the implicit frame at pc 0, from the descriptor */
};

/* The StackMapTable of CODE; OUT->info.p is NULL when there is none. JW_INPUT: there are several
 * (JVMS 4.7.4: one at most), and it is unknown which of them is right. */
enum jw_status JW_MUST_USE cfr_smt_find(const struct cfr_class *cls, const struct cfr_code *code,
					struct cfr_attr *out, struct jw_err *e);

/* Decodes the StackMapTable of CODE (none: count 0). Checks: pcs rise and are instruction starts,
 * class indices are classes, UNINIT pcs are `new` instructions. JW_INPUT: broken; JW_UNSUPPORTED:
 * an unknown frame or type tag; JW_LIMIT: frames that would expand to more than 8 million types. */
enum jw_status JW_MUST_USE cfr_smt_decode(const struct cfr_class *cls,
					  const struct cfr_member *method,
					  const struct cfr_code *code, struct jw_arena *arena,
					  struct cfr_smt *out, struct jw_err *e);

/* The implicit first frame of a method (JVMS 4.10.1.6): `this` (UNINIT_THIS in <init>) and the
 * parameters. OBJECT data of a parameter is 0, "as the descriptor says": cfr_smt_resolve() before
 * such a type is written or compared with others. */
enum jw_status JW_MUST_USE cfr_smt_initial(const struct cfr_class *cls,
					   const struct cfr_member *method, struct jw_arena *arena,
					   struct cfr_frame *out, struct jw_err *e);

/* Gives every OBJECT of SMT whose data is 0 (parameters, as the initial frame has them) the index
 * of its class, adding classes to the pool of CLS where needed. Needed before frames of SMT, or
 * parts of them, are written in another order or place than they came in: a full frame names every
 * type. */
enum jw_status JW_MUST_USE cfr_smt_resolve(struct cfr_class *cls, const struct cfr_member *method,
					   struct cfr_smt *smt, struct jw_err *e);

#endif
