/*
 * paraver.c: see paraver.h.
 *
 * All three files are written under temporary names; only when all their bytes are on disk do they
 * get their own, .prv last: a conversion that is killed or fails leaves no plausible half trace.
 */
#include <unistd.h>

#include "base/out_file.h"
#include "trace/output.h"
#include "trace/paraver/paraver.h"
#include "trace/paraver/pcf.h"
#include "trace/paraver/pcf_notes.h"
#include "trace/paraver/prv.h"
#include "trace/paraver/row.h"
#include "trace/reader/notes.h"
#include "trace/replay/replay.h"

#include "base/banned.h"

enum { PCF, ROW, PRV, FILES };
static const char *const suffixes[FILES] = { ".pcf", ".row", ".prv" };

struct writing {
	struct trace_prv prv; /* the first: what hears of events takes it alone */
	const struct trace_paraver_files *files;
	struct jw_out out[FILES];
};

static enum jw_status open_files(struct writing *w, struct jw_err *e)
{
	for (int i = 0; i < FILES; i++) {
		struct jw_buf path = { 0 };

		jw_put_str(&path, w->files->base);
		jw_put_str(&path, suffixes[i]);
		if (i == PRV && w->files->pack)
			jw_put_str(&path, w->files->pack->suffix);
		jw_put_u1(&path, 0);
		enum jw_status status = jw_buf_finish(&path, "path of the trace", e);

		if (status == JW_OK)
			status = jw_out_open((const char *)path.p, 0644, &w->out[i], e);
		jw_buf_free(&path);
		JW_TRY(status);
	}
	return JW_OK;
}

static enum jw_status commit(struct writing *w, struct jw_err *e)
{
	char *written[FILES] = { 0 };
	enum jw_status status = JW_OK;

	for (int i = 0; i < FILES && status == JW_OK; i++) /* gathered bytes reach the disk */
		status = jw_out_patch(&w->out[i], 0, (struct jw_span){ 0 }, e);
	for (int i = 0; i < FILES && status == JW_OK; i++) {
		struct jw_buf path = { 0 };

		jw_put_str(&path, w->out[i].path);
		jw_put_u1(&path, 0);
		written[i] = (char *)path.p; /* NULL when there was no memory: then it stays */
		status = jw_out_commit(&w->out[i], e);
	}
	for (int i = 0; i < FILES; i++) {
		if (status != JW_OK && written[i] && i != PRV)
			unlink(written[i]);
		jw_mem_free(written[i]);
	}
	return status;
}

/* ---- the output ---- */

static enum jw_status begin(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct writing *w = ctx;

	return trace_prv_open(&w->prv, &w->out[PRV], w->files, scene, e);
}

static enum jw_status end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct writing *w = ctx;
	struct jw_buf pcf = { 0 }, row = { 0 };

	JW_TRY(trace_prv_finish(&w->prv));
	trace_put_pcf(&pcf, &w->prv, names);
	trace_put_rows(&row, &w->prv);
	enum jw_status status = jw_buf_finish(&pcf, "names of the trace", e);

	if (status == JW_OK)
		status = jw_buf_finish(&row, "names of the trace", e);
	if (status == JW_OK)
		status = jw_out_write(&w->out[PCF], jw_buf_span(&pcf), e);
	if (status == JW_OK)
		status = jw_out_write(&w->out[ROW], jw_buf_span(&row), e);
	jw_buf_free(&pcf);
	jw_buf_free(&row);
	return status;
}

static const struct trace_output output = {
	.begin = begin,
	.state = trace_prv_state,
	.enter = trace_prv_enter,
	.leave = trace_prv_leave,
	.event = trace_prv_event,
	.operation = trace_prv_operation,
	.captured = trace_prv_captured,
	.released = trace_prv_released,
	.user = trace_prv_user,
	.arrow = trace_prv_arrow,
	.check = trace_prv_check,
	.end = end,
};

/* ---- all of it ---- */

/* They are known once all is told, and so end the .pcf. */
static enum jw_status write_notes(struct writing *w, const struct trace_summary *summary,
				  struct jw_arena *arena, struct jw_err *e)
{
	struct jw_buf notes = { 0 };

	trace_put_pcf_notes(&notes, summary, arena);
	enum jw_status status = jw_buf_finish(&notes, "names of the trace", e);
	if (status == JW_OK)
		status = jw_out_write(&w->out[PCF], jw_buf_span(&notes), e);
	jw_buf_free(&notes);
	return status;
}

static enum jw_status convert(struct trace_replay *r, const struct trace_job *job,
			      struct trace_notes *notes, struct writing *w, struct jw_arena *arena,
			      struct trace_summary *out, struct jw_err *e)
{
	JW_TRY(trace_replay_open(job, notes, r, e));
	JW_TRY(open_files(w, e));
	JW_TRY(trace_replay_tell(r, &output, w, e));
	JW_TRY(trace_profile(r, arena, out, e));
	JW_TRY(write_notes(w, out, arena, e));
	return commit(w, e);
}

enum jw_status trace_to_paraver(const struct trace_job *job,
				const struct trace_paraver_files *files, struct jw_arena *arena,
				struct trace_summary *out, struct jw_err *e)
{
	struct trace_job beside = *job;
	struct trace_notes notes = { .arena = arena };
	struct trace_replay replay = { 0 };
	struct writing w = { .files = files };
	struct trace_summary summary = { 0 };

	beside.spill = files->base;
	enum jw_status status = convert(&replay, &beside, &notes, &w, arena, &summary, e);
	double all = replay.world.progress.all;

	for (int i = 0; i < FILES; i++)
		jw_out_abort(&w.out[i]);
	trace_prv_close(&w.prv);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	if (status == JW_OK)
		*out = summary;
	if (status == JW_OK && job->progress)
		job->progress(job->progress_ctx, all, all);
	return status;
}
