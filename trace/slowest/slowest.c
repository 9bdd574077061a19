/*
 * slowest.c: see slowest.h.
 *
 * Each open call remembers how long the log of its thread was when it began (its mark): what it
 * waited for is after that. A call that is over leaves its part of the log to its caller; if it is
 * among the longest so far, it takes a copy along. Nothing else is done for a call that is short.
 */
#include "trace/ignore.h"
#include "trace/slowest/slowest.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/follow/follow.h"
#include "trace/follow/wanted.h"
#include "trace/replay/method_numbers.h"
#include "trace/slowest/slow_log.h"
#include "trace/slowest/slow_waits.h"

#include "base/banned.h"

/* Operations of I/O by which servers wait for requests (operations.def). */
#define ACCEPT 8
#define SELECT 10

/* One of the longest so far, in one block of memory with its lists. */
struct candidate {
	uint64_t begin, ns, method, pauses;
	struct trace_report_split inside;
	struct trace_slow_entry *parts; /* in the block */
	uint64_t *stack;                /* likewise: methods */
	size_t part_count, stack_count, stack_all;
	uint32_t at;
	bool failed, open;
};

struct trace_slowest {
	struct trace_follow follow;
	struct trace_wanted names;
	struct jw_arena *arena;
	struct trace_slow_log *logs; /* by thread; owned */
	struct candidate **heap;     /* owned, as they are; the shortest first */
	size_t n, most;
	uint64_t all;
	bool (*wanted)(const void *ctx, uint64_t method);
	const void *wanted_ctx;
	struct trace_methods asked; /* the answers of WANTED: `calls` of each */
	struct trace_slow_list list;
	struct trace_slow_waits waits;
	struct trace_slow_wait_list wait_list;
};

/* ---- the longest so far ---- */

/* Is A told after B? Of equal ones the first that ended is kept. */
static bool is_less(const struct candidate *a, const struct candidate *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->begin > b->begin;
}

static void swap(struct candidate **a, struct candidate **b)
{
	struct candidate *c = *a;

	*a = *b;
	*b = c;
}

static void sink(struct trace_slowest *s)
{
	for (size_t i = 0, least;; i = least) {
		least = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->n; child++)
			if (is_less(s->heap[child], s->heap[least]))
				least = child;
		if (least == i)
			return;
		swap(&s->heap[i], &s->heap[least]);
	}
}

