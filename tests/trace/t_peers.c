/*
 * Connections between processes: which sockets are the two ends of one, arrows between recordings,
 * bytes by reason; in recordings made by hand.
 */
#include "tests/trace/make_peers.h"

#include "base/banned.h"

TEST(two_processes_of_one_machine)
{
	two("boot-a", 1);
	talk_here();
	for (int i = 0; i < TRACE_UNMATCHED_COUNT; i++)
		is_int(unmatched((enum trace_unmatched)i), 0);
	is_int(report.messages.machines, 0);
}

/* Seconds or hours apart, they are on one axis, and loopback is that of both. */
/* Connection I of the same ports, of 100 bytes; ACCEPTED: process 1 has it, too, and tells of it first. */
static void use_again(unsigned i, bool accepted)
{
	uint64_t at = 1000 + i * 10000;

	connection(0, i + 1, at, "connect", A_TO_B);
	writes(0, i + 1, at + 100, 100);
	closed(0, i + 1, at + 9000, 100, 0, "whole");
	if (!accepted)
		return;
	connection(1, i + 1, at - 50, "accept", B_TO_A);
	reads(1, i + 1, at + 1100, 100);
	closed(1, i + 1, at + 8000, 0, 100, "whole");
}

/* Those that an unwoven server had before are of nobody, whether both are in one network or not. */
TEST(ports_that_are_used_again)
{
	for (unsigned namespace = 1; namespace <= 2; namespace ++) {
		two("boot-a", namespace);
		for (unsigned i = 0; i < 7; i++)
			use_again(i, i >= 4);
		is_str(arrows(), "1@411>2@421 1@511>2@521 1@611>2@621 ");
		is_int(report.sockets.backwards, 0);
		is_int(report.sockets.matched, 600);
		is_int(unmatched(TRACE_UNMATCHED_ALONE), 400);
	}
}

/* It waits to be accepted, since no other one was connected meanwhile. */
TEST(one_that_was_closed_before_it_was_accepted)
{
	for (unsigned namespace = 1; namespace <= 2; namespace ++) {
		two("boot-a", namespace);
		use_again(0, false);
		use_again(1, false);
		connection(1, 3, 40000, "accept", B_TO_A);
		reads(1, 3, 50000, 100);
		closed(1, 3, 51000, 0, 100, "whole");
		is_str(arrows(), "1@111>2@500 ");
		is_int(unmatched(TRACE_UNMATCHED_ALONE), 100);
	}
}

/* The wall clock was set between their beginnings: messages say by how much. */
TEST(loopback_is_of_one_network)
{
	two("boot-a", 2);
	connection(0, 3, 100, "connect", HERE);
	connection(1, 3, 200, "accept", THERE);
	ask(0, 1, 3, 1000);
	is_str(arrows(), "");
	is_int(unmatched(TRACE_UNMATCHED_ALONE), 600);
	two("boot-b", 1);
	connection(0, 3, 100, "connect", HERE);
	connection(1, 3, 200, "accept", THERE);
	ask(0, 1, 3, 1000);
	is_str(arrows(), "");
	is_int(report.sockets.ends[TRACE_UNMATCHED_ALONE], 2);
}

TEST(two_networks_of_one_machine)
{
	two("boot-a", 2);
	link_of(0, 1, 3, 100);
	ask(0, 1, 3, 1000);
	is_str(arrows(), "1@10>2@20 2@40>1@60 ");
}

/* Private addresses are used in many networks. */
TEST(no_arrow_where_two_may_be_meant)
{
	two("boot-a", 2);
	process("boot-a", 3, 0);
	link_of(0, 1, 3, 100);
	connection(2, 3, 300, "accept", B_TO_A);
	ask(0, 1, 3, 1000);
	writes(2, 3, 1000, 7);
	is_str(arrows(), "");
	is_int(unmatched(TRACE_UNMATCHED_UNSURE), 607);
	is_int(report.sockets.ends[TRACE_UNMATCHED_UNSURE], 3);
	/* of the one that has read more than was written nobody thinks */
	two("boot-a", 2);
	process("boot-a", 3, 0);
	link_of(0, 1, 3, 100);
	connection(2, 3, 300, "accept", B_TO_A);
	ask(0, 1, 3, 1000);
	reads(2, 3, 1000, 777);
	closed(0, 3, 9000, 100, 200, "whole");
	closed(2, 3, 9000, 0, 777, "whole");
	is_str(arrows(), "1@10>2@20 2@40>1@60 ");
	is_int(unmatched(TRACE_UNMATCHED_ALONE), 777);
}

/* The same ports on two machines: the first with the first, whatever their clocks say. */
/* Of the second machine it changes by 200 ppm after a second: no straight line is right. */
/* They are moved no more than they have to be. */
/* Of one machine no clock is moved: an arrow that runs backwards is told, and left out. */
/* Each talks to one other, whose clock is wrong by some ms. */
/* What ended last of what one read got is not told: the one before did not let it go. */
TEST(a_write_that_is_not_told)
{
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	writes(0, 1, 1000, 100);
	untold(0, 1, JWR_AWAIT_WRITE, 100);
	reads(1, 1, 3000, 200);
	writes_from(0, 1, 4000, 50);
	reads(1, 1, 5000, 50);
	is_str(arrows(), "1@40>2@50 ");
	is_int(report.sockets.matched, 300);
	is_int(unmatched(TRACE_UNMATCHED_OPEN), 100);
}

