/*
 * trace_files.c: see trace_files.h.
 */
#include <string.h>

#include "cli/gzip.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/trace_files.h"
#include "trace/report/info.h"

#include "base/banned.h"

#define MAX_BESIDE ((size_t)1 << 30) /* bytes of a .pcf or .row */

bool cli_is_trace_name(const char *path)
{
	return cli_ends(path, ".prv") || cli_ends(path, ".prv.gz");
}

bool cli_is_trace(const char *path)
{
	return cli_is_trace_name(path) && !trace_is_recording(path);
}

const char *cli_bare_name(struct jw_arena *arena, const char *path)
{
	static const char *const ends[] = { ".prv.gz", ".prv", ".jwr" };
	struct jw_span name = jw_span_str(path);

	while (name.n > 1 && name.p[name.n - 1] == '/')
		name.n--;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct jw_span end = jw_span_str(ends[i]);

		if (name.n > end.n && jw_span_ends(name, end))
			return jw_arena_str(arena, jw_span_sub(name, 0, name.n - end.n));
	}
	return jw_arena_str(arena, name);
}

/* ---- reading ---- */

/* The .pcf or the .row of a trace; empty where it cannot be read, with WHY. */
struct beside {
	struct jw_file file;
	struct jw_err why;
};

static enum jw_status open_beside(struct cli *cli, const char *path, const char *suffix,
				  struct beside *out, struct jw_err *e)
{
	struct jw_span base = jw_span_str(path);

	base.n -= strlen(cli_ends(path, ".gz") ? ".prv.gz" : ".prv");
	const char *name =
		jw_arena_fmt(&cli->arena, "%.*s%s", (int)base.n, (const char *)base.p, suffix);

	if (!name)
		return jw_nomem(e);
	if (jw_file_open(name, MAX_BESIDE, &out->file, &out->why) != JW_OK)
		out->file = (struct jw_file){ 0 };
	return JW_OK;
}

static void tell_missing(struct cli *cli, const struct beside *beside)
{
	if (beside->why.status != JW_OK)
		cli_warn(cli, "%s: names are shown as numbers", beside->why.text);
}

static enum jw_status read_lines(struct cli *cli, const char *path,
				 const struct cli_trace_reader *reader, struct jw_err *e)
{
	struct cli_progress progress = cli_progress_begin(cli, reader->doing, false);
	bool cut = false;
	enum jw_status status = cli_gunzip(path, reader->take, reader->ctx, &progress, &cut, e);

	cli_progress_end(&progress);
	if (status == JW_OK && cut && reader->done)
		cli_warn(cli, "'%s' is damaged or cut short: what could be read is %s", path,
			 reader->done);
	return status;
}

enum jw_status cli_read_trace(struct cli *cli, const char *path,
			      const struct cli_trace_reader *reader, struct jw_err *e)
{
	struct beside pcf = { 0 }, row = { 0 };
	enum jw_status status = open_beside(cli, path, ".pcf", &pcf, e);

	if (status == JW_OK)
		status = open_beside(cli, path, ".row", &row, e);
	if (status == JW_OK)
		status = reader->begin(reader->ctx, pcf.file.bytes, row.file.bytes, e);
	if (status == JW_OK)
		status = read_lines(cli, path, reader, e);
	if (status == JW_OK && reader->done) {
		tell_missing(cli, &pcf);
		tell_missing(cli, &row);
	}
	if (status == JW_OK)
		status = reader->finish(reader->ctx, pcf.file.bytes, row.file.bytes, e);
	jw_file_close(&pcf.file);
	jw_file_close(&row.file);
	bool told = status == JW_OK || status == JW_NOMEM || strstr(e->text, path);

	return told ? status : jw_err_where(e, "'%s'", path);
}
