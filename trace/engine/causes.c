/*
 * causes.c: see causes.h.
 *
 * Kinds of time are apart from each other as far as the trace knows them: waiting for what is
 * fetched and for locks is no other waiting, reading and writing files no other I/O.
 *
 * What an engine tells at the end of a task it does not tell of one that failed or was cut off: that
 * is compared with what is known of the others without it, too. Else the time that the one ran would be
 * compared with the CPU time of the others.
 */
#include "trace/engine/causes.h"

#include <stdlib.h>

#include "base/banned.h"

#define LEAST_SHARE   0.1 /* what explains less is not told */
#define SKEW_FIRST    0.5 /* more data that explain so much are the cause of all else */
#define MORE          1.5 /* times as much is more */
#define FEW_BYTES     1024.0
#define FEW_RECORDS   1.0
#define LEAST_RECORDS 100 /* fewer do not take long by their number */

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Has the engine told its figures of T? */
static bool has_told(const struct trace_engine_task *t)
{
	return t->did.measured >> TRACE_MEASURE_CPU_NS & 1;
}

/* What the engine says; 0, where it is not to count (TOLD). */
static uint64_t told_ns(const struct trace_engine_task *t, enum trace_measure m, bool told)
{
	return told ? t->did.measures[m] : 0;
}

static uint64_t disk_ns(const struct trace_engine_task *t, bool told)
{
	return larger(t->did.file_ns, told_ns(t, TRACE_MEASURE_WRITE_NS, told));
}

/* Neither waiting nor reading or writing. Of files without taps, it seems to run. */
static uint64_t running_ns(const struct trace_engine_task *t, bool told)
{
	const uint64_t *ns = t->did.inside.ns;

	return less(ns[TRACE_REPORT_RUNNING] + ns[TRACE_REPORT_OTHER],
		    less(disk_ns(t, told), t->did.file_ns) +
			    t->did.measures[TRACE_MEASURE_SPILL_NS]);
}

/* What of that it had no CPU for, where it is known how long it had one. */
static uint64_t no_cpu_ns(const struct trace_engine_task *t, bool told)
{
	return told && has_told(t)
		       ? less(running_ns(t, told), t->did.measures[TRACE_MEASURE_CPU_NS])
		       : 0;
}

/* How long T did nothing but what KIND says; of SKEW nothing. */
static uint64_t cause_ns(const struct trace_engine_task *t, enum trace_cause_kind kind, bool told)
{
	const uint64_t *ns = t->did.inside.ns;
	uint64_t fetch = told_ns(t, TRACE_MEASURE_FETCH_NS, told);

	switch (kind) {
	case TRACE_CAUSE_GC:
		return ns[TRACE_REPORT_GC];
	case TRACE_CAUSE_SPILL:
		return t->did.measures[TRACE_MEASURE_SPILL_NS];
	case TRACE_CAUSE_FETCH:
		return fetch;
	case TRACE_CAUSE_LOCK:
		return t->did.lock_ns;
	case TRACE_CAUSE_DISK:
		return disk_ns(t, told);
	case TRACE_CAUSE_WAIT:
		return less(ns[TRACE_REPORT_WAITING] + ns[TRACE_REPORT_FOR_WORK],
			    fetch + less(t->did.lock_ns, ns[TRACE_REPORT_BLOCKED]));
	case TRACE_CAUSE_IO:
		return less(ns[TRACE_REPORT_IO], disk_ns(t, told));
	case TRACE_CAUSE_CPU:
		return no_cpu_ns(t, told);
	case TRACE_CAUSE_RUN:
		return running_ns(t, told) - no_cpu_ns(t, told);
	case TRACE_CAUSE_SKEW:
	case TRACE_CAUSES:
		break;
	}
	return 0;
}

/* ---- medians ---- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many of SORTED are below VALUE. */
static size_t below(const uint64_t *sorted, size_t n, uint64_t value)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t trace_median_without(const uint64_t *sorted, size_t n, bool among, uint64_t own)
{
	size_t gap = among ? below(sorted, n, own) : n, left = n - among;

	if (left == 0)
		return 0;
	size_t low = (left - 1) / 2, high = left / 2;
	uint64_t a = sorted[low + (low >= gap)], b = sorted[high + (high >= gap)];

	return a + (b - a) / 2;
}

