/*
 * t_deadlocks.c: threads that wait for each other's monitors to the end, and who has a monitor that is waited for so.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "trace/reader/notes.h"
#include "trace/report/report.h"

#include "tests/trace/make_arrows.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_report rep;

/* Threads 1 to N wait from 100 on, thread I for a lock that thread HOLDERS[I] has, until ENDS[I]. */
static void read_waits(uint32_t n, const uint32_t *holders, const uint32_t *ends)
{
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_err e = { 0 };
	char prv[8000];
	int k = snprintf(prv, sizeof(prv), "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(%u:0),0\n",
			 n);

	for (uint32_t i = 1; i <= n; i++)
		k += snprintf(prv + k, sizeof(prv) - (size_t)k,
			      "1:0:1:1:%u:0:10000:9\n"
			      "2:0:1:1:%u:100:48100001:1:48100002:%u:48100020:1:48100040:%u\n",
			      i, i, 2147483655U + i, holders[i - 1]);
	for (uint32_t i = 1; i <= n; i++)
		k += snprintf(prv + k, sizeof(prv) - (size_t)k,
			      "2:0:1:1:%u:%u:48100001:0:48100002:0:48100020:0\n", i, ends[i - 1]);
	jw_arena_free(&arena);
	rep = (struct trace_report){ 0 };
	is_int(trace_reading_feed(r, jw_span_str(prv), &e), JW_OK);
	is_int(trace_reading_finish(
		       r,
		       JW_SPAN_LIT(
			       "EVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n1 a.Lock\n"),
		       JW_SPAN_LIT("LEVEL THREAD SIZE 4\na\nb\nc\nd\n"), &arena, &rep, &e),
	       JW_OK);
	trace_reading_free(r);
}

static const char *told(void)
{
	return rep.deadlock_count == 1 ? rep.deadlocks[0] : rep.deadlock_count ? "several" : "";
}

TEST(a_round_of_threads)
{
	static const uint32_t two[] = { 2, 1 }, three[] = { 3, 1, 2 },
			      ends[] = { 9000, 9000, 9000 };

	read_waits(2, two, ends);
	is_str(told(),
	       "deadlock: a waits for a.Lock@8, which b has; b waits for a.Lock@9, which a has");
	is_int(rep.warning_count, 1);
	read_waits(3, three, ends);
	is_str(told(),
	       "deadlock: a waits for a.Lock@8, which c has; c waits for a.Lock@a, which b has; "
	       "b waits for a.Lock@9, which a has");
}

TEST(a_round_of_many)
{
	enum { MANY = 10 };
	uint32_t next[MANY], ends[MANY];

	for (uint32_t i = 0; i < MANY; i++) {
		next[i] = (i + 1) % MANY + 1;
		ends[i] = 9000;
	}
	read_waits(MANY, next, ends);
	ok(strstr(told(), "which unnamed 9 has and so on: 10 threads"));
}

/* Who waits for a thread of one is not part of it; there may be several. */
TEST(what_else_waits)
{
	static const uint32_t one[] = { 2, 3, 2, 1 }, two[] = { 2, 1, 4, 3 },
			      ends[] = { 9000, 9000, 9000, 9000 };

	read_waits(4, one, ends);
	is_str(told(),
	       "deadlock: b waits for a.Lock@9, which c has; c waits for a.Lock@a, which b has");
	read_waits(4, two, ends);
	is_int(rep.deadlock_count, 2);
}

/* Who goes on has been let go on, and whoever has what it waits for itself is no deadlock. */
TEST(no_deadlock)
{
	static const uint32_t two[] = { 2, 1 }, line[] = { 2, 3, 4, 0 }, apart[] = { 9000, 9002 },
			      close[] = { 9000, 9001 }, ends[] = { 9000, 9000, 9000, 9000 };

	read_waits(2, two, apart);
	is_str(told(), "");
	read_waits(2, two, close);
	is_int(rep.deadlock_count, 1);
	read_waits(4, line, ends);
	is_str(told(), "");
	jw_arena_free(&arena);
}

/* They are said before what was noted earlier. */
TEST(they_come_first)
{
	struct jw_arena a = { 0 };
	struct trace_notes notes = { .arena = &a };

	trace_notes_first(&notes, 0);
	trace_note(&notes, "a");
	trace_note(&notes, "b");
	trace_notes_first(&notes, 2);
	is_str(notes.text[0], "a");
	trace_note(&notes, "c");
	trace_note(&notes, "d");
	trace_notes_first(&notes, 2);
	is_int(notes.n, 4);
	is_str(notes.text[0], "c");
	is_str(notes.text[1], "d");
	is_str(notes.text[2], "a");
	is_str(notes.text[3], "b");
	trace_notes_free(&notes);
	jw_arena_free(&a);
}

/* A wait for a monitor that goes on to the end: meta says who was seen to have it, if that was during this wait. */
TEST(who_has_it_to_the_end)
{
	begin("held", 3);
	make_meta(&m, "held|2|%llu|%llu", (unsigned long long)tick(350),
		  (unsigned long long)thread(1));
	make_meta(&m, "held|3|%llu|%llu", (unsigned long long)tick(150),
		  (unsigned long long)thread(1));
	make_meta(&m, "held|3|x|y");
	vm(1, JWR_GC_BEGIN, 0);   /* 1 */
	vm(1, JWR_GC_END, 0);     /* 2 */
	vm(2, JWR_CONTENDED, 55); /* 3 */
	vm(3, JWR_CONTENDED, 55); /* 4 */
	(void)arrows();
	is_int(in_trace(":48100040:1"), 1);
}

