/*
 * export.c: see export.h.
 */
#include <string.h>

#include "trace/export/export.h"
#include "trace/export/optional.h"
#if JW_HAVE_otf2
#include "trace/otf2/otf2.h"
#endif
#include "trace/paje/paje.h"
#include "trace/paraver/prv_source.h"
#include "trace/perfetto/perfetto.h"
#include "trace/reader/notes.h"
#include "trace/replay/replay.h"
#include "trace/sqlite/sqlite.h"
#include "trace/tsv/tsv.h"

#include "base/banned.h"

static void *make_perfetto(const struct trace_destination *to)
{
	return trace_perfetto_new(to);
}

static void free_perfetto(void *ctx)
{
	trace_perfetto_free(ctx);
}

static void *make_paje(const struct trace_destination *to)
{
	return trace_paje_new(to);
}

static void free_paje(void *ctx)
{
	trace_paje_free(ctx);
}

#if JW_HAVE_otf2
static void *make_otf2(const struct trace_destination *to)
{
	return trace_otf2_new(to);
}

static void free_otf2(void *ctx)
{
	trace_otf2_free(ctx);
}
#define OTF2 .output = &trace_otf2_output, .make = make_otf2, .free = free_otf2
#else
#define OTF2 .needs = "libotf2", .package = "libopen-trace-format2-dev"
#endif
static void *make_sqlite(const struct trace_destination *to)
{
	return trace_tables_new(&trace_sqlite_writer, trace_sqlite_new(to));
}

static void *make_tsv(const struct trace_destination *to)
{
	return trace_tables_new(&trace_tsv_writer, trace_tsv_new(to));
}

static void free_tables(void *ctx)
{
	trace_tables_free(ctx);
}

const struct trace_export_format trace_export_formats[] = {
	{ .name = "perfetto",
	  .suffix = ".pftrace",
	  .summary = "for https://ui.perfetto.dev and its trace_processor",
	  .output = &trace_perfetto_output,
	  .make = make_perfetto,
	  .free = free_perfetto },
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
	  .make = make_paje,
	  .free = free_paje },
	{ .name = "sqlite",
	  .suffix = ".db",
	  .summary = "a database of calls, states, arrows, events: for SQL",
	  .form = TRACE_EXPORT_FILE,
	  .output = &trace_tables_output,
	  .make = make_sqlite,
	  .free = free_tables },
	{ .name = "tsv",
	  .suffix = ".tsv",
	  .summary = "the same tables as text: --table names one, or all (a folder)",
	  .tables = true,
	  .output = &trace_tables_output,
	  .make = make_tsv,
	  .free = free_tables },
	{ 0 },
};

const struct trace_export_format *trace_export_format(const char *name)
{
	for (const struct trace_export_format *f = trace_export_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* ---- recordings ---- */

enum jw_status trace_export_recordings(const struct trace_export_format *format,
				       const struct trace_job *job,
				       const struct trace_destination *to, struct jw_arena *arena,
				       struct trace_summary *out, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };
	struct trace_replay replay = { 0 };
	void *ctx = format->make(to);
	enum jw_status status = ctx ? trace_replay_open(job, &notes, &replay, e) : jw_nomem(e);

	if (status == JW_OK)
		status = trace_replay_tell(&replay, format->output, ctx, e);
	if (status == JW_OK)
		status = trace_profile(&replay, arena, out, e);
	if (status == JW_OK && job->progress)
		job->progress(job->progress_ctx, replay.world.progress.all,
			      replay.world.progress.all);
	format->free(ctx);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	return status;
}

/* ---- a .prv ---- */

struct trace_export {
	const struct trace_export_format *format;
	void *ctx; /* of the format */
	struct trace_prv_source *source;
};

struct trace_export *trace_export_new(const struct trace_export_format *format,
				      const struct trace_destination *to,
				      struct trace_select *select)
{
	struct trace_export *x = jw_mem_zalloc(1, sizeof(*x));

	if (!x)
		return NULL;
	x->format = format;
	x->ctx = format->make(to);
	x->source = x->ctx ? trace_prv_source_new(format->output, x->ctx, select) : NULL;
	if (x->source)
		return x;
	trace_export_free(x);
	return NULL;
}

enum jw_status trace_export_feed(struct trace_export *x, struct jw_span piece, struct jw_err *e)
{
	return trace_prv_source_feed(x->source, piece, e);
}

enum jw_status trace_export_finish(struct trace_export *x, struct jw_span pcf, struct jw_span row,
				   struct jw_arena *arena, const char *const **warnings,
				   size_t *warning_count, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };

	JW_TRY(trace_prv_source_finish(x->source, pcf, row, e));
	struct trace_prv_flaws flaws = trace_prv_source_flaws(x->source);
	const struct trace_fact facts[] = {
		{ flaws.bad_lines, TRACE_TOLD_BAD_LINE },
		{ flaws.unsorted, TRACE_TOLD_UNSORTED },
		{ flaws.late, "record comes after the end that the header tells, and is left out",
		  "records come after the end that the header tells, and are left out" },
	};

	trace_note_facts(&notes, NULL, facts, sizeof(facts) / sizeof(*facts));
	const char **text = JW_NEW_ARRAY(arena, const char *, notes.n + 1);

	for (size_t i = 0; text && i < notes.n; i++)
		text[i] = notes.text[i];
	*warnings = text;
	*warning_count = notes.n;
	bool failed = notes.failed || !text;

	trace_notes_free(&notes);
	return failed ? jw_nomem(e) : JW_OK;
}

void trace_export_free(struct trace_export *x)
{
	if (!x)
		return;
	trace_prv_source_free(x->source);
	x->format->free(x->ctx);
	jw_mem_free(x);
}
