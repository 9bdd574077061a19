/*
 * quiet.h: whether anything in a range of instructions can throw. Seen by sites.c, instruction by
 * instruction; costs a look into a table for most of them.
 */
#ifndef JW_WEAVER_QUIET_H
#define JW_WEAVER_QUIET_H

#include "weaver/class/body.h"

#define WEAVE_NO_PC UINT32_MAX

struct weave_quiet {
	bool noisy;         /* something seen since the range began may throw */
	uint32_t before[2]; /* pcs of the last two instructions, the latest first; WEAVE_NO_PC */
	enum { WEAVE_STORED_UNKNOWN, WEAVE_STORED, WEAVE_NOT_STORED } stored; /* to local 0? */
};

/* Shows the instruction at PC; all of a method's are shown, in order. */
void weave_quiet_see(struct weave_quiet *q, const struct weave_body *b, uint32_t pc);

#endif
