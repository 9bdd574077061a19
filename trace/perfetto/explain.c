/*
 * explain.c: what explains packets (perfetto.h): tracks, clocks, and names by their numbers.
 */
#include <string.h>

#include "base/operations.h"
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/names/state_names.h"
#include "trace/names/wait_names.h"
#include "trace/perfetto/event.h"
#include "trace/perfetto/perfetto_int.h"
#include "trace/perfetto/waiting.h"

#include "base/banned.h"

#define PIECE    ((size_t)256 << 10)
#define MAX_TEXT 4096
#define MAX_PID  ((uint64_t)1 << 30) /* Perfetto's have 32 bits, with a sign */

struct explaining {
	struct trace_perfetto *w;
	const struct trace_names *names; /* NULL: of a .prv */
	struct trace_methods texts;      /* owned; the numbers of those of `names`, in order */
	struct jw_span *methods;         /* in the arena; what is interned of each; NULL: not yet */
	struct jw_buf out, text;         /* owned; text: of one name */
	struct jw_err *e;
};

static enum jw_status send(struct explaining *x, size_t more_than)
{
	return trace_pf_send(x->w, &x->out, &x->text, more_than, x->e);
}

static struct jw_span text_of(struct explaining *x)
{
	return jw_buf_span(&x->text);
}

/* ---- tracks ---- */

/* Those of several hosts may be the same, or unknown: then processes are numbered. */
static bool pids_differ(const struct trace_scene *s)
{
	struct trace_methods pids = { 0 };
	bool differ = true;

	for (uint32_t i = 0; i < s->process_count && differ; i++) {
		uint64_t pid = s->processes[i].pid;

		differ = pid && pid <= MAX_PID && trace_methods_number(&pids, pid) == i;
	}
	trace_methods_free(&pids);
	return differ;
}

struct pids {
	bool real;
	uint64_t highest;
};

static uint64_t pid_of(const struct pids *pids, const struct trace_scene *s, uint32_t process)
{
	return pids->real ? s->processes[process].pid : (uint64_t)process + 1;
}

static void put_process(struct explaining *x, const struct pids *pids, uint32_t at)
{
	const struct trace_scene *s = x->w->scene;
	const struct trace_scene_process *p = &s->processes[at];
	struct jw_buf *out = &x->out;

	jw_buf_clear(&x->text);
	trace_put_process(&x->text, s, at, ",", !pids->real);
	if (s->host_count && p->host < s->host_count && s->hosts[p->host] && *s->hosts[p->host]) {
		jw_put_str(&x->text, " on ");
		trace_put_name(&x->text, jw_span_str(s->hosts[p->host]), TRACE_MAX_LABEL);
	}
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, 1);
	size_t track = trace_pb_open(out, PF_TRACK);

	trace_pb_number(out, 1, trace_pf_process_uuid(s, at));
	size_t process = trace_pb_open(out, 3);

	trace_pb_number(out, 1, pid_of(pids, s, at));
	trace_pb_text(out, 6, text_of(x));
	trace_pb_close(out, process);
	trace_pb_close(out, track);
	trace_pb_close(out, packet);
}

static void put_thread(struct explaining *x, const struct pids *pids, uint32_t at)
{
	const struct trace_scene *s = x->w->scene;
	uint32_t process = s->threads[at].process;
	struct jw_buf *out = &x->out;

	jw_buf_clear(&x->text);
	trace_pf_put_thread_name(x->w, &x->text, at);
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, 1);
	size_t track = trace_pb_open(out, PF_TRACK);

	trace_pb_number(out, 1, trace_pf_uuid(at, TRACE_PF_CALLS));
	trace_pb_number(out, 5, trace_pf_process_uuid(s, process));
	size_t thread = trace_pb_open(out, 4);

	trace_pb_number(out, 1, pid_of(pids, s, process));
	trace_pb_number(out, 2, pids->highest + 1 + at); /* no two threads, no process and thread */
	trace_pb_text(out, 5, text_of(x));
	trace_pb_close(out, thread);
	trace_pb_close(out, track);
	trace_pb_close(out, packet);
}

static void put_child_track(struct explaining *x, uint32_t thread, enum trace_pf_track track)
{
	static const char *const names[TRACE_PF_TRACKS] = {
		[TRACE_PF_STATES] = "state",          [TRACE_PF_WAITS] = "waits",
		[TRACE_PF_OPERATIONS] = "operations", [TRACE_PF_VIRTUAL] = "virtual thread",
		[TRACE_PF_TASKS] = "tasks",           [TRACE_PF_CONTEXT] = "trace context",
	};

	if (names[track] && x->w->lanes[thread].has[track])
		trace_pf_put_track(&x->out, trace_pf_uuid(thread, track), jw_span_str(names[track]),
				   trace_pf_uuid(thread, TRACE_PF_CALLS));
}

