/*
 * run_told.c: a folder of this run alone, and in it the file in which the program tells of its
 * traces (runtime-jni/recorder/run_message.h). Without room for it, less is said at the
 * end.
 */
#include "cli/run_told.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "base/open_archives.h"
#include "base/settings.h"
#include "base/text.h"
#include "cli/application.h"
#include "cli/counted_roots.h"
#include "cli/run_learnt.h"
#include "cli/run_path.h"
#include "cli/words.h"
#include "trace/format/fields.h"

#include "base/banned.h"

enum { TOLD_MAX = 16 << 20, MOST_OPEN = 4096 };
enum {
	LEFT_AFTER = 60
}; /* seconds: a run that begins has made its folder, and not yet what tells that it lives */

#define PLACE "jweave-run-"
#define TOLD  "told"

/* What a run tells the run that has started it (run_launch.c). */
static const char *const words[] = {
	[RUN_REACHED] = "java", [RUN_SAID] = "said", [RUN_LEFT] = "left"
};

static bool tell_line(const struct run *run, const char *line)
{
	int fd = run->outer && run->java.mode != CLI_JAVA_OTHER
			 ? open(run->outer,
				O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
			 : -1;

	if (fd < 0)
		return false;
	bool told = write(fd, line, strlen(line)) == (ssize_t)strlen(line);
	close(fd);
	return told;
}

void run_tell_outer(const struct run *run, enum run_word word)
{
	char line[8];

	snprintf(line, sizeof(line), "%s\n", words[word]);
	(void)tell_line(run, line);
}

bool run_is_first(const struct run *run)
{
	struct stat st;

	return !run->launch || !run->outer || stat(run->outer, &st) != 0 || st.st_size == 0;
}

bool run_tell_outer_trace(const struct run *run)
{
	const struct run_told *told = &run->told;
	char here[PATH_MAX];

	if (!run->launch || !getcwd(here, sizeof(here)))
		return false;
	const char *line = jw_arena_fmt(run->arena, "%.*s%s%s%s\n", (int)(told->name - told->line),
					told->line, *told->name == '/' ? "" : here,
					*told->name == '/' ? "" : "/", told->name);
	return line && tell_line(run, line);
}

/* Removes PLACE, a folder of a run of this user's that was killed: it has let go of what it told. */
static void remove_left(const char *place, struct jw_arena *arena)
{
	const char *told = jw_arena_fmt(arena, "%s/" TOLD, place);
	struct stat st;

	if (!told || lstat(place, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    time(NULL) - st.st_mtime < LEFT_AFTER)
		return;
	int fd = open(told, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		jw_remove_all(place);
	if (fd >= 0)
		close(fd);
}

void run_told_remove_left(struct jw_arena *arena)
{
	const char *folder = jw_temp_folder();
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *path = cli_after(entry->d_name, PLACE)
					   ? jw_arena_fmt(arena, "%s/%s", folder, entry->d_name)
					   : NULL;

		if (path)
			remove_left(path, arena);
	}
	if (dir)
		closedir(dir);
}

void run_told_open(struct run *run)
{
	char *place = jw_arena_fmt(run->arena, "%s/" PLACE "XXXXXX", jw_temp_folder());
	char real[PATH_MAX];

	const char *outer = getenv(JW_TELL_VARIABLE);

	if (outer) /* a copy: it is about to be set */
		run->outer = jw_arena_str(run->arena, jw_span_str(outer));
	if (place && mkdtemp(place) && realpath(place, real)) /* the program may be elsewhere */
		run->place = jw_arena_str(run->arena, jw_span_str(real));
	const char *file = run->place ? jw_arena_fmt(run->arena, "%s/" TOLD, run->place) : NULL;
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	if (run->place)
		jw_guard_add(run->place);
	if (!run->outer)
		run_told_remove_left(run->arena);
	if (fd >= 0) {
		(void)flock(fd, LOCK_SH); /* open as long as this process lives */
		run->told_file = setenv(JW_TELL_VARIABLE, file, 1) == 0 ? file : NULL;
	}
}

const char *run_quoted(struct jw_arena *arena, const char *text)
{
	struct jw_buf out = { 0 };

	jw_put_word(&out, jw_span_str(text));
	const char *word = out.failed ? NULL : jw_arena_str(arena, jw_buf_span(&out));
	jw_buf_free(&out);
	return word ? word : "";
}

/* The program has had PATH open. Without memory less is said. */
static void take_open(void *ctx, const char *path)
{
	struct run *run = ctx;
	struct cli_words *open = &run->told.open;
	struct jw_err ignored = { 0 };

	open->arena = run->arena;
	if (open->count < MOST_OPEN && !(open->items && cli_among(open->items, path)) &&
	    cli_words_add(open, jw_arena_str(run->arena, jw_span_str(path)), &ignored) != JW_OK)
		open->count = 0;
}

void run_told_look(void *ctx, pid_t pid)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "/proc/%ld/fd", (long)pid);
	jw_each_open_archive(folder, take_open, ctx);
}

