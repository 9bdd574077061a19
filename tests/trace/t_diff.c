/*
 * t_diff.c: two sides of runs compared: what has changed, what is noise, which lambda is which.
 */
#include <stdio.h>
#include <string.h>

#include "tests/tap.h"
#include "trace/calls/role.h"
#include "trace/diff/diff.h"
#include "trace/diff/diff_match.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* ---- sides ---- */

struct two {
	struct jw_arena arena;
	struct trace_diff_side a, b;
	struct trace_diff diff;
};

static void begin(struct two *t, size_t a_runs, size_t b_runs)
{
	struct jw_err e = { 0 };

	*t = (struct two){ 0 };
	ok(trace_diff_side_open(&t->a, &t->arena, a_runs, &e) == JW_OK);
	ok(trace_diff_side_open(&t->b, &t->arena, b_runs, &e) == JW_OK);
}

static void compare(struct two *t)
{
	struct jw_err e = { 0 };

	ok(trace_diff_compare(&t->a, &t->b, &t->arena, &t->diff, &e) == JW_OK);
	is_str(e.text, "");
}

static void end(struct two *t)
{
	trace_diff_side_close(&t->a);
	trace_diff_side_close(&t->b);
	jw_arena_free(&t->arena);
}

/* "acme.Main.NAME()V" at LINE, as a report has it. */
static struct trace_report_method method(struct two *t, const char *name, unsigned line,
					 uint64_t calls, uint64_t self_ns)
{
	return (struct trace_report_method){
		.label = jw_arena_fmt(&t->arena, "Main.%s [acme.Main.%s():void Main.java:%u]", name,
				      name, line),
		.class_name = "acme.Main",
		.name = name,
		.descriptor = "()V",
		.calls = calls,
		.exclusive_ns = self_ns,
		.inclusive_ns = self_ns,
		.longest_ns = self_ns,
	};
}

/* One run of COUNT methods, of a second. */
static void run(struct trace_diff_side *side, const struct trace_report_method *methods,
		size_t count)
{
	struct trace_report report = { .duration_ns = 1000000000,
				       .exceptions_known = true,
				       .methods = methods,
				       .method_count = count };
	struct jw_err e = { 0 };

	for (size_t i = 0; i < count; i++)
		report.calls += methods[i].calls;
	ok(trace_diff_side_add(side, &report, &e) == JW_OK);
}

static const struct trace_diff_pair *pair_of(const struct two *t, const char *name)
{
	for (size_t i = 0; i < t->diff.first[TRACE_DIFF_KINDS]; i++) {
		const struct trace_diff_item *item = trace_diff_item_of(&t->diff.pairs[i]);

		if (strcmp(item->kind == TRACE_DIFF_METHOD ? item->name : item->label, name) == 0)
			return &t->diff.pairs[i];
	}
	ok(!"there is such a pair");
	return &t->diff.pairs[0];
}

static const char *verdict(const struct two *t, const char *name, size_t column)
{
	return trace_diff_verdict_word(pair_of(t, name)->figures[column].verdict);
}

TEST(one_call_in_a_million)
{
	struct two t;

	begin(&t, 1, 1);
	struct trace_report_method a[] = { method(&t, "run", 1, 1, 1000),
					   method(&t, "step", 2, 1000000, 500000000) };
	struct trace_report_method b[] = { a[0], a[1] };

	b[1].calls++;
	b[1].exclusive_ns += 30000000; /* a time of one run: nobody knows */
	run(&t.a, a, 2);
	run(&t.b, b, 2);
	compare(&t);
	is_str(verdict(&t, "step", TRACE_DIFF_CALLS), "changed");
	is_str(verdict(&t, "step", TRACE_DIFF_SELF), "unjudged");
	is_str(verdict(&t, "run", TRACE_DIFF_CALLS), "same");
	is_str(verdict(&t, "run", TRACE_DIFF_SELF), "same");
	ok(!t.diff.judged);
	is_int(t.diff.changed[TRACE_DIFF_METHOD][TRACE_DIFF_CALLS], 1);
	is_str(trace_diff_item_of(&t.diff.pairs[0])->name, "step"); /* what changed comes first */
	end(&t);
}

/* RUNS a side of two methods of 100 ms, of which one takes MORE percent in B; all have NOISE percent. */
static void noisy(struct two *t, size_t runs, uint64_t more, uint32_t noise)
{
	begin(t, runs, runs);
	for (size_t i = 0; i < 2 * runs; i++) {
		uint64_t slow = i % 2 ? 100 + more : 100;
		uint64_t jitter[2];

		for (size_t k = 0; k < 2; k++)
			jitter[k] = 1000 - 10 * noise + tap_below(20 * noise + 1);
		struct trace_report_method m[] = { method(t, "slow", 1, 10,
							  slow * 1000 * jitter[0]),
						   method(t, "same", 2, 10, 100000 * jitter[1]) };

		run(i % 2 ? &t->b : &t->a, m, 2);
	}
	compare(t);
}

