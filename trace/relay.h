/*
 * relay.h: an output (output.h) that passes on all that it is told, on a thread of its own: who finds
 * out what happened, and who does something with it, work at the same time.
 *
 *     new -> an output told all of it -> free
 *
 *     caller's thread   finds, tells ..   [ 4096 things ][ 4096 things ][ ..
 *     the relay's       hears ..    [ 4096 things ][ ..
 *
 * The output hears the same things in the same order, and never two at once: begin() and all from
 * over() on the caller's thread, what is between on the relay's. So what an output shares with its
 * source must not change from begin() to over(); of a scene and of what may be captured this is so.
 * check() tells of a failure some thousand things later.
 *
 * Memory: 400 KiB. Where no thread can be had, things are passed on by the caller's, a block at a time.
 */
#ifndef JW_TRACE_RELAY_H
#define JW_TRACE_RELAY_H

#include "trace/output.h"

struct trace_relay;

/* CTX is OUTPUT's. NULL: no memory. */
struct trace_relay *trace_relay_new(const struct trace_output *output, void *ctx);
/* Of a struct trace_relay. */
extern const struct trace_output trace_relay_output;
/* Nothing is passed on after this, and the output may go. NULL may be freed, too. */
void trace_relay_free(struct trace_relay *relay);

#endif
