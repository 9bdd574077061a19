/*
 * method.h: one method, from its Code attribute to the woven one.
 *
 * It goes through these steps, and is left as it was by the first that says so:
 *
 *     calls    call_sites.c creations.c   which invocations and which new objects are sites
 *     this     ctor.c    for constructors: where `this` is not initialised yet
 *     handlers caught.c  where exceptions are recorded on their way to handlers
 *     monitors monitors.c  whether probes may be at monitors
 *     probes   captures.c probes.c  what is captured; the bytes of the probes
 *     scan     sites.c   one pass over the instructions: where probes go, what they cover
 *     layout   layout.c  three numbers per pc; wide branches and islands where they are needed
 *     limits   method.c  what would not fit, or would never be compiled
 *     pool     method.c  the constants that the probes need
 *     locals   locals.c  the locals at call sites that the program's own handlers enclose
 *     emit     emit.c handlers.c  the new Code attribute; the attributes in it are written by
 *                        frames.c, debug_tables.c, annotations.c
 */
#ifndef JW_WEAVER_METHOD_H
#define JW_WEAVER_METHOD_H

#include "weaver/class/body.h"

/* Weaves MEMBER, of which call sites and creations have been chosen and, if it is traced, its own
 * join is filled in; appends its new Code attribute info to OUT. JW_OK, or b->skip is set, or an
 * error. What was appended when it fails is the caller's to undo. */
enum jw_status JW_MUST_USE weave_method_body(struct weave_body *b, const struct cfr_member *member,
					     struct jw_buf *out, struct jw_err *e);

#endif
