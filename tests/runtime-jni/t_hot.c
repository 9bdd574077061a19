/*
 * t_hot.c: which methods a recording can do without.
 */
#include <string.h>

#include "runtime-jni/recorder/hot.h"
#include "tests/tap.h"

#include "base/banned.h"

enum { RECORDS = 4096 };

static struct rt_hot hot;
static uint64_t ids[RT_HOT_METHODS];

static struct {
	struct jwr_record r[RECORDS];
	size_t n;
	uint64_t tick;
} chunk;

static void begin(void)
{
	rt_hot_clear(&hot);
	memset(&chunk, 0, sizeof(chunk));
	chunk.tick = 1000;
}

static void put(enum jwr_kind kind, uint64_t payload, uint64_t after)
{
	chunk.tick += after;
	chunk.r[chunk.n++] = (struct jwr_record){ chunk.tick, jwr_word(kind, payload) };
}

/* COUNT calls of ID, one after another, each of TICKS. */
static void put_calls(uint64_t id, int count, uint64_t ticks)
{
	for (int i = 0; i < count; i++) {
		put(JWR_ENTER, id, 1);
		put(JWR_EXIT, id, ticks);
	}
}

static enum rt_hot_fate any(void *ctx, uint64_t id)
{
	(void)ctx;
	(void)id;
	return RT_HOT_MAY_GO;
}

static size_t rank(double keep, rt_hot_judge *judge)
{
	rt_hot_chunk(&hot, chunk.r, chunk.n);
	const struct rt_hot_limits limits = { .keep = keep, .lasting = 1e6, .whole = 1e7 };

	return rt_hot_rank(&hot, &limits, judge, NULL, ids);
}

/* Of all chunks so far. */
static size_t rank_all(void)
{
	const struct rt_hot_limits limits = { .lasting = 1e6, .whole = 1e7 };

	return rt_hot_rank(&hot, &limits, any, NULL, ids);
}

TEST(the_shorter_of_two_goes_first)
{
	begin();
	put_calls(1, 100, 50000);
	put_calls(2, 100, 50);
	is_int(rank(0.5, any), 1);
	is_int(ids[0], 2);
}

TEST(the_hotter_of_two_goes_first)
{
	begin();
	put_calls(1, 10, 50);
	put_calls(2, 1000, 50);
	is_int(rank(0.5, any), 1);
	is_int(ids[0], 2);
}

TEST(both_go_where_little_may_stay)
{
	begin();
	put_calls(1, 100, 5000);
	put_calls(2, 100, 50);
	is_int(rank(0.01, any), 2);
}

TEST(nothing_goes_where_all_may_stay)
{
	begin();
	put_calls(1, 100, 50);
	is_int(rank(1, any), 0);
}

TEST(time_in_a_call_is_not_its_callers)
{
	begin();
	put(JWR_ENTER, 1, 0);
	for (int i = 0; i < 50; i++)
		put_calls(2, 10, 900); /* 1 is called once, and does nothing itself */
	put(JWR_EXIT, 1, 0);
	is_int(rank(0.1, any), 1);
	is_int(ids[0], 2);
}

TEST(what_lasts_stays)
{
	begin();
	put_calls(1, 100, 3000000); /* 1.5 million an event */
	is_int(rank(0, any), 0);
}

TEST(what_is_called_once_or_twice_stays)
{
	begin();
	put_calls(1, 1, 10);
	put_calls(2, 2, 10);
	is_int(rank(0, any), 1);
	is_int(ids[0], 2);
}

static enum rt_hot_fate nine_stays(void *ctx, uint64_t id)
{
	(void)ctx;
	return id == 9 ? RT_HOT_STAYS : RT_HOT_MAY_GO;
}

/* 9 is a lock, say: without the few calls of 1 there would be hardly less. */
TEST(what_would_save_nothing_stays)
{
	begin();
	put_calls(9, 1990, 10);
	put_calls(1, 19, 10);
	is_int(rank(0.1, nine_stays), 0);
	begin();
	put_calls(9, 1990, 10);
	put_calls(1, 21, 10);
	is_int(rank(0.01, nine_stays), 1);
	begin();
	put_calls(9, 1500, 10);
	put_calls(2, 400, 10);
	put_calls(1, 19, 10);
	is_int(rank(0.1, nine_stays), 1);
	is_int(ids[0], 2);
}

/* 9 is more than may be: 1 and 2 share half of the room, and would get none. */
TEST(what_stays_takes_half_of_the_room)
{
	begin();
	put_calls(9, 1600, 10);
	put_calls(1, 100, 50);
	put_calls(2, 100, 50000);
	is_int(rank(0.3, nine_stays), 0);
	begin();
	put_calls(9, 1600, 10);
	put_calls(1, 100, 50);
	put_calls(2, 100, 50000);
	is_int(rank(0.15, nine_stays), 1);
	is_int(ids[0], 1);
}

