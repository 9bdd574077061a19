/*
 * t_sampling.c: rules that record less than all calls, without a JVM: what is recorded, on threads, virtual ones too,
 * and what is taken back. Every scenario runs in a child, since a process records once.
 */
#include "tests/runtime-jni/child_kit.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/sampling.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/slots.h"

#include "base/banned.h"

#define PER_WINDOW ((JWR_WINDOW_FULL - JWR_HEADER_SIZE) / (int)sizeof(struct jwr_record))
#define LONG_NS    UINT64_C(3600000000000)

static void start(const char *name)
{
	start_with(name, NULL);
}

/* The records of NAME that count, one thread after the other: "+1 -1 !2 o5 " for the enter and
 * exit of 1, the failure of 2, a capture; "s9" a switch. */
static const char *records_of(const char *name)
{
	static const char letters[] = {
		[JWR_ENTER] = '+', [JWR_EXIT] = '-',   [JWR_FAIL] = '!', [JWR_OBJECT] = 'o',
		[JWR_VALUE] = 'v', [JWR_SWITCH] = 's', [JWR_END] = 'E'
	};
	static char text[8192];
	static uint8_t data[8 << 20];
	struct jwr_chunk c;
	struct jwr_record r;
	size_t at = 0, i = 0, n = slurp(name, "data", data, sizeof(data));

	text[0] = '\0';
	for (; i + sizeof(c) <= n;
	     i = (i + sizeof(c) + c.bytes + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN) {
		memcpy(&c, data + i, sizeof(c));
		for (size_t k = 0; k < c.bytes; k += sizeof(r)) {
			memcpy(&r, data + i + sizeof(c) + k, sizeof(r));
			if (jwr_word_kind(r.word) == JWR_NONE || jwr_word_payload(r.word) == 77)
				continue; /* 77: what fills windows */
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%c%llu ",
					       letters[jwr_word_kind(r.word)],
					       (unsigned long long)jwr_word_payload(r.word));
		}
	}
	return text;
}

static uint32_t rule(struct rt_sampling_rule r)
{
	return 1 + rt_sampling_add(&r, 1);
}

static void call(uint64_t id, uint32_t by)
{
	rt_sampling_enter(id, by, false);
	rt_sampling_exit(JWR_EXIT, id);
}

static void event(enum jwr_kind kind, uint64_t id)
{
	rt_event(rt_recorder_clock(), kind, id);
}

/* ---- sample ---- */

static void samples(void)
{
	start("samples");
	uint32_t third = rule((struct rt_sampling_rule){ .every = 3 });
	for (int i = 0; i < 7; i++)
		call(1, third);
	call(2, third); /* another method: its own count */
	rt_sampling_enter(1, third, false);
	rt_sampling_exit(JWR_FAIL, 1);
	call(1, third);
	call(1, third);
	end();
}

TEST(the_first_and_then_every_nth)
{
	is_int(in_child(samples), 0);
	is_str(records_of("samples"), "+1 -1 +1 -1 +1 -1 +2 -2 +1 -1 ");
}

static void recursion(void)
{
	start("recursion");
	uint32_t half = rule((struct rt_sampling_rule){ .every = 2 });
	for (int i = 0; i < 5; i++)
		rt_sampling_enter(1, half, false);
	rt_sampling_exit(JWR_FAIL, 1);
	for (int i = 0; i < 4; i++)
		rt_sampling_exit(JWR_EXIT, 1);
	end();
}

TEST(exits_go_to_their_own_enters)
{
	is_int(in_child(recursion), 0);
	is_str(records_of("recursion"), "+1 +1 +1 !1 -1 -1 ");
}

static void many_methods(void)
{
	start("methods");
	uint32_t all = rule((struct rt_sampling_rule){ .every = 1000 });
	for (int round = 0; round < 3; round++)
		for (uint64_t id = 1; id <= 300; id++)
			call(id << 16, all);
	end();
}

TEST(many_methods_have_counts_of_their_own)
{
	is_int(in_child(many_methods), 0);
	const char *text = records_of("methods");
	int n = 0;
	for (; *text; text++)
		n += *text == '+';
	is_int(n, 300);
}

static void *other_thread(void *by)
{
	for (int i = 0; i < 4; i++)
		call(1, *(uint32_t *)by);
	return NULL;
}

