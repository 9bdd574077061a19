/*
 * t_glob.c: compiled globs equal a naive matcher, and cost what they promise whatever the pattern.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "rules/glob.h"
#include "tests/tap.h"

#include "base/banned.h"

static bool matches(const char *pattern, enum rules_glob_mode mode, const char *text)
{
	struct jw_arena arena = { 0 };
	struct rules_glob glob;
	struct jw_err e = { 0 };
	bool yes = false;

	if (ok(rules_glob_compile(jw_span_str(pattern), mode, &arena, &glob, NULL, &e) == JW_OK))
		yes = rules_glob_match(&glob, jw_span_str(text));
	else
		tap_note("%s: %s", pattern, e.text);
	jw_arena_free(&arena);
	return yes;
}

/*
 * The definition, word for word: P over T, both at their start. SEP is what separates segments in
 * T; a dot of P stands for it in the dotted modes. FIRST: at the start of a segment of the pattern.
 */
static bool naive(const char *p, const char *t, bool dotted, bool first)
{
	if (*p == 0)
		return *t == 0;
	if (*p == '*') {
		size_t n = strspn(p, "*");
		bool cross = n > 1;

		if (cross && first && dotted && p[n] == '.' && naive(p + n + 1, t, dotted, true))
			return true;
		for (;; t++) {
			if (naive(p + n, t, dotted, false))
				return true;
			if (*t == 0 || (!cross && *t == '/'))
				return false;
		}
	}
	if (*t == 0)
		return false;
	if (*p == '?')
		return *t != '/' && naive(p + 1, t + 1, dotted, false);
	if (dotted && *p == '.')
		return *t == '/' && naive(p + 1, t + 1, dotted, true);
	return *p == *t && naive(p + 1, t + 1, dotted, false);
}

static void random_text(char *out, size_t max, const char *alphabet)
{
	size_t n = tap_below((uint32_t)max);

	for (size_t i = 0; i < n; i++)
		out[i] = alphabet[tap_below((uint32_t)strlen(alphabet))];
	out[n] = 0;
}

/* Class patterns over an alphabet so small that matches are frequent. */
TEST(equals_the_naive_matcher)
{
	size_t compared = 0, matched = 0;

	for (int i = 0; i < 60000; i++) {
		char pattern[14], text[14];
		struct jw_arena arena = { 0 };
		struct rules_glob glob;
		bool want;

		random_text(pattern, sizeof pattern, "aab**.?");
		random_text(text, sizeof text, "aab/");
		if (rules_glob_compile(jw_span_str(pattern), RULES_GLOB_CLASS, &arena, &glob, NULL,
				       NULL) == JW_OK) {
			want = naive(pattern, text, true, true);
			compared++;
			matched += want;
			if (rules_glob_match(&glob, jw_span_str(text)) != want) {
				tap_note("pattern %s, text %s, want %d", pattern, text, want);
				ok(false);
				jw_arena_free(&arena);
				return;
			}
		}
		jw_arena_free(&arena);
	}
	tap_note("%zu compared, %zu matched", compared, matched);
	ok(compared > 20000 && matched > 1000);
}

/* Long patterns: more than one word of states, and a text made from the pattern. */
TEST(equals_the_naive_matcher_over_words)
{
	size_t matched = 0;

	for (int i = 0; i < 2000; i++) {
		char pattern[260], text[300];
		struct jw_arena arena = { 0 };
		struct rules_glob glob;
		size_t n = 60 + tap_below(140), m = 0, stars = 0;
		bool want;

		for (size_t k = 0; k < n; k++) {
			uint32_t r = tap_below(40);
			char c = r < 3 && stars < 5 ? '*' : r == 3 ? '?' : r == 4 && k ? '/' : 'a';

			stars += c == '*';
			pattern[k] = c;
			if (c == '*' && tap_below(2))
				text[m++] = 'a';
			else if (c != '*')
				text[m++] = c == '?' ? 'b' : c;
		}
		pattern[n] = text[m] = 0;
		if (m > 0 && tap_below(2))
			text[tap_below((uint32_t)m)] = 'a';
		ok(rules_glob_compile(jw_span_str(pattern), RULES_GLOB_PATH, &arena, &glob, NULL,
				      NULL) == JW_OK);
		want = naive(pattern, text, false, false);
		matched += want;
		if (rules_glob_match(&glob, jw_span_str(text)) != want) {
			tap_note("pattern %s, text %s, want %d", pattern, text, want);
			ok(false);
		}
		jw_arena_free(&arena);
	}
	ok(matched > 300 && matched < 1990);
}

/* Steps, not seconds: at most one word per 64 tokens for each byte, whatever is asked. */
TEST(linear_whatever_the_pattern)
{
	static char text[20001];
	char pattern[RULES_GLOB_MAX + 1];

	memset(text, 'a', sizeof text - 1);
	for (int kind = 0; kind < 4; kind++) {
		static const char *const unit[] = { "*a", "a*?", "**a", "*a**" };
		struct jw_arena arena = { 0 };
		struct rules_glob glob;
		uint64_t half = 0, whole = 0;
		size_t n = 0;

		while (n + strlen(unit[kind]) + 4 < RULES_GLOB_MAX) {
			memcpy(pattern + n, unit[kind], strlen(unit[kind]));
			n += strlen(unit[kind]);
		}
		memcpy(pattern + n, "?*b*", 4); /* never there: all has to be tried */
		n += 4;
		ok(rules_glob_compile(jw_span(pattern, n), RULES_GLOB_CLASS, &arena, &glob, NULL,
				      NULL) == JW_OK);
		ok(!rules_glob_match_counted(&glob, jw_span(text, 10000), &half));
		ok(!rules_glob_match_counted(&glob, jw_span(text, 20000), &whole));
		ok(whole <= 2 * half);
		ok(whole <= 20000 * (1 + RULES_GLOB_MAX / 64) + 1);
		ok(whole >= 20000);
		jw_arena_free(&arena);
	}
}