/* ---- causes ---- */

/* What is sorted of the tasks of a stage: their time, each kind of it, what was measured. */
enum { COLUMN_NS, COLUMN_KINDS, COLUMN_MEASURES = COLUMN_KINDS + TRACE_CAUSES };

static uint64_t value_of(const struct trace_engine_task *t, size_t column, bool told)
{
	if (column == COLUMN_NS)
		return t->ns;
	if (column < COLUMN_MEASURES)
		return cause_ns(t, (enum trace_cause_kind)(column - COLUMN_KINDS), told);
	return t->did.measures[column - COLUMN_MEASURES];
}

struct stage {
	const uint64_t *sorted; /* TRACE_STAGE_ROOM times n */
	size_t n;               /* tasks that ended as they should */
	bool told;              /* what the engine says counts */
};

static bool counts(const struct trace_engine_task *t)
{
	return !t->failed && !t->cancelled && !t->open && !t->cut;
}

static uint64_t median(const struct stage *s, const struct trace_engine_task *t, size_t column)
{
	return trace_median_without(s->sorted + column * s->n, s->n, counts(t),
				    value_of(t, column, s->told));
}

static double times(uint64_t value, uint64_t median, double few)
{
	return ((double)value + few) / ((double)median + few);
}

/* What explains a larger share comes first. */
static void put(struct trace_engine_task *t, const struct trace_cause *cause)
{
	uint32_t at = t->cause_count < TRACE_TASK_CAUSES ? t->cause_count++ : TRACE_TASK_CAUSES;

	for (; at > 0 && t->causes[at - 1].share < cause->share; at--)
		if (at < TRACE_TASK_CAUSES)
			t->causes[at] = t->causes[at - 1];
	if (at < TRACE_TASK_CAUSES)
		t->causes[at] = *cause;
}

/* Had T more bytes or records, so that it had to take longer? Of all of them that which is the most
 * times the median says so. */
static void find_skew(const struct stage *s, struct trace_engine_task *t, double more_ns)
{
	struct trace_cause cause = { .kind = TRACE_CAUSE_SKEW, .of = "", .ender = "" };
	double most = MORE;

	for (int m = TRACE_MEASURE_BYTES_IN; m <= TRACE_MEASURE_RECORDS_OUT; m++) {
		bool bytes = trace_measure_kinds[m].unit == TRACE_MEASURE_BYTES;
		uint64_t others = median(s, t, COLUMN_MEASURES + (size_t)m);
		double ratio = times(t->did.measures[m], others, bytes ? FEW_BYTES : FEW_RECORDS);

		if (ratio < most || (!bytes && t->did.measures[m] < LEAST_RECORDS))
			continue;
		most = ratio;
		cause.share = (ratio - 1) * (double)t->median_ns / more_ns;
		cause.value = t->did.measures[m];
		cause.median = others;
		cause.measure = (enum trace_measure)m;
	}
	cause.share = cause.share > 1 ? 1 : cause.share;
	if (cause.share >= LEAST_SHARE)
		put(t, &cause);
}

static bool spilled_more(const struct stage *s, const struct trace_engine_task *t)
{
	return times(t->did.measures[TRACE_MEASURE_SPILLED],
		     median(s, t, COLUMN_MEASURES + TRACE_MEASURE_SPILLED), FEW_BYTES) >= MORE ||
	       times(t->did.measures[TRACE_MEASURE_SPILLS],
		     median(s, t, COLUMN_MEASURES + TRACE_MEASURE_SPILLS), 0.001) >= MORE;
}

/* A spill of as much that took longer was to a slow disk. */
static void find_time(const struct stage *s, struct trace_engine_task *t, double more_ns,
		      enum trace_cause_kind kind)
{
	uint64_t ns = cause_ns(t, kind, s->told),
		 others = median(s, t, COLUMN_KINDS + (size_t)kind);
	double share = ns > others ? (double)(ns - others) / more_ns : 0;
	struct trace_cause cause = {
		.kind = kind == TRACE_CAUSE_SPILL && !spilled_more(s, t) ? TRACE_CAUSE_DISK : kind,
		.share = share > 1 ? 1 : share,
		.value = ns,
		.median = others,
		.of = "",
		.ender = "",
	};

