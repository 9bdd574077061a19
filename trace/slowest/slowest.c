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
#include "trace/reader/reader.h"
#include "trace/slowest/slow_call.h"
#include "trace/slowest/slow_idle.h"
#include "trace/slowest/slow_names.h"
#include "trace/slowest/slow_waits.h"

#include "base/banned.h"

/* Operations of I/O by which servers wait for requests (operations.def). */
#define ACCEPT 8
#define SELECT 10

struct trace_slowest {
	struct trace_follow own;
	struct trace_follow *follow; /* `own`, or that of somebody else */
	uint32_t thread_count;       /* also when the scene has gone */
	struct trace_wanted names;
	struct jw_arena *arena;
	struct trace_slow_thread *threads; /* owned */
	struct trace_usual usual;
	struct trace_slow_unusual unusual;
	struct trace_slow_heap longest;
	size_t most;
	uint64_t all;
	bool (*wanted)(const void *ctx, uint64_t method);
	const void *wanted_ctx;
	struct trace_methods asked; /* the answers of WANTED: `calls` of each */
	struct trace_slow_list list;
	struct trace_slow_waits waits;
	struct trace_slow_wait_list wait_list;
};

/* ---- which ---- */

static bool is_wanted(struct trace_slowest *s, uint64_t method)
{
	size_t before = s->asked.n;
	uint32_t number = trace_methods_number(&s->asked, method);

	if (number == TRACE_NO_METHOD) {
		s->follow->failed = true;
		return false;
	}
	if (number == before)
		s->asked.m[number].calls = s->wanted(s->wanted_ctx, method);
	return s->asked.m[number].calls;
}

/* Is PART so much of ALL that it says no less? */
static inline bool passes(uint64_t part, uint64_t all)
{
	if (part <= UINT64_MAX / 100 && all <= UINT64_MAX / 100) /* as nearly always, and sooner */
		return part * 100 >= all * TRACE_SLOW_PASSED;
	return (double)part * 100 >= (double)all * TRACE_SLOW_PASSED;
}

/* Is CALL, which took NS, to be told if it is long enough? */
static bool counts(struct trace_slowest *s, const struct trace_followed_call *call, uint64_t ns)
{
	if (s->wanted)
		return is_wanted(s, call->method);
	return !call->site && !passes(call->longest_ns, ns);
}

/* Is it the loop of a worker, which mostly waits for its next task? What is slow in it is a task. */
static bool is_loop(const struct trace_slow_over *o)
{
	return o->turns >= TRACE_SLOW_TURNS && o->idle > o->ns / 2;
}

/* NULL: no memory, which is noted. */
static struct trace_slow_kept *copy_of(struct trace_slowest *s, const struct trace_slow_over *o)
{
	struct trace_slow_kept *k = trace_slow_copy(s->follow, &s->threads[o->at], o);

	s->follow->failed |= !k;
	return k;
}

/* Is it among the longest? */
static void consider_length(struct trace_slowest *s, struct trace_slow_over *o)
{
	if (!counts(s, o->call, o->ns))
		return;
	s->all++;
	if (!trace_slow_heap_wants(&s->longest, o->ns))
		return;
	trace_slow_find_idle(&s->threads[o->at], o);
	if (!s->wanted && is_loop(o))
		return;
	struct trace_slow_kept *k = copy_of(s, o);

	if (k)
		trace_slow_heap_add(&s->longest, k);
}

/* Is it much longer than usual? Until there were enough of the kind, it may become so. The first one
 * loads what all need, so that it explains nothing; it is kept as long as another thread may have
 * begun one earlier. Returns by how much it is, where that is known. */
static uint64_t consider_unusual(struct trace_slowest *s, struct trace_slow_over *o)
{
	uint64_t usual = trace_usual_ns(&s->usual, o->frame->way);
	const struct trace_slow_pool *pool = usual ? &s->unusual.known : &s->unusual.seldom;

	if ((usual ? trace_slow_over(o->ns, usual) : o->ns) <= pool->floor)
		return 0;
	trace_slow_find_idle(&s->threads[o->at], o);
	if (is_loop(o))
		return 0;
	uint64_t over = trace_slow_over(o->ns - o->idle, usual);
	bool first = trace_usual_is_first(&s->usual, o->frame->way, o->call->enter);

	if (usual && (over <= pool->floor || passes(o->frame->explained, over)))
		return first ? 0 : over;
	struct trace_slow_kept *k = copy_of(s, o);

	if (k) {
		k->over = usual ? over : o->ns - o->idle;
		s->follow->failed |= !trace_slow_unusual_add(&s->unusual, k, &s->usual);
	}
	return first ? 0 : over;
}

