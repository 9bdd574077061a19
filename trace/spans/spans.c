/*
 * spans.c: see spans.h.
 */
#include "trace/spans/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/follow/wanted.h"
#include "trace/ignore.h"

#include "base/banned.h"

#define MOST 1000000 /* calls, and stretches */

static const struct jw_growth grow = { NULL, 0, 64 };

struct call {
	uint64_t begin, ns, method;
	uint32_t thread, stretch, depth;
	bool failed, open, over;
};

struct open_call {
	uint32_t depth; /* calls of the thread around it */
	uint32_t call;  /* its place */
};

struct lane {
	struct trace_context context;
	uint32_t depth;   /* calls that are open */
	uint32_t stretch; /* 1 + the place of the one that goes on; 0: none, or none that is kept */
	bool wanted;      /* the trace is current */
	struct {
		struct open_call *at; /* owned; the innermost last */
		size_t n, room;
	} open;
};

struct trace_spans {
	struct trace_id_prefix prefix;
	struct trace_wanted names;
	struct jw_arena *arena;
	const struct trace_scene *scene;
	struct lane *lanes; /* owned */
	uint32_t lane_count;
	struct {
		struct call *at; /* owned; by time */
		size_t n, room;
	} calls;
	struct {
		struct trace_span_stretch *at; /* owned; by time */
		size_t n, room;
	} stretches;
	struct trace_span_stretch *sorted; /* in the arena */
	struct trace_spans_list list;
	uint64_t end;
	bool failed; /* no memory */
};

/* ---- ids ---- */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool trace_id_prefix_read(const char *text, struct trace_id_prefix *out)
{
	struct trace_id_prefix p = { 0 };
	size_t n = strlen(text);

	if (n < TRACE_ID_LEAST || n > TRACE_ID_DIGITS)
		return false;
	for (size_t i = 0; i < n; i++) {
		int digit = digit_of(text[i]);
		unsigned shift = 60 - 4 * (unsigned)(i % 16);

		if (digit < 0)
			return false;
		*(i < 16 ? &p.high : &p.low) |= (uint64_t)digit << shift;
		*(i < 16 ? &p.high_mask : &p.low_mask) |= UINT64_C(15) << shift;
	}
	*out = p;
	return true;
}

static bool is_wanted(const struct trace_id_prefix *p, const struct trace_context *c)
{
	return trace_context_is_current(c) && (c->trace_high & p->high_mask) == p->high &&
	       (c->trace_low & p->low_mask) == p->low;
}

