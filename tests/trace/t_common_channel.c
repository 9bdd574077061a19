/*
 * t_common_channel.c: several connections and files as one text.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/report/common_channel.h"

#include "base/banned.h"

static struct jw_arena arena;

#define TEXT_OF(...)                                  \
	text_of((const char *const[]){ __VA_ARGS__ }, \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static const char *text_of(const char *const *names, size_t n)
{
	struct trace_common_channel common = { 0 };

	jw_arena_free(&arena);
	for (size_t i = 0; i < n; i++)
		trace_common_channel_add(&common, names[i]);
	return trace_common_channel_text(&common, &arena);
}

TEST(one)
{
	is_str(text_of(NULL, 0), "");
	is_str(TEXT_OF("tcp a:1 > b:2"), "tcp a:1 > b:2");
	is_str(TEXT_OF("/a.txt"), "/a.txt");
}

TEST(what_all_have_in_common)
{
	is_str(TEXT_OF("tcp a:1 > b:2", "tcp a:3 > b:2"), "2 connections to b:2");
	is_str(TEXT_OF("tcp b:2 < a:1", "tcp b:2 < a:3", "tcp b:2 < a:4"), "3 connections at b:2");
	is_str(TEXT_OF("unix /s < ?", "unix /s < ?"), "2 connections at /s");
}

TEST(what_has_nothing_in_common)
{
	is_str(TEXT_OF("tcp a:1 > b:2", "tcp a:1 > b:3"), "2 connections");
	is_str(TEXT_OF("tcp a:1 > b:2", "tcp b:2 < a:1"), "2 connections");
	is_str(TEXT_OF("tcp a:1", "tcp a:1"), "2 connections"); /* with one end */
	is_str(TEXT_OF("udp ", "tcp a:1 > b:2"), "2 connections");
	is_str(TEXT_OF("tcp < a:1", "tcp < a:1"),
	       "2 connections"); /* of a trace that was made up */
	is_str(TEXT_OF("/a", "/b", "/c"), "3 files");
}

TEST(connections_and_files)
{
	is_str(TEXT_OF("/a", "tcp a:1 > b:2", "/b"), "tcp a:1 > b:2 and 2 files");
	is_str(TEXT_OF("tcp a:1 > b:2", "/a", "tcp a:3 > b:2"), "2 connections to b:2 and /a");
}

TEST(without_memory)
{
	struct trace_common_channel common = { 0 };
	long n = 0;
	const char *text;

	jw_arena_free(&arena);
	trace_common_channel_add(&common, "/a");
	trace_common_channel_add(&common, "/b");
	trace_common_channel_add(&common, "tcp a:1 > b:2");
	do {
		jw_mem_fail_after(n++);
		text = trace_common_channel_text(&common, &arena);
		(void)jw_mem_fail_after(-1);
		if (!text)
			jw_arena_free(&arena);
	} while (!text && n < 100);
	ok(n > 1);
	is_str(text, "tcp a:1 > b:2 and 2 files");
	jw_arena_free(&arena);
}
