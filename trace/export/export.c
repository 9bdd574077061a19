/*
 * export.c: see export.h.
 */
#include <string.h>

#include "trace/chrome/chrome.h"
#include "trace/collapsed/collapsed.h"
#include "trace/engine/engine.h"
#include "trace/export/export.h"
#include "trace/export/limit.h"
#include "trace/export/optional.h"
#include "trace/follow/closed.h"
#if JW_HAVE_otf2
#include "trace/otf2/otf2.h"
#endif
#include "trace/paje/paje.h"
#include "trace/paraver/prv_source.h"
#include "trace/perfetto/perfetto.h"
#include "trace/reader/notes.h"
#include "trace/reader/reader.h"
#include "trace/replay/replay.h"
#include "trace/requests/requests.h"
#include "trace/speedscope/speedscope.h"
#include "trace/sqlite/sqlite.h"
#include "trace/tee.h"
#include "trace/tsv/tsv.h"

#include "base/banned.h"

static void *make_sqlite(const struct trace_destination *to)
{
	return trace_tables_new(&trace_sqlite_writer, trace_sqlite_new(to));
}

static void *make_tsv(const struct trace_destination *to)
{
	return trace_tables_new(&trace_tsv_writer, trace_tsv_new(to));
}

#if JW_HAVE_otf2
#define OTF2 .output = &trace_otf2_output, .make = trace_otf2_new, .free = trace_otf2_free
#else
#define OTF2 .needs = "libotf2", .package = "libopen-trace-format2-dev"
#endif

const struct trace_export_format trace_export_formats[] = {
	{ .name = "perfetto",
	  .suffix = ".pftrace",
	  .summary = "for https://ui.perfetto.dev and its trace_processor",
	  .output = &trace_perfetto_output,
	  .make = trace_perfetto_new,
	  .free = trace_perfetto_free,
	  .tasks = trace_perfetto_tasks,
	  .requests = trace_perfetto_requests,
	  .apart = TRACE_APART,
	  .limit = { 10000000, true, "perfetto" } },
	{ .name = "otf2",
	  .suffix = ".otf2",
	  .summary = "for Vampir, otf2-print and vite (a folder)",
	  .form = TRACE_EXPORT_FOLDER,
	  .main = "traces.otf2",
	  OTF2 },
	{ .name = "paje",
	  .suffix = ".trace",
	  .summary = "for pj_dump and other readers of Paje",
	  .output = &trace_paje_output,
	  .make = trace_paje_new,
	  .free = trace_paje_free },
	{ .name = "sqlite",
	  .suffix = ".db",
	  .summary = "a database of calls, states, arrows, events: for SQL",
	  .form = TRACE_EXPORT_FILE,
	  .apart = TRACE_APART_BETWEEN_ARROWS,
	  .output = &trace_tables_output,
	  .make = make_sqlite,
	  .free = trace_tables_free,
	  .tasks = trace_tables_tasks,
	  .requests = trace_tables_requests },
	{ .name = "tsv",
	  .suffix = ".tsv",
	  .summary = "the same tables as text: --table names one, or all (a folder)",
	  .apart = TRACE_APART_BETWEEN_ARROWS, /* as sqlite: so ids are the same */
	  .tables = true,
	  .output = &trace_tables_output,
	  .make = make_tsv,
	  .free = trace_tables_free,
	  .tasks = trace_tables_tasks,
	  .requests = trace_tables_requests },
	{ .name = "speedscope",
	  .suffix = ".speedscope.json",
	  .summary = "for https://speedscope.app",
	  .output = &trace_speedscope_output,
	  .make = trace_speedscope_new,
	  .free = trace_speedscope_free,
	  .limit = { 600000, false, "speedscope" } },
	{ .name = "collapsed",
	  .suffix = ".collapsed",
	  .summary = "stacks with a number each, for flame graphs (--by, --reverse)",
	  .output = &trace_collapsed_output,
	  .make = trace_collapsed_new,
	  .free = trace_collapsed_free,
	  .counts = true },
	{ .name = "chrome",
	  .suffix = ".trace.json",
	  .summary = "trace events as JSON, for chrome://tracing and others",
	  .output = &trace_chrome_output,
	  .make = trace_chrome_new,
	  .free = trace_chrome_free,
	  .limit = { 1000000, true, "chrome" } },
	{ 0 },
};

