/*
 * Reads and writes, as natives of the JDK that are tapped tell of them: states, events with bytes,
 * and arrows by connection and offset; in recordings made by hand (make_steps.h).
 */
#include "trace/report/report.h"

#include "tests/trace/make_arrows.h"

#include "base/banned.h"

enum { CLIENT = 3, SERVER = 4, FILE_9 = 9 };

/* N threads, and a connection with both ends: nothing was moved before. */
static void begin_net(const char *what, uint32_t n)
{
	begin(what, n);
	make_meta(&m, "net-namespace|4026531833");
	make_meta(&m, "connection|2|5|listen|tcp|127.0.0.1|80||0|70|0|0");
	make_meta(&m, "connection|3|10|connect|tcp|127.0.0.1|4000|127.0.0.1|80|71|0|0");
	make_meta(&m, "connection|4|11|accept|tcp|127.0.0.1|80|127.0.0.1|4000|72|0|0");
	make_meta(&m, "file|9|/tmp/a.txt");
}

/* How much was moved by each end of the connection: written, read. */
static uint64_t moved[50][2];

static void begins(uint32_t uid, enum jwr_await what, uint32_t number)
{
	vm(uid, JWR_AWAIT, jwr_await(what, number));
}

static void ends(uint32_t uid, enum jwr_await what, uint32_t number, uint64_t n)
{
	moved[number][what == JWR_AWAIT_READ] += n;
	vm(uid, JWR_AWAITED, jwr_awaited(what, n, moved[number][what == JWR_AWAIT_READ]));
}

static void transfer(uint32_t uid, enum jwr_await what, uint32_t number, uint64_t n)
{
	begins(uid, what, number);
	ends(uid, what, number, n);
}

static void fresh(const char *what, uint32_t n)
{
	memset(moved, 0, sizeof(moved));
	begin_net(what, n);
}

TEST(an_arrow_from_the_write_to_the_read_of_its_last_byte)
{
	fresh("echo", 2);
	begins(2, JWR_AWAIT_READ, SERVER);         /* 1 */
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 100); /* 2, 3 */
	ends(2, JWR_AWAIT_READ, SERVER, 100);      /* 4 */
	begins(1, JWR_AWAIT_READ, CLIENT);         /* 5 */
	begins(2, JWR_AWAIT_WRITE, SERVER);        /* 6 */
	ends(1, JWR_AWAIT_READ, CLIENT, 100);      /* 7: before the write is over */
	ends(2, JWR_AWAIT_WRITE, SERVER, 100);     /* 8 */
	is_str(arrows(), "1@2>2@4/904 2@6>1@7/904 ");
	is_str(waits(1), "12@2-3 12@5-7 ");
	is_str(waits(2), "34@1-4 12@6-8 ");
	is_int(in_trace(":48100028:9\n"), 1);
	is_int(in_trace(":48100031:100:"), 2);
	is_int(in_trace(":48100032:100:"), 2);
	is_int(in_trace(":100:904\n"), 2); /* arrows have the bytes */
	ok(in_pcf("tcp 127.0.0.1:4000 > 127.0.0.1:80\n"));
}

/* One write that is read in pieces has one arrow; of two that are read at once the last has. The bytes of arrows are
 * those that went since the one before. */
TEST(pieces_and_several_at_once)
{
	fresh("pieces", 2);
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 100); /* 1, 2 */
	transfer(2, JWR_AWAIT_READ, SERVER, 60);   /* 3, 4 */
	transfer(2, JWR_AWAIT_READ, SERVER, 40);   /* 5, 6 */
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 10);  /* 7, 8 */
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 10);  /* 9, 10 */
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 10);  /* 11, 12 */
	transfer(2, JWR_AWAIT_READ, SERVER, 25);   /* 13, 14 */
	transfer(2, JWR_AWAIT_READ, SERVER, 0);    /* nothing to read */
	is_str(arrows(), "1@1>2@6/904 1@9>2@14/904 ");
	is_int(in_trace(":100:904\n"), 1);
	is_int(in_trace(":25:904\n"), 1);
}

TEST(who_connects_and_who_accepts)
{
	fresh("accept", 3);
	begins(2, JWR_AWAIT_ACCEPT, 2);  /* 1 */
	begins(1, JWR_AWAIT_CONNECT, 0); /* 2 */
	vm(2, JWR_AWAITED,
	   jwr_awaited(JWR_AWAIT_ACCEPT, SERVER, 0)); /* 3: before the other one knows */
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_CONNECT, CLIENT, 0));
	is_str(arrows(), "1@2>2@3/909 ");
	is_str(waits(2), "34@1-3 "); /* nothing else to do */
	is_str(waits(1), "12@2-4 ");
}

