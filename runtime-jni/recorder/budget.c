#include "runtime-jni/recorder/budget.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/hot.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/own_thread.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

#define NS 1e9

/* What an event costs in all, in ns of CPU time: 16 to record it, 70 to convert it; and a probe
 * that compilers cannot see through costs what they would have made of the code without it. */
#define EVENT_NS 100.0
#define FIRST    2e5  /* events that any program may have, however short it runs */
#define MOST     4e6  /* events that no program has much more of: a trace of 130 MB */
#define HORIZON  (NS) /* CPU time in which to be back on the curve */

#define LOOK_BYTES  (UINT64_C(512) << 10) /* of the latest chunks are looked at */
#define LOOK_EVENTS 8192.0                /* new ones, at least, between two looks */

#define LASTING_NS 5e4 /* of its own, by event: such a method is not small */
#define WHOLE_NS   1e6 /* a thread has a thousand such calls a second, at most: 0.02 % of its time */

#define WAITS_SHARE 0.25 /* of all events: waits are a good part of them */
#define WAIT_NS     16000.0
#define WAIT_STEP   4
#define WAIT_MOST   1e9 /* ns; longer ones are always recorded */

/* Many short details tell more than a few long ones that have as many events: what a program does now, it still does a
 * moment later. */
#define DETAIL_STEP   50  /* us: until windows are looked at */
#define DETAIL_EVENTS 2e4 /* that this may bring */
#define DETAIL_PAUSE  5e6 /* ns of CPU time between two */
#define DETAILS_DUE \
	6 /* after methods were closed, whatever was recorded: else a short phase had none */
#define DETAILS_MOST  30   /* of these */
#define METHODS_SHARE 0.75 /* of the events that may be; the rest is for details */

#define BUSY_MS 5 /* between two looks; where less CPU time than a pause goes by meanwhile: */
#define IDLE_MS 50

enum { SPACES = 4096, EXCEPTED = 4096 }; /* powers of two */

static struct {
	double share;
	rt_set_gates_fn *set;
	_Atomic bool on;
	pthread_mutex_t lock; /* with `woken` */
	pthread_cond_t wake;
	bool woken;
	_Atomic uint64_t wake_at; /* bytes of chunks */
	uint8_t gates[JWR_GATES];
	bool any_closed;
	uint64_t looked;                /* bytes of chunks */
	double events, cpu, detail_cpu; /* at the last look, and detail */
	bool busy;                      /* the next detail was due at the last look */
	unsigned due, given;            /* details, however much was recorded */
	_Atomic double ticks_a_ns;
	double wait_ns;              /* shorter waits are left out */
	_Atomic uint64_t least_wait; /* the same in ticks */
	/* sets of class hashes, and of ids, that only grow: places of hash tables */
	_Atomic uint64_t spaces[SPACES], excepted[EXCEPTED];
} budget = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER };

static const uint8_t all_open[JWR_GATES];

/* ---- which ids have a gate ---- */

/* Adds KEY, not 0, to SET of COUNT places; false: it was there. A full one is full. */
static bool add(_Atomic uint64_t *set, size_t count, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (size_t i = 0; i < count; i++) {
		uint64_t free_place = 0;

		if (atomic_compare_exchange_strong(&set[(at + i) % count], &free_place, key))
			return true;
		if (free_place == key)
			return false;
	}
	return false;
}

static bool has(const _Atomic uint64_t *set, size_t count, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (size_t i = 0; i < count; i++) {
		uint64_t found = atomic_load(&set[(at + i) % count]);

		if (found == key || !found)
			return found == key;
	}
	return false;
}

void rt_budget_numbers(uint64_t id)
{
	(void)add(budget.spaces, SPACES, jwr_word_payload(id) >> JWR_INDEX_BITS);
}

void rt_budget_except(uint64_t id)
{
	struct jw_buf line = { 0 };

	id = jwr_word_payload(id);
	if (!add(budget.excepted, EXCEPTED, id) || !atomic_load(&budget.on))
		return;
	rt_meta_begin(&line, "except");
	rt_meta_number(&line, id);
	rt_meta_end(&line);
}

/* What is no method stays: a call site says what its thread does. */
static enum rt_hot_fate judge(void *ctx, uint64_t id)
{
	bool is_site = (id & JWR_SITE_BIT) && !has(budget.spaces, SPACES, id >> JWR_INDEX_BITS);

	(void)ctx;
	if (is_site || has(budget.excepted, EXCEPTED, id))
		return RT_HOT_STAYS;
	return budget.gates[jwr_gate(id)] ? RT_HOT_GONE : RT_HOT_MAY_GO;
}

