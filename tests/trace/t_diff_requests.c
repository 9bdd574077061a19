/*
 * t_diff_requests.c: two sides of runs compared by the requests on their connections.
 */
#include "tests/tap.h"
#include "tests/trace/make_sides.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"
#include "trace/requests/requests.h"

#include "base/banned.h"

/* The pair that is called LABEL. */
static const struct trace_diff_pair *pair_of(const char *label)
{
	const struct trace_diff_pair *pair = find(TRACE_DIFF_REQUEST, label);

	ok(pair); /* there is such a pair */
	return pair ? pair : &diff.pairs[0];
}

/* A run of N SUMS, each of COUNT requests that took NS. */
static void run(struct trace_diff_side *side, struct trace_request_sum *sums, size_t n,
		uint64_t count, uint64_t ns)
{
	const struct trace_report report = { .duration_ns = 1000000000 };
	const struct trace_request_list list = { .sums = sums, .sum_count = n };
	struct trace_sketch times = { 0 };

	for (uint64_t i = 0; i < count; i++)
		ok(trace_sketch_add(&times, ns));
	for (size_t i = 0; i < n; i++) {
		sums[i].times = times;
		sums[i].ns = count * ns;
	}
	ok(trace_diff_side_add(side, &report, &err) == JW_OK);
	ok(trace_diff_side_requests(side, &list, &err) == JW_OK);
	trace_sketch_free(&times);
}

/* A run in which COUNT requests were answered, each in NS, and as many asked of two processes; 0: not known. */
static void run_requests(struct trace_diff_side *side, uint64_t count, uint64_t ns)
{
	struct trace_request_sum sums[] = { { .where = "at a:80" },
					    { .where = "to b:1", .asks = true },
					    { .where = "to b:1", .asks = true, .process = 1 } };

	run(side, sums, count ? 3 : 0, count, ns);
}

TEST(slower_answers)
{
	const struct trace_diff_figure *figures;

	begin(8);
	for (uint64_t i = 0; i < 8; i++) {
		run_requests(&sides[0], 100, 10000000 + i);
		run_requests(&sides[1], 120, 20000000 + i);
	}
	compare();
	is_int(diff.first[TRACE_DIFF_REQUEST + 1] - diff.first[TRACE_DIFF_REQUEST], 2);
	figures = pair_of("at a:80")->figures;
	is_int((long)figures[0].a, 100);
	is_int((long)figures[0].b, 120);
	ok(figures[3].b > 1.9 * figures[3].a);
	is_str(trace_diff_verdict_word(figures[3].verdict), "changed");
	figures = pair_of("to b:1")->figures;
	is_int((long)figures[0].b, 240);
	ok(figures[1].b > 20000000 - 1 && figures[1].b < 20000010);
	end();
}

/* The same at WHERE, and as many asked at a port that the system has chosen. */
static void run_at(struct trace_diff_side *side, const char *where, uint64_t count, uint64_t ns)
{
	struct trace_request_sum sums[] = { { .where = where },
					    { .where = "to b:40000", .asks = true } };

	run(side, sums, 2, count, ns);
}

/* Those that are the same in both sides are not folded, nor those of which the other side has none. */
TEST(ports_that_the_system_chooses)
{
	const struct trace_diff_figure *figures;

	begin(2);
	run_at(&sides[0], "at a:41313", 10, 1000000);
	run_at(&sides[0], "at a:50001", 10, 1000000);
	run_at(&sides[1], "at a:33333", 30, 2000000);
	run_at(&sides[1], "at a:60000", 30, 2000000);
	compare();
	is_int(diff.first[TRACE_DIFF_REQUEST + 1] - diff.first[TRACE_DIFF_REQUEST], 2);
	figures = pair_of("at a:*")->figures;
	is_int((long)figures[0].a, 10);
	is_int((long)figures[0].b, 30);
	is_int((long)figures[1].a, 1000000);
	is_int((long)figures[1].b, 2000000);
	is_int((long)pair_of("to b:40000")->figures[0].b, 30);
	end();

	begin(1);
	run_at(&sides[0], "at a:41313", 10, 1000000);
	run_at(&sides[1], "at c:33333", 30, 2000000);
	compare();
	is_int((long)pair_of("at a:41313")->figures[0].a, 10);
	is_int((long)pair_of("at c:33333")->figures[0].b, 30);
	end();

	begin(1);
	run_at(&sides[0], "at a:8080", 10, 1000000);
	run_at(&sides[1], "at a:8081", 30, 2000000);
	compare();
	is_int((long)pair_of("at a:8080")->figures[0].a, 10);
	ok(!pair_of("at a:8080")->b);
	end();
}

/* Where bytes were not recorded, nothing is known of requests: they have not gone, nor are others new. */
TEST(what_is_not_known)
{
	for (size_t without = 0; without < 2; without++) {
		begin(1);
		run_requests(&sides[without], 0, 0);
		run_requests(&sides[!without], 5, 1000);
		compare();
		ok(!pair_of("at a:80")->changed);
		for (size_t c = 0; c < 5; c++)
			is_str(trace_diff_verdict_word(pair_of("at a:80")->figures[c].verdict),
			       "unknown");
		end();
	}
}
