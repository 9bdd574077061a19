/*
 * engine.c: see engine.h.
 *
 * A lane is a thread: the task that it is in, or that has ended there last, since more may be told of
 * that (told.h). It is folded when the next one begins there, or all is told.
 */
#include "trace/engine/engine.h"

#include <string.h>

#include "base/grow.h"
#include "trace/engine/list.h"
#include "trace/engine/told.h"
#include "trace/follow/follow.h"
#include "trace/follow/wanted.h"
#include "trace/ignore.h"

#include "base/banned.h"

#define CACHED 256 /* captures whose facts are remembered */

struct lane {
	struct trace_told_task *told; /* owned; NULL: it has had none */
	uint32_t resumed; /* so many of its calls, the outermost, began before the range */
	/* what is for the task that begins next */
	uint64_t next, next_text;
	uint64_t next_value[TRACE_ENGINE_NAMES];
};

/* How many tasks go on, and the sum of their lanes: of a single one that is its lane. */
struct process {
	uint64_t open, lanes;
	bool ended; /* one has */
};

struct trace_engine {
	struct trace_follow follow;
	struct trace_wanted names;
	struct jw_arena *arena;
	struct lane *lanes;        /* owned */
	struct process *processes; /* owned */
	struct {
		struct trace_engine_task *at; /* owned */
		size_t n, room;
	} tasks;
	struct {
		const struct jw_capture *what;
		uint64_t facts;
	} cache[CACHED];
	struct trace_engine_list list;
	bool idle;    /* no task can begin: all is passed over */
	bool cutting; /* what ends goes on after the range */
};

static uint64_t facts_of(struct trace_engine *g, const struct jw_capture *what)
{
	size_t at = jw_hash_id((uintptr_t)what) % CACHED;

	if (g->cache[at].what != what) {
		g->cache[at].what = what;
		g->cache[at].facts = trace_engine_facts_of(what->label);
	}
	return g->cache[at].facts;
}

/* ---- tasks begin and end ---- */

/* All is told of the task of LANE. */
static void fold(struct trace_engine *g, struct lane *lane)
{
	static const struct jw_growth growth = { "tasks", 1u << 24, 64 };
	struct jw_err e = { 0 };

	if (!lane->told || !lane->told->task.application)
		return;
	if (JW_GROW(&g->tasks, &growth, &e) != JW_OK ||
	    !trace_told_fold(lane->told, g->arena, &g->tasks.at[g->tasks.n])) {
		g->follow.failed = true;
		return;
	}
	g->tasks.n++;
	lane->told->task.application = 0;
}

static void begin_task(struct trace_engine *g, uint32_t at)
{
	const struct trace_followed_thread *t = &g->follow.threads[at];
	const struct trace_followed_call *call = &t->calls[t->depth - 1];
	const struct trace_scene *scene = g->follow.scene;
	uint32_t process = scene->threads[at].process;
	struct lane *lane = &g->lanes[at];

	fold(g, lane);
	if (!lane->told)
		lane->told = jw_mem_alloc(sizeof(*lane->told));
	if (!lane->told) {
		g->follow.failed = true;
		return;
	}
	memset(lane->told, 0, sizeof(*lane->told));
	lane->told->task = (struct trace_engine_task){
		.process = process,
		.thread = at,
		.depth = t->depth,
		.application = scene->processes[process].application + 1,
		.begin = call->enter,
		.early = !g->processes[process].ended,
		.cut = t->depth <= lane->resumed,
	};
	lane->told->depth = t->depth;
	lane->told->before = call->before;
	g->processes[process].open++;
	g->processes[process].lanes += at;
}

static void end_task(struct trace_engine *g, uint32_t at, uint64_t time, bool failed)
{
	struct trace_told_task *told = g->lanes[at].told;
	struct trace_engine_task *task = &told->task;
	const struct trace_report_split *now = &g->follow.threads[at].split;

	trace_told_over(told, time);
	task->ns = time - task->begin;
	task->failed = failed;
	task->cut |= g->cutting;
	task->open = g->follow.over || trace_ends_with_thread(g->follow.scene, at, time);
	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		task->did.inside.ns[i] = now->ns[i] - told->before.ns[i];
	g->processes[task->process].ended = true;
	g->processes[task->process].open--;
	g->processes[task->process].lanes -= at;
}