/* ---- what may be, and what is ---- */

static double cpu_now(void)
{
	return (double)trace_ns_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double events_now(void)
{
	return (double)rt_data_bytes() / sizeof(struct jwr_record);
}

/* Events that may have been recorded after CPU ns of CPU time. */
static double allowed(double cpu)
{
	double x = FIRST + budget.share * cpu / EVENT_NS;

	return x * MOST / (x + MOST);
}

/* The share of events that may come again, where they have come as they did since the last look; 1
 * or more: all. What is too much by now is made up for slowly: else all would be closed that moves.
 */
static double share_to_keep(double events, double cpu)
{
	double now = METHODS_SHARE * allowed(cpu), then = METHODS_SHARE * allowed(cpu + HORIZON);
	double least = (then - now) / 2, may_come = then - events;
	double come = (events - budget.events) / (cpu > budget.cpu ? cpu - budget.cpu : 1);

	if (events <= now)
		return 1;
	return (may_come > least ? may_come : least) / (come * HORIZON);
}

/* ---- a look at the latest chunks ---- */

/* The chunks in the N bytes at P, which begin where one may. */
static void look_at(struct rt_hot *hot, const uint8_t *p, size_t n)
{
	for (size_t at = 0; at + sizeof(struct jwr_chunk) <= n;) {
		struct jwr_chunk c;

		memcpy(&c, p + at, sizeof(c));
		size_t size = sizeof(c) + c.bytes;

		if (c.magic != JWR_MAGIC || c.bytes > JWR_RECORDS_SIZE || size > n - at) {
			at += JWR_ALIGN; /* one that is still being written, or the end of another
					  */
			continue;
		}
		rt_hot_chunk(hot, (const void *)(p + at + sizeof(c)),
			     c.bytes / sizeof(struct jwr_record));
		at += (size + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
	}
}

/* Says that ID is closed from TICK on, to readers first: should the process die before it is, they
 * leave out what is still recorded. */
static void say_closed(uint64_t id, uint64_t tick)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "closed");
	rt_meta_number(&line, tick);
	rt_meta_number(&line, id);
	rt_meta_end(&line);
	rt_vm_event(JWR_CLOSED, id);
	budget.gates[jwr_gate(id)] = 1;
	budget.any_closed = true;
}

uint64_t rt_budget_least_wait(void)
{
	return atomic_load_explicit(&budget.least_wait, memory_order_relaxed);
}

uint64_t rt_budget_ns(uint64_t ticks)
{
	return (uint64_t)((double)ticks / atomic_load(&budget.ticks_a_ns));
}

/* From now on only longer waits than before are recorded: readers are told since when. */
static void leave_out_waits(void)
{
	struct jw_buf line = { 0 };

	if (budget.wait_ns >= WAIT_MOST)
		return;
	budget.wait_ns = budget.wait_ns > 0 ? budget.wait_ns * WAIT_STEP : WAIT_NS;
	atomic_store(&budget.least_wait, (uint64_t)(budget.wait_ns * budget.ticks_a_ns) + 1);
	rt_meta_begin(&line, "short-waits");
	rt_meta_number(&line, trace_tick_now(rt_recorder.clock));
	rt_meta_number(&line, (uint64_t)budget.wait_ns);
	rt_meta_end(&line);
}

static void close_some(double keep)
{
	static uint8_t bytes[LOOK_BYTES] __attribute__((aligned(16)));
	static struct rt_hot hot;
	static uint64_t ids[RT_HOT_METHODS];
	uint64_t end = rt_data_bytes();
	uint64_t from = end > budget.looked + LOOK_BYTES ? end - LOOK_BYTES : budget.looked;

	budget.looked = end;
	size_t n = rt_data_read(bytes, from, (size_t)(end - from));
	rt_hot_clear(&hot);
	look_at(&hot, bytes, n);
	if ((double)hot.waits > WAITS_SHARE * (double)hot.events)
		leave_out_waits();
	const struct rt_hot_limits limits = { .keep = keep,
					      .lasting = LASTING_NS * budget.ticks_a_ns,
					      .whole = WHOLE_NS * budget.ticks_a_ns };
	size_t count = rt_hot_rank(&hot, &limits, judge, NULL, ids);
	if (count == 0)
		return;
	if (!budget.any_closed && !budget.set(all_open)) { /* nothing is said that cannot be done */
		atomic_store(&budget.on, false);
		return;
	}
	uint64_t now = trace_tick_now(rt_recorder.clock);
	for (size_t i = 0; i < count; i++)
		say_closed(ids[i], now);
	budget.set(budget.gates);
	budget.due = budget.given < DETAILS_MOST ? DETAILS_DUE : 0;
}

