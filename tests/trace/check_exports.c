/*
 * check_exports.c: see check_exports.h.
 */
#include <string.h>
#include <sys/stat.h>

#include "tests/trace/check_exports.h"
#include "tests/trace/check_otf2.h"
#include "tests/trace/check_paje.h"
#include "tests/trace/check_perfetto.h"
#include "tests/trace/check_text.h"
#include "tests/trace/make_recording.h"
#include "trace/export/export.h"
#include "trace/reader/notes.h"
#include "trace/sqlite/library.h"

#include "base/banned.h"

/* What is exported: a recording, or a trace. */
struct source {
	const char *path, *map; /* path NULL: a trace */
	struct jw_span prv, pcf, row;
};

static enum jw_status gather(void *to, struct jw_span bytes, struct jw_err *e)
{
	(void)e;
	jw_put_bytes(to, bytes);
	return JW_OK;
}

static enum jw_status export_recording(const struct trace_export_format *format,
				       const struct source *from,
				       const struct trace_destination *to, struct jw_err *e)
{
	const struct trace_job job = { .recordings = &from->path,
				       .recording_count = 1,
				       .maps = &from->map,
				       .map_count = from->map != NULL,
				       .spill = to->spill };
	struct trace_summary summary = { 0 };
	struct jw_arena arena = { 0 };
	enum jw_status status = trace_export_recordings(format, &job, to, &arena, &summary, e);

	jw_arena_free(&arena);
	return status;
}

static enum jw_status export_trace(const struct trace_export_format *format,
				   const struct source *from, const struct trace_destination *to,
				   struct jw_err *e)
{
	struct trace_export *x = trace_export_new(format, to, NULL);
	struct jw_arena arena = { 0 };
	struct trace_exported done = { 0 };

	must(x != NULL);
	enum jw_status status = trace_export_begin(x, from->pcf, from->row, e);

	if (status == JW_OK)
		status = trace_export_feed(x, from->prv, e);
	if (status == JW_OK)
		status = trace_export_finish(x, from->pcf, from->row, &arena, &done, e);
	trace_export_free(x);
	jw_arena_free(&arena);
	return status;
}

/* Whether there is something to look at; else it is said why not. */
static bool export_to(const struct trace_export_format *format, const struct source *from,
		      const struct trace_destination *to)
{
	struct jw_err e = { 0 };
	enum jw_status status = from->path ? export_recording(format, from, to, &e)
					   : export_trace(format, from, to, &e);

	must(status == JW_OK || e.text[0] != '\0');
	return status == JW_OK;
}

/* ---- what is read ---- */

static int take_answer(void *ctx, int columns, char **values, char **names)
{
	(void)names;
	must(columns == 1 && values[0] && strcmp(values[0], "ok") == 0);
	++*(int *)ctx;
	return 0;
}

static void check_sqlite(const char *path)
{
	struct trace_sqlite_library lib;
	struct jw_err e = { 0 };
	sqlite3 *db = NULL;
	int ok = 0, bad = 0;

	must(trace_sqlite_load(&lib, &e) == JW_OK);
	must(lib.sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
	must(lib.sqlite3_exec(db, "PRAGMA integrity_check", take_answer, &ok, NULL) == SQLITE_OK);
	must(ok == 1);
	must(lib.sqlite3_exec(db, "SELECT 'bad' FROM pragma_foreign_key_check", take_answer, &bad,
			      NULL) == SQLITE_OK);
	must(lib.sqlite3_close_v2(db) == SQLITE_OK);
}

static void check_stream(const struct trace_export_format *format, struct jw_span bytes,
			 enum trace_table_id table)
{
	if (strcmp(format->name, "perfetto") == 0)
		check_perfetto(bytes, NULL);
	else if (strcmp(format->name, "paje") == 0)
		check_paje(bytes);
	else if (strcmp(format->name, "speedscope") == 0)
		check_speedscope(bytes);
	else if (strcmp(format->name, "chrome") == 0)
		check_chrome(bytes);
	else if (strcmp(format->name, "collapsed") == 0)
		check_collapsed(bytes);
	else if (format->tables)
		check_tsv(bytes, table);
	else
		must(false && "there is a format that nobody checks");
}

static void check_files(const struct trace_export_format *format, const char *path)
{
	if (strcmp(format->name, "sqlite") == 0)
		check_sqlite(path);
	else if (strcmp(format->name, "otf2") == 0)
		check_otf2(make_path("fuzz.otf2/%s", format->main));
	else
		must(false && "there is a format that nobody checks");
}

static void check_one(const struct trace_export_format *format, const struct source *from,
		      unsigned choice)
{
	char path[512];
	struct jw_buf out = { 0 };
	enum trace_table_id table = (enum trace_table_id)(choice % TRACE_TABLES);
	bool is_stream = format->form == TRACE_EXPORT_STREAM;

	snprintf(path, sizeof(path), "%s", make_path("fuzz.%s", format->name));
	const struct trace_destination to = { .write = gather,
					      .to = &out,
					      .spill = path,
					      .table = trace_tables[table].name,
					      .by = (enum trace_stacks_by)(choice % 8),
					      .reverse = choice & 8,
					      .path = path };

	if (format->form == TRACE_EXPORT_FOLDER)
		must(mkdir(path, 0700) == 0);
	if (export_to(format, from, &to)) {
		must(out.failed == JW_OK);
		if (is_stream)
			check_stream(format, jw_buf_span(&out), table);
		else
			check_files(format, path);
	}
	if (!is_stream)
		make_remove(path);
	jw_buf_free(&out);
}

static void check_all(const struct source *from, unsigned choice)
{
	for (const struct trace_export_format *f = trace_export_formats; f->name; f++)
		if (!f->needs && (f->form == TRACE_EXPORT_STREAM || choice % 16 == 0))
			check_one(f, from, choice / 16);
}

void check_exports(const char *path, const char *map, unsigned choice)
{
	const struct source from = { .path = path, .map = map };

	check_all(&from, choice);
}

void check_exports_of_prv(struct jw_span prv, struct jw_span pcf, struct jw_span row,
			  unsigned choice)
{
	const struct source from = { NULL, NULL, prv, pcf, row };

	check_all(&from, choice);
}

void export_prv_of(const char *format, const char *table, const char *prv, const char *pcf,
		   const char *row, struct jw_buf *out)
{
	const struct source from = { NULL, NULL, jw_span_str(prv), jw_span_str(pcf),
				     jw_span_str(row) };
	const struct trace_destination to = {
		.write = gather, .to = out, .table = table, .spill = make_path("exported")
	};
	struct jw_err e = { 0 };

	must(export_trace(trace_export_format(format), &from, &to, &e) == JW_OK);
}

void export_prv(const char *format, const char *table, const char *prv, const char *pcf,
		struct jw_buf *out)
{
	export_prv_of(format, table, prv, pcf, "", out);
}
