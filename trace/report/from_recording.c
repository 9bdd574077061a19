/*
 * from_recording.c: the report of recordings: what they tell is added up (from_trace.c), or what they
 * have summed up themselves (summary.c).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/replay/job.h"
#include "trace/replay/profile.h"
#include "trace/replay/replay.h"
#include "trace/report/cost.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/summary.h"

#include "base/banned.h"

/* Those of opening and merging, and deadlocks; from_trace.c has none of recordings. */
static enum jw_status add_warnings(struct trace_notes *notes, struct jw_arena *arena,
				   struct trace_report *out, struct jw_err *e)
{
	size_t before = notes->n;

	for (size_t i = 0; i < out->deadlock_count; i++)
		trace_note(notes, "%s", out->deadlocks[i]);
	trace_notes_first(notes, before);
	out->warnings = trace_notes_list(notes, arena);
	out->warning_count = notes->n;
	return out->warnings ? JW_OK : jw_nomem(e);
}

/* Are the recordings of JOB summaries? All of them, or none. */
static enum jw_status look(const struct trace_job *job, bool *summary, struct jw_err *e)
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

/* Whom the recordings tell, and its context. */
struct listener {
	const struct trace_output *output;
	void *ctx;
};

static enum jw_status add_events(struct trace_replay *r, const struct trace_job *job,
				 struct trace_notes *notes, struct listener to,
				 struct trace_reading *reading, struct jw_err *e)
{
	struct trace_report *out = reading->report;

	JW_TRY(trace_replay_open(job, notes, r, e));
	r->apart = trace_replay_apart(r, reading->tee.second ? TRACE_APART_BY_THREAD_BETWEEN_ARROWS
							     : TRACE_APART_THREADS);
	JW_TRY(trace_replay_tell(r, to.output, to.ctx, e));
	for (size_t i = 0; i < r->world.task_count; i++)
		out->lost += r->world.tasks[i].rec.lost;
	const struct trace_fact lost = { out->lost, TRACE_TOLD_LOST };

	trace_note_facts(notes, NULL, &lost, 1);
	out->sockets = r->world.sockets;
	out->messages = r->world.messages;
	return JW_OK;
}

static enum jw_status add_sums(struct trace_replay *r, const struct trace_job *job,
			       struct trace_notes *notes, struct trace_reading *reading,
			       struct jw_err *e)
{
	reading->no_shares = false;
	JW_TRY(trace_summary_open(job, notes, r, e));
	JW_TRY(trace_summary_take(r, reading, e));
	JW_TRY(trace_replay_end(r, &trace_reading_output, reading, e));
	return trace_summary_lives(r, reading->arena, reading->report, e);
}

static enum jw_status report(struct trace_replay *r, const struct trace_job *job,
			     struct trace_notes *notes, struct trace_reading *reading,
			     struct listener to, struct jw_err *e)
{
	bool summary;

	JW_TRY(look(job, &summary, e));
	if (summary && job->select)
		return jw_fail(
			e, JW_USAGE,
			"'%s' is a summary (JWEAVE_MODE=summary): it has sums without times, of "
			"which no part can be selected",
			job->recordings[0]);
	JW_TRY(summary ? add_sums(r, job, notes, reading, e)
		       : add_events(r, job, notes, to, reading, e));
	return add_warnings(notes, reading->arena, reading->report, e);
}

enum jw_status trace_report_recordings(const struct trace_job *job, struct jw_arena *arena,
				       struct trace_report *out, struct jw_err *e)
{
	return trace_report_recordings_by(job, &(struct trace_report_options){ 0 }, arena, out, e);
}

enum jw_status trace_report_recordings_by(const struct trace_job *job,
					  const struct trace_report_options *options,
					  struct jw_arena *arena, struct trace_report *out,
					  struct jw_err *e)
{
	struct trace_reading *reading = jw_mem_zalloc(1, sizeof(*reading));
	struct trace_notes notes = { .arena = arena };
	struct trace_replay replay = { 0 };
	struct trace_report result = { 0 };

	if (!reading)
		return jw_nomem(e);
	reading->arena = arena;
	reading->report = &result;
	reading->no_shares = options->no_shares;
	void *all;
	const struct trace_output *output =
		trace_reading_beside(reading, options->also, options->ctx, &all);
	const struct listener to = { output, all };
	enum jw_status status = output ? report(&replay, job, &notes, reading, to, e) : jw_nomem(e);

	trace_reading_free(reading);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
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

enum jw_status trace_summarize(const struct trace_job *job, struct jw_arena *arena,
			       struct trace_summary *out, struct jw_err *e)
{
	const struct trace_report_options options = { .no_shares = true };
	struct trace_report r = { 0 };

	JW_TRY(trace_report_recordings_by(job, &options, arena, &r, e));
	*out = (struct trace_summary){ .calls = r.calls,
				       .lost = r.lost,
				       .threads = (uint32_t)r.threads_all,
				       .methods = (uint32_t)r.method_count,
				       .duration_ns = r.duration_ns,
				       .inside_ns = (uint64_t)trace_cost_inside(&r),
				       .clean_end = true,
				       .warnings = r.warnings,
				       .warning_count = r.warning_count };
	return put_top(&r, arena, out, e);
}