TEST(simple_shapes_take_one_step)
{
	static const char *const patterns[] = { "com.acme.Foo", "com.acme.**", "**Impl", "**" };
	static char text[60000];

	memset(text, 'x', sizeof text);
	for (size_t i = 0; i < 4; i++) {
		struct jw_arena arena = { 0 };
		struct rules_glob glob;
		uint64_t steps = 0;

		ok(rules_glob_compile(jw_span_str(patterns[i]), RULES_GLOB_CLASS, &arena, &glob,
				      NULL, NULL) == JW_OK);
		(void)rules_glob_match_counted(&glob, jw_span(text, sizeof text), &steps);
		is_int(steps, 1);
		is_int(glob.shape, i == 3 ? RULES_GLOB_PREFIX : i);
		jw_arena_free(&arena);
	}
}

TEST(packages)
{
	ok(matches("com.acme", RULES_GLOB_PACKAGE, "com/acme/"));
	ok(!matches("com.acme", RULES_GLOB_PACKAGE, "com/acme/x/"));
	ok(matches("com.acme.**", RULES_GLOB_PACKAGE, "com/acme/"));
	ok(matches("com.acme.**", RULES_GLOB_PACKAGE, "com/acme/x/y/"));
	ok(!matches("com.acme.**", RULES_GLOB_PACKAGE, "com/acmex/"));
	ok(matches("com.acme.*", RULES_GLOB_PACKAGE, "com/acme/x/"));
	ok(!matches("com.acme.*", RULES_GLOB_PACKAGE, "com/acme/"));
	ok(matches("**.impl", RULES_GLOB_PACKAGE, "impl/"));
	ok(matches("**.impl", RULES_GLOB_PACKAGE, "a/b/impl/"));
	ok(matches("**.impl.**", RULES_GLOB_PACKAGE, "a/impl/b/"));
	ok(matches("**", RULES_GLOB_PACKAGE, ""));
	ok(matches("**.**.**.a", RULES_GLOB_PACKAGE, "a/"));
}

TEST(paths)
{
	ok(matches("lib/*.jar", RULES_GLOB_PATH, "lib/a.b.jar"));
	ok(!matches("lib/*.jar", RULES_GLOB_PATH, "lib/x/a.jar"));
	ok(matches("**/*.class", RULES_GLOB_PATH, "a/b/C.class"));
	ok(matches("**/*.class", RULES_GLOB_PATH, "C.class"));
	ok(matches("/a", RULES_GLOB_PATH, "/a"));
	ok(matches("Foo Bar.java", RULES_GLOB_PATH, "Foo Bar.java"));
}

/* One '?' is one character of any length; above U+FFFF class files have two. */
TEST(characters)
{
	ok(matches("caf?", RULES_GLOB_NAME, "caf\xc3\xa9"));
	ok(!matches("caf??", RULES_GLOB_NAME, "caf\xc3\xa9"));
	ok(matches("?", RULES_GLOB_NAME, "\xe6\x97\xa5"));
	ok(matches("?\xe6\x9c\xac?", RULES_GLOB_NAME, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"));
	ok(matches("a.\xf0\x9f\x98\x80", RULES_GLOB_CLASS, "a/\xed\xa0\xbd\xed\xb8\x80"));
	ok(matches("a.??", RULES_GLOB_CLASS, "a/\xed\xa0\xbd\xed\xb8\x80"));
	ok(!matches("a.?", RULES_GLOB_CLASS, "a/\xed\xa0\xbd\xed\xb8\x80"));
	ok(matches("\xf0\x9f\x98\x80", RULES_GLOB_PATH, "\xf0\x9f\x98\x80"));
}

TEST(length_limit)
{
	char pattern[RULES_GLOB_MAX + 2];
	struct jw_arena arena = { 0 };
	struct rules_glob glob;
	struct jw_err e = { 0 };

	memset(pattern, 'a', sizeof pattern);
	pattern[0] = '*'; /* an automaton, not a literal */
	pattern[5] = '?';
	ok(rules_glob_compile(jw_span(pattern, RULES_GLOB_MAX - 1), RULES_GLOB_PACKAGE, &arena,
			      &glob, NULL, &e) == JW_OK);
	ok(rules_glob_compile(jw_span(pattern, RULES_GLOB_MAX), RULES_GLOB_PACKAGE, &arena, &glob,
			      NULL, &e) == JW_OK);
	ok(rules_glob_compile(jw_span(pattern, RULES_GLOB_MAX + 1), RULES_GLOB_PACKAGE, &arena,
			      &glob, NULL, &e) == JW_RULES);
	is_str(e.text, "pattern too long (limit is 1024 bytes)");
	ok(rules_glob_compile(jw_span(pattern, 0), RULES_GLOB_NAME, &arena, &glob, NULL, &e) ==
	   JW_RULES);
	jw_arena_free(&arena);
}

TEST(an_empty_pattern_is_refused)
{
	struct jw_arena own = { 0 };
	struct rules_glob none;
	struct jw_err e = { 0 };

	is_int(rules_glob_compile(jw_span(NULL, 0), RULES_GLOB_CLASS, &own, &none, NULL, &e),
	       JW_RULES);
	is_str(e.text, "an empty pattern matches nothing");
	jw_arena_free(&own);
}
