/*
 * x_weavedir.c: weaves every class below a folder into another, for the tests that ask a JVM.
 *
 *     x_weavedir [--branch=N] [--code=N] [--rules=FILE | --calls | --only-calls | --exceptions |
 *                --only-exceptions | --new | --only-new | --all] [--captures] [--check] [--quiet]
 *                [--repeat=N] IN OUT
 *
 * Without rules every method of every kind is chosen (--calls: and every call; --only-calls: every
 * call alone; --exceptions: and what they throw and catch; --only-exceptions: that alone; --new:
 * and what they make; --only-new: that alone; --all: every method, call, exception and object;
 * --captures: with all that they can capture), the guard is off, and no limit of HotSpot is kept.
 * --check holds what is written against cfr_check(). --repeat weaves each class N times and says
 * how long that took. Prints one line: classes, methods, woven, and skips by reason. Exit status 1
 * when a class cannot be read or written, or fails the check.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "cfr/check.h"
#include "tests/weaver/everything.h"
#include "weaver/class/class_weave.h"

#include "base/banned.h"

/* By the option, in the order of choice(), and --captures. */
static const char *const texts[][2] = {
	{ METHODS_ALONE(""), METHODS_ALONE(EVERY_CAPTURE) },
	{ METHODS_AND_CALLS(""), METHODS_AND_CALLS(EVERY_CAPTURE) },
	{ CALLS_ALONE(""), CALLS_ALONE(EVERY_CAPTURE) },
	{ METHODS_AND_EXCEPTIONS(""), METHODS_AND_EXCEPTIONS(EVERY_CAPTURE) },
	{ EXCEPTIONS_ALONE(""), EXCEPTIONS_ALONE(EVERY_CAPTURE) },
	{ METHODS_AND_NEW(""), METHODS_AND_NEW(EVERY_CAPTURE) },
	{ NEW_ALONE(""), NEW_ALONE(EVERY_CAPTURE) },
	{ EVERYTHING(""), EVERYTHING(EVERY_CAPTURE) },
};

static struct {
	struct rules *rules;
	struct weave_limits limits;
	bool check, quiet;
	long repeat;
	uint64_t classes, methods, chosen, woven, calls, creations, exceptions, skips[64], bad,
		in_bytes, out_bytes, nanoseconds;
	struct jw_arena arena;
	struct jw_buf out;
} run = { .repeat = 1 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void complain(const char *path, const char *text)
{
	fprintf(stderr, "%s: %s\n", path, text);
	run.bad++;
}

static void count(const char *path, const struct weave_class_result *r)
{
	run.classes++;
	run.methods += r->total;
	run.chosen += r->method_count;
	run.woven += r->woven;
	run.calls += r->sites_woven;
	run.creations += r->creations;
	run.exceptions += r->exceptions;
	run.skips[r->skip] += r->skip != WEAVE_SKIP_NOT;
	if (r->skip != WEAVE_SKIP_NOT)
		fprintf(stderr, "%s: %s: %s\n", path, weave_skip_name(r->skip), r->detail);
	for (size_t i = 0; i < r->method_count; i++) {
		const struct weave_method *m = &r->methods[i];

		run.skips[m->skip] += m->skip != WEAVE_SKIP_NOT;
		if (m->skip != WEAVE_SKIP_NOT && !run.quiet)
			fprintf(stderr, "%s %.*s%.*s: %s%s%s\n", path, (int)m->name.n,
				(const char *)m->name.p, (int)m->descriptor.n,
				(const char *)m->descriptor.p, weave_skip_name(m->skip),
				m->detail ? ": " : "", m->detail ? m->detail : "");
	}
}

static void write_file(const char *path, struct jw_span s)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(s.p, 1, s.n, f) != s.n)
		complain(path, strerror(errno));
	if (f && fclose(f) != 0)
		complain(path, strerror(errno));
}

static void weave_file(const char *in, const char *out)
{
	struct weave_class_job job = { .rules = run.rules,
				       .limits = &run.limits,
				       .runtime = jw_span_str("jweave/rt/test/Probe"),
				       .entry = jw_span_str(in) };
	struct weave_class_result result = { 0 };
	struct jw_file file = { 0 };
	struct jw_err e = { 0 };
	enum jw_status status = JW_OK;

	if (jw_file_open(in, 0, &file, &e) != JW_OK) {
		complain(in, e.text);
		return;
	}
	uint64_t start = now();
	for (long i = 0; i < run.repeat; i++) {
		jw_arena_reset(&run.arena);
		status = weave_class(&job, file.bytes, &run.arena, &run.out, &result, &e);
	}
	run.nanoseconds += now() - start;
	run.in_bytes += file.bytes.n;
	if (status != JW_OK) {
		complain(in, e.text);
	} else {
		struct jw_span s = result.changed ? jw_buf_span(&run.out) : file.bytes;

		count(in, &result);
		run.out_bytes += s.n;
		if (run.check && result.changed &&
		    cfr_check(s, file.bytes, &run.arena, &e) != JW_OK)
			complain(in, e.text);
		if (out)
			write_file(out, s);
	}
	jw_file_close(&file);
}