TEST(twenty_percent_are_found_in_five_runs)
{
	for (int i = 0; i < 20; i++) {
		struct two t;

		noisy(&t, 5, 20, 4);
		is_str(verdict(&t, "slow", TRACE_DIFF_SELF), "changed");
		is_str(verdict(&t, "slow", TRACE_DIFF_CALLS), "same");
		is_str(verdict(&t, "same", TRACE_DIFF_CALLS), "same");
		ok(!pair_of(&t, "same")->changed);
		ok(t.diff.judged);
		end(&t);
	}
}

TEST(noise_is_noise)
{
	for (int i = 0; i < 20; i++) {
		struct two t;

		noisy(&t, 5, 0, 2);
		ok(!pair_of(&t, "slow")->changed);
		ok(!pair_of(&t, "same")->changed);
		end(&t);
	}
}

/* 1 to 3 runs can come in an uneven order by chance in one of ten cases. */
TEST(fewer_than_four_runs_are_not_judged)
{
	struct two t;

	for (size_t runs = 1; runs <= 5; runs++) {
		noisy(&t, runs, 50, 0);
		is_str(verdict(&t, "slow", TRACE_DIFF_SELF), runs < 4 ? "unjudged" : "changed");
		ok(t.diff.judged == (runs >= 4));
		end(&t);
	}
}

TEST(hardly_any_time_is_no_change)
{
	struct two t;

	begin(&t, 5, 5);
	for (size_t i = 0; i < 5; i++) {
		struct trace_report_method a = method(&t, "tiny", 1, 1, 1000);
		struct trace_report_method b = method(&t, "tiny", 1, 1, 2000);

		run(&t.a, &a, 1);
		run(&t.b, &b, 1);
	}
	compare(&t);
	is_str(verdict(&t, "tiny", TRACE_DIFF_SELF), "small");
	ok(!pair_of(&t, "tiny")->changed);
	end(&t);
}

TEST(calls_that_vary_are_judged_as_times_are)
{
	struct two t;

	begin(&t, 5, 5);
	for (size_t i = 0; i < 5; i++) {
		struct trace_report_method a[] = { method(&t, "polls", 1, 100 + i, 0),
						   method(&t, "grows", 2, 100 + i, 0) };
		struct trace_report_method b[] = { method(&t, "polls", 1, 101 + i, 0),
						   method(&t, "grows", 2, 200 + i, 0) };

		run(&t.a, a, 2);
		run(&t.b, b, 2);
	}
	compare(&t);
	is_str(verdict(&t, "polls", TRACE_DIFF_CALLS), "noise");
	is_str(verdict(&t, "grows", TRACE_DIFF_CALLS), "changed");
	end(&t);
}

TEST(new_and_gone_and_failing)
{
	struct two t;

	begin(&t, 1, 1);
	struct trace_report_method a[] = { method(&t, "old", 1, 7, 0),
					   method(&t, "fails", 3, 5, 0) };
	struct trace_report_method b[] = { method(&t, "fresh", 1, 7, 0),
					   method(&t, "fails", 3, 5, 0) };

	b[1].exceptional = 1;
	run(&t.a, a, 2);
	run(&t.b, b, 2);
	compare(&t);
	ok(pair_of(&t, "old")->a && !pair_of(&t, "old")->b);
	ok(!pair_of(&t, "fresh")->a && pair_of(&t, "fresh")->b);
	is_str(verdict(&t, "old", TRACE_DIFF_CALLS), "changed");
	is_str(verdict(&t, "fails", TRACE_DIFF_FAILS), "changed");
	is_str(verdict(&t, "fails", TRACE_DIFF_CALLS), "same");
	end(&t);
}

