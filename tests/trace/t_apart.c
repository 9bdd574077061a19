/*
 * t_apart.c: threads told apart (enum trace_apart): each hears of itself what it hears in order, in that order; what
 * is told of pauses of the collector stays on its side of them, where that is promised; numbers are given as in order.
 */
#include "tests/tap.h"

#include "base/grow.h"
#include "tests/trace/check_prv.h"
#include "tests/trace/make_calls.h"
#include "trace/reader/notes.h"
#include "trace/replay/replay.h"

#include "base/banned.h"

enum { THREADS = 6, METHODS = 40, EVENTS = 6000, MOST_PROCESSES = 70 };

static uint64_t random_state;
static bool waits[THREADS + 1];
static bool pauses; /* the recording has them; the JVM has a row then, the last */
static uint32_t processes = 1, events = EVENTS; /* of each of them */

/* What is compared; the rest has an order of its own. */
enum {
	STATES = 1,
	EACH_PAUSE = 2, /* every thread hears of it */
	SENT = 4,       /* arrows, by their senders */
	RECEIVED = 8,
	NUMBERS = 16, /* of methods */
	SIDES = 32,   /* calls and states are on their side of pauses */
};
static const unsigned promised[] = {
	[TRACE_APART_BY_THREAD] = STATES | EACH_PAUSE | NUMBERS,
	[TRACE_APART_BY_THREAD_BETWEEN_ARROWS] = STATES | EACH_PAUSE | SENT | RECEIVED | NUMBERS,
	[TRACE_APART_BETWEEN_ARROWS] = SENT | RECEIVED,
	[TRACE_APART] = 0,
	[TRACE_APART_THREADS] = STATES | RECEIVED | NUMBERS | SIDES,
};

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
	unsigned held;
	size_t arrows, pauses;
	/* of a process, times of calls and states; since a pause none may be below that */
	uint64_t most[MOST_PROCESSES], least[MOST_PROCESSES];
	size_t astray;     /* so many are */
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

/* Threads have numbers process by process. */
static size_t process_of(uint32_t thread)
{
	return thread / (THREADS + pauses);
}

static void keep_side(struct log *log, uint32_t thread, uint64_t time)
{
	size_t i = process_of(thread);

	log->astray += time < log->least[i];
	log->most[i] = time > log->most[i] ? time : log->most[i];
}

static void pause_begins(struct log *log, uint32_t thread, uint64_t time)
{
	size_t i = process_of(thread);

	log->astray += log->most[i] > time;
	log->least[i] = time;
	log->pauses++;
}

static enum jw_status begin(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx, (void)e;
	must(scene->thread_count == (THREADS + (size_t)pauses) * processes);
	return JW_OK;
}

static void state(void *ctx, uint32_t thread, uint64_t from, uint64_t to, uint64_t state)
{
	struct log *log = ctx;

	if (from) /* then all begin to be */
		keep_side(log, thread, from);
	if (log->held & STATES)
		say(ctx, thread, from, 'S', to << 8 | state);
}

static void enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	keep_side(ctx, thread, time);
	say(ctx, thread, time, 'e', method);
}

static void leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	keep_side(ctx, thread, time);
	say(ctx, thread, time, 'l', failed);
}

