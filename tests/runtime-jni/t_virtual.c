/*
 * Whose records they are: virtual threads on carriers, and the VM itself, without a JVM. Every
 * scenario runs in a child, since a process records once.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime-jni/recorder/short_waits.h"
#include "runtime-jni/recorder/slots.h"
#include "tests/runtime-jni/child_kit.h"

#include "base/banned.h"

#define PER_WINDOW ((JWR_WINDOW_FULL - JWR_HEADER_SIZE) / (int)sizeof(struct jwr_record))

static void start(const char *name)
{
	start_with(name, NULL);
}

static const char *meta_of(const char *name)
{
	static char text[16384];

	text[slurp(name, "meta", text, sizeof(text) - 1)] = '\0';
	return text;
}

static void name_virtual(char *name, size_t size)
{
	snprintf(name, size, "v\t%llu", (unsigned long long)rt_tls.mounted);
}

/* Kinds and payloads of the records of one thread, as text. */
static const char *records_of(const char *name)
{
	static char text[4096];
	struct jwr_chunk c;
	struct jwr_record r;
	uint8_t data[16384];
	size_t at = 0, n = slurp(name, "data", data, sizeof(data));

	text[0] = '\0';
	if (n < sizeof(c))
		return text;
	memcpy(&c, data, sizeof(c));
	for (size_t i = sizeof(c); i < sizeof(c) + c.bytes && i + sizeof(r) <= n; i += sizeof(r)) {
		memcpy(&r, data + i, sizeof(r));
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%d:%llu ",
				       jwr_word_kind(r.word),
				       (unsigned long long)jwr_word_payload(r.word));
	}
	return text;
}

static void log_one(enum jwr_kind kind, uint64_t payload)
{
	rt_event(rt_recorder_clock(), kind, payload);
}

static void child_virtual(void)
{
	start("virtual");
	rt_follow_virtual(name_virtual);
	log_one(JWR_ENTER, 1);
	rt_thread_mounts(70); /* logs nothing */
	rt_thread_mounts(0);
	log_one(JWR_ENTER, 2);
	rt_thread_mounts(71);
	log_one(JWR_ENTER, 3);
	rt_thread_mounts(0);
	rt_thread_mounts(71); /* the same again: no SWITCH */
	log_one(JWR_EXIT, 3);
	if (!rt_is_told())
		_exit(97);
	rt_thread_mounts(72);
	if (rt_is_told())
		_exit(96);
	rt_thread_mounts(0);
	rt_virtual_ends(70); /* never logged: nothing */
	rt_virtual_ends(71);
	log_one(JWR_EXIT, 2);
	rt_thread_mounts(72);
	log_one(JWR_ENTER, 4);
	rt_thread_mounts(0);
	log_one(JWR_EXIT, 1);
	end();
}

TEST(a_switch_says_whose_the_records_are)
{
	is_int(in_child(child_virtual), 0);
	is_str(records_of("virtual"), "1:1 1:2 4:71 1:3 2:3 5:71 2:2 4:72 1:4 4:0 2:1 ");
	const char *meta = meta_of("virtual");
	ok(strstr(meta, "\nvirtual\t71\tv\\x0971\n"));
	ok(!strstr(meta, "\nvirtual\t70\t"));
}

static void child_lost(void)
{
	start("lost");
	rt_follow_virtual(name_virtual);
	rt_thread_mounts(71);
	log_one(JWR_ENTER, 3);
	rt_short_unmount(71, false);
	rt_short_lost(71); /* it went on while recording was paused */
	rt_short_mounted(71, 0);
	log_one(JWR_EXIT, 3);
	rt_short_unmount(71, false);
	rt_short_mounted(71, 0);
	end();
}

TEST(a_short_wait_that_ends_in_a_pause_is_not_told_later)
{
	is_int(in_child(child_lost), 0);
	const char *records = records_of("lost");

	ok(!strncmp(records, "4:71 1:3 2:3 37:", 16) && !strstr(records + 16, "37:"));
}