TEST(at_least_is_never_a_fact)
{
	struct two t;

	begin(&t, 1, 1);
	struct trace_report_method a = method(&t, "hot", 1, 1000, 0),
				   b = method(&t, "hot", 1, 9, 0);

	b.closed_ns = 1;
	run(&t.a, &a, 1);
	run(&t.b, &b, 1);
	compare(&t);
	is_str(verdict(&t, "hot", TRACE_DIFF_CALLS), "at-least");
	ok(!pair_of(&t, "hot")->changed);
	end(&t);

	begin(&t, 1, 1); /* 1 of 100 here, all there */
	a = method(&t, "hot", 1, 1000, 0);
	b = a;
	b.calls = 10;
	b.label = "Main.hot (1 of 100) [acme.Main.hot():void Main.java:1]";
	run(&t.a, &a, 1);
	run(&t.b, &b, 1);
	compare(&t);
	is_str(verdict(&t, "hot", TRACE_DIFF_CALLS), "at-least");
	is_str(pair_of(&t, "hot")->b->spared, "1 of 100");
	is_str(pair_of(&t, "hot")->b->place, "Main.java:1");
	end(&t);

	begin(&t, 1, 1); /* events were lost */
	a = method(&t, "hot", 1, 1000, 0);
	run(&t.a, &a, 1);
	a.calls++;
	run(&t.b, &a, 1);
	t.b.incomplete = true;
	compare(&t);
	is_str(verdict(&t, "hot", TRACE_DIFF_CALLS), "at-least");
	end(&t);
}

TEST(exceptions_that_one_side_does_not_know)
{
	struct two t;
	struct jw_err e = { 0 };

	begin(&t, 1, 1);
	struct trace_report_method m = method(&t, "m", 1, 1, 0);
	struct trace_report old = { .duration_ns = 1, .methods = &m, .method_count = 1 };

	ok(trace_diff_side_add(&t.a, &old, &e) == JW_OK);
	run(&t.b, &m, 1);
	compare(&t);
	is_str(verdict(&t, "m", TRACE_DIFF_FAILS), "unknown");
	is_str(verdict(&t, "m", TRACE_DIFF_CALLS), "same");
	end(&t);
}

/* COUNT methods "m0", "m1", .. of CALLS each, of 50 ms in all, more or less by NOISE at most;
 * the first one is SLOWER times as slow. */
static void noisy_run(struct two *t, struct trace_diff_side *side, size_t count, double noise,
		      double slower)
{
	struct trace_report_method *methods =
		JW_NEW_ARRAY(&t->arena, struct trace_report_method, count);
	struct trace_report report = { .duration_ns = 1000000000,
				       .exceptions_known = true,
				       .calls_known = true,
				       .methods = methods,
				       .method_count = count };
	struct jw_err e = { 0 };

	for (size_t i = 0; i < count; i++) {
		double off = 1 + noise * ((double)(tap_below(1001) + tap_below(1001)) / 1000 - 1);
		uint64_t ns = (uint64_t)(50e6 * off * (i == 0 ? slower : 1));
		uint64_t *at = JW_NEW_ARRAY(&t->arena, uint64_t, 1);

		methods[i] =
			method(t, jw_arena_fmt(&t->arena, "m%zu", i), (unsigned)i + 1, 100, ns);
		*at = ns / 100;
		methods[i].durations = (struct trace_sketch){
			.n = 1, .least = *at, .most = *at, .at = at, .room = 1
		};
	}
	ok(trace_diff_side_add(side, &report, &e) == JW_OK);
}

static size_t changed_methods(struct two *t, size_t runs, size_t methods, double noise,
			      double slower)
{
	size_t changed = 0;

	begin(t, runs, runs);
	for (size_t i = 0; i < runs; i++) {
		noisy_run(t, &t->a, methods, noise, 1);
		noisy_run(t, &t->b, methods, noise, slower);
	}
	compare(t);
	for (size_t i = 0; i < t->diff.first[TRACE_DIFF_METHOD + 1]; i++)
		changed += t->diff.pairs[i].changed;
	return changed;
}

/* Times vary by 15 %: without a correction some methods of every second pair have changed, with one of 5 of 100 at most. */
TEST(noise_of_many_methods_is_noise)
{
	struct two t;
	size_t wrong = 0;

	for (size_t pair = 0; pair < 200; pair++, end(&t))
		wrong += changed_methods(&t, 5, 40, 0.15, 1) > 0;
	ok(wrong <= 10);
}

TEST(one_slower_method_is_found_among_many)
{
	struct two t;

	for (size_t runs = 5; runs <= 8; runs++, end(&t)) {
		is_int(changed_methods(&t, runs, 40, 0.02, 1.2), 1);
		is_int(pair_of(&t, "m0")->figures[TRACE_DIFF_P99].verdict, TRACE_DIFF_CHANGED);
	}
}

