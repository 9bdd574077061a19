/*
 * run_after.c: the trace of a program that could not make it itself.
 *
 * A program that ends as programs do says where its trace is. One that was killed, or crashed,
 * leaves its recording, complete up to its last event: it is converted here.
 */
#include "cli/run_after.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/guard.h"
#include "cli/browser.h"
#include "cli/folder.h"
#include "cli/java_launcher.h"
#include "cli/job_folder.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/run_archives.h"
#include "cli/run_background.h"
#include "cli/run_choose.h"
#include "cli/run_classes.h"
#include "cli/run_launch.h"
#include "cli/run_learnt.h"
#include "cli/run_output.h"
#include "cli/run_path.h"
#include "cli/run_told.h"
#include "cli/safe_text.h"
#include "cli/trace_input.h"
#include "cli/view.h"
#include "trace/paraver/paraver.h"
#include "trace/report/info.h"
#include "trace/report/job_folder.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

#define SUFFIX "jwr"

/* Is PATH there, and of a time since BEGAN? (File systems count in seconds, some in two.) */
static bool is_since(const char *path, int64_t began)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_mtime + 1 >= began;
}

/* Does PID run? Not where nobody has asked yet how it ended: its state is Z then, after its name in brackets. */
static bool is_running(uint64_t pid)
{
	char path[64], text[512];
	int length = snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	int fd = length > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *name_end = strrchr(text, ')');
	return name_end && strncmp(name_end, ") Z", strlen(") Z")) != 0;
}