/* ---- sequences ---- */

static void put_clock(struct jw_buf *out, uint64_t clock, uint64_t time, bool counts_on)
{
	size_t at = trace_pb_open(out, 1);

	trace_pb_number(out, 1, clock);
	trace_pb_number(out, 2, time);
	if (counts_on)
		trace_pb_number(out, 3, 1);
	trace_pb_close(out, at);
}

/* All begins at 0 of the clock since boot. */
static void begin_sequence(struct explaining *x, uint64_t sequence)
{
	struct jw_buf *out = &x->out;
	int64_t wall = x->w->scene->wall_start;
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, sequence);
	trace_pb_number(out, PF_FLAGS, PF_CLEARED);
	size_t clocks = trace_pb_open(out, PF_CLOCKS);

	put_clock(out, PF_CLOCK_BOOT, 0, false);
	put_clock(out, PF_CLOCK_OURS, 0, true);
	if (sequence == 1 && wall > 0)
		put_clock(out, PF_CLOCK_REAL, (uint64_t)wall, false);
	trace_pb_close(out, clocks);
	trace_pb_close(out, packet);
}

/* TRACK: 0: events say it themselves. */
static void put_defaults(struct explaining *x, uint64_t sequence, uint64_t track)
{
	struct jw_buf *out = &x->out;
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, sequence);
	size_t defaults = trace_pb_open(out, PF_DEFAULTS);

	trace_pb_number(out, PF_CLOCK, PF_CLOCK_OURS);
	if (track) {
		size_t event = trace_pb_open(out, PF_EVENT);

		trace_pb_number(out, PF_EVENT_TRACK, track);
		trace_pb_close(out, event);
	}
	trace_pb_close(out, defaults);
	trace_pb_close(out, packet);
}

/* ---- names ---- */

/* A packet for each, so that none is long. */
static void put_interned(struct explaining *x, uint64_t sequence, uint32_t field, uint64_t number,
			 struct jw_span text)
{
	struct jw_buf *out = &x->out;
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, sequence);
	size_t interned = trace_pb_open(out, PF_INTERNED);
	size_t name = trace_pb_open(out, field);

	trace_pb_number(out, 1, number);
	trace_pb_text(out, 2, text);
	trace_pb_close(out, name);
	trace_pb_close(out, interned);
	trace_pb_close(out, packet);
}

/* TEXT, of a .pcf any bytes, as FIELD. */
static void put_clean(struct explaining *x, struct jw_buf *out, uint32_t field, struct jw_span text)
{
	jw_buf_clear(&x->text);
	trace_put_name(&x->text, text, MAX_TEXT);
	trace_pb_text(out, field, text_of(x));
}

/* What is interned of METHOD, as a field of a packet. */
static void intern_method(struct explaining *x, uint32_t method, struct jw_buf *out)
{
	const char *text = x->w->method_labels[method];
	struct trace_label_parts l = trace_label_split(text ? text : "");
	size_t interned = trace_pb_open(out, PF_INTERNED);
	size_t entry = trace_pb_open(out, PF_NAMES);

	jw_buf_clear(&x->text);
	trace_put_name(&x->text, l.name, MAX_TEXT);
	if (x->text.n == 0)
		jw_put_fmt(&x->text, "method %llu", (unsigned long long)x->w->methods.m[method].id);
	trace_pb_number(out, 1, (uint64_t)method + 1);
	trace_pb_text(out, 2, text_of(x));
	trace_pb_close(out, entry);
	entry = trace_pb_open(out, PF_SOURCES);
	trace_pb_number(out, 1, (uint64_t)method + 1);
	if (l.full.n == 0)
		trace_pb_text(out, 3, text_of(x));
	else
		put_clean(x, out, 3, l.full);
	put_clean(x, out, 2, l.file);
	trace_pb_number(out, 4, l.line);
	trace_pb_close(out, entry);
	trace_pb_close(out, interned);
}

