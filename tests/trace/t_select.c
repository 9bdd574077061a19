/*
 * t_select.c: what a selection passes on, told as text, one line a thing: ranges that cut calls,
 * states, waits and operations; threads, methods, long calls, levels; captures and call sites of what
 * is left out; sources that change or are not balanced; no memory.
 */
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/format/methodmap.h"
#include "trace/select/select.h"

#include "base/banned.h"

/* ---- an output that writes down what it hears ---- */

static struct jw_buf heard; /* ends in a zero byte when it is asked for */

static enum jw_status hear_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx, (void)e;
	jw_put_fmt(&heard, "%llu..%llu", (unsigned long long)scene->begin,
		   (unsigned long long)scene->end);
	for (uint32_t i = 0; i < scene->process_count; i++) {
		const struct trace_scene_process *p = &scene->processes[i];

		jw_put_fmt(&heard, " process %u:", p->number);
		for (uint32_t k = p->first; k < p->first + p->threads; k++)
			jw_put_fmt(&heard, " %s",
				   scene->threads[k].name ? scene->threads[k].name : "?");
	}
	jw_put_str(&heard, "\n");
	return JW_OK;
}

static void hear(uint32_t thread, uint64_t time, const char *what, uint64_t value)
{
	jw_put_fmt(&heard, "%u@%llu %s %llu\n", thread, (unsigned long long)time, what,
		   (unsigned long long)value);
}

static void hear_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	(void)ctx;
	jw_put_fmt(&heard, "%u@%llu-%llu state %llu\n", thread, (unsigned long long)begin,
		   (unsigned long long)end, (unsigned long long)state);
}

static void hear_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	(void)ctx;
	hear(thread, time, "enter", method);
}

static void hear_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	(void)ctx;
	hear(thread, time, "leave", failed);
}

static void hear_resume(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	(void)ctx;
	hear(thread, time, "resume", method);
}

static void hear_suspend(void *ctx, uint32_t thread, uint64_t time)
{
	(void)ctx;
	hear(thread, time, "suspend", 0);
}

static void hear_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	static const char *const names[TRACE_TYPES] = {
#define NAME(name, value) [TRACE_TYPE_##name] = #name,
		TRACE_TYPE_LIST(NAME)
#undef NAME
	};

	(void)ctx;
	hear(thread, time, names[type], value);
}

static void hear_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	(void)ctx;
	hear(thread, time, "operation", 100 * (uint64_t)type + number);
}

static void hear_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  bool has_outer, uint64_t outer)
{
	(void)ctx, (void)what;
	hear(thread, time, has_outer ? "holds again" : "holds nothing, was", outer);
}

static void hear_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	(void)ctx, (void)what;
	hear(thread, time, "captured", value);
}

static void hear_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	(void)ctx, (void)type;
	hear(thread, time, "user", value);
}

static void hear_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	(void)ctx, (void)tag;
	jw_put_fmt(&heard, "%u@%llu arrow %u@%llu\n", from, (unsigned long long)sent, to,
		   (unsigned long long)received);
}

static enum jw_status hear_check(void *ctx, struct jw_err *e)
{
	(void)ctx, (void)e;
	return JW_OK;
}

static void hear_over(void *ctx, uint64_t end)
{
	(void)ctx;
	jw_put_fmt(&heard, "over %llu\n", (unsigned long long)end);
}

static void hear_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	(void)ctx;
	if (what != TRACE_NAME_ROW)
		return;
	jw_put_fmt(&heard, "row %llu ", (unsigned long long)number);
	jw_put_bytes(&heard, label);
	jw_put_str(&heard, "\n");
}

static enum jw_status hear_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	(void)ctx, (void)names, (void)e;
	return JW_OK;
}