/* Is PID gone, or is it within a second? "timeout -s KILL" dies with what it kills, which may take longer. */
static bool is_gone(uint64_t pid)
{
	const struct timespec step = { .tv_nsec = 10000000 };

	for (int i = 0; i < 100; i++) {
		if (!is_running(pid))
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}

/* Is PATH what process PID left, or a java that it has started (USUAL: as its name says), and no trace is made of it
 * yet? */
static bool is_left(struct run *run, const char *path, const char *base, pid_t pid, bool usual,
		    int64_t began, bool *summary)
{
	bool started = usual && run->java.launcher > 0;

	struct trace_recording_info info = { 0 };
	struct jw_err ignored = { 0 };

	if (!is_since(path, began) || !trace_is_recording(path))
		return false;
	const char *trace = jw_arena_fmt(run->arena, "%s.prv", base);
	if (!trace || cli_exists(trace))
		return false;
	enum jw_status status = trace_recording_info(path, run->arena, &info, &ignored);

	*summary = info.is_summary;
	return status == JW_OK && !info.clean_end &&
	       (info.pid == (uint64_t)pid || (started && is_gone(info.pid)));
}

/* JWEAVE_KEEP, in the words that the program takes; UNNAMED: methods have no name. A word that is
 * none keeps: what is removed does not come back. */
static bool is_kept(bool unnamed)
{
	static const char *const no[] = { "0", "off", "false", "no" };
	const char *keep = getenv("JWEAVE_KEEP");

	if (!keep || !*keep || strcmp(keep, "auto") == 0)
		return unnamed;
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (strcmp(keep, no[i]) == 0)
			return false;
	return true;
}

static void tell_summary(struct run *run, const char *recording)
{
	cli_note(run->cli,
		 "the program was killed before it could report: its sums, without events, are in "
		 "'%s'; to see them: jweave report %s",
		 recording, run_quoted(run->arena, recording));
}

static void convert(struct run *run, const char *recording, const char *base)
{
	const char *recordings[] = { recording };
	const struct trace_job job = { .recordings = recordings, .recording_count = 1 };
	const struct trace_paraver_files files = { .base = base };
	struct trace_summary s = { 0 };
	struct jw_arena *a = run->arena;
	struct jw_err e = { 0 };

	if (trace_to_paraver(&job, &files, a, &s, &e) != JW_OK) {
		cli_warn(run->cli, "the recording '%s' was not converted: %s", recording, e.text);
		return;
	}
	for (size_t i = 0; i < s.warning_count; i++)
		cli_warn(run->cli, "%s", s.warnings[i]);
	if (s.closed)
		cli_note(run->cli, "%s", s.closed);
	cli_note(run->cli,
		 "the program was killed before it could write its trace: %s, %s, %s in %.2f s -> "
		 "%s.prv",
		 cli_plural(a, s.threads, "thread", "threads"),
		 cli_plural(a, s.calls, "call", "calls"),
		 cli_plural(a, s.methods, "method", "methods"), (double)s.duration_ns / 1e9, base);
	const char *line = jw_arena_fmt(a, "trace\t%llu\t%llu\t%u\t%u\t%llu\t%llu\t%s.prv",
					(unsigned long long)s.calls, (unsigned long long)s.others,
					s.methods, s.threads, (unsigned long long)s.duration_ns,
					(unsigned long long)s.inside_ns, base);
	if (line)
		run_told_trace(run, line);
	if (!is_kept(s.unnamed > 0))
		jw_remove_all(recording);
}

/* ---- what there is to say of a trace ---- */

enum {
	FEW_CALLS = 100,
	SHARE = 20,    /* one part of the CPU time in so many is little */
	PRODUCT = 256, /* archives: a folder of so many is one product's; a machine's has more */
	CROWD = 4      /* so many times the archives that were read are a crowd in such a folder */
};
#define LONG_NS UINT64_C(1000000000)

/* NAME as one word of a shell's command, seen from here. */
static const char *word_of(struct run *run, const char *name)
{
	char here[PATH_MAX];
	size_t n = getcwd(here, sizeof(here)) ? strlen(here) : 0;

	if (n > 1 && strncmp(name, here, n) == 0 && name[n] == '/')
		name += n + 1;
	return run_quoted(run->arena, name);
}

/* Has the command a word with the name of PATH (an agent, a part of a module)? */
static bool is_named(const struct run *run, const char *path)
{
	const char *name = strrchr(path, '/');

	for (size_t i = run->java.launcher + 1; i < run->java.count; i++)
		if (strstr(run->java.words[i], name ? name + 1 : path))
			return true;
	return false;
}

/* Was the archive PATH read by a class loader of the program's own, and is it still there? JDK: where the java is. */
static bool is_own(struct run *run, struct jw_span jdk, const char *path)
{
	struct jw_span text = jw_span_str(path);

	return !(jdk.n && jw_span_starts(text, jdk)) &&
	       !jw_span_starts(text, jw_span_str(run->cache.root)) && !is_named(run, path) &&
	       !run_looked_at(run, path) && access(path, F_OK) == 0;
}

/* The folder of the JDK that has run, with a slash at its end; empty: unknown. */
static struct jw_span jdk_of(struct run *run)
{
	const char *java = cli_java_find(run->java.words[run->java.launcher], run->arena);
	const char *bin = java ? strstr(java, "/bin/") : NULL;

	return jw_span(java, bin ? (size_t)(bin - java) + 1 : 0);
}

/* How many of PATHS are in FOLDER or below it? */
static size_t count_below(const struct cli_words *paths, struct jw_span folder)
{
	size_t count = 0;

	for (size_t i = 0; i < paths->count; i++)
		count += strncmp(paths->items[i], (const char *)folder.p, folder.n) == 0 &&
			 paths->items[i][folder.n] == '/';
	return count;
}

/* The deepest folder that more than half of the archives PATHS are in or below; the root's is empty. */
static struct jw_span find_folder(const struct cli_words *paths)
{
	struct jw_span best = { 0 };

	for (size_t i = 0; i < paths->count; i++)
		for (size_t n = strlen(paths->items[i]); n > best.n; n--) {
			struct jw_span folder = jw_span(paths->items[i], n);

			if (paths->items[i][n] == '/' &&
			    count_below(paths, folder) * 2 > paths->count)
				best = folder;
		}
	return best;
}

/* The first of OWN that has more of what is traced; NULL: none has. */
static const char *find_traced(struct run *run, const struct cli_words *own)
{
	for (size_t i = 0; i < own->count; i++)
		if (run_would_choose(run, own->items[i]))
			return own->items[i];
	return NULL;
}

/* What --also takes for OWN: its one archive; a folder with most of them, which must not be one of all the
 * jars of a machine; else the first of them that has more of what is traced. */
static const char *word_for(struct run *run, const struct cli_words *own, size_t *taken)
{
	struct cli_words all = { .arena = run->arena };
	struct jw_err ignored = { 0 };
	struct jw_span folder = find_folder(own);
	const char *path = folder.n ? jw_arena_str(run->arena, folder) : NULL;

	*taken = 1;
	if (own->count == 1)
		return own->items[0];
	if (!path || cli_list_archives(path, &all, &ignored) != JW_OK ||
	    (all.count > PRODUCT && all.count > own->count * CROWD)) {
		const char *traced = find_traced(run, own);

		return traced ? traced : own->items[0];
	}
	*taken = count_below(own, folder);
	return path;
}

/* Of what is on no path of the command, and so was not looked at, what to type for it, the applications (war, ear)
 * of a server first: where LITTLE of the run is in the trace, or the program's own class loaders read more of what
 * is traced. */
static void tell_own(struct run *run, bool little)
{
	struct cli_words own = { .arena = run->arena }, applications = own;
	const struct cli_words *open = &run->told.open;
	struct jw_err ignored = { 0 };
	struct jw_span jdk = jdk_of(run);
	size_t taken;

	for (size_t i = 0; i < open->count; i++) {
		const char *path = open->items[i];

		if (!is_own(run, jdk, path))
			continue;
		if (cli_words_add(&own, path, &ignored) != JW_OK ||
		    (!cli_is_jar(path) && cli_words_add(&applications, path, &ignored) != JW_OK))
			return;
	}
	if (!own.count || (!little && !find_traced(run, &own)))
		return;
	const char *also = word_for(run, applications.count ? &applications : &own, &taken);
	cli_note(
		run->cli,
		"%s that the command does not name %s read by the program's own class loaders, and "
		"not traced; to trace %s: jweave run --also %s",
		cli_plural(run->arena, own.count, "archive", "archives"),
		own.count == 1 ? "was" : "were",
		own.count == 1       ? "it"
		: taken == own.count ? "them"
		: taken > 1          ? "most of them"
				     : "one of them",
		word_of(run, also));
}

/* What there is besides, and how to choose it: what follows a sentence; "": nothing. */
static const char *what_else(struct run *run)
{
	const char *pattern = NULL, *text = NULL;
	struct jw_buf left = { 0 };
	struct jw_err ignored = { 0 };

	if (run_put_left(run, &left, &pattern, &ignored) == JW_OK && pattern && !left.failed)
		text = jw_arena_fmt(run->arena,
				    ". Not traced: %.*s. To choose what is: jweave run -r "
				    "'match:%s' .., or rules of your own ('jweave init JAR "
				    ">rules.json' writes some)",
				    (int)left.n, (const char *)left.p, pattern);
	jw_buf_free(&left);
	return text ? text : "";
}

/* A run in which almost nothing was traced is no success, even with a trace. Who named the
 * rules has a right to few calls, unless the program was at work for long without them; so has an application that
 * a server runs. Is it little? */
static bool tell_little(struct run *run, uint64_t cpu_ns)
{
	const struct run_told *told = &run->told;
	bool named = cli_given(run->cli, CLI_OPT_rules);
	uint64_t calls = named ? told->calls : told->calls - told->others;
	bool few = calls < FEW_CALLS, beside = told->inside_ns < cpu_ns / SHARE;

	if (run->application.hosted && calls)
		return false; /* most of what runs is the server's */
	if (run->cli->args.preset_count && told->others)
		return false; /* what was asked for is there */
	if (cpu_ns < LONG_NS ? !few || named : !few && !beside)
		return false;
	const char *besides = what_else(run);
	if (*besides)
		cli_note(run->cli,
			 "little of this run is in the trace (%s%s, %.1f s of CPU time)%s",
			 cli_plural(run->arena, calls, "call", "calls"),
			 calls < told->calls ? " of methods" : "", (double)cpu_ns / 1e9, besides);
	return true;
}

/* --view: a page of the trace, beside it, on the desktop where there is one. */
static void show(struct run *run, const char *trace)
{
	const char *name = cli_bare_name(run->arena, trace);
	const char *page = name ? jw_arena_fmt(run->arena, "%s.html", name) : NULL;
	const char *title = name ? cli_base_name(run->arena, name) : NULL;
	struct jw_err e = { 0 };

	if (!page || !title ||
	    cli_view_make(run->cli, (const char *const[]){ trace }, 1, page, title, &e) != JW_OK)
		cli_warn(run->cli, "there is no page of the trace: %s",
			 e.text[0] ? e.text : "out of memory");
	else
		cli_note(run->cli,
			 cli_browse(page) ? "opened in the browser: %s"
					  : "the page of the trace, for a browser: %s",
			 word_of(run, page));
}

/* What to type next. (The sums of a summary name it themselves.) */
static void tell_next(struct run *run, const char *trace)
{
	const char *word = word_of(run, trace);

	if (!cli_ends(trace, ".prv"))
		return;
	if (cli_given(run->cli, CLI_OPT_view))
		cli_note(run->cli, "where the time went: jweave report %s", word);
	else
		cli_note(run->cli,
			 "where the time went: jweave report %s; in the browser: jweave view %s",
			 word, word);
}

static void tell_traces(struct run *run, const struct cli_child_end *end)
{
	const struct run_told *told = &run->told;

	run_told_read(run);
	if (!told->traces || !told->name || (!run->woven && !run->launched && !run->launch))
		return;
	if (run->woven && !run_archives_tell(run))
		tell_own(run, tell_little(run, end->cpu_ns));
	bool view = cli_given(run->cli, CLI_OPT_view);
	if (view || !run_tell_outer_trace(run))
		tell_next(run, told->name);
	if (view)
		show(run, told->name);
}

/* A program of which something was woven ran, left nothing called as traces are, and so said
 * nothing of a trace: somebody has to. False: not this run, but the one that has started it. */
static bool tell_nothing(struct run *run)
{
	if (!run->woven)
		return false;
	if (!run_output_name(run).n || !run_is_on() || cli_quiet(run->cli))
		return true;
	const char *strict = run_archives_strict(run);
	if (strict)
		cli_note(run->cli,
			 "there is no trace: with %s the VM does not start where archives are not "
			 "those of its own archive or cache, as woven ones are not; leave the "
			 "option out, or make that with 'jweave run', too",
			 strict);
	else if (!run_archives_tell(run))
		cli_note(run->cli,
			 "there is no trace: no method that is woven has run, or tracing was off%s",
			 cli_given(run->cli, CLI_OPT_rules) ? "" : what_else(run));
	return true;
}

/* PATH, a recording's, is seen to if process PID left it without a trace; USUAL: it has the name of this run's. */
static void see_to(struct run *run, const char *path, pid_t pid, bool usual, int64_t began)
{
	const char *when = getenv("JWEAVE_CONVERT");
	size_t n = strlen(path) - strlen("." SUFFIX);
	const char *base = jw_arena_str(run->arena, jw_span(path, n));
	bool summary = false;

	if (!base || !is_left(run, path, base, pid, usual, began, &summary))
		return;
	if (summary)
		tell_summary(run, path);
	else if (when && strcmp(when, "off") == 0)
		cli_note(run->cli, "the recording is '%s'; to convert it: jweave prv %s", path,
			 run_quoted(run->arena, path));
	else
		convert(run, path, base);
}

/* What there is of the job of a command that has started several programs; one says itself where its recording
 * is. */
static void tell_job(struct run *run, int64_t began)
{
	const char *folder = run_job(run);
	struct trace_job_listing list = { 0 };
	struct jw_err ignored = { 0 };
	bool fresh = false;

	if (!folder || !run->launched || run->outer || cli_quiet(run->cli) ||
	    trace_job_list(folder, run->arena, &list, &ignored) != JW_OK)
		return;
	for (size_t i = 0; i < list.n && !fresh; i++)
		fresh = is_since(list.at[i].path, began);
	if (fresh)
		cli_tell_job(run->cli, folder, &list);
}

void run_after(struct run *run, const struct cli_child_end *end, int64_t began)
{
	const char *folder = run_output_folder(run);
	struct jw_span name = run_output_name(run);
	const struct dirent *entry;
	bool something = false; /* processes of the program may have left it, too */

	if (!end->pid || !folder)
		return;
	DIR *dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		const char *path =
			strcmp(folder, ".") == 0
				? jw_arena_fmt(run->arena, "%s", entry->d_name)
				: jw_arena_fmt(run->arena, "%s/%s", folder, entry->d_name);

		if (!path)
			continue;
		bool recording = cli_ends(path, "." SUFFIX),
		     usual = jw_span_starts(jw_span_str(entry->d_name), name);
		something |= (run_job(run) ? recording : usual) && is_since(path, began);
		if (recording && !run_job(run))
			see_to(run, path, end->pid, usual, began);
		else if (recording && is_since(path, began)) /* of a job: it stays one */
			run_learnt_of_job(run, path, end->pid);
	}
	if (dir)
		closedir(dir);
	tell_traces(run, end);
	tell_job(run, began);
	run_learnt_save(run);
	run_look_at_folders(run);
	run_launched(run);
	bool left = run->launch && run_background(run, false);
	if (something || run->told.traces || run->told.said || (run->embedded && left) ||
	    tell_nothing(run))
		run_tell_outer(run, RUN_SAID);
	if (!left)
		return;
	if (run->outer)
		run_tell_outer(run, RUN_LEFT);
	else
		run_tell_left(run);
}