/* It is the same in all sequences that have it. */
static void put_method(struct explaining *x, uint64_t sequence, uint32_t method)
{
	struct jw_span *same = &x->methods[method];
	struct jw_buf *out = &x->out;
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, sequence);
	size_t begin = out->n;

	if (same->p) {
		jw_put_bytes(out, *same);
	} else {
		intern_method(x, method, out);
		*same = jw_span_sub(jw_buf_span(out), begin, out->n);
		same->p = (const uint8_t *)jw_arena_str(&x->w->arena, *same);
		if (!same->p && out->failed == JW_OK)
			out->failed = JW_NOMEM;
	}
	trace_pb_close(out, packet);
}

/* What the capture of TYPE is called. */
static void name_capture(struct explaining *x, uint64_t type)
{
	const char *label = trace_capture_label(x->names, type);

	jw_buf_clear(&x->text);
	if (label)
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	if (x->text.n == 0)
		jw_put_fmt(&x->text, "captured %llu", (unsigned long long)type);
}

static void name_text(struct explaining *x, uint64_t key)
{
	uint32_t at = trace_methods_known(&x->texts, key >> 1);

	jw_buf_clear(&x->text);
	if (at == TRACE_NO_METHOD)
		jw_put_fmt(&x->text, "text %llu", (unsigned long long)(key >> 1));
	else if (key & 1)
		trace_put_class(&x->text, jw_span_str(x->names->texts[at].text));
	else
		trace_put_name(&x->text, jw_span_str(x->names->texts[at].text), MAX_TEXT);
}

static enum jw_status explain_calls(struct explaining *x, uint32_t thread)
{
	const struct trace_pf_lane *lane = &x->w->lanes[thread];
	uint64_t sequence = trace_pf_sequence(thread, TRACE_PF_CALLS);

	begin_sequence(x, sequence);
	put_defaults(x, sequence, trace_pf_uuid(thread, TRACE_PF_CALLS));
	for (uint32_t i = 0; i < x->w->methods.n && i / 64 < lane->used_n; i++) {
		if (lane->used[i / 64] >> i % 64 & 1)
			put_method(x, sequence, i);
		JW_TRY(send(x, PIECE));
	}
	if (lane->ids) {
		put_interned(x, sequence, PF_NOTE_NAMES, TRACE_PF_TRACE_ID,
			     jw_span_str("trace_id"));
		put_interned(x, sequence, PF_NOTE_NAMES, TRACE_PF_SPAN_ID, jw_span_str("span_id"));
	}
	for (size_t i = 0; i < lane->types.n; i++) {
		name_capture(x, lane->types.m[i].id);
		put_interned(x, sequence, PF_NOTE_NAMES, TRACE_PF_CAPTURES + i, text_of(x));
	}
	for (size_t i = 0; i < lane->texts.n; i++) {
		name_text(x, lane->texts.m[i].id);
		put_interned(x, sequence, PF_TEXTS, trace_pf_text_number(i), text_of(x));
		JW_TRY(send(x, PIECE));
	}
	return JW_OK;
}

static void explain_states(struct explaining *x, uint32_t thread)
{
	const struct trace_perfetto *w = x->w;
	const uint64_t used = w->lanes[thread].states_used;
	uint64_t sequence = trace_pf_sequence(thread, TRACE_PF_STATES);

	begin_sequence(x, sequence);
	put_defaults(x, sequence, trace_pf_uuid(thread, TRACE_PF_STATES));
	for (uint32_t i = 0; i < 64; i++) {
		if (!(used >> i & 1))
			continue;
		uint64_t state = w->states.m[i].id;
		const char *name =
			w->state_labels[i] ? w->state_labels[i] : trace_state_name(state);

		jw_buf_clear(&x->text);
		if (name)
			trace_put_name(&x->text, jw_span_str(name), TRACE_MAX_LABEL);
		else
			jw_put_fmt(&x->text, "state %llu", (unsigned long long)state);
		put_interned(x, sequence, PF_NAMES, i + 1, text_of(x));
	}
}

/* ---- marks ---- */

