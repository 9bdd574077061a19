/*
 * Connections between processes: which sockets are the two ends of one, arrows between recordings,
 * bytes by reason, clocks of several machines; in recordings made by hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/report/report.h"

#include "base/banned.h"

#define PEERS 1030

static struct make peers[PEERS];
static uint64_t moved[PEERS][10][2];
static size_t count;
static struct trace_report report;
static char text[8192];
static char notes[2048]; /* of the last conversion, a line each */

/* The next process, of machine BOOT, in NAMESPACE, whose wall clock is WALL ns ahead; in TIME_NAMESPACE (0: not told),
 * whose monotonic clock is MONO ns ahead. */
static void process_in(const char *boot, unsigned namespace, int64_t wall, unsigned time_namespace,
		       uint64_t mono)
{
	struct make *m = &peers[count];

	*m = make_begin_bare(make_path("peer-%zu", count) + strlen(make_folder()) + 1);
	memset(moved[count], 0, sizeof(moved[count]));
	m->wall_start += (uint64_t)wall;
	m->mono_start += mono;
	make_meta(m,
		  "jweave-recording|1\nclock|tsc\nclock-point|%u|%llu|%llu\nhost|%s\npid|%zu\n"
		  "boot|%s|0|%u\nnet-namespace|%u",
		  MAKE_START, (unsigned long long)m->mono_start, (unsigned long long)m->wall_start,
		  boot, count + 1, boot, time_namespace, namespace);
	make_event(m, 1, MAKE_START, JWR_ENTER, 7);
	make_event(m, 1, MAKE_START + 2, JWR_EXIT, 7);
	count++;
}

static void process(const char *boot, unsigned namespace, int64_t wall)
{
	process_in(boot, namespace, wall, 0, 0);
}

static uint64_t tick(uint64_t ns)
{
	return MAKE_START + ns * 2;
}

static void connection(uint32_t p, unsigned number, uint64_t ns, const char *role, const char *from,
		       const char *to)
{
	make_meta(&peers[p], "connection|%u|%llu|%s|tcp|%s|%s|71|0|0", number,
		  (unsigned long long)tick(ns), role, from, to);
}

static void closed(uint32_t p, unsigned number, uint64_t ns, uint64_t written, uint64_t read,
		   const char *how)
{
	make_meta(&peers[p], "connection-end|%u|%llu|%llu|%llu|%s", number,
		  (unsigned long long)tick(ns), (unsigned long long)written,
		  (unsigned long long)read, how);
}

/* N bytes, from FROM to TO in ns. */
static void transfer(uint32_t p, enum jwr_await what, unsigned number, uint64_t from, uint64_t to,
		     uint64_t n)
{
	uint64_t *sum = &moved[p][number][what == JWR_AWAIT_READ];

	make_event(&peers[p], 1, tick(from), JWR_AWAIT, jwr_await(what, number));
	*sum += n;
	make_event(&peers[p], 1, tick(to), JWR_AWAITED, jwr_awaited(what, n, *sum));
}

static void writes(uint32_t p, unsigned number, uint64_t at, uint64_t n)
{
	transfer(p, JWR_AWAIT_WRITE, number, at, at + 100, n);
}

static void reads(uint32_t p, unsigned number, uint64_t at, uint64_t n)
{
	transfer(p, JWR_AWAIT_READ, number, at - 100, at, n);
}

/* What of it is not told. */
static void untold(uint32_t p, unsigned number, enum jwr_await what, uint64_t n)
{
	moved[p][number][what == JWR_AWAIT_READ] += n;
}

static void writes_from(uint32_t p, unsigned number, uint64_t at, uint64_t n)
{
	make_event(&peers[p], 1, tick(at), JWR_AWAIT, jwr_await(JWR_AWAIT_WRITE, number));
	make_event(&peers[p], 1, tick(at + 50), JWR_OFFSET, moved[p][number][0]);
	moved[p][number][0] += n;
	make_event(&peers[p], 1, tick(at + 100), JWR_AWAITED,
		   jwr_awaited(JWR_AWAIT_WRITE, n, moved[p][number][0]));
}