	if (cause.share < LEAST_SHARE)
		return;
	for (uint32_t i = 0; i < t->cause_count; i++)
		if (t->causes[i].kind == cause.kind)
			return;
	put(t, &cause);
}

/* More data that explain most of it are why all else took longer, too. */
static void put_skew_first(struct trace_engine_task *t)
{
	for (uint32_t i = 1; i < t->cause_count; i++) {
		struct trace_cause skew = t->causes[i];

		if (skew.kind != TRACE_CAUSE_SKEW || skew.share < SKEW_FIRST)
			continue;
		for (; i > 0; i--)
			t->causes[i] = t->causes[i - 1];
		t->causes[0] = skew;
		return;
	}
}

static void compare(const struct stage *s, struct trace_engine_task *t)
{
	t->median_ns = median(s, t, COLUMN_NS);
	t->straggler = false;
	t->cause_count = 0;
	if (t->cut || s->n < (size_t)1 + counts(t) || t->ns < t->median_ns + TRACE_STRAGGLER_NS ||
	    (double)t->ns < (double)t->median_ns * TRACE_STRAGGLER_TIMES)
		return;
	double more_ns = (double)(t->ns - t->median_ns);

	t->straggler = true;
	find_skew(s, t, more_ns);
	for (int kind = TRACE_CAUSE_GC; kind < TRACE_CAUSES; kind++)
		find_time(s, t, more_ns, (enum trace_cause_kind)kind);
	put_skew_first(t);
}

static size_t count(const struct trace_engine_task *tasks, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += counts(&tasks[i]);
	return all;
}

/* Is any that counts told of? */
static bool any_told(const struct trace_engine_task *tasks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (counts(&tasks[i]) && has_told(&tasks[i]))
			return true;
	return false;
}

/* Those that are TOLD of, or those that are not, with all. */
static void compare_some(struct trace_engine_task *tasks, size_t n, uint64_t *room, bool told,
			 bool all)
{
	const struct stage s = { .sorted = room, .n = count(tasks, n), .told = told };
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		some += all || has_told(&tasks[i]) == told;
	if (!some)
		return;

	for (size_t column = 0; column < TRACE_STAGE_ROOM; column++) {
		size_t at = column * s.n;

		for (size_t i = 0; i < n; i++)
			if (counts(&tasks[i]))
				room[at++] = value_of(&tasks[i], column, told);
		if (s.n > 1)
			qsort(room + column * s.n, s.n, sizeof(*room), by_value);
	}
	for (size_t i = 0; i < n; i++)
		if (all || has_told(&tasks[i]) == told)
			compare(&s, &tasks[i]);
}

static void compare_all(struct trace_engine_task *tasks, size_t n, uint64_t *room)
{
	bool all = !any_told(tasks, n); /* it tells nothing of others, too */

	compare_some(tasks, n, room, true, all);
	if (!all)
		compare_some(tasks, n, room, false, false);
}

/* Where they are two, and not ALL. */
static void compare_part(struct trace_engine_task *tasks, size_t n, size_t all, uint64_t *room)
{
	if (n < all && count(tasks, n) > 1)
		compare_all(tasks, n, room);
}

/* With tasks of their kind, where there are two, else with all. Those that found what their stage
 * needs loaded and compiled are such a kind, too; those that did not find it are compared with all. */
void trace_engine_compare(struct trace_engine_task *tasks, size_t n, uint64_t *room)
{
	size_t early = 0, first;

	while (early < n && tasks[early].early)
		early++;
	for (first = early; first < n && !tasks[first].later;)
		first++;
	compare_all(tasks, n, room);
	compare_part(tasks, early, n, room);
	compare_part(tasks + early, n - early, n, room);
	compare_part(tasks + first, n - first, n - early, room);
}
