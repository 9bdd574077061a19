/*
 * t_apart_threads.c: all that threads do told apart (TRACE_APART_THREADS): each hears of itself what it hears in
 * order, in that order, on the same side of pauses; numbers are given as they are in order.
 */
#include "tests/tap.h"

#include "base/grow.h"
#include "tests/trace/check_prv.h"
#include "tests/trace/make_calls.h"
#include "trace/reader/notes.h"
#include "trace/replay/replay.h"

#include "base/banned.h"

enum { THREADS = 6, METHODS = 40, EVENTS = 6000 };

static uint64_t random_state;
static bool waits[THREADS + 1];

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* ---- what is told ---- */

struct said {
	uint64_t time, value;
	uint32_t thread;
	char what;
};

struct log {
	struct {
		struct said *at;
		size_t n, room;
	} list;
	size_t switches; /* from one thread to another */
	uint32_t latest;
	bool with_arrows; /* it is noted what its threads have heard before each */
	bool by_thread;   /* its receiver; and states */
	size_t arrows;
	uint64_t most, least; /* times of calls and states; since a pause none may be below that */
	size_t pauses, astray;
	uint64_t *methods; /* ids, in the order of their numbers; owned */
	size_t method_n;
	char classes[256]; /* likewise, names */
};

static void say(void *ctx, uint32_t thread, uint64_t time, char what, uint64_t value)
{
	static const struct jw_growth grow = { NULL, 0, 0 };
	struct log *log = ctx;

	must(JW_GROW(&log->list, &grow, NULL) == JW_OK);
	log->list.at[log->list.n++] = (struct said){ time, value, thread, what };
	log->switches += thread != log->latest;
	log->latest = thread;
}

/* Calls and states stay on their side of pauses. */
static void keep_side(struct log *log, uint64_t time)
{
	log->astray += time < log->least;
	log->most = time > log->most ? time : log->most;
}

static void pause_begins(struct log *log, uint64_t time)
{
	log->astray += log->most > time;
	log->least = time;
	log->pauses++;
}

static enum jw_status begin(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx, (void)e;
	must(scene->thread_count - THREADS <= 1);
	return JW_OK;
}

static void state(void *ctx, uint32_t thread, uint64_t from, uint64_t to, uint64_t state)
{
	struct log *log = ctx;

	if (from) /* then all begin to be */
		keep_side(log, from);
	if (log->by_thread) /* else they have an order of their own */
		say(ctx, thread, from, 'S', to << 8 | state);
}

static void enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	keep_side(ctx, time);
	say(ctx, thread, time, 'e', method);
}

static void leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	keep_side(ctx, time);
	say(ctx, thread, time, 'l', failed);
}

static void event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type, uint64_t value)
{
	if (type == TRACE_TYPE_GC)
		pause_begins(ctx, time);
	say(ctx, thread, time, 't', (uint64_t)type << 32 | (uint32_t)value);
}

static void operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
		      uint64_t number)
{
	say(ctx, thread, time, 'o', (uint64_t)type << 32 | number);
}

static void captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
		     uint64_t value)
{
	(void)what;
	say(ctx, thread, time, 'c', value);
}

static void user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	say(ctx, thread, time, 'u', type << 32 | value);
}

static void arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		  uint64_t tag)
{
	struct log *log = ctx;

	log->arrows++;
	if (!log->with_arrows)
		return;
	if (!log->by_thread)
		say(ctx, from, sent, 's', tag);
	say(ctx, to, received, 'r', tag);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	(void)ctx, (void)e;
	return JW_OK;
}

/* Methods are numbered as they come: their ids tell them apart. */
static enum jw_status end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct log *log = ctx;

	(void)e;
	for (size_t i = 0; i < log->list.n; i++)
		if (log->list.at[i].what == 'e')
			log->list.at[i].value = names->methods[log->list.at[i].value - 1].id;
	log->methods = jw_mem_zalloc(names->method_count + 1, sizeof(*log->methods));
	must(log->methods);
	for (; log->method_n < names->method_count; log->method_n++)
		log->methods[log->method_n] = names->methods[log->method_n].id;
	for (size_t i = 0; i < names->classes.n; i++)
		snprintf(log->classes + strlen(log->classes),
			 sizeof(log->classes) - strlen(log->classes), "%s ", names->classes.at[i]);
	return JW_OK;
}

static const struct trace_output logs = {
	.begin = begin,
	.state = state,
	.enter = enter,
	.leave = leave,
	.event = event,
	.operation = operation,
	.captured = captured,
	.user = user,
	.arrow = arrow,
	.check = check,
	.end = end,
};

static struct log tell(const char *path, const char *map, enum trace_apart apart, bool with_arrows,
		       bool by_thread)
{
	struct trace_job job = {
		.recordings = &path, .recording_count = 1, .maps = &map, .map_count = 1, .spill = ""
	};
	struct trace_replay replay = { 0 };
	struct jw_arena arena = { 0 };
	struct trace_notes notes = { .arena = &arena };
	struct jw_err e = { 0 };
	struct log log = { .with_arrows = with_arrows, .by_thread = by_thread };

	must(trace_replay_open(&job, &notes, &replay, &e) == JW_OK);
	replay.apart = apart;
	must(trace_replay_tell(&replay, &logs, &log, &e) == JW_OK);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
	return log;
}

static struct said *next_of(struct log *log, size_t *at, uint32_t thread)
{
	while (*at < log->list.n && log->list.at[*at].thread != thread)
		++*at;
	return *at < log->list.n ? &log->list.at[(*at)++] : NULL;
}

