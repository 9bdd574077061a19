/*
 * Property: processes that talk by TCP, with traffic of any pattern, connections that are seen late,
 * recording that is paused, chunks that are missing, on one machine or on several whose clocks are
 * wrong. No arrow leads where bytes do not, none backwards on one machine; where nothing is missing
 * all are there; and clocks come back within the shortest round trip.
 * Slow: 20 s, 50 traces of up to three processes.
 */
#include <math.h>

#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/report/report.h"

#include "base/banned.h"

#define PROCESSES 3
#define LINKS     6
#define MOVES     150
#define END       UINT64_C(2000000000)
#define CLOCK_UID 1               /* a thread whose two calls tell what the trace takes for time */
#define LEAST     UINT64_C(20000) /* a message takes so long */
#define NEAR      60

struct record {
	uint64_t time, order;
	uint32_t uid;
	enum jwr_kind kind;
	uint64_t payload;
};

struct move {
	uint64_t begin, end; /* true times */
	uint64_t from, to;   /* bytes */
	bool told;
};

struct way {
	struct move moves[MOVES];
	size_t n;
	uint32_t uid; /* and the next one, in turns */
};

struct end {
	struct way ways[2]; /* written, read */
	uint64_t late;
	uint32_t process, number;
};

struct link {
	struct end ends[2];
	uint64_t begin, over;
	unsigned port;
};

static struct link links[LINKS];
static size_t link_count, process_count;
static struct {
	double rate; /* of its clocks, against true time */
	int64_t wall;
	uint64_t mono;
} hosts[PROCESSES];
static struct {
	uint32_t host, uids, numbers;
	double origin, scale; /* true time of a time of the trace */
	struct record *records;
	size_t n;
} processes[PROCESSES];
static bool damaged, alike;
static uint32_t drops; /* chunks of 1000 */

/* ---- traffic ---- */

/* Of all the same, the low bits of sums say nothing of what is missing. */
static uint64_t any_size(void)
{
	if (alike)
		return 65536;
	static const uint64_t sizes[] = { 1, 100, 1000, 4096, 8192, 16384, 65536, 131072 };

	return tap_below(4) ? sizes[tap_below(8)] : 1 + tap_below(100000);
}

static void make_writes(struct way *way, uint64_t begin, uint64_t over)
{
	uint64_t t = begin + 1000, at = 0;
	uint32_t gap = 1 + (uint32_t)((over - begin) / MOVES) * 2;

	for (way->n = 0; way->n < MOVES; way->n++) {
		struct move *m = &way->moves[way->n];

		m->begin = t + 500 + (tap_below(3) ? 0 : tap_below(gap) * UINT64_C(3));
		m->end = m->begin + 500 + tap_below(30000);
		if (m->end + 1000000 > over)
			break;
		m->from = at;
		m->to = at += any_size();
		t = m->end;
	}
}

/* Those of what WRITES has written, as it arrives. */
static void make_reads(const struct way *writes, struct way *way, uint64_t begin, uint64_t over)
{
	uint64_t arrives = begin, have = 0, at = 0, t = begin + 1000;
	size_t next = 0;

	way->n = 0;
	while (way->n < MOVES && (at < have || next < writes->n)) {
		struct move *m = &way->moves[way->n];

		m->begin = t + 500 + (tap_below(3) ? 0 : tap_below(3000000));
		m->end = m->begin + 500;
		while (next < writes->n &&
		       (have == at || writes->moves[next].begin + LEAST + 60000 < m->end)) {
			uint64_t there =
				writes->moves[next].begin + LEAST + tap_below(4) * tap_below(20000);

			arrives = there > arrives ? there : arrives;
			have = writes->moves[next++].to;
		}
		m->end = arrives > m->end ? arrives : m->end;
		if (m->end + 1000 > over)
			break;
		uint64_t most = !alike && tap_below(3) ? have - at : any_size();

		m->from = at;
		m->to = at += most < have - at ? most : have - at;
		t = m->end;
		way->n++;
	}
}