/* What the caller has to know of a call that it made. */
static void tell_caller(struct trace_slowest *s, const struct trace_slow_over *o,
			uint64_t explained)
{
	const struct trace_followed_thread *t = &s->follow->threads[o->at];
	struct trace_slow_frame *caller = t->depth ? &s->threads[o->at].frames[t->depth - 1] : NULL;

	if (!caller)
		return;
	if (explained > caller->explained)
		caller->explained = explained;
	if (!o->call->site && t->calls[t->depth - 1].longest_ns == o->ns) {
		caller->within = o->frame->within;
		caller->within_ns = o->frame->within_ns;
	}
}

/* What the innermost call of AT has in the log stays short. */
static void fold(struct trace_slowest *s, uint32_t at)
{
	const struct trace_followed_thread *t = &s->follow->threads[at];
	struct trace_slow_log *log = &s->threads[at].log;
	size_t mark = t->depth ? t->calls[t->depth - 1].mark : log->n;

	if (log->n - mark > (size_t)2 * TRACE_SLOW_LOG)
		log->n = mark + trace_slow_fold(log->at + mark, log->n - mark, TRACE_SLOW_LOG);
	if (t->depth == 0)
		log->n = 0;
}

static void add(struct trace_slowest *s, uint32_t at, const struct trace_slow_entry *entry)
{
	s->follow->failed |= !trace_slow_log_add(&s->threads[at].log, entry);
	fold(s, at);
}

/* ---- what the threads do ---- */

static void entered(void *ctx, uint32_t at, struct trace_followed_call *call)
{
	struct trace_slowest *s = ctx;
	struct trace_slow_thread *t = &s->threads[at];
	uint32_t depth = s->follow->threads[at].depth;
	struct trace_slow_frame *frames = trace_grow(t->frames, depth, &t->cap, sizeof(*frames));
	uint32_t way = !frames ? TRACE_TREE_NONE
			       : trace_usual_way(&s->usual,
						 depth ? frames[depth - 1].way : TRACE_TREE_NONE,
						 call->method);

	call->mark = t->log.n;
	t->frames = frames ? frames : t->frames;
	s->follow->failed |= way == TRACE_TREE_NONE;
	if (way == TRACE_TREE_NONE)
		return;
	frames[depth] = (struct trace_slow_frame){ .way = way, .said = t->said.n };
	trace_usual_begin(&s->usual, way, call->enter);
}

/* What the call of FRAME, which is over, has captured is its caller's; of none, nobody's. */
static void pass_on(struct trace_slowest *s, uint32_t at, const struct trace_slow_frame *frame)
{
	struct trace_slow_thread *t = &s->threads[at];
	uint32_t depth = s->follow->threads[at].depth;

	if (depth == 0)
		t->said.n = 0;
	else if (t->said.n > frame->said)
		trace_slow_said_join(&t->said, t->frames[depth - 1].said, frame->said);
}

static void left(void *ctx, uint32_t at, const struct trace_followed_call *call, uint64_t time,
		 bool failed)
{
	struct trace_slowest *s = ctx;
	const struct trace_followed_thread *t = &s->follow->threads[at];
	struct trace_slow_over o = { .call = call, .time = time, .at = at, .failed = failed };

	if (s->follow->failed)
		return;
	struct trace_slow_frame *frame = &s->threads[at].frames[t->depth];
	uint64_t explained = frame->explained;

	o.frame = frame;
	o.ns = time - call->enter;
	if (!frame->within_ns || !passes(frame->within_ns, o.ns)) {
		frame->within = frame->way;
		frame->within_ns = o.ns;
	}
	if (!call->site && !trace_usual_is_rest(&s->usual, frame->way)) {
		uint64_t idle =
			t->split.ns[TRACE_REPORT_FOR_WORK] - call->before.ns[TRACE_REPORT_FOR_WORK];

		s->follow->failed |= !trace_usual_add(&s->usual, frame->way, o.ns - idle);
		uint64_t over = s->wanted ? 0 : consider_unusual(s, &o);

		explained = over > explained ? over : explained;
	}
	consider_length(s, &o);
	tell_caller(s, &o, explained);
	fold(s, at);
	pass_on(s, at, frame);
}

