/*
 * t_alike.c: of warnings that are alike the first are told, and one of the others, with how many there are.
 */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/alike.h"
#include "tests/tap.h"

#include "base/banned.h"

static struct cli_alike alike;
static struct jw_arena arena;

static void begin(void)
{
	jw_arena_free(&arena);
	alike = (struct cli_alike){ 0 };
}

/* How many of N warnings "pN.jwr: SAID" wait. */
static size_t of(size_t n, const char *said)
{
	size_t waiting = 0;
	char text[200];

	for (size_t i = 1; i <= n; i++) {
		snprintf(text, sizeof(text), "p%zu.jwr: %zu %s", i, i * 7, said);
		waiting += cli_alike_waits(&alike, &arena, text);
	}
	return waiting;
}

static const char *next(void)
{
	static char line[300];
	const char *text;
	size_t more;

	if (!cli_alike_next(&alike, &text, &more))
		return "none";
	snprintf(line, sizeof(line), "%s, %zu more", text, more);
	return line;
}

TEST(the_first_three_are_told)
{
	begin();
	is_int(of(2, "chunks are missing"), 0);
	is_str(next(), "none");
	begin();
	is_int(of(3, "chunks are missing"), 0);
	is_str(next(), "none");
	begin();
	is_int(of(4, "chunks are missing"), 1);
	is_str(next(), "p4.jwr: 28 chunks are missing, 0 more");
	is_str(next(), "none");
}

TEST(of_the_others_one_with_their_number)
{
	begin();
	is_int(of(600, "chunks are missing"), 597);
	is_int(of(5, "calls were open"), 2);
	is_str(next(), "p4.jwr: 28 chunks are missing, 596 more");
	is_str(next(), "p4.jwr: 28 calls were open, 1 more");
	is_str(next(), "none");
	is_int(of(2, "chunks are missing"), 2); /* later */
	is_str(next(), "p1.jwr: 7 chunks are missing, 1 more");
	is_str(next(), "none");
}

TEST(what_is_of_no_recording_is_told)
{
	begin();
	for (int i = 0; i < 10; i++) {
		ok(!cli_alike_waits(&alike, &arena,
				    "rule 'a' (r.json:1) decides no method of 'a.jar'"));
		ok(!cli_alike_waits(&alike, &arena, "left out: a.jwr, b.jwr"));
		ok(!cli_alike_waits(&alike, &arena, ""));
	}
	is_str(next(), "none");
}

TEST(texts_that_differ_are_of_two_kinds)
{
	begin();
	is_int(of(3, "chunks are missing"), 0);
	is_int(of(3, "chunks are missing, of 3"), 0);
	is_int(of(3, "chunk"), 0);
	ok(!cli_alike_waits(&alike, &arena, "'/a/b.jwr' is left out: there is no recording"));
	ok(!cli_alike_waits(&alike, &arena, "'/a/c.jwr' is left out: it is damaged"));
	ok(cli_alike_waits(&alike, &arena, "/a.jwr/9.jwr: 1 chunks are missing"));
}

TEST(more_kinds_than_are_kept_apart_are_told)
{
	char said[40];

	begin();
	for (int i = 0; i <= CLI_ALIKE_KINDS; i++) {
		snprintf(said, sizeof(said), "kind %c%c of warning", 'a' + i % 26, 'a' + i / 26);
		is_int(of(4, said), i < CLI_ALIKE_KINDS);
	}
}

TEST(without_memory_they_are_told)
{
	for (long n = 0, failed = true; failed; n++) {
		begin();
		(void)jw_mem_fail_after(n);
		size_t waiting = of(4, "chunks are missing");

		failed = jw_mem_fail_after(-1);
		is_int(waiting, !failed);
	}
	begin();
}