/* A park on virtual thread 73, which cannot leave its carrier. */
static void child_pinned(void)
{
	start("pinned");
	rt_follow_virtual(NULL);
	rt_thread_mounts(73);
	log_one(JWR_PARK, 5);
	rt_may_go_on(trace_tick_now(rt_recorder_clock()), JWR_PARKED, JWR_PARKED_MOUNT);
	if (!rt_goes_on() || rt_goes_on())
		_exit(97);
	log_one(JWR_PARKED, 0);
	log_one(JWR_PARK, 6); /* it was let go in between: it does not go on */
	rt_thread_mounts(73);
	rt_may_go_on(trace_tick_now(rt_recorder_clock()), JWR_PARKED, JWR_PARKED_MOUNT);
	log_one(JWR_ENTER, 3);
	if (rt_goes_on())
		_exit(96);
	log_one(JWR_PARK, 7);
	rt_thread_mounts(73);
	rt_may_go_on(trace_tick_now(rt_recorder_clock()), JWR_PARKED, JWR_PARKED_MOUNT);
	rt_thread_mounts(0);
	log_one(JWR_EXIT, 1);
	end();
}

TEST(a_wait_that_goes_on_is_one)
{
	is_int(in_child(child_pinned), 0);
	is_str(records_of("pinned"), "4:73 25:5 26:0 25:6 26:1 1:3 25:7 26:1 4:0 2:1 ");
}

/* Virtual thread 74 was not blocked; it was, when something was told since. The carrier, and who tells nothing, have nothing to
 * take back. */
static void child_takes_back(void)
{
	start("takes-back");
	rt_follow_virtual(NULL);
	log_one(JWR_ENTER, 1);
	if (rt_mark().at)
		_exit(97);
	rt_thread_mounts(74);
	if (rt_mark().at)
		_exit(96);
	for (uint64_t i = 5; i < 7; i++) {
		log_one(JWR_WAITED, i);
		struct rt_mark from = rt_mark();

		log_one(JWR_PLACE, 1);
		log_one(JWR_CONTENDED, i);
		struct rt_mark to = rt_mark();

		if (i == 6)
			log_one(JWR_ENTER, 3);
		rt_thread_mounts(0);
		if (rt_take_back(from, to))
			_exit(95);
		rt_thread_mounts(74);
		if (!rt_slot_lock(rt_tls.slot, 0) || rt_take_back(from, to)) /* as a dump does */
			_exit(93);
		rt_slot_unlock(rt_tls.slot);
		if (rt_take_back(from, to) != (i == 5) || rt_take_back(from, to))
			_exit(94);
		log_one(JWR_ENTER, 2);
	}
	end();
}

TEST(what_was_told_last_is_taken_back)
{
	is_int(in_child(child_takes_back), 0);
	is_str(records_of("takes-back"), "1:1 4:74 11:5 1:2 11:6 24:1 8:6 1:3 1:2 ");
}

static const char *name_now;

static void name_of_now(char *name, size_t size)
{
	snprintf(name, size, "%s", name_now);
}

/* The virtual thread ID logs, named FIRST, and ends, named LAST. */
static void live(uint64_t id, const char *first, const char *last)
{
	rt_thread_mounts(id);
	name_now = first;
	log_one(JWR_ENTER, 1);
	log_one(JWR_EXIT, 1);
	name_now = last;
	rt_virtual_ends(id);
}

static void child_renames(void)
{
	start("renames");
	rt_follow_virtual(name_of_now);
	live(80, "same", "same");
	live(81, "", "late");
	live(82, "before", "after");
	live(83, "", "");
	live(84, "lost", "");
	end();
}

TEST(a_name_at_the_end_is_told_where_it_is_another_one)
{
	is_int(in_child(child_renames), 0);
	const char *meta = meta_of("renames");
	ok(strstr(meta, "\nvirtual\t80\tsame\n"));
	ok(!strstr(meta, "virtual-end\t80"));
	ok(!strstr(meta, "\nvirtual\t81\t"));
	ok(strstr(meta, "\nvirtual-end\t81\tlate\n"));
	ok(strstr(meta, "\nvirtual\t82\tbefore\n"));
	ok(strstr(meta, "\nvirtual-end\t82\tafter\n"));
	ok(!strstr(meta, "\t83\t"));
	ok(!strstr(meta, "virtual-end\t84"));
}