/* A selector waits for work, unless it is waited for by something that is told. */
TEST(a_selector_waits_for_work)
{
	fresh("select", 1);
	begins(1, JWR_AWAIT_SELECT, 0);
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_SELECT, 0, 0));
	call(1, GET, 60); /* 3 */
	begins(1, JWR_AWAIT_SELECT, 0);
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_SELECT, 0, 0));
	ret(1, GET);
	is_str(arrows(), "");
	is_str(waits(1), "34@1-2 8@3-4 12@4-5 8@5-6 ");
}

/* So does who reads, or polls to read, from a connection that was accepted, until there is a request; the
 * rest of that is I/O, until it is answered. What is read in the midst of an operation is I/O, too, and
 * so is what comes from elsewhere meanwhile. */
TEST(a_server_waits_for_requests)
{
	fresh("requests", 2);
	transfer(1, JWR_AWAIT_READ, SERVER, 0);   /* 1, 2: there is none yet */
	transfer(1, JWR_AWAIT_POLL, SERVER, 0);   /* 3, 4 */
	transfer(1, JWR_AWAIT_READ, SERVER, 10);  /* 5, 6 */
	transfer(1, JWR_AWAIT_POLL, SERVER, 0);   /* 7, 8: its rest */
	transfer(1, JWR_AWAIT_READ, SERVER, 10);  /* 9, 10 */
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 10); /* 11, 12: as a client of another */
	transfer(1, JWR_AWAIT_READ, CLIENT, 10);  /* 13, 14 */
	transfer(1, JWR_AWAIT_READ, SERVER, 10);  /* 15, 16 */
	transfer(1, JWR_AWAIT_WRITE, SERVER, 10); /* 17, 18 */
	transfer(1, JWR_AWAIT_READ, SERVER, 10);  /* 19, 20: the next */
	transfer(1, JWR_AWAIT_WRITE, SERVER, 10); /* 21, 22 */
	call(1, GET, 60);                         /* 23 */
	transfer(1, JWR_AWAIT_READ, SERVER, 10);  /* 24, 25 */
	ret(1, GET);
	transfer(2, JWR_AWAIT_READ, FILE_9, 10); /* 27, 28 */
	(void)arrows();
	is_str(waits(1), "34@1-2 34@3-4 34@5-6 12@7-8 12@9-10 12@11-12 12@13-14 12@15-16 12@17-18 "
			 "34@19-20 12@21-22 8@23-24 12@24-25 8@25-26 ");
	is_str(waits(2), "12@27-28 ");
	is_int(in_trace(":48100028:5\n"), 4);
}

/* Who polls before it accepts waits for somebody to connect, also where nobody does so for the time that it gives. */
TEST(a_server_polls_before_it_accepts)
{
	fresh("listens", 1);
	transfer(1, JWR_AWAIT_POLL, 2, 0); /* 1, 2 */
	transfer(1, JWR_AWAIT_POLL, 2, 0); /* 3, 4 */
	begins(1, JWR_AWAIT_ACCEPT, 2);    /* 5, 6 */
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_ACCEPT, SERVER, 0));
	(void)arrows();
	is_str(waits(1), "34@1-2 34@3-4 34@5-6 ");
}

/* A connection that was there before it was seen was accepted, if this JVM listens at its port. */
TEST(where_it_listens_it_has_accepted)
{
	fresh("late", 1);
	make_meta(&m, "connection|20|12|late|tcp|127.0.0.1|80|127.0.0.1|4001|73|0|0");
	make_meta(&m, "connection|21|12|late|tcp|127.0.0.1|4002|127.0.0.1|80|74|0|0");
	make_meta(&m, "connection|22|12|late|udp|127.0.0.1|80|127.0.0.1|4003|75|0|0");
	transfer(1, JWR_AWAIT_READ, 20, 10); /* 1, 2 */
	transfer(1, JWR_AWAIT_READ, 21, 10); /* 3, 4 */
	transfer(1, JWR_AWAIT_READ, 22, 10); /* 5, 6 */
	(void)arrows();
	is_str(waits(1), "34@1-2 12@3-4 12@5-6 ");
	ok(in_pcf("tcp 127.0.0.1:80 < 127.0.0.1:4001\n"));
	ok(in_pcf("tcp 127.0.0.1:4002 > 127.0.0.1:80\n"));
}

