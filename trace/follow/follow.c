/*
 * follow.c: see follow.h.
 *
 * Time is told when something ends it: a call begins or ends, the next state does, an arrow is
 * sent. Of the state Others the part that is in pauses of the collector is GC, as in the report
 * (report/time_by_state.c).
 */
#include "trace/follow/follow.h"

#include "base/grow.h"
#include "base/memory.h"
#include "trace/names/state_names.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/timeline.h"

#include "base/banned.h"

/* ---- who is told ---- */

static inline void tell_ran(const struct trace_follow *f, uint32_t at, uint64_t begin, uint64_t end,
			    enum trace_report_time what)
{
	if (f->to->ran)
		f->to->ran(f->ctx, at, begin, end, what);
	if (f->also && f->also->ran)
		f->also->ran(f->also_ctx, at, begin, end, what);
}

static inline void tell_entered(const struct trace_follow *f, uint32_t at,
				struct trace_followed_call *call)
{
	if (f->to->entered)
		f->to->entered(f->ctx, at, call);
	if (f->also && f->also->entered)
		f->also->entered(f->also_ctx, at, call);
}

static inline void tell_left(const struct trace_follow *f, uint32_t at,
			     const struct trace_followed_call *call, uint64_t time, bool failed)
{
	if (f->to->left)
		f->to->left(f->ctx, at, call, time, failed);
	if (f->also && f->also->left)
		f->also->left(f->also_ctx, at, call, time, failed);
}

static void tell_waited(const struct trace_follow *f, uint32_t at,
			const struct trace_followed_wait *wait)
{
	if (f->to->waited)
		f->to->waited(f->ctx, at, wait);
	if (f->also && f->also->waited)
		f->also->waited(f->also_ctx, at, wait);
}

static void tell_io(const struct trace_follow *f, uint32_t at, const struct trace_followed_io *io,
		    uint64_t end)
{
	if (f->to->did_io)
		f->to->did_io(f->ctx, at, io, end);
	if (f->also && f->also->did_io)
		f->also->did_io(f->also_ctx, at, io, end);
}

/* ---- stretches of time ---- */

static uint64_t paused(const struct trace_follow *f, uint32_t at, uint64_t time)
{
	const struct trace_followed_process *p = &f->processes[f->scene->threads[at].process];
	uint64_t since = p->pause_since;

	return p->paused_ns + (since && time > since ? time - since : 0);
}

/* The next NS of what AT does; returns where they end. */
static inline uint64_t tell(struct trace_follow *f, uint32_t at, uint64_t begin, uint64_t ns,
			    enum trace_report_time what)
{
	struct trace_followed_thread *t = &f->threads[at];

	if (ns == 0)
		return begin;
	t->split.ns[what] += ns;
	if (t->depth && (what == TRACE_REPORT_BLOCKED || what == TRACE_REPORT_WAITING))
		t->calls[t->depth - 1].stalled_ns += ns;
	tell_ran(f, at, begin, begin + ns, what);
	return begin + ns;
}

/* Of Others, or beyond the end of a state. */
static void divide(struct trace_follow *f, uint32_t at, uint64_t time)
{
	struct trace_followed_thread *t = &f->threads[at];
	uint64_t all = time - t->since, covered = 0, gc = 0;
	uint64_t from = t->since;

	if (t->state_end > t->since)
		covered = t->state_end < time ? t->state_end - t->since : all;
	if (t->state == TRACE_OTHERS) {
		uint64_t pauses = paused(f, at, time);

		if (pauses > t->paused)
			gc = pauses - t->paused < covered ? pauses - t->paused : covered;
		t->paused = pauses;
	}
	t->since = time;
	from = tell(f, at, from, gc, TRACE_REPORT_GC);
	from = tell(f, at, from, covered - gc, t->doing);
	tell(f, at, from, all - covered, TRACE_REPORT_OTHER);
}

uint64_t trace_follow_until(struct trace_follow *f, uint32_t at, uint64_t time)
{
	struct trace_followed_thread *t = &f->threads[at];
	uint64_t since = t->since;

	if (time <= since)
		return since;
	if (t->state == TRACE_OTHERS || t->state_end < time) {
		divide(f, at, time);
		return time;
	}
	t->since = time;
	tell(f, at, since, time - since, t->doing);
	return time;
}