/* A virtual thread over many windows: each begins with its SWITCH. */
static void child_virtual_windows(void)
{
	start("switches");
	rt_follow_virtual(NULL);
	rt_thread_mounts(9);
	for (int i = 0; i < 3 * PER_WINDOW; i++)
		log_one(JWR_ENTER, 9);
	end();
}

TEST(every_window_says_whose_it_is)
{
	static uint8_t data[8 * JWR_RECORDS_SIZE];
	int chunks = 0, switches = 0;

	is_int(in_child(child_virtual_windows), 0);
	size_t n = slurp("switches", "data", data, sizeof(data));
	for (size_t at = 0; at + sizeof(struct jwr_chunk) < n; at += JWR_ALIGN) {
		struct jwr_chunk c;
		struct jwr_record r;

		memcpy(&c, data + at, sizeof(c));
		if (c.magic != JWR_MAGIC)
			continue;
		memcpy(&r, data + at + sizeof(c), sizeof(r));
		chunks++;
		switches += r.word == jwr_word(JWR_SWITCH, 9);
	}
	is_int(chunks, 4);
	is_int(switches, 4);
}

/* A carrier by the Java id 21, then a thread of its own by 22. */
static struct rt_thread_info described;

static void describe_it(struct rt_thread_info *out)
{
	*out = described;
}

static void *wake(void *id)
{
	rt_meet_waker((uint64_t)(uintptr_t)id);
	return rt_is_told() ? id : NULL;
}

/* Does a thread that unparks the one of ID get a row? */
static bool meets(uintptr_t id)
{
	pthread_t waker;
	void *met = NULL;

	described = (struct rt_thread_info){ .name = "waker", .java_id = 30 };
	return pthread_create(&waker, NULL, wake, (void *)id) == 0 &&
	       pthread_join(waker, &met) == 0 && met;
}

static void *carry(void *unused)
{
	rt_thread_mounts(5);
	log_one(JWR_ENTER, 1);
	rt_thread_mounts(0);
	return unused;
}

static void child_wakers(void)
{
	pthread_t carrier;

	start_with("wakers", describe_it);
	rt_follow_virtual(NULL);
	described = (struct rt_thread_info){ .java_id = 21, .is_virtual = true, .virtual_id = 5 };
	if (pthread_create(&carrier, NULL, carry, NULL) != 0 || pthread_join(carrier, NULL) != 0)
		_exit(97);
	described = (struct rt_thread_info){ .name = "main", .java_id = 22 };
	log_one(JWR_ENTER, 1);
	if (meets(21) || !meets(22))
		_exit(96);
	end();
}

TEST(who_unparks_a_carrier_has_no_row_for_that)
{
	is_int(in_child(child_wakers), 0);
}

/* Where the VM does not tell of mounts: counted, never shown on the carrier. */
static void describe_virtual(struct rt_thread_info *out)
{
	out->is_virtual = true;
	out->virtual_id = 5;
}

static void child_unfollowed(void)
{
	start_with("unfollowed", describe_virtual);
	for (int i = 0; i < 10; i++)
		log_one(JWR_ENTER, 1);
	end();
}

TEST(virtual_threads_that_cannot_be_followed_are_counted)
{
	is_int(in_child(child_unfollowed), 0);
	const char *meta = meta_of("unfollowed");
	is_str(records_of("unfollowed"), "");
	ok(strstr(meta, "\nlost\t1\t10\n"));
	ok(strstr(meta, "\nnote\tevents of virtual threads are not recorded: they are counted as "
			"lost, on their carriers\n"));
}

static void child_vm(void)
{
	start("vm");
	rt_vm_event(JWR_GC_BEGIN, 0); /* not prepared: nothing */
	rt_vm_prepare();
	rt_vm_event(JWR_GC_BEGIN, 0);
	rt_vm_event(JWR_GC_END, 0);
	end();
	rt_vm_event(JWR_GC_BEGIN, 0);
}

TEST(the_vm_logs_on_a_row_of_its_own)
{
	is_int(in_child(child_vm), 0);
	is_str(records_of("vm"), "6:0 7:0 ");
	const char *meta = meta_of("vm");
	ok(strstr(meta, "\tj\tJVM\n"));
}