static const char *mark_label(const struct explaining *x, enum trace_pf_mark mark, uint64_t value)
{
	static const char *const events[TRACE_TYPES] = {
		[TRACE_TYPE_GC] = "GC pause",
		[TRACE_TYPE_THROWN] = "exception thrown",
		[TRACE_TYPE_RETHROWN] = "exception thrown again",
		[TRACE_TYPE_CAUGHT] = "exception caught",
		[TRACE_TYPE_ALLOC_CLASS] = "allocation",
		[TRACE_TYPE_CREATED] = "object created",
		[TRACE_TYPE_CLOSED] = "no longer recorded",
		[TRACE_TYPE_UNPARK] = "unpark",
		[TRACE_TYPE_START] = "start",
		[TRACE_TYPE_WAKE] = "wakeup",
		[TRACE_TYPE_INTERRUPT] = "interrupt",
		[TRACE_TYPE_THREAD_CPU] = "CPU time of the thread (ns)",
		[TRACE_TYPE_PROCESS_CPU] = "CPU time of the process (ns)",
	};

	switch (mark) {
	case TRACE_PF_ARROW:
		return trace_arrow_label(x->names, value);
	case TRACE_PF_OPERATION:
		return trace_operation_label(value / 100, value % 100);
	case TRACE_PF_WAIT:
		return trace_wait_name(value);
	case TRACE_PF_EVENT:
		return value < TRACE_TYPES ? events[value] : NULL;
	case TRACE_PF_USER:
		return trace_user_label(x->names, value);
	case TRACE_PF_VIRTUAL_NAME:
		return x->names && value - 1 < x->names->virtuals.n
			       ? x->names->virtuals.at[value - 1]
			       : NULL;
	default:
		return NULL;
	}
}

static enum jw_status explain_marks(struct explaining *x)
{
	static const char *const kinds[] = {
		[TRACE_PF_ARROW] = "arrow",   [TRACE_PF_OPERATION] = "operation",
		[TRACE_PF_WAIT] = "wait",     [TRACE_PF_EVENT] = "event",
		[TRACE_PF_USER] = "event",    [TRACE_PF_VIRTUAL_NAME] = "virtual thread",
		[TRACE_PF_CLASS] = "class",   [TRACE_PF_PLACE] = "place",
		[TRACE_PF_METHOD] = "method", [TRACE_PF_CHANNEL] = "channel",
	};
	const struct trace_methods *marks = &x->w->marks;

	begin_sequence(x, 1);
	put_defaults(x, 1, 0);
	for (size_t i = 0; i < marks->n; i++) {
		enum trace_pf_mark mark = (enum trace_pf_mark)(marks->m[i].id >> 56);
		uint64_t value = marks->m[i].id & ((UINT64_C(1) << 56) - 1);
		const char *label = x->w->mark_labels[i];

		if (!label)
			label = mark_label(x, mark, value);
		jw_buf_clear(&x->text);
		if (label)
			trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
		if (x->text.n == 0)
			jw_put_fmt(&x->text, "%s %llu", kinds[mark], (unsigned long long)value);
		/* what is a name in one place is a text in another */
		put_interned(x, 1, PF_NAMES, i + 1, text_of(x));
		if (mark >= TRACE_PF_CLASS)
			put_interned(x, 1, PF_TEXTS, i + 1, text_of(x));
		JW_TRY(send(x, PIECE));
	}
	return JW_OK;
}

static enum jw_status explain(struct explaining *x)
{
	const struct trace_scene *s = x->w->scene;
	struct pids pids = { .real = pids_differ(s) };

	for (uint32_t i = 0; i < s->process_count; i++) {
		uint64_t pid = pid_of(&pids, s, i);

		pids.highest = pid > pids.highest ? pid : pids.highest;
	}
	for (uint32_t i = 0; i < s->process_count; i++) {
		put_process(x, &pids, i);
		JW_TRY(send(x, PIECE));
	}
	JW_TRY(explain_marks(x));
	for (uint32_t i = 0; i < s->thread_count; i++) {
		const struct trace_pf_lane *lane = &x->w->lanes[i];

		put_thread(x, &pids, i);
		for (enum trace_pf_track t = 0; t < TRACE_PF_TRACKS; t++)
			put_child_track(x, i, t);
		if (lane->has[TRACE_PF_CALLS])
			JW_TRY(explain_calls(x, i));
		if (lane->states_used)
			explain_states(x, i);
		JW_TRY(send(x, PIECE));
	}
	return send(x, 0);
}

enum jw_status trace_pf_explain(struct trace_perfetto *w, const struct trace_names *names,
				struct jw_err *e)
{
	struct explaining x = { .w = w, .names = names, .e = e };
	enum jw_status status = JW_OK;

	x.methods = JW_NEW_ARRAY(&w->arena, struct jw_span, w->methods.n + 1);
	if (!x.methods)
		return jw_nomem(e);
	for (size_t i = 0; names && i < names->text_count && status == JW_OK; i++)
		if (trace_methods_number(&x.texts, names->texts[i].number) == TRACE_NO_METHOD)
			status = jw_nomem(e);
	if (status == JW_OK)
		status = explain(&x);
	trace_methods_free(&x.texts);
	jw_buf_free(&x.out);
	jw_buf_free(&x.text);
	return status;
}
