/*
 * by_thread.c: see by_thread.h.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/replay/spool.h"
#include "trace/text/by_thread.h"

#include "base/banned.h"

struct trace_by_thread {
	struct trace_list *threads; /* owned */
	uint32_t n;
	struct trace_spool spool;
};

struct trace_by_thread *trace_by_thread_new(uint32_t threads, const char *spill)
{
	struct trace_by_thread *a = jw_mem_zalloc(1, sizeof(*a));
	struct jw_err e;

	if (!a)
		return NULL;
	a->threads = jw_mem_zalloc((size_t)threads + 1, sizeof(*a->threads));
	a->n = a->threads ? threads : 0;
	if (trace_spool_open(&a->spool, strcmp(spill, "-") == 0 ? "" : spill,
			     TRACE_BY_THREAD_MEMORY, &e) == JW_OK &&
	    a->threads)
		return a;
	trace_by_thread_free(a);
	return NULL;
}

void trace_by_thread_free(struct trace_by_thread *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->n; i++)
		trace_list_free(&a->threads[i]);
	jw_mem_free(a->threads);
	trace_spool_close(&a->spool);
	jw_mem_free(a);
}

void trace_by_thread_put(struct trace_by_thread *a, uint32_t thread, unsigned kind,
			 const uint64_t *values, size_t n)
{
	struct trace_list *list = &a->threads[thread];

	trace_list_put(&a->spool, list, kind << 4 | n);
	for (size_t i = 0; i < n; i++)
		trace_list_put(&a->spool, list, values[i]);
}

enum jw_status trace_by_thread_check(const struct trace_by_thread *a, struct jw_err *e)
{
	return trace_spool_status(&a->spool, e);
}

enum jw_status trace_by_thread_each(struct trace_by_thread *a, uint32_t thread,
				    trace_by_thread_take *take, void *ctx, struct jw_err *e)
{
	const struct trace_list *list = &a->threads[thread];
	struct trace_list_at at = { 0 };
	enum jw_status status = JW_OK;
	uint64_t head = 0;

	while (status == JW_OK && trace_list_get(&a->spool, list, &at, &head)) {
		uint64_t values[TRACE_BY_THREAD_MOST] = { 0 };

		for (size_t i = 0; i < (head & 15); i++)
			(void)!trace_list_get(&a->spool, list, &at, &values[i]);
		status = trace_by_thread_check(a, e);
		if (status == JW_OK)
			status = take(ctx, (unsigned)(head >> 4), values, e);
	}
	trace_list_end(&at);
	return status == JW_OK ? trace_by_thread_check(a, e) : status;
}