static void event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type, uint64_t value)
{
	struct log *log = ctx;
	bool pause = type == TRACE_TYPE_GC;

	if (pause)
		pause_begins(log, thread, time);
	for (uint32_t i = 0; pause && log->held & EACH_PAUSE && i < THREADS; i++)
		say(ctx, i, time, 'g', value);
	if (!pause || !(log->held & EACH_PAUSE))
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
	if (log->held & SENT)
		say(ctx, from, sent, 's', tag);
	if (log->held & RECEIVED)
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

static struct log tell(char *const *paths, const char *map, enum trace_apart apart, unsigned held)
{
	struct trace_job job = {
		.recordings = (const char *const *)paths,
		.recording_count = processes,
		.maps = &map,
		.map_count = 1,
		.spill = "",
	};
	struct trace_replay replay = { 0 };
	struct jw_arena arena = { 0 };
	struct trace_notes notes = { .arena = &arena };
	struct jw_err e = { 0 };
	struct log log = { .held = held };

	must(trace_replay_open(&job, &notes, &replay, &e) == JW_OK);
	replay.apart = apart;
	must(trace_replay_tell(&replay, &logs, &log, &e) == JW_OK);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
	return log;
}

static void log_free(struct log *log)
{
	jw_mem_free(log->list.at);
	jw_mem_free(log->methods);
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

/* Its path, to be freed. */
static char *make_random(const char *name, unsigned others)
{
	struct make m = make_begin(name);
	uint32_t depth[THREADS] = { 0 }, stack[THREADS][32];
	uint64_t pause = 0;

	m.window_records = 300;
	memset(waits, 0, sizeof(waits));
	for (uint32_t i = 0; i < THREADS; i++)
		make_thread(&m, i + 1, 0, "worker");
	for (unsigned i = 0; i < 5; i++)
		make_meta(&m, i < 3 ? "class|%u|a.A%u" : "place|%u|a.A.a%u", i % 3, i);
	if (pauses)
		make_meta(&m, "thread|%d|0|%u|1|0|j|VM", THREADS + 1, MAKE_START);
	for (uint64_t i = 0; i < events; i++) {
		uint32_t who = (uint32_t)(next_random() >> 20) % THREADS;

		if (pauses && next_random() % (events / 20) == 0)
			make_event(&m, THREADS + 1, MAKE_START + 100 + 2 * i,
				   pause++ % 2 ? JWR_GC_END : JWR_GC_BEGIN, 0);
		put_event(&m, who + 1, MAKE_START + 100 + 2 * i, others, &depth[who], stack[who]);
	}
	make_finish(&m, true);
	return strdup(make_path("%s.jwr", name));
}

static const struct make_site site = { 13, "java.lang.Object.notify()V",
				       "monitor/notify|this:identity" };

static void holds(enum trace_apart how, unsigned others)
{
	char *map = strdup(make_sites("apart.map", &site, 1));
	char name[32], *paths[MOST_PROCESSES];

	random_state = 88172645463325252u + others;
	for (uint32_t i = 0; i < processes; i++) {
		snprintf(name, sizeof(name), "apart%u_%u", others, i);
		paths[i] = make_random(name, others);
	}
	struct log all = tell(paths, map, TRACE_IN_ORDER, promised[how]);
	struct log apart = tell(paths, map, how, promised[how]);

	ok(all.list.n > processes * events / 2 && all.list.n == apart.list.n);
	ok(all.arrows == apart.arrows &&
	   (!others || others > (pauses ? 3 : 20) || all.arrows > 10));
	ok(all.pauses == apart.pauses && pauses == (all.pauses > 0));
	for (uint32_t i = 0; i < processes * (THREADS + pauses); i++)
		ok(is_same(&all, &apart, i));
	ok(apart.switches < all.switches);
	ok(!(promised[how] & NUMBERS) ||
	   (all.method_n == apart.method_n &&
	    memcmp(all.methods, apart.methods, all.method_n * sizeof(*all.methods)) == 0));
	ok(all.astray == 0 && (!(promised[how] & SIDES) || apart.astray == 0));
	ok(strcmp(all.classes, apart.classes) == 0);
	log_free(&all);
	log_free(&apart);
	free(map);
	for (uint32_t i = 0; i < processes; i++) {
		make_remove(paths[i]);
		free(paths[i]);
	}
}

static void holds_of_all(enum trace_apart how)
{
	holds(how, 0); /* enters and exits alone */
	holds(how, 1000);
	holds(how, 50);
	holds(how, 20);
	holds(how, 3);
}

static void holds_with_pauses(enum trace_apart how)
{
	pauses = true;
	holds_of_all(how);
	pauses = false;
}

TEST(each_thread_is_told_as_in_order)
{
	holds_of_all(TRACE_APART);
}

TEST(a_thread_hears_its_states_and_pauses_of_the_JVM_as_in_order)
{
	holds_of_all(TRACE_APART_BY_THREAD);
	holds_with_pauses(TRACE_APART_BY_THREAD);
}

TEST(an_arrow_finds_its_threads_as_in_order)
{
	holds_of_all(TRACE_APART_BETWEEN_ARROWS);
}

TEST(states_pauses_and_arrows_find_their_threads_as_in_order)
{
	holds_of_all(TRACE_APART_BY_THREAD_BETWEEN_ARROWS);
	holds_with_pauses(TRACE_APART_BY_THREAD_BETWEEN_ARROWS);
}

TEST(all_of_a_thread_is_told_as_in_order)
{
	holds_of_all(TRACE_APART_THREADS);
	holds_with_pauses(TRACE_APART_THREADS);
}

/* More than may hold back each other's threads by their pauses. */
TEST(threads_of_many_processes_are_told_as_in_order)
{
	processes = MOST_PROCESSES;
	events = EVENTS / 10;
	holds_of_all(TRACE_APART_THREADS);
	holds_with_pauses(TRACE_APART_THREADS);
	processes = 1;
	events = EVENTS;
}

TEST(enters_and_exits_alone_are_told_in_long_runs)
{
	random_state = 4711;
	char *path = make_random("runs", 0);
	struct log apart = tell(&path, make_sites("runs.map", &site, 1), TRACE_APART, 0);

	ok(apart.switches < 20 * THREADS);
	log_free(&apart);
	free(path);
}