enum trace_report_time trace_follow_doing(const struct trace_follow *f, uint32_t at, uint64_t time)
{
	const struct trace_followed_thread *t = &f->threads[at];

	return t->state_end > time ? t->doing : TRACE_REPORT_OTHER;
}

void trace_follow_state(struct trace_follow *f, uint32_t at, uint64_t begin, uint64_t end,
			uint64_t state)
{
	struct trace_followed_thread *t = &f->threads[at];

	trace_follow_until(f, at, begin);
	t->state = state;
	t->state_end = end;
	t->doing = trace_state_time(state);
	if (state == TRACE_OTHERS)
		t->paused = paused(f, at, t->since);
}

static void change_pause(struct trace_follow *f, uint32_t at, uint64_t time, bool begins)
{
	struct trace_followed_process *p = &f->processes[f->scene->threads[at].process];

	if (!begins && p->pause_since) {
		p->paused_ns += time > p->pause_since ? time - p->pause_since : 0;
		p->pauses++;
	}
	p->pause_since = begins ? time : 0;
}

/* ---- waits ---- */

uint64_t trace_follow_method(const struct trace_follow *f, uint32_t at)
{
	const struct trace_followed_thread *t = &f->threads[at];
	uint32_t i = t->depth;

	while (i > 1 && t->calls[i - 1].site)
		i--;
	return i ? t->calls[i - 1].method : 0;
}

/* How long T has been in states of waiting, in all. */
static uint64_t stalled_ns(const struct trace_followed_thread *t)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		ns += trace_follow_waits((enum trace_report_time)i) ? t->split.ns[i] : 0;
	return ns;
}

static void begin_wait(struct trace_follow *f, uint32_t at, uint64_t time, uint64_t value)
{
	struct trace_followed_thread *t = &f->threads[at];
	const struct trace_followed_call *top = t->depth ? &t->calls[t->depth - 1] : NULL;

	t->waits = value > 0;
	t->stalled_before = stalled_ns(t);
	t->wait = (struct trace_followed_wait){ .how = (enum trace_report_how)value,
						.since = time,
						.method = top ? top->method : 0,
						.site = top ? top->site : 0,
						.depth = t->depth,
						.for_work =
							trace_report_is_idle(value) || t->taking };
}

static bool is_io_wait(enum trace_report_how how)
{
	return trace_wait_is_io(how);
}

/* Is the thread in a state of waiting then, so that its call is? */
static bool is_stalled(enum trace_report_how how)
{
	return how != TRACE_REPORT_WORK && !is_io_wait(how);
}

bool trace_follow_awaits_io(const struct trace_follow *f, uint32_t at)
{
	const struct trace_followed_thread *t = &f->threads[at];

	return t->waits && t->wait.how >= TRACE_REPORT_SELECT && t->wait.how <= TRACE_REPORT_READ;
}

/* How long T has waited until TIME: in states, and as natives tell. A wait for requests is both. */
static uint64_t waited_ns(const struct trace_followed_thread *t, uint64_t time)
{
	uint64_t stalled = stalled_ns(t), meanwhile = stalled - t->stalled_before;
	uint64_t ns = t->waits && is_io_wait(t->wait.how) ? time - t->wait.since : 0;

	return stalled + t->told_ns + (ns > meanwhile ? ns - meanwhile : 0);
}

static void end_wait(struct trace_follow *f, uint32_t at, uint64_t time)
{
	struct trace_followed_thread *t = &f->threads[at];
	struct trace_followed_call *call =
		t->wait.depth && t->wait.depth <= t->depth ? &t->calls[t->wait.depth - 1] : NULL;

	if (!t->waits)
		return;
	t->told_ns = waited_ns(t, time) - stalled_ns(t);
	t->waits = false;
	t->wait.ns = time - t->wait.since;
	if (!t->wait.ender.over)
		t->wait.ender.ns =
			time - (t->wait.ender.since ? t->wait.ender.since : t->wait.since);
	if (call && call->enter <= t->wait.since && is_stalled(t->wait.how)) {
		call->told_ns += t->wait.ns;
		call->slept |= call->site && t->wait.how == TRACE_REPORT_SLEEP;
	}
	if (t->wait.ns)
		tell_waited(f, at, &t->wait);
}

