/*
 * chrome.c: see chrome.h.
 */
#include <string.h>

#include "trace/chrome/chrome.h"

#include "base/grow.h"
#include "base/json.h"
#include "trace/format/methodmap.h"
#include "trace/names/said_names.h"
#include "trace/text/by_thread.h"
#include "trace/ignore.h"
#include "trace/text/names_text.h"

#include "base/banned.h"

static const struct jw_growth list_grow = { NULL, 0, 0 };

/* Kinds of what is put aside, and its numbers. */
enum {
	CAPTURED, /* type, value, enum jw_capture_as: of the call that comes next */
	CALL,     /* begin, ns, method, failed */
	STATE,    /* begin, ns, state */
	PAUSE,    /* begin, ns */
	SENT,     /* time, number of the arrow, tag with bytes */
	RECEIVED, /* likewise */
	MOVED,    /* begin, ns, number of the channel, bytes, written */
	USER,     /* time, type, value */
};

struct call {
	uint64_t enter, method;
};

struct captured {
	size_t depth;
	uint64_t what[3]; /* as put aside */
};

struct lane {
	struct {
		struct call *at; /* owned */
		size_t n, room;
	} open;
	struct {
		struct captured *at; /* owned; of open calls */
		size_t n, room;
	} captured;
	uint64_t pause_since;    /* 1 + when; 0: none */
	uint64_t channel, moved; /* that was read or written just now: these bytes; 0: none */
	bool writes;
	bool has_states;
};

struct trace_chrome {
	const struct trace_destination *to;
	const struct trace_scene *scene;
	struct lane *lanes;  /* owned; one a thread */
	uint32_t lane_count; /* of them, also when the scene has gone */
	struct trace_by_thread *aside;
	struct trace_text_names names;
	uint64_t arrows;
	struct jw_buf out, captured; /* captured: of the call that comes next, as JSON */
	struct {
		uint64_t *at; /* owned; their types */
		size_t n, room;
	} captured_types;
	const struct trace_names *said; /* NULL: of a .prv */
	struct trace_methods texts;     /* the numbers of those that are said, in order */
	uint32_t thread;                /* that is written */
	bool any;                       /* events are written */
};

/* ---- what happens ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_chrome *w = ctx;

	w->scene = scene;
	w->lane_count = scene->thread_count;
	w->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*w->lanes));
	w->aside = trace_by_thread_new(scene->thread_count, w->to->spill);
	return w->lanes && w->aside ? JW_OK : jw_nomem(e);
}

static uint64_t since(uint64_t time, uint64_t begin)
{
	return time > begin ? time - begin : 0;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_chrome *w = ctx;
	struct lane *lane = &w->lanes[thread];

	if (JW_GROW(&lane->open, &list_grow, NULL) != JW_OK) {
		w->names.failed = true;
		return;
	}
	lane->open.at[lane->open.n++] =
		(struct call){ time, trace_text_numbered(&w->names, method) };
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_chrome *w = ctx;
	struct lane *lane = &w->lanes[thread];

	if (lane->open.n == 0)
		return;
	size_t first = lane->captured.n;

	while (first && lane->captured.at[first - 1].depth == lane->open.n)
		first--;
	for (size_t i = first; i < lane->captured.n; i++)
		trace_by_thread_put(w->aside, thread, CAPTURED, lane->captured.at[i].what, 3);
	lane->captured.n = first;
	const struct call *c = &lane->open.at[--lane->open.n];
	const uint64_t values[] = { c->enter, since(time, c->enter), c->method, failed };

	trace_by_thread_put(w->aside, thread, CALL, values, 4);
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_chrome *w = ctx;
	struct lane *lane = &w->lanes[thread];

	(void)time;
	if (lane->open.n == 0)
		return;
	if (JW_GROW(&lane->captured, &list_grow, NULL) != JW_OK) {
		w->names.failed = true;
		return;
	}
	lane->captured.at[lane->captured.n++] =
		(struct captured){ lane->open.n, { what->type, value, (uint64_t)what->as } };
}

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_chrome *w = ctx;
	const uint64_t values[] = { begin, since(end, begin), state };

	if (state == TRACE_IDLE || state == TRACE_NOT_CREATED)
		return;
	w->lanes[thread].has_states = true;
	trace_by_thread_put(w->aside, thread, STATE, values, 3);
}

/* What is told of one transfer follows each other (output.h). */
static void take_channel(struct trace_chrome *w, uint32_t thread, uint64_t time,
			 enum trace_type type, uint64_t value)
{
	struct lane *lane = &w->lanes[thread];