TEST(threads_have_roles)
{
	static const struct {
		const char *name, *role;
	} names[] = { { "", "" },
		      { "pool-12-thread-34", "pool-*-thread-*" },
		      { "unnamed 12", "unnamed" },
		      { "wc-b857f15e-7fcb-4f3e-9746-1B060812A207-StreamThread-2",
			"wc-*-StreamThread-*" },
		      { "b857f15e-7fcb-4f3e-9746-1b060812a20", "b*f*e-*fcb-*f*e-*-*b*a*" } };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };
	struct two t;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		is_str(trace_role(&arena, names[i].name), names[i].role);
	begin(&t, 1, 1);
	struct trace_report_thread threads[] = { { .name = "pool-1-thread-1", .calls = 3 },
						 { .name = "pool-1-thread-2", .calls = 4 } };
	struct trace_report r = { .duration_ns = 1, .threads = threads, .thread_count = 2 };

	ok(trace_diff_side_add(&t.a, &r, &e) == JW_OK);
	r.thread_count = 1;
	ok(trace_diff_side_add(&t.b, &r, &e) == JW_OK);
	compare(&t);
	is_int(pair_of(&t, "pool-*-thread-*")->figures[0].a, 2);
	is_int(pair_of(&t, "pool-*-thread-*")->figures[1].a, 7);
	is_int(pair_of(&t, "pool-*-thread-*")->figures[1].b, 3);
	end(&t);
	jw_arena_free(&arena);
}

/* ---- lambdas ---- */

TEST(names_of_lambdas)
{
	static const struct {
		const char *name, *stem;
	} names[] = {
		{ "lambda$main$0", "lambda$main" },
		{ "lambda$main$12", "lambda$main" },
		{ "lambda$main$7f3a09c1$1", "lambda$main" }, /* a serializable one */
		{ "main$lambda$3", "main$lambda" },
		{ "main$lambda-3", "main$lambda" },
		{ "$anonfun$main$1", "$anonfun$main" },
		{ "main", NULL },
		{ "lambda$main", NULL },
		{ "step3", NULL },
		{ "lambda$3x", NULL },
		{ "7", NULL },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct jw_span stem = JW_SPAN_LIT("");
		bool is = trace_diff_is_lambda(names[i].name, &stem);

		ok(is == (names[i].stem != NULL));
		if (is && names[i].stem)
			is_span(stem, jw_span_str(names[i].stem));
	}
}

/* Lambdas of main: NAME's number, its line, and its calls; line 0 ends them. */
struct lambda_of {
	unsigned number, line, calls;
};

static size_t put_lambdas(struct two *t, const struct lambda_of *of,
			  struct trace_report_method out[8])
{
	size_t n = 0;

	for (; of[n].line; n++)
		out[n] = method(t, jw_arena_fmt(&t->arena, "lambda$main$%u", of[n].number),
				of[n].line, of[n].calls, 0);
	return n;
}

/* "0-0 1-2 +1": A's 0 is B's 0, A's 1 is B's 2, 1 is new; "-3": A's 3 is gone. */
static const char *lambdas(struct two *t, const struct lambda_of *a, const struct lambda_of *b)
{
	struct trace_report_method methods[8];
	static char text[256];
	size_t n = 0, partners[16];
	bool taken[16] = { false };
	struct jw_err e = { 0 };

	begin(t, 1, 1);
	run(&t->a, methods, put_lambdas(t, a, methods));
	run(&t->b, methods, put_lambdas(t, b, methods));
	ok(trace_diff_match(&t->a, &t->b, partners, &e) == JW_OK);
	for (size_t i = 0; i < t->a.items.n; i++) {
		const char *name = t->a.items.at[i].name + strlen("lambda$main$");

		if (partners[i] == SIZE_MAX) {
			n += (size_t)snprintf(text + n, sizeof(text) - n, "-%s ", name);
			continue;
		}
		taken[partners[i]] = true;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s-%s ", name,
				      t->b.items.at[partners[i]].name + strlen("lambda$main$"));
	}
	for (size_t i = 0; i < t->b.items.n; i++)
		if (!taken[i])
			n += (size_t)snprintf(text + n, sizeof(text) - n, "+%s ",
					      t->b.items.at[i].name + strlen("lambda$main$"));
	end(t);
	return text;
}

