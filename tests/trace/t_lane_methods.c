/*
 * t_lane_methods.c: the calls of methods on one lane: found again, in the order of their numbers, however far apart.
 */
#include "tests/tap.h"
#include "trace/replay/method_numbers.h"
#include "trace/report/lane_methods.h"

#include "base/banned.h"

static const uint32_t numbers[] = { 0, 1, 31, 32, 1023, 32767, 32768, TRACE_MAX_METHODS - 1 };
#define COUNT (sizeof(numbers) / sizeof(*numbers))

TEST(each_is_found_again)
{
	struct trace_lane_methods lane = { 0 };
	struct trace_lane_method *first = trace_lane_method(&lane, 31);
	size_t method = 0;

	for (size_t i = COUNT; i-- > 0;)
		trace_lane_method(&lane, numbers[i])->count = i + 1;
	ok(first == trace_lane_method(&lane, 31)); /* it stays where it is */
	trace_lane_method(&lane, 40000);           /* called, but not over */
	for (size_t i = 0; i < COUNT; i++, method++) {
		const struct trace_lane_method *one = trace_lane_methods_next(&lane, &method);

		is_int(one->count, i + 1);
		is_int(method, numbers[i]);
	}
	ok(!trace_lane_methods_next(&lane, &method));
	trace_lane_methods_free(&lane);
	method = 0;
	ok(!trace_lane_methods_next(&lane, &method));
}

TEST(of_what_is_open_alone_there_is_nothing_else)
{
	struct trace_lane_methods lane = { .open_alone = true };
	uint32_t *first = trace_lane_open(&lane, 31);
	size_t method = 0;

	for (size_t i = COUNT; i-- > 0;)
		*trace_lane_open(&lane, numbers[i]) += (uint32_t)i + 1;
	ok(first == trace_lane_open(&lane, 31)); /* it stays where it is */
	for (size_t i = 0; i < COUNT; i++)
		is_int(*trace_lane_open(&lane, numbers[i]), i + 1);
	ok(!trace_lane_around(&lane, first));
	ok(!trace_lane_methods_next(&lane, &method));
	trace_lane_methods_free(&lane);

	lane.open_alone = false;
	struct trace_lane_method *one = trace_lane_method(&lane, 5);

	ok(trace_lane_open(&lane, 5) == &one->open);
	ok(trace_lane_around(&lane, &one->open) == one);
	trace_lane_methods_free(&lane);
}
