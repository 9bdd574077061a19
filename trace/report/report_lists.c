/*
 * report_lists.c: sums by keys become the lists of a report.
 *
 * An object's number tells its class: bits 31 to 52 are those of the identity hash of the class
 * (recording.h; a trace keeps 53 bits). A number below 2^31 is the id of a thread.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/reader/tally.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/report_lists.h"
#include "trace/report/object_classes.h"

#include "base/banned.h"

#define CLASS_SHIFT 31

/* ---- calls and operations by thread ---- */

static int by_a(const void *a, const void *b)
{
	const struct trace_sum *x = *(const struct trace_sum *const *)a;
	const struct trace_sum *y = *(const struct trace_sum *const *)b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

static int by_b(const void *a, const void *b)
{
	const struct trace_sum *x = *(const struct trace_sum *const *)a;
	const struct trace_sum *y = *(const struct trace_sum *const *)b;

	if (x->b != y->b)
		return x->b < y->b ? -1 : 1;
	return x->a < y->a ? -1 : x->a > y->a;
}

/* The sums of TALLY in the order of CMP; NULL: no memory. */
static const struct trace_sum **sorted(const struct trace_tally *tally, struct jw_arena *arena,
				       int (*cmp)(const void *a, const void *b))
{
	const struct trace_sum **list = JW_NEW_ARRAY(arena, const struct trace_sum *, tally->n + 1);

	for (size_t i = 0; list && i < tally->n; i++)
		list[i] = &tally->sums[i];
	if (list && tally->n > 1)
		qsort(list, tally->n, sizeof(void *), cmp);
	return list;
}

const struct trace_sum **trace_sums_by_a(const struct trace_tally *tally, struct jw_arena *arena)
{
	return sorted(tally, arena, by_a);
}

struct trace_report_share trace_sums_share(const struct trace_sum *sum, size_t of)
{
	return (struct trace_report_share){ .of = of,
					    .count = sum->count,
					    .exceptional = sum->exceptional,
					    .ns = sum->ns,
					    .own_ns = sum->own_ns,
					    .bytes = sum->bytes };
}

/* How many lanes called each of METHODS; all of them together. */
static size_t count_shares(const struct trace_reading *r, struct trace_report_method *methods)
{
	size_t all = 0;

	for (size_t at = 0; at < r->scene->thread_count; at++)
		for (size_t m = 0; trace_lane_methods_next(&r->lanes[at].methods, &m); m++, all++)
			methods[m].share_count++;
	return all;
}

bool trace_sums_methods(const struct trace_reading *r, struct jw_arena *arena,
			struct trace_report_method *methods)
{
	const struct trace_lane_method *one;
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, count_shares(r, methods) + 1);
	size_t next = 0;

	if (!shares)
		return false;
	for (size_t m = 0; m < r->methods.n; m++) {
		methods[m].shares = &shares[next];
		next += methods[m].share_count;
		methods[m].share_count = 0;
	}
	for (size_t at = 0; at < r->scene->thread_count; at++)
		for (size_t m = 0;
		     (one = trace_lane_methods_next(&r->lanes[at].methods, &m)) != NULL; m++)
			shares[(size_t)(methods[m].shares - shares) + methods[m].share_count++] =
				(struct trace_report_share){ .of = at,
							     .count = one->count,
							     .exceptional = one->exceptional,
							     .ns = one->ns,
							     .own_ns = one->own_ns };
	return true;
}

