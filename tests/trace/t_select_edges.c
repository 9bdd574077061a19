/*
 * t_select_edges.c: what happens at the very instant at which a range begins or ends: of two ranges that
 * meet each thing is in one, and a call that only touches one is not in it.
 */
#include "base/memory.h"
#include "base/text.h"
#include "tests/tap.h"
#include "tests/trace/log_output.h"
#include "trace/select/select.h"

#include "base/banned.h"

static const struct trace_scene_process process = { .application = 1, .number = 1, .threads = 2 };
static const struct trace_scene_thread threads[] = { { .name = "main", .number = 1 },
						     { .name = "worker", .number = 2 } };
static const struct trace_scene scene = { .end = 1000,
					  .processes = &process,
					  .threads = threads,
					  .process_count = 1,
					  .thread_count = 2 };

static const struct trace_output *const to = &trace_select_output;
static struct trace_selected told;
static struct jw_buf said;

/* The lines of LOG as "eleven@40 .." without what begins and ends all. */
static const char *text_of(const struct log *log)
{
	jw_buf_free(&said);
	for (size_t i = 0; i < log->n; i++) {
		const struct log_line *l = &log->at[i];

		if (l->kind == 'b' || l->kind == 'o' || l->kind == 'n' || l->kind == 'E' ||
		    l->kind == 't')
			continue;
		jw_put_fmt(&said, "%s%llu%c%llu@%llu", said.n ? " " : "",
			   (unsigned long long)l->thread, (int)l->kind, (unsigned long long)l->what,
			   (unsigned long long)l->time);
	}
	jw_put_u1(&said, 0);
	return (const char *)said.p;
}

/* What is heard of what TELL tells, from FROM to TO_TIME. */
static const char *hears(void (*tell)(struct trace_select *s), uint64_t from, uint64_t to_time)
{
	const struct trace_selection wanted = { .range = {
							.from = { .ns = from, .given = true },
							.to = { .ns = to_time, .given = true } } };
	struct trace_select *s = trace_select_new(&wanted);
	struct jw_err e = { 0 };
	struct log log;

	ok(s && log_open(&log, 100));
	trace_select_to(s, &log_output, &log);
	is_int(to->begin(s, &scene, &e), JW_OK);
	tell(s);
	is_int(to->check(s, &e), JW_OK);
	to->over(s, scene.end);
	is_int(to->end(s, NULL, &e), JW_OK);
	told = trace_select_told(s);
	trace_select_free(s);
	const char *text = text_of(&log);

	log_close(&log);
	return text;
}

/* Calls that follow each other, with one inside: 1 [10, 20), 2 [20, 40) { 3 [30, 40) }, 4 [40, 60) */
static void tell_calls(struct trace_select *s)
{
	to->enter(s, 0, 10, 1);
	to->leave(s, 0, 20, false);
	to->enter(s, 0, 20, 2);
	to->event(s, 0, 20, TRACE_TYPE_SITE, 7);
	to->enter(s, 0, 30, 3);
	to->leave(s, 0, 40, false);
	to->leave(s, 0, 40, true);
	to->enter(s, 0, 40, 4);
	to->event(s, 0, 40, TRACE_TYPE_SITE, 8);
	to->leave(s, 0, 60, false);
}

TEST(a_call_that_ends_where_the_range_begins_is_not_in_it)
{
	is_str(hears(tell_calls, 40, 70), "0e4@40 0v8@40 0l0@60");
	is_int(told.calls, 1);
	is_int(told.before, 0);
	is_int(told.after, 0);
}

TEST(a_call_that_ends_where_the_range_ends_is_whole)
{
	is_str(hears(tell_calls, 5, 40), "0e1@10 0l0@20 0e2@20 0v7@20 0e3@30 0l0@40 0f0@40");
	is_int(told.calls, 3);
	is_int(told.before, 0);
	is_int(told.after, 0);
	is_str(hears(tell_calls, 20, 40), "0e2@20 0v7@20 0e3@30 0l0@40 0f0@40");
	is_int(told.calls, 2);
}

TEST(a_call_that_an_edge_cuts)
{
	is_str(hears(tell_calls, 25, 35), "0r2@25 0v7@25 0e3@30 0u0@35 0u0@35");
	is_int(told.calls, 2);
	is_int(told.before, 1);
	is_int(told.after, 2);
}