static void waited(void *ctx, uint32_t at, const struct trace_followed_wait *wait)
{
	const struct trace_slow_entry entry = {
		.wait = *wait, .count = 1, .longest_ns = wait->ns, .bytes = wait->bytes
	};

	struct trace_slowest *s = ctx;

	add(s, at, &entry);
	trace_slow_idle_waited(&s->threads[at], &s->follow->threads[at], wait);
	s->follow->failed |= !trace_slow_waits_add(&s->waits, at, wait);
}

static void did_io(void *ctx, uint32_t at, const struct trace_followed_io *io, uint64_t end)
{
	struct trace_slowest *s = ctx;
	uint64_t ns = end - io->since - io->waited_ns;
	const struct trace_followed_thread *t = &s->follow->threads[at];
	uint32_t number = io->operation->number;
	const struct trace_slow_entry entry = {
		.wait = { .since = io->since,
			  .for_work = io->operation->type == JW_OPERATIONS_IO &&
				      (number == ACCEPT || number == SELECT),
			  .object = io->object,
			  .class = io->class,
			  .method = trace_follow_method(s->follow, at),
			  .site = t->depth ? t->calls[t->depth - 1].site : 0,
			  .ns = ns },
		.io = io->operation,
		.count = 1,
		.longest_ns = ns,
		.bytes = io->bytes,
	};

	add(s, at, &entry);
}

static const struct trace_follower follower = { NULL, entered, left, waited, did_io };

/* ---- the lists ---- */

/* Those that are unusual are told as such, or because of what explains them. */
static void keep_others(struct trace_slowest *s)
{
	struct trace_slow_heap *h = &s->longest;
	size_t room = s->most - s->unusual.known.n,
	       least = s->most < TRACE_SLOW_OTHERS ? s->most : TRACE_SLOW_OTHERS;
	size_t most = s->wanted || room > least ? room : least, n = 0;

	trace_slow_heap_sort(h);
	for (size_t i = 0; i < h->n; i++) {
		struct trace_slow_kept *k = h->at[i];
		uint64_t usual = trace_usual_ns(&s->usual, k->way);
		bool other = trace_usual_is_first(&s->usual, k->way, k->begin) ||
			     !trace_slow_over(k->ns - k->idle, usual);

		if (n < most && (s->wanted || other))
			h->at[n++] = k;
		else
			jw_mem_free(k);
	}
	h->n = n;
}

static struct trace_slow_naming naming(struct trace_slowest *s)
{
	return (struct trace_slow_naming){ &s->names, s->follow->scene, &s->usual };
}

/* Calls that may be told. */
struct candidates {
	struct trace_slow_kept **at;
	size_t n;
};

enum { KNOWN, SELDOM, LONGEST, CANDIDATES };

static struct candidates candidates(const struct trace_slowest *s, unsigned which)
{
	const struct candidates all[] = {
		[KNOWN] = { s->unusual.known.at, s->unusual.known.n },
		[SELDOM] = { s->unusual.seldom.at, s->unusual.seldom.n },
		[LONGEST] = { s->longest.at, s->longest.n },
	};

	return all[which];
}

/* What is told is chosen once it is known by name what threads wait for. */
static void want(struct trace_slowest *s)
{
	const struct trace_slow_naming to = naming(s);

	for (unsigned which = 0; which < CANDIDATES; which++) {
		const struct candidates c = candidates(s, which);

		for (size_t i = 0; i < c.n; i++)
			trace_slow_want(&to, c.at[i]);
	}
	for (uint32_t i = 0; i < s->thread_count; i++)
		trace_slow_idle_want(&s->names, &s->threads[i]);
}

static bool choose(struct trace_slowest *s)
{
	for (unsigned which = 0; which < CANDIDATES && !s->wanted; which++) {
		const struct candidates c = candidates(s, which);

		trace_slow_idle_find(c.at, c.n, s->threads, s->follow, &s->names, &s->usual);
	}
	if (!trace_slow_unusual_choose(&s->unusual, &s->usual, TRACE_SLOW_PASSED))
		return false;
	keep_others(s);
	return true;
}

