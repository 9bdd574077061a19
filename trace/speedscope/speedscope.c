/*
 * speedscope.c: see speedscope.h.
 */
#include "trace/speedscope/speedscope.h"

#include "base/grow.h"
#include "base/json.h"
#include "trace/text/by_thread.h"
#include "trace/ignore.h"
#include "trace/text/names_text.h"

#include "base/banned.h"

enum { OPEN, CLOSE }; /* kinds of what is put aside: { passed, method }, { passed } */

struct lane {
	uint64_t at; /* the latest time */
	uint64_t depth;
	bool has_calls;
};

struct trace_speedscope {
	const struct trace_destination *to;
	const struct trace_scene *scene;
	struct lane *lanes; /* owned; one a thread */
	struct trace_by_thread *aside;
	struct trace_text_names names;
	uint64_t end;
	struct jw_buf out;
	/* while a profile is written */
	struct {
		uint64_t *at; /* owned; methods that are open */
		size_t n, room;
	} open;
	uint64_t now;
	bool any; /* events, in it */
};

/* ---- what happens ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_speedscope *w = ctx;

	w->scene = scene;
	w->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*w->lanes));
	w->aside = trace_by_thread_new(scene->thread_count, w->to->spill);
	for (uint32_t i = 0; w->lanes && i < scene->thread_count; i++)
		w->lanes[i].at = scene->begin;
	return w->lanes && w->aside ? JW_OK : jw_nomem(e);
}

/* How much has passed on the way to TIME; a .prv may go back. */
static uint64_t passed(struct lane *lane, uint64_t time)
{
	uint64_t ns = time > lane->at ? time - lane->at : 0;

	lane->at += ns;
	return ns;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_speedscope *w = ctx;
	struct lane *lane = &w->lanes[thread];
	const uint64_t values[] = { passed(lane, time), trace_text_numbered(&w->names, method) };

	lane->depth++;
	lane->has_calls = true;
	trace_by_thread_put(w->aside, thread, OPEN, values, 2);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_speedscope *w = ctx;
	struct lane *lane = &w->lanes[thread];

	(void)failed;
	if (lane->depth == 0)
		return;
	lane->depth--;
	trace_by_thread_put(w->aside, thread, CLOSE, (const uint64_t[]){ passed(lane, time) }, 1);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_speedscope *w = ctx;

	return w->names.failed ? jw_nomem(e) : trace_by_thread_check(w->aside, e);
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_speedscope *w = ctx;

	w->end = end;
	for (uint32_t i = 0; i < w->scene->thread_count; i++) {
		while (w->lanes[i].depth)
			take_leave(w, i, end, false);
		w->end = w->lanes[i].at > w->end ? w->lanes[i].at : w->end;
	}
	trace_text_late(&w->names, w->scene);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_speedscope *w = ctx;

	trace_text_take(&w->names, what, number, label);
}

/* ---- what is written ---- */

static enum jw_status put_event(void *ctx, unsigned kind, const uint64_t *values, struct jw_err *e)
{
	static const struct jw_growth grow = { NULL, 0, 0 };
	struct trace_speedscope *w = ctx;

	w->now += values[0];
	if (kind == OPEN) {
		JW_TRY(JW_GROW(&w->open, &grow, e));
		w->open.at[w->open.n++] = values[1];
	} else {
		w->open.n--;
	}
	jw_put_fmt(&w->out, "%s{\"type\":\"%c\",\"at\":%llu,\"frame\":%llu}", w->any ? ",\n" : "",
		   kind == OPEN ? 'O' : 'C', (unsigned long long)w->now,
		   (unsigned long long)(kind == OPEN ? values[1] : w->open.at[w->open.n]));
	w->any = true;
	return trace_text_send(w->to, &w->out, false, e);
}

static enum jw_status put_profile(struct trace_speedscope *w, uint32_t thread, struct jw_err *e)
{
	const struct trace_scene *s = w->scene;
	struct jw_buf *out = &w->out;

