/*
 * made.c: see made.h.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/guard.h"
#include "cli/made.h"

#include "base/banned.h"

/* OUT, or what it is a link to. */
static const char *resolve(struct jw_arena *arena, const char *out)
{
	char real[PATH_MAX];

	return jw_arena_str(arena, jw_span_str(realpath(out, real) ? real : out));
}

static enum jw_status check_out(const char *out, bool folder, struct jw_err *e)
{
	struct stat st;

	if (strcmp(out, "-") == 0 || stat(out, &st) != 0)
		return JW_OK;
	if (folder ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))
		return jw_fail(e, JW_USAGE, "'%s' is no %s: choose another name with -o", out,
			       folder ? "folder" : "file");
	return JW_OK;
}

enum jw_status cli_made_open(struct jw_arena *arena, const char *out, bool folder,
			     struct cli_made *made, struct jw_err *e)
{
	struct cli_made m = { .folder = folder };

	if (strcmp(out, "-") == 0)
		return jw_fail(e, JW_USAGE,
			       "this format is no stream of bytes: give a %s with -o, not '-'",
			       folder ? "folder" : "file");
	JW_TRY(check_out(out, folder, e));
	m.out = resolve(arena, out);
	if (!m.out)
		return jw_nomem(e);
	size_t n = strlen(m.out);

	while (n > 1 && m.out[n - 1] == '/')
		n--;
	m.out = jw_arena_str(arena, jw_span(m.out, n));
	const char *slash = m.out ? strrchr(m.out, '/') : NULL;
	const char *name = slash ? slash + 1 : m.out;

	if (!m.out)
		return jw_nomem(e);
	m.room = jw_arena_fmt(arena, "%.*s.%.200s-%ld", (int)(name - m.out), m.out, name,
			      (long)getpid());
	m.path = m.room && !folder ? jw_arena_fmt(arena, "%s/%s", m.room, name) : m.room;
	if (!m.path)
		return jw_nomem(e);
	jw_remove_all(m.room); /* left by a killed process of the same number */
	if (mkdir(m.room, folder ? 0777 : 0700) != 0)
		return jw_fail_errno(e, errno, "%s: cannot create a file there", out);
	jw_guard_add(m.room);
	*made = m;
	return JW_OK;
}

static enum jw_status move(const char *from, const char *to, struct jw_err *e)
{
	if (rename(from, to) == 0)
		return JW_OK;
	return jw_fail_errno(e, errno, "%s: cannot give what was written this name", to);
}

/* Moves what is in the folder that was made into the one that is there. */
static enum jw_status fill(const struct cli_made *made, struct jw_err *e)
{
	DIR *dir = opendir(made->room);
	enum jw_status status = JW_OK;
	struct jw_arena arena = { 0 };

	if (!dir)
		return jw_fail_errno(e, errno, "%s: cannot inspect", made->room);
	for (const struct dirent *d = readdir(dir); d && status == JW_OK; d = readdir(dir)) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		const char *from = jw_arena_fmt(&arena, "%s/%s", made->room, d->d_name);
		const char *to = jw_arena_fmt(&arena, "%s/%s", made->out, d->d_name);

		if (from && to)
			jw_remove_all(to);
		status = from && to ? move(from, to, e) : jw_nomem(e);
	}
	closedir(dir);
	jw_arena_free(&arena);
	return status;
}

enum jw_status cli_made_commit(struct cli_made *made, struct jw_err *e)
{
	struct stat st;

	if (made->folder && stat(made->out, &st) == 0)
		JW_TRY(fill(made, e));
	else
		JW_TRY(move(made->path, made->out, e));
	cli_made_abort(made);
	return JW_OK;
}

void cli_made_abort(struct cli_made *made)
{
	if (!made->room)
		return;
	jw_remove_all(made->room);
	jw_guard_drop(made->room);
	*made = (struct cli_made){ 0 };
}
