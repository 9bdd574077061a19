/*
 * smt_put.h: writes a StackMapTable: frames to entries, or the entries of a table moved.
 *
 * Moving is the fast path: no frame is decoded. Both append to a buffer, which remembers failures.
 */
#ifndef JW_CFR_SMT_PUT_H
#define JW_CFR_SMT_PUT_H

#include "cfr/smt.h"

/* Writes COUNT frames (pcs of the output, rising) as the body of a StackMapTable (number_of_entries
 * and entries), each in its shortest form relative to the frame before; INITIAL starts the chain.
 */
void cfr_smt_put(struct jw_buf *out, const struct cfr_frame *initial,
		 const struct cfr_frame *frames, uint32_t count);

/* Writes one entry: FRAME in its shortest form after BEFORE, DELTA as the format counts it (the pc
 * itself for the first entry of a table, else the distance to the pc before minus one). BEFORE may
 * be NULL: the frame before is not known, and the entry is a full_frame. */
void cfr_smt_put_frame(struct jw_buf *out, const struct cfr_frame *before,
		       const struct cfr_frame *frame, uint32_t delta);

/* How code moves: where to find the new pc of an old one. */
typedef uint32_t cfr_pc_map(const void *ctx, uint32_t pc);
struct cfr_pc_maps {
	cfr_pc_map *frame_pc; /* of a frame */
	cfr_pc_map *new_pc;   /* of an UNINIT's `new` */
	const void *ctx;      /* handed to both */
};

/* Copies the table INFO (number_of_entries and entries) with every pc moved by MAPS, which answer
 * UINT32_MAX for a pc that is none (INFO is not validated: any pc up to 65535 may be asked for);
 * that is JW_INPUT. Types stay as they are; only deltas are written anew. The fast path: no frame
 * is decoded. ENTRIES is how many were written, LAST_PC the new pc of the last one (0 when there is
 * none). To append more: cfr_smt_put_frame(), then patch the u2 at the place where OUT ended
 * before the call. */
enum jw_status JW_MUST_USE cfr_smt_move(struct jw_span info, struct jw_buf *out,
					const struct cfr_pc_maps *maps, uint32_t *last_pc,
					uint16_t *entries, struct jw_err *e);

#endif
