/*
 * cmd_collect.c: jweave collect [USER@]HOST:/FOLDER... -o DIR: recordings from other hosts, in one
 * folder, by the system's rsync, or ssh and tar.
 *
 *     DIR/.from-SOURCE/       a copy of each folder, which stays: what is there is not fetched again
 *     DIR/NAME.jwr/           its recordings, by links to these files
 *
 * Nothing is removed from where it comes, and no recording of another process is overwritten.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"
#include "cli/child.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/run_path.h"
#include "cli/safe_text.h"
#include "trace/format/recording.h"
#include "trace/report/info.h"
#include "trace/report/job_folder.h"

#include "base/banned.h"

enum { STAGE_MAX = 200 }; /* bytes of a stage's name that tell where it is from */

struct source {
	const char *text;
	const char *host, *folder; /* host NULL: this one */
	const char *stage;
};

struct sums {
	size_t taken, open, refused, failed;
};

/* ---- what is named ---- */

/* "user@host:/folder": letters, digits and few signs, so that no word becomes an option. */
static bool is_host(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && (!i || !strchr("@.-_", text[i])))
			return false;
	return n > 0;
}

/* The folder in OUT of what comes from TEXT: its name says so, as far as a file's name is long. */
static void put_stage(struct jw_buf *stage, const char *out, const char *text)
{
	struct jw_buf name = { 0 };

	for (const char *p = text; *p; p++)
		jw_put_fmt(&name, isalnum((unsigned char)*p) || strchr("@.-", *p) ? "%c" : "_%02x",
			   (unsigned char)*p);
	jw_put_fmt(stage, "%s/.from-", out);
	jw_put_bytes(stage, jw_span(name.p, name.n < STAGE_MAX ? name.n : STAGE_MAX));
	if (name.n > STAGE_MAX)
		jw_put_fmt(stage, "_%016" PRIx64, jw_hash64(jw_span_str(text), 0));
	stage->failed = stage->failed || name.failed;
	jw_buf_free(&name);
}

static enum jw_status take_source(struct cli *cli, const char *out, const char *text,
				  struct source *s, struct jw_err *e)
{
	struct jw_arena *a = &cli->arena;
	const char *colon = strchr(text, ':'), *slash = strchr(text, '/');
	struct jw_buf stage = { 0 };

	*s = (struct source){ .text = text, .folder = text };
	if (colon && (!slash || colon < slash)) {
		size_t n = (size_t)(colon - text);

		if (!is_host(text, n) || colon[1] != '/')
			return jw_fail(e, JW_USAGE, "'%s' is not [USER@]HOST:/FOLDER", text);
		s->host = jw_arena_str(a, jw_span(text, n));
		s->folder = colon + 1;
	} else if (*text == '-') {
		s->folder = jw_arena_fmt(a, "./%s", text);
	}
	put_stage(&stage, out, text);
	s->stage = stage.failed ? NULL : jw_arena_str(a, jw_buf_span(&stage));
	jw_buf_free(&stage);
	return s->stage && s->folder ? JW_OK : jw_nomem(e);
}

/* What is in OUT would be fetched from S, too, each time more. */
static bool is_below(const char *out, const struct source *s)
{
	char to[PATH_MAX], from[PATH_MAX];

	if (s->host || !realpath(out, to) || !realpath(s->folder, from))
		return false;
	size_t n = strlen(from);
	return strncmp(to, from, n) == 0 && (!to[n] || to[n] == '/');
}

static enum jw_status make_folder(struct cli *cli, const char *out, struct jw_err *e)
{
	bool made = mkdir(out, 0700) == 0;
	struct source s;

	if (!made && errno != EEXIST)
		return jw_fail_errno(e, errno, "cannot create '%s'", out);
	for (size_t i = 0; i < cli->args.operand_count; i++) {
		JW_TRY(take_source(cli, out, cli->args.operands[i], &s, e));
		if (!s.host && !cli_is_folder(s.folder)) {
			if (made)
				rmdir(out);
			return jw_fail(e, JW_INPUT, "'%s' is not a folder, or is not there",
				       s.text);
		}
		if (!is_below(out, &s))
			continue;
		if (made)
			rmdir(out);
		return jw_fail(e, JW_USAGE, "'%s' is in '%s': collect into a folder outside of it",
			       out, s.folder);
	}
	return JW_OK;
}

/* ---- fetching ---- */

