/*
 * frames.h: the StackMapTable: the input's decoded, the new code's written.
 */
#ifndef JW_WEAVER_FRAMES_H
#define JW_WEAVER_FRAMES_H

#include "cfr/smt.h"
#include "weaver/class/body.h"

/* The input's frames, decoded, all their types resolved. */
enum jw_status JW_MUST_USE weave_decode_frames(struct weave_body *b, struct cfr_smt *out,
					       struct jw_err *e);

/* Does the new code need frames that the old one had no table for? */
bool weave_needs_frames(const struct weave_body *b);

/* The new info of the StackMapTable: the old frames moved, those of islands and tails added. Called
 * once the layout is final and the locals of the handlers' frames are filled in. */
enum jw_status JW_MUST_USE weave_put_frames(struct weave_body *b, struct jw_buf *out,
					    struct jw_err *e);

#endif