static bool make_list(struct trace_slowest *s)
{
	bool others_lead = trace_slow_is_trifle(&s->unusual.known, &s->longest);
	const struct candidates in[] = { candidates(s, others_lead ? LONGEST : KNOWN),
					 candidates(s, others_lead ? KNOWN : LONGEST) };
	size_t n = in[0].n + in[1].n;
	const struct trace_slow_naming to = naming(s);
	struct trace_slow_call *calls = JW_NEW_ARRAY(s->arena, struct trace_slow_call, n + 1);

	for (size_t i = 0; calls && i < n; i++)
		if (!trace_slow_name(&to, i < in[0].n ? in[0].at[i] : in[1].at[i - in[0].n],
				     &calls[i]))
			return false;
	s->list = (struct trace_slow_list){ .calls = calls,
					    .n = n,
					    .unusual = s->unusual.known.n,
					    .others_lead = others_lead,
					    .all = s->all,
					    .duration_ns = s->follow->end - s->follow->scene->begin,
					    .too_deep = s->follow->too_deep,
					    .lone = s->follow->lone };
	return calls;
}

/* ---- the output ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_slowest *s = ctx;

	s->threads = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*s->threads));
	if (!s->threads)
		return jw_nomem(e);
	s->thread_count = scene->thread_count;
	return s->follow == &s->own ? trace_follow_begin(s->follow, scene, e) : JW_OK;
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_slowest *s = ctx;

	trace_follow_state(s->follow, at, begin, end, state);
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_slowest *s = ctx;

	trace_follow_enter(s->follow, at, time, method);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	struct trace_slowest *s = ctx;

	trace_follow_leave(s->follow, at, time, failed);
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_slowest *s = ctx;

	trace_follow_event(s->follow, at, time, type, value);
}

static void take_operation(void *ctx, uint32_t at, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_slowest *s = ctx;

	trace_follow_operation(s->follow, at, time, type, number);
}

/* An event of the program's own; of a .prv, what was captured, too: 0 is its end. */
static void take_user(void *ctx, uint32_t at, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_slowest *s = ctx;
	uint32_t depth = s->follow->threads[at].depth;

	(void)time;
	if (depth && value && !s->follow->failed)
		s->follow->failed |= !trace_slow_said_add(
			&s->threads[at].said, s->threads[at].frames[depth - 1].said, type, value);
}

static void take_captured(void *ctx, uint32_t at, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	take_user(ctx, at, time, what->type, value);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_slowest *s = ctx;

	trace_follow_arrow(s->follow, from, sent, to, received, trace_tag_alone(tag));
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_slowest *s = ctx;

	return s->follow->failed ? jw_nomem(e) : JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_slowest *s = ctx;

	if (s->follow == &s->own)
		trace_follow_over(s->follow, end);
	trace_usual_settle(&s->usual);
	want(s);
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
	return !s->names.failed && choose(s) && make_list(s) &&
			       trace_slow_waits_list(&s->waits, &s->names, s->arena, &s->wait_list)
		       ? JW_OK
		       : jw_nomem(e);
}

const struct trace_output trace_slowest_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = finish,
};

/* What happens, somebody else follows. */
const struct trace_output trace_slowest_along_output = {
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = trace_ignore_enter,
	.leave = trace_ignore_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = trace_ignore_arrow,
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
	s->follow = &s->own;
	s->own.to = &follower;
	s->own.ctx = s;
	s->arena = s->names.arena = arena;
	s->most = s->unusual.most = n;
	if (trace_slow_heap_new(&s->longest, TRACE_SLOW_ROOM + 2 * n))
		return s;
	jw_mem_free(s);
	return NULL;
}

void trace_slowest_along(struct trace_slowest *s, struct trace_follow *follow)
{
	follow->also = &follower;
	follow->also_ctx = s;
	s->follow = follow;
}

void trace_slowest_choose(struct trace_slowest *s, bool (*wanted)(const void *ctx, uint64_t method),
			  const void *ctx)
{
	s->wanted = wanted;
	s->wanted_ctx = ctx;
	s->longest.most = s->most; /* none of these is left out later */
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
	for (size_t i = 0; s->threads && i < s->thread_count; i++) {
		jw_mem_free(s->threads[i].log.at);
		jw_mem_free(s->threads[i].said.at);
		jw_mem_free(s->threads[i].frames);
	}
	jw_mem_free(s->threads);
	trace_slow_heap_free(&s->longest);
	trace_slow_unusual_free(&s->unusual);
	trace_usual_free(&s->usual);
	trace_follow_free(&s->own);
	trace_wanted_free(&s->names);
	trace_methods_free(&s->asked);
	trace_slow_waits_free(&s->waits);
	jw_mem_free(s);
}