/* Values of two types say what a thread waits for. Within one instant a wait of one may begin and
 * one of the other end. */
static void change_wait(struct trace_follow *f, uint32_t at, uint64_t time, uint64_t value,
			bool monitor)
{
	const struct trace_followed_thread *t = &f->threads[at];
	bool now_monitor = t->wait.how <= TRACE_REPORT_WAIT;

	if (!value && t->waits && now_monitor != monitor)
		return;
	time = trace_follow_until(f, at, time);
	end_wait(f, at, time);
	begin_wait(f, at, time, value);
}

/* The innermost call is over: what it has waited by itself, beyond what events have told. */
static void tell_stall(struct trace_follow *f, uint32_t at, const struct trace_followed_call *call,
		       uint64_t time)
{
	const struct trace_followed_thread *t = &f->threads[at];

	uint64_t ns = trace_report_untold(call->stalled_ns, call->told_ns, call->slept);

	if (!ns)
		return;
	struct trace_followed_wait wait = { .how = TRACE_REPORT_CALL,
					    .since = time - ns,
					    .object = call->object,
					    .class = call->class,
					    .method = call->method,
					    .site = call->site,
					    .ns = ns,
					    .depth = t->depth,
					    .for_work = t->taking,
					    .ender = call->ender };

	wait.ender.ns = ns;
	tell_waited(f, at, &wait);
}

/* ---- who ends them ---- */

static const struct jw_operation *operation_with(uint64_t tag)
{
	const struct jw_operation *op = jw_operations;

	while (op->word && trace_arrow_tag(op) != tag)
		op++;
	return op->word ? op : NULL;
}

bool trace_follow_is_read(uint64_t tag)
{
	const struct jw_operation *op = operation_with(tag);

	return op && op->type == JW_OPERATIONS_IO;
}

/* Whatever is done for the thread in a wait that it cannot end is for one that comes later. */
bool trace_follow_may_end(const struct trace_follow *f, uint32_t to, uint64_t tag)
{
	const struct trace_followed_thread *t = &f->threads[to];
	const struct jw_operation *op = operation_with(tag);

	return op && (!t->waits || trace_report_may_end(op, t->wait.how, t->wait.object));
}

/* Of several arrows the one that arrives first has ended the wait. */
static void note_ender(struct trace_followed_ender *ender, const struct trace_followed_ender *now)
{
	uint64_t since = ender->since;

	if (ender->over || (ender->thread && !ender->seen && now->received > ender->received))
		return;
	*ender = *now;
	ender->since = since;
}

void trace_follow_arrow(struct trace_follow *f, uint32_t from, uint64_t sent, uint32_t to,
			uint64_t received, uint64_t tag)
{
	struct trace_followed_thread *t = &f->threads[to];

	trace_follow_until(f, from, sent);
	trace_follow_until(f, to, sent);
	if (from == to || !trace_follow_may_end(f, to, tag))
		return;
	const struct trace_followed_ender now = { .thread = from + 1,
						  .method = trace_follow_method(f, from),
						  .received = received };

	if (t->waits)
		note_ender(&t->wait.ender, &now);
	if (t->depth && trace_follow_waits(trace_follow_doing(f, to, sent)))
		note_ender(&t->calls[t->depth - 1].ender, &now);
}

/* HOLDER is seen to have the monitor, or the lock, for which AT waits; what an arrow says of it is exact. */
static void note_holder(struct trace_follow *f, uint32_t at, uint64_t time, uint64_t holder)
{
	struct trace_followed_thread *t = &f->threads[at];

	if (!t->waits || (t->wait.how != TRACE_REPORT_ENTER && t->wait.how != TRACE_REPORT_PARK) ||
	    (t->wait.ender.thread && !t->wait.ender.seen))
		return;
	time = trace_follow_until(f, at, time);
	if (!holder && t->wait.ender.seen) {
		t->wait.ender.over = true;
		t->wait.ender.ns = time - t->wait.ender.since;
	}
	if (holder - 1 >= f->thread_count)
		return;
	const struct trace_followed_thread *by = &f->threads[holder - 1];
	/* it gets it just now, after a wait of its own */
	bool got = by != t && by->waits && by->wait.how == TRACE_REPORT_ENTER &&
		   by->wait.object == t->wait.object;

	trace_follow_until(f, (uint32_t)holder - 1, time);
	t->wait.ender = (struct trace_followed_ender){
		.thread = (uint32_t)holder,
		.method = trace_follow_method(f, (uint32_t)holder - 1),
		.received = time,
		.seen = true,
		.since = got ? time : t->wait.since,
	};
}

