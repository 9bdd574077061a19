/*
 * f_archive.c: any bytes as an archive, and any archive of any entries, through the commands
 * themselves: woven or refused with a message; what comes out is an archive again, in which
 * `verify` finds nothing but what it found in the input, and which weaves to the same bytes again.
 *
 * An input that begins with "PK", or as a class file, is taken as it is. Any other is a list of
 * entries (archive_list.h), so that the fuzzer gets past checksums and sizes; in the first one,
 * WHOLE: all that takes long, too; ALL: all that can be woven, and by its supertypes.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/dispatch.h"
#include "rules/json.h"
#include "tests/cli/mutate_archive.h"
#include "tests/fuzz.h"
#include "tests/weaver/everything.h"

#include "base/banned.h"

enum { WHOLE = 64, ALL = 128, EXIT_MAX = 5 };

/* Where a sanitizer tells what it found. */
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);

static int null, own[2]; /* what commands write goes to the former; own: stdout and stderr */

/* The files: what is woven, twice (the map of a class is beside it), and what commands say of it; by which rules. */
enum file { IN, WOVEN, MAP, AGAIN, REPORT, STARTER, CALLED, PLAIN, EVERY, FILES };
static const char *const file_names[FILES] = {
	[IN] = "in.jar",          [WOVEN] = "woven.jar",    [MAP] = "woven.jar.map",
	[AGAIN] = "again.jar",    [REPORT] = "report.json", [STARTER] = "starter.json",
	[CALLED] = "called.json", [PLAIN] = "plain.json",   [EVERY] = "every.json",
};
static char folder[64], path[FILES][80];

static void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void put_file(const char *name, struct jw_span bytes)
{
	FILE *f = fopen(name, "wb");

	must(f && (bytes.n == 0 || fwrite(bytes.p, 1, bytes.n, f) == bytes.n) && fclose(f) == 0);
}

static void leave(void)
{
	for (size_t i = 0; i < FILES; i++)
		unlink(path[i]);
	must(rmdir(folder) == 0); /* no command wrote what is not in the list */
}

static void put_rules(void)
{
	/* names are left to class files, and the runtime is told something */
	static const char plain[] =
		"{\"jweave\": 1, \"rules\": [" EVERY_METHOD ", {\"match\": \"**#*(..)\"}, "
		"{\"match\": \"a.A#*\", \"event\": {\"label\": \"{method}\"}}, "
		"{\"action\": \"skip\", \"select\": {\"classAnnotation\": \"a.*\"}}, "
		"{\"action\": \"skip\", \"select\": {\"methodAnnotation\": \"a.*\"}}], "
		"\"runtime\": {\"start\": \"paused\"}}";
	static const char every[] =
		"{\"jweave\": 1, \"rules\": [" EVERY_RULE
		", {\"select\": {\"subtypeOf\": \"java.lang.Runnable\"}, \"capture\": [{\"what\": "
		"\"this\"}, {\"what\": \"return\"}]}, {\"on\": \"call\", \"select\": "
		"{\"subtypeOf\": \"a.A\"}, \"capture\": [{\"what\": \"arg0\"}]}]}";

	put_file(path[CALLED], jw_span_str(METHODS_AND_CALLS("")));
	put_file(path[PLAIN], jw_span_str(plain));
	put_file(path[EVERY], jw_span_str(every));
}

static void enter(void)
{
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	if (*folder)
		return;
	snprintf(folder, sizeof(folder), "%s/jweave-fuzz-XXXXXX", base);
	must(mkdtemp(folder) != NULL);
	for (size_t i = 0; i < FILES; i++)
		snprintf(path[i], sizeof(path[i]), "%s/%s", folder, file_names[i]);
	put_rules();
	atexit(leave);
	null = open("/dev/null", O_WRONLY);
	own[0] = dup(1);
	own[1] = dup(2);
	must(null >= 0 && own[0] >= 0 && own[1] >= 0);
	if (__sanitizer_set_report_fd)
		__sanitizer_set_report_fd((void *)(intptr_t)own[1]);
}