/* "COUNT PACKAGE", of classes that the program had loaded at its end. */
static void take_loaded(struct run *run, char *text)
{
	struct jw_span rest = jw_span_str(text);
	struct jw_err ignored = { 0 };
	uint64_t classes = 0;

	if (!trace_dec(trace_field(&rest), UINT32_MAX, &classes))
		return;
	char *package = jw_arena_str(run->arena, rest);
	for (char *p = package; p && *p; p++)
		if (*p == '/')
			*p = '.';
	/* without memory less is said */
	if (!package || cli_add_root(run->arena, &run->told.loaded, package, cli_root(package),
				     (size_t)classes, &ignored) != JW_OK)
		run->told.loaded = NULL;
}

void run_told_trace(struct run *run, const char *line)
{
	struct run_told *told = &run->told;
	uint64_t calls = 0, others = 0, inside = 0;
	struct jw_span rest = jw_span_str(line);

	if (!jw_span_eq_str(trace_field(&rest), "trace") ||
	    !trace_dec(trace_field(&rest), UINT64_MAX, &calls) ||
	    !trace_dec(trace_field(&rest), calls, &others))
		return;
	for (int i = 0; i < 3; i++) /* methods, threads, duration */
		(void)trace_field(&rest);
	if (!trace_dec(trace_field(&rest), UINT64_MAX, &inside) || rest.n == 0)
		return;
	told->traces++;
	told->calls += calls;
	told->others += others;
	told->inside_ns += inside;
	/* a build starts small helpers before and after what matters; of equals, the last */
	if (told->name && calls < told->most)
		return;
	told->most = calls;
	told->name = (const char *)rest.p;
	told->line = line;
}

static void take_line(struct run *run, char *line)
{
	struct run_told *told = &run->told;

	if (strncmp(line, "small\t", strlen("small\t")) == 0)
		run_learnt_take(run, line);
	told->java |= strcmp(line, words[RUN_REACHED]) == 0;
	told->said |= strcmp(line, words[RUN_SAID]) == 0;
	told->left |= strcmp(line, words[RUN_LEFT]) == 0;
	if (strncmp(line, "open\t", strlen("open\t")) == 0)
		take_open(run, line + strlen("open\t"));
	if (strncmp(line, "loaded\t", strlen("loaded\t")) == 0)
		take_loaded(run, line + strlen("loaded\t"));
	run_told_trace(run, line);
}

void run_told_read(struct run *run)
{
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };

	if (!run->told_file || jw_file_open(run->told_file, TOLD_MAX, &file, &ignored) != JW_OK)
		return;
	struct jw_span text = file.bytes;
	while (text.n) {
		char *line = jw_arena_str(run->arena, trace_line(&text));

		if (line)
			take_line(run, line);
	}
	jw_file_close(&file);
}

void run_told_close(struct run *run)
{
	if (!run->place)
		return;
	jw_remove_all(run->place);
	jw_guard_drop(run->place);
}