static void rise(struct trace_slowest *s)
{
	for (size_t i = s->n - 1; i > 0 && is_less(s->heap[i], s->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		swap(&s->heap[i], &s->heap[(i - 1) / 2]);
}

static void keep(struct trace_slowest *s, struct candidate *c)
{
	if (s->n == s->most) {
		jw_mem_free(s->heap[0]);
		s->heap[0] = c;
		sink(s);
	} else {
		s->heap[s->n++] = c;
		rise(s);
	}
}

/* ---- which ---- */

static bool is_wanted(struct trace_slowest *s, uint64_t method)
{
	size_t before = s->asked.n;
	uint32_t number = trace_methods_number(&s->asked, method);

	if (number == TRACE_NO_METHOD) {
		s->follow.failed = true;
		return false;
	}
	if (number == before)
		s->asked.m[number].calls = s->wanted(s->wanted_ctx, method);
	return s->asked.m[number].calls;
}

/* Is CALL, which took NS, to be told if it is long enough? */
static bool counts(struct trace_slowest *s, const struct trace_followed_call *call, uint64_t ns)
{
	if (s->wanted)
		return is_wanted(s, call->method);
	return !call->site && (double)call->longest_ns * 100 < (double)ns * TRACE_SLOW_PASSED;
}

/* Is CALL a loop that waits for its work? */
static bool waits_for_work(const struct trace_slowest *s, uint32_t at,
			   const struct trace_followed_call *call, uint64_t ns)
{
	const struct trace_slow_log *log = &s->logs[at];
	uint64_t count = 0, idle = 0;

	for (size_t i = call->mark; i < log->n; i++) {
		count += log->at[i].wait.for_work ? log->at[i].count : 0;
		idle += log->at[i].wait.for_work ? log->at[i].wait.ns : 0;
	}
	return count >= TRACE_SLOW_TURNS && idle > ns / 2;
}

/* ---- what a call has done ---- */

static struct candidate *new_candidate(const struct trace_slowest *s, uint32_t at,
				       const struct trace_followed_call *call)
{
	const struct trace_followed_thread *t = &s->follow.threads[at];
	const struct trace_slow_log *log = &s->logs[at];
	size_t parts = log->n - call->mark;
	size_t stack = t->depth < TRACE_SLOW_STACK ? t->depth : TRACE_SLOW_STACK;
	struct candidate *c =
		jw_mem_alloc(sizeof(*c) + parts * sizeof(*c->parts) + stack * sizeof(*c->stack));

	if (!c)
		return NULL;
	*c = (struct candidate){ .method = call->method,
				 .begin = call->enter,
				 .at = at,
				 .parts = (struct trace_slow_entry *)(c + 1),
				 .stack_count = stack,
				 .stack_all = t->depth };
	if (parts)
		memcpy(c->parts, log->at + call->mark, parts * sizeof(*c->parts));
	c->stack = (uint64_t *)(c->parts + parts);
	for (size_t i = 0; i < stack; i++)
		c->stack[i] = t->calls[t->depth - stack + i].method;
	c->part_count = trace_slow_fold(c->parts, parts, TRACE_SLOW_SHOWN);
	return c;
}

static void consider(struct trace_slowest *s, uint32_t at, const struct trace_followed_call *call,
		     uint64_t time, bool failed)
{
	const struct trace_followed_thread *t = &s->follow.threads[at];
	uint64_t ns = time - call->enter;

	if (s->n == s->most && ns <= s->heap[0]->ns)
		return;
	if (!s->wanted && waits_for_work(s, at, call, ns))
		return;
	struct candidate *c = new_candidate(s, at, call);

	if (!c) {
		s->follow.failed = true;
		return;
	}
	c->ns = ns;
	c->failed = failed;
	c->open = s->follow.over;
	c->pauses = s->follow.processes[s->follow.scene->threads[at].process].pauses - call->pauses;
	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		c->inside.ns[i] = t->split.ns[i] - call->before.ns[i];
	keep(s, c);
}

/* What the innermost call of AT has in the log stays short. */
static void fold(struct trace_slowest *s, uint32_t at)
{
	const struct trace_followed_thread *t = &s->follow.threads[at];
	struct trace_slow_log *log = &s->logs[at];
	size_t mark = t->depth ? t->calls[t->depth - 1].mark : log->n;

	if (log->n - mark > (size_t)2 * TRACE_SLOW_LOG)
		log->n = mark + trace_slow_fold(log->at + mark, log->n - mark, TRACE_SLOW_LOG);
	if (t->depth == 0)
		log->n = 0;
}

static void add(struct trace_slowest *s, uint32_t at, const struct trace_slow_entry *entry)
{
	s->follow.failed |= !trace_slow_log_add(&s->logs[at], entry);
	fold(s, at);
}

/* ---- what the threads do ---- */

static void ran(void *ctx, uint32_t at, uint64_t begin, uint64_t end, enum trace_report_time what)
{
	(void)ctx;
	(void)at;
	(void)begin;
	(void)end;
	(void)what;
}

static void entered(void *ctx, uint32_t at, struct trace_followed_call *call)
{
	struct trace_slowest *s = ctx;

	call->mark = s->logs[at].n;
}

static void left(void *ctx, uint32_t at, const struct trace_followed_call *call, uint64_t time,
		 bool failed)
{
	struct trace_slowest *s = ctx;
	bool is_one = counts(s, call, time - call->enter);

	s->all += is_one;
	if (is_one)
		consider(s, at, call, time, failed);
	fold(s, at);
}

static void waited(void *ctx, uint32_t at, const struct trace_followed_wait *wait)
{
	const struct trace_slow_entry entry = {
		.wait = *wait, .count = 1, .longest_ns = wait->ns, .bytes = wait->bytes
	};

	struct trace_slowest *s = ctx;

	add(s, at, &entry);
	s->follow.failed |= !trace_slow_waits_add(&s->waits, at, wait);
}

static void did_io(void *ctx, uint32_t at, const struct trace_followed_io *io, uint64_t end)
{
	struct trace_slowest *s = ctx;
	uint64_t ns = end - io->since - io->waited_ns;
	const struct trace_followed_thread *t = &s->follow.threads[at];
	uint32_t number = io->operation->number;
	const struct trace_slow_entry entry = {
		.wait = { .since = io->since,
			  .for_work = io->operation->type == JW_OPERATIONS_IO &&
				      (number == ACCEPT || number == SELECT),
			  .object = io->object,
			  .class = io->class,
			  .method = trace_follow_method(&s->follow, at),
			  .site = t->depth ? t->calls[t->depth - 1].site : 0,
			  .ns = ns },
		.io = io->operation,
		.count = 1,
		.longest_ns = ns,
		.bytes = io->bytes,
	};

	add(s, at, &entry);
}

static const struct trace_follower follower = { ran, entered, left, waited, did_io };

/* ---- names ---- */

static void want(struct trace_slowest *s, const struct candidate *c)
{
	trace_want(&s->names, TRACE_NAME_METHOD, c->method);
	trace_want(&s->names, TRACE_NAME_ROW, c->at);
	for (size_t i = 0; i < c->stack_count; i++)
		trace_want(&s->names, TRACE_NAME_METHOD, c->stack[i]);
	for (size_t i = 0; i < c->part_count; i++)
		trace_want_wait(&s->names, &c->parts[i].wait);
}

static bool name_part(struct trace_slowest *s, const struct trace_slow_entry *entry,
		      struct trace_slow_part *out)
{
	const struct trace_followed_wait *w = &entry->wait;
	const char *ender = "";

	*out = (struct trace_slow_part){ .io = entry->io,
					 .bytes = entry->bytes,
					 .rest = entry->rest };
	if (!trace_wanted_wait(&s->names, w, &out->wait))
		return false;
	if (w->ender.thread)
		ender = trace_wanted_thread(&s->names, s->follow.scene, w->ender.thread - 1);
	out->ender = ender;
	const char *channel = trace_wanted_text(&s->names, TRACE_NAME_CHANNEL, w->channel);

	out->channel = channel ? channel : "";
	out->ender_method = trace_wanted_method(&s->names, w->ender.method);
	out->wait.count = entry->count;
	out->wait.ns = w->ns;
	out->wait.longest_ns = entry->longest_ns;
	return ender && out->ender_method;
}

static bool name_lists(struct trace_slowest *s, const struct candidate *c,
		       struct trace_slow_call *out)
{
	const char **stack = JW_NEW_ARRAY(s->arena, const char *, c->stack_count + 1);
	struct trace_slow_part *parts =
		JW_NEW_ARRAY(s->arena, struct trace_slow_part, c->part_count + 1);
	bool good = stack && parts;

	for (size_t i = 0; good && i < c->stack_count; i++) {
		stack[i] = trace_wanted_method(&s->names, c->stack[i]);
		good = stack[i];
	}
	for (size_t i = 0; good && i < c->part_count; i++)
		good = name_part(s, &c->parts[i], &parts[i]);
	out->stack = stack;
	out->parts = parts;
	return good;
}

static bool name_call(struct trace_slowest *s, const struct candidate *c,
		      struct trace_slow_call *out)
{
	const struct trace_scene *scene = s->follow.scene;
	const struct trace_scene_thread *t = &scene->threads[c->at];
	const char *label = trace_wanted_text(&s->names, TRACE_NAME_METHOD, c->method);

	*out = (struct trace_slow_call){
		.method = trace_wanted_method(&s->names, c->method),
		.begin = c->begin,
		.ns = c->ns,
		.thread = trace_wanted_thread(&s->names, scene, c->at),
		.place = c->at,
		.task = scene->processes[t->process].number,
		.number = t->number,
		.failed = c->failed,
		.open = c->open,
		.inside = c->inside,
		.pauses = c->pauses,
		.stack_count = c->stack_count,
		.stack_all = c->stack_all,
		.part_count = c->part_count,
	};
	out->label = label ? label : out->method;
	return out->method && out->thread && name_lists(s, c, out);
}

static int longest_first(const void *a, const void *b)
{
	const struct candidate *x = *(const struct candidate *const *)a;
	const struct candidate *y = *(const struct candidate *const *)b;

	return is_less(x, y) ? 1 : -is_less(y, x);
}

static bool make_list(struct trace_slowest *s)
{
	struct trace_slow_call *calls = JW_NEW_ARRAY(s->arena, struct trace_slow_call, s->n + 1);

	if (s->n > 1)
		qsort(s->heap, s->n, sizeof(struct candidate *), longest_first);
	for (size_t i = 0; calls && i < s->n; i++)
		if (!name_call(s, s->heap[i], &calls[i]))
			return false;
	s->list = (struct trace_slow_list){ .calls = calls,
					    .n = s->n,
					    .all = s->all,
					    .duration_ns = s->follow.end - s->follow.scene->begin,
					    .too_deep = s->follow.too_deep,
					    .lone = s->follow.lone,
					    .tasks = s->follow.scene->process_count };
	return calls;
}

/* ---- single waits ---- */

static bool name_wait(struct trace_slowest *s, const struct trace_slow_one_wait *w,
		      struct trace_slow_wait *out)
{
	*out = (struct trace_slow_wait){ .begin = w->wait.since,
					 .place = w->at,
					 .ender = w->wait.ender.thread,
					 .received = w->wait.ender.received };
	if (!trace_wanted_wait(&s->names, &w->wait, &out->wait))
		return false;
	out->wait.count = 1;
	out->wait.ns = out->wait.longest_ns = w->wait.ns;
	out->ender_method = trace_wanted_method(&s->names, w->wait.ender.method);
	return out->ender_method;
}

static bool list_waits(struct trace_slowest *s)
{
	struct trace_slow_wait *list =
		JW_NEW_ARRAY(s->arena, struct trace_slow_wait, s->waits.n + 1);

	for (size_t i = 0; list && i < s->waits.n; i++)
		if (!name_wait(s, &s->waits.list[i], &list[i]))
			return false;
	s->wait_list = (struct trace_slow_wait_list){ list, s->waits.n, s->waits.all };
	return list;
}

/* ---- the output ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_slowest *s = ctx;

	s->logs = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*s->logs));
	return s->logs ? trace_follow_begin(&s->follow, scene, e) : jw_nomem(e);
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_slowest *s = ctx;

	trace_follow_state(&s->follow, at, begin, end, state);
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_slowest *s = ctx;

	trace_follow_enter(&s->follow, at, time, method);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	struct trace_slowest *s = ctx;

	trace_follow_leave(&s->follow, at, time, failed);
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_slowest *s = ctx;

	trace_follow_event(&s->follow, at, time, type, value);
}

static void take_operation(void *ctx, uint32_t at, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_slowest *s = ctx;

	trace_follow_operation(&s->follow, at, time, type, number);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_slowest *s = ctx;

	trace_follow_arrow(&s->follow, from, sent, to, received, tag);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_slowest *s = ctx;

	return s->follow.failed ? jw_nomem(e) : JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_slowest *s = ctx;

	trace_follow_over(&s->follow, end);
	for (size_t i = 0; i < s->n; i++)
		want(s, s->heap[i]);
	trace_slow_waits_sort(&s->waits);
	for (size_t i = 0; i < s->waits.n; i++)
		trace_want_wait(&s->names, &s->waits.list[i].wait);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_slowest *s = ctx;

	trace_wanted_take(&s->names, what, number, label);
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_slowest *s = ctx;

	(void)names;
	JW_TRY(check(s, e));
	return !s->names.failed && make_list(s) && list_waits(s) ? JW_OK : jw_nomem(e);
}

const struct trace_output trace_slowest_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = finish,
};

/* ---- all of it ---- */

struct trace_slowest *trace_slowest_new(size_t n, struct jw_arena *arena)
{
	struct trace_slowest *s = jw_mem_zalloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->follow.to = &follower;
	s->follow.ctx = s;
	s->arena = s->names.arena = arena;
	s->most = n;
	s->heap = jw_mem_zalloc(n, sizeof(struct candidate *));
	if (s->heap)
		return s;
	jw_mem_free(s);
	return NULL;
}

void trace_slowest_choose(struct trace_slowest *s, bool (*wanted)(const void *ctx, uint64_t method),
			  const void *ctx)
{
	s->wanted = wanted;
	s->wanted_ctx = ctx;
}

void trace_slowest_want_waits(struct trace_slowest *s, size_t most)
{
	s->waits.most = most;
}

struct trace_slow_wait_list trace_slowest_waits(const struct trace_slowest *s)
{
	return s->wait_list;
}

struct trace_slow_list trace_slowest_list(const struct trace_slowest *s)
{
	return s->list;
}

void trace_slowest_free(struct trace_slowest *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->logs && i < s->follow.thread_count; i++)
		jw_mem_free(s->logs[i].at);
	for (size_t i = 0; i < s->n; i++)
		jw_mem_free(s->heap[i]);
	jw_mem_free(s->logs);
	jw_mem_free(s->heap);
	trace_follow_free(&s->follow);
	trace_wanted_free(&s->names);
	trace_methods_free(&s->asked);
	trace_slow_waits_free(&s->waits);
	jw_mem_free(s);
}