static const struct trace_output listener = {
	.begin = hear_scene,
	.state = hear_state,
	.enter = hear_enter,
	.leave = hear_leave,
	.resume = hear_resume,
	.suspend = hear_suspend,
	.event = hear_event,
	.operation = hear_operation,
	.captured = hear_captured,
	.released = hear_released,
	.user = hear_user,
	.arrow = hear_arrow,
	.check = hear_check,
	.over = hear_over,
	.name = hear_name,
	.end = hear_end,
};

/* ---- a source ---- */

static const struct trace_scene_process processes[] = {
	{ .application = 1,
	  .number = 1,
	  .first = 0,
	  .threads = 3,
	  .pid = 4711,
	  .command = "java A" },
	{ .application = 1, .number = 2, .first = 3, .threads = 1, .has_rank = true, .rank = 5 },
};
static const struct trace_scene_thread named[] = {
	{ .name = "main", .process = 0, .number = 1 },
	{ .name = "JVM", .process = 0, .number = 2, .is_vm = true },
	{ .name = "", .process = 0, .number = 3 },
	{ .name = "main", .process = 1, .number = 1 },
};
static const struct trace_scene_thread unnamed[] = {
	{ .process = 0, .number = 1 },
	{ .process = 0, .number = 2 },
	{ .process = 0, .number = 3 },
	{ .process = 1, .number = 1 },
};
static const char *const hosts[] = { "node1" };
static struct trace_scene scene = { .end = 1000,
				    .processes = processes,
				    .threads = named,
				    .hosts = hosts,
				    .process_count = 2,
				    .thread_count = 4,
				    .host_count = 1 };

/* What happens, in time: WHAT, of the thread, at the time, with a value. */
struct step {
	enum {
		ENTER,
		LEAVE,
		FAIL,
		STATE,
		EVENT,
		OPERATION,
		CAPTURE,
		HOLD,
		AROUND,
		RELEASE,
		USER,
		ARROW
	} what;
	uint32_t thread;
	uint64_t time, value, more; /* more: end of a state; type; to whom, and 10 times when */
};

static const struct step plain[] = {
	{ STATE, 0, 0, TRACE_RUNNING, 400 },
	{ ENTER, 0, 10, 1, 0 }, /* Main.run */
	{ EVENT, 1, 15, 1, TRACE_TYPE_GC },
	{ EVENT, 0, 18, 1, TRACE_TYPE_CLOSED },
	{ ENTER, 0, 20, 2, 0 }, /* Main.wait */
	{ EVENT, 0, 20, 9, TRACE_TYPE_SITE },
	{ CAPTURE, 0, 20, 77, 0 },
	{ OPERATION, 0, 20, 3, JW_OPERATIONS_LOCK },
	{ EVENT, 0, 20, 88, TRACE_TYPE_OPERATION_OBJECT },
	{ EVENT, 0, 20, 1, TRACE_TYPE_MONITOR },
	{ EVENT, 0, 20, 66, TRACE_TYPE_OBJECT },
	{ ARROW, 0, 30, 0, 10 * 60 + 3 },
	{ ENTER, 3, 40, 2, 0 },
	{ LEAVE, 3, 60, 0, 0 },
	{ EVENT, 1, 70, 0, TRACE_TYPE_GC },
	{ USER, 0, 80, 5, 0 },
	{ ENTER, 0, 90, 3, 0 }, /* Main.leaf */
	{ EVENT, 0, 90, 8, TRACE_TYPE_SITE },
	{ CAPTURE, 0, 91, 55, 0 },
	{ FAIL, 0, 95, 0, 0 },
	{ EVENT, 0, 100, 0, TRACE_TYPE_MONITOR },
	{ EVENT, 0, 100, 0, TRACE_TYPE_OBJECT },
	{ OPERATION, 0, 100, 0, JW_OPERATIONS_LOCK },
	{ LEAVE, 0, 100, 0, 0 },
	{ EVENT, 0, 390, 12, TRACE_TYPE_THREAD_CPU },
	{ EVENT, 0, 390, 13, TRACE_TYPE_PROCESS_CPU },
	{ LEAVE, 0, 400, 0, 0 },
};