	if (type == TRACE_TYPE_CHANNEL) {
		lane->channel = value;
		lane->moved = 0;
	} else if (type == TRACE_TYPE_CHANNEL_READ || type == TRACE_TYPE_CHANNEL_WRITTEN) {
		lane->moved = value;
		lane->writes = type == TRACE_TYPE_CHANNEL_WRITTEN;
	} else if (type == TRACE_TYPE_CHANNEL_NS && lane->channel && lane->moved) {
		uint64_t begin = since(time, value); /* a range may begin later */
		begin = begin > w->scene->begin ? begin : w->scene->begin;
		const uint64_t values[] = { begin, since(time, begin),
					    trace_text_channel_numbered(&w->names, lane->channel),
					    lane->moved, lane->writes };

		trace_by_thread_put(w->aside, thread, MOVED, values, 5);
		lane->channel = 0;
	}
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_chrome *w = ctx;
	struct lane *lane = &w->lanes[thread];

	if (type != TRACE_TYPE_GC) {
		take_channel(w, thread, time, type, value);
		return;
	}
	if (value && !lane->pause_since) {
		lane->pause_since = time + 1;
	} else if (!value && lane->pause_since) {
		const uint64_t values[] = { lane->pause_since - 1,
					    since(time, lane->pause_since - 1) };

		trace_by_thread_put(w->aside, thread, PAUSE, values, 2);
		lane->pause_since = 0;
	}
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_chrome *w = ctx;

	trace_by_thread_put(w->aside, thread, USER, (const uint64_t[]){ time, type, value }, 3);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_chrome *w = ctx;
	uint64_t number = ++w->arrows;

	trace_by_thread_put(w->aside, from, SENT, (const uint64_t[]){ sent, number, tag }, 3);
	trace_by_thread_put(w->aside, to, RECEIVED, (const uint64_t[]){ received, number, tag }, 3);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_chrome *w = ctx;

	return w->names.failed ? jw_nomem(e) : trace_by_thread_check(w->aside, e);
}

/* What is open ends with the trace. */
static void take_over(void *ctx, uint64_t end)
{
	struct trace_chrome *w = ctx;

	for (uint32_t i = 0; i < w->scene->thread_count; i++) {
		while (w->lanes[i].open.n)
			take_leave(w, i, end, false);
		take_event(w, i, end, TRACE_TYPE_GC, 0);
	}
	trace_text_late(&w->names, w->scene);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_chrome *w = ctx;

	trace_text_take(&w->names, what, number, label);
}

/* ---- what is written ---- */

/* Of the thread that is written; states have a row of their own. */
static void put_head(struct trace_chrome *w, const char *phase, bool state)
{
	uint32_t process = w->scene->threads[w->thread].process;

	jw_put_fmt(&w->out, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%llu", w->any ? ",\n" : "", phase,
		   process + 1, 2 * (unsigned long long)w->thread + 1 + state);
	w->any = true;
}

static void put_name(struct trace_chrome *w, const char *category, struct jw_span name)
{
	jw_put_fmt(&w->out, ",\"cat\":\"%s\",\"name\":", category);
	jw_put_json(&w->out, name);
}

static void put_time(struct trace_chrome *w, const char *key, uint64_t ns)
{
	jw_put_fmt(&w->out, ",\"%s\":", key);
	trace_text_us(&w->out, ns);
}

static void put_slice(struct trace_chrome *w, const char *category, struct jw_span name,
		      uint64_t begin, uint64_t ns, bool state)
{
	put_head(w, "X", state);
	put_name(w, category, name);
	put_time(w, "ts", begin);
	put_time(w, "dur", ns);
}

/* A class or a string, of which VALUE is the number. */
static void put_text(struct trace_chrome *w, uint64_t value, bool is_class)
{
	uint32_t at = trace_methods_known(&w->texts, value);
	struct jw_buf text = { 0 };

	if (at == TRACE_NO_METHOD)
		jw_put_fmt(&text, "text %llu", (unsigned long long)value);
	else if (is_class)
		trace_put_class(&text, jw_span_str(w->said->texts[at].text));
	else
		jw_put_str(&text, w->said->texts[at].text);
	jw_put_json(&w->captured, jw_buf_span(&text));
	w->names.failed |= text.failed != JW_OK;
	jw_buf_free(&text);
}

static const char *capture_label(const struct trace_chrome *w, uint64_t type)
{
	const char *label = trace_capture_label(w->said, type);

	return label ? label : "";
}

