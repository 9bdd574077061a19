/*
 * make_peers.h: processes of one or several machines that have connections, in recordings made by hand.
 *
 *     process .. -> connection, link_of, writes, reads, closed .. -> end_all or arrows: REPORT, NOTES
 */
#ifndef JW_TESTS_TRACE_MAKE_PEERS_H
#define JW_TESTS_TRACE_MAKE_PEERS_H

#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/report/report.h"

#define PEERS 1030

static struct make peers[PEERS];
static uint64_t moved[PEERS][10][2];
static size_t count;
static struct trace_report report;
static char text[8192];
static char notes[2048]; /* of the last conversion, a line each */

/* The next process, of machine BOOT, in NAMESPACE, whose wall clock is WALL ns ahead; in TIME_NAMESPACE (0: not told),
 * whose monotonic clock is MONO ns ahead. */
static inline void process_in(const char *boot, unsigned namespace, int64_t wall,
			      unsigned time_namespace, uint64_t mono)
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

static inline void process(const char *boot, unsigned namespace, int64_t wall)
{
	process_in(boot, namespace, wall, 0, 0);
}

static inline uint64_t tick(uint64_t ns)
{
	return MAKE_START + ns * 2;
}

static inline void connection(uint32_t p, unsigned number, uint64_t ns, const char *role,
			      const char *from, const char *to)
{
	make_meta(&peers[p], "connection|%u|%llu|%s|tcp|%s|%s|71|0|0", number,
		  (unsigned long long)tick(ns), role, from, to);
}

static inline void closed(uint32_t p, unsigned number, uint64_t ns, uint64_t written, uint64_t read,
			  const char *how)
{
	make_meta(&peers[p], "connection-end|%u|%llu|%llu|%llu|%s", number,
		  (unsigned long long)tick(ns), (unsigned long long)written,
		  (unsigned long long)read, how);
}

/* N bytes, from FROM to TO in ns. */
static inline void transfer(uint32_t p, enum jwr_await what, unsigned number, uint64_t from,
			    uint64_t to, uint64_t n)
{
	uint64_t *sum = &moved[p][number][what == JWR_AWAIT_READ];

	make_event(&peers[p], 1, tick(from), JWR_AWAIT, jwr_await(what, number));
	*sum += n;
	make_event(&peers[p], 1, tick(to), JWR_AWAITED, jwr_awaited(what, n, *sum));
}

static inline void writes(uint32_t p, unsigned number, uint64_t at, uint64_t n)
{
	transfer(p, JWR_AWAIT_WRITE, number, at, at + 100, n);
}

static inline void reads(uint32_t p, unsigned number, uint64_t at, uint64_t n)
{
	transfer(p, JWR_AWAIT_READ, number, at - 100, at, n);
}

/* What of it is not told. */
static inline void untold(uint32_t p, unsigned number, enum jwr_await what, uint64_t n)
{
	moved[p][number][what == JWR_AWAIT_READ] += n;
}

static inline void writes_from(uint32_t p, unsigned number, uint64_t at, uint64_t n)
{
	make_event(&peers[p], 1, tick(at), JWR_AWAIT, jwr_await(JWR_AWAIT_WRITE, number));
	make_event(&peers[p], 1, tick(at + 50), JWR_OFFSET, moved[p][number][0]);
	moved[p][number][0] += n;
	make_event(&peers[p], 1, tick(at + 100), JWR_AWAITED,
		   jwr_awaited(JWR_AWAIT_WRITE, n, moved[p][number][0]));
}

/* Ends all recordings, and reports them; WITH_TRACE: they become the trace "peers", too. */
static inline void end_all(bool with_trace)
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
static inline const char *arrows(void)
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
static inline void ask_ahead(uint32_t a, uint32_t b, unsigned number, uint64_t at, uint64_t ahead)
{
	writes(a, number, at, 100);
	reads(b, number, at + ahead + 1000, 100);
	writes(b, number, at + ahead + 3000, 200);
	reads(a, number, at + 5000, 200);
}

static inline void ask(uint32_t a, uint32_t b, unsigned number, uint64_t at)
{
	ask_ahead(a, b, number, at, 0);
}

#define A_TO_B "10.0.0.1|4000", "10.0.0.2|80"
#define B_TO_A "10.0.0.2|80", "10.0.0.1|4000"
#define HERE   "127.0.0.1|4000", "127.0.0.1|80"
#define THERE  "127.0.0.1|80", "127.0.0.1|4000"

static inline void two(const char *boot, unsigned namespace)
{
	process("boot-a", 1, 0);
	process(boot, namespace, 0);
}

static inline void link_of(uint32_t a, uint32_t b, unsigned number, uint64_t at)
{
	connection(a, number, at, "connect", A_TO_B);
	connection(b, number, at + 100, "accept", B_TO_A);
}

static inline uint64_t unmatched(enum trace_unmatched why)
{
	return report.sockets.unmatched[why];
}

/* By loopback: all of it has its arrow. */
static inline void talk_here(void)
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

#endif
