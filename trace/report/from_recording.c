/*
 * from_recording.c: the report of recordings, by way of the trace that they would become. Only
 * names of methods are taken from their maps, where a label was too long for them.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/paraver/paraver.h"
#include "trace/paraver/pcf.h"
#include "trace/paraver/prv.h"
#include "trace/paraver/row.h"
#include "trace/reader/reader.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/merge.h"
#include "trace/replay/method_names.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/replay.h"
#include "trace/replay/world.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/summary.h"

#include "base/banned.h"

static enum jw_status feed(void *ctx, struct jw_span s, struct jw_err *e)
{
	return trace_reading_feed(ctx, s, e);
}

struct recorded {
	struct trace_world world;
	struct trace_frames frames;
	struct trace_prv prv;
	struct trace_map *map;
	struct trace_notes notes;
	struct trace_reading *reading;
	bool is_summary;
};

/* The whole names of methods. */
static enum jw_status add_methods(const struct recorded *c, struct jw_arena *arena,
				  struct trace_report *out, struct jw_err *e)
{
	struct trace_report_method *m =
		JW_NEW_ARRAY(arena, struct trace_report_method, out->method_count + 1);

	if (!m)
		return jw_nomem(e);
	for (size_t i = 0; i < out->method_count; i++) {
		/* the value in the trace is the number in the order of appearance, from 1 */
		size_t number = (size_t)c->reading->methods.m[i].id - 1;
		const struct trace_stat *stat = &c->frames.methods.m[number];
		const struct trace_method *method = trace_map_find(c->map, stat->id);

		m[i] = out->methods[i];
		if (!method)
			continue;
		m[i].class_name = jw_arena_str(arena, jw_span_str(method->class_name));
		m[i].name = jw_arena_str(arena, jw_span_str(method->name));
		m[i].descriptor = jw_arena_str(arena, jw_span_str(method->descriptor));
		if (!m[i].class_name || !m[i].name || !m[i].descriptor)
			return jw_nomem(e);
	}
	out->methods = m;
	return JW_OK;
}

/* ---- all of it ---- */

/* The warnings of opening and merging, instead of those of the trace, which is our own. */
static enum jw_status add_warnings(const struct recorded *c, struct jw_arena *arena,
				   struct trace_report *out, struct jw_err *e)
{
	const char **text = JW_NEW_ARRAY(arena, const char *, c->notes.n + 1);

	if (!text || c->notes.failed)
		return jw_nomem(e);
	for (size_t i = 0; i < c->notes.n; i++)
		text[i] = c->notes.text[i];
	out->warnings = text;
	out->warning_count = c->notes.n;
	return JW_OK;
}

static enum jw_status name_all(struct recorded *c, struct jw_arena *arena, struct trace_report *out,
			       struct jw_err *e)
{
	struct jw_buf pcf = { 0 }, row = { 0 };

	trace_put_pcf(&pcf, &c->frames, &c->world, c->map);
	if (c->is_summary)
		trace_summary_put_rows(&row, &c->world);
	else
		trace_put_rows(&row, &c->world);
	enum jw_status status = jw_buf_finish(&pcf, "names of methods", e);

	if (status == JW_OK)
		status = jw_buf_finish(&row, "names of threads", e);
	if (status == JW_OK)
		status = trace_reading_finish(c->reading, jw_buf_span(&pcf), jw_buf_span(&row),
					      arena, out, e);
	jw_buf_free(&pcf);
	jw_buf_free(&row);
	return status;
}

/* The trace as `jweave prv` would write it goes to c->reading. */
static enum jw_status read_all(struct recorded *c, const struct trace_paraver_job *job,
			       struct jw_err *e)
{
	struct trace_pack pack = { .suffix = "", .write = feed, .ctx = c->reading };
	struct trace_paraver_job read = *job;

	if (!c->reading)
		return jw_nomem(e);
	read.pack = &pack;
	JW_TRY(trace_world_open(job, &c->world, &c->notes, e));
	c->map = trace_map_new();
	if (!c->map)
		return jw_nomem(e);
	JW_TRY(trace_world_find_maps(&c->world, job, c->map, &c->notes, e));
	JW_TRY(trace_world_read(&c->world, c->map, &c->notes, e));
	c->frames.map = c->map;
	c->frames.prv = &c->prv;
	enum jw_status status = trace_prv_open(&c->prv, NULL, &read, &c->world, e);

	if (status == JW_OK)
		status = trace_merge(&c->world, &c->frames, &c->notes, e);
	trace_prv_close(&c->prv);
	return status;
}