/* ---- now and then, all ---- */

/* Opens all gates for a moment. What began before, or ends after it, readers do not know. */
static void show_detail(void)
{
	struct jw_buf line = { 0 };
	struct timespec step = { .tv_nsec = DETAIL_STEP * 1000L };
	double before = events_now();

	if (!budget.set(all_open))
		return;
	uint64_t begin = trace_tick_now(rt_recorder.clock);
	rt_vm_event(JWR_DETAIL, 1);
	for (int us = 0; us < JWR_DETAIL_US && events_now() < before + DETAIL_EVENTS;
	     us += DETAIL_STEP)
		nanosleep(&step, NULL);
	rt_vm_event(JWR_DETAIL, 0);
	uint64_t end = trace_tick_now(rt_recorder.clock);
	budget.set(budget.gates);
	rt_meta_begin(&line, "detail");
	rt_meta_number(&line, begin);
	rt_meta_number(&line, end);
	rt_meta_end(&line);
}

/* ---- the thread ---- */

/* How fast the clock of records runs, by what it did since recording began. */
static void look_at_clock(void)
{
	struct jwr_clock_point now = trace_tick_point(rt_recorder.clock, 1);
	double ns = (double)(now.mono_ns - rt_recorder.began.mono_ns);

	budget.ticks_a_ns = ns > 0 ? (double)(now.tick - rt_recorder.began.tick) / ns : 1;
}

static bool has_room_for_detail(double events, double cpu)
{
	if (events + DETAIL_EVENTS <= allowed(cpu))
		return true;
	if (!budget.due)
		return false;
	budget.due--;
	budget.given++;
	return true;
}

static void look(void)
{
	double events = events_now(), cpu = cpu_now();

	look_at_clock();

	if (events >= budget.events + LOOK_EVENTS) {
		double keep = share_to_keep(events, cpu);

		if (keep < 1)
			close_some(keep);
		budget.events = events;
		budget.cpu = cpu;
	}
	budget.busy = budget.any_closed && cpu >= budget.detail_cpu + DETAIL_PAUSE;
	if (budget.busy && has_room_for_detail(events, cpu)) {
		show_detail();
		budget.detail_cpu = cpu_now();
	}
	double next = allowed(cpu);

	if (next < events + LOOK_EVENTS)
		next = events + LOOK_EVENTS;
	atomic_store(&budget.wake_at, (uint64_t)next * sizeof(struct jwr_record));
}

static void *keep(void *unused)
{
	rt_mute();
	while (rt_recording() && atomic_load(&budget.on)) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += (budget.busy ? BUSY_MS : IDLE_MS) * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		pthread_mutex_lock(&budget.lock);
		while (!budget.woken &&
		       pthread_cond_timedwait(&budget.wake, &budget.lock, &until) == 0)
			continue;
		budget.woken = false; /* or there may be room */
		pthread_mutex_unlock(&budget.lock);
		if (rt_recording() && atomic_load(&budget.on) && !rt_paused()) {
			look();
			budget.set(NULL);
		}
	}
	return unused;
}

void rt_budget_full(void)
{
	uint64_t at = atomic_load_explicit(&budget.wake_at, memory_order_relaxed);

	if (!at || rt_data_bytes() < at || !atomic_compare_exchange_strong(&budget.wake_at, &at, 0))
		return;
	pthread_mutex_lock(&budget.lock);
	budget.woken = true;
	pthread_cond_signal(&budget.wake);
	pthread_mutex_unlock(&budget.lock);
}

void rt_budget_give_up(void)
{
	if (atomic_exchange(&budget.on, false))
		rt_note("an archive was woven by an older jweave: no method is closed for the sake "
			"of JWEAVE_BUDGET");
}

static void say_budget(double share)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "budget");
	jw_put_fmt(&line, "\t%g", share);
	rt_meta_end(&line);
}

void rt_budget_start(double share, rt_set_gates_fn *set)
{
	budget.share = share;
	budget.set = set;
	if (!rt_recorder.vm)
		rt_vm_prepare();
	say_budget(share);
	atomic_store(&budget.wake_at, (uint64_t)FIRST * sizeof(struct jwr_record));
	atomic_store(&budget.on, true);
	if (rt_own_thread(keep, RT_STACK_JAVA) != 0) {
		atomic_store(&budget.on, false);
		rt_note("there is no thread to keep recording within JWEAVE_BUDGET: all is "
			"recorded");
	}
}