static bool is_moving(const struct end *end, uint64_t t)
{
	for (int w = 0; w < 2; w++)
		for (size_t i = 0; i < end->ways[w].n; i++)
			if (end->ways[w].moves[i].begin <= t &&
			    t <= end->ways[w].moves[i].end + 200)
				return true;
	return false;
}

/* A time at which END moves nothing; 0: none was found. */
static uint64_t quiet_time(const struct end *end, const struct link *link)
{
	for (int i = 0; i < 20; i++) {
		uint64_t t = link->begin + tap_below((uint32_t)(link->over - link->begin));

		if (!is_moving(end, t))
			return t;
	}
	return 0;
}

/* What records tell of END: not what was before it was seen, nor while recording was paused. */
static void choose_told(struct end *end, const struct link *link, bool gaps)
{
	uint64_t from = 0, to = 0;

	end->late = gaps && !tap_below(3) ? quiet_time(end, link) : 0;
	if (gaps && !tap_below(3)) {
		from = quiet_time(end, link);
		to = quiet_time(end, link);
	}
	for (int w = 0; w < 2; w++)
		for (size_t i = 0; i < end->ways[w].n; i++) {
			struct move *m = &end->ways[w].moves[i];

			m->told = m->begin >= end->late && !(m->begin > from && m->begin < to);
		}
}

static void make_link(struct link *link, bool gaps)
{
	for (int e = 0; e < 2; e++)
		make_writes(&link->ends[e].ways[0], link->begin, link->over);
	for (int e = 0; e < 2; e++) {
		struct end *end = &link->ends[e];

		make_reads(&link->ends[!e].ways[0], &end->ways[1], link->begin, link->over);
		end->number = ++processes[end->process].numbers;
		for (int w = 0; w < 2; w++) {
			end->ways[w].uid = processes[end->process].uids + 1;
			processes[end->process].uids += 2;
		}
	}
	for (int e = 0; e < 2; e++)
		choose_told(&link->ends[e], link, gaps);
}

static void make_links(bool gaps)
{
	link_count = 1 + tap_below(LINKS);
	for (size_t i = 0; i < link_count; i++) {
		struct link *link = &links[i];
		bool again = i % 2 && !tap_below(2); /* the same ports, later */

		link->begin = 100000 + tap_below(1000000);
		link->over = END - 1000000;
		link->port = 4000 + (unsigned)i;
		link->ends[0].process = (uint32_t)(i % process_count);
		link->ends[1].process = (uint32_t)((i + 1) % process_count);
		if (again) {
			link->ends[0].process = link[-1].ends[0].process;
			link->ends[1].process = link[-1].ends[1].process;
			link->port = link[-1].port;
			link->begin += END / 2;
		} else {
			link->over = i + 1 < link_count ? END / 2 : link->over;
		}
		make_link(link, gaps);
	}
}

/* ---- recordings ---- */

static uint64_t tick_of(uint32_t process, uint64_t time)
{
	double rate = hosts[processes[process].host].rate;

	return MAKE_START + (uint64_t)((double)time * (1 + rate) * 2 + 0.5);
}

static void put(uint32_t process, uint32_t uid, uint64_t time, enum jwr_kind kind, uint64_t payload)
{
	struct record **list = &processes[process].records;
	size_t *n = &processes[process].n;

	if (*n % 1024 == 0)
		*list = realloc(*list, (*n + 1024) * sizeof(**list));
	(*list)[*n] = (struct record){ time, *n, uid, kind, payload };
	++*n;
}

static void put_way(const struct end *end, int w)
{
	enum jwr_await what = w ? JWR_AWAIT_READ : JWR_AWAIT_WRITE;
	const struct way *way = &end->ways[w];
	bool offset = false;

	for (size_t i = 0; i < way->n; i++) {
		const struct move *m = &way->moves[i];
		uint32_t uid = way->uid + (uint32_t)(i / 7 % 2);

		if (!m->told) {
			offset |= m->begin >= end->late;
			continue;
		}
		put(end->process, uid, m->begin, JWR_AWAIT, jwr_await(what, end->number));
		if (offset)
			put(end->process, uid, m->end, JWR_OFFSET, m->from);
		put(end->process, uid, m->end, JWR_AWAITED,
		    jwr_awaited(what, m->to - m->from, m->to));
		offset = false;
	}
}

