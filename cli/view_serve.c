/*
 * view_serve.c: jweave view --serve: an index of a run, made once (view.h), and a server in front of it
 * (serve.h).
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/out.h"
#include "cli/serve.h"
#include "cli/trace_files.h"
#include "cli/view.h"

#include "base/banned.h"

/* ---- what an index is made of ---- */

/* A line of the stamp: what changes when the file is written again. */
static void put_file(struct jw_buf *out, const char *name, int folder)
{
	struct stat st;

	if (fstatat(folder, name, &st, 0) != 0)
		st = (struct stat){ 0 };
	jw_put_fmt(out, "%s %llu %llu %llu %lld.%09ld\n", name, (unsigned long long)st.st_dev,
		   (unsigned long long)st.st_ino, (unsigned long long)st.st_size,
		   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* The lines of all files in a folder, in whatever order they come: as one number. */
static void put_folder(struct jw_buf *out, const char *path)
{
	DIR *folder = opendir(path);
	struct jw_buf line = { 0 };
	uint64_t all = 0;

	for (const struct dirent *d; folder && (d = readdir(folder));) {
		jw_buf_clear(&line);
		if (d->d_name[0] != '.')
			put_file(&line, d->d_name, dirfd(folder));
		all += jw_hash64(jw_buf_span(&line), 0);
	}
	if (folder)
		(void)closedir(folder);
	jw_buf_free(&line);
	jw_put_fmt(out, "%llx\n", (unsigned long long)all);
}

/* Of a trace the files beside it count, too. */
static enum jw_status put_input(struct cli *cli, struct jw_buf *out, const char *path,
				struct jw_err *e)
{
	static const char *const suffixes[] = { ".pcf", ".row" };

	put_file(out, path, AT_FDCWD);
	if (!cli_is_trace(path)) {
		put_folder(out, path);
		return JW_OK;
	}
	const char *bare = cli_bare_name(&cli->arena, path);

	for (size_t i = 0; bare && i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const char *name = jw_arena_fmt(&cli->arena, "%s%s", bare, suffixes[i]);

		if (!name)
			return jw_nomem(e);
		put_file(out, name, AT_FDCWD);
	}
	return bare ? JW_OK : jw_nomem(e);
}

/* The text that is another whenever the index would be. */
static enum jw_status put_stamp(struct cli *cli, const char *title, struct jw_buf *out,
				struct jw_err *e)
{
	static const enum cli_option_id same[] = { CLI_OPT_serve,   CLI_OPT_port,
						   CLI_OPT_no_open, CLI_OPT_output,
						   CLI_OPT_quiet,   CLI_OPT_verbose,
						   CLI_OPT_color,   CLI_OPT_no_progress };

	jw_put_fmt(out, "jweave %s\n%s\n", JW_VERSION, title);
	for (enum cli_option_id id = 0; id < CLI_OPT_COUNT; id++) {
		bool matters = cli_given(cli, id);

		for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
			matters = matters && id != same[i];
		if (matters)
			jw_put_fmt(out, "%d=%s\n", (int)id, cli_value(cli, id, ""));
	}
	for (size_t i = 0; i < cli->args.operand_count; i++)
		JW_TRY(put_input(cli, out, cli->args.operands[i], e));
	if (cli_given(cli, CLI_OPT_against))
		JW_TRY(put_input(cli, out, cli_value(cli, CLI_OPT_against, ""), e));
	return jw_buf_finish(out, "stamp of the index", e);
}

/* ---- the index ---- */

/* The index at PATH, if it is whole and has this STAMP; else NULL. */
static enum jw_status find(const char *path, struct jw_span stamp, struct trace_index **out,
			   struct jw_err *e)
{
	struct jw_err why = { 0 };
	bool fits = false;
	int fd;

	*out = NULL;
	if (jw_file_fd(path, &fd, &why) != JW_OK)
		return JW_OK;
	enum jw_status status = trace_index_open(fd, stamp, out, &fits, &why);

	if (status == JW_NOMEM) {
		*e = why;
		return status;
	}
	if (status == JW_OK && !fits) {
		trace_index_close(*out);
		*out = NULL;
	}
	return JW_OK;
}

static enum jw_status find_or_make(struct cli *cli, const char *path, const char *title,
				   struct jw_span stamp, struct trace_index **out, struct jw_err *e)
{
	JW_TRY(find(path, stamp, out, e));
	if (*out)
		return JW_OK;
	cli_detail(cli, "makes the index '%s'", path);
	JW_TRY(cli_view_make_index(cli, cli->args.operands, cli->args.operand_count, path, title,
				   stamp, e));
	JW_TRY(find(path, stamp, out, e));
	return *out ? JW_OK : jw_bug(e, "an index that was just made is none");
}

enum jw_status cli_view_serve(struct cli *cli, const char *out, const char *title, struct jw_err *e)
{
	struct trace_index *index = NULL;
	struct jw_buf stamp = { 0 };
	unsigned port =
		cli_given(cli, CLI_OPT_port) ? (unsigned)cli->args.numbers[CLI_OPT_port] : 0;

	if (strcmp(out, "-") == 0)
		return jw_fail(e, JW_USAGE, "with --serve, -o is a file: what is asked later");
	JW_TRY(cli_serve_check(e));
	enum jw_status status = put_stamp(cli, title, &stamp, e);

	if (status == JW_OK)
		status = find_or_make(cli, out, title, jw_buf_span(&stamp), &index, e);
	jw_buf_free(&stamp);
	JW_TRY(status);
	status = cli_serve(cli, index, port, !cli_given(cli, CLI_OPT_no_open), e);
	trace_index_close(index);
	return status;
}
