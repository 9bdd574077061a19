/*
 * slow_waits.c: see slow_waits.h.
 */
#include "trace/slowest/slow_waits.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

static int by_time(const void *a, const void *b)
{
	const struct trace_slow_one_wait *x = a, *y = b;

	if (x->wait.since != y->wait.since)
		return x->wait.since < y->wait.since ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int longest_first(const void *a, const void *b)
{
	const struct trace_slow_one_wait *x = a, *y = b;

	if (x->wait.ns != y->wait.ns)
		return x->wait.ns > y->wait.ns ? -1 : 1;
	return by_time(a, b);
}

static void leave_longest(struct trace_slow_waits *w)
{
	if (w->n <= w->most)
		return;
	qsort(w->list, w->n, sizeof(*w->list), longest_first);
	w->n = w->most;
	w->least = w->list[w->n - 1].wait.ns;
}

bool trace_slow_waits_add(struct trace_slow_waits *w, uint32_t at,
			  const struct trace_followed_wait *wait)
{
	w->all++;
	if (!w->most || wait->ns <= w->least)
		return true;
	struct trace_slow_one_wait *grown = trace_grow(w->list, w->n, &w->cap, sizeof(*grown));

	if (!grown)
		return false;
	w->list = grown;
	grown[w->n++] = (struct trace_slow_one_wait){ *wait, at };
	if (w->n == 2 * w->most)
		leave_longest(w);
	return true;
}

void trace_slow_waits_sort(struct trace_slow_waits *w)
{
	leave_longest(w);
	if (w->n > 1)
		qsort(w->list, w->n, sizeof(*w->list), by_time);
}

void trace_slow_waits_free(struct trace_slow_waits *w)
{
	jw_mem_free(w->list);
	*w = (struct trace_slow_waits){ 0 };
}