static void tell(const struct trace_output *to, void *ctx, const struct step *s)
{
	static const struct jw_capture what = { 0 }, held = { .type = 7, .hold = JW_HOLD_CALL },
				       around = { .type = 8, .hold = JW_HOLD_AROUND };

	switch (s->what) {
	case ENTER:
		to->enter(ctx, s->thread, s->time, s->value);
		break;
	case LEAVE:
	case FAIL:
		to->leave(ctx, s->thread, s->time, s->what == FAIL);
		break;
	case STATE:
		to->state(ctx, s->thread, s->time, s->more, s->value);
		break;
	case EVENT:
		to->event(ctx, s->thread, s->time, (enum trace_type)s->more, s->value);
		break;
	case OPERATION:
		to->operation(ctx, s->thread, s->time, (enum jw_operation_type)s->more, s->value);
		break;
	case CAPTURE:
		to->captured(ctx, s->thread, s->time, &what, s->value);
		break;
	case HOLD:
		to->captured(ctx, s->thread, s->time, &held, s->value);
		break;
	case AROUND:
		to->captured(ctx, s->thread, s->time, &around, s->value);
		break;
	case RELEASE:
		if (to->released)
			to->released(ctx, s->thread, s->time, s->more == 8 ? &around : &held,
				     s->more, s->value);
		break;
	case USER:
		to->user(ctx, s->thread, s->time, 1, s->value);
		break;
	case ARROW:
		to->arrow(ctx, s->thread, s->time, (uint32_t)(s->more % 10), s->more / 10, 1);
		break;
	}
}

static const char *const labels[] = { "Main.run [acme.Main.run():void]",
				      "Main.wait [acme.Main.wait():void]",
				      "Main.leaf [acme.Main.leaf():void]" };

static enum jw_status source(const struct trace_output *to, void *ctx, const struct step *steps,
			     size_t n, struct jw_err *e)
{
	static const char *const rows[] = { "main", "JVM", "unnamed 3", "main" };

	JW_TRY(to->begin(ctx, &scene, e));
	for (size_t i = 0; i < n; i++)
		tell(to, ctx, &steps[i]);
	JW_TRY(to->check(ctx, e));
	to->over(ctx, scene.end);
	for (uint64_t i = 0; i < 3; i++)
		to->name(ctx, TRACE_NAME_METHOD, i + 1, jw_span_str(labels[i]));
	for (uint64_t i = 0; i < scene.thread_count; i++)
		to->name(ctx, TRACE_NAME_ROW, i, jw_span_str(rows[i]));
	return to->end(ctx, NULL, e);
}

static struct trace_selected told;
static struct jw_err err;

/* What is heard of STEPS when WANTED is. */
static enum jw_status hears(const struct trace_selection *wanted, const struct step *steps,
			    size_t n)
{
	struct trace_select *s = trace_select_new(wanted);
	enum jw_status status = s ? JW_OK : JW_NOMEM;

	jw_buf_free(&heard);
	err = (struct jw_err){ 0 };
	if (s && trace_select_looks(s, scene.threads == named))
		status = source(&trace_look_output, s, steps, n, &err);
	if (status == JW_OK) {
		trace_select_to(s, &listener, NULL);
		status = source(&trace_select_output, s, steps, n, &err);
		told = trace_select_told(s);
	}
	jw_put_u1(&heard, 0);
	trace_select_free(s);
	return status;
}

#define SELECT(...) \
	hears(&(struct trace_selection){ __VA_ARGS__ }, plain, sizeof(plain) / sizeof(*plain))
#define AT(t)                            \
	{                                \
		.ns = (t), .given = true \
	}
#define RANGE(a, b) .range = { .from = AT(a), .to = AT(b) }
#define TEXT        ((const char *)heard.p)