static uint64_t moved_by(const struct end *end, int w, uint64_t time)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < end->ways[w].n; i++)
		if (end->ways[w].moves[i].begin < time)
			bytes = end->ways[w].moves[i].to;
	return bytes;
}

static void put_meta(struct make *m, const struct link *link, int e)
{
	const struct end *end = &link->ends[e];
	const char *role = end->late ? "late" : e ? "accept" : "connect";
	unsigned port[] = { link->port, 80 };
	uint64_t seen = end->late ? end->late : link->begin;

	make_meta(m, "connection|%u|%llu|%s|tcp|10.0.0.%d|%u|10.0.0.%d|%u|71|%llu|%llu",
		  end->number, (unsigned long long)tick_of(end->process, seen), role, e + 1,
		  port[e], !e + 1, port[!e], (unsigned long long)moved_by(end, 0, end->late),
		  (unsigned long long)moved_by(end, 1, end->late));
	make_meta(m, "connection-end|%u|%llu|%llu|%llu|whole", end->number,
		  (unsigned long long)tick_of(end->process, link->over + 1000),
		  (unsigned long long)moved_by(end, 0, END),
		  (unsigned long long)moved_by(end, 1, END));
}

static int by_time(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* A chunk that is to be written is lost instead. */
static void drop_some(struct make *m, uint32_t uid)
{
	for (size_t i = 0; i < m->thread_count; i++)
		if (m->threads[i].uid == uid && m->threads[i].n == m->window_records &&
		    uid != CLOCK_UID && tap_below(1000) < drops) {
			m->threads[i].n = 0;
			m->threads[i].seq++;
			damaged = true;
		}
}

static const char *write_process(const char *name, uint32_t p)
{
	struct make m = make_begin_bare(make_path("%s-%u", name, p) + strlen(make_folder()) + 1);
	static char paths[PROCESSES][512];

	m.mono_start += hosts[processes[p].host].mono;
	m.wall_start += (uint64_t)hosts[processes[p].host].wall;
	m.window_records = 16 + tap_below(200);
	make_meta(&m,
		  "jweave-recording|1\nclock|tsc\nclock-point|%u|%llu|%llu\nhost|host%u\npid|%u\n"
		  "boot|boot-%u|0\nnet-namespace|4026531833",
		  MAKE_START, (unsigned long long)m.mono_start, (unsigned long long)m.wall_start,
		  processes[p].host, p + 1, processes[p].host);
	for (size_t i = 0; i < link_count; i++)
		for (int e = 0; e < 2; e++)
			if (links[i].ends[e].process == p)
				put_meta(&m, &links[i], e);
	qsort(processes[p].records, processes[p].n, sizeof(struct record), by_time);
	for (size_t i = 0; i < processes[p].n; i++) {
		const struct record *r = &processes[p].records[i];

		drop_some(&m, r->uid);
		make_event(&m, r->uid, tick_of(p, r->time), r->kind, r->payload);
	}
	make_finish(&m, true);
	snprintf(paths[p], sizeof(paths[p]), "%s", m.path);
	return paths[p];
}

static void put_records(void)
{
	for (uint32_t p = 0; p < process_count; p++) {
		processes[p].n = 0;
		for (uint32_t uid = 1; uid <= processes[p].uids; uid++) {
			put(p, uid, 1000, JWR_ENTER, 7);
			put(p, uid, 1500, JWR_EXIT, 7);
		}
		put(p, CLOCK_UID, END, JWR_ENTER, 7);
		put(p, CLOCK_UID, END + 500, JWR_EXIT, 7);
	}
	for (size_t i = 0; i < link_count; i++)
		for (int e = 0; e < 2; e++)
			for (int w = 0; w < 2; w++)
				put_way(&links[i].ends[e], w);
}

/* ---- what the trace says ---- */

/* What process P takes for time, by the two calls of a thread. */
static bool find_clock(const char *prv, uint32_t p)
{
	uint64_t times[2], n = 0;

	for (const char *line = prv; (line = strstr(line, "\n2:")); line++) {
		unsigned task, thread;
		unsigned long long time, type, value;

		if (sscanf(line, "\n2:%*u:1:%u:%u:%llu:%llu:%llu", &task, &thread, &time, &type,
			   &value) == 5 &&
		    task == p + 1 && thread == CLOCK_UID && type == 60000019 && value && n < 2)
			times[n++] = time;
	}
	if (n < 2)
		return false;
	processes[p].scale = (double)(END - 1000) / (double)(times[1] - times[0]);
	processes[p].origin = 1000 - (double)times[0] * processes[p].scale;
	return true;
}

static double true_time(uint32_t p, double time)
{
	return processes[p].origin + time * processes[p].scale;
}

/* The move of process P's thread UID that begins (or, of reads, ends) at TIME. */
static const struct move *find_move(uint32_t p, uint32_t uid, double time, int w,
				    const struct end **end, const struct end **peer)
{
	for (size_t i = 0; i < link_count; i++)
		for (int e = 0; e < 2; e++) {
			const struct way *way = &links[i].ends[e].ways[w];

			if (links[i].ends[e].process != p || uid < way->uid || uid > way->uid + 1)
				continue;
			*end = &links[i].ends[e];
			*peer = &links[i].ends[!e];
			for (size_t k = 0; k < way->n; k++) {
				double at = (double)(w ? way->moves[k].end : way->moves[k].begin);

				if (fabs(at - time) < NEAR && way->moves[k].told)
					return &way->moves[k];
			}
		}
	return NULL;
}

/* The last write whose end is in READ. */
static const struct move *last_write(const struct way *writes, const struct move *read)
{
	const struct move *last = NULL;

	for (size_t i = 0; i < writes->n; i++)
		if (writes->moves[i].to > read->from && writes->moves[i].to <= read->to)
			last = &writes->moves[i];
	return last;
}

/* So many arrows there are; each is right. */
static size_t check_arrows(const char *prv)
{
	size_t n = 0, wrong = 0, backwards = 0;

	for (const char *line = prv; (line = strstr(line, "\n3:")); line++, n++) {
		unsigned from, row, to, other;
		unsigned long long send, receive;
		const struct end *writer = NULL, *reader = NULL, *peer = NULL;

		if (sscanf(line, "\n3:%*u:1:%u:%u:%llu:%*u:%*u:1:%u:%u:%llu", &from, &row, &send,
			   &to, &other, &receive) != 6)
			continue;
		backwards += send > receive;
		const struct move *write = find_move(
			from - 1, row, true_time(from - 1, (double)send), 0, &writer, &peer);
		const struct move *read = find_move(
			to - 1, other, true_time(to - 1, (double)receive), 1, &reader, &peer);

		if (!write || !read || peer != writer ||
		    last_write(&writer->ways[0], read) != write)
			wrong++;
	}
	is_int(wrong, 0);
	is_int(backwards, 0);
	return n;
}

static size_t expected_arrows(void)
{
	size_t n = 0;

	for (size_t i = 0; i < link_count; i++)
		for (int e = 0; e < 2; e++) {
			const struct way *reads = &links[i].ends[e].ways[1];

			for (size_t k = 0; k < reads->n; k++) {
				const struct move *write =
					last_write(&links[i].ends[!e].ways[0], &reads->moves[k]);

				n += reads->moves[k].told && write && write->told;
			}
		}
	return n;
}

/* Bytes that both ends tell of: of each read, those of writes that are told. */
static uint64_t expected_bytes(void)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < link_count; i++)
		for (int e = 0; e < 2; e++) {
			const struct way *reads = &links[i].ends[e].ways[1];
			const struct way *writes = &links[i].ends[!e].ways[0];

			for (size_t k = 0; k < reads->n; k++)
				for (size_t j = 0; j < writes->n && reads->moves[k].told; j++) {
					const struct move *r = &reads->moves[k],
							  *w = &writes->moves[j];
					uint64_t from = r->from > w->from ? r->from : w->from;
					uint64_t to = r->to < w->to ? r->to : w->to;

					bytes += w->told && to > from ? to - from : 0;
				}
		}
	return 2 * bytes;
}