TEST(an_offset_goes_on_where_records_were_missing)
{
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	writes(0, 1, 1000, 100);
	reads(1, 1, 1500, 100);
	untold(0, 1, JWR_AWAIT_WRITE, 1);
	writes(0, 1, 2000, 100); /* of which nobody knows where it is */
	reads(1, 1, 2500, 101);
	writes_from(0, 1, 4000, 50);
	reads(1, 1, 5000, 50);
	is_str(arrows(), "1@10>2@15 1@40>2@50 ");
	is_int(unmatched(TRACE_UNMATCHED_MISSING), 201);
}

TEST(an_offset_that_goes_back)
{
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	writes(0, 1, 1000, 100);
	reads(1, 1, 1500, 100);
	moved[0][1][0] = 50;
	writes_from(0, 1, 2000, 100);
	reads(1, 1, 2500, 50);
	is_str(arrows(), "1@10>2@15 ");
	is_int(unmatched(TRACE_UNMATCHED_MISSING), 150);
}

/* More reads than are kept wait for writes of a clock that is late: some of them are enough. */
TEST(bytes_by_reason)
{
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	connection(0, 2, 100, "connect", "10.0.0.1|4001", "10.0.0.9|80");
	make_meta(&peers[0], "connection|3|10|connect|udp|127.0.0.1|80|127.0.0.1|4000|92|0|0");
	make_meta(&peers[0], "connection|4|10|connect|unix|/a|0|/b|0|92|0|0");
	connection(0, 5, 100, "connect", "10.0.0.1|4002", "10.0.0.2|80");
	connection(1, 5, 110, "accept", "10.0.0.2|80", "10.0.0.1|4002");
	closed(0, 5, 90000, 101, 0, "other");
	ask(0, 1, 1, 1000);
	writes(0, 1, 8000, 7); /* that is never read */
	writes(0, 2, 9000, 11);
	writes(0, 3, 10000, 12);
	writes(0, 4, 11000, 13);
	writes(0, 5, 12000, 100);
	reads(1, 5, 13000, 100);
	(void)arrows();
	is_int(report.sockets.matched, 600);
	is_int(unmatched(TRACE_UNMATCHED_OPEN), 7);
	is_int(unmatched(TRACE_UNMATCHED_ALONE), 11);
	is_int(unmatched(TRACE_UNMATCHED_DATAGRAM), 12);
	is_int(unmatched(TRACE_UNMATCHED_OTHER), 13);
	is_int(unmatched(TRACE_UNMATCHED_OTHER_WAY), 200);
	is_int(unmatched(TRACE_UNMATCHED_UNSURE) + unmatched(TRACE_UNMATCHED_MISSING), 0);
}

/* It is no flaw that a connection is closed before all was read. */
TEST(what_was_closed_unread)
{
	for (int is_closed = 0; is_closed < 2; is_closed++) {
		two("boot-a", 1);
		link_of(0, 1, 1, 100);
		writes(0, 1, 1000, 100);
		reads(1, 1, 2000, 100);
		writes(0, 1, 8000, 70);
		if (is_closed)
			closed(0, 1, 9000, 170, 0, "whole");
		(void)arrows();
		is_int(unmatched(TRACE_UNMATCHED_OPEN), 70);
		is_int(report.sockets.unread, is_closed ? 70 : 0);
		bool said = strstr(notes, "of 270 bytes that recorded ends of connections have "
					  "written and read 74.1 % are matched");

		ok(said == !is_closed);
	}
}

/* All was read, but one end was not recorded for a while. */
TEST(what_was_read_in_a_pause)
{
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	writes(0, 1, 1000, 100);
	reads(1, 1, 2000, 100);
	writes(0, 1, 8000, 70);
	closed(0, 1, 9000, 170, 0, "whole");
	closed(1, 1, 9000, 0, 170, "whole");
	(void)arrows();
	is_int(unmatched(TRACE_UNMATCHED_OPEN), 70);
	is_int(report.sockets.unread, 0);
	ok(strstr(notes,
		  "of 270 bytes that recorded ends of connections have written and read 74.1 % "
		  "are matched"));
	/* nobody knows what was read in a pause that it did not outlive */
	two("boot-a", 1);
	link_of(0, 1, 1, 100);
	writes(0, 1, 1000, 100);
	make_meta(&peers[1], "pause|%llu", (unsigned long long)tick(7000));
	make_meta(&peers[1], "resume|%llu", (unsigned long long)tick(8500));
	closed(0, 1, 9000, 100, 0, "whole");
	(void)arrows();
	is_int(unmatched(TRACE_UNMATCHED_OPEN), 100);
	is_int(report.sockets.unread, 0);
}