/* Of one call a key is there once: another of the same name has a number after it. */
static bool is_there(const struct trace_chrome *w, uint64_t type, const char *label)
{
	for (size_t i = 0; i < w->captured_types.n; i++) {
		uint64_t other = w->captured_types.at[i];

		if (other == type || (*label && strcmp(capture_label(w, other), label) == 0))
			return true;
	}
	return false;
}

static void put_captured(struct trace_chrome *w, const uint64_t *values)
{
	const char *label = capture_label(w, values[0]);
	struct jw_buf key = { 0 };

	jw_put_str(&key, label);
	if (!*label)
		jw_put_fmt(&key, "captured %llu", (unsigned long long)values[0]);
	if (is_there(w, values[0], label))
		jw_put_fmt(&key, " (%zu)", w->captured_types.n + 1);
	if (JW_GROW(&w->captured_types, &list_grow, NULL) == JW_OK)
		w->captured_types.at[w->captured_types.n++] = values[0];
	else
		w->names.failed = true;
	jw_put_str(&w->captured, w->captured.n ? "," : "");
	jw_put_json(&w->captured, jw_buf_span(&key));
	jw_put_str(&w->captured, ":");
	if (values[1] && (values[2] == JW_AS_CLASS || values[2] == JW_AS_STRING))
		put_text(w, values[1], values[2] == JW_AS_CLASS);
	else
		jw_put_dec(&w->captured, values[1]);
	w->names.failed |= key.failed != JW_OK;
	jw_buf_free(&key);
}

static void put_call(struct trace_chrome *w, const uint64_t *values)
{
	struct trace_label_parts l =
		trace_label_split(trace_text_method(&w->names, (uint32_t)values[2]));

	put_slice(w, "call", l.name, values[0], values[1], false);
	jw_put_str(&w->out, ",\"args\":{\"method\":");
	jw_put_json(&w->out, l.full.n ? l.full : l.name);
	if (l.file.n) {
		jw_put_str(&w->out, ",\"file\":");
		jw_put_json(&w->out, l.file);
		jw_put_fmt(&w->out, ",\"line\":%llu", (unsigned long long)l.line);
	}
	if (w->captured.n) {
		jw_put_str(&w->out, ",\"captured\":{");
		jw_put_bytes(&w->out, jw_buf_span(&w->captured));
		jw_put_str(&w->out, "}");
		w->names.failed |= w->captured.failed != JW_OK;
		jw_buf_clear(&w->captured);
		w->captured_types.n = 0;
	}
	jw_put_str(&w->out, values[3] ? ",\"ended by an exception\":true}}" : "}}");
}

static void put_arrow(struct trace_chrome *w, const uint64_t *values, bool sent)
{
	const char *label = trace_arrow_label(w->said, trace_tag_alone(values[2]));
	uint64_t bytes = trace_tag_bytes(values[2]);
	struct jw_span name = jw_span_str(label ? label : "arrow");

	put_slice(w, "arrow", name, values[0], 0, false);
	if (bytes)
		jw_put_fmt(&w->out, ",\"args\":{\"bytes\":%llu}", (unsigned long long)bytes);
	jw_put_str(&w->out, "}");
	put_head(w, sent ? "s" : "f", false);
	put_name(w, "arrow", name);
	put_time(w, "ts", values[0]);
	jw_put_fmt(&w->out, ",\"id\":%llu%s}", (unsigned long long)values[1],
		   sent ? "" : ",\"bp\":\"e\"");
}

static void put_moved(struct trace_chrome *w, const uint64_t *values)
{
	put_slice(w, "io", values[4] ? JW_SPAN_LIT("write") : JW_SPAN_LIT("read"), values[0],
		  values[1], false);
	jw_put_str(&w->out, ",\"args\":{\"channel\":");
	jw_put_json(&w->out, jw_span_str(trace_text_channel(&w->names, (uint32_t)values[2])));
	jw_put_fmt(&w->out, ",\"bytes\":%llu}}", (unsigned long long)values[3]);
}

static void put_user(struct trace_chrome *w, const uint64_t *values)
{
	const char *label = trace_user_label(w->said, values[1]);
	struct jw_buf name = { 0 };

	if (label && *label)
		jw_put_str(&name, label);
	else
		jw_put_fmt(&name, "event %llu", (unsigned long long)values[1]);
	put_head(w, "i", false);
	put_name(w, "event", jw_buf_span(&name));
	jw_put_str(&w->out, ",\"s\":\"t\"");
	put_time(w, "ts", values[0]);
	jw_put_fmt(&w->out, ",\"args\":{\"value\":%llu}}", (unsigned long long)values[2]);
	w->names.failed |= name.failed != JW_OK;
	jw_buf_free(&name);
}