static bool is_same(struct log *a, struct log *b, uint32_t thread)
{
	struct said *x, *y;
	size_t at = 0, bt = 0;

	do {
		x = next_of(a, &at, thread);
		y = next_of(b, &bt, thread);
		if (!x != !y ||
		    (x && (x->time != y->time || x->value != y->value || x->what != y->what))) {
			tap_note("thread %u differs at %zu: %c %llu, %c %llu", thread, at,
				 x ? x->what : '-', (unsigned long long)(x ? x->time : 0),
				 y ? y->what : '-', (unsigned long long)(y ? y->time : 0));
			return false;
		}
	} while (x);
	return true;
}

/* ---- recordings ---- */

/* It parks for one of some objects at one of some places, and goes on. */
static void put_park(struct make *m, uint32_t uid, uint64_t tick)
{
	uint64_t object = (next_random() >> 20 & 3) << JWR_HASH_BITS | 99;

	make_event(m, uid, tick, JWR_PLACE, next_random() >> 20 & 3);
	make_event(m, uid, tick, JWR_PARK, object);
	make_event(m, uid, tick + 1, JWR_PARKED, JWR_PARKED_MOUNT);
}

/* One of EVENTS in OTHERS is neither enter nor exit; what a thread has open stays so. */
static void put_event(struct make *m, uint32_t uid, uint64_t tick, unsigned others, uint32_t *depth,
		      uint32_t *stack)
{
	uint64_t r = next_random();

	if (others && r % others == 0) {
		if (r >> 8 & 1) {
			make_call(m, uid, tick, 0, 4711);
			make_returned(m, uid, tick + 1, 0);
		} else if (r >> 9 & 1) {
			make_event(m, uid, tick, waits[uid] ? JWR_WAITED : JWR_WAIT, 4711);
			waits[uid] = !waits[uid];
		} else if (r >> 12 & 1) {
			make_event(m, uid, tick, JWR_UNPARK, JWR_OBJECT_THREAD | uid % THREADS);
		} else if (r >> 13 & 1) {
			put_park(m, uid, tick);
		} else {
			make_event(m, uid, tick, JWR_ALLOC, r >> 20 & 0xffffff);
		}
	} else if (*depth && (r >> 10 & 1 || *depth == 30)) {
		--*depth;
		make_event(m, uid, tick, r >> 11 & 7 ? JWR_EXIT : JWR_FAIL,
			   make_method(stack[*depth]));
	} else {
		stack[*depth] = (uint32_t)(r >> 32) % METHODS;
		make_event(m, uid, tick, JWR_ENTER, make_method(stack[(*depth)++]));
	}
}

static void make_random(const char *name, unsigned others)
{
	struct make m = make_begin(name);
	uint32_t depth[THREADS] = { 0 }, stack[THREADS][32];

	uint64_t pauses = 0;

	m.window_records = 300;
	memset(waits, 0, sizeof(waits));
	for (uint32_t i = 0; i < THREADS; i++)
		make_thread(&m, i + 1, 0, "worker");
	for (unsigned i = 0; i < 5; i++)
		make_meta(&m, i < 3 ? "class|%u|a.A%u" : "place|%u|a.A.a%u", i % 3, i);
	make_meta(&m, "thread|%u|0|%u|0|0|j|VM", THREADS + 1, MAKE_START);
	for (uint64_t i = 0; i < EVENTS; i++) {
		uint32_t who = (uint32_t)(next_random() >> 20) % THREADS;

		if (others && next_random() % 300 == 0)
			make_event(&m, THREADS + 1, MAKE_START + 100 + 2 * i,
				   pauses++ % 2 ? JWR_GC_END : JWR_GC_BEGIN, 0);
		put_event(&m, who + 1, MAKE_START + 100 + 2 * i, others, &depth[who], stack[who]);
	}
	make_finish(&m, true);
}

static void log_free(struct log *log)
{
	jw_mem_free(log->list.at);
	jw_mem_free(log->methods);
}

static const struct make_site site = { 13, "java.lang.Object.notify()V",
				       "monitor/notify|this:identity" };

static void holds(unsigned others, enum trace_apart how, bool with_arrows)
{
	const char *map = make_sites("apart.map", &site, 1);
	char name[32];

	random_state = 88172645463325252u + others;
	snprintf(name, sizeof(name), "apart%u", others);
	make_random(name, others);
	char *path = strdup(make_path("%s.jwr", name));
	bool by_thread = how == TRACE_APART_THREADS;
	struct log all = tell(path, map, TRACE_IN_ORDER, with_arrows, by_thread);
	struct log apart = tell(path, map, how, with_arrows, by_thread);

	ok(all.list.n > EVENTS / 2 && all.list.n == apart.list.n);
	ok(all.arrows == apart.arrows && (!others || others > 3 || all.arrows > 10));
	for (uint32_t i = 0; i <= THREADS; i++)
		ok(is_same(&all, &apart, i));
	ok(apart.switches < all.switches);
	ok(!by_thread ||
	   (all.method_n == apart.method_n &&
	    memcmp(all.methods, apart.methods, all.method_n * sizeof(*all.methods)) == 0));
	ok(all.pauses == apart.pauses && (others == 0) == (all.pauses == 0));
	ok(all.astray == 0 && (!by_thread || apart.astray == 0));
	ok(strcmp(all.classes, apart.classes) == 0);
	log_free(&all);
	log_free(&apart);
	free(path);
	make_remove(make_path("%s.jwr", name));
}

TEST(all_of_a_thread_is_told_as_in_order)
{
	holds(0, TRACE_APART_THREADS, true);
	holds(1000, TRACE_APART_THREADS, true);
	holds(50, TRACE_APART_THREADS, true);
	holds(20, TRACE_APART_THREADS, true);
	holds(3, TRACE_APART_THREADS, true);
}