bool trace_sums_operations(const struct trace_reading *r, struct jw_arena *arena,
			   struct trace_report_thread *threads, struct trace_report *out)
{
	const struct trace_sum **list = trace_sums_by_a(&r->operations, arena);
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, r->operations.n + 1);
	size_t known = 0;

	while (jw_operations[known].word)
		known++;
	struct trace_report_operation *all =
		JW_NEW_ARRAY(arena, struct trace_report_operation, known + 1);

	if (!list || !shares || !all)
		return false;
	for (size_t i = 0; i < r->operations.n; i++) {
		struct trace_report_thread *t = &threads[list[i]->a];
		struct trace_report_operation *op = &all[list[i]->b];

		shares[i] = trace_sums_share(list[i], (size_t)list[i]->b);
		t->operations = t->operation_count++ ? t->operations : &shares[i];
		op->count += list[i]->count;
		op->ns += list[i]->ns;
		op->bytes += list[i]->bytes;
	}
	for (size_t i = 0; i < known; i++) {
		const struct jw_operation *op = &jw_operations[i];

		all[i].type = jw_operation_kinds[op->type].word;
		all[i].name = op->word;
		all[i].label = op->label;
	}
	out->operations = all;
	out->operation_count = known;
	return true;
}

/* ---- allocations ---- */

static int by_bytes(const void *a, const void *b)
{
	const struct trace_report_alloc *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->class_name, y->class_name);
}

bool trace_sums_allocs(const struct trace_reading *r, struct jw_arena *arena,
		       const char *const *names, size_t name_count, struct trace_report *out)
{
	const struct trace_sum **list = sorted(&r->allocs, arena, by_b);
	struct trace_report_alloc *all =
		JW_NEW_ARRAY(arena, struct trace_report_alloc, r->allocs.n + 1);
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, r->allocs.n + 1);
	size_t n = 0;

	for (size_t i = 0; list && all && shares && i < r->allocs.n; i++) {
		uint64_t class = list[i]->b;
		const char *name = class - 1 < name_count ? names[class - 1] : NULL;

		shares[i] = trace_sums_share(list[i], (size_t)list[i]->a);
		if (i == 0 || list[i - 1]->b != class) {
			all[n++] = (struct trace_report_alloc){
				.class_name = name ? jw_arena_str(arena, jw_span_str(name))
						   : jw_arena_fmt(arena, "class %llu",
								  (unsigned long long)class),
				.threads = &shares[i],
			};
			if (!all[n - 1].class_name)
				return false;
		}
		all[n - 1].count += list[i]->count;
		all[n - 1].bytes += list[i]->bytes;
		all[n - 1].thread_count++;
	}
	if (all && n > 1)
		qsort(all, n, sizeof(*all), by_bytes);
	out->allocs = all;
	out->alloc_count = n;
	return list && all && shares;
}

/* ---- monitors, and locks ---- */

static uint32_t task_of(const struct trace_reading *r, uint64_t lane)
{
	return r->scene->threads[lane].process;
}

static void count_wait(struct trace_report_wait *contended, struct trace_report_wait *waits,
		       const struct trace_sum *sum)
{
	struct trace_report_wait *one =
		sum->b % TRACE_WAIT_KINDS == TRACE_WAIT_OBJECT ? waits : contended;

	one->count += sum->count;
	one->ns += sum->ns;
}

static struct trace_report_monitor monitor_of(const struct trace_reading *r, uint32_t task,
					      uint64_t object)
{
	uint64_t class = trace_object_class(object);

	return (struct trace_report_monitor){
		.task = r->scene->processes[task].number,
		.object = object & ((UINT64_C(1) << CLASS_SHIFT) - 1),
		.class_number = class,
		.class_name = class || !object ? "" : "java.lang.Thread",
	};
}

/* What nobody was blocked for comes last. */
static int by_time(const void *a, const void *b)
{
	const struct trace_report_monitor *x = a, *y = b;

	if (x->contended.ns != y->contended.ns)
		return x->contended.ns > y->contended.ns ? -1 : 1;
	if (x->waits.ns != y->waits.ns)
		return x->waits.ns > y->waits.ns ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* Who waited, how long: one share a thread and monitor, with waits and contention together. All of
 * LIST from FROM to TO is about M, and that of a thread is together. */
static bool add_waiters(struct jw_arena *arena, const struct trace_sum **list, size_t from,
			size_t to, struct trace_report_monitor *m)
{
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, to - from);

	for (size_t i = from; shares && i < to; i++) {
		size_t lane = (size_t)list[i]->a;

		count_wait(&m->contended, &m->waits, list[i]);
		if (i == from || list[i - 1]->a != lane)
			shares[m->thread_count++].of = lane;
		shares[m->thread_count - 1].count += list[i]->count;
		shares[m->thread_count - 1].ns += list[i]->ns;
	}
	m->threads = shares;
	return shares;
}