/* What connects to a unix socket has no path, and what accepts sees none: the role says what is what. */
TEST(unix_sockets_are_told_by_their_role)
{
	fresh("unix", 1);
	make_meta(&m, "connection|20|12|listen|unix|/s|0||0|73|0|0");
	make_meta(&m, "connection|21|12|connect|unix||0|/s|0|74|0|0");
	make_meta(&m, "connection|22|12|accept|unix|/s|0||0|75|0|0");
	make_meta(&m, "connection|23|12|accept|tcp|127.0.0.1|80||0|76|0|0");
	make_meta(&m, "connection|24|12|late|unix|/s|0||0|77|0|0");
	make_meta(&m, "connection|25|12|late|unix||0|/s|0|78|0|0");
	begins(1, JWR_AWAIT_ACCEPT, 20);
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_ACCEPT, 22, 0));
	transfer(1, JWR_AWAIT_READ, 21, 10);
	transfer(1, JWR_AWAIT_READ, 22, 10);
	for (unsigned i = 23; i <= 25; i++)
		transfer(1, JWR_AWAIT_READ, i, 10);
	(void)arrows();
	ok(in_pcf("unix /s\n"));
	ok(in_pcf("unix #21 > /s\n"));
	ok(in_pcf("unix /s < #22\n"));
	ok(in_pcf("tcp 127.0.0.1:80 < ?:0\n"));
	ok(in_pcf("unix /s < #24\n"));
	ok(in_pcf("unix #25 > /s\n"));
}

/* A read that goes on to the end is of a connection, too, and has moved nothing. */
TEST(a_read_that_does_not_end)
{
	fresh("goes-on", 1);
	step();
	begins(1, JWR_AWAIT_READ, CLIENT);
	(void)arrows();
	is_int(in_trace(":48100030:1"), 1);
	is_int(in_trace(":48100031:"), 0);
	is_int(in_trace(":48100033:"), 0);
}

/* Bytes that were moved before, or by who is not seen, are told by an offset. */
TEST(offsets_say_where_it_goes_on)
{
	fresh("offset", 2);
	begins(1, JWR_AWAIT_WRITE, CLIENT);
	vm(1, JWR_OFFSET, 70000);
	moved[CLIENT][0] = 70000;
	ends(1, JWR_AWAIT_WRITE, CLIENT, 5); /* 3 */
	begins(2, JWR_AWAIT_READ, SERVER);   /* 4 */
	vm(2, JWR_OFFSET, 69990);
	moved[SERVER][1] = 69990;
	ends(2, JWR_AWAIT_READ, SERVER, 15); /* 6 */
	is_str(arrows(), "1@1>2@6/904 ");
}

static bool has_warning(const struct trace_summary *sum, const char *text)
{
	for (size_t i = 0; i < sum->warning_count; i++)
		if (strstr(sum->warnings[i], text))
			return true;
	return false;
}

/* What the trace of the recording at hand warns of. */
static bool warns(const char *text)
{
	static struct jw_arena arena;
	struct trace_summary sum = { 0 };
	struct jw_err e = { 0 };
	const char *path;

	make_finish(&m, true);
	path = make_path("%s.jwr", name);
	is_int(make_convert(&path, 1, name, NULL, &arena, &sum, &e), JW_OK);
	bool found = has_warning(&sum, text);

	jw_arena_free(&arena);
	return found;
}

/* Of a connection that is only named waits are told: no bytes, no arrows, and nothing is missing. */
TEST(a_connection_that_is_named)
{
	begin("named", 2);
	make_meta(&m, "connection|3|10|connect|tcp|127.0.0.1|4000|127.0.0.1|80|71|0|0|named");
	make_meta(&m, "connection|4|11|accept|tcp|127.0.0.1|80|127.0.0.1|4000|72|0|0|named");
	for (int i = 0; i < 2; i++) { /* 1 to 4 */
		begins(1, JWR_AWAIT_READ, CLIENT);
		vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 0, 0));
	}
	for (int i = 0; i < 2; i++) { /* 5 to 8 */
		begins(2, JWR_AWAIT_READ, SERVER);
		vm(2, JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 0, 0));
	}
	ok(!warns("connection"));
	is_int(in_trace("\n3:"), 0);
	is_str(waits(1), "12@1-2 12@3-4 ");
	is_str(waits(2), "34@5-6 34@7-8 ");
	is_int(in_trace(":48100030:1:48100033:"), 2);
	is_int(in_trace(":48100030:2:48100033:"), 2);
	is_int(in_trace(":48100031:"), 0);
	ok(in_pcf("tcp 127.0.0.1:4000 > 127.0.0.1:80\n"));
	ok(in_pcf("tcp 127.0.0.1:80 < 127.0.0.1:4000\n"));
}