TEST(renamed_lambdas_are_found_again)
{
	static const struct {
		const char *what, *want;
		struct lambda_of a[8], b[8];
	} cases[] = {
		{ "as they were",
		  "0-0 1-1 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 0, 10, 5 }, { 1, 12, 7 } } },
		{ "numbers are others",
		  "0-3 1-4 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 3, 10, 5 }, { 4, 12, 7 } } },
		{ "numbers the other way round",
		  "0-1 1-0 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 1, 10, 5 }, { 0, 12, 7 } } },
		{ "lines are others, too",
		  "0-1 1-2 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 1, 20, 5 }, { 2, 22, 7 } } },
		{ "one more before them",
		  "0-1 1-2 +0 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 0, 9, 1 }, { 1, 11, 5 }, { 2, 13, 7 } } },
		{ "one more between them",
		  "0-0 1-2 +1 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 0, 10, 5 }, { 1, 11, 3 }, { 2, 13, 7 } } },
		{ "one less", "-0 1-0 ", { { 0, 10, 5 }, { 1, 12, 7 } }, { { 0, 11, 7 } } },
		{ "one of them did not run",
		  "-0 1-1 ",
		  { { 0, 10, 5 }, { 1, 12, 5 } },
		  { { 1, 12, 5 } } },
		{ "two of one line, of which one did not run",
		  "-0 1-1 ",
		  { { 0, 10, 5 }, { 1, 10, 5 } },
		  { { 1, 10, 5 } } },
		{ "one more at the line of the first",
		  "0-1 1-2 +0 ",
		  { { 0, 10, 4 }, { 1, 11, 4 } },
		  { { 0, 10, 1 }, { 1, 12, 4 }, { 2, 13, 4 } } },
		{ "one is called more often",
		  "0-0 1-1 ",
		  { { 0, 10, 5 }, { 1, 12, 7 } },
		  { { 0, 10, 5 }, { 1, 12, 8 } } },
	};
	struct two t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!tap_is_str(lambdas(&t, cases[i].a, cases[i].b), cases[i].want, cases[i].what,
				__FILE__, __LINE__))
			tap_note("%s", cases[i].what);
}

/* The lambdas alone look as if nobody had touched them: another method of the class has moved. */
TEST(lines_of_the_class_say_that_it_was_edited)
{
	for (unsigned moved = 0; moved < 2; moved++) {
		struct two t;

		begin(&t, 1, 1);
		struct trace_report_method a[] = { method(&t, "lambda$main$0", 10, 5, 0),
						   method(&t, "main", 20, 1, 0) };
		struct trace_report_method b[] = { method(&t, "lambda$main$0", 10, 1, 0),
						   method(&t, "lambda$main$1", 12, 5, 0),
						   method(&t, "main", 20 + moved, 1, 0) };

		run(&t.a, a, 2);
		run(&t.b, b, 3);
		compare(&t);
		is_str(verdict(&t, "lambda$main$1", TRACE_DIFF_CALLS), moved ? "same" : "changed");
		ok((pair_of(&t, "lambda$main$0")->a == NULL) == (moved == 1));
		end(&t);
	}
}

TEST(a_renamed_lambda_has_the_same_calls)
{
	struct two t;

	begin(&t, 1, 1);
	struct trace_report_method a[] = { method(&t, "lambda$main$0", 10, 5, 0),
					   method(&t, "main", 9, 1, 0) };
	struct trace_report_method b[] = { method(&t, "lambda$main$1", 12, 5, 0),
					   method(&t, "main", 11, 1, 0) };

	run(&t.a, a, 2);
	run(&t.b, b, 2);
	compare(&t);
	is_int(t.diff.first[TRACE_DIFF_KINDS], 2);
	is_int(t.diff.changed[TRACE_DIFF_METHOD][TRACE_DIFF_CALLS], 0);
	is_str(verdict(&t, "lambda$main$1", TRACE_DIFF_CALLS), "same");
	end(&t);
}

TEST(memory_that_runs_out)
{
	for (long n = 0; n < 40; n++) {
		struct jw_err e = { 0 };
		struct two t = { 0 };
		struct trace_report_method m = {
			.label = "Main.lambda$m$0 [a.Main.lambda$m$0():void M.java:1]",
			.class_name = "a.Main",
			.name = "lambda$m$0",
			.descriptor = "()V",
			.calls = 1
		};
		struct trace_report r = { .duration_ns = 1, .methods = &m, .method_count = 1 };

		t.arena.block = 1; /* each object asks for memory */
		jw_mem_fail_after(n);
		enum jw_status status = trace_diff_side_open(&t.a, &t.arena, 1, &e);

		if (status == JW_OK)
			status = trace_diff_side_open(&t.b, &t.arena, 1, &e);
		if (status == JW_OK)
			status = trace_diff_side_add(&t.a, &r, &e);
		if (status == JW_OK)
			status = trace_diff_side_add(&t.b, &r, &e);
		if (status == JW_OK)
			status = trace_diff_compare(&t.a, &t.b, &t.arena, &t.diff, &e);
		bool failed = jw_mem_fail_after(-1);

		is_int(status, failed ? JW_NOMEM : JW_OK);
		end(&t);
	}
}
