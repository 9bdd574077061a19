/*
 * f_program.c: programs of up to three processes whose threads do anything that a recording can
 * hold, in any order. The trace is well formed, and no arrow goes back in time; it is the same
 * whatever is kept in memory and however many threads pack it; its report is that of the
 * recordings.
 *
 * The input: two bytes of options, then a program, four bytes a step: what (of `steps`), who (two
 * bits of the process, the others of the thread), and two arguments.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/draw.h"
#include "tests/fuzz.h"
#include "tests/trace/check_trace.h"
#include "tests/trace/make_operations.h"

#include "base/banned.h"

enum {
	PROCESSES = 3,
	THREADS = 4,
	THREAD_OBJECTS = 9, /* the first ones are of the threads, the others of virtual ones */
	DEPTH = 70,
	OPTIONS_SIZE = 2,
	STEP_SIZE = 4,
	STEPS_MAX = 1000,
	OFTEN_MAX = 1200,
	NEAR = 32, /* sites */
	USER_TYPE = 7000000,
};

enum option {
	KILLED = 1,  /* no end; what is gathered stays in windows */
	RING = 2,    /* a flight recorder, with a file of data that has a number */
	SECOND = 4,  /* a process more */
	THIRD = 8,   /* and another one */
	NO_MAP = 16, /* nothing has a name */
	LANES = 32,  /* virtual threads have two rows */
	FEW = 64,    /* three methods are told apart */
	TWICE = 128, /* convert it again, in another way */
	REPORT = 256,
};

struct thread {
	uint64_t open[DEPTH];
	uint32_t depth;
};

struct process {
	struct make m;
	struct thread threads[THREADS + 1];
	uint32_t windows, often;
	uint32_t site, object; /* of the latest call */
};

struct step {
	struct process *process;
	uint32_t uid;
	uint32_t a, b;
	uint64_t tick;
};

/* ---- what a step does ---- */

static void put(const struct step *s, enum jwr_kind kind, uint64_t payload)
{
	make_event(&s->process->m, s->uid, s->tick, kind, payload & JWR_PAYLOAD_MASK);
}

/* One of the sites, of which there may be more than a byte can tell. */
static uint32_t site_of(const struct step *s)
{
	return (s->a + (s->b >= 128 ? 256 : 0)) % make_site_count;
}

static uint64_t object_of(const struct step *s)
{
	if (s->a <= THREAD_OBJECTS)
		return s->a ? jwr_thread_object(s->a) : 0;
	return jwr_object(s->a, s->b % 4);
}

static uint64_t value_of(const struct step *s)
{
	return ((uint64_t)s->a << s->b % JWR_PAYLOAD_BITS) - (s->b >= 128);
}

static uint64_t number_of(const struct step *s)
{
	return s->a;
}

static uint64_t virtual_of(const struct step *s)
{
	return s->a % (THREAD_OBJECTS + 1);
}

static uint64_t type_of(const struct step *s)
{
	return s->b % 2 ? value_of(s) : USER_TYPE + s->a % 4;
}

static uint64_t method_of(const struct step *s)
{
	return s->b % 2 ? make_site(site_of(s)) : make_method(s->a);
}