TEST(none_where_records_are_missing)
{
	fresh("missed", 2);
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 100);
	moved[SERVER][1] = 50; /* which no record tells */
	transfer(2, JWR_AWAIT_READ, SERVER, 50);
	ok(warns("1 connection without all of its arrows: records are missing"));
	is_int(in_trace("\n3:"), 0);
	fresh("two missed", 2);
	make_meta(&m, "connection|5|10|connect|tcp|127.0.0.1|4001|127.0.0.1|80|71|0|0");
	make_meta(&m, "connection|6|11|accept|tcp|127.0.0.1|80|127.0.0.1|4001|72|0|0");
	moved[SERVER][1] = moved[6][1] = 50;
	transfer(2, JWR_AWAIT_READ, SERVER, 50);
	transfer(2, JWR_AWAIT_READ, 6, 50);
	ok(warns("2 connections without all of their arrows: records are missing"));
}

TEST(none_where_bytes_went_another_way)
{
	fresh("other", 2);
	make_meta(&m, "connection-end|3|99999999|101|0|other");
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 100);
	transfer(2, JWR_AWAIT_READ, SERVER, 100);
	ok(warns("1 connection without arrows: bytes went another way than by natives that tell"));
	is_int(in_trace("\n3:"), 0);
	fresh("others", 2);
	make_meta(&m, "connection|5|10|connect|tcp|127.0.0.1|4001|127.0.0.1|80|71|0|0");
	make_meta(&m, "connection|6|11|accept|tcp|127.0.0.1|80|127.0.0.1|4001|72|0|0");
	make_meta(&m, "connection-end|3|99999999|101|0|other");
	make_meta(&m, "connection-end|6|99999999|101|0|other");
	ok(warns("2 connections without arrows: bytes went another way than by natives that tell"));
}

/* Ports are used again: each connection has its own two ends. */
TEST(the_same_addresses_again)
{
	fresh("again", 2);
	make_meta(&m, "connection-end|3|%llu|0|0|whole", (unsigned long long)tick(now));
	make_meta(&m, "connection-end|4|%llu|0|0|whole", (unsigned long long)tick(now));
	make_meta(&m, "connection|5|%llu|connect|tcp|127.0.0.1|4000|127.0.0.1|80|81|0|0",
		  (unsigned long long)tick(now + 1));
	make_meta(&m, "connection|6|%llu|accept|tcp|127.0.0.1|80|127.0.0.1|4000|82|0|0",
		  (unsigned long long)tick(now + 1));
	transfer(1, JWR_AWAIT_WRITE, 5, 10);
	transfer(2, JWR_AWAIT_READ, 6, 10); /* 3, 4 */
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 10);
	transfer(2, JWR_AWAIT_READ, 6, 10);
	is_str(arrows(), "1@1>2@4/904 ");
}

/* A connection to somebody else, datagrams, a file: bytes, and no arrow. */
TEST(what_has_one_end)
{
	fresh("one end", 2);
	make_meta(&m, "connection|7|10|connect|tcp|10.0.0.1|4000|10.0.0.2|80|91|0|0");
	make_meta(&m, "connection|8|10|connect|udp|127.0.0.1|80|127.0.0.1|4000|92|0|0");
	transfer(1, JWR_AWAIT_WRITE, 7, 10);
	transfer(1, JWR_AWAIT_WRITE, 8, 10);
	transfer(1, JWR_AWAIT_WRITE, FILE_9, 10);
	transfer(2, JWR_AWAIT_READ, FILE_9, 10);
	is_str(arrows(), "");
	is_int(in_trace(":48100032:10:"), 3);
}

/* Lines and records that no recorder writes. */
TEST(damage)
{
	static const char *const lines[] = {
		"connection",
		"connection|0|10|connect|tcp|a|1|b|2|0|0|0",
		"connection|5|10|connects|tcp|a|1|b|2|0|0|0",
		"connection|5|10|connect|sctp|a|1|b|2|0|0|0",
		"connection|5|10|connect|tcp|a|65536|b|2|0|0|0",
		"connection|5|10|connect|tcp|a|1|b|2|0|72057594037927936|0",
		"connection|99999999999|10|connect|tcp|a|1|b|2|0|0|0",
		"connection-end|5",
		"connection-end|5|1|0|0|maybe",
		"file|0|x",
		"file|7",
		"net-namespace",
		"net-namespace|x",
	};

	fresh("damage", 2);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		make_meta(&m, "%s", lines[i]);
	make_meta(&m, "connection|3|10|listen|udp|||||||");         /* a number again */
	make_meta(&m, "connection-end|77|1|0|0|whole");             /* that nobody has */
	make_meta(&m, "connection|5|10|connect|tcp|a|1|a|1|0|0|0"); /* with itself */
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 5, 5));      /* which nobody began */
	begins(1, (enum jwr_await)200, 3);
	vm(1, JWR_OFFSET, 5);
	transfer(1, JWR_AWAIT_WRITE, 5, UINT32_MAX);
	begins(2, JWR_AWAIT_READ, UINT32_MAX);
	vm(2, JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 4, 4));
	begins(2, JWR_AWAIT_CONNECT, 0);
	vm(2, JWR_AWAITED, jwr_awaited(JWR_AWAIT_CONNECT, UINT32_MAX, 4));
	ok(warns("1 record of an unknown kind, left out"));
	is_int(in_trace("\n3:"), 0);
}