/* ---- rounds ---- */

static void set_hosts(size_t n)
{
	for (size_t i = 0; i < PROCESSES; i++) {
		hosts[i].rate = i ? ((double)tap_below(401) - 200) * 1e-6 : 0;
		hosts[i].wall = i ? ((int64_t)tap_below(20001) - 10000) * 1000000 : 0;
		hosts[i].mono = i * UINT64_C(77000000000);
	}
	for (uint32_t p = 0; p < PROCESSES; p++) {
		processes[p].host = p % (uint32_t)n;
		processes[p].numbers = 0;
		processes[p].uids = CLOCK_UID;
	}
}

/* The earlier, or later, of the first or last reads of both ends of LINK. */
static double read_both(const struct link *link, bool last)
{
	const struct way *a = &link->ends[0].ways[1], *b = &link->ends[1].ways[1];
	size_t at[] = { last ? a->n - 1 : 0, last ? b->n - 1 : 0 };
	double x = (double)a->moves[at[0]].end, y = (double)b->moves[at[1]].end;

	return (x > y) == last ? y : x;
}

/* The clocks of any two processes that talk, as the trace has them, while they do. */
static void check_clocks(void)
{
	for (size_t i = 0; i < link_count; i++) {
		uint32_t a = links[i].ends[0].process, b = links[i].ends[1].process;
		double from = read_both(&links[i], false), to = read_both(&links[i], true);

		for (int k = 0; k <= 4; k++) {
			double time = from + (to - from) * k / 4;
			double x = (time - processes[a].origin) / processes[a].scale;
			double y = (time - processes[b].origin) / processes[b].scale;

			if (!ok(fabs(x - y) <= 2 * LEAST + NEAR))
				tap_note("%u and %u are %g ns apart at %g", a, b, x - y, time);
		}
	}
}