/* ---- what happens ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_spans *s = ctx;

	s->scene = scene;
	s->lane_count = scene->thread_count;
	s->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*s->lanes));
	return s->lanes ? JW_OK : jw_nomem(e);
}

static void end_stretch(struct trace_spans *s, struct lane *lane, uint64_t time)
{
	if (lane->stretch)
		s->stretches.at[lane->stretch - 1].end = time;
	lane->stretch = 0;
}

static void begin_stretch(struct trace_spans *s, uint32_t thread, uint64_t time)
{
	struct lane *lane = &s->lanes[thread];
	const struct trace_context *c = &lane->context;

	if (s->stretches.n == MOST) {
		s->list.stretches_left++;
		return;
	}
	if (JW_GROW(&s->stretches, &grow, NULL) != JW_OK) {
		s->failed = true;
		return;
	}
	s->stretches.at[s->stretches.n++] = (struct trace_span_stretch){
		.trace_high = c->trace_high,
		.trace_low = c->trace_low,
		.span = c->span,
		.begin = time,
		.end = time,
		.thread = thread,
	};
	lane->stretch = (uint32_t)s->stretches.n;
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_spans *s = ctx;
	struct lane *lane = &s->lanes[thread];

	if (!trace_is_context(type) || !trace_context_take(&lane->context, type, value))
		return;
	end_stretch(s, lane, time);
	lane->wanted = is_wanted(&s->prefix, &lane->context);
	if (lane->wanted)
		begin_stretch(s, thread, time);
	else if (trace_context_is_current(&lane->context))
		s->list.others++;
}

static void keep_call(struct trace_spans *s, uint32_t thread, uint64_t time, uint64_t method)
{
	struct lane *lane = &s->lanes[thread];

	if (lane->stretch)
		s->stretches.at[lane->stretch - 1].calls++;
	if (s->calls.n == MOST || !lane->stretch) {
		s->list.calls_left++;
		return;
	}
	if (JW_GROW(&s->calls, &grow, NULL) != JW_OK ||
	    JW_GROW(&lane->open, &grow, NULL) != JW_OK) {
		s->failed = true;
		return;
	}
	lane->open.at[lane->open.n] =
		(struct open_call){ .depth = lane->depth, .call = (uint32_t)s->calls.n };
	s->calls.at[s->calls.n++] = (struct call){
		.begin = time,
		.method = method,
		.thread = thread,
		.stretch = lane->stretch - 1,
		.depth = (uint32_t)lane->open.n++,
	};
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_spans *s = ctx;
	struct lane *lane = &s->lanes[thread];

	if (lane->wanted)
		keep_call(s, thread, time, method);
	lane->depth++;
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_spans *s = ctx;
	struct lane *lane = &s->lanes[thread];

	if (!lane->depth) /* of a .prv */
		return;
	lane->depth--;
	if (!lane->open.n || lane->open.at[lane->open.n - 1].depth != lane->depth)
		return;
	struct call *call = &s->calls.at[lane->open.at[--lane->open.n].call];

	call->ns = time - call->begin;
	call->failed = failed;
	call->over = true;
	call->open = trace_ends_with_thread(s->scene, thread, time);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_spans *s = ctx;

	return s->failed ? jw_nomem(e) : JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_spans *s = ctx;

	s->end = end;
	for (uint32_t i = 0; i < s->lane_count; i++)
		end_stretch(s, &s->lanes[i], end);
	for (size_t i = 0; i < s->calls.n; i++) {
		struct call *call = &s->calls.at[i];

		if (!call->over)
			call->ns = end - call->begin;
		call->open |= !call->over;
		trace_want(&s->names, TRACE_NAME_METHOD, call->method);
	}
	for (size_t i = 0; i < s->stretches.n; i++)
		trace_want(&s->names, TRACE_NAME_ROW, s->stretches.at[i].thread);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_spans *s = ctx;

	trace_wanted_take(&s->names, what, number, label);
}

/* ---- the list ---- */

static int by_thread(const void *a, const void *b)
{
	const struct trace_span_stretch *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1)
				    : (x->end > y->end) - (x->end < y->end);
}

static bool name_process(const struct trace_spans *s, uint32_t at, struct trace_span_process *out)
{
	const struct trace_scene_process *p = &s->scene->processes[at];
	const char *host = p->host < s->scene->host_count ? s->scene->hosts[p->host] : NULL;

	out->pid = p->pid;
	out->host = jw_arena_str(s->arena, jw_span_str(host ? host : ""));
	if (p->role && *p->role)
		out->name = jw_arena_str(s->arena, jw_span_str(p->role));
	else if (p->pid)
		out->name = jw_arena_fmt(s->arena, "process %llu", (unsigned long long)p->pid);
	else
		out->name = jw_arena_fmt(s->arena, "process %u.%u", p->application, p->number);
	return out->name && out->host;
}

/* Where what is of each thread, or process, of the scene has its place among those of the list. */
struct places {
	uint32_t *thread; /* by that of the scene; of those with a stretch */
	size_t *next;     /* likewise: where its next call goes */
};

/* The threads and processes that have a stretch; stretches are sorted. */
static bool list_threads(struct trace_spans *s, const struct places *places)
{
	struct trace_spans_list *list = &s->list;
	struct trace_span_thread *threads =
		JW_NEW_ARRAY(s->arena, struct trace_span_thread, s->stretches.n + 1);
	struct trace_span_process *processes = JW_NEW_ARRAY(s->arena, struct trace_span_process,
							    (size_t)s->scene->process_count + 1);
	uint32_t last = UINT32_MAX;

	if (!threads || !processes)
		return false;
	for (size_t i = 0; i < s->stretches.n; i++) {
		uint32_t at = s->sorted[i].thread, process = s->scene->threads[at].process;

		if (i && s->sorted[i - 1].thread == at)
			continue;
		if (process != last && !name_process(s, process, &processes[list->process_count++]))
			return false;
		last = process;
		places->thread[at] = (uint32_t)list->thread_count;
		threads[list->thread_count++] = (struct trace_span_thread){
			.name = trace_wanted_thread(&s->names, s->scene, at),
			.row = at + 1,
			.process = (uint32_t)list->process_count - 1,
		};
		if (!threads[list->thread_count - 1].name)
			return false;
	}
	for (size_t i = 0; i < s->calls.n; i++)
		threads[places->thread[s->calls.at[i].thread]].n++;
	for (size_t i = 0, first = 0; i < list->thread_count; first += threads[i++].n)
		threads[i].first = places->next[i] = first;
	list->threads = threads;
	list->processes = processes;
	return true;
}

