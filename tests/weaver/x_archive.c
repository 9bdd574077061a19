/*
 * x_archive.c: the archive weaver without the command line, for scripts. Exit status: that of the
 * command line.
 *
 *     x_archive [-jN] [-OPTION...] IN RULES [OUT]      weaves; prints the report
 *     x_archive -locals IN           raw local records: NAME OFFSET LENGTH CRC of them
 *     x_archive -classes IN          paths and sizes of classes
 *     x_archive -info IN             woven.json
 *     x_archive -allocs IN RULES OUT fails each allocation in turn
 */
#include <glob.h>
#include <libdeflate.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "base/zip.h"
#include "trace/format/methodmap.h"
#include "weaver/archive/archive.h"
#include "weaver/archive/woven_mark.h"
#include "weaver/input/each_class.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

static int finish(enum jw_status status, const struct jw_err *e)
{
	if (status != JW_OK)
		fprintf(stderr, "x_archive: %s: %s\n", jw_status_name(status), e->text);
	return jw_status_exit(status);
}

static enum jw_status locals(const char *path, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct jw_file file;
	struct jw_zip zip;

	JW_TRY(jw_file_open(path, 0, &file, e));
	enum jw_status status = jw_zip_open(file.bytes, &arena, &zip, e);
	for (size_t i = 0; status == JW_OK && i < zip.count; i++) {
		const struct jw_zip_entry *entry = &zip.entries[i];
		struct jw_span data, record;

		status = jw_zip_data(&zip, entry, &data, &record, e);
		if (status == JW_OK)
			printf("%.*s\t%zu\t%zu\t%08x\t%zu\n", (int)entry->name.n,
			       (const char *)entry->name.p, (size_t)entry->local, record.n,
			       libdeflate_crc32(0, record.p, record.n),
			       (size_t)(data.p - file.bytes.p));
	}
	jw_arena_free(&arena);
	jw_file_close(&file);
	return status;
}

static enum jw_status show_class(void *ctx, struct jw_span entry, struct jw_span bytes,
				 struct jw_err *e)
{
	(void)ctx;
	(void)e;
	printf("%.*s\t%zu\n", (int)entry.n, (const char *)entry.p, bytes.n);
	return JW_OK;
}

static enum jw_status info(const char *path, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct jw_span json;
	enum jw_status status = weave_info(path, &arena, &json, e);

	if (status == JW_OK)
		printf("%.*s", (int)json.n, (const char *)json.p);
	jw_arena_free(&arena);
	return status;
}

/* ---- weaving ---- */

static enum jw_status veto(void *ctx, const struct weave_report *report, struct jw_err *e)
{
	(void)ctx;
	(void)report;
	return jw_fail(e, JW_POLICY, "vetoed");
}

static void show_progress(void *ctx, uint64_t done, uint64_t all)
{
	uint64_t *last = ctx;

	if (done < *last || done > all)
		abort();
	*last = done;
}

static void die(int number)
{
	jw_guard_cleanup();
	signal(number, SIG_DFL);
	raise(number);
}

/* A request to end arrives when so many entries have been written. */
static void ask_to_end(void *ctx, uint64_t done, uint64_t all)
{
	long *left = ctx;

	(void)done, (void)all;
	if ((*left)-- == 0)
		kill(getpid(), SIGTERM);
}

/* X: an option of the job and what it sets */
static bool option(const char *arg, struct weave_archive_job *job, struct rules_options *options)
{
	static struct weave_limits limits;
	static uint64_t last;
	static long left;

	if (strncmp(arg, "-j", 2) == 0)
		job->threads = (size_t)strtoul(arg + 2, NULL, 10);
	else if (strcmp(arg, "-classpath") == 0)
		job->runtime = WEAVE_RUNTIME_CLASSPATH;
	else if (strcmp(arg, "-signed-fail") == 0)
		job->signatures = WEAVE_SIGNED_FAIL;
	else if (strcmp(arg, "-skip-woven") == 0)
		job->on_woven = WEAVE_WOVEN_SKIP;
	else if (strncmp(arg, "-nested=", 8) == 0)
		job->nested = arg + 8;
	else if (strcmp(arg, "-strict") == 0)
		job->strict = true;
	else if (strcmp(arg, "-no-limits") == 0)
		job->no_limits = true;
	else if (strcmp(arg, "-no-guard") == 0)
		options->no_guard = true;
	else if (strcmp(arg, "-small") == 0)
		limits = weave_default_limits, limits.compiled = 30, job->limits = &limits;
	else if (strncmp(arg, "-branch=", 8) == 0)
		limits = (struct weave_limits){ .branch = (uint32_t)strtoul(arg + 8, NULL, 10),
						.code = 65535 },
		job->limits = &limits;
	else if (strncmp(arg, "-hash-cut=", 10) == 0)
		limits = weave_default_limits,
		limits.hash_cut = (uint32_t)strtoul(arg + 10, NULL, 10), job->limits = &limits;
	else if (strcmp(arg, "-none") == 0)
		job->runtime = WEAVE_RUNTIME_NONE;
	else if (strcmp(arg, "-veto") == 0)
		job->before_commit = veto;
	else if (strcmp(arg, "-progress") == 0)
		job->progress = show_progress, job->progress_ctx = &last;
	else if (strncmp(arg, "-die=", 5) == 0)
		left = strtol(arg + 5, NULL, 10), signal(SIGTERM, die), job->progress = ask_to_end,
		job->progress_ctx = &left;
	else
		return false;
	return true;
}

