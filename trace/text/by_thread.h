/*
 * by_thread.h: what happened to each thread, put aside until names are known and its turn comes.
 *
 *     new -> put .. put -> each, of one thread after another -> free
 *
 * A list of numbers for each thread (replay/spool.h): of a record kind << 4 | count, then COUNT numbers.
 * Cost: 4 bytes and 10 ns for what takes two small numbers. Memory: TRACE_BY_THREAD_MEMORY, and up to
 * 4 KB a thread.
 */
#ifndef JW_TRACE_BY_THREAD_H
#define JW_TRACE_BY_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define TRACE_BY_THREAD_MEMORY ((size_t)8 << 20)
#define TRACE_BY_THREAD_MOST   15 /* numbers of a record */

struct trace_by_thread;

/* NULL: no memory. SPILL: as in destination.h, lives as long. */
struct trace_by_thread *trace_by_thread_new(uint32_t threads, const char *spill);
/* NULL may be freed, too. */
void trace_by_thread_free(struct trace_by_thread *aside);

void trace_by_thread_put(struct trace_by_thread *aside, uint32_t thread, unsigned kind,
			 const uint64_t *values, size_t n);
/* A failure of any put. */
enum jw_status JW_MUST_USE trace_by_thread_check(const struct trace_by_thread *aside,
						 struct jw_err *e);

/* Hands what was put aside of THREAD to TAKE, in order. */
typedef enum jw_status trace_by_thread_take(void *ctx, unsigned kind, const uint64_t *values,
					    struct jw_err *e);
enum jw_status JW_MUST_USE trace_by_thread_each(struct trace_by_thread *aside, uint32_t thread,
						trace_by_thread_take *take, void *ctx,
						struct jw_err *e);

#endif
