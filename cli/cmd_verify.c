/*
 * cmd_verify.c: jweave verify [--against IN] OUT: class files well formed, and only the expected
 * changes (verify_against.c).
 *
 * Findings are results: one line each on stdout, status 5 at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cfr/check.h"
#include "cfr/class.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/verify.h"
#include "weaver/input/kind.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

enum { NESTED_MAX = 7 }; /* archives in archives that are looked into, as they are woven */

void cli_verify_finding(struct cli_verify *v, struct jw_span where, const char *entry,
			const char *what)
{
	struct jw_buf line = { 0 };

	cli_put_escaped(&line, where);
	if (where.n && *entry)
		jw_put_str(&line, "!");
	cli_put_escaped(&line, jw_span_str(entry));
	jw_put_str(&line, ": ");
	cli_put_escaped(&line, jw_span_str(what));
	jw_put_u1(&line, '\n');
	cli_put_span(v->cli, jw_buf_span(&line));
	jw_buf_free(&line);
	v->findings++;
}

enum jw_status cli_verify_count(struct cli_verify *v, enum jw_zip_work_kind kind, uint64_t n,
				struct jw_err *e)
{
	return v->no_limits ? JW_OK : jw_zip_work_add(&v->work, kind, n, e);
}

/* ---- well-formedness ---- */

static enum jw_status check_class(struct cli_verify *v, const char *path, struct jw_span bytes,
				  struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	enum jw_status status = cfr_check(bytes, jw_span(NULL, 0), &arena, e);

	jw_arena_free(&arena);
	v->classes++;
	if (status == JW_NOMEM || status == JW_BUG)
		return status;
	if (status != JW_OK)
		cli_verify_finding(v, jw_span_str(path), "", e->text);
	return JW_OK;
}

/* An archive on the way. */
struct level {
	const char *path;       /* "": the input itself */
	unsigned depth;         /* archives around it */
	struct jw_arena entry;  /* emptied for each entry */
	struct jw_buf unpacked; /* the entry */
};

static enum jw_status check_archive(struct cli_verify *v, struct jw_span bytes, const char *path,
				    unsigned depth, struct jw_err *e);

/* Of an archive inside one, which may be none: then no JVM looks into it. */
static enum jw_status check_inner(struct cli_verify *v, struct jw_span bytes, const char *path,
				  unsigned depth, struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct cli_zip_directory directory;

	if (depth > NESTED_MAX || cli_zip_find_directory(bytes, &directory, &ignored) != JW_OK)
		return JW_OK;
	if (cli_verify_count(v, JW_ZIP_WORK_ARCHIVES, 1, e) != JW_OK)
		return jw_err_where(e, "%s", path);
	return check_archive(v, bytes, path, depth, e);
}

static enum jw_status check_entry(struct cli_verify *v, const struct cli_zip *zip, size_t i,
				  struct level *l, struct jw_err *e)
{
	const struct cli_zip_entry *entry = &zip->entries[i];
	struct jw_span name = entry->header.name;
	enum weave_kind kind = weave_kind(name);

	if (kind != WEAVE_KIND_CLASS && kind != WEAVE_KIND_MODULE && kind != WEAVE_KIND_ARCHIVE)
		return JW_OK;
	jw_arena_reset(&l->entry);
	const char *path = jw_arena_fmt(&l->entry, "%s%s%.*s", l->path, *l->path ? "!/" : "",
					(int)name.n, (const char *)name.p);
	if (!path)
		return jw_nomem(e);
	/* a single entry that is too large is refused as that */
	if (entry->size <= v->limits.max_size &&
	    cli_verify_count(v, JW_ZIP_WORK_BYTES, entry->size, e) != JW_OK)
		return jw_err_where(e, "%s", path);
	if (cli_zip_unpack(zip, i, &v->limits, &l->unpacked, e) != JW_OK)
		return *l->path ? jw_err_where(e, "%s", l->path) : e->status;
	if (kind == WEAVE_KIND_ARCHIVE)
		return check_inner(v, jw_buf_span(&l->unpacked), path, l->depth + 1, e);
	return check_class(v, path, jw_buf_span(&l->unpacked), e);
}

