/*
 * t_text.c: bytes from anywhere as text that is safe to show.
 */
#include <string.h>

#include "cli/out.h"
#include "cli/safe_text.h"
#include "tests/tap.h"

#include "base/banned.h"

static const char *text_of(struct jw_buf *buf)
{
	static char text[512];
	size_t n = buf->n < sizeof(text) ? buf->n : sizeof(text) - 1;

	if (n)
		memcpy(text, buf->p, n);
	text[n] = '\0';
	jw_buf_free(buf);
	return text;
}

static const char *escaped(struct jw_span s)
{
	struct jw_buf buf = { 0 };

	cli_put_escaped(&buf, s);
	return text_of(&buf);
}

static const char *method(const char *name, const char *descriptor)
{
	struct jw_buf buf = { 0 };

	cli_put_method(&buf, jw_span_str(name), jw_span_str(descriptor));
	return text_of(&buf);
}

TEST(plain_text_stays)
{
	is_str(escaped(JW_SPAN_LIT("caf\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80")),
	       "caf\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80");
	is_str(escaped(JW_SPAN_LIT("")), "");
}

TEST(control_characters_are_shown)
{
	is_str(escaped(JW_SPAN_LIT("a\nb\x1b[31m\x7f\t")), "a\\x0ab\\x1b[31m\\x7f\\x09");
	is_str(escaped(JW_SPAN_LIT("\xc2\x85|\xc2\xa0")), "\\xc2\\x85|\xc2\xa0"); /* C1, and not */
	is_str(escaped(JW_SPAN_LIT("\xe2\x80\xae")), "\\xe2\\x80\\xae"); /* right to left */
}

TEST(bytes_that_are_not_utf8_are_shown)
{
	is_str(escaped(JW_SPAN_LIT("\xff\xc3")), "\\xff\\xc3");
	is_str(escaped(JW_SPAN_LIT("\xc0\x80")), "\\xc0\\x80");                   /* overlong */
	is_str(escaped(JW_SPAN_LIT("\xe0\x80\x80")), "\\xe0\\x80\\x80");          /* overlong */
	is_str(escaped(JW_SPAN_LIT("\xed\xa0\x80")), "\\xed\\xa0\\x80");          /* surrogate */
	is_str(escaped(JW_SPAN_LIT("\xf4\x90\x80\x80")), "\\xf4\\x90\\x80\\x80"); /* too large */
	is_str(escaped(JW_SPAN_LIT("\xe4\xb8")), "\\xe4\\xb8");                   /* cut */
}

TEST(methods_as_java_writes_them)
{
	is_str(method("run", "()V"), "run():void");
	is_str(method("f", "(I[[JLjava/lang/String;Z)[Ljava/util/Map$Entry;"),
	       "f(int, long[][], java.lang.String, boolean):java.util.Map$Entry[]");
	is_str(method("f", "(BCDFS)B"), "f(byte, char, double, float, short):byte");
	is_str(method("f", "broken"), "fbroken");
	is_str(method("<init>", "(I"), "<init>(I");
}

TEST(classes_have_dots)
{
	struct jw_buf buf = { 0 };

	cli_put_class(&buf, JW_SPAN_LIT("com/acme/Foo$Bar"));
	is_str(text_of(&buf), "com.acme.Foo$Bar");
}

TEST(widths_and_plurals)
{
	struct jw_arena arena = { 0 };

	is_int(cli_width(JW_SPAN_LIT("caf\xc3\xa9")), 4);
	is_str(cli_plural(&arena, 1, "class", "classes"), "1 class");
	is_str(cli_plural(&arena, 0, "class", "classes"), "0 classes");
	is_str(cli_plural(&arena, 2, "class", "classes"), "2 classes");
	jw_arena_free(&arena);
}

TEST(last_part_of_a_path)
{
	struct jw_arena arena = { 0 };

	is_str(cli_base_name(&arena, "/a/b.jar"), "b.jar");
	is_str(cli_base_name(&arena, "a/b//"), "b");
	is_str(cli_base_name(&arena, "b"), "b");
	is_str(cli_base_name(&arena, "/"), "/");
	is_str(cli_base_name(&arena, ".."), "..");
	jw_arena_free(&arena);
	ok(cli_is_archive_name("x.war") && !cli_is_archive_name("x.class"));
}

static const char *progress(bool bytes, double passed, double done, double all)
{
	struct cli_progress p = { .what = "weaving", .bytes = bytes };
	struct jw_buf buf = { 0 };

	cli_progress_text(&buf, &p, passed, done, all);
	return text_of(&buf);
}

TEST(progress_says_rate_and_rest)
{
	is_str(progress(true, 2, 50e6, 100e6), "weaving  50 %, 25.0 MB/s, 0:02 left");
	is_str(progress(false, 30, 0.25, 1), "weaving  25 %, 1:30 left");
	is_str(progress(false, 3, 1, 1), "weaving 100 %");
	is_str(progress(true, 2, 0, 100), "weaving   0 %, 0.0 MB/s");
	is_str(progress(false, 3, 7, 0),
	       "weaving 100 %"); /* nothing to do, or more than was said */
}