/* Calls without length: 1 at 20, 2 at 30, 3 at 40. */
static void tell_points(struct trace_select *s)
{
	for (uint64_t i = 1; i <= 3; i++) {
		to->enter(s, 0, 10 + 10 * i, i);
		to->operation(s, 0, 10 + 10 * i, JW_OPERATIONS_LOCK, 3);
		to->event(s, 0, 10 + 10 * i, TRACE_TYPE_OPERATION_OBJECT, 50);
		to->operation(s, 0, 10 + 10 * i, JW_OPERATIONS_LOCK, 0);
		to->leave(s, 0, 10 + 10 * i, false);
	}
}

TEST(a_call_without_length_at_an_edge_is_not_in_the_range)
{
	is_str(hears(tell_points, 20, 40), "0e2@30 0p3@30 0v50@30 0p0@30 0l0@30");
	is_int(told.calls, 1);
}

/* A wait [10, 20), another one [20, 40) that follows it, and one [40, 60); a state each; at 20 and at 40
 * the other thread has sent an arrow that ends the wait, and what is read is told. */
static void tell_waits(struct trace_select *s)
{
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t begin = i ? 20 * i : 10, end = 20 * i + 20;

		to->state(s, 0, begin, end, 5 + i);
		to->enter(s, 0, begin, 1 + i);
		to->event(s, 0, begin, TRACE_TYPE_MONITOR, 1);
		to->event(s, 0, begin, TRACE_TYPE_OBJECT, 30 + i);
		to->arrow(s, 1, end - 5, 0, end, 1);
		to->event(s, 0, end, TRACE_TYPE_BYTES, 90 + i);
		to->leave(s, 0, end, false);
		to->event(s, 0, end, TRACE_TYPE_MONITOR, 0);
		to->event(s, 0, end, TRACE_TYPE_OBJECT, 0);
	}
}

TEST(a_wait_and_what_is_told_of_its_end)
{
	is_str(hears(tell_waits, 20, 40),
	       "0s6@20 0e2@20 0v1@20 0v31@20 1a0@35 0v91@40 0l0@40 0v0@40 0v0@40");
	is_int(told.arrows_cut, 0);
	is_str(hears(tell_waits, 20, 38), "0s6@20 0e2@20 0v1@20 0v31@20 0v0@38 0v0@38 0u0@38");
	is_int(told.arrows_cut, 1);
}

/* A pause of the collector and an operation begin at 40, an arrow is sent from there; one at 20, too. */
static void tell_begins(struct trace_select *s)
{
	for (uint64_t i = 1; i <= 2; i++) {
		to->event(s, 1, 20 * i, TRACE_TYPE_GC, 1);
		to->operation(s, 0, 20 * i, JW_OPERATIONS_LOCK, 3);
		to->event(s, 0, 20 * i, TRACE_TYPE_OPERATION_CLASS, 4);
		to->user(s, 0, 20 * i, 1, i);
		to->arrow(s, 0, 20 * i, 1, 20 * i + 5, 1);
		to->event(s, 1, 20 * i + 10, TRACE_TYPE_GC, 0);
		to->operation(s, 0, 20 * i + 10, JW_OPERATIONS_LOCK, 0);
	}
}

TEST(what_begins_where_the_range_ends_is_not_in_it)
{
	is_str(hears(tell_begins, 10, 40),
	       "1v1@20 0p3@20 0v4@20 0U1@20 0a1@20 1v0@30 0p0@30 0U2@40");
	is_int(told.arrows_cut, 0);
	/* and what began where it begins, is */
	is_str(hears(tell_begins, 20, 35), "0p3@20 0v4@20 1v1@20 1v0@30 0p0@30");
}

/* Calls that are about something each, one inside of the other. */
static void tell_nested(struct trace_select *s)
{
	to->operation(s, 0, 5, JW_OPERATIONS_IO, 1);
	for (uint64_t i = 1; i <= 3; i++) {
		to->enter(s, 0, 10 * i, i);
		to->operation(s, 0, 10 * i, JW_OPERATIONS_TASK, i);
		to->event(s, 0, 10 * i, TRACE_TYPE_OPERATION_CLASS, 70 + i);
	}
}

TEST(what_a_call_is_about_is_told_with_it)
{
	is_str(hears(tell_nested, 40, 50),
	       "0p1@40 0r1@40 0p1@40 0v71@40 0r2@40 0p2@40 0v72@40 0r3@40 0p3@40 0v73@40 "
	       "0p0@50 0p0@50 0p0@50 0p0@50 0u0@50 0u0@50 0u0@50");
}

TEST(cleanup)
{
	jw_buf_free(&said);
}