static void threads(void)
{
	pthread_t t;

	start("threads");
	uint32_t third = rule((struct rt_sampling_rule){ .every = 3 });
	for (int i = 0; i < 3; i++) {
		if (pthread_create(&t, NULL, other_thread, &third) != 0)
			_exit(97);
		pthread_join(t, NULL);
	}
	end();
}

TEST(each_thread_counts_for_itself)
{
	is_int(in_child(threads), 0);
	is_str(records_of("threads"), "+1 -1 +1 -1 +1 -1 +1 -1 +1 -1 +1 -1 ");
}

/* ---- depth ---- */

static void depth(void)
{
	start("depth");
	uint32_t two = rule((struct rt_sampling_rule){ .max_depth = 2 });
	uint32_t other = rule((struct rt_sampling_rule){ .max_depth = 1 });
	rt_sampling_enter(1, two, false);
	event(JWR_ENTER, 9); /* of a plain rule: does not count */
	rt_sampling_enter(2, two, false);
	rt_sampling_enter(1, two, false);
	rt_sampling_enter(3, other, false);
	rt_sampling_exit(JWR_EXIT, 3);
	rt_sampling_exit(JWR_EXIT, 1);
	rt_sampling_exit(JWR_EXIT, 2);
	call(2, two);
	event(JWR_EXIT, 9);
	rt_sampling_exit(JWR_EXIT, 1);
	call(1, two);
	end();
}

TEST(the_depth_is_of_the_rules_own_calls)
{
	is_int(in_child(depth), 0);
	is_str(records_of("depth"), "+1 +9 +2 +3 -3 -2 +2 -2 -9 -1 +1 -1 ");
}

static void depth_then_sample(void)
{
	start("both");
	uint32_t both = rule((struct rt_sampling_rule){ .every = 2, .max_depth = 1 });
	for (int i = 0; i < 4; i++) {
		rt_sampling_enter(1, both, false);
		call(2, both);
		rt_sampling_exit(JWR_EXIT, 1);
	}
	end();
}

TEST(what_is_too_deep_is_not_counted_by_sample)
{
	is_int(in_child(depth_then_sample), 0);
	is_str(records_of("both"), "+1 -1 +1 -1 ");
}

/* ---- exits that do not match ---- */

static void lost_exits(void)
{
	start("lost");
	uint32_t one = rule((struct rt_sampling_rule){ .max_depth = 1 });
	uint32_t all = rule((struct rt_sampling_rule){ .max_depth = 100 });
	rt_sampling_enter(1, all, false);
	rt_sampling_enter(2, one, false); /* no exit */
	rt_sampling_exit(JWR_EXIT, 3);    /* no enter */
	rt_sampling_exit(JWR_EXIT, 1);
	call(2, one); /* nothing of the lost one is open any more */
	end();
}

TEST(what_has_no_exit_ends_with_what_is_around_it)
{
	is_int(in_child(lost_exits), 0);
	is_str(records_of("lost"), "+1 +2 -1 +2 -2 ");
}

/* ---- captures ---- */

static void captures(void)
{
	start("captures");
	uint32_t half = rule((struct rt_sampling_rule){ .every = 2 });
	for (int i = 0; i < 3; i++) {
		rt_sampling_enter(1, half, true);
		event(JWR_VALUE, 100 + (uint64_t)i);
		event(JWR_ENTER, 9);
		event(JWR_VALUE, 5); /* of a plain rule */
		event(JWR_EXIT, 9);
		rt_sampling_end(1);
		event(JWR_OBJECT, 200 + (uint64_t)i);
		rt_sampling_exit(JWR_EXIT, 1);
		event(JWR_VALUE, 6);
	}
	end();
}

TEST(captures_of_what_is_left_out_are_hushed)
{
	is_int(in_child(captures), 0);
	is_str(records_of("captures"),
	       "+1 v100 +9 v5 -9 o200 -1 v6 +9 v5 -9 v6 +1 v102 +9 v5 -9 o202 -1 v6 ");
}

/* ---- duration ---- */

static void rest(long ns)
{
	struct timespec t = { 0, ns };

	nanosleep(&t, NULL);
}

/* Longer than what takes no time does on an emulated machine that has other things to do. */
#define LEAST_NS 30000000

