/*
 * t_json.c: the tree, its strings and numbers, and where everything is.
 */
#include <stdio.h>
#include <string.h>

#include "rules/json.h"
#include "tests/tap.h"

#include "base/banned.h"

static struct rules_json *parse(struct jw_arena *arena, const char *text)
{
	struct rules_json *root = NULL;
	struct jw_err e = { 0 };

	if (!ok(rules_json_parse(jw_span_str(text), "t", arena, &root, &e) == JW_OK))
		tap_note("%s: %s", text, e.text);
	return root;
}

TEST(values)
{
	struct jw_arena arena = { 0 };
	const struct rules_json *root = parse(
		&arena,
		"{\"s\":\"x\",\"i\":-12,\"f\":1.5e+3,\"t\":true,\"n\":null,\"l\":[1,[]],\"o\":{}}");

	if (!root)
		return;
	is_int(root->type, RULES_JSON_OBJECT);
	is_int(root->count, 7);
	is_str(rules_json_str(rules_json_get(root, "s")), "x");
	is_int(rules_json_get(root, "i")->integer, -12);
	ok(rules_json_get(root, "i")->is_integer);
	ok(!rules_json_get(root, "f")->is_integer);
	is_span(rules_json_get(root, "f")->text, JW_SPAN_LIT("1.5e+3"));
	ok(rules_json_get(root, "t")->boolean);
	is_int(rules_json_get(root, "n")->type, RULES_JSON_NULL);
	is_int(rules_json_get(root, "l")->first->integer, 1);
	is_int(rules_json_get(root, "l")->last->count, 0);
	is_int(rules_json_get(root, "o")->type, RULES_JSON_OBJECT);
	ok(rules_json_get(root, "x") == NULL);
	jw_arena_free(&arena);
}

TEST(integers_that_fit)
{
	struct jw_arena arena = { 0 };

	ok(parse(&arena, "999999999999999999")->is_integer);
	is_int(parse(&arena, "-99999999999999999")->integer, -99999999999999999LL);
	ok(!parse(&arena, "9999999999999999999")->is_integer);
	ok(parse(&arena, "0")->is_integer);
	ok(parse(&arena, "-0")->is_integer);
	ok(!parse(&arena, "0.0")->is_integer);
	jw_arena_free(&arena);
}

