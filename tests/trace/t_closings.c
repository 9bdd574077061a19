/*
 * t_closings.c: methods that were closed while the program ran, in recordings made by hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"
#include "tests/trace/make_prv.h"
#include "trace/reader/closings.h"

#include "base/banned.h"

#define T MAKE_START

static void close_at(struct make *m, uint64_t ns, uint64_t id)
{
	make_meta(m, "closed|%llu|%llu", (unsigned long long)(T + 2 * ns), (unsigned long long)id);
}

/* What a thread was just at does not count, nor do ids of the same gate, but for the one that has
 * none. */
TEST(records_after_a_closing_do_not_count)
{
	struct trace_closings c = { 0 };
	uint64_t id = make_method(3), same = id ^ UINT64_C(1) << 41 ^ 1, other = make_method(4);
	size_t detail = 0;

	is_int(jwr_gate(id), jwr_gate(same));
	ok(!trace_closings_hide(&c, id, 50, &detail));
	ok(trace_closings_add(&c, 100, id));
	ok(!trace_closings_hide(&c, id, 99, &detail));
	ok(trace_closings_hide(&c, id, 100, &detail));
	ok(trace_closings_hide(&c, same, 100, &detail));
	ok(!trace_closings_hide(&c, other, 100, &detail));
	ok(trace_closings_except(&c, same));
	ok(!trace_closings_hide(&c, same, 100, &detail));
	ok(trace_closings_hide(&c, id, 100, &detail));
	trace_closings_free(&c);
}

TEST(a_detail_counts)
{
	struct trace_closings c = { 0 };
	size_t detail = 0;

	ok(trace_closings_add(&c, 100, 7));
	ok(trace_closings_detail(&c, 200, 210));
	ok(trace_closings_detail(&c, 205, 300)); /* damage: they are apart */
	ok(trace_closings_detail(&c, 400, 410));
	is_int(c.detail_count, 2);
	ok(trace_closings_hide(&c, 7, 199, &detail));
	ok(!trace_closings_hide(&c, 7, 200, &detail));
	ok(!trace_closings_hide(&c, 7, 210, &detail));
	ok(trace_closings_hide(&c, 7, 211, &detail));
	ok(!trace_closings_hide(&c, 7, 405, &detail));
	ok(trace_closings_hide(&c, 7, 411, &detail));
	trace_closings_free(&c);
}

/* Each is compared with the one before, wherever the list has moved to. */
TEST(many_details)
{
	enum { MANY = 1000 };
	struct trace_closings c = { 0 };

	for (uint64_t i = 0; i < MANY; i++) {
		ok(trace_closings_detail(&c, 10 * i + 5, 10 * i + 9));
		ok(trace_closings_detail(&c, 10 * i + 9, 10 * i + 20)); /* damage */
	}
	is_int(c.detail_count, MANY);
	trace_closings_free(&c);
}

/* A call that is open then ends there; one that has made another, with that. */
TEST(what_is_open_ends)
{
	struct make m = make_begin("shut");
	struct trace_summary s;

	make_thread(&m, 1, 0, "main");
	make_at(&m, 100, JWR_ENTER, make_method(0));
	make_at(&m, 200, JWR_ENTER, make_method(1));
	make_at(&m, 300, JWR_EXIT, make_method(1));
	make_at(&m, 400, JWR_ENTER, make_method(1));
	make_at(&m, 450, JWR_ENTER, make_method(2));
	make_at(&m, 600, JWR_EXIT, make_method(2));
	make_at(&m, 650, JWR_EXIT, make_method(1)); /* of a thread that was just at it */
	make_at(&m, 900, JWR_EXIT, make_method(0));
	close_at(&m, 500, make_method(1));
	make_finish(&m, true);
	char *prv = make_prv("shut", NULL, &s);

	has_text(prv, ":301:60000019:0\n");
	has_text(prv, ":601:60000019:0:60000019:0\n"); /* both */
	has_no_text(prv, ":651:");
	has_text(prv, ":901:60000019:0\n");
	is_int(s.calls, 4);
	is_int(s.inferred, 0);
	is_int(s.dropped, 0);
	is_int(s.closed_methods, 1);
	has_text(s.closed,
		 "to keep recording cheap, 1 small, hot method was closed while the program ran "
		 "(JWEAVE_BUDGET): ");
	has_text(s.closed, "; it had at least the calls that are shown");
	has_text(s.closed, "(calls that were open then, and end there: 1)");
	free(prv);
}