/* ---- calls that read and write ---- */

static const struct jw_operation *operation_of(enum jw_operation_type type, uint64_t number)
{
	const struct jw_operation *op = jw_operations;

	while (op->word && (op->type != type || op->number != number))
		op++;
	return op->word ? op : NULL;
}

static bool is_io(const struct jw_operation *op)
{
	return op->state >= 0 && trace_state_time((uint64_t)op->state) == TRACE_REPORT_IO;
}

/* Operations of a type end as they began: the innermost first. */
static void change_taking(struct trace_followed_thread *t, uint64_t number)
{
	const struct jw_operation *op = number ? operation_of(JW_OPERATIONS_QUEUE, number) : NULL;

	if (t->taking ? number > 0 : op && op->role == JW_ROLE_TAKE)
		t->taking++;
	else if (t->taking && !number)
		t->taking--;
}

void trace_follow_operation(struct trace_follow *f, uint32_t at, uint64_t time,
			    enum jw_operation_type type, uint64_t number)
{
	struct trace_followed_io *io = &f->threads[at].io;

	time = trace_follow_until(f, at, time);
	if (type == JW_OPERATIONS_QUEUE)
		change_taking(&f->threads[at], number);
	if (number) {
		const struct jw_operation *op = operation_of(type, number);

		if (io->operation)
			io->nested += io->operation->type == type;
		else if (op && is_io(op))
			*io = (struct trace_followed_io){ .operation = op,
							  .since = time,
							  .waited_ns = waited_ns(&f->threads[at],
										 time) };
	} else if (io->operation && io->operation->type == type) {
		if (io->nested) {
			io->nested--;
			return;
		}
		io->waited_ns = waited_ns(&f->threads[at], time) - io->waited_ns;
		tell_io(f, at, io, time);
		io->operation = NULL;
	}
}

/* ---- what events tell of the innermost ---- */

static void take_of_call(struct trace_followed_thread *t, enum trace_type type, uint64_t value)
{
	struct trace_followed_call *call = t->depth && !t->over ? &t->calls[t->depth - 1] : NULL;

	if (type == TRACE_TYPE_BYTES && t->io.operation && !t->io.nested)
		t->io.bytes += value;
	if (type == TRACE_TYPE_OPERATION_OBJECT && !t->io.nested && !t->io.object)
		t->io.object = value;
	if (type == TRACE_TYPE_OPERATION_CLASS && !t->io.nested && !t->io.class)
		t->io.class = value;
	if (!call || !value)
		return;
	if (type == TRACE_TYPE_SITE && !call->site)
		call->site = value;
	else if (type == TRACE_TYPE_OPERATION_OBJECT)
		call->object = value;
	else if (type == TRACE_TYPE_OPERATION_CLASS)
		call->class = value;
}

void trace_follow_event(struct trace_follow *f, uint32_t at, uint64_t time, enum trace_type type,
			uint64_t value)
{
	struct trace_followed_thread *t = &f->threads[at];

	switch (type) {
	case TRACE_TYPE_GC:
		change_pause(f, at, time, value);
		break;
	case TRACE_TYPE_MONITOR:
		if (value <= TRACE_WAIT_LAST_MONITOR)
			change_wait(f, at, time, value, true);
		break;
	case TRACE_TYPE_WAIT:
		if (value < TRACE_WAIT_COUNT - TRACE_WAIT_LAST_MONITOR)
			change_wait(f, at, time, value ? value + TRACE_WAIT_LAST_MONITOR : 0,
				    false);
		break;
	case TRACE_TYPE_HOLDER:
		note_holder(f, at, time, value);
		break;
	case TRACE_TYPE_OBJECT:
		t->wait.object = value ? value : t->wait.object;
		break;
	case TRACE_TYPE_MONITOR_CLASS:
		t->wait.class = value ? value : t->wait.class;
		break;
	case TRACE_TYPE_MONITOR_PLACE:
		t->wait.place = value ? value : t->wait.place;
		break;
	case TRACE_TYPE_CHANNEL:
		t->wait.channel = value;
		break;
	case TRACE_TYPE_CHANNEL_READ:
	case TRACE_TYPE_CHANNEL_WRITTEN:
		t->wait.bytes = value;
		break;
	default:
		take_of_call(t, type, value);
		break;
	}
}