TEST(strings)
{
	struct jw_arena arena = { 0 };

	is_str(rules_json_str(parse(&arena, "\"\"")), "");
	is_str(rules_json_str(parse(&arena, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")), "\"\\/\b\f\n\r\t");
	is_str(rules_json_str(parse(&arena, "\"\\u0041\\u00e9\\u65e5\\uD83D\\ude00\"")),
	       "A\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80");
	is_str(rules_json_str(parse(&arena, "\"// no /* comment */\"")), "// no /* comment */");
	jw_arena_free(&arena);
}

/* The column that a complaint about the byte at OFFSET of ROOT's text is told at. */
static unsigned told_at(const struct rules_json *root, size_t offset, size_t n)
{
	struct jw_err e = { 0 };
	unsigned line = 0, column = 0;

	is_int(rules_json_fail_in(&e, root, jw_span_sub(root->text, offset, n), NULL, "no"),
	       JW_RULES);
	ok(sscanf(e.text, "t:%u:%u: no", &line, &column) == 2 && line == root->line);
	return column;
}

TEST(places_in_strings)
{
	/* every piece of a string as it is written, and as it is read */
	static const struct {
		const char *raw;
		size_t bytes;
		unsigned columns;
	} pieces[] = { { "a", 1, 1 },
		       { "\\\\", 1, 2 },
		       { "\\u0041", 1, 6 },
		       { "\xc3\xa9", 2, 1 },
		       { "\\/", 1, 2 },
		       { "\\u00e9", 2, 6 },
		       { "\\u65E5", 3, 6 },
		       { "\xe6\x97\xa5", 3, 1 },
		       { "\\ud83D\\ude00", 4, 12 },
		       { "\xf0\x9f\x98\x80", 4, 1 },
		       { "\\n", 1, 2 },
		       { " ", 1, 1 } };
	enum { PIECES = sizeof pieces / sizeof *pieces };
	struct jw_arena arena = { 0 };
	char text[4096];

	for (int round = 0; round < 50; round++) {
		uint32_t list[40], n = 1 + tap_below(40);
		size_t offset = 0;
		unsigned column = 4; /* after two blanks and the quote */

		size_t end = (size_t)snprintf(text, sizeof text, "  \"");
		for (uint32_t i = 0; i < n; i++) {
			list[i] = round == 0 ? 0 : tap_below(PIECES);
			end += (size_t)snprintf(text + end, sizeof text - end, "%s",
						pieces[list[i]].raw);
		}
		snprintf(text + end, sizeof text - end, "\"");
		const struct rules_json *root = parse(&arena, text);
		for (uint32_t i = 0; root && i < n; i++) {
			if (offset > 0)
				is_int(told_at(root, offset, 1), column);
			for (size_t k = 1; k < pieces[list[i]].bytes; k++) /* inside it */
				is_int(told_at(root, offset + k, 1), column);
			offset += pieces[list[i]].bytes;
			column += pieces[list[i]].columns;
		}
		is_int(told_at(root, offset, 0), column); /* something is missing at the end */
		is_int(told_at(root, 0, offset), 3);      /* all of it: where the value is */
		is_int(told_at(root, 0, 0), 4);
	}
	jw_arena_free(&arena);
}

TEST(places_of_what_is_no_string)
{
	struct jw_arena arena = { 0 };
	const struct rules_json *root = parse(&arena, " [ 12, \"\" ]");
	struct jw_err e = { 0 };

	(void)rules_json_fail_in(&e, root->first, jw_span_sub(root->first->text, 1, 1), NULL, "x");
	is_str(e.text, "t:1:4: /0: x");
	(void)rules_json_fail_in(&e, root->last, JW_SPAN_LIT("elsewhere"), "near", "x");
	is_str(e.text, "t:1:8: /1: x (did you mean \"near\"?)");
	(void)rules_json_fail_in(&e, root->last, jw_span(NULL, 0), NULL, "x");
	is_str(e.text, "t:1:8: /1: x");
	jw_arena_free(&arena);
}

TEST(places)
{
	struct jw_arena arena = { 0 };
	const struct rules_json *a, *b,
		*root = parse(&arena, "\xef\xbb\xbf{ // one\n"
				      "  /* t\nwo */ \"\xc3\xa9\": 1,\r\n"
				      "\t\"b\" :\n   [ \"\xf0\x9f\x98\x80\", 2 ] }");

	if (!root)
		return;
	is_int(root->line * 100 + root->column, 101);
	a = rules_json_get(root, "\xc3\xa9");
	is_int(a->key_line * 100 + a->key_column, 307);
	is_int(a->line * 100 + a->column, 312);
	b = rules_json_get(root, "b");
	is_int(b->key_line * 100 + b->key_column, 402);
	is_int(b->line * 100 + b->column, 504);
	is_int(b->last->line * 100 + b->last->column, 511);
	jw_arena_free(&arena);
}

TEST(messages)
{
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };
	const struct rules_json *root = parse(&arena, "{\"a/b~c\":[0,{\"k\":1}]}");
	const struct rules_json *k = root->first->last->first;

	is_int(rules_json_fail(&e, k, true, NULL, "x%d", 1), JW_RULES);
	is_str(e.text, "t:1:14: /a~1b~0c/1/k: x1");
	(void)rules_json_fail(&e, k, false, "near", "bad \x1b[31m\n");
	is_str(e.text, "t:1:18: /a~1b~0c/1/k: bad ?[31m? (did you mean \"near\"?)");
	(void)rules_json_fail(&e, root, false, NULL, "top");
	is_str(e.text, "t:1:1: top");
	(void)rules_json_fail(NULL, root, false, NULL, "top");
	jw_arena_free(&arena);
}

TEST(depth_limit)
{
	char text[2 * RULES_JSON_MAX_DEPTH + 8];

	for (size_t depth = RULES_JSON_MAX_DEPTH - 1; depth <= RULES_JSON_MAX_DEPTH + 1; depth++) {
		struct jw_arena arena = { 0 };
		struct rules_json *root = NULL;

		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		ok((rules_json_parse(jw_span(text, 2 * depth), "t", &arena, &root, NULL) ==
		    JW_OK) == (depth <= RULES_JSON_MAX_DEPTH));
		jw_arena_free(&arena);
	}
}

/* Cut anywhere, and any byte anywhere: an answer each time, and a place in every complaint. */
TEST(every_cut_and_every_byte)
{
	static const char text[] =
		"{ \"jweave\": 1, /* c */ \"a\": [ -1.5e3, true, \"\\u00e9\\n\xc3\xa9\" ] } // e";

	for (size_t n = 0; n < sizeof text - 1; n++) {
		struct jw_arena arena = { 0 };
		struct rules_json *root = NULL;
		struct jw_err e = { 0 };
		bool good = rules_json_parse(jw_span(text, n), "t", &arena, &root, &e) == JW_OK;

		ok(good == (root != NULL));
		ok(good || strncmp(e.text, "t:1:", 4) == 0);
		jw_arena_free(&arena);
		for (int byte = 0; byte < 256; byte += 3) {
			char copy[sizeof text];

			memcpy(copy, text, sizeof text);
			copy[n] = (char)byte;
			root = NULL;
			good = rules_json_parse(jw_span(copy, sizeof text - 1), "t", &arena, &root,
						&e) == JW_OK;
			ok(good == (root != NULL));
			jw_arena_free(&arena);
		}
	}
}
