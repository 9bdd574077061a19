/*
 * dump_frames.h: the frames of a Code as text.
 */
#ifndef JW_CFR_DUMP_FRAMES_H
#define JW_CFR_DUMP_FRAMES_H

#include "cfr/dump_text.h"

/* Those of d->code. A table that cannot be decoded is an error, and nothing is shown. */
enum jw_status JW_MUST_USE cfr_dump_frames(struct cfr_dumper *d, struct jw_err *e);

#endif