	jw_put_str(out, "{\"type\":\"evented\",\"name\":");
	jw_put_json(out, jw_span_str(trace_text_lane(&w->names, thread)));
	jw_put_fmt(out, ",\"unit\":\"nanoseconds\",\"startValue\":%llu,\"endValue\":%llu,",
		   (unsigned long long)s->begin, (unsigned long long)w->end);
	jw_put_str(out, "\"events\":[\n");
	w->now = s->begin;
	w->any = false;
	w->open.n = 0;
	enum jw_status status = trace_by_thread_each(w->aside, thread, put_event, w, e);

	jw_put_str(out, "]}");
	return status;
}

/* Threads without calls are left out; where no thread has any, all are there. */
static enum jw_status put_profiles(struct trace_speedscope *w, struct jw_err *e)
{
	bool any = false, first = true;

	for (uint32_t i = 0; i < w->scene->thread_count; i++)
		any |= w->lanes[i].has_calls;
	jw_put_str(&w->out, "\"profiles\":[\n");
	for (uint32_t i = 0; i < w->scene->thread_count; i++) {
		if (any && !w->lanes[i].has_calls)
			continue;
		if (!first)
			jw_put_str(&w->out, ",\n");
		first = false;
		JW_TRY(put_profile(w, i, e));
	}
	jw_put_str(&w->out, "],\n");
	return JW_OK;
}

/* The page cuts what is too long for a box in its middle: so the short name comes first. */
static enum jw_status put_frame_name(struct jw_buf *out, const struct trace_label_parts *l,
				     struct jw_err *e)
{
	struct jw_buf name = { 0 };

	jw_put_bytes(&name, l->name);
	if (l->full.n) {
		jw_put_str(&name, " [");
		jw_put_bytes(&name, l->full);
		jw_put_str(&name, "]");
	}
	jw_put_json(out, jw_buf_span(&name));
	enum jw_status status = name.failed == JW_OK ? JW_OK : jw_nomem(e);

	jw_buf_free(&name);
	return status;
}

static enum jw_status put_frames(struct trace_speedscope *w, struct jw_err *e)
{
	struct jw_buf *out = &w->out;

	jw_put_str(out, "\"shared\":{\"frames\":[\n");
	for (uint32_t i = 0; i < w->names.methods.n; i++) {
		struct trace_label_parts l = trace_label_split(trace_text_method(&w->names, i));

		jw_put_str(out, i ? ",\n{\"name\":" : "{\"name\":");
		JW_TRY(put_frame_name(out, &l, e));
		if (l.file.n) {
			jw_put_str(out, ",\"file\":");
			jw_put_json(out, l.file);
		}
		if (l.line)
			jw_put_fmt(out, ",\"line\":%llu", (unsigned long long)l.line);
		jw_put_str(out, "}");
		JW_TRY(trace_text_send(w->to, out, false, e));
	}
	jw_put_str(out, "]}}\n");
	return JW_OK;
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_speedscope *w = ctx;

	(void)names;
	JW_TRY(check(w, e));
	jw_put_str(&w->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
			    "\"exporter\":\"jweave\",\"activeProfileIndex\":0,\n");
	JW_TRY(put_profiles(w, e));
	JW_TRY(put_frames(w, e));
	JW_TRY(check(w, e));
	return trace_text_send(w->to, &w->out, true, e);
}

const struct trace_output trace_speedscope_output = {
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

void *trace_speedscope_new(const struct trace_destination *to)
{
	struct trace_speedscope *w = jw_mem_zalloc(1, sizeof(*w));

	if (w)
		w->to = to;
	return w;
}

void trace_speedscope_free(void *ctx)
{
	struct trace_speedscope *speedscope = ctx;

	if (!speedscope)
		return;
	jw_mem_free(speedscope->lanes);
	jw_mem_free(speedscope->open.at);
	trace_by_thread_free(speedscope->aside);
	trace_text_free(&speedscope->names);
	jw_buf_free(&speedscope->out);
	jw_mem_free(speedscope);
}
