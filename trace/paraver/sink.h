/*
 * sink.h: where a long text goes, block by block: through a packer, if there is one, to a function,
 * in order. With more than one thread, blocks are packed side by side and written while
 * the next are filled; the bytes are the same, since a block is what its writer makes it.
 *
 *     trace_sink_open() -> block(), put() .. block(), put() -> finish() -> close()
 *
 * Memory: two blocks a thread, and what they pack to.
 */
#ifndef JW_TRACE_SINK_H
#define JW_TRACE_SINK_H

#include "trace/paraver/paraver.h"

/* More than jw_out gathers: it is written without another copy. */
#define TRACE_SINK_BLOCK ((size_t)320 * 1024)
/* More threads than that have nothing to do. */
#define TRACE_SINK_THREADS 16

struct trace_sink;

/* Takes the blocks, packed, in their order, never two at one time; maybe on another thread. */
typedef enum jw_status trace_sink_write_fn(void *to, struct jw_span block, struct jw_err *e);

/* WRITE with TO takes the blocks. THREADS: the caller and, above 1, so many others less one. PACK
 * (NULL: none) is borrowed. */
enum jw_status JW_MUST_USE trace_sink_open(struct trace_sink **out, trace_sink_write_fn *write,
					   void *to, const struct trace_pack *pack, size_t threads,
					   struct jw_err *e);
/* Room for the next TRACE_SINK_BLOCK bytes, the sink's own, up to the next put(). */
char *trace_sink_block(struct trace_sink *sink);
/* The block has N bytes. A failure of any block before may be told here. */
enum jw_status JW_MUST_USE trace_sink_put(struct trace_sink *sink, size_t n, struct jw_err *e);
/* Waits until all is written; the first failure of all, in the order of blocks. */
enum jw_status JW_MUST_USE trace_sink_finish(struct trace_sink *sink, struct jw_err *e);
/* NULL may be closed, too. */
void trace_sink_close(struct trace_sink *sink);

#endif
