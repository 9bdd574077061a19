/*
 * smt.h: StackMapTable (JVMS 4.7.4), decoded to full frames and written back.
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

/* X(name, tag, slots) : verification types. */
#define CFR_VTYPE_LIST(X)                                                                          \
	X(TOP, 0, 1)                                                                               \
	X(INTEGER, 1, 1)                                                                           \
	X(FLOAT, 2, 1)                                                                             \
	X(DOUBLE, 3, 2)                                                                            \
	X(LONG, 4, 2)                                                                              \
	X(NULL, 5, 1)                                                                              \
	X(UNINIT_THIS, 6, 1)                                                                       \
	X(OBJECT, 7, 1)                                                                            \
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

/* Decodes the StackMapTable of CODE (none: count 0). Checks: pcs rise and are instruction starts,
 * class indices are classes, UNINIT pcs are `new` instructions. */
enum jw_status JW_MUST_USE cfr_smt_decode(const struct cfr_class *cls,
					  const struct cfr_member *method,
					  const struct cfr_code *code, struct jw_arena *arena,
					  struct cfr_smt *out, struct jw_err *e);

/* The implicit first frame of a method (JVMS 4.10.1.6): `this` (UNINIT_THIS in <init>) and the
 * parameters. OBJECT data of parameters is 0 unless POOL_CLASSES is given to resolve them. */
enum jw_status JW_MUST_USE cfr_smt_initial(const struct cfr_class *cls,
					   const struct cfr_member *method, struct jw_arena *arena,
					   struct cfr_frame *out, struct jw_err *e);

/* Writes COUNT frames (pcs of the output, rising) as the body of a StackMapTable (number_of_entries
 * and entries), each in its shortest form relative to the frame before; INITIAL starts the chain. */
void cfr_smt_put(struct jw_buf *out, const struct cfr_frame *initial, const struct cfr_frame *frames,
		 uint32_t count);

/* Copies the table INFO with every pc moved: FRAME_PC maps a frame's pc, NEW_PC an UNINIT's. Types
 * stay as they are; only deltas are written anew. The fast path: no frame is decoded. */
typedef uint32_t cfr_pc_map(const void *ctx, uint32_t pc);
enum jw_status JW_MUST_USE cfr_smt_move(struct jw_span info, struct jw_buf *out,
					cfr_pc_map *frame_pc, cfr_pc_map *new_pc, const void *ctx,
					uint32_t *last_pc, uint16_t *entries, struct jw_err *e);

#endif
