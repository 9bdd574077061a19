/*
 * Property: whatever threads of several processes send and receive, each receive has the arrow of the
 * first send of its key that nobody else has received, and what has no other end is counted; with
 * ends, keys and captures missing, the trace is one that Paraver reads, every arrow forwards.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"
#include "trace/source/source.h"
#include "trace/ignore.h"

#include "base/banned.h"

#define PROCESSES 3
#define THREADS   2
#define KEYS      5
#define STEPS     400

enum { SEND, RECEIVE, EITHER, GET };
static const struct make_site sites[] = {
	[SEND] = { -1, "a.B.send(J)V", "|arg0:value" },
	[RECEIVE] = { -1, "a.B.take(J)V", "|arg0:value" },
	[EITHER] = { -1, "a.B.<init>(J)V", "|arg0:value" },
	[GET] = { -1, "a.B.get()J", "|return:value" },
};

static const char *map;

/* ---- what is told ---- */

struct told {
	uint64_t arrows, backward;
	struct trace_link_count job;
};

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx, (void)scene, (void)e;
	return JW_OK;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	(void)ctx, (void)thread, (void)time, (void)method;
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	(void)ctx, (void)thread, (void)time, (void)failed;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct told *told = ctx;

	(void)from, (void)to, (void)tag;
	told->arrows++;
	told->backward += sent > received;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	(void)ctx, (void)e;
	return JW_OK;
}

static enum jw_status take_names(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct told *told = ctx;

	(void)e;
	for (size_t i = 0; i < names->link_count; i++)
		if (strcmp(names->links[i].name, "job") == 0)
			told->job = names->links[i];
	return JW_OK;
}

static const struct trace_output listener = {
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = take_arrow,
	.check = check,
	.end = take_names,
};

/* ---- what happens ---- */

/* Ends of one key that wait, by the model. */
struct model {
	uint32_t threads[STEPS]; /* that have sent, in order */
	size_t first, n;
	uint64_t received; /* in vain */
};

struct run {
	struct make m[PROCESSES];
	struct model models[KEYS];
	uint64_t matched, arrows;
};

static void begin_run(struct run *r)
{
	static const char *const names[PROCESSES] = { "links1", "links2", "links3" };

	*r = (struct run){ 0 };
	for (int i = 0; i < PROCESSES; i++) {
		r->m[i] = make_begin(names[i]);
		make_meta(&r->m[i], "boot|same|0");
		for (uint32_t uid = 1; uid <= THREADS; uid++) {
			make_thread(&r->m[i], uid, 0, "t");
			make_event(&r->m[i], uid, MAKE_START, JWR_ENTER, make_method(0));
		}
	}
}

static uint64_t key_of(uint32_t k)
{
	return k * UINT64_C(0x3331234567891); /* far apart, and below 2^55 */
}

static void follow(struct run *r, bool sends, uint32_t k, uint32_t thread)
{
	struct model *model = &r->models[k];

	if (sends) {
		model->threads[model->n++] = thread;
	} else if (model->first < model->n) {
		r->matched++;
		r->arrows += model->threads[model->first++] != thread;
	} else {
		model->received++;
	}
}

static void step(struct run *r, uint64_t tick)
{
	uint32_t process = tap_below(PROCESSES), uid = 1 + tap_below(THREADS), k = tap_below(KEYS);
	bool sends = tap_below(2);
	struct make *m = &r->m[process];

	make_event(m, uid, tick, JWR_ENTER, make_site(sends ? SEND : RECEIVE));
	make_event(m, uid, tick, JWR_VALUE, key_of(k));
	make_event(m, uid, tick + 2, JWR_EXIT, make_site(sends ? SEND : RECEIVE));
	follow(r, sends, k, process * THREADS + uid);
}

static void damage(struct run *r, uint64_t tick)
{
	static const enum jwr_kind kinds[] = { JWR_ENTER, JWR_EXIT, JWR_FAIL,
					       JWR_VALUE, JWR_WIDE, JWR_OBJECT };
	struct make *m = &r->m[tap_below(PROCESSES)];
	enum jwr_kind kind = kinds[tap_below(6)];

	make_event(m, 1 + tap_below(THREADS), tick, kind,
		   kind <= JWR_FAIL ? make_site(tap_below(4)) : key_of(tap_below(KEYS)));
}

static enum jw_status tell(const struct run *r, struct told *told)
{
	const char *paths[PROCESSES];
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	for (int i = 0; i < PROCESSES; i++)
		paths[i] = r->m[i].path;
	const struct trace_job job = {
		.recordings = paths, .recording_count = PROCESSES, .maps = &map, .map_count = 1
	};
	*told = (struct told){ 0 };
	enum jw_status status = trace_source_recordings(&job, &listener, told, &arena, &sum, &e);

	jw_arena_free(&arena);
	return status;
}

static void map_links(void)
{
	make_map_lines = "l\trule0\tsend\tjob\targ0\nl\trule1\treceive\tjob\targ0\n"
			 "l\trule2\tboth\tid\targ0\nl\trule3\treceive\tjob\treturn\n";
	make_own_rules = true;
	map = make_sites("links.map", sites, sizeof(sites) / sizeof(*sites));
}

TEST(each_receive_has_the_first_send_of_its_key)
{
	map_links();
	for (int round = 0; round < 20; round++) {
		uint64_t tick = MAKE_START + 1000, sent = 0, received = 0;
		struct told told;
		struct run r;

		begin_run(&r);
		for (int i = 0; i < STEPS; i++)
			step(&r, tick += 4 + tap_below(40));
		for (int i = 0; i < PROCESSES; i++)
			make_finish(&r.m[i], true); /* it says how fast the clock is */
		for (int k = 0; k < KEYS; k++) {
			sent += r.models[k].n - r.models[k].first;
			received += r.models[k].received;
		}
		is_int(tell(&r, &told), JW_OK);
		is_int(told.job.matched, r.matched);
		is_int(told.job.sent, sent);
		is_int(told.job.received, received);
		is_int(told.job.backward + told.backward, 0);
		is_int(told.arrows, r.arrows);
	}
}

TEST(damage_makes_no_arrow_backwards)
{
	static struct jw_arena arena;
	struct trace_summary sum;
	struct jw_err e = { 0 };

	map_links();
	for (int round = 0; round < 12; round++) {
		uint64_t tick = MAKE_START + 1000;
		const char *paths[PROCESSES];
		struct told told;
		struct run r;

		begin_run(&r);
		for (int i = 0; i < STEPS; i++) {
			tick += 4 + tap_below(40);
			if (tap_below(3))
				damage(&r, tick);
			else
				step(&r, tick);
		}
		for (int i = 0; i < PROCESSES; i++) {
			make_finish(&r.m[i], tap_below(2));
			paths[i] = r.m[i].path;
		}
		is_int(tell(&r, &told), JW_OK);
		is_int(told.job.backward + told.backward, 0);
		jw_arena_free(&arena);
		is_int(make_convert(paths, PROCESSES, "links", map, &arena, &sum, &e), JW_OK);
		is_int(make_validate("links"), 0);
	}
	jw_arena_free(&arena);
}