static void durations(void)
{
	start("durations");
	uint32_t some = rule((struct rt_sampling_rule){ .min_ns = LEAST_NS });
	call(1, some);
	rt_sampling_enter(2, some, false);
	rest(2 * LEAST_NS);
	rt_sampling_exit(JWR_FAIL, 2);
	rt_sampling_enter(3, some, false);
	event(JWR_ENTER, 9); /* stays, under the caller */
	event(JWR_EXIT, 9);
	rt_sampling_exit(JWR_EXIT, 3);
	rt_sampling_enter(4, some, true);
	event(JWR_VALUE, 5);
	rt_sampling_end(4);
	event(JWR_OBJECT, 6);
	rt_sampling_exit(JWR_EXIT, 4);
	rt_sampling_enter(5, some, true);
	event(JWR_VALUE, 5);
	rt_sampling_enter(6, some, false);
	rest(2 * LEAST_NS);
	call(7, some);
	rt_sampling_exit(JWR_EXIT, 6);
	rt_sampling_end(5);
	event(JWR_OBJECT, 6);
	rt_sampling_exit(JWR_EXIT, 5);
	end();
}

TEST(short_calls_are_taken_back)
{
	is_int(in_child(durations), 0);
	is_str(records_of("durations"), "+2 !2 +9 -9 +5 v5 +6 -6 o6 -5 ");
}

/* Its window is being copied: the cursor stays. */
static void while_copied(void)
{
	start("copied");
	uint32_t some = rule((struct rt_sampling_rule){ .min_ns = LONG_NS });
	call(1, some);
	uint64_t before = rt_tls.slot->window->cursor;
	if (!rt_slot_lock(rt_tls.slot, 0))
		_exit(98);
	call(2, some);
	if (rt_tls.slot->window->cursor == before)
		_exit(97);
	rt_slot_unlock(rt_tls.slot);
	uint64_t after = rt_tls.slot->window->cursor;
	call(3, some);
	if (rt_tls.slot->window->cursor != after)
		_exit(96);
	end();
}

TEST(what_is_being_copied_stays_in_its_place)
{
	is_int(in_child(while_copied), 0);
	is_str(records_of("copied"), "");
}

static void fill(int n)
{
	for (int i = 0; i < n; i++)
		event(JWR_ENTER, 77);
}

/* The enter is in a chunk by the time that its call turns out to be short. */
static void taken_from_chunks(void)
{
	start("chunks");
	uint32_t hour = rule((struct rt_sampling_rule){ .min_ns = LONG_NS });
	event(JWR_ENTER, 1);
	rt_sampling_enter(2, hour, true);
	event(JWR_VALUE, 5);
	fill(PER_WINDOW);
	rt_sampling_enter(3, hour, false);
	fill(2 * PER_WINDOW);
	rt_sampling_exit(JWR_EXIT, 3);
	rt_sampling_exit(JWR_EXIT, 2);
	event(JWR_EXIT, 1);
	end();
}

TEST(short_calls_are_taken_out_of_chunks)
{
	is_int(in_child(taken_from_chunks), 0);
	is_str(records_of("chunks"), "+1 -1 ");
}

/* Wherever in a window it begins: enter and captures stay together. */
static void at_every_place(void)
{
	start("places");
	uint32_t hour = rule((struct rt_sampling_rule){ .min_ns = LONG_NS });
	for (int i = 0; i < 40; i++) {
		fill(PER_WINDOW - 21);
		rt_sampling_enter(1, hour, true);
		for (int k = 0; k < 16; k++)
			event(JWR_VALUE, 5);
		fill(i * 200);
		rt_sampling_exit(JWR_EXIT, 1);
	}
	end();
}

TEST(captures_go_with_their_enter)
{
	is_int(in_child(at_every_place), 0);
	is_str(records_of("places"), "");
}

/* ---- virtual threads ---- */

static void *carrier(void *by)
{
	event(JWR_ENTER, 77);
	rt_thread_mounts(5);
	rt_sampling_exit(JWR_EXIT, 2); /* begun elsewhere: left out */
	rt_sampling_exit(JWR_EXIT, 1);
	call(3, *(uint32_t *)by);
	rt_virtual_ends(5);
	return NULL;
}