static bool named_so(void *ctx, const char *class_name, const char *name, const char *descriptor)
{
	return strcmp(class_name, "acme.Main") == 0 && strcmp(name, ctx) == 0 &&
	       strcmp(descriptor, "()V") == 0;
}
#define CHOOSER(what) (&(struct trace_chooser){ named_so, (char[]){ what }, what })

/* ---- time ---- */

TEST(a_range_cuts_what_lasts)
{
	is_int(SELECT(RANGE(50, 93)), JW_OK);
	is_str(TEXT, "50..93 process 1: main JVM  process 2: main\n"
		     "0@50-93 state 1\n"
		     "0@50 CLOSED 1\n"
		     "0@50 resume 1\n"
		     "0@50 resume 2\n"
		     "0@50 SITE 9\n"
		     "0@50 captured 77\n"
		     "0@50 operation 403\n"
		     "0@50 OPERATION_OBJECT 88\n"
		     "0@50 MONITOR 1\n"
		     "0@50 OBJECT 66\n"
		     "1@50 GC 1\n"
		     "3@50 resume 2\n"
		     "3@60 leave 0\n"
		     "1@70 GC 0\n"
		     "0@80 user 5\n"
		     "0@90 enter 3\n"
		     "0@90 SITE 8\n"
		     "0@91 captured 55\n"
		     "0@93 operation 400\n"
		     "0@93 MONITOR 0\n"
		     "0@93 OBJECT 0\n"
		     "0@93 suspend 0\n"
		     "0@93 suspend 0\n"
		     "0@93 suspend 0\n"
		     "over 93\n"
		     "row 0 main\nrow 1 JVM\nrow 2 unnamed 3\nrow 3 main\n");
	is_int(told.calls, 4);
	is_int(told.before, 3);
	is_int(told.after, 3);
	is_int(told.arrows_cut, 1);
	ok(told.in_part);
}

TEST(a_range_where_nothing_happens)
{
	is_int(SELECT(RANGE(200, 300)), JW_OK);
	is_str(TEXT, "200..300 process 1: main JVM  process 2: main\n"
		     "0@200-300 state 1\n"
		     "0@200 CLOSED 1\n"
		     "0@200 resume 1\n"
		     "0@300 suspend 0\n"
		     "over 300\n"
		     "row 0 main\nrow 1 JVM\nrow 2 unnamed 3\nrow 3 main\n");
	is_int(SELECT(RANGE(500, 600)), JW_OK);
	has_no_text(TEXT, "resume");
	has_text(TEXT, "over 600");
}

TEST(a_range_of_all_is_all)
{
	is_int(SELECT(.range = { .from = AT(0) }), JW_OK);
	has_text(TEXT, "0@390 THREAD_CPU 12");
	has_text(TEXT, "0@390 PROCESS_CPU 13");
	has_text(TEXT, "0@30 arrow 3@60");
	ok(!told.in_part);
	is_int(SELECT(.range = { .from = AT(5) }), JW_OK);
	has_no_text(TEXT, "CPU");
	has_text(TEXT, "0@95 leave 1");
}

TEST(ranges_that_are_none)
{
	is_int(SELECT(RANGE(2000, 3000)), JW_USAGE);
	is_str(err.text, "the range begins at 2 us: the trace ends at 1 us");
	is_int(SELECT(RANGE(20, 20)), JW_USAGE);
	is_str(err.text, "the range is empty: from 20 ns to 20 ns");
}

TEST(around_a_method)
{
	is_int(SELECT(.around = CHOOSER("wait")), JW_OK);
	has_text(TEXT, "20..100 process 1: main JVM  process 2: main");
	has_text(TEXT, "0@20 resume 1");
	has_text(TEXT, "0@100 leave 0");
	is_int(SELECT(.around = CHOOSER("wait"), .process = "2"), JW_OK);
	has_text(TEXT, "40..60 process 2: main\n0@40 enter 2\n0@60 leave 0\nover 60");
	is_int(SELECT(.around = CHOOSER("leaf"), .process = "2"), JW_USAGE);
	is_str(err.text, "no thread that is selected calls 'leaf'");
}