/* The deadlocks that are told when the recording NAME is converted. */
static const char *noted(void)
{
	static struct jw_arena a;
	static char text[400];
	struct trace_summary sum = { 0 };
	struct jw_err e = { 0 };

	(void)arrows();
	const char *path = make_path("%s.jwr", name);

	jw_arena_free(&a);
	if (!ok(make_convert(&path, 1, "noted", arrows_map(), &a, &sum, &e) == JW_OK))
		tap_note("%s", e.text);
	text[0] = '\0';
	for (size_t i = 0; i < sum.warning_count; i++)
		if (strstr(sum.warnings[i], "deadlock"))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s.",
				 sum.warnings[i]);
	return text;
}

static void waits_for(uint32_t uid, uint64_t object, uint32_t holder)
{
	vm(uid, JWR_CONTENDED, object);
	vm(uid, JWR_HOLDER, thread(holder));
}

TEST(told_where_a_recording_is_converted)
{
	begin("dead", 2);
	waits_for(1, 55, 2);
	waits_for(2, 56, 1);
	is_str(noted(), "deadlock: t1 waits for an object@37, which t2 has; t2 waits for an "
			"object@38, which t1 has.");
}

/* One had it first, and then the other one. */
TEST(none_of_waits_that_are_over)
{
	begin("alive", 2);
	waits_for(1, 55, 2);
	vm(1, JWR_ENTERED, 55);
	waits_for(2, 55, 1);
	vm(2, JWR_ENTERED, 55);
	is_str(noted(), "");
}

/* Who has it has entered it by woven code, and nobody asked the VM. Thread UID is about to enter it, to the end. */
static void goes_on_waiting(uint32_t uid, uint64_t object)
{
	call(uid, ENTER, object);
	vm(uid, JWR_CONTENDED, object);
}

TEST(told_by_woven_code)
{
	begin("woven", 2);
	at_once(1, ENTER, 55);
	at_once(2, HOLD, 56); /* that was over before */
	call(2, HOLD, 56);
	goes_on_waiting(1, 56);
	goes_on_waiting(2, 55);
	is_str(noted(), "deadlock: t1 waits for an object@38, which t2 has; t2 waits for an "
			"object@37, which t1 has.");
	is_int(in_trace(":48100040:1"), 1);
	is_int(in_trace(":48100040:2"), 1);
}

/* It has given it back; somebody else has it; other code locks it, too. */
TEST(none_where_that_is_not_known)
{
	begin("given", 2);
	at_once(1, ENTER, 55);
	at_once(1, EXIT, 55);
	at_once(2, ENTER, 56);
	goes_on_waiting(1, 56);
	goes_on_waiting(2, 55);
	is_str(noted(), "");

	begin("another", 3);
	at_once(1, ENTER, 55);
	at_once(3, ENTER, 55);
	at_once(2, ENTER, 56);
	goes_on_waiting(1, 56);
	goes_on_waiting(2, 55);
	is_str(noted(), "");

	begin("unseen", 2);
	at_once(1, ENTER, 55);
	vm(1, JWR_WAIT, 55);
	vm(1, JWR_WAITED, 55);
	at_once(2, ENTER, 56);
	goes_on_waiting(1, 56);
	goes_on_waiting(2, 55);
	is_str(noted(), "");
}

/* Calls that give monitors back were closed: who had one may have it no more. */
TEST(none_where_exits_are_closed)
{
	begin("closed", 2);
	at_once(1, ENTER, 57);
	at_once(1, EXIT, 57);
	at_once(1, ENTER, 55);
	at_once(2, ENTER, 56);
	make_meta(&m, "closed|%llu|%llu", (unsigned long long)tick(now),
		  (unsigned long long)make_site(EXIT));
	goes_on_waiting(1, 56);
	goes_on_waiting(2, 55);
	is_str(noted(), "");
}

/* Thread UID waits for thread OTHER in Thread.join(), which is Object.wait(), or by a wait of the program's own. */
static void joins(uint32_t uid, uint32_t other, uint32_t place)
{
	vm(uid, JWR_PLACE, place);
	vm(uid, JWR_WAIT, thread(other));
}

static void begin_placed(const char *what, uint32_t n)
{
	begin(what, n);
	make_meta(&m, "place|5|com.acme.Main|waits|Main.java|7|join");
	make_meta(&m, "place|6|com.acme.Main|waits|Main.java|8");
}

TEST(threads_that_wait_for_the_ends_of_each_other)
{
	begin_placed("joins", 3);
	joins(1, 2, 5);
	waits_for(2, 55, 3);
	joins(3, 1, 5);
	is_str(noted(), "deadlock: t1 waits for the end of t2; t2 waits for an object@37, which "
			"t3 has; t3 waits for the end of t1.");
	begin_placed("itself", 1);
	joins(1, 1, 5);
	is_str(noted(), "deadlock: t1 waits for the end of t1.");
	/* to be notified */
	begin_placed("none", 2);
	joins(1, 1, 6);
	joins(2, 1, 5);
	is_str(noted(), "");
}
