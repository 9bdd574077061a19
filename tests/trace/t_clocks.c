/*
 * Clocks of several machines, and of several time namespaces of one, as messages say; in recordings
 * made by hand.
 */
#include "tests/trace/make_peers.h"

#include "base/banned.h"

TEST(two_time_namespaces_of_one_machine)
{
	static const uint64_t ahead[] = { UINT64_C(5000000000), UINT64_C(5000000000000) };

	for (size_t i = 0; i < 2; i++) {
		process_in("boot-a", 1, 0, 1, 0);
		process_in("boot-a", 1, 0, 2, ahead[i]);
		talk_here();
		is_int(report.messages.machines, 0);
	}
}

TEST(two_time_namespaces_that_disagree)
{
	process_in("boot-a", 1, 0, 1, 0);
	process_in("boot-a", 1, INT64_C(3000000000), 2, UINT64_C(5000000000));
	connection(0, 3, 100, "connect", HERE);
	connection(1, 3, 200, "accept", THERE);
	ask(0, 1, 3, 1000);
	/* 1000 there and 2000 back */
	is_str(arrows(), "1@10>2@25 2@45>1@60 ");
	is_int(report.messages.machines, 2);
	is_int(report.messages.messages, 2);
	is_int(report.messages.backwards, 1);
	is_int(report.sockets.backwards, 0);
}

TEST(in_order_where_clocks_are_wrong)
{
	process("boot-a", 1, 0);
	process("boot-b", 1, INT64_C(3000000000));
	for (unsigned i = 0; i < 3; i++) {
		uint64_t at = 100 + i * UINT64_C(1000000000);

		link_of(0, 1, i + 1, at);
		ask(0, 1, i + 1, at + 1000);
		closed(0, i + 1, at + 9000, 100, 200, "whole");
		closed(1, i + 1, at + 9000, 200, 100, "whole");
	}
	(void)arrows();
	is_int(report.sockets.matched, 3 * 600);
	is_int(report.messages.machines, 2);
	is_int(report.messages.messages, 6);
	is_int(report.messages.backwards, 3);
	ok(report.messages.most_ns > 2900000000 && report.messages.most_ns < 3000000000);
	is_int(report.sockets.backwards, 0);
	/* one more on one side, soon after another: nobody knows which is meant */
	process("boot-a", 1, 0);
	process("boot-b", 1, INT64_C(3000000000));
	link_of(0, 1, 1, 100);
	connection(0, 2, 200, "late", A_TO_B);
	ask(0, 1, 1, 1000);
	is_str(arrows(), "");
	is_int(unmatched(TRACE_UNMATCHED_UNSURE), 600);
}

TEST(clocks_of_two_machines)
{
	process("boot-a", 1, 0);
	process("boot-b", 1, -INT64_C(5000000000));
	link_of(0, 1, 1, 100);
	ask(0, 1, 1, 1000000);
	ask(0, 1, 1, 2000000);
	/* 1000 there and 2000 back: the middle is 500 off */
	is_str(arrows(), "1@10000>2@10015 2@10035>1@10050 1@20000>2@20015 2@20035>1@20050 ");
	is_int(report.messages.backwards, 2);
	ok(strstr(notes, "the clocks of 2 machines were set by 4 messages between them: of the "
			 "arrows 2 ran backwards before, by up to 4999.9"));
}

TEST(a_clock_whose_rate_changes)
{
	process("boot-a", 1, 0);
	process("boot-b", 1, INT64_C(3000000000));
	link_of(0, 1, 1, 100);
	for (uint64_t at = 10000; at < 2000000000; at += 10000000)
		ask_ahead(0, 1, 1, at, at < 1000000000 ? at / 5000 : 200000);
	(void)arrows();
	is_int(report.messages.messages, 400);
	is_int(report.messages.backwards, 200);
	is_int(report.sockets.backwards, 0);
	is_int(report.sockets.matched, 200 * 600);
}

TEST(messages_one_way)
{
	process("boot-a", 1, 0);
	process("boot-b", 1, -1700);
	link_of(0, 1, 1, 100);
	writes(0, 1, 100000, 10);
	reads(1, 1, 101000, 10);
	is_str(arrows(), "1@1010>2@1010 ");
	process("boot-a", 1, 0);
	process("boot-b", 1, 1700);
	link_of(0, 1, 1, 100);
	writes(0, 1, 100000, 10);
	reads(1, 1, 101000, 10);
	is_str(arrows(), "1@1000>2@1027 ");
	is_int(report.messages.machines, 2);
	ok(!strstr(notes, "the clocks of")); /* nothing was wrong */
}