/* ---- calls ---- */

TEST(what_holds_is_cut_with_its_call)
{
	static const struct step steps[] = {
		{ ENTER, 0, 10, 1, 0 }, { HOLD, 0, 10, 70, 0 },   { ENTER, 0, 20, 2, 0 },
		{ HOLD, 0, 20, 71, 0 }, { ENTER, 0, 30, 3, 0 },   { AROUND, 0, 30, 80, 0 },
		{ LEAVE, 0, 60, 0, 0 }, { RELEASE, 0, 80, 0, 8 }, { RELEASE, 0, 80, 70, 7 },
		{ LEAVE, 0, 80, 0, 0 }, { RELEASE, 0, 95, 0, 0 }, { LEAVE, 0, 95, 0, 0 },
	};
	const size_t n = sizeof(steps) / sizeof(*steps);

	is_int(hears(&(struct trace_selection){ RANGE(40, 90) }, steps, n), JW_OK);
	has_text(TEXT, "0@40 resume 1\n0@40 captured 70\n0@40 resume 2\n0@40 captured 71\n"
		       "0@40 captured 80\n0@40 resume 3\n0@60 leave 0\n"
		       "0@80 holds nothing, was 0\n0@80 holds again 70\n0@80 leave 0\n"
		       "0@90 holds nothing, was 0\n0@90 suspend 0\n");
	is_int(hears(&(struct trace_selection){ .methods = CHOOSER("wait") }, steps, n), JW_OK);
	has_text(TEXT, "0@20 enter 2\n0@20 captured 71\n0@80 holds nothing, was 0\n0@80 leave 0\n");
}

TEST(methods_with_what_is_said_of_their_calls)
{
	is_int(SELECT(.methods = CHOOSER("run")), JW_OK);
	has_no_text(TEXT, "enter 2");
	has_no_text(TEXT, "SITE");
	has_no_text(TEXT, "captured");
	has_no_text(TEXT, "leave 1");
	has_text(TEXT, "0@20 operation 403");
	has_text(TEXT, "0@20 MONITOR 1");
	has_text(TEXT, "0@400 leave 0");
	is_int(told.calls, 1);
	is_int(SELECT(.methods = CHOOSER("nobody")), JW_USAGE);
	is_str(err.text,
	       "no method that was called is selected by 'nobody': classes are named with "
	       "their packages, as in '**.nobody'");
	is_int(SELECT(.around = CHOOSER("a.Nobody")), JW_USAGE);
	is_str(err.text,
	       "no method that was called is selected by 'a.Nobody': 'jweave report' names "
	       "those that were");
}

TEST(long_calls_wherever_the_range_is)
{
	is_int(SELECT(.min_ns = 80), JW_OK);
	is_int(told.calls, 2);
	is_int(SELECT(.min_ns = 81), JW_OK);
	is_int(told.calls, 1);
	is_int(SELECT(.min_ns = 80, RANGE(92, 98)), JW_OK);
	is_int(told.calls, 2);
	has_no_text(TEXT, "leave");
	is_int(SELECT(.min_ns = 20), JW_OK);
	is_int(told.calls, 3);
}

TEST(levels_of_calls_that_are_left)
{
	is_int(SELECT(.max_depth = 2), JW_OK);
	is_int(told.calls, 3);
	is_int(SELECT(.max_depth = 1, .methods = CHOOSER("leaf")), JW_OK);
	is_int(told.calls, 1);
	has_text(TEXT, "0@90 enter 3");
}

/* ---- threads ---- */

