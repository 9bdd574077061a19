/*
 * t_bounds.c: the line between bounds by messages, straight or with bends; how many bounds are kept.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/replay/bounds.h"

#include "base/banned.h"

#define SECOND 1e9
#define RATE   1e-3

/* How far a clock is ahead at X: 200 ppm for 10 s, then it runs alike. */
static double ahead(double x)
{
	return 200e-6 * (x < 10 * SECOND ? x : 10 * SECOND);
}

/* N messages each way in 20 s, which take 20 us at least, every tenth no more than 21. */
static void add_messages(struct trace_bounds *above, struct trace_bounds *below, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double x = 20 * SECOND / (double)n * (double)i;
		double more = i % 10 ? 1000 * tap_below(200) : tap_below(1000);

		ok(trace_bounds_add(above, x, ahead(x) + 20000 + more));
		ok(trace_bounds_add(below, x + 1000, -ahead(x + 1000) + 20000 + more));
	}
	trace_bounds_settle(above);
	trace_bounds_settle(below);
}

static double most_off(const struct trace_line *line)
{
	double most = 0;

	for (double x = 0; x < 20 * SECOND; x += SECOND / 100) {
		double off = trace_line_at(line, x) - ahead(x);

		off = off < 0 ? -off : off;
		most = off > most ? off : most;
	}
	return most;
}

TEST(a_clock_whose_rate_changes)
{
	struct trace_bounds above = { 0 }, below = { 0 };
	struct trace_line line;
	double miss;

	add_messages(&above, &below, 100000);
	ok(above.n <= 2048 && below.n <= 2048);
	ok(trace_bounds_fit(&above, &below, RATE, &line) < 0);
	ok(most_off(&line) > 300000);
	ok(trace_bounds_bend(&above, &below, RATE, &line, &miss));
	ok(miss < 0);
	ok(line.n > 1 && line.n < 100);
	ok(most_off(&line) < 42000);
	is_int((long long)(trace_line_at(&line, -5) - line.bends[0].y), 0);
	is_int((long long)(trace_line_at(&line, 1e12) - line.bends[line.n - 1].y), 0);
	for (size_t i = 0; i < above.n; i++)
		ok(trace_line_at(&line, above.list[i].x) <= above.list[i].y);
	for (size_t i = 0; i < below.n; i++)
		ok(trace_line_at(&line, below.list[i].x) >= -below.list[i].y);
	jw_mem_free(line.bends);
	trace_bounds_free(&above);
	trace_bounds_free(&below);
}

/* No clock is ahead by 1 ms, and 10 ms later by 2. */
TEST(what_no_clock_does)
{
	struct trace_bounds above = { 0 }, below = { 0 };
	struct trace_line line;
	double miss;

	ok(trace_bounds_add(&above, 0, 1e6));
	ok(trace_bounds_add(&below, 1e7, -2e6));
	trace_bounds_settle(&above);
	trace_bounds_settle(&below);
	ok(trace_bounds_bend(&above, &below, RATE, &line, &miss));
	is_int(line.n, 0);
	is_int((long long)miss, 990000);
	above.list[0].y = 3e6;
	jw_mem_fail_after(0);
	ok(!trace_bounds_bend(&above, &below, RATE, &line, &miss));
	jw_mem_fail_after(1);
	ok(!trace_bounds_bend(&above, &below, RATE, &line, &miss));
	jw_mem_fail_after(-1);
	trace_bounds_free(&above);
	trace_bounds_free(&below);
}