static enum jw_status check_archive(struct cli_verify *v, struct jw_span bytes, const char *path,
				    unsigned depth, struct jw_err *e)
{
	struct cli_zip_directory directory;
	struct level l = { .path = path, .depth = depth };
	struct jw_arena index = { 0 };
	struct cli_zip zip = { 0 };
	enum jw_status status = cli_zip_find_directory(bytes, &directory, e);

	if (status == JW_OK)
		status = cli_verify_count(v, JW_ZIP_WORK_ENTRIES, directory.count, e);
	if (status == JW_OK)
		status = cli_zip_open(&directory, &index, &zip, e);
	if (status != JW_OK && *path)
		(void)jw_err_where(e, "%s", path);
	for (size_t i = 0; status == JW_OK && i < zip.count; i++)
		status = check_entry(v, &zip, i, &l, e);
	cli_zip_close(&zip);
	jw_buf_free(&l.unpacked);
	jw_arena_free(&l.entry);
	jw_arena_free(&index);
	return status;
}

/* FILE of the folder v->out. */
static enum jw_status check_folder_file(struct cli_verify *v, const struct weave_tree_file *file,
					struct jw_arena *arena, struct jw_err *e)
{
	enum weave_kind kind = weave_kind(jw_span_str(file->path));
	bool class = kind == WEAVE_KIND_CLASS || kind == WEAVE_KIND_MODULE;
	struct jw_file bytes;

	if (file->type != WEAVE_TREE_FILE || (!class && kind != WEAVE_KIND_ARCHIVE))
		return JW_OK;
	jw_arena_reset(arena);
	const char *path = jw_arena_fmt(arena, "%s/%s", v->out, file->path);
	if (!path)
		return jw_nomem(e);
	JW_TRY(jw_file_open(path, 0, &bytes, e));
	enum jw_status status = class ? check_class(v, file->path, bytes.bytes, e)
				      : check_inner(v, bytes.bytes, file->path, 1, e);
	jw_file_close(&bytes);
	return status == JW_OK ? JW_OK : jw_err_where(e, "%s", v->out);
}

static enum jw_status check_folder(struct cli_verify *v, struct jw_err *e)
{
	struct jw_arena list = { 0 }, arena = { 0 };
	struct weave_tree tree = { 0 };
	enum jw_status status = weave_tree_list(v->out, &list, &tree, e);

	for (size_t i = 0; i < tree.count; i++)
		if (tree.files[i].type == WEAVE_TREE_FILE)
			v->work.input += tree.files[i].size;
	for (size_t i = 0; status == JW_OK && i < tree.count; i++)
		status = check_folder_file(v, &tree.files[i], &arena, e);
	jw_arena_free(&arena);
	jw_arena_free(&list);
	return status;
}

static enum jw_status check_file(struct cli_verify *v, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct jw_file file;

	JW_TRY(jw_file_open(v->out, 0, &file, e));
	v->work.input = file.bytes.n;
	const char *name = cli_base_name(&arena, v->out);
	enum jw_status status = !name                      ? jw_nomem(e)
				: cfr_is_class(file.bytes) ? check_class(v, name, file.bytes, e)
							   : check_archive(v, file.bytes, "", 0, e);
	jw_file_close(&file);
	jw_arena_free(&arena);
	return status == JW_OK ? JW_OK : jw_err_where(e, "%s", v->out);
}

/* ---- the command ---- */

static void put_ok(struct cli_verify *v)
{
	uint64_t n = v->in ? v->changed : v->classes;
	struct jw_buf line = { 0 };

	cli_put_escaped(&line, jw_span_str(v->out));
	jw_put_fmt(&line, ": ok (%s%s)\n", cli_plural(&v->cli->arena, n, "class", "classes"),
		   v->in ? " changed, nothing else" : "");
	cli_put_span(v->cli, jw_buf_span(&line));
	jw_buf_free(&line);
}

enum jw_status cli_run_verify(struct cli *cli, struct jw_err *e)
{
	struct cli_verify v = { .cli = cli,
				.in = cli_value(cli, CLI_OPT_against, NULL),
				.out = cli->args.operands[0],
				.no_limits = cli_given(cli, CLI_OPT_no_limits) };

	if (!v.no_limits)
		v.limits = jw_zip_default_limits;
	/* libzip makes local time of the time of each entry, and without TZ the C library looks for
	 * the zone's file each time: a tenth of all that verify takes */
	(void)setenv("TZ", "UTC0", 0);
	/* with the input given, changed classes are checked against it; the rest is as it was */
	JW_TRY(v.in                   ? cli_verify_against(&v, e)
	       : cli_is_folder(v.out) ? check_folder(&v, e)
				      : check_file(&v, e));
	e->text[0] = '\0';
	if (v.findings)
		return JW_POLICY;
	if (!cli_quiet(cli))
		put_ok(&v);
	return JW_OK;
}