/* A line for each number, for each method that was left, and for each note. */
static void put_report(const struct weave_report *r, FILE *out)
{
	const struct {
		const char *name;
		uint64_t number;
	} numbers[] = {
		{ "entries", r->entries },
		{ "classes", r->classes },
		{ "wovenClasses", r->woven_classes },
		{ "methods", r->methods },
		{ "chosen", r->chosen },
		{ "woven", r->woven },
		{ "calls", r->calls },
		{ "guarded", r->guarded },
		{ "signatureRemoved", r->signature_removed },
		{ "inBytes", r->in_bytes },
		{ "outBytes", r->out_bytes },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		fprintf(out, "%s: %llu\n", numbers[i].name, (unsigned long long)numbers[i].number);
	for (size_t i = 0; i < r->skipped_count; i++) {
		const struct weave_skipped *s = &r->skipped[i];

		fprintf(out, "left: %s %s %s.%s: %s %s\n", weave_skip_name(s->skip), s->entry,
			s->class_name, s->method, weave_skip_text(s->skip), s->detail);
	}
	for (size_t i = 0; i < r->note_count; i++)
		fprintf(out, "note: %s\n", r->notes[i]);
}

static enum jw_status weave(const struct weave_archive_job *job, bool quiet, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct weave_report report = { 0 };
	enum jw_status status = weave_archive(job, &arena, &report, e);

	if (status == JW_OK && !quiet)
		put_report(&report, job->out && !strcmp(job->out, "-") ? stderr : stdout);
	jw_arena_free(&arena);
	return status;
}

/* Does a name with what folders and files have as temporary names exist next to OUT? */
static bool has_leftover(const char *out)
{
	char pattern[4096];
	glob_t found = { 0 };

	snprintf(pattern, sizeof(pattern), "%s.*-*", out);
	bool any = glob(pattern, 0, NULL, &found) == 0;
	globfree(&found);
	return any;
}

/* Every allocation fails once: each run ends with JW_NOMEM and no output, or well. */
static enum jw_status allocs(struct weave_archive_job *job, struct jw_err *e)
{
	enum jw_status status = JW_NOMEM;
	long n = 0;

	job->threads = 1;
	for (; n < 200000; n += n < 300 ? 1 : 37) {
		jw_remove_all(job->out);
		jw_mem_fail_after(n);
		status = weave(job, true, e);
		bool failed = jw_mem_fail_after(-1), there = weave_is_there(job->out);
		if (has_leftover(job->out))
			return jw_fail(e, JW_BUG, "allocation %ld failed: a temporary name stays",
				       n);
		if (!failed)
			break;
		if (status == JW_OK)
			continue; /* it could do without: a cache, say */
		if (status != JW_NOMEM || there)
			return jw_fail(e, JW_BUG, "allocation %ld failed: %s, output %s", n,
				       jw_status_name(status), there ? "there" : "not there");
	}
	printf("allocations tried: %ld\n", n);
	return status;
}

static enum jw_status weave_main(int argc, char **argv, bool each_alloc, struct jw_err *e)
{
	struct weave_archive_job job = { .threads = 1, .level = 6 };
	struct rules_options options = { 0 };
	struct rules *rules;
	int at = 0;

	while (at < argc && option(argv[at], &job, &options))
		at++;
	if (argc - at < 2)
		return jw_fail(e, JW_USAGE, "x_archive [OPTIONS] IN RULES [OUT]");
	job.in = argv[at];
	job.out = argc - at > 2 ? argv[at + 2] : NULL;
	JW_TRY(rules_load(argv[at + 1], &options, &rules, e));
	job.rules = rules;
	enum jw_status status = each_alloc ? allocs(&job, e) : weave(&job, false, e);
	rules_free(rules);
	return status;
}

int main(int argc, char **argv)
{
	struct jw_err e = { 0 };

	signal(SIGXFSZ, SIG_IGN); /* a file limit is an error of write(), not the end */
	if (argc == 3 && strcmp(argv[1], "-locals") == 0)
		return finish(locals(argv[2], &e), &e);
	if (argc == 3 && strcmp(argv[1], "-classes") == 0)
		return finish(weave_each_class(argv[2], false, show_class, NULL, &e), &e);
	if (argc == 3 && strcmp(argv[1], "-info") == 0)
		return finish(info(argv[2], &e), &e);
	if (argc > 1 && strcmp(argv[1], "-allocs") == 0)
		return finish(weave_main(argc - 2, argv + 2, true, &e), &e);
	return finish(weave_main(argc - 1, argv + 1, false, &e), &e);
}