static enum jw_status put_one(void *ctx, unsigned kind, const uint64_t *values, struct jw_err *e)
{
	struct trace_chrome *w = ctx;

	switch (kind) {
	case CAPTURED:
		put_captured(w, values);
		break;
	case CALL:
		put_call(w, values);
		break;
	case STATE:
		put_slice(w, "state", jw_span_str(trace_text_state(&w->names, values[2])),
			  values[0], values[1], true);
		jw_put_str(&w->out, "}");
		break;
	case PAUSE:
		put_slice(w, "gc", JW_SPAN_LIT("GC pause"), values[0], values[1], false);
		jw_put_str(&w->out, "}");
		break;
	case MOVED:
		put_moved(w, values);
		break;
	case SENT:
	case RECEIVED:
		put_arrow(w, values, kind == SENT);
		break;
	default:
		put_user(w, values);
		break;
	}
	return trace_text_send(w->to, &w->out, false, e);
}

static void put_meta(struct trace_chrome *w, const char *what, bool state, struct jw_span name)
{
	put_head(w, "M", state);
	jw_put_fmt(&w->out, ",\"name\":\"%s\",\"args\":{\"name\":", what);
	jw_put_json(&w->out, name);
	jw_put_str(&w->out, "}}");
}

static void put_process(struct trace_chrome *w, uint32_t at)
{
	const struct trace_scene_process *p = &w->scene->processes[at];
	struct jw_buf name = { 0 };

	trace_put_process(&name, w->scene, at, ",", true);
	if (p->host < w->scene->host_count && w->scene->hosts[p->host] && *w->scene->hosts[p->host])
		jw_put_fmt(&name, " on %s", w->scene->hosts[p->host]);
	put_meta(w, "process_name", false, jw_buf_span(&name));
	w->names.failed |= name.failed != JW_OK;
	jw_buf_free(&name);
}

static enum jw_status put_thread(struct trace_chrome *w, uint32_t at, struct jw_err *e)
{
	const char *name = trace_text_thread(&w->names, at);
	uint32_t process = w->scene->threads[at].process;

	w->thread = at;
	if (at == w->scene->processes[process].first)
		put_process(w, process);
	put_meta(w, "thread_name", false, jw_span_str(name));
	if (w->lanes[at].has_states) {
		struct jw_buf row = { 0 };

		jw_put_fmt(&row, "%s: state", name);
		put_meta(w, "thread_name", true, jw_buf_span(&row));
		w->names.failed |= row.failed != JW_OK;
		jw_buf_free(&row);
	}
	return trace_by_thread_each(w->aside, at, put_one, w, e);
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_chrome *w = ctx;

	w->said = names;
	for (size_t i = 0; names && i < names->text_count; i++)
		w->names.failed |=
			trace_methods_number(&w->texts, names->texts[i].number) == TRACE_NO_METHOD;
	JW_TRY(check(w, e));
	jw_put_str(&w->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	for (uint32_t i = 0; i < w->scene->thread_count; i++)
		JW_TRY(put_thread(w, i, e));
	jw_put_str(&w->out, "]}\n");
	JW_TRY(check(w, e));
	return trace_text_send(w->to, &w->out, true, e);
}

const struct trace_output trace_chrome_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = trace_ignore_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

void *trace_chrome_new(const struct trace_destination *to)
{
	struct trace_chrome *w = jw_mem_zalloc(1, sizeof(*w));

	if (w)
		w->to = to;
	return w;
}

void trace_chrome_free(void *ctx)
{
	struct trace_chrome *chrome = ctx;

	if (!chrome)
		return;
	for (uint32_t i = 0; chrome->lanes && i < chrome->lane_count; i++) {
		jw_mem_free(chrome->lanes[i].open.at);
		jw_mem_free(chrome->lanes[i].captured.at);
	}
	jw_mem_free(chrome->lanes);
	trace_by_thread_free(chrome->aside);
	trace_text_free(&chrome->names);
	trace_methods_free(&chrome->texts);
	jw_buf_free(&chrome->captured);
	jw_mem_free(chrome->captured_types.at);
	jw_buf_free(&chrome->out);
	jw_mem_free(chrome);
}