static void moving(void)
{
	pthread_t t;

	start("moving");
	rt_follow_virtual(NULL);
	uint32_t one = rule((struct rt_sampling_rule){ .max_depth = 1 });
	event(JWR_ENTER, 77);
	call(3, one);
	rt_thread_mounts(5);
	rt_sampling_enter(1, one, false);
	rt_sampling_enter(2, one, false);
	rt_thread_mounts(6);
	call(1, one); /* another thread: its own depth */
	rt_thread_mounts(0);
	call(3, one);
	if (pthread_create(&t, NULL, carrier, &one) != 0)
		_exit(97);
	pthread_join(t, NULL);
	end();
}

TEST(what_is_open_goes_with_its_virtual_thread)
{
	is_int(in_child(moving), 0);
	/* the other carrier ended first */
	is_str(records_of("moving"), "s5 -1 +3 -3 E5 +3 -3 s5 +1 s6 +1 -1 s0 +3 -3 ");
}

static void *short_elsewhere(void *unused)
{
	(void)unused;
	event(JWR_ENTER, 77);
	rt_thread_mounts(5);
	rt_sampling_exit(JWR_EXIT, 2);
	rt_sampling_exit(JWR_EXIT, 1);
	return NULL;
}

static void moved_and_short(void)
{
	pthread_t t;

	start("elsewhere");
	rt_follow_virtual(NULL);
	uint32_t hour = rule((struct rt_sampling_rule){ .min_ns = LONG_NS });
	event(JWR_ENTER, 77);
	rt_thread_mounts(5);
	rt_sampling_enter(1, hour, false); /* to be taken out of a chunk */
	fill(PER_WINDOW + 10);
	rt_sampling_enter(2, hour, false); /* out of this thread's window */
	rt_thread_mounts(0);
	if (pthread_create(&t, NULL, short_elsewhere, NULL) != 0)
		_exit(97);
	pthread_join(t, NULL);
	event(JWR_ENTER, 4);
	end();
}

TEST(what_ends_on_another_carrier_is_taken_back_there)
{
	is_int(in_child(moved_and_short), 0);
	is_str(records_of("elsewhere"), "s5 s5 s0 +4 ");
}

/* ---- pauses, and too much ---- */

static void pauses(void)
{
	start("pauses");
	uint32_t half = rule((struct rt_sampling_rule){ .every = 2 });
	uint32_t hour = rule((struct rt_sampling_rule){ .min_ns = LONG_NS });
	call(1, half);
	rt_pause(true);
	call(1, half);
	rt_sampling_enter(2, hour, false);
	rt_pause(false);
	rt_sampling_exit(JWR_EXIT, 2);
	call(1, half);
	call(3, hour);
	end();
}

TEST(a_pause_is_one)
{
	is_int(in_child(pauses), 0);
	is_str(records_of("pauses"), "+1 -1 +1 -1 ");
}

static void too_deep(void)
{
	enum { MORE = (1 << 20) + 5 };

	start("deep");
	uint32_t one = rule((struct rt_sampling_rule){ .max_depth = 1 });
	for (int i = 0; i < MORE; i++)
		rt_sampling_enter(1, one, false);
	for (int i = 0; i < MORE; i++)
		rt_sampling_exit(JWR_EXIT, 1);
	call(2, one);
	end();
}

TEST(depth_has_an_end_that_is_no_end)
{
	is_int(in_child(too_deep), 0);
	is_str(records_of("deep"), "+1 -1 +2 -2 ");
}

static void no_memory(void)
{
	start("memory");
	uint32_t half = rule((struct rt_sampling_rule){ .every = 2, .max_depth = 3 });
	call(1, half);
	for (long n = 0; n < 12; n++) {
		jw_mem_fail_after(n);
		rt_sampling_enter(5, half, true);
		rt_sampling_enter(5, half, true);
		rt_sampling_exit(JWR_EXIT, 5);
		rt_sampling_exit(JWR_FAIL, 5);
	}
	jw_mem_fail_after(-1);
	call(1, half);
	call(1, half);
	end();
}

TEST(without_memory_calls_are_left_out)
{
	is_int(in_child(no_memory), 0);
	ok(strstr(records_of("memory"), "+1 -1 ") != NULL);
}