/* What a process that runs is asked by: a socket, which is nothing to copy. */
static const char leave_out[] = "--exclude=" JWR_CONTROL;

static const char by_tar[] =
	"{ if [ -n \"$1\" ]; then ssh -- \"$1\" \"cd $2 && tar -cf - $5 .\"; "
	"else tar -C \"$3\" -cf - \"$5\" .; fi || echo failed >\"$4.failed\"; } | "
	"tar -xf - -C \"$4\" && [ ! -e \"$4.failed\" ]";

static enum jw_status fetch(struct cli *cli, const struct source *s, struct jw_err *e)
{
	struct jw_arena *a = &cli->arena;
	const char *quoted = run_quoted(a, s->folder);
	const char *from =
		jw_arena_fmt(a, "%s%s%s/", s->host ? s->host : "", s->host ? ":" : "", s->folder);
	const char *into = jw_arena_fmt(a, "%s/", s->stage);
	const char *const rsync[] = { "rsync", "-a", "-s", "--partial", leave_out,
				      "--",    from, into, NULL };
	const char *const tar[] = { "sh",   "-c",      by_tar,   "sh",      s->host ? s->host : "",
				    quoted, s->folder, s->stage, leave_out, NULL };
	struct cli_child_end end = { 0 };
	struct jw_err none = { 0 };

	if (!from || !into)
		return jw_nomem(e);
	if (mkdir(s->stage, 0700) != 0 && errno != EEXIST)
		return jw_fail_errno(e, errno, "cannot create '%s'", s->stage);
	enum jw_status status = cli_child_run(rsync, NULL, &end, &none);
	if (end.status == 127) { /* it is missing here, or there */
		const char *failed = jw_arena_fmt(a, "%s.failed", s->stage);

		if (failed)
			unlink(failed);
		status = cli_child_run(tar, NULL, &end, &none);
		if (failed)
			unlink(failed);
	}
	if (status == JW_OK && end.status == 0)
		return JW_OK;
	if (rmdir(s->stage) == 0) /* only if it is empty */
		return jw_fail(e, JW_IO,
			       "'%s' could not be copied (status %d), nothing of it came: is there "
			       "such a folder, and does the host let you in?",
			       s->text, end.status);
	return jw_fail(e, JW_IO,
		       "'%s' could not be copied whole (status %d): what came is kept; "
		       "the same command goes on",
		       s->text, end.status);
}

/* ---- into the folder ---- */

/* Links all files of FROM, a folder, into INTO, which it makes. */
static bool link_all(struct cli *cli, const char *from, const char *into)
{
	const struct dirent *entry;
	DIR *dir = mkdir(into, 0700) == 0 ? opendir(from) : NULL;
	bool done = dir;

	while (done && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		const char *a = jw_arena_fmt(&cli->arena, "%s/%s", from, name);
		const char *b = jw_arena_fmt(&cli->arena, "%s/%s", into, name);
		struct stat st;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		done = a && b && lstat(a, &st) == 0;
		if (done && S_ISDIR(st.st_mode))
			done = link_all(cli, a, b);
		else if (done && S_ISREG(st.st_mode))
			done = link(a, b) == 0;
	}
	if (dir)
		closedir(dir);
	return done;
}

/* Is what is at PATH of the same process as P? */
static bool is_same(struct cli *cli, const char *path, const struct trace_job_process *p)
{
	struct trace_recording_info there = { 0 };
	struct jw_err ignored = { 0 };

	return trace_recording_origin(path, &cli->arena, &there, &ignored) == JW_OK &&
	       there.pid == p->role.pid && there.began_wall_ns == p->began_ns &&
	       !strcmp(there.host, p->role.host);
}

static enum jw_status place(struct cli *cli, const char *out, const struct trace_job_process *p,
			    struct sums *sums, struct jw_err *e)
{
	struct jw_arena *a = &cli->arena;
	const char *name = cli_base_name(a, p->path);
	const char *to = name ? jw_arena_fmt(a, "%s/%s", out, name) : NULL;
	const char *fresh = name ? jw_arena_fmt(a, "%s/.new-%s", out, name) : NULL;

	if (!to || !fresh)
		return jw_nomem(e);
	if (cli_exists(to) && !is_same(cli, to, p)) {
		cli_warn(cli, "'%s' is of another process and stays: '%s' is not taken", to,
			 p->path);
		sums->refused++;
		return JW_OK;
	}
	jw_remove_all(fresh);
	if (!link_all(cli, p->path, fresh))
		return jw_fail_errno(e, errno, "cannot write '%s'", fresh);
	jw_remove_all(to);
	if (rename(fresh, to) != 0)
		return jw_fail_errno(e, errno, "cannot rename '%s' to '%s'", fresh, to);
	sums->taken++;
	return JW_OK;
}