/* Calls by thread; MOVED: where each stretch is, once they are sorted. */
static bool list_calls(struct trace_spans *s, const struct places *places, const uint32_t *moved)
{
	struct trace_span_call *calls =
		JW_NEW_ARRAY(s->arena, struct trace_span_call, s->calls.n + 1);

	if (!calls)
		return false;
	for (size_t i = 0; i < s->calls.n; i++) {
		const struct call *c = &s->calls.at[i];
		struct trace_span_call *out = &calls[places->next[places->thread[c->thread]]++];

		*out = (struct trace_span_call){
			.begin = c->begin,
			.ns = c->ns,
			.method = trace_wanted_method(&s->names, c->method),
			.stretch = moved[c->stretch],
			.depth = c->depth,
			.failed = c->failed,
			.open = c->open,
		};
		if (!out->method)
			return false;
	}
	s->list.calls = calls;
	s->list.call_count = s->calls.n;
	return true;
}

/* Sorts the stretches; MOVED has where each has gone. */
static bool sort_stretches(struct trace_spans *s, uint32_t *moved)
{
	size_t n = s->stretches.n;
	struct trace_span_stretch *sorted =
		JW_NEW_ARRAY(s->arena, struct trace_span_stretch, n + 1);

	if (!sorted)
		return false;
	/* `calls` lends its place to what each was, for the time of the sort */
	for (size_t i = 0; i < n; i++) {
		sorted[i] = s->stretches.at[i];
		sorted[i].calls = i;
	}
	if (n > 1)
		qsort(sorted, n, sizeof(*sorted), by_thread);
	for (size_t i = 0; i < n; i++) {
		uint64_t was = sorted[i].calls;

		moved[was] = (uint32_t)i;
		sorted[i].calls = s->stretches.at[was].calls;
		s->list.end = sorted[i].end > s->list.end ? sorted[i].end : s->list.end;
		if (i == 0 || sorted[i].begin < s->list.begin)
			s->list.begin = sorted[i].begin;
	}
	s->sorted = sorted;
	s->list.stretches = sorted;
	s->list.stretch_count = n;
	return true;
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_spans *s = ctx;
	struct places places = { JW_NEW_ARRAY(s->arena, uint32_t, (size_t)s->lane_count + 1),
				 JW_NEW_ARRAY(s->arena, size_t, (size_t)s->lane_count + 1) };
	uint32_t *moved = JW_NEW_ARRAY(s->arena, uint32_t, s->stretches.n + 1);

	(void)names;
	JW_TRY(check(s, e));
	s->list.duration_ns = s->end - s->scene->begin;
	s->list.processes_of_all = s->scene->process_count;
	if (!places.thread || !places.next || !moved || s->names.failed ||
	    !sort_stretches(s, moved) || !list_threads(s, &places) ||
	    !list_calls(s, &places, moved))
		return jw_nomem(e);
	for (size_t i = 0; i < s->stretches.n; i++)
		s->sorted[i].thread = places.thread[s->sorted[i].thread];
	return JW_OK;
}

const struct trace_output trace_spans_output = {
	.in_order = true,
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = finish,
};

struct trace_spans *trace_spans_new(const struct trace_id_prefix *wanted, struct jw_arena *arena)
{
	struct trace_spans *s = jw_mem_zalloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->prefix = *wanted;
	s->arena = arena;
	s->names.arena = arena;
	return s;
}

struct trace_spans_list trace_spans_list(const struct trace_spans *s)
{
	return s->list;
}

void trace_spans_free(struct trace_spans *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->lanes && i < s->lane_count; i++)
		jw_mem_free(s->lanes[i].open.at);
	jw_mem_free(s->lanes);
	jw_mem_free(s->calls.at);
	jw_mem_free(s->stretches.at);
	trace_wanted_free(&s->names);
	jw_mem_free(s);
}