/* The sums go there as they are. */
static enum jw_status read_sums(struct recorded *c, const struct trace_paraver_job *job,
				struct jw_err *e)
{
	if (!c->reading)
		return jw_nomem(e);
	JW_TRY(trace_world_open_sums(job, &c->world, &c->notes, e));
	c->map = trace_map_new();
	if (!c->map)
		return jw_nomem(e);
	trace_map_of_sums(c->map);
	JW_TRY(trace_world_find_maps(&c->world, job, c->map, &c->notes, e));
	c->frames.map = c->map;
	return trace_summary_take(&c->world, &c->frames, c->reading, e);
}

/* Are the recordings of JOB summaries? All of them, or none. */
static enum jw_status look(const struct trace_paraver_job *job, bool *summary, struct jw_err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < job->recording_count; i++)
		n += trace_is_summary(job->recordings[i]);
	*summary = n > 0;
	return n == 0 || n == job->recording_count
		       ? JW_OK
		       : jw_fail(e, JW_USAGE,
				 "some of the recordings are summaries (JWEAVE_MODE=summary), "
				 "others have events: report them apart");
}

static enum jw_status report(struct recorded *c, const struct trace_paraver_job *job,
			     struct jw_arena *arena, struct trace_report *out, struct jw_err *e)
{
	JW_TRY(look(job, &c->is_summary, e));
	JW_TRY(c->is_summary ? read_sums(c, job, e) : read_all(c, job, e));
	JW_TRY(trace_methods_name(&c->frames.methods, c->map, e));
	JW_TRY(name_all(c, arena, out, e));
	JW_TRY(add_methods(c, arena, out, e));
	if (c->is_summary)
		JW_TRY(trace_summary_lives(&c->world, arena, out, e));
	return add_warnings(c, arena, out, e);
}

enum jw_status trace_report_recordings(const struct trace_paraver_job *job, struct jw_arena *arena,
				       struct trace_report *out, struct jw_err *e)
{
	struct recorded c = { .notes = { .arena = arena },
			      .reading = trace_reading_new(),
			      .frames = { .methods = { .limit = job->methods } } };
	struct trace_report result = { 0 };
	enum jw_status status = report(&c, job, arena, &result, e);

	trace_map_free(c.map);
	trace_methods_free(&c.frames.methods);
	trace_methods_free(&c.frames.seen);
	trace_methods_free(&c.frames.owners);
	trace_classes_free(&c.frames.names);
	jw_mem_free(c.frames.captured);
	trace_classes_free(&c.frames.classes);
	trace_classes_free(&c.frames.places);
	trace_methods_free(&c.frames.sites);
	trace_world_close(&c.world);
	trace_notes_free(&c.notes);
	trace_reading_free(c.reading);
	if (status == JW_OK)
		*out = result;
	return status;
}

/* ---- in few figures ---- */

static int by_calls(const void *a, const void *b)
{
	const struct trace_top_method *x = a, *y = b;

	return x->calls > y->calls ? -1 : x->calls < y->calls;
}

/* The short part of a label. */
static const char *short_label(struct jw_arena *arena, const char *label)
{
	const char *bracket = strstr(label, " [");

	return bracket ? jw_arena_str(arena, jw_span(label, (size_t)(bracket - label))) : label;
}

static enum jw_status put_top(const struct trace_report *r, struct jw_arena *arena,
			      struct trace_summary *out, struct jw_err *e)
{
	struct trace_top_method *top =
		JW_NEW_ARRAY(arena, struct trace_top_method, r->method_count + 1);

	for (size_t i = 0; top && i < r->method_count; i++) {
		const struct trace_report_method *m = &r->methods[i];

		top[i] = (struct trace_top_method){ .label = short_label(arena, m->label),
						    .calls = m->calls,
						    .exceptional = m->exceptional,
						    .inclusive_ns = m->inclusive_ns,
						    .exclusive_ns = m->exclusive_ns };
		if (!top[i].label)
			return jw_nomem(e);
	}
	if (!top)
		return jw_nomem(e);
	if (r->method_count > 1)
		qsort(top, r->method_count, sizeof(*top), by_calls);
	out->top = top;
	out->top_count = r->method_count;
	return JW_OK;
}

enum jw_status trace_summarize(const struct trace_paraver_job *job, struct jw_arena *arena,
			       struct trace_summary *out, struct jw_err *e)
{
	struct trace_report r = { 0 };

	JW_TRY(trace_report_recordings(job, arena, &r, e));
	*out = (struct trace_summary){ .calls = r.calls,
				       .lost = r.lost,
				       .threads = (uint32_t)r.threads_all,
				       .methods = (uint32_t)r.method_count,
				       .duration_ns = r.duration_ns,
				       .clean_end = true,
				       .warnings = r.warnings,
				       .warning_count = r.warning_count };
	return put_top(&r, arena, out, e);
}
