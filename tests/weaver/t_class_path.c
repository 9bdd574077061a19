/* One attribute of a manifest: read with its lines joined, written with them cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/base/make_zip.h"
#include "tests/tap.h"
#include "weaver/archive/jar_class_path.h"
#include "weaver/archive/manifest.h"

#include "base/banned.h"

static const char *value(struct jw_span text, const char *name)
{
	static char out[4096];
	struct jw_buf buf = { 0 };

	out[0] = '\0';
	if (!weave_manifest_value(text, name, &buf))
		return NULL;
	if (buf.n < sizeof(out)) {
		if (buf.n)
			memcpy(out, buf.p, buf.n);
		out[buf.n] = '\0';
	}
	jw_buf_free(&buf);
	return out;
}

static const char *value_of(const char *text, const char *name)
{
	return value(jw_span_str(text), name);
}

TEST(values)
{
	static const char text[] =
		"Manifest-Version: 1.0\r\nclass-path: a.jar b.\r\n jar  c.jar\r\n"
		"Main-Class:p.Main\n\nName: x\nStart-Class: late\n";

	is_str(value_of(text, "Class-Path"), "a.jar b.jar  c.jar");
	is_str(value_of(text, "Main-Class"), "p.Main");
	ok(value_of(text, "Start-Class") == NULL); /* of another section */
	ok(value_of(text, "Name") == NULL);
	ok(value_of("", "Name") == NULL);
	is_str(value_of("A: x", "A"), "x");
	is_str(value_of("A:", "A"), "");
	is_str(value_of("A: x\ry\r z\r", "A"), "x");
}

/* Values of every length around the cut come back as they were, in lines of at most 72 bytes. */
TEST(set_and_read_back)
{
	char text[400];
	long wrong = 0;

	for (size_t n = 0; n < sizeof(text) - 1; n++) {
		struct jw_buf out = { 0 };
		size_t column = 0, longest = 0;

		for (size_t i = 0; i < n; i++)
			text[i] = (char)('a' + i % 26);
		text[n] = '\0';
		weave_manifest_set(
			JW_SPAN_LIT("Manifest-Version: 1.0\nClass-Path: old\n er\nZ: z\n"),
			"Class-Path", jw_span_str(text), &out);
		for (size_t i = 0; i < out.n; i++) {
			column = out.p[i] == '\n' || out.p[i] == '\r' ? 0 : column + 1;
			longest = column > longest ? column : longest;
		}
		bool same = strcmp(value(jw_buf_span(&out), "Class-Path"), text) == 0 &&
			    strcmp(value(jw_buf_span(&out), "Z"), "z") == 0 &&
			    strcmp(value(jw_buf_span(&out), "Manifest-Version"), "1.0") == 0;
		wrong += !same || longest > 72;
		jw_buf_free(&out);
	}
	is_int(wrong, 0);
}

TEST(no_jar)
{
	struct weave_jar_facts facts;
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	is_int(weave_jar_facts("tests/tap.c", &arena, &facts, &e), JW_INPUT);
	ok(!weave_jar_has("tests/tap.c", "x"));
	ok(!weave_jar_has("tests/nowhere.jar", "x"));
	is_int(weave_jar_set_class_path("tests/tap.c", "/nonexistent/out", "x", &e), JW_INPUT);
	jw_arena_free(&arena);
}

TEST(a_jar_without_a_manifest_has_no_class_path_to_set)
{
	char path[] = "/tmp/jw-class-path-XXXXXX", want[64];
	struct made_zip z = { 0 };
	struct jw_err e = { 0 };

	made_store(&z, "A.class", "x");
	struct jw_span bytes = made_finish(&z, 1, "", false);
	int fd = mkstemp(path);
	ok(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n && close(fd) == 0);
	is_int(weave_jar_set_class_path(path, "/dev/null", "lib.jar", &e), JW_INPUT);
	snprintf(want, sizeof(want), "%s: has no manifest", path);
	is_str(e.text, want);
	unlink(path);
	made_free(&z);
}