/* Of two methods with one gate the one that was closed is told, as reports tell it; not that it is small and hot of the
 * other one. */
TEST(who_shares_a_gate_was_not_closed_itself)
{
	struct make m = make_begin("mates");
	struct trace_summary s;
	uint64_t id = make_method(1), same = id ^ UINT64_C(1) << 41 ^ 1;

	make_thread(&m, 1, 0, "main");
	make_at(&m, 100, JWR_ENTER, same);
	make_at(&m, 150, JWR_EXIT, same);
	make_at(&m, 200, JWR_ENTER, id);
	make_at(&m, 300, JWR_EXIT, id);
	make_at(&m, 600, JWR_ENTER, make_method(0));
	make_at(&m, 900, JWR_EXIT, make_method(0));
	close_at(&m, 500, id);
	make_finish(&m, true);
	free(make_prv("mates", NULL, &s));
	is_int(s.methods, 3);
	is_int(s.closed_methods, 1);
}

/* COUNT calls of NS each, from AT on, of method I. */
static uint64_t call(struct make *m, uint64_t at, uint32_t i, unsigned count, uint64_t ns)
{
	for (unsigned k = 0; k < count; k++, at += ns) {
		make_at(m, at, JWR_ENTER, make_method(i));
		make_at(m, at + ns / 2, JWR_EXIT, make_method(i));
	}
	return at;
}

/* How many of three closed methods are told as small, where the first, which is, is called SMALL times: of the others
 * one takes long of its own, one in all. A fourth, which nobody closes, is called 20 times. */
static size_t told_small(const char *name, unsigned small, struct trace_summary *s)
{
	static const char *const names[] = { "tiny()V", "slow()V", "whole()V", "open()V" };
	struct make m = make_begin(name);

	make_thread(&m, 1, 0, "main");
	uint64_t at = call(&m, 100, 0, small, 10);
	at = call(&m, at, 1, 1, 8000);
	make_at(&m, at, JWR_ENTER, make_method(2));
	at = call(&m, at + 10, 3, 20, 6000);
	make_at(&m, at + 10, JWR_EXIT, make_method(2));
	for (uint32_t i = 0; i < 3; i++)
		close_at(&m, at + 100, make_method(i));
	make_finish(&m, true);
	free(make_prv(name,
		      make_map("small.map", MAKE_SITE_CLASS, "acme/Calls", "Calls.java", names, 4),
		      s));
	return s->small_count;
}

TEST(methods_that_are_small_and_many_are_told)
{
	struct trace_summary s;

	is_int(told_small("many", 10, &s), 1);
	is_str(s.small[0].name, "tiny");
	is_int(s.closed_methods, 3);
	is_int(told_small("few", 5, &s), 0); /* 5 of 27 calls */
	is_int(s.closed_methods, 3);
}

/* The costliest by what was recorded are closed in the next run, too: its report is to have them. */
TEST(the_costliest_half_of_few_is_not_told)
{
	static const char *const names[] = { "a()V", "b()V", "c()V", "d()V", "e()V" };
	struct make m = make_begin("costly");
	struct trace_summary s;
	uint64_t at = 100;

	make_thread(&m, 1, 0, "main");
	for (uint32_t i = 0; i < 5; i++)
		at = call(&m, at, i, 10, 2000 - 200 * (uint64_t)i);
	for (uint32_t i = 0; i < 5; i++)
		close_at(&m, at + 100, make_method(i));
	make_finish(&m, true);
	free(make_prv("costly",
		      make_map("costly.map", MAKE_SITE_CLASS, "acme/Calls", "Calls.java", names, 5),
		      &s));
	is_int(s.closed_methods, 5);
	is_int(s.small_count, 3);
	for (size_t i = 0; i < s.small_count; i++)
		is_str(s.small[i].name, i == 0 ? "c" : i == 1 ? "d" : "e");
}

