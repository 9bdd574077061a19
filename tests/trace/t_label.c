/*
 * t_label.c: labels of methods that are too long, and what is read of a label.
 */
#include "tests/tap.h"

#include <stdio.h>
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/label_read.h"

#include "base/banned.h"

static struct trace_method method = { .class_name = "a.b.C",
				      .name = "m",
				      .source = "C.java",
				      .line = 7,
				      .descriptor = "(ILjava/lang/String;J)Lx/Y;",
				      .rule = "",
				      .label = "" };

static void is_cut(size_t max, const char *want)
{
	struct jw_buf b = { 0 };

	trace_put_label(&b, &method, 1, max);
	is_span(jw_buf_span(&b), jw_span_str(want));
	ok(b.n <= max);
	jw_buf_free(&b);
}

static void is_read(const char *label, const char *class_name, const char *name,
		    const char *descriptor)
{
	struct trace_method_words words = { 0 };
	struct jw_arena arena = { 0 };

	ok(trace_label_read(&arena, label, &words));
	is_str(words.class_name, class_name);
	is_str(words.name, name);
	is_str(words.descriptor, descriptor);
	jw_arena_free(&arena);
}

static void is_split(const char *label, const char *full, const char *file, uint64_t line)
{
	struct trace_label_parts l = trace_label_split(label);

	is_span(l.full, jw_span_str(full));
	is_span(l.file, jw_span_str(file));
	is_int((long long)l.line, (long long)line);
}

static const char whole[] = "C.m [a.b.C.m(int, java.lang.String, long):x.Y C.java:7]";

TEST(what_is_too_long_is_cut_in_its_types)
{
	size_t n = strlen(whole);

	is_cut(n + 1, whole);
	is_cut(n, whole);
	is_cut(n - 1, "C.m [a.b.C.m(int, java.lang.String, long...) C.java:7]");
	is_cut(36, "C.m [a.b.C.m(int, java...) C.java:7]");
	is_cut(28, "C.m [a.b.C.m(i...) C.java:7]");
	is_cut(27, "C.m [a.b.C.m(...) C.java:7]");
	is_cut(26, "C.m [a.b.C.m C.java:7]");
	is_cut(21, "C.m [a.b... C.java:7]");
}

TEST(a_label_that_was_cut_has_a_class_and_a_name)
{
	is_read(whole, "a.b.C", "m", "(ILjava/lang/String;J)Lx/Y;");
	is_read("C.m [a.b.C.m():void]", "a.b.C", "m", "()V");
	is_read("C.m [a.b.C.m(int, java.lang.String, lon...) C.java:7]", "a.b.C", "m", "");
	is_read("C.m [a.b.C.m(...)]", "a.b.C", "m", "");
	/* of older versions */
	is_read("C.m [a.b.C.m(int, java.lang... C.java:7]", "a.b.C", "m", "");
	is_read("C.m [a.b.C.m(int, java.lang...]", "a.b.C", "m", "");
	is_read("C.m [a.b.C.m(int):java.lang... C.java:7]", "a.b.C", "m", "");
	is_read("C.m [a.b.C... C.java:7]", "", "", "");
	is_read("C.m [a.b.C.m C.java:7]", "", "", "");
	is_read("C.m", "", "", "");
}

/* A .pcf cannot have brackets; what else is in parentheses stays. */
TEST(addresses_get_their_brackets_back)
{
	static const char *const names[][2] = {
		{ "tcp (::):80", "tcp [::]:80" },
		{ "tcp (::1):4000 > (fe80::1%eth0.1):80", "tcp [::1]:4000 > [fe80::1%eth0.1]:80" },
		{ "tcp (::ffff:10.0.0.1):80", "tcp [::ffff:10.0.0.1]:80" },
		{ "tcp 10.0.0.1:80", "tcp 10.0.0.1:80" },
		{ "/tmp/a (copy):1", "/tmp/a (copy):1" },
		{ "/tmp/(::):1", "/tmp/(::):1" },
		{ "tcp (::)", "tcp (::)" },
		{ "tcp (::", "tcp (::" },
		{ "(::):1", "(::):1" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s", names[i][0]);
		trace_mend_name(TRACE_NAME_CHANNEL, text, strlen(text));
		is_str(text, names[i][1]);
	}
}

TEST(it_has_a_place)
{
	is_split(whole, "a.b.C.m(int, java.lang.String, long):x.Y", "C.java", 7);
	is_split("C.m [a.b.C.m(int, java...) C.java:7]", "a.b.C.m(int, java...)", "C.java", 7);
	is_split("C.m [a.b.C.m(int, java... C.java:7]", "a.b.C.m(int, java...", "C.java", 7);
	is_split("C.m [a.b.C... C.java:7]", "a.b.C...", "C.java", 7);
	is_split("C.m [a.b.C.m(int, java...)]", "a.b.C.m(int, java...)", "", 0);
	is_split("C.m [a.b.C.m(int, java...]", "a.b.C.m(int, java...", "", 0);
	is_split("C.m [a.b.C.m(int, long):void]", "a.b.C.m(int, long):void", "", 0);
	is_split("C.m [region load]", "region load", "", 0);
}
