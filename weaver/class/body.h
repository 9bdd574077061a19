/*
 * body.h: the class and the method being woven: what the steps of method.h share.
 *
 * This is the contract of the files that weave one method, and each of them sees it. A step reads
 * what the steps before it have filled in, and says why a method is left by weave_leave().
 */
#ifndef JW_WEAVER_BODY_H
#define JW_WEAVER_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "cfr/class.h"
#include "cfr/code.h"
#include "weaver/class/join.h"
#include "weaver/class/plan.h"
#include "weaver/class/weave.h"

/* Indices of constants once they were asked for, 0 before. */
struct weave_constants {
	uint16_t probe[WEAVE_PROBES]; /* Methodref */
	uint16_t throwable;           /* Class java/lang/Throwable */
	uint16_t frames;              /* Utf8 StackMapTable */
};

struct weave_run; /* ctor.h */

struct weave_body {
	/* of the class */
	const struct weave_class_job *job;
	struct cfr_class *cls;
	struct jw_arena *arena;
	struct weave_constants constants;

	/* of the method at hand, as it came */
	const struct cfr_member *member;
	struct cfr_code code;
	struct cfr_attr frames; /* its StackMapTable; info.p == NULL: none */
	/* It is left to the verifier that infers types, for which frames do not matter: below
	 * version 50; and in version 50 where frames would be needed and are not there, or with
	 * jsr, since HotSpot then falls back to that verifier. */
	bool old_verifier;

	/* what the rules want of it: filled in before weave_method_body() */
	bool traced;           /* its own enter and exit; else only its call sites */
	bool boots;            /* its exit tells the runtime that the VM has booted */
	bool exceptions;       /* what it throws and catches is recorded */
	bool too_many_calls;   /* there are not enough ids for its call sites */
	struct weave_join own; /* of the method itself */

	/* what the steps find */
	struct weave_plan plan;
	struct weave_run *runs; /* by rising start, the first at 0 */
	uint32_t run_count;
	size_t run_cap;
	uint8_t *slots; /* room for ctor.c */
	uint32_t slot_cap;
	uint8_t *handler_held; /* monitors that are held where each handler begins: monitors.c */
	uint32_t fresh_locals; /* above those of the input */
	uint16_t max_stack;    /* the new one */
	bool has_how;          /* a join of the method has */
	bool probe_used[WEAVE_PROBES];
	uint8_t thrown[WEAVE_SHOW], caught[WEAVE_SHOW]; /* before athrow, in landings */

	enum weave_skip skip; /* why the method is left; WEAVE_SKIP_NOT: it is not */
	const char *detail;
};

/* Leaves the method at hand for REASON; FMT (may be NULL) is the detail. Returns a status that is
 * not JW_OK: JW_UNSUPPORTED, or JW_NOMEM. */
enum jw_status weave_leave(struct weave_body *b, enum weave_skip reason, struct jw_err *e,
			   const char *fmt, ...) JW_PRINTF(4, 5);

/* STATUS with the message of E came from below: JW_NOMEM and JW_BUG stay errors, the others leave
 * the method for REASON with that message. */
enum jw_status weave_blame(struct weave_body *b, enum weave_skip reason, enum jw_status status,
			   struct jw_err *e);

#endif