/* Whose is what thread AT tells? NULL: nobody's. */
static struct trace_told_task *told_of(struct trace_engine *g, uint32_t at)
{
	const struct process *p = &g->processes[g->follow.scene->threads[at].process];

	if (g->lanes[at].told)
		return g->lanes[at].told;
	return p->open == 1 ? g->lanes[p->lanes].told : NULL;
}

/* ---- captures ---- */

static void take_next(struct lane *lane, size_t i, uint64_t value, bool is_text)
{
	uint64_t bit = UINT64_C(1) << i;

	if (trace_engine_facts[i].fact >= TRACE_ENGINE_NAMES)
		return;
	lane->next |= bit;
	lane->next_text = is_text ? lane->next_text | bit : lane->next_text & ~bit;
	lane->next_value[trace_engine_facts[i].fact] = value;
}

static void put_next(struct lane *lane)
{
	for (size_t i = 0; lane->told && i < trace_engine_fact_count; i++)
		if (lane->next >> i & 1)
			trace_told_take(lane->told, i, lane->next_value[trace_engine_facts[i].fact],
					lane->next_text >> i & 1);
	lane->next = 0;
}

static void take_fact(struct trace_engine *g, uint32_t at, uint64_t time, size_t i, uint64_t value,
		      bool is_text)
{
	uint32_t depth = g->follow.threads[at].depth;
	struct lane *lane = &g->lanes[at];
	struct trace_told_task *told;

	if (trace_engine_facts[i].how == TRACE_FACT_NEXT) {
		take_next(lane, i, value, is_text);
		return;
	}
	if (trace_engine_facts[i].how == TRACE_FACT_BEGIN) {
		if (!depth || (lane->told && lane->told->depth))
			return; /* it is inside of one */
		begin_task(g, at);
		put_next(lane);
	}
	told = told_of(g, at);
	if (told && trace_engine_facts[i].how == TRACE_FACT_HELD && depth)
		trace_told_hold(told, i, at, depth, time);
	else if (told)
		trace_told_take(told, i, value, is_text);
}

static void take_captured(void *ctx, uint32_t at, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_engine *g = ctx;

	if (g->idle || g->follow.threads[at].over)
		return;
	uint64_t facts = facts_of(g, what);

	for (size_t i = 0; i < trace_engine_fact_count && facts >> i; i++)
		if (facts >> i & 1)
			take_fact(g, at, time, i, value, jw_capture_is_text(what));
}

/* ---- what threads do ---- */

static void ran(void *ctx, uint32_t at, uint64_t begin, uint64_t end, enum trace_report_time what)
{
	(void)ctx;
	(void)at;
	(void)begin;
	(void)end;
	(void)what;
}

static void left(void *ctx, uint32_t at, const struct trace_followed_call *call, uint64_t time,
		 bool failed)
{
	struct trace_engine *g = ctx;
	struct trace_told_task *own = g->lanes[at].told, *told = told_of(g, at);
	uint32_t depth = g->follow.threads[at].depth + 1;

	(void)call;
	if (g->lanes[at].resumed >= depth)
		g->lanes[at].resumed = depth - 1;
	if (told && told->held)
		trace_told_let_go(told, at, depth, time);
	if (own && own->depth == depth)
		end_task(g, at, time, failed);
}

static void waited(void *ctx, uint32_t at, const struct trace_followed_wait *wait)
{
	struct trace_engine *g = ctx;
	const struct trace_told_task *own = g->lanes[at].told;
	struct trace_told_task *told = told_of(g, at);

	/* of other threads what they read and write is the task's, not what they wait for */
	if (told && told->depth && (told == own || wait->channel))
		trace_told_wait(told, wait);
}