const struct trace_export_format *trace_export_format(const char *name)
{
	for (const struct trace_export_format *f = trace_export_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* ---- what comes before the format ---- */

/* A format, with its limit before it unless it has none, and before that who finds its tasks, and its
 * requests. */
struct writing {
	const struct trace_export_format *format;
	void *ctx; /* of the format */
	struct trace_limiting *limiting;
	struct trace_engine *engine;     /* NULL: no tasks are asked for */
	struct trace_requests *requests; /* likewise */
	struct trace_tee tasks_tee, requests_tee;
	struct jw_arena arena;             /* names of connections */
	const struct trace_output *output; /* the first of all */
	void *output_ctx;
};

static enum jw_status begin_writing(struct writing *w, const struct trace_export_format *format,
				    const struct trace_destination *to, struct jw_err *e)
{
	*w = (struct writing){ .format = format,
			       .output = format->output,
			       .ctx = format->make(to) };
	if (!w->ctx)
		return jw_nomem(e);
	w->output_ctx = w->ctx;
	if (!format->limit.most || to->unlimited)
		return JW_OK;
	w->limiting = trace_limiting_new(&format->limit, format->output, w->ctx);
	w->output = &trace_limiting_output;
	w->output_ctx = w->limiting;
	return w->limiting ? JW_OK : jw_nomem(e);
}

/* FIRST, of CTX, hears all before what W has; TEE is for that. */
static void come_before(struct writing *w, struct trace_tee *tee, const struct trace_output *first,
			void *ctx)
{
	*tee = (struct trace_tee){ first, w->output, ctx, w->output_ctx };
	w->output = &trace_tee_output;
	w->output_ctx = tee;
}

/* What a trace says of captures does not tell which are of tasks: recordings do. */
static enum jw_status find_tasks(struct writing *w, const struct trace_scene *scene,
				 const struct trace_destination *to, struct jw_arena *arena,
				 struct jw_err *e)
{
	if (!w->format->tasks || !trace_engine_may_begin(scene) ||
	    (to->table && !trace_tables_is_of_tasks(to->table)))
		return JW_OK;
	w->engine = trace_engine_new(arena);
	if (!w->engine)
		return jw_nomem(e);
	w->format->tasks(w->ctx, w->engine);
	come_before(w, &w->tasks_tee, &trace_engine_output, w->engine);
	return JW_OK;
}

/* Connections of which all is told that crosses them: of a recording that is known before it is told. */
static bool may_have_requests(const struct trace_world *w)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_recording *rec = &w->tasks[i].rec;

		for (size_t k = 0; k < rec->channel_count; k++)
			if (rec->channels[k].socket && !rec->channels[k].named)
				return true;
	}
	return false;
}

static enum jw_status find_requests(struct writing *w, const struct trace_destination *to,
				    struct jw_err *e)
{
	if (!w->format->requests || (to->table && !trace_tables_is_of_requests(to->table)))
		return JW_OK;
	w->requests = trace_requests_new(0, &w->arena);
	if (!w->requests)
		return jw_nomem(e);
	w->format->requests(w->ctx, w->requests);
	come_before(w, &w->requests_tee, &trace_requests_output, w->requests);
	return trace_requests_keep(w->requests, to->spill ? to->spill : "", e);
}

static void end_writing(struct writing *w)
{
	trace_limiting_free(w->limiting);
	w->format->free(w->ctx);
	trace_engine_free(w->engine);
	trace_requests_free(w->requests);
	jw_arena_free(&w->arena);
}

/* ---- recordings ---- */

enum jw_status trace_export_recordings(const struct trace_export_format *format,
				       const struct trace_job *job,
				       const struct trace_destination *to, struct jw_arena *arena,
				       struct trace_summary *out, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };
	struct trace_replay replay = { 0 };
	struct writing writing;
	enum jw_status status = begin_writing(&writing, format, to, e);

	if (status == JW_OK)
		status = trace_replay_open(job, &notes, &replay, e);
	if (status == JW_OK)
		status = find_tasks(&writing, &replay.scene, to, arena, e);
	if (status == JW_OK && may_have_requests(&replay.world))
		status = find_requests(&writing, to, e);
	replay.apart = writing.engine || writing.requests ? TRACE_IN_ORDER : format->apart;
	if (status == JW_OK)
		status = trace_replay_tell(&replay, writing.output, writing.output_ctx, e);
	if (status == JW_OK)
		status = trace_profile(&replay, arena, out, e);
	if (status == JW_OK && job->progress)
		job->progress(job->progress_ctx, replay.world.progress.all,
			      replay.world.progress.all);
	end_writing(&writing);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	return status;
}

/* ---- a .prv ---- */

struct trace_export {
	struct writing writing;
	struct trace_prv_source *source;
	struct trace_closed closed;
	struct trace_tee closed_tee;
};

struct trace_export *trace_export_new(const struct trace_export_format *format,
				      const struct trace_destination *to,
				      struct trace_select *select)
{
	struct trace_export *x = jw_mem_zalloc(1, sizeof(*x));

	if (!x)
		return NULL;
	if (begin_writing(&x->writing, format, to, NULL) == JW_OK &&
	    find_requests(&x->writing, to, NULL) == JW_OK) {
		come_before(&x->writing, &x->closed_tee, &trace_closed_output, &x->closed);
		x->source = trace_prv_source_new(x->writing.output, x->writing.output_ctx, select);
	}
	if (x->source)
		return x;
	trace_export_free(x);
	return NULL;
}

enum jw_status trace_export_begin(struct trace_export *export, struct jw_span pcf,
				  struct jw_span row, struct jw_err *e)
{
	trace_prv_source_row(export->source, row);
	return trace_prv_source_captures(export->source, pcf, e);
}

enum jw_status trace_export_feed(struct trace_export *export, struct jw_span piece,
				 struct jw_err *e)
{
	return trace_prv_source_feed(export->source, piece, e);
}

enum jw_status trace_export_finish(struct trace_export *export, struct jw_span pcf,
				   struct jw_span row, struct jw_arena *arena,
				   struct trace_exported *out, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };

	JW_TRY(trace_prv_source_finish(export->source, pcf, row, e));
	trace_prv_source_note_flaws(export->source, &notes);
	const struct trace_exported done = { .warnings = trace_notes_list(&notes, arena),
					     .warning_count = notes.n,
					     .closed_methods = export->closed.methods.n };

	trace_notes_free(&notes);
	if (!done.warnings)
		return jw_nomem(e);
	*out = done;
	return JW_OK;
}

void trace_export_free(struct trace_export *export)
{
	if (!export)
		return;
	end_writing(&export->writing); /* it knows the scene of the source */
	trace_prv_source_free(export->source);
	trace_closed_free(&export->closed);
	jw_mem_free(export);
}
