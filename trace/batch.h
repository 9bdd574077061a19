/*
 * batch.h: an output (output.h) that passes on what happens thread by thread, some hundred calls at a
 * time.
 *
 *     new -> an output told all of it -> free
 *
 *     told     a1 b1 c1 a2 c2 b2 a3 ..  a1: enter, leave or state of thread a
 *     passed   a1 a2 a3 .. b1 b2 .. c1 c2 ..
 *
 * A recording of 200 threads goes from one to another at each record, and what outputs know of one
 * has gone from the processor's cache when its turn comes again: most of the time was spent waiting
 * for memory. So what adds up each thread by itself is told this way.
 *
 * The order of what happens to one thread stays. A pause of the collector, and the closing of methods,
 * come after all that has happened to anybody; that a thread is seen to have what another one waits for,
 * after all that has happened to the two. Methods and states come in the order in which they
 * appeared: one nobody has heard of is told at once, after what is held back of that thread.
 *
 * Only calls and states are held back, unless all outputs are `by_thread`: for these an arrow comes
 * after all that has happened to the thread that receives it, and maybe before what its sender did
 * earlier; other outputs hear arrows, events, operations and captures at once, after all that has
 * happened to those threads. Where an output is a tee, each of its outputs hears a batch before the next
 * does; one that is `in_order` hears all at once.
 *
 * Memory: 4 KiB a thread, of TRACE_BATCH_THREADS at most; where more take part all are told first. Where
 * there is none, things are passed on as they come.
 */
#ifndef JW_TRACE_BATCH_H
#define JW_TRACE_BATCH_H

#include "trace/output.h"

#define TRACE_BATCH_THREADS 1024

struct trace_batch;

/* CTX is OUTPUT's. NULL: no memory. */
struct trace_batch *trace_batch_new(const struct trace_output *output, void *ctx);
/* Of a struct trace_batch. */
extern const struct trace_output trace_batch_output;
/* NULL may be freed, too. */
void trace_batch_free(struct trace_batch *batch);

#endif