static void open_frame(const struct step *s, uint64_t id)
{
	struct thread *t = &s->process->threads[s->uid - 1];

	if (t->depth == DEPTH)
		return;
	t->open[t->depth++] = id;
	put(s, JWR_ENTER, id);
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* A record for each capture of site SITE that is of WHAT, or its like, of the objects from NUMBER
 * on. The number after the last one. */
static uint32_t put_captures(const struct step *s, uint32_t site, const char *what, uint32_t number)
{
	struct step captured = *s;

	for (const char *at = strchr(make_abouts[site], '|'); at; at = strchr(at + 1, '|')) {
		const char *as = strchr(at, ':') + 1;

		if (!begins(at + 1, what))
			continue;
		captured.a = number++;
		if (begins(as, "identity") || begins(as, "task"))
			put(s, JWR_OBJECT, object_of(&captured));
		else
			put(s, JWR_VALUE, captured.a);
	}
	return number;
}

static void begin_call_at(const struct step *s, uint32_t site, uint32_t object)
{
	s->process->site = site;
	s->process->object = object;
	open_frame(s, make_site(site));
	object = put_captures(s, site, "this", object);
	put_captures(s, site, "arg", object);
}

static void begin_call(const struct step *s)
{
	begin_call_at(s, site_of(s), s->b % 16);
}

/* Of the same object as the latest one, by the same operation or one of its kind. */
static void begin_near_call(const struct step *s)
{
	uint32_t site = s->process->site + make_site_count - NEAR + s->a % (2 * NEAR);

	begin_call_at(s, site % make_site_count, (s->process->object + s->b / 64) % 16);
}

static void begin_method(const struct step *s)
{
	open_frame(s, make_method(s->a));
}

static void begin_many(const struct step *s)
{
	for (uint32_t i = 0; i < s->b; i++)
		open_frame(s, make_method(s->a % MAKE_METHODS));
}

static void end_frame(const struct step *s, enum jwr_kind kind)
{
	struct thread *t = &s->process->threads[s->uid - 1];
	uint64_t id = t->depth ? t->open[--t->depth] : make_method(s->a);
	uint64_t site = id - make_site(0);

	if (s->b % 4 && site < make_site_count)
		put_captures(s, (uint32_t)site, kind == JWR_FAIL ? "exception" : "return", s->a);
	put(s, kind, id);
}

static void end_call(const struct step *s)
{
	end_frame(s, JWR_EXIT);
}

static void fail_call(const struct step *s)
{
	end_frame(s, JWR_FAIL);
}

/* A few times; or so often that a list of changes is longer than a block. */
static void call_often(const struct step *s)
{
	struct step one = *s;
	uint32_t times = s->b < 240 ? s->b % 8 : OFTEN_MAX;

	for (uint32_t i = 0; i < times && s->process->often < OFTEN_MAX; i++) {
		begin_call(&one);
		one.tick += 5;
		end_frame(&one, JWR_EXIT);
		one.tick += s->a;
		s->process->often++;
	}
}

static void user_event(const struct step *s)
{
	put(s, JWR_EVENT, USER_TYPE + s->a % 4);
	put(s, JWR_EVENT_VALUE, s->b);
}

static void write_chunk_of(const struct step *s)
{
	make_chunk(&s->process->m, s->uid);
}

/* A window that is left behind, and counts unless a chunk has what it holds. */
static void write_window(const struct step *s)
{
	if (s->process->windows++ < 2 && s->process->m.thread_count)
		make_window(&s->process->m, s->uid, s->a % 4);
}

static void write_record(const struct step *s)
{
	put(s, (enum jwr_kind)s->a, s->b);
}

/* Meta lines: U is the thread, T the tick, E a later one, M and W the times of T, N another time, I
 * a method, A and B arguments. */
static void write_meta(const struct step *s, const char *line)
{
	static const char letters[] = "UTMWABNIE";
	const struct make *m = &s->process->m;
	struct jwr_clock_point p = make_point(m, s->tick);
	const uint64_t numbers[] = { s->uid,
				     s->tick,
				     p.mono_ns,
				     p.wall_ns,
				     s->a,
				     s->b,
				     p.mono_ns + (uint64_t)s->a * 1000 * s->b,
				     method_of(s),
				     s->tick + (uint64_t)s->a * s->b };

	for (; *line; line++) {
		const char *letter = strchr(letters, *line);

		if (letter)
			fprintf(m->meta, "%llu", (unsigned long long)numbers[letter - letters]);
		else
			fputc(*line == '|' ? '\t' : *line, m->meta);
	}
	fputc('\n', m->meta);
}

/* One of three: a function, a record with a payload, or a line of meta. */
static const struct {
	void (*take)(const struct step *s);
	enum jwr_kind kind;
	uint64_t (*payload)(const struct step *s);
	const char *meta;
} steps[] = {
	{ .take = begin_call },
	{ .take = begin_call },
	{ .take = begin_call },
	{ .take = end_call },
	{ .take = end_call },
	{ .take = end_call },
	{ .take = begin_method },
	{ .take = fail_call },
	{ .take = begin_many },
	{ .take = call_often },
	{ .take = user_event },
	{ .take = write_chunk_of },
	{ .take = write_window },
	{ .take = write_record },
	{ .kind = JWR_ENTER, .payload = method_of },
	{ .kind = JWR_EXIT, .payload = method_of },
	{ .kind = JWR_FAIL, .payload = method_of },
	{ .kind = JWR_NONE, .payload = number_of },
	{ .kind = JWR_SWITCH, .payload = number_of },
	{ .kind = JWR_CLOSED, .payload = method_of },
	{ .kind = JWR_END, .payload = number_of },
	{ .kind = JWR_GC_BEGIN, .payload = number_of },
	{ .kind = JWR_GC_END, .payload = number_of },
	{ .kind = JWR_CONTENDED, .payload = object_of },
	{ .kind = JWR_ENTERED, .payload = object_of },
	{ .kind = JWR_WAIT, .payload = object_of },
	{ .kind = JWR_WAITED, .payload = object_of },
	{ .kind = JWR_EXPIRED, .payload = object_of },
	{ .kind = JWR_OBJECT, .payload = object_of },
	{ .kind = JWR_VALUE, .payload = value_of },
	{ .kind = JWR_EVENT, .payload = type_of },
	{ .kind = JWR_EVENT_VALUE, .payload = value_of },
	{ .kind = JWR_THROWN, .payload = object_of },
	{ .kind = JWR_CAUGHT, .payload = object_of },
	{ .kind = JWR_ALLOC, .payload = object_of },
	{ .kind = JWR_CREATED, .payload = method_of },
	{ .meta = "thread|U|T|T|A|B|-|new A" },
	{ .meta = "thread|U|0|T|A|B|dv|virtual A" },
	{ .meta = "thread-end|U|T|t" },
	{ .meta = "thread-end|U|T|renamed A" },
	{ .meta = "virtual|A|virtual B" },
	{ .meta = "virtual-end|A|virtual B" },
	{ .meta = "class|A|a.C$B" },
	{ .meta = "event-label|7000001|label B" },
	{ .meta = "event-value|7000001|A|value B" },
	{ .meta = "text|A|text B" },
	{ .meta = "text|A|" },
	{ .meta = "text|A|java.lang.InterruptedException" },
	{ .meta = "command|java B" },
	{ .meta = "vm|v B" },
	{ .meta = "cwd|/A" },
	{ .meta = "map|/no/such/A" },
	{ .meta = "pause|T" },
	{ .meta = "resume|T" },
	{ .meta = "lost|U|A" },
	{ .meta = "stop|T|cap" },
	{ .meta = "note|A" },
	{ .meta = "clock-point|T|M|W" },
	{ .meta = "clock-point|T|N|W" },
	{ .meta = "alive|T|M|W" },
	{ .meta = "probes|T|ffm" },
	{ .meta = "boot|A|B" },
	{ .meta = "host|node A" },
	{ .meta = "pid|A" },
	{ .meta = "rank|A" },
	{ .meta = "thread-name|U|T|renamed A" },
	{ .meta = "data|A" },
	{ .meta = "windows|anonymous" },
	{ .meta = "end|T|exit" },
	{ .take = begin_near_call },
	{ .meta = "closed|T|I" },
	{ .meta = "detail|T|E" },
	{ .kind = JWR_SWITCH, .payload = virtual_of },
};
enum { STEPS = sizeof(steps) / sizeof(*steps) };

/* Every process with its threads; the last one is the VM itself. */
static void begin_process(struct process *p, const char *name, unsigned options)
{
	p->m = make_begin(name);
	if (options & RING)
		make_meta(&p->m, "mode|flight-recorder");
	for (uint32_t uid = 1; uid <= THREADS; uid++)
		make_thread(&p->m, uid, MAKE_START, "t");
	make_meta(&p->m, "thread|%d|0|%u|1|0|j|VM", THREADS + 1, MAKE_START);
}

static void end_process(struct process *p, const char *name, unsigned options)
{
	make_finish(&p->m, !(options & KILLED));
	if (options & RING)
		must(rename(make_path("%s.jwr/data", name), make_path("%s.jwr/data.2", name)) == 0);
}

static void run(struct process *processes, size_t n, const uint8_t *at, size_t size)
{
	struct step s = { .tick = MAKE_START };

	for (size_t i = 0; i < size / STEP_SIZE && i < STEPS_MAX; i++) {
		const uint8_t *bytes = at + i * STEP_SIZE;
		size_t what = bytes[0] % (STEPS + 1);

		s.process = &processes[bytes[1] % 4 % n];
		s.uid = 1 + bytes[1] / 4 % (THREADS + 1);
		s.a = bytes[2];
		s.b = bytes[3];
		s.tick++;
		if (what == STEPS)
			s.tick += (uint64_t)s.a << s.b % 24; /* time passes */
		else if (steps[what].take)
			steps[what].take(&s);
		else if (steps[what].meta)
			write_meta(&s, steps[what].meta);
		else
			put(&s, steps[what].kind, steps[what].payload(&s));
	}
}

/* ---- what comes out ---- */

/* False: there is nothing to convert, which is the only reason to refuse. */
static bool convert(const struct trace_job *job, const char *base, size_t threads)
{
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	const struct trace_paraver_files files = { .base = make_path("%s", base),
						   .threads = threads };
	enum jw_status status = trace_to_paraver(job, &files, &arena, &sum, &e);

	if (status != JW_OK && !strstr(e.text, "no event was recorded")) {
		fprintf(stderr, "%s\n", e.text);
		abort();
	}
	jw_arena_free(&arena);
	return status == JW_OK;
}

static void convert_and_check(struct trace_job *job, unsigned options)
{
	if (!convert(job, "fuzz", 1))
		return;
	check_prv("fuzz");
	if (options & REPORT)
		check_report(job, "fuzz");
	if (options & TWICE) {
		job->memory = 1;
		must(convert(job, "again", 2));
		check_same("fuzz", "again");
	}
}

/* ---- mutations ---- */

/* Steps FROM to FROM + N of ALL, which are COUNT, once more before step AT; the bits of WHO in the
 * byte that says who does it are turned over. */
static void repeat(uint8_t *all, size_t count, size_t from, size_t n, size_t at, uint8_t who)
{
	uint8_t copy[8 * STEP_SIZE];

	memcpy(copy, all + from * STEP_SIZE, n * STEP_SIZE);
	for (size_t i = 0; i < n; i++)
		copy[i * STEP_SIZE + 1] ^= who;
	memmove(all + (at + n) * STEP_SIZE, all + at * STEP_SIZE, (count - at) * STEP_SIZE);
	memcpy(all + at * STEP_SIZE, copy, n * STEP_SIZE);
}

/* Half of the time whole steps come, go or change: where a byte comes or goes, all steps after it
 * are others. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	uint32_t state = seed;
	size_t count = size < OPTIONS_SIZE ? 0 : (size - OPTIONS_SIZE) / STEP_SIZE;
	uint8_t *all = data + OPTIONS_SIZE;

	if (count < 2 || draw(&state, 2) == 0)
		return LLVMFuzzerMutate(data, size, max);
	size_t from = draw(&state, (uint32_t)count), at = draw(&state, (uint32_t)count);
	size_t n = 1 + draw(&state, 8);

	n = n > count - from ? count - from : n;
	switch (draw(&state, 4)) {
	case 0: /* goes */
		memmove(all + from * STEP_SIZE, all + (from + n) * STEP_SIZE,
			(count - from - n) * STEP_SIZE);
		count -= n;
		break;
	case 1: /* changes */
		all[at * STEP_SIZE + draw(&state, STEP_SIZE)] = (uint8_t)draw(&state, 256);
		break;
	default: /* comes */
		if (OPTIONS_SIZE + (count + n) * STEP_SIZE > max)
			break;
		repeat(all, count, from, n, at, draw(&state, 2) ? (uint8_t)draw(&state, 32) : 0);
		count += n;
		break;
	}
	return OPTIONS_SIZE + count * STEP_SIZE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[PROCESSES] = { "one", "two", "three" };
	const char *map = make_operations();
	bool whole = size >= OPTIONS_SIZE;
	unsigned options = whole ? data[0] | (unsigned)data[1] << 8 : 0;
	size_t n = 1u + !!(options & SECOND) + !!(options & THIRD);
	struct process processes[PROCESSES] = { 0 };
	const char *paths[PROCESSES];

	for (size_t i = 0; i < n; i++)
		begin_process(&processes[i], names[i], options);
	if (whole)
		run(processes, n, data + OPTIONS_SIZE, size - OPTIONS_SIZE);
	for (size_t i = 0; i < n; i++) {
		end_process(&processes[i], names[i], options);
		paths[i] = processes[i].m.path;
	}
	struct trace_job job = {
		.recordings = paths,
		.recording_count = n,
		.maps = &map,
		.map_count = !(options & NO_MAP),
		.lanes = options & LANES ? 2 : 0,
		.methods = options & FEW ? 3 : 0,
	};

	convert_and_check(&job, options);
	for (size_t i = 0; i < n; i++)
		make_remove(paths[i]);
	return 0;
}