/* Nearly all time of 1 and 2 is that of 3, which they call; a call of 1 takes 12 million, one of 2 less than half. */
TEST(what_takes_long_stays_though_little_is_its_own)
{
	begin();
	for (int i = 0; i < 40; i++) {
		put(JWR_ENTER, 1, 10);
		put_calls(3, 10, 1200000);
		put(JWR_EXIT, 1, 10);
	}
	is_int(rank(0, any), 1);
	is_int(ids[0], 3);
	begin();
	for (int i = 0; i < 40; i++) {
		put(JWR_ENTER, 2, 10);
		put_calls(3, 4, 1100000);
		put(JWR_EXIT, 2, 10);
	}
	is_int(rank(0, any), 2);
}

/* A call that is in two chunks took what each has of it at least. */
TEST(what_takes_long_over_chunks_stays)
{
	begin();
	put(JWR_ENTER, 1, 1);
	put(JWR_EXIT, 1, 1);
	put(JWR_ENTER, 1, 1);
	put_calls(3, 100, 300000);
	rt_hot_chunk(&hot, chunk.r, chunk.n);
	chunk.n = 0;
	put_calls(3, 100, 300000);
	put(JWR_EXIT, 1, 1);
	is_int(rank(0, any), 1);
	is_int(ids[0], 3);
}

TEST(what_is_captured_stays)
{
	begin();
	for (int i = 0; i < 100; i++) {
		put(JWR_ENTER, 1, 1);
		put(JWR_OBJECT, 7, 1);
		put(JWR_EXIT, 1, 1);
		put(JWR_ENTER, 2, 1);
		put(JWR_VALUE, 7, 1); /* of what it returned: its own enter says nothing of it */
		put(JWR_EXIT, 2, 1);
		put(JWR_ENTER, 3, 1);
		put(JWR_EXIT, 3, 1);
	}
	is_int(rank(0, any), 1);
	is_int(ids[0], 3);
}

static enum rt_hot_fate two_is_gone(void *ctx, uint64_t id)
{
	(void)ctx;
	return id == 2 ? RT_HOT_GONE : id == 3 ? RT_HOT_STAYS : RT_HOT_MAY_GO;
}

TEST(what_is_gone_does_not_come_again)
{
	begin();
	put_calls(2, 900, 10);
	put_calls(1, 100, 10);
	is_int(rank(0.2, two_is_gone), 0); /* the rest is a tenth */
	begin();
	put_calls(2, 900, 10);
	put_calls(1, 100, 10);
	is_int(rank(0.05, two_is_gone), 1);
	is_int(ids[0], 1);
}

TEST(what_must_stay_stays)
{
	begin();
	put_calls(3, 100, 10);
	is_int(rank(0, two_is_gone), 0);
}

/* Damage, and chunks that begin in the middle: nothing but counts. */
TEST(exits_without_enters_and_deep_stacks)
{
	begin();
	for (uint64_t i = 1; i < 1000; i++)
		put(JWR_ENTER, i, 1);
	for (uint64_t i = 1; i < 1000; i++)
		put(JWR_EXIT, i * 7, 1);
	put(JWR_EXIT, 0, 1);
	put(JWR_SWITCH, 5, 1);
	put(JWR_EXIT, 1, 1);
	rt_hot_chunk(&hot, chunk.r, chunk.n);
	is_int(hot.events, chunk.n);
	ok(rank_all() <= hot.count);
}

/* More methods than there is room for: those that came first are known. */
TEST(many_methods)
{
	begin();
	for (uint64_t id = 1; id <= 3 * (uint64_t)RT_HOT_METHODS;) {
		chunk.n = 0;
		for (; chunk.n < RECORDS && id <= 3 * (uint64_t)RT_HOT_METHODS; id++)
			put_calls(id, 2, 10);
		rt_hot_chunk(&hot, chunk.r, chunk.n);
	}
	is_int(hot.count, RT_HOT_METHODS);
	size_t n = rank_all();

	/* each has four events, and the last hundredth of all stays */
	ok(n <= RT_HOT_METHODS && n > RT_HOT_METHODS - 3 * RT_HOT_METHODS / 100 - 1);
}

TEST(waits_inside_the_jdk_are_counted)
{
	begin();
	put_calls(1, 2, 10);
	put(JWR_PLACE, 5, 1);
	put(JWR_PARK, 77, 1);
	put(JWR_PARKED, 0, 100);
	put(JWR_UNPARK, 7, 1);
	put(JWR_AWAIT, 1, 1);
	put(JWR_AWAITED, 1, 1);
	put(JWR_AWAIT, jwr_await(JWR_AWAIT_READ, 4), 1); /* which nothing leaves out */
	put(JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 10, 10), 1);
	put(JWR_CONTENDED, 77, 1);
	rt_hot_chunk(&hot, chunk.r, chunk.n);
	is_int(hot.waits, 6);
	is_int(hot.events, 13);
}