/* Bytes of records that P lacks in L, a listing of the same folder. */
static uint64_t missing_in(const struct trace_job_listing *l, const struct trace_job_process *p)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->at[i].path, p->path))
			return l->at[i].data_missing;
	return 0;
}

/* Has P all bytes of records that its end tells of? CUT: copying has failed; then only what says
 * how long it is can be. BEFORE: what came when it was copied before; what is missing both times is not
 * where it comes from. */
static bool is_whole(struct cli *cli, const struct trace_job_process *p, bool cut,
		     const struct trace_job_listing *before)
{
	if (p->unreadable || cut)
		return !p->unreadable && !p->data_missing && p->ended && p->data_told;
	if (!p->data_missing)
		return true;
	if (missing_in(before, p) != p->data_missing)
		return false;
	cli_warn(cli,
		 "'%s' is taken without %llu bytes of its data: they are not where it comes from",
		 p->path, (unsigned long long)p->data_missing);
	return true;
}

/* Lists what came of S. A process that ended while it was copied may lack its end: so what is not whole is
 * copied again, and *BEFORE is what came first. */
static enum jw_status list_whole(struct cli *cli, const struct source *s, bool *cut,
				 struct trace_job_listing *before, struct trace_job_listing *l,
				 struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	bool is_short = false;

	JW_TRY(trace_job_list(s->stage, &cli->arena, before, e));
	*l = *before;
	for (size_t i = 0; i < l->n; i++)
		is_short |= l->at[i].data_missing > 0;
	if (*cut || !is_short)
		return JW_OK;
	*cut = fetch(cli, s, &ignored) != JW_OK;
	return trace_job_list(s->stage, &cli->arena, l, e);
}

static enum jw_status place_all(struct cli *cli, const char *out, const struct source *s, bool cut,
				struct sums *sums, struct jw_err *e)
{
	struct trace_job_listing l, before;

	JW_TRY(list_whole(cli, s, &cut, &before, &l, e));
	for (size_t i = 0; i < l.n; i++) {
		const struct trace_job_process *p = &l.at[i];

		if (!is_whole(cli, p, cut, &before)) {
			cli_warn(cli, "'%s' is not taken: %s", p->path,
				 p->unreadable ? p->unreadable
					       : "its data are not whole: collect again, or report "
						 "it as it is there");
			sums->failed++;
			continue;
		}
		if (p->gone) {
			cli_note(cli, "%s on %s was killed, or crashed", p->role.name,
				 p->role.host);
		} else if (!p->ended) {
			cli_note(cli, "%s on %s has not ended: collect again when it has",
				 p->role.name, p->role.host);
			sums->open++;
		}
		JW_TRY(place(cli, out, p, sums, e));
	}
	if (!l.n)
		cli_warn(cli, "there are no recordings in '%s'", s->text);
	return JW_OK;
}

enum jw_status cli_run_collect(struct cli *cli, struct jw_err *e)
{
	const char *out = cli_value(cli, CLI_OPT_output, NULL);
	struct sums sums = { 0 };
	struct source s;

	if (!out)
		return jw_fail(e, JW_USAGE, "collect needs -o DIR, the folder to collect into");
	for (size_t i = 0; i < cli->args.operand_count; i++) /* all are right before any is asked */
		JW_TRY(take_source(cli, out, cli->args.operands[i], &s, e));
	JW_TRY(make_folder(cli, out, e));
	for (size_t i = 0; i < cli->args.operand_count; i++) {
		struct jw_err why = { 0 };

		JW_TRY(take_source(cli, out, cli->args.operands[i], &s, e));
		bool cut = fetch(cli, &s, &why) != JW_OK;
		if (cut) {
			cli_warn(cli, "%s", why.text);
			sums.failed++;
		}
		if (cli_is_folder(s.stage))
			JW_TRY(place_all(cli, out, &s, cut, &sums, e));
	}
	cli_put(cli, "%s in %s\n", cli_plural(&cli->arena, sums.taken, "recording", "recordings"),
		out);
	if (sums.failed || sums.refused)
		return jw_fail(e, JW_IO, "not all is collected");
	return JW_OK;
}