static char *join(const char *dir, const char *name)
{
	size_t n = strlen(dir) + strlen(name) + 2;
	char *path = malloc(n);

	if (!path)
		exit(1);
	snprintf(path, n, "%s/%s", dir, name);
	return path;
}

static void walk(const char *in, const char *out)
{
	struct stat st;
	struct dirent **names;
	int n;

	if (stat(in, &st) != 0) {
		complain(in, strerror(errno));
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		size_t length = strlen(in);

		if (length > 6 && strcmp(in + length - 6, ".class") == 0)
			weave_file(in, out);
		return;
	}
	if (out)
		mkdir(out, 0777);
	n = scandir(in, &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			char *a = join(in, names[i]->d_name);
			char *b = out ? join(out, names[i]->d_name) : NULL;

			walk(a, b);
			free(a);
			free(b);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static void load_rules(const char *path, const char *text)
{
	struct rules_options options = { .jdk = true, .no_guard = true };
	struct jw_err e = { 0 };
	enum jw_status status =
		path ? rules_load(path, &options, &run.rules, &e)
		     : rules_parse(jw_span_str(text), "rules", &options, &run.rules, &e);

	if (status != JW_OK) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
}

static const char *value_of(const char *argument, const char *option)
{
	size_t n = strlen(option);

	return strncmp(argument, option, n) == 0 ? argument + n : NULL;
}

/* The row of `texts` that ARGUMENT asks for, 0: none. */
static int choice(const char *argument)
{
	static const char *const options[] = { "--calls",      "--only-calls",
					       "--exceptions", "--only-exceptions",
					       "--new",        "--only-new",
					       "--all" };

	for (int i = 0; i < (int)(sizeof(options) / sizeof(options[0])); i++) {
		if (strcmp(argument, options[i]) == 0)
			return i + 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int what = 0, captures = 0, w;
	const char *rules = NULL, *in = NULL, *out = NULL, *v;

	run.limits = weave_default_limits;
	run.limits.compiled = 0;
	for (int i = 1; i < argc; i++) {
		if ((v = value_of(argv[i], "--branch=")) != NULL)
			run.limits.branch = (uint32_t)strtoul(v, NULL, 10);
		else if ((v = value_of(argv[i], "--code=")) != NULL)
			run.limits.code = (uint32_t)strtoul(v, NULL, 10);
		else if ((v = value_of(argv[i], "--rules=")) != NULL)
			rules = v;
		else if ((v = value_of(argv[i], "--repeat=")) != NULL)
			run.repeat = strtol(v, NULL, 10);
		else if ((w = choice(argv[i])) != 0)
			what = w;
		else if (strcmp(argv[i], "--captures") == 0)
			captures = 1;
		else if (strcmp(argv[i], "--check") == 0)
			run.check = true;
		else if (strcmp(argv[i], "--quiet") == 0)
			run.quiet = true;
		else if (!in)
			in = argv[i];
		else
			out = argv[i];
	}
	if (!in || run.repeat < 1)
		return 2;
	load_rules(rules, texts[what][captures]);
	walk(in, out);
	printf("%" PRIu64 " classes, %" PRIu64 " methods, %" PRIu64 " woven, %" PRIu64 " failed",
	       run.classes, run.methods, run.woven, run.bad);
	for (size_t i = 1; i <= WEAVE_SKIP_VERSION; i++) {
		if (run.skips[i])
			printf(", %" PRIu64 " %s", run.skips[i],
			       weave_skip_name((enum weave_skip)i));
	}
	if (run.calls)
		printf(", %" PRIu64 " calls", run.calls);
	if (run.creations)
		printf(", %" PRIu64 " objects", run.creations);
	if (run.exceptions)
		printf(", exceptions of %" PRIu64 " methods", run.exceptions);
	if (run.repeat > 1)
		printf(", %" PRIu64 " -> %" PRIu64 " bytes, %.2f ms", run.in_bytes, run.out_bytes,
		       (double)run.nanoseconds / 1e6 / (double)run.repeat);
	printf("\n");
	rules_free(run.rules);
	jw_buf_free(&run.out);
	jw_arena_free(&run.arena);
	return run.bad != 0;
}