/* ---- calls ---- */

/* Field by field: what compilers make of a whole struct of zeros takes longer than all of the rest. */
static void begin_call(struct trace_followed_call *call, uint64_t time, uint64_t method)
{
	call->enter = time;
	call->method = method;
	call->site = call->object = call->class = 0;
	call->stalled_ns = call->told_ns = call->longest_ns = 0;
	call->slept = false;
	call->mark = 0;
	call->ran_ns = 0;
	call->ender.thread = 0;
	call->ender.method = call->ender.received = 0;
	call->ender.seen = call->ender.over = false;
	call->ender.since = call->ender.ns = 0;
}

void trace_follow_enter(struct trace_follow *f, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_followed_thread *t = &f->threads[at];
	static const struct jw_growth growth = { "calls", 0, 4 };
	bool has_room = t->depth < t->cap;

	time = trace_follow_until(f, at, time);
	if (!has_room && t->depth < TRACE_MAX_DEPTH)
		has_room = jw_grow(NULL, &t->calls, &t->cap, sizeof(*t->calls),
				   (size_t)t->depth + 1, &growth, NULL) == JW_OK;
	if (!has_room || t->depth >= TRACE_MAX_DEPTH || t->over) { /* its exit is left out, too */
		f->failed |= !has_room && t->depth < TRACE_MAX_DEPTH;
		t->over++;
		f->too_deep++;
		return;
	}
	begin_call(&t->calls[t->depth], time, method);
	t->calls[t->depth].before = t->split;
	t->calls[t->depth].pauses = f->processes[f->scene->threads[at].process].pauses;
	tell_entered(f, at, &t->calls[t->depth]);
	t->depth++;
}

/* A call that ends with its wait may do so before it: of one instant waits come last. */
void trace_follow_leave(struct trace_follow *f, uint32_t at, uint64_t time, bool failed)
{
	struct trace_followed_thread *t = &f->threads[at];

	time = trace_follow_until(f, at, time);
	if (t->over) {
		t->over--;
		return;
	}
	if (t->depth == 0) {
		f->lone++;
		return;
	}
	if (t->waits && t->wait.depth >= t->depth)
		end_wait(f, at, time);
	const struct trace_followed_call *call = &t->calls[t->depth - 1];

	tell_stall(f, at, call, time); /* while the call still is the innermost */
	t->depth--;
	if (t->depth && !call->site) {
		struct trace_followed_call *outer = &t->calls[t->depth - 1];
		uint64_t ns = time - call->enter;

		outer->longest_ns = ns > outer->longest_ns ? ns : outer->longest_ns;
	}
	tell_left(f, at, call, time, failed);
}

/* ---- from begin to end ---- */

enum jw_status trace_follow_begin(struct trace_follow *f, const struct trace_scene *scene,
				  struct jw_err *e)
{
	f->threads = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*f->threads));
	f->processes = jw_mem_zalloc((size_t)scene->process_count + 1, sizeof(*f->processes));
	f->scene = scene;
	f->thread_count = f->threads ? scene->thread_count : 0;
	for (uint32_t i = 0; i < f->thread_count; i++) {
		f->threads[i].since = scene->begin;
		f->threads[i].doing = trace_state_time(f->threads[i].state);
	}
	f->end = scene->end;
	return f->threads && f->processes ? JW_OK : jw_nomem(e);
}

void trace_follow_over(struct trace_follow *f, uint64_t end)
{
	f->end = end;
	f->over = true;
	for (uint32_t i = 0; i < f->thread_count; i++) {
		end_wait(f, i, trace_follow_until(f, i, end));
		for (f->threads[i].over = 0; f->threads[i].depth;)
			trace_follow_leave(f, i, end, false);
	}
}

void trace_follow_free(struct trace_follow *f)
{
	for (size_t i = 0; i < f->thread_count; i++)
		jw_mem_free(f->threads[i].calls);
	jw_mem_free(f->threads);
	jw_mem_free(f->processes);
	f->threads = NULL;
	f->processes = NULL;
}