static void convert(const char *const *paths, struct trace_report *r, struct jw_arena *arena)
{
	const struct trace_job job = { .recordings = paths, .recording_count = process_count };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	if (!is_int(make_convert(paths, process_count, "peers", NULL, arena, &sum, &e), JW_OK))
		tap_note("%s", e.text);
	is_int(trace_report_recordings(&job, arena, r, &e), JW_OK);
	for (size_t p = 0; p < process_count; p++)
		make_remove(paths[p]);
}

static void round_of(size_t hosts_of, bool gaps, uint32_t dropped)
{
	const char *paths[PROCESSES];
	struct jw_arena arena = { 0 };
	struct trace_report r = { 0 };

	drops = dropped;
	damaged = false;
	process_count = 2 + tap_below(PROCESSES - 1);
	if (hosts_of > process_count)
		process_count = hosts_of;
	set_hosts(hosts_of);
	make_links(gaps);
	put_records();
	for (uint32_t p = 0; p < process_count; p++)
		paths[p] = write_process("peers", p);
	convert(paths, &r, &arena);
	is_int(make_validate("peers"), 0);
	char *prv = make_slurp(make_path("%s.prv", "peers"));

	for (uint32_t p = 0; p < process_count; p++)
		ok(find_clock(prv, p));
	size_t arrows = check_arrows(prv);

	if (!damaged) {
		is_int(arrows, expected_arrows());
		is_int(r.sockets.matched, expected_bytes());
		is_int(r.sockets.unmatched[TRACE_UNMATCHED_MISSING], 0);
	} else {
		ok(arrows <= expected_arrows());
	}
	if (hosts_of > 1 && !damaged && !gaps)
		check_clocks();
	is_int(r.sockets.backwards, 0);
	free(prv);
	jw_arena_free(&arena);
}

TEST(seen_late_and_paused)
{
	for (int i = 0; i < 14; i++)
		round_of(1, i % 3, 0);
}

TEST(chunks_missing)
{
	for (int i = 0; i < 8; i++)
		round_of(1, i % 2, 20 + tap_below(200));
	alike = true;
	for (int i = 0; i < 6; i++)
		round_of(1, i % 2, 20 + tap_below(200));
	alike = false;
}

TEST(machines_whose_clocks_are_wrong)
{
	for (int i = 0; i < 18; i++)
		round_of(2 + (size_t)i % 2, i > 11 && i % 2, i > 11 && i % 3 ? 100 : 0);
}
