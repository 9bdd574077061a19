/*
 * t_errors.c: testdata/rules/bad/WHAT-IS-WRONG.json each fail with the message in
 * WHAT-IS-WRONG.want (the folder left out of it); testdata/rules/good/NAME.json are all accepted.
 * JW_GOLDEN=1 rewrites the messages: read the difference.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

#define BAD  "testdata/rules/bad/"
#define GOOD "testdata/rules/good/"

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Calls EACH with every .json in FOLDER, by name; returns how many. */
static size_t each_file(const char *folder, void (*each)(const char *path))
{
	static char names[512][128];
	static const char *sorted[512];
	DIR *dir = opendir(folder);
	size_t n = 0;

	for (struct dirent *d; dir && n < 512 && (d = readdir(dir));) {
		if (!jw_span_ends(jw_span_str(d->d_name), JW_SPAN_LIT(".json")))
			continue;
		snprintf(names[n], sizeof names[n], "%s%.90s", folder, d->d_name);
		sorted[n] = names[n];
		n++;
	}
	if (dir)
		closedir(dir);
	qsort(sorted, n, sizeof *sorted, compare);
	for (size_t i = 0; i < n; i++)
		each(sorted[i]);
	return n;
}

/* The message without the folder. */
static void strip(char *text)
{
	for (char *at; (at = strstr(text, BAD));)
		memmove(at, at + strlen(BAD), strlen(at + strlen(BAD)) + 1);
}

static void want_path(const char *path, char *out, size_t size)
{
	snprintf(out, size, "%.*s.want", (int)(strlen(path) - strlen(".json")), path);
}

static void rewrite(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fprintf(f, "%s\n", text);
		fclose(f);
	}
}

static void expect_wrong(const char *path)
{
	struct jw_err e = { 0 };
	struct rules *rules = NULL;
	enum jw_status status = rules_load(path, NULL, &rules, &e);
	char want[256], text[JW_ERR_TEXT] = "";
	struct jw_file file;

	ok(rules == NULL);
	if (!ok(status == JW_RULES || (status == JW_INPUT && strstr(path, "include-"))))
		tap_note("%s: %s", path, e.text);
	strip(e.text);
	want_path(path, want, sizeof want);
	if (getenv("JW_GOLDEN"))
		rewrite(want, e.text);
	if (!ok(jw_file_open(want, 0, &file, NULL) == JW_OK))
		return;
	snprintf(text, sizeof text, "%.*s", (int)file.bytes.n, (const char *)file.bytes.p);
	text[strcspn(text, "\n")] = 0;
	jw_file_close(&file);
	is_str(e.text, text);
}

TEST(wrong_files_say_where_and_what)
{
	ok(each_file(BAD, expect_wrong) >= 60);
}

static void expect_right(const char *path)
{
	struct jw_err e = { 0 };
	struct rules *rules = NULL;

	if (!ok(rules_load(path, NULL, &rules, &e) == JW_OK))
		tap_note("%s", e.text);
	rules_free(rules);
}

TEST(right_files_are_accepted)
{
	ok(each_file(GOOD, expect_right) >= 6);
}

/* Every allocation of a load fails in turn: an error each time, and nothing leaks (sanitizer). */
static void starve(const char *path)
{
	enum jw_status status = JW_NOMEM;
	long n = 0;

	for (; status != JW_OK && n < 20000; n++) {
		struct jw_err e = { 0 };
		struct rules *rules = NULL;

		jw_mem_fail_after(n);
		status = rules_load(path, NULL, &rules, &e);
		jw_mem_fail_after(-1);
		if (status != JW_OK && !ok(status == JW_NOMEM && rules == NULL)) {
			tap_note("%s, allocation %ld: %s", path, n, e.text);
			return;
		}
		rules_free(rules);
	}
	ok(status == JW_OK);
}

TEST(every_allocation_may_fail)
{
	each_file(GOOD, starve);
}

TEST(missing_file)
{
	struct jw_err e = { 0 };
	struct rules *rules = NULL;

	ok(rules_load("testdata/rules/no-such.json", NULL, &rules, &e) == JW_INPUT);
	ok(strstr(e.text, "testdata/rules/no-such.json") != NULL);
	ok(rules == NULL);
}

TEST(too_many_groups)
{
	for (int count = 9999; count <= 10001; count++) {
		struct jw_buf b = { 0 };
		struct jw_err e = { 0 };
		struct rules *rules = NULL;

		jw_put_str(&b, "{\"jweave\":1,\"groups\":{");
		for (int i = 0; i < count; i++)
			jw_put_fmt(&b, "%s\n\"g%d\":\"A\"", i ? "," : "", i);
		jw_put_str(&b, "}}");
		is_int(rules_parse(jw_buf_span(&b), "t", NULL, &rules, &e),
		       count <= 10000 ? JW_OK : JW_RULES);
		if (count > 10000)
			is_str(e.text, "t:10002:1: /groups/g10000: too many groups (limit is "
				       "10000)");
		rules_free(rules);
		jw_buf_free(&b);
	}
}

TEST(too_large_and_too_many)
{
	struct jw_buf b = { 0 };
	struct jw_err e = { 0 };
	struct rules *rules = NULL;

	jw_put_str(&b, "{\"jweave\":1,\"x-a\":[1");
	for (int i = 0; i < 1000000; i++)
		jw_put_str(&b, ",1");
	jw_put_str(&b, "]}");
	ok(rules_parse(jw_buf_span(&b), "t", NULL, &rules, &e) == JW_RULES);
	is_str(e.text, "t:1:2000014: /x-a: too many values (limit is 1000000)");
	while (b.n <= (size_t)16 << 20)
		jw_put_zeros(&b, 1 << 20);
	ok(rules_parse(jw_buf_span(&b), "t", NULL, &rules, &e) == JW_RULES);
	is_str(e.text, "t:1:1: too large for a rules file (limit is 16 MiB)");
	jw_buf_free(&b);
}
