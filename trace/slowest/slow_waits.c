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

static bool name_wait(struct trace_wanted *names, const struct trace_slow_one_wait *w,
		      struct trace_slow_wait *out)
{
	*out = (struct trace_slow_wait){ .begin = w->wait.since,
					 .place = w->at,
					 .ender = w->wait.ender.thread,
					 .received = w->wait.ender.received,
					 .ender_ns = w->wait.ender.ns };
	if (!trace_wanted_wait(names, &w->wait, &out->wait))
		return false;
	out->wait.count = 1;
	out->wait.ns = out->wait.longest_ns = w->wait.ns;
	out->ender_method = trace_wanted_method(names, w->wait.ender.method);
	return out->ender_method;
}

bool trace_slow_waits_list(const struct trace_slow_waits *w, struct trace_wanted *names,
			   struct jw_arena *arena, struct trace_slow_wait_list *out)
{
	struct trace_slow_wait *list = JW_NEW_ARRAY(arena, struct trace_slow_wait, w->n + 1);

	for (size_t i = 0; list && i < w->n; i++)
		if (!name_wait(names, &w->list[i], &list[i]))
			return false;
	*out = (struct trace_slow_wait_list){ list, w->n, w->all };
	return list;
}

void trace_slow_waits_free(struct trace_slow_waits *w)
{
	jw_mem_free(w->list);
	*w = (struct trace_slow_waits){ 0 };
}