/* Who let them in: the sums in LIST from FROM to TO. */
static bool add_owners(struct jw_arena *arena, const struct trace_sum **list, size_t from,
		       size_t to, struct trace_report_monitor *m)
{
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, to - from + 1);

	for (size_t i = from; shares && i < to; i++)
		shares[m->owner_count++] = (struct trace_report_share){ .of = (size_t)list[i]->a,
									.count = list[i]->count,
									.ns = list[i]->ns };
	m->owners = shares;
	return shares;
}

/* The class of M, OBJECT in the process at the place TASK, where the trace names it. */
static void name_class(const struct trace_reading *r, uint32_t task, uint64_t object,
		       const char *const *names, size_t name_count, struct trace_report_monitor *m)
{
	uint64_t value = trace_class_value(r, task, object);

	if (value - 1 < name_count && !m->class_name[0])
		m->class_name = names[value - 1];
}

/* Of one object what a lane did is together, and lanes come in their order. */
static int by_object(const void *a, const void *b)
{
	const struct trace_sum *x = *(const struct trace_sum *const *)a;
	const struct trace_sum *y = *(const struct trace_sum *const *)b;
	uint64_t ox = x->b / TRACE_WAIT_KINDS, oy = y->b / TRACE_WAIT_KINDS;

	if (ox != oy)
		return ox < oy ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

/* Is SUM, of an owner, of an object or process before OBJECT in TASK? */
static bool is_before(const struct trace_reading *r, const struct trace_sum *sum, uint64_t object,
		      uint32_t task)
{
	return sum->b != object ? sum->b < object : task_of(r, sum->a) < task;
}

/* Was there another wait than parks, which are for other objects, too? */
static bool is_monitor(const struct trace_sum **list, size_t from, size_t to)
{
	while (from < to && list[from]->b % TRACE_WAIT_KINDS == TRACE_WAIT_PARK)
		from++;
	return from < to;
}

bool trace_sums_monitors(const struct trace_reading *r, struct jw_arena *arena,
			 const char *const *names, size_t name_count, struct trace_report *out)
{
	const struct trace_sum **list = sorted(&r->waits, arena, by_object);
	const struct trace_sum **owners = sorted(&r->owners, arena, by_b);
	struct trace_report_monitor *m =
		JW_NEW_ARRAY(arena, struct trace_report_monitor, r->waits.n + 1);
	size_t n = 0, owner = 0, next = 0;

	if (!list || !owners || !m)
		return false;
	/* lanes are in the order of processes */
	for (size_t from = 0, to; from < r->waits.n; from = to) {
		uint64_t object = list[from]->b / TRACE_WAIT_KINDS;
		uint32_t task = task_of(r, list[from]->a);

		for (to = from; to < r->waits.n && list[to]->b / TRACE_WAIT_KINDS == object &&
				task_of(r, list[to]->a) == task;)
			to++;
		while (owner < r->owners.n && is_before(r, owners[owner], object, task))
			owner++;
		for (next = owner; next < r->owners.n && owners[next]->b == object &&
				   task_of(r, owners[next]->a) == task;)
			next++;
		m[n] = monitor_of(r, task, object);
		name_class(r, task, object, names, name_count, &m[n]);
		if (!add_waiters(arena, list, from, to, &m[n]) ||
		    !add_owners(arena, owners, owner, next, &m[n]))
			return false;
		owner = next;
		n += is_monitor(list, from, to) || trace_is_lock(m[n].class_name);
	}
	if (n > 1)
		qsort(m, n, sizeof(*m), by_time);
	out->monitors = m;
	out->monitor_count = n;
	return true;
}