/* Ends all recordings, and reports them; WITH_TRACE: they become the trace "peers", too. */
static void end_all(bool with_trace)
{
	static struct jw_arena arena;
	const char *paths[PEERS];
	struct trace_summary sum;
	struct jw_err e = { 0 };

	for (size_t p = 0; p < count; p++) {
		make_finish(&peers[p], true);
		paths[p] = peers[p].path;
	}
	const struct trace_job job = { .recordings = paths, .recording_count = count };

	jw_arena_free(&arena);
	report = (struct trace_report){ 0 };
	is_int(trace_report_recordings(&job, &arena, &report, &e), JW_OK);
	if (with_trace &&
	    !is_int(make_convert(paths, count, "peers", NULL, &arena, &sum, &e), JW_OK))
		tap_note("%s", e.text);
	notes[0] = '\0';
	for (size_t i = 0, n = 0; with_trace && i < sum.warning_count && n < sizeof(notes); i++)
		n += (size_t)snprintf(notes + n, sizeof(notes) - n, "%s\n", sum.warnings[i]);
	if (with_trace)
		is_int(make_validate("peers"), 0);
	count = 0;
}

/* The arrows of all: "PROCESS@SEND>PROCESS@RECEIVE ", in units of 100 ns. */
static const char *arrows(void)
{
	size_t n = 0;

	end_all(true);
	char *prv = make_slurp(make_path("peers.prv"));

	text[0] = '\0';
	for (const char *p = prv; n < sizeof(text) - 100 && (p = strstr(p, "\n3:")); p++) {
		unsigned from, to;
		unsigned long long send, receive;

		if (sscanf(p, "\n3:%*u:1:%u:%*u:%llu:%*u:%*u:1:%u:%*u:%llu", &from, &send, &to,
			   &receive) == 4)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%u@%llu>%u@%llu ", from,
					      send / 100, to, receive / 100);
	}
	free(prv);
	return text;
}

/* A question and its answer, between A and B, from time AT on, where B is ahead: 1000 ns there, 2000
 * back. */
static void ask_ahead(uint32_t a, uint32_t b, unsigned number, uint64_t at, uint64_t ahead)
{
	writes(a, number, at, 100);
	reads(b, number, at + ahead + 1000, 100);
	writes(b, number, at + ahead + 3000, 200);
	reads(a, number, at + 5000, 200);
}

static void ask(uint32_t a, uint32_t b, unsigned number, uint64_t at)
{
	ask_ahead(a, b, number, at, 0);
}

#define A_TO_B "10.0.0.1|4000", "10.0.0.2|80"
#define B_TO_A "10.0.0.2|80", "10.0.0.1|4000"
#define HERE   "127.0.0.1|4000", "127.0.0.1|80"
#define THERE  "127.0.0.1|80", "127.0.0.1|4000"

static void two(const char *boot, unsigned namespace)
{
	process("boot-a", 1, 0);
	process(boot, namespace, 0);
}

static void link_of(uint32_t a, uint32_t b, unsigned number, uint64_t at)
{
	connection(a, number, at, "connect", A_TO_B);
	connection(b, number, at + 100, "accept", B_TO_A);
}

static uint64_t unmatched(enum trace_unmatched why)
{
	return report.sockets.unmatched[why];
}

/* By loopback: all of it has its arrow. */
static void talk_here(void)
{
	connection(0, 3, 100, "connect", HERE);
	connection(1, 4, 200, "accept", THERE);
	writes(0, 3, 1000, 100);
	reads(1, 4, 2000, 100);
	writes(1, 4, 3000, 50);
	reads(0, 3, 4000, 50);
	is_str(arrows(), "1@10>2@20 2@30>1@40 ");
	is_int(report.sockets.matched, 300);
}

TEST(two_processes_of_one_machine)
{
	two("boot-a", 1);
	talk_here();
	for (int i = 0; i < TRACE_UNMATCHED_COUNT; i++)
		is_int(unmatched((enum trace_unmatched)i), 0);
	is_int(report.messages.machines, 0);
}

/* Seconds or hours apart, they are on one axis, and loopback is that of both. */
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

/* Of the second machine it changes by 200 ppm after a second: no straight line is right. */
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

/* They are moved no more than they have to be. */
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

/* Of one machine no clock is moved: an arrow that runs backwards is told, and left out. */
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

/* Each talks to one other, whose clock is wrong by some ms. */
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
