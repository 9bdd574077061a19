/*
 * source.c: see source.h.
 */
#include "trace/source/source.h"

#include "trace/reader/notes.h"
#include "trace/replay/replay.h"

#include "base/banned.h"

static enum jw_status refuse_summaries(const struct trace_job *job, struct jw_err *e)
{
	for (size_t i = 0; i < job->recording_count; i++)
		if (trace_is_summary(job->recordings[i]))
			return jw_fail(
				e, JW_USAGE,
				"'%s' is a summary (JWEAVE_MODE=summary), which knows no single "
				"calls: record events for this",
				job->recordings[i]);
	return JW_OK;
}

enum jw_status trace_source_recordings(const struct trace_job *job,
				       const struct trace_output *output, void *ctx,
				       struct jw_arena *arena, struct trace_summary *out,
				       struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };
	struct trace_replay replay = { 0 };

	JW_TRY(refuse_summaries(job, e));
	enum jw_status status = trace_replay_open(job, &notes, &replay, e);

	if (status == JW_OK && !output->in_order)
		replay.apart = trace_replay_apart(&replay, TRACE_APART_BY_THREAD_BETWEEN_ARROWS);
	if (status == JW_OK)
		status = trace_replay_tell(&replay, output, ctx, e);
	if (status == JW_OK)
		status = trace_profile(&replay, arena, out, e);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	return status;
}

enum jw_status trace_source_prv_notes(const struct trace_prv_source *source, uint64_t lone,
				      struct jw_arena *arena, const char *const **notes,
				      size_t *count, struct jw_err *e)
{
	struct trace_notes told = { .arena = arena };
	const struct trace_fact without = { lone, TRACE_TOLD_LONE };

	trace_prv_source_note_flaws(source, &told);
	trace_note_facts(&told, NULL, &without, 1);
	const char **text = JW_NEW_ARRAY(arena, const char *, told.n + 1);

	for (size_t i = 0; text && i < told.n; i++)
		text[i] = told.text[i];
	*notes = text;
	*count = told.n;
	bool failed = told.failed || !text;

	trace_notes_free(&told);
	return failed ? jw_nomem(e) : JW_OK;
}