/* Time that nobody knows of is not the closed method's. */
TEST(what_is_open_and_innermost_ends_at_once)
{
	struct make m = make_begin("innermost");
	struct trace_summary s;

	make_thread(&m, 1, 0, "main");
	make_at(&m, 100, JWR_ENTER, make_method(0));
	make_at(&m, 200, JWR_ENTER, make_method(1));
	make_at(&m, 90000, JWR_EXIT, make_method(0));
	close_at(&m, 500, make_method(1));
	make_finish(&m, true);
	char *prv = make_prv("innermost", NULL, &s);

	has_text(prv, ":501:60000019:0\n");
	has_text(prv, ":90001:60000019:0\n");
	free(prv);
}

/* Calls that are whole within a detail are there; of one that is not, what of it is within. */
TEST(a_detail_is_shown)
{
	struct make m = make_begin("detail");
	struct trace_summary s;

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "thread|2|0|%u|1|0|j|JVM", T);
	make_at(&m, 100, JWR_ENTER, make_method(0));
	make_at(&m, 210, JWR_EXIT, make_method(1)); /* it began before */
	make_at(&m, 220, JWR_ENTER, make_method(1));
	make_at(&m, 230, JWR_EXIT, make_method(1));
	make_at(&m, 240, JWR_ENTER, make_method(1)); /* it ends after it */
	make_at(&m, 900, JWR_EXIT, make_method(0));
	make_event(&m, 2, T + 2 * 50, JWR_CLOSED, make_method(1));
	make_event(&m, 2, T + 2 * 200, JWR_DETAIL, 1);
	make_event(&m, 2, T + 2 * 250, JWR_DETAIL, 0);
	close_at(&m, 50, make_method(1));
	make_meta(&m, "detail|%u|%u", T + 2 * 200, T + 2 * 250);
	make_finish(&m, true);
	char *prv = make_prv("detail", NULL, &s);

	has_no_text(prv, ":211:");
	has_text(prv, ":221:60000019:");
	has_text(prv, ":231:60000019:0\n");
	has_text(prv, ":251:60000019:0\n");
	is_int(s.calls, 3);
	is_int(s.dropped, 0);
	is_int(s.warning_count > 0, s.unnamed > 0); /* that methods have no names, and no more */
	has_text(prv, ":201:48100016:1\n");
	has_text(prv, ":251:48100016:0\n");
	has_text(prv, ":51:48100015:");
	free(prv);
	char *pcf = make_slurp(make_path("detail.pcf"));

	has_text(pcf, "48100015    Java method no longer recorded\nVALUES\n0      None\n");
	has_text(pcf, "48100016    Java methods all recorded\nVALUES\n0      No, some are closed\n"
		      "1      Yes, for a moment\n");
	free(pcf);
}

TEST(damage_is_counted)
{
	struct make m = make_begin("damage");
	struct trace_summary s;

	make_thread(&m, 1, 0, "main");
	make_at(&m, 100, JWR_ENTER, make_method(0));
	make_at(&m, 150, JWR_CLOSED, 5); /* by a thread of the program */
	make_at(&m, 900, JWR_EXIT, make_method(0));
	make_meta(&m, "closed|x|5\nclosed|5\ndetail|9\nexcept|y\nclosed|4|99999999999999999999");
	make_finish(&m, true);
	char *prv = make_prv("damage", NULL, &s);

	is_int(s.calls, 1);
	is_int(s.closed_methods, 0);
	ok(s.warning_count >= 2);
	free(prv);
}