#define RUN(...)                                  \
	run((const char *const[]){ __VA_ARGS__ }, \
	    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static int run(const char *const *words, size_t count)
{
	must(dup2(null, 1) == 1 && dup2(null, 2) == 2);
	int status = cli_main(count, words);
	must(dup2(own[0], 1) == 1 && dup2(own[1], 2) == 2);
	must(status >= 0 && status <= EXIT_MAX);
	return status;
}

static bool same_files(const char *a, const char *b)
{
	struct jw_file x = { 0 }, y = { 0 };

	must(jw_file_open(a, 0, &x, NULL) == JW_OK && jw_file_open(b, 0, &y, NULL) == JW_OK);
	bool same = jw_span_eq(x.bytes, y.bytes);
	jw_file_close(&x);
	jw_file_close(&y);
	return same;
}

/* Names of classes may have the zero character (C0 80), which rules do not: it becomes another. */
static void replace_zeros(struct jw_buf *json)
{
	static const char zero[] = "\\u0000";
	const size_t n = sizeof(zero) - 1;

	for (size_t i = 0; i + n <= json->n; i++)
		if (memcmp(json->p + i, zero, n) == 0)
			json->p[i + n - 1] = '1';
}

static void must_be_json(const char *name)
{
	struct jw_arena arena = { 0 };
	struct jw_file file = { 0 };
	struct jw_buf json = { 0 };
	struct rules_json *root;
	struct jw_err e = { 0 };

	must(jw_file_open(name, 0, &file, &e) == JW_OK);
	jw_put_bytes(&json, file.bytes);
	must(json.failed == JW_OK);
	replace_zeros(&json);
	must(rules_json_parse(jw_buf_span(&json), name, &arena, &root, &e) == JW_OK);
	jw_file_close(&file);
	jw_buf_free(&json);
	jw_arena_free(&arena);
}

/* WHOLE: with the runtime embedded, and once more with two threads; and rule by rule why. */
static void weave(const char *by, bool whole, bool is_class)
{
	const char *runtime = whole ? "--runtime=embed" : "--runtime=classpath", *in = path[IN];
	int before = RUN("verify", "-q", in), status;

	if (RUN("init", "-q", "-o", path[STARTER], in) == 0)
		must(RUN("check", "-q", path[STARTER]) == 0);
	(void)RUN("list", "-q", "--json", "-r", by, in);
	status = RUN("weave", "-q", "--no-guard", runtime, "-j1", "-cp", in, "--report",
		     path[REPORT], in, by, path[WOVEN]);
	must((status == 0) == (access(path[WOVEN], F_OK) == 0));
	if (status != 0)
		return;
	must_be_json(path[REPORT]);
	status = RUN("verify", "-q", "--against", in, path[WOVEN]);
	must(before != 0 || status == 0);
	if (is_class)
		(void)RUN("dump", path[WOVEN]);
	else
		must(RUN("info", path[WOVEN]) == 0);
	if (!whole)
		return;
	(void)RUN("explain", "-r", by, in, "**");
	must(RUN("weave", "-q", "--no-guard", runtime, "-j2", "-cp", in, in, by, path[AGAIN]) == 0);
	must(same_files(path[WOVEN], path[AGAIN]));
}

/* Is the input no list? */
static bool is_raw(struct jw_span bytes)
{
	return jw_span_starts(bytes, JW_SPAN_LIT("PK")) || cfr_is_class(bytes);
}

static void mutate(struct jw_span from, struct jw_buf *out, uint32_t *state)
{
	if (is_raw(from))
		mutate_class(from, out, state);
	else if (draw(state, 24) == 0)
		mutate_into_folders(from, WHOLE | ALL, out, state);
	else
		mutate_list(from, WHOLE | ALL, mutate_jar_entry, out, state);
}

JW_MUTATES_BY(mutate)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jw_span bytes = jw_span(data, size);
	struct jw_buf made = { 0 };

	enter();
	const char *by = path[size % 2 ? PLAIN : CALLED];
	bool whole = false;

	if (!is_raw(bytes)) {
		whole = size && data[0] & WHOLE;
		if (size && data[0] & ALL)
			by = path[EVERY];
		list_build(bytes, 0, WHOLE | ALL, &made);
		bytes = jw_buf_span(&made);
	}
	put_file(path[IN], bytes);
	weave(by, whole, cfr_is_class(bytes));
	for (size_t i = WOVEN; i <= AGAIN; i++)
		unlink(path[i]);
	unlink(path[STARTER]);
	jw_buf_free(&made);
	return 0;
}