static const struct trace_follower follower = { ran, NULL, left, waited, NULL };

/* ---- the output ---- */

bool trace_engine_may_begin(const struct trace_scene *scene)
{
	for (size_t i = 0; scene->labels && i < scene->label_count; i++)
		if (trace_engine_begins(scene->labels[i]))
			return true;
	return !scene->labels;
}

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_engine *g = ctx;

	g->idle = !trace_engine_may_begin(scene);
	g->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*g->lanes));
	g->processes = jw_mem_zalloc((size_t)scene->process_count + 1, sizeof(*g->processes));
	return g->lanes && g->processes ? trace_follow_begin(&g->follow, scene, e) : jw_nomem(e);
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_engine *g = ctx;

	if (!g->idle)
		trace_follow_state(&g->follow, at, begin, end, state);
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_engine *g = ctx;

	if (!g->idle)
		trace_follow_enter(&g->follow, at, time, method);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	struct trace_engine *g = ctx;

	if (!g->idle)
		trace_follow_leave(&g->follow, at, time, failed);
}

static void take_resume(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_engine *g = ctx;

	take_enter(ctx, at, time, method);
	g->lanes[at].resumed = g->idle ? 0 : g->follow.threads[at].depth;
}

static void take_suspend(void *ctx, uint32_t at, uint64_t time)
{
	struct trace_engine *g = ctx;

	g->cutting = true;
	take_leave(ctx, at, time, false);
	g->cutting = false;
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_engine *g = ctx;

	if (!g->idle)
		trace_follow_event(&g->follow, at, time, type, value);
}

static void take_operation(void *ctx, uint32_t at, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_engine *g = ctx;

	if (!g->idle)
		trace_follow_operation(&g->follow, at, time, type, number);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_engine *g = ctx;

	if (!g->idle)
		trace_follow_arrow(&g->follow, from, sent, to, received, trace_tag_alone(tag));
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_engine *g = ctx;

	return g->follow.failed ? jw_nomem(e) : JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_engine *g = ctx;

	trace_follow_over(&g->follow, end);
	for (uint32_t i = 0; i < g->follow.thread_count; i++)
		fold(g, &g->lanes[i]);
	for (size_t i = 0; i < g->tasks.n; i++)
		trace_engine_want(&g->names, &g->tasks.at[i]);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_engine *g = ctx;

	trace_wanted_take(&g->names, what, number, label);
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_engine *g = ctx;
	const struct trace_scene *scene = g->follow.scene;

	JW_TRY(check(g, e));
	g->list = (struct trace_engine_list){
		.tasks = g->tasks.at,
		.n = g->tasks.n,
		.begin_ns = scene->begin,
		.duration_ns = g->follow.end - scene->begin,
	};
	return !g->names.failed && trace_engine_name(&g->names, scene, names, &g->list, g->arena)
		       ? JW_OK
		       : jw_nomem(e);
}

const struct trace_output trace_engine_output = {
	.in_order = true,
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.resume = take_resume,
	.suspend = take_suspend,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.user = trace_ignore_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = finish,
};

struct trace_engine *trace_engine_new(struct jw_arena *arena)
{
	struct trace_engine *g = jw_mem_zalloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->arena = arena;
	g->names.arena = arena;
	g->follow.to = &follower;
	g->follow.ctx = g;
	return g;
}

struct trace_engine_list trace_engine_list(const struct trace_engine *engine)
{
	return engine->list;
}

void trace_engine_free(struct trace_engine *engine)
{
	if (!engine)
		return;
	for (size_t i = 0; engine->lanes && i < engine->follow.thread_count; i++)
		jw_mem_free(engine->lanes[i].told);
	jw_mem_free(engine->lanes);
	jw_mem_free(engine->processes);
	jw_mem_free(engine->tasks.at);
	trace_follow_free(&engine->follow);
	trace_wanted_free(&engine->names);
	jw_mem_free(engine);
}
