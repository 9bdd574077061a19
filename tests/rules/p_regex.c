/*
 * p_regex.c: no regular expression that rules may hold makes the C library explode: random ones,
 * full of repetitions, are refused, or compiled and asked in the memory and time of ordinary ones.
 *
 * Slow: 4 s, 6,000 names through a hard expression.
 */
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/bytes.h"
#include "tests/rules/kit.h"
#include "tests/tap.h"

#include "base/banned.h"

enum { EXPRESSIONS = 30000, SECONDS_MAX = 5 };

/* What expressions are made of; the repetitions come more often than the rest. */
static const char *random_piece(void)
{
	static const char *const pieces[] = { "a", "b", ".", "[a-c]", "(",     "(", ")",
					      ")", "|", "^", "$",     "\\\\<", "()" },
				 *const repeats[] = { "*",    "+",     "?",    "{2}",    "{3,}",
						      "{,4}", "{0,2}", "{24}", "{5,40}", "{64}" };

	if (tap_below(2))
		return repeats[tap_below(sizeof(repeats) / sizeof(*repeats))];
	return pieces[tap_below(sizeof(pieces) / sizeof(*pieces))];
}

/* Either a chain of one kind of repetition, or anything; parentheses are closed. */
static void put_expression(struct jw_buf *b)
{
	unsigned depth = 0;
	size_t n = 1 + tap_below(30);
	bool same = tap_below(4) == 0;
	const char *piece = random_piece();

	for (size_t i = 0; i < n; i++) {
		if (!same)
			piece = random_piece();
		depth += piece[0] == '(' && !piece[1];
		if (piece[0] == ')' && depth-- == 0)
			depth = 0;
		else
			jw_put_str(b, i == 0 && strchr("*+?{", piece[0]) ? "a" : piece);
	}
	while (depth--)
		jw_put_str(b, ")");
}

/* Rules that hold expression TEXT were taken; a method with a long name was asked for, then. */
static bool is_taken(struct jw_span text)
{
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class("a/B");
	struct rules_method m =
		kit_method("aaaabbbbccccaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "()V", 1, &code);
	struct jw_buf json = { 0 };
	struct rules *r = NULL;
	struct jw_err e = { 0 };

	jw_put_fmt(&json, "{\"jweave\":1,\"rules\":[{\"select\":{\"method\":\"re:%.*s\"}}]}",
		   (int)text.n, (const char *)text.p);
	if (rules_parse(jw_buf_span(&json), "t", NULL, &r, &e) == JW_OK)
		(void)rules_decide(r, &c, &m);
	else if (!r && !strstr(e.text, "regular expression") && !strstr(e.text, "repetition"))
		tap_note("%s", e.text);
	bool taken = r != NULL;
	jw_buf_free(&json);
	rules_free(r);
	return taken;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* 0 where sanitizers keep what is freed. */
static long most_kilobytes(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 0;
#else
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_maxrss;
#endif
}

/* One that is not refused, as it should be, would not end before the test's time is over. */
TEST(expressions_that_are_taken_are_cheap)
{
	struct jw_buf b = { 0 };
	int taken = 0;

	for (int i = 0; i < EXPRESSIONS; i++) {
		jw_buf_clear(&b);
		put_expression(&b);
		double begin = cpu_seconds();

		taken += is_taken(jw_buf_span(&b));
		if (cpu_seconds() - begin > SECONDS_MAX && !ok(false))
			tap_note("%.*s", (int)b.n, (const char *)b.p);
	}
	ok(taken > EXPRESSIONS / 20);
	ok(most_kilobytes() < 512 * 1024);
	jw_buf_free(&b);
}

TEST(ordinary_expressions_are_taken)
{
	static const char *const all[] = {
		"(get|set|is)?[A-Z].*",
		"([A-Z][a-z]*)+(_[a-z]+)*([.][A-Z][a-z]*)*",
		"[a-z]{1,64}[.][A-Z]{1,64}[.]x{2}[0-9]{3,}[$]?",
		"(a*b*c?)*x+y+z+(d|e|f|)+(g+h*)+",
		"com[.](acme|example)([.][a-z0-9]+)*[.](Main|.*Service|.*Controller)([$].*)?",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!ok(is_taken(jw_span_str(all[i]))))
			tap_note("%s", all[i]);
}

/* The places that the library may be in are others for each of these names. */
TEST(many_names_take_no_more_memory_than_few)
{
	struct rules *r =
		kit_rules("{'jweave':1,'rules':[{'select':{'method':'re:.*[a-m].{20}'}}]}");
	struct rules_class c = kit_class("a/B");
	struct kit_code code = KIT_BODY;
	long before = most_kilobytes();
	int wrong = 0;

	for (int i = 0; r && i < 6000; i++) {
		char name[31] = { 0 };

		for (int k = 0; k < 30; k++)
			name[k] = (char)('a' + tap_below(26));
		struct rules_method m = kit_method(name, "()V", 1, &code);

		wrong += (rules_decide(r, &c, &m).why == RULES_WHY_TRACED) != (name[9] <= 'm');
	}
	is_int(wrong, 0);
	ok(most_kilobytes() - before < 32 * 1024);
	rules_free(r);
}

TEST(limits)
{
	/* 2^6 ways; 9 * 65 + 14 and 15 nodes, and one for what they are in */
	ok(is_taken(JW_SPAN_LIT("(a**){6}")));
	ok(!is_taken(JW_SPAN_LIT("(a**){7}")));
	ok(!is_taken(JW_SPAN_LIT("a{64}{5}|b{64}{5}")));
	ok(is_taken(JW_SPAN_LIT(".{64}.{64}.{64}.{64}.{64}.{64}.{64}.{64}.{64}aaaaaaaaaaaaaa")));
	ok(!is_taken(JW_SPAN_LIT(".{64}.{64}.{64}.{64}.{64}.{64}.{64}.{64}.{64}aaaaaaaaaaaaaaa")));
}
