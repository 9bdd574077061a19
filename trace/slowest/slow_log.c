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

/* OBJECT without what tells it from others of its class, if it is known what that is. */
static uint64_t kind_of(uint64_t object)
{
	return trace_object_is_thread(object) ? object : object & ~TRACE_OBJECT_IDENTITY;
}

/* A place is told alone, whatever the innermost call was: others on the way there may not have been recorded. */
static uint64_t site_of(const struct trace_followed_wait *w)
{
	return w->place ? 0 : w->site;
}

static uint64_t method_of(const struct trace_followed_wait *w)
{
	return w->place || w->site ? 0 : w->method;
}

int trace_slow_by_kind(const struct trace_slow_entry *x, const struct trace_slow_entry *y)
{
	const uint64_t keys[][2] = {
		{ x->rest, y->rest },
		{ io_number(x), io_number(y) },
		{ x->wait.how, y->wait.how },
		{ x->wait.for_work, y->wait.for_work },
		{ kind_of(x->wait.object), kind_of(y->wait.object) },
		{ x->wait.class, y->wait.class },
		{ x->wait.place, y->wait.place },
		{ site_of(&x->wait), site_of(&y->wait) },
		{ method_of(&x->wait), method_of(&y->wait) },
	};
	int order = 0;

	for (size_t i = 0; order == 0 && i < sizeof(keys) / sizeof(*keys); i++)
		order = compare(keys[i][0], keys[i][1]);
	return order;
}

static int by_which(const struct trace_slow_entry *x, const struct trace_slow_entry *y)
{
	int order = compare(x->wait.object, y->wait.object);

	return order ? order : compare(x->wait.channel, y->wait.channel);
}

static int by_what(const void *a, const void *b)
{
	const struct trace_slow_entry *x = a, *y = b;
	int order = trace_slow_by_kind(x, y);

	order = order ? order : by_which(x, y);
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
	to->wait.ender.ns += more->wait.ender.ns;
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

/* One object of its class, or one file, is like another. */
static void leave_which(struct trace_slow_entry *e)
{
	e->wait.object = kind_of(e->wait.object);
	e->wait.channel = 0;
}

/* (Who had a monitor is unknown, or told.) */
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

size_t trace_slow_join(struct trace_slow_entry *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct trace_slow_entry *e = &list[i];

		for (size_t k = i + 1; k < count; k++)
			if (trace_slow_by_kind(e, &list[k]) == 0 && by_which(e, &list[k]) != 0) {
				leave_which(e);
				leave_which(&list[k]);
			}
		e->wait.ender = (struct trace_followed_ender){ 0 };
	}
	return merge_sorted(list, count);
}

size_t trace_slow_fold(struct trace_slow_entry *list, size_t count, size_t most)
{
	static void (*const leave[])(struct trace_slow_entry *) = { leave_which, leave_ender,
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