TEST(threads_with_the_row_of_their_jvm)
{
	is_int(SELECT(.thread = "m*", .process = "4711"), JW_OK);
	has_text(TEXT, "0..1000 process 1: main JVM\n");
	has_text(TEXT, "1@15 GC 1");
	has_text(TEXT, "row 0 main\nrow 1 JVM\n");
	has_no_text(TEXT, "arrow");
	has_text(TEXT, "THREAD_CPU");
	has_no_text(TEXT, "PROCESS_CPU"); /* not all of its threads are there */
	is_int(told.threads, 2);
	is_int(told.of_all, 4);
	is_int(SELECT(.process = "rank 5"), JW_OK);
	has_text(TEXT, "0..1000 process 2: main\n0@40 enter 2\n");
	has_text(TEXT, "row 0 main\n");
	is_int(SELECT(.process = "java*"), JW_OK);
	is_int(told.threads, 3);
	has_text(TEXT, "PROCESS_CPU");
	is_int(SELECT(.process = "node?"), JW_OK);
	is_int(told.threads, 4);
	is_int(SELECT(.thread = "unnamed 3"), JW_OK);
	has_text(TEXT, "0..1000 process 1: JVM \n");
}

TEST(names_of_threads_that_come_late)
{
	scene.threads = unnamed;
	is_int(SELECT(.thread = "ma?n"), JW_OK);
	has_text(TEXT, "0..1000 process 1: ? ? process 2: ?\n");
	has_text(TEXT, "row 0 main\nrow 1 JVM\nrow 2 main\n");
	scene.threads = named;
}

TEST(nobody_is_there)
{
	is_int(SELECT(.thread = "x*"), JW_USAGE);
	is_str(err.text,
	       "no thread has a name that matches 'x*'; of 4 threads the first is \"main\": "
	       "'jweave report --busy=0' names each");
	is_int(SELECT(.thread = "x*", .process = "1"), JW_USAGE);
	is_str(err.text, "no thread of the processes selected has a name that matches 'x*'; of 4 "
			 "threads the first is \"main\": 'jweave report --busy=0' names each");
	is_int(SELECT(.process = "3"), JW_USAGE);
	is_str(err.text, "no process matches '3': it is matched with the number of a process (1 to "
			 "2), its process id, \"rank N\", its role, its host and its command");
}

/* ---- what is odd ---- */

TEST(calls_that_are_not_balanced)
{
	static const struct step odd[] = {
		{ LEAVE, 0, 10, 0, 0 }, { ENTER, 0, 20, 1, 0 },     { ENTER, 0, 30, 2, 0 },
		{ LEAVE, 0, 40, 0, 0 }, { OPERATION, 0, 50, 0, 1 }, { ENTER, 0, 60, 3, 0 },
	};

	is_int(hears(&(struct trace_selection){ .min_ns = 940 }, odd, sizeof(odd) / sizeof(*odd)),
	       JW_OK);
	has_text(TEXT, "0@10 leave 0\n0@20 enter 1\n0@50 operation 100\n0@60 enter 3\nover 1000");
}

TEST(a_source_that_changes)
{
	struct trace_selection wanted = { .min_ns = 1 };
	struct trace_select *s = trace_select_new(&wanted);

	is_int(source(&trace_look_output, s, plain, 0, &err), JW_OK);
	trace_select_to(s, &listener, NULL);
	scene.thread_count = 3;
	is_int(source(&trace_select_output, s, plain, 0, &err), JW_INPUT);
	is_str(err.text, "what is read has changed while it was read");
	scene.thread_count = 4;
	trace_select_free(s);
}

TEST(no_memory)
{
	struct trace_selection wanted = {
		.min_ns = 20, .around = CHOOSER("wait"), .methods = CHOOSER("wait"), .thread = "m*"
	};
	enum jw_status status = JW_NOMEM;
	long n = 0;

	scene.threads = unnamed;
	for (; status == JW_NOMEM && n < 1000; n++) {
		jw_mem_fail_after(n);
		status = hears(&wanted, plain, sizeof(plain) / sizeof(*plain));
		jw_mem_fail_after(-1);
	}
	is_int(status, JW_OK);
	ok(n > 10);
	scene.threads = named;
	jw_buf_free(&heard);
}