TEST(one_machine_has_one_clock)
{
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	writes(0, 1, 100000, 10);
	reads(1, 1, 99000, 10);
	is_str(arrows(), "");
	is_int(report.sockets.backwards, 1);
	is_int(report.sockets.most_backwards, 1000);
	is_int(report.messages.machines, 0);
	ok(strstr(notes, "1 arrow between processes on one clock would run backwards, by up to "
			 "0.001 ms, and is left out"));
}

TEST(many_machines)
{
	for (unsigned i = 0; i < PEERS; i++)
		process(make_path("%u", i), 1, i % 2 * INT64_C(1000000) * (i % 7 + 1));
	for (unsigned i = 0; i < PEERS; i += 2) {
		char from[32], to[32];

		snprintf(from, sizeof(from), "10.0.%u.%u|4000", i / 256, i % 256);
		snprintf(to, sizeof(to), "10.1.%u.%u|80", i / 256, i % 256);
		connection(i, 1, 100, "connect", from, to);
		connection(i + 1, 1, 200, "accept", to, from);
		ask(i, i + 1, 1, 1000);
	}
	end_all(false);
	is_int(report.messages.machines, PEERS);
	is_int(report.messages.messages, PEERS);
	is_int(report.messages.backwards, PEERS / 2);
	is_int(report.sockets.backwards, 0);
}

TEST(many_that_wait_for_another_clock)
{
	static const size_t n = 70000;

	process("boot-a", 1, INT64_C(20000000000));
	process("boot-b", 1, 0);
	link_of(0, 1, 1, 100);
	for (size_t i = 0; i < n; i++) {
		writes(0, 1, 1000 + i * 10000, 10);
		reads(1, 1, 2000 + i * 10000, 10);
		writes(1, 1, 5000 + i * 10000, 10);
		reads(0, 1, 6000 + i * 10000, 10);
	}
	end_all(false);
	is_int(report.sockets.matched, n * 40);
	is_int(report.sockets.backwards, 0);
	ok(report.messages.messages > n && report.messages.messages < 2 * n);
}

TEST(memory_fails_at_every_place)
{
	const char *paths[2];
	long n = 0;

	process("boot-a", 1, 0);
	process("boot-b", 1, -INT64_C(5000000000));
	link_of(0, 1, 1, 100);
	for (uint64_t i = 1; i <= 3; i++) /* no straight line is right */
		ask_ahead(0, 1, 1, i * 1000000000, i > 1 ? 200000 : 0);
	end_all(false);
	for (size_t p = 0; p < 2; p++)
		paths[p] = peers[p].path;
	const struct trace_job job = { .recordings = paths, .recording_count = 2 };

	for (; n < 5000; n++) {
		struct jw_arena arena = { 0 };
		struct trace_report r = { 0 };
		struct jw_err e = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = trace_report_recordings(&job, &arena, &r, &e);
		bool failed = jw_mem_fail_after(-1);

		jw_arena_free(&arena);
		if (!failed) {
			is_int(status, JW_OK);
			is_int(r.messages.messages, 6);
			is_int(r.sockets.backwards, 0);
			break;
		}
		if (status != JW_OK && !is_int(status, JW_NOMEM))
			break;
	}
	ok(n > 100 && n < 5000);
}

/* As many connections with the same ports, a client's with one server and a server's with another
 * client: in their order no clock fits, since the pauses differ. */
TEST(two_machines_that_never_spoke)
{
	process("boot-a", 1, 0);
	process("boot-b", 1, 0);
	for (unsigned i = 0; i < 5; i++) {
		uint64_t at = 1000000 + i * UINT64_C(10000000), then = at + i % 2 * 3000000;

		connection(0, i + 1, at, "connect", A_TO_B);
		writes(0, i + 1, at + 1000, 100);
		reads(0, i + 1, at + 5000, 100);
		closed(0, i + 1, at + 9000, 100, 100, "whole");
		connection(1, i + 1, then, "accept", B_TO_A);
		reads(1, i + 1, then + 2000, 100);
		writes(1, i + 1, then + 3000, 100);
		closed(1, i + 1, then + 9000, 100, 100, "whole");
	}
	is_str(arrows(), "");
	is_int(report.messages.strangers, 1);
	is_int(report.messages.machines, 0);
	is_int(unmatched(TRACE_UNMATCHED_UNSURE), 2000);
	ok(strstr(
		notes,
		"connections of 1 pair of machines have the same ports one after the other, and no "
		"clocks fit the messages on them: they are not taken for the ends of each other in "
		"their order"));
}
