/*
 * captures.h: which of the captures that a rule asks for a method has, by its descriptor alone.
 */
#ifndef JW_WEAVER_CAPTURES_H
#define JW_WEAVER_CAPTURES_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "rules/rules.h"
#include "weaver/class/join.h"

/* A method, for what it has to capture. */
struct weave_signature {
	struct jw_span descriptor;
	bool has_this; /* and it is initialised when the method is called, or begins */
	bool is_body;  /* no call */
};

/* The captures of ABOUT that a method of SIGNATURE has, into JOIN; the others are left out. */
enum jw_status JW_MUST_USE weave_pick_captures(const struct rules_about *about,
					       const struct weave_signature *signature,
					       struct jw_arena *arena, struct weave_join *join,
					       struct jw_err *e);

/* Has a method of SIGNATURE what CAPTURE, one of a rule, asks for? */
bool weave_has_capture(const struct jw_capture *capture, const struct weave_signature *signature);

/* The type of argument ARG, from 0 on, of DESCRIPTOR; empty: there is none. */
struct jw_span weave_arg_of(struct jw_span descriptor, uint32_t arg);

/* Is D, a field descriptor that is not empty, that of an object or array? */
bool weave_is_reference(struct jw_span d);

#endif