/* ---- the report ---- */

TEST(sums_by_connection_and_by_file)
{
	static struct jw_arena arena;
	struct trace_report r = { 0 };
	struct jw_err e = { 0 };
	const char *path;

	fresh("sums", 2);
	transfer(1, JWR_AWAIT_WRITE, CLIENT, 100);
	transfer(2, JWR_AWAIT_READ, SERVER, 60);
	transfer(2, JWR_AWAIT_READ, SERVER, 40);
	transfer(1, JWR_AWAIT_WRITE, FILE_9, 7);
	transfer(2, JWR_AWAIT_WRITE, FILE_9, 8);
	transfer(2, JWR_AWAIT_READ, 44, 9); /* meta does not know what that is */
	begins(1, JWR_AWAIT_FORCE, FILE_9);
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_FORCE, 0, 0));
	begins(1, JWR_AWAIT_LOCK, FILE_9);
	vm(1, JWR_AWAITED, jwr_awaited(JWR_AWAIT_LOCK, 0, 0));
	make_finish(&m, true);
	path = make_path("%s.jwr", name);
	const struct trace_job job = { .recordings = &path, .recording_count = 1 };

	is_int(trace_report_recordings(&job, &arena, &r, &e), JW_OK);
	is_int(r.connection_count, 2);
	is_str(r.connections[0].name, "tcp 127.0.0.1:80 < 127.0.0.1:4000");
	is_int(r.connections[0].moves[TRACE_REPORT_READS].count, 2);
	is_int(r.connections[0].moves[TRACE_REPORT_READS].bytes, 100);
	is_str(r.connections[1].name, "tcp 127.0.0.1:4000 > 127.0.0.1:80");
	is_int(r.connections[1].moves[TRACE_REPORT_WRITES].bytes, 100);
	is_int(r.file_count, 2);
	is_str(r.files[0].name, "/tmp/a.txt");
	is_int(r.files[0].moves[TRACE_REPORT_WRITES].count, 2);
	is_int(r.files[0].moves[TRACE_REPORT_WRITES].bytes, 15);
	is_int(r.files[0].moves[TRACE_REPORT_OTHERWISE].count, 2);
	is_str(r.files[1].name, "unknown");
	is_int(r.files[1].moves[TRACE_REPORT_READS].bytes, 9);
	jw_arena_free(&arena);
}

/* A path in the cache of jweave run says nothing, and is another one with other rules. */
TEST(jars_that_were_woven_to_be_run)
{
#define CACHE "/var/cache/jweave/run-1/"
#define KEY   "0123456789abcdef0123456789abcdef"
	static const struct {
		const char *path, *name;
	} files[] = {
		{ CACHE KEY "/app.jar", "app.jar, as jweave run has woven it" },
		{ CACHE KEY "/lib/a.jar", "lib/a.jar, as jweave run has woven it" },
		{ CACHE KEY "/", CACHE KEY "/" },
		{ CACHE KEY "0/app.jar", CACHE KEY "0/app.jar" },
		{ CACHE "app.jar", CACHE "app.jar" },
	};
	static struct jw_arena arena;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct trace_report r = { 0 };
		struct jw_err e = { 0 };

		fresh("woven", 1);
		make_meta(&m, "file|10|%s", files[i].path);
		transfer(1, JWR_AWAIT_READ, 10, 7);
		make_finish(&m, true);
		const char *path = make_path("%s.jwr", name);
		const struct trace_job job = { .recordings = &path, .recording_count = 1 };

		is_int(trace_report_recordings(&job, &arena, &r, &e), JW_OK);
		is_str(r.file_count == 1 ? r.files[0].name : "none", files[i].name);
		jw_arena_free(&arena);
	}
}
