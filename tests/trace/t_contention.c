/*
 * t_contention.c: threads that contend for monitors at random: who had one for how long is in a report of their
 * recording what it is in that of its trace.
 */
#include "tests/tap.h"

#include "tests/trace/check_trace.h"
#include "tests/trace/make_calls.h"

#include "base/banned.h"

/* (Up to 16 threads are told in order.) */
enum { THREADS = 30, MONITORS = 9, STEPS = 3000, METHODS = 5, NOBODY = 0 };

static uint64_t random_state;

static uint32_t next_random(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 20) % below;
}

/* What a thread does: it waits for a monitor, or has one, or neither. */
static struct {
	uint32_t depth;
	uint32_t awaits, has; /* from 1 */
	/* who was seen to have it, and until when: the first, or another; 0: not known, or to the end */
	uint64_t seen, until;
	uint32_t holder;
} threads[THREADS + 1];

static uint32_t owners[MONITORS + 1];

static uint64_t object_of(uint32_t monitor)
{
	return UINT64_C(7) << JWR_HASH_BITS | (4710 + monitor);
}

/* OWNER gets MONITOR at TICK: who waits for it may learn that then, and that another one has it no longer. */
static void hand_over(uint32_t monitor, uint32_t owner, uint64_t tick)
{
	owners[monitor] = owner;
	for (uint32_t i = 1; i <= THREADS; i++) {
		if (i == owner || threads[i].awaits != monitor)
			continue;
		if (threads[i].holder && !threads[i].until)
			threads[i].until = tick;
		if (next_random(3))
			continue;
		threads[i].holder = owner;
		threads[i].seen = tick;
		threads[i].until = 0;
	}
}

static void wait_ends(struct make *m, uint32_t who, uint64_t tick)
{
	uint32_t monitor = threads[who].awaits;

	if (threads[who].holder) {
		make_event(m, who, threads[who].seen, JWR_HOLDER,
			   jwr_thread_object(threads[who].holder));
		if (threads[who].until)
			make_event(m, who, threads[who].until, JWR_HOLDER, 0);
	}
	threads[who].awaits = 0;
	threads[who].has = monitor;
	hand_over(monitor, who, tick);
	make_event(m, who, tick + 1, JWR_ENTERED, object_of(monitor));
}

/* WHO gives back what it has; one of those that wait for it gets it. */
static void give_back(struct make *m, uint32_t who, uint64_t tick)
{
	uint32_t monitor = threads[who].has, first = next_random(THREADS);

	threads[who].has = 0;
	owners[monitor] = NOBODY;
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t other = (first + i) % THREADS + 1;

		if (threads[other].awaits == monitor) {
			wait_ends(m, other, tick);
			return;
		}
	}
}

static void enter(struct make *m, uint32_t who, uint64_t tick)
{
	uint32_t monitor = 1 + next_random(MONITORS);

	if (!owners[monitor]) {
		threads[who].has = monitor;
		owners[monitor] = who;
		return;
	}
	threads[who].awaits = monitor;
	threads[who].holder = next_random(3) ? NOBODY : owners[monitor];
	threads[who].seen = tick + 1;
	threads[who].until = 0;
	make_event(m, who, tick, JWR_CONTENDED, object_of(monitor));
}

static void call_or_return(struct make *m, uint32_t who, uint64_t tick)
{
	if (threads[who].depth && next_random(2))
		make_event(m, who, tick, JWR_EXIT, make_method(--threads[who].depth));
	else if (threads[who].depth < METHODS)
		make_event(m, who, tick, JWR_ENTER, make_method(threads[who].depth++));
}

static void make_random(const char *name)
{
	struct make m = make_begin(name);

	m.window_records = 200;
	memset(threads, 0, sizeof(threads));
	memset(owners, 0, sizeof(owners));
	make_meta(&m, "class|7|a.Lock");
	for (uint32_t i = 1; i <= THREADS; i++)
		make_thread(&m, i, 0, "worker");
	for (uint64_t i = 0; i < STEPS; i++) {
		uint32_t who = 1 + next_random(THREADS);
		uint64_t tick = MAKE_START + 100 + 4 * i;

		if (threads[who].awaits)
			continue;
		if (next_random(3))
			call_or_return(&m, who, tick);
		else if (threads[who].has)
			give_back(&m, who, tick);
		else
			enter(&m, who, tick);
	}
	make_finish(&m, true);
}

TEST(who_had_a_monitor_is_in_a_recording_what_it_is_in_its_trace)
{
	struct jw_arena arena = { 0 };

	for (unsigned i = 0; i < 20; i++) {
		struct trace_summary summary;
		struct jw_err e = { 0 };

		random_state = 88172645463325252u + i;
		make_random("random");
		const char *path = make_path("random.jwr");
		char *kept = strdup(path);
		struct trace_job job = { .recordings = (const char *const *)&kept,
					 .recording_count = 1 };

		is_int(make_convert_job(&job, "random", &arena, &summary, &e), JW_OK);
		for (job.threads = 1; job.threads <= 2; job.threads++)
			check_report(&job, "random");
		make_remove(kept);
		free(kept);
	}
	jw_arena_free(&arena);
}
