/*
 * Property: whatever threads do, in any order, with ends missing, objects unknown and virtual
 * threads among them: the conversion succeeds, and the trace is one that Paraver reads, every arrow
 * forwards, between rows that are alive.
 */
#include "base/operations.h"
#include "tests/tap.h"
#include "tests/trace/make_calls.h"

#include "base/banned.h"

#define THREADS 4
#define STACK   6

static struct make_site sites[128];
static char texts[128][80];
static size_t site_count;

static void make_all_sites(void)
{
	static const char *const callees[] = { "a.B.c()V", "a.B.c(J)Z", "a.B.c()J",
					       "a.B.c(JLjava/util/concurrent/TimeUnit;)La/B;" };

	for (const struct jw_operation *op = jw_operations; op->word && site_count < 128; op++) {
		const char *captures = op->object == JW_OBJECT_ARG0_RETURN
					       ? "|arg0:identity|return:identity"
				       : op->object == JW_OBJECT_ARG0 ? "|arg0:identity"
				       : op->object ? "|this:identity|return:value"
						    : "";

		snprintf(texts[site_count], sizeof(texts[0]), "%s/%s%s",
			 jw_operation_kinds[op->type].word, op->word, captures);
		sites[site_count] = (struct make_site){
			.state = tap_below(3) ? op->state : (int)tap_below(16),
			.callee = callees[site_count % 4],
			.about = texts[site_count],
		};
		site_count++;
	}
}

/* A thread, or one of the virtual threads of a carrier. */
struct thread {
	uint32_t open[STACK], n;
	uint64_t id; /* of a virtual one */
};

/* Virtual threads come and go, two at a time on a carrier; their ids are never used again. */
struct carrier {
	struct thread own, guests[2];
	uint64_t next_id;
	uint32_t runs; /* 0: itself */
};

static uint64_t any_object(void)
{
	return tap_below(4) ? 50 + tap_below(3) : jwr_thread_object(1 + tap_below(THREADS + 4));
}

static void one_step(struct make *m, struct thread *t, uint32_t uid, uint64_t tick)
{
	static const enum jwr_kind others[] = { JWR_CONTENDED, JWR_ENTERED, JWR_WAIT, JWR_WAITED,
						JWR_EXPIRED,   JWR_OBJECT,  JWR_VALUE };
	uint32_t what = tap_below(10);

	if (what < 4 && t->n < STACK) {
		t->open[t->n++] = tap_below((uint32_t)site_count);
		make_call(m, uid, tick, t->open[t->n - 1], tap_below(8) ? any_object() : 0);
	} else if (what < 8 && t->n) {
		/* sometimes the end of the innermost is missing */
		t->n -= t->n > 1 && tap_below(20) == 0 ? 2 : 1;
		if (tap_below(2))
			make_event(m, uid, tick, tap_below(2) ? JWR_VALUE : JWR_OBJECT,
				   tap_below(3) ? tap_below(60) : JWR_PAYLOAD_MASK);
		make_event(m, uid, tick, tap_below(4) ? JWR_EXIT : JWR_FAIL,
			   make_site(t->open[t->n]));
	} else if (what == 8) {
		make_event(m, uid, tick, others[tap_below(7)], any_object());
	} else {
		make_event(m, uid, tick, tap_below(2) ? JWR_ENTER : JWR_EXIT, make_method(7));
	}
}

static void change_guest(struct make *m, struct carrier *c, uint32_t uid, uint64_t tick)
{
	struct thread *now = c->runs ? &c->guests[c->runs - 1] : NULL;

	if (now && tap_below(4) == 0) {
		make_event(m, uid, tick, JWR_END, now->id);
		*now = (struct thread){ 0 };
		c->runs = 0;
		return;
	}
	c->runs = tap_below(3);
	now = c->runs ? &c->guests[c->runs - 1] : NULL;
	if (now && !now->id)
		now->id = c->next_id++;
	make_event(m, uid, tick, JWR_SWITCH, now ? now->id : 0);
}

static void step_of(struct make *m, struct carrier *c, uint32_t uid, uint64_t tick)
{
	if (uid > 2 && tap_below(8) == 0)
		change_guest(m, c, uid, tick);
	else
		one_step(m, c->runs ? &c->guests[c->runs - 1] : &c->own, uid, tick);
}

TEST(any_order_makes_a_trace)
{
	static struct jw_arena arena;
	struct trace_summary sum;
	struct jw_err e = { 0 };

	make_all_sites();
	const char *map = make_sites("any.map", sites, site_count);

	for (int round = 0; round < 12; round++) {
		struct carrier threads[THREADS + 1] = { 0 };
		struct make m = make_begin("any");
		const char *path = m.path;
		uint64_t tick = MAKE_START + 1000;

		for (uint32_t uid = 1; uid <= THREADS; uid++)
			threads[uid].next_id = THREADS + 1 + uid * 1000;
		for (uint32_t uid = 1; uid <= THREADS; uid++)
			make_thread(&m, uid, uid > 1 ? MAKE_START + tap_below(2000) : 0, "t");
		for (int i = 0; i < 3000; i++) {
			uint32_t uid = 1 + tap_below(THREADS);

			tick += 2 + tap_below(40);
			step_of(&m, &threads[uid], uid, tick);
		}
		for (uint32_t uid = 2; uid <= THREADS; uid++)
			if (tap_below(2))
				make_meta(&m, "thread-end|%u|%llu|t", uid,
					  (unsigned long long)tick + 10);
		make_finish(&m, tap_below(2));
		jw_arena_free(&arena);
		if (!ok(make_convert(&path, 1, "any", map, &arena, &sum, &e) == JW_OK))
			tap_note("%s", e.text);
		is_int(make_validate("any"), 0);
	}
}
