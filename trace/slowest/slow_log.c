/*
 * slow_log.c: see slow_log.h.
 */
#include "trace/slowest/slow_log.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

bool trace_slow_log_add(struct trace_slow_log *log, const struct trace_slow_entry *entry)
{
	struct trace_slow_entry *grown = trace_grow(log->at, log->n, &log->cap, sizeof(*grown));

	if (!grown)
		return false;
	log->at = grown;
	grown[log->n++] = *entry;
	return true;
}

/* ---- what is the same ---- */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Number of the operation that reads or writes, from 1; 0: it waits. */
static uint64_t io_number(const struct trace_slow_entry *e)
{
	return e->io ? (uint64_t)(e->io - jw_operations) + 1 : 0;
}

int trace_slow_by_wait(const void *a, const void *b)
{
	const struct trace_slow_entry *x = a, *y = b;
	const uint64_t keys[][2] = {
		{ x->rest, y->rest },
		{ io_number(x), io_number(y) },
		{ x->wait.how, y->wait.how },
		{ x->wait.for_work, y->wait.for_work },
		{ x->wait.object, y->wait.object },
		{ x->wait.class, y->wait.class },
		{ x->wait.channel, y->wait.channel },
		{ x->wait.place, y->wait.place },
		{ x->wait.site, y->wait.site },
		{ x->wait.method, y->wait.method },
	};
	int order = 0;

	for (size_t i = 0; order == 0 && i < sizeof(keys) / sizeof(*keys); i++)
		order = compare(keys[i][0], keys[i][1]);
	return order;
}

static int by_what(const void *a, const void *b)
{
	const struct trace_slow_entry *x = a, *y = b;
	int order = trace_slow_by_wait(a, b);

	order = order ? order : compare(x->wait.ender.thread, y->wait.ender.thread);
	return order ? order : compare(x->wait.ender.method, y->wait.ender.method);
}

static int by_time(const void *a, const void *b)
{
	const struct trace_slow_entry *x = a, *y = b;
	int order = compare(x->rest, y->rest);

	order = order ? order : compare(y->wait.ns, x->wait.ns);
	order = order ? order : compare(x->wait.since, y->wait.since);
	return order ? order : by_what(a, b);
}

static void add(struct trace_slow_entry *to, const struct trace_slow_entry *more)
{
	to->wait.ns += more->wait.ns;
	to->wait.since = more->wait.since < to->wait.since ? more->wait.since : to->wait.since;
	to->count += more->count;
	to->bytes += more->bytes;
	if (more->longest_ns > to->longest_ns)
		to->longest_ns = more->longest_ns;
}

static size_t merge_same(struct trace_slow_entry *list, size_t count)
{
	size_t n = 0;

	if (count > 1)
		qsort(list, count, sizeof(*list), by_what);
	for (size_t i = 0; i < count; i++) {
		if (n > 0 && by_what(&list[n - 1], &list[i]) == 0)
			add(&list[n - 1], &list[i]);
		else
			list[n++] = list[i];
	}
	return n;
}

/* The longest first. */
static size_t merge_sorted(struct trace_slow_entry *list, size_t count)
{
	size_t n = merge_same(list, count);

	if (n > 1)
		qsort(list, n, sizeof(*list), by_time);
	return n;
}

/* One object of its class is like another. */
static void leave_object(struct trace_slow_entry *e)
{
	if (e->wait.object > TRACE_OBJECT_IDENTITY)
		e->wait.object &= ~TRACE_OBJECT_IDENTITY;
}

/* Who had a monitor is unknown, or told. */
static void leave_ender(struct trace_slow_entry *e)
{
	if (e->wait.how != TRACE_REPORT_ENTER)
		e->wait.ender = (struct trace_followed_ender){ 0 };
}

/* Nothing is left of what it was about but how it waited. */
static void leave_all(struct trace_slow_entry *e)
{
	e->rest = true;
	e->io = e->io ? &jw_operations[0] : NULL;
	e->wait = (struct trace_followed_wait){ .how = e->wait.how,
						.for_work = e->wait.for_work,
						.since = e->wait.since,
						.ns = e->wait.ns };
}

size_t trace_slow_fold(struct trace_slow_entry *list, size_t count, size_t most)
{
	static void (*const leave[])(struct trace_slow_entry *) = { leave_object, leave_ender,
								    leave_all };
	size_t n = merge_sorted(list, count);

	for (size_t step = 0; step < sizeof(leave) / sizeof(*leave) && n > most; step++) {
		for (size_t before = n + 1; n > most && n < before;) {
			before = n;
			for (size_t i = most; i < n; i++)
				leave[step](&list[i]);
			n = merge_sorted(list, n);
		}
	}
	return n;
}
