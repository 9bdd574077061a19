/*
 * regex.c: "re:..." items: POSIX extended regular expressions of the C library, made safe for rules
 * files from strangers. What would take exponential time or memory is refused before regcomp():
 *
 *     (a)\1           back references: exponential time
 *     ((a{60}){60}){60}, a++++++++++++++++++++
 *                     repetitions of repetitions: the library writes each of them out
 *     (a**){24}       what can match nothing in many ways: it goes all of them
 */
#include <pthread.h>
#include <regex.h>
#include <string.h>

#include "rules/regex.h"

#include "base/banned.h"

enum { MAX_REGEX = 256, MAX_REPEAT = 64, MAX_NESTING = 20, MAX_NODES = 600, MAX_WAYS = 64 };

/* A part of an expression, as the library expands it. */
struct part {
	uint32_t nodes;
	uint32_t ways; /* to match nothing */
	uint32_t most; /* the most such ways of any part inside; at least 1 */
};
static const struct part nothing = { 0, 1, 1 }, anchor = { 1, 1, 1 }, character = { 1, 0, 1 };

/* What has come since the latest '(' that is open. */
struct level {
	struct part before; /* alternatives */
	struct part row;    /* this alternative without its last part */
	struct part last;   /* which a repetition repeats */
};
static const struct level nothing_yet = { { 0, 0, 1 }, { 0, 1, 1 }, { 0, 1, 1 } };

struct check {
	struct rules_reading *c;
	const struct rules_json *json;
	struct jw_cur cur;
	size_t at; /* start of the part that is checked */
	unsigned depth;
	struct level levels[MAX_NESTING + 1];
};

static enum jw_status fail(const struct check *k, const char *what)
{
	return rules_json_fail_in(k->c->e, k->json, jw_span_sub(k->cur.s, k->at, k->cur.s.n), NULL,
				  "%s", what);
}

static uint32_t number(struct jw_cur *c)
{
	uint32_t v = 0;

	while (jw_cur_left(c) > 0 && jw_span_u1(c->s, c->pos) >= '0' &&
	       jw_span_u1(c->s, c->pos) <= '9') {
		uint32_t digit = (uint32_t)jw_cur_u1(c) - '0';

		v = v > MAX_REPEAT ? v : v * 10 + digit;
	}
	return v;
}

/* Saturates: above the limit the value does not matter. */
static uint32_t times(uint32_t a, uint32_t b)
{
	return a * b > MAX_WAYS ? MAX_WAYS + 1 : a * b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void begin_part(struct level *l, struct part part)
{
	l->row.nodes += l->last.nodes;
	l->row.ways = times(l->row.ways, l->last.ways);
	l->row.most = times(l->row.most, l->last.most);
	l->last = part;
}

static void begin_alternative(struct level *l)
{
	begin_part(l, nothing);
	l->before.nodes += l->row.nodes + 1;
	l->before.ways += l->row.ways;
	l->before.most = larger(times(l->before.most, l->row.most), l->before.ways);
	l->row = nothing;
}

/* All alternatives together are one part. */
static struct part end_alternatives(struct level *l)
{
	begin_alternative(l);
	l->last = l->before;
	return l->last;
}

static enum jw_status check_size(const struct check *k)
{
	const struct level *l = &k->levels[k->depth];

	if (l->row.nodes + l->last.nodes > MAX_NODES)
		return fail(k, "the regular expression multiplies repetitions: too large");
	if (times(l->row.most, l->last.most) > MAX_WAYS)
		return fail(k, "the regular expression can match nothing in too many ways, as "
			       "'(a*)*' can in two");
	return JW_OK;
}

/* The last part is repeated LEAST to MOST times; in a LOOP, any number of times. */
static enum jw_status repeat(struct check *k, uint32_t least, uint32_t most, bool loop)
{
	struct part *last = &k->levels[k->depth].last, one = *last;
	uint32_t copies = larger(most + loop, 1);

	*last = (struct part){ one.nodes * copies + 1, 1, 1 };
	for (uint32_t i = least; i < most + loop; i++)
		last->ways = times(last->ways, one.ways) + 1;
	for (uint32_t i = 0; i < least; i++)
		last->ways = times(last->ways, one.ways);
	for (uint32_t i = 0; i < copies; i++)
		last->most = times(last->most, one.most);
	last->most = larger(last->most, last->ways);
	return check_size(k);
}

/* After '{': n} n,} n,m} */
static enum jw_status check_repeat(struct check *k)
{
	uint32_t least = number(&k->cur), most = least;
	bool loop = false;

	if (jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == ',') {
		jw_cur_skip(&k->cur, 1);
		loop = jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == '}';
		most = number(&k->cur);
		most = most > least ? most : least;
	}
	if (jw_cur_u1(&k->cur) != '}')
		return fail(k, "the regular expression has a '{' that is not a repetition");
	if (most > MAX_REPEAT)
		return rules_json_fail_in(
			k->c->e, k->json, jw_span_sub(k->cur.s, k->at, 1), NULL,
			"repetition too large in the regular expression (limit is %d)", MAX_REPEAT);
	return repeat(k, least, most, loop);
}

/* After '[': to the matching ']'. */
static enum jw_status skip_bracket(struct check *k)
{
	size_t start = k->cur.pos;
	uint8_t c = jw_cur_u1(&k->cur);

	if (c == '^')
		c = jw_cur_u1(&k->cur), start++;
	while (jw_cur_ok(&k->cur) && (c != ']' || k->cur.pos == start + 1)) {
		uint8_t inner = jw_cur_left(&k->cur) > 0 ? jw_span_u1(k->cur.s, k->cur.pos) : 0;

		if (c == '[' && (inner == ':' || inner == '.' || inner == '=')) {
			jw_cur_skip(&k->cur, 1);
			while (jw_cur_ok(&k->cur) &&
			       !(jw_cur_u1(&k->cur) == inner && jw_cur_left(&k->cur) > 0 &&
				 jw_span_u1(k->cur.s, k->cur.pos) == ']'))
				;
			jw_cur_skip(&k->cur, 1);
		}
		c = jw_cur_u1(&k->cur);
	}
	return jw_cur_ok(&k->cur) ? JW_OK : fail(k, "the regular expression has a '[' without ']'");
}

/* After a backslash: GNU's anchors for words and the text. */
static bool is_anchor(const struct check *k)
{
	return jw_cur_left(&k->cur) > 0 && strchr("<>`'", jw_span_u1(k->cur.s, k->cur.pos)) != NULL;
}

/* After a backslash. */
static enum jw_status check_escape(struct check *k)
{
	uint8_t c = jw_cur_u1(&k->cur);

	if (!jw_cur_ok(&k->cur))
		return fail(k, "the regular expression ends with a backslash");
	if (!(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z'))
		return JW_OK;
	return rules_json_fail_in(k->c->e, k->json, jw_span_sub(k->cur.s, k->at, 1), NULL,
				  "'\\%c' is not in POSIX extended regular expressions%s", c,
				  c == 'd'   ? ": write [0-9]"
				  : c == 'w' ? ": write [A-Za-z0-9_]"
				  : c == 's' ? ": write [[:space:]]"
					     : "");
}

/* After '('. */
static enum jw_status open_group(struct check *k)
{
	if (jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == '?')
		return fail(k, "'(?' is not in POSIX extended regular expressions");
	if (k->depth == MAX_NESTING)
		return fail(k, "the regular expression is nested too deep");
	begin_part(&k->levels[k->depth], nothing);
	k->levels[++k->depth] = nothing_yet;
	return JW_OK;
}

/* After ')'. */
static enum jw_status close_group(struct check *k)
{
	struct level *inner = &k->levels[k->depth];

	if (k->depth == 0)
		return fail(k, "the regular expression has a ')' without '('");
	inner[-1].last = end_alternatives(inner);
	inner[-1].last.nodes++;
	k->depth--;
	return JW_OK;
}

static enum jw_status check_next(struct check *k)
{
	k->at = k->cur.pos;

	struct level *l = &k->levels[k->depth];
	uint8_t c = jw_cur_u1(&k->cur);

	switch (c) {
	case '(':
		return open_group(k);
	case ')':
		return close_group(k);
	case '{':
		return check_repeat(k);
	case '*':
		return repeat(k, 0, 0, true);
	case '+':
		return repeat(k, 1, 1, true);
	case '?':
		return repeat(k, 0, 1, false);
	case '|':
		begin_alternative(l);
		return JW_OK;
	case '\\':
		begin_part(l, is_anchor(k) ? anchor : character);
		return check_escape(k);
	case '[':
		begin_part(l, character);
		return skip_bracket(k);
	default:
		begin_part(l, c == '^' || c == '$' ? anchor : character);
		return JW_OK;
	}
}

/* All checks of the expression TEXT, in the string JSON, before regcomp(). */
static enum jw_status check_regex(struct rules_reading *c, const struct rules_json *json,
				  struct jw_span text)
{
	struct check k = { c, json, .cur = jw_cur(text) };

	if (text.n == 0)
		return fail(&k, "an empty regular expression");
	if (text.n > MAX_REGEX)
		return rules_json_fail(c->e, json, false, NULL,
				       "regular expression too long (limit is %d bytes)",
				       MAX_REGEX);
	k.levels[0] = nothing_yet;
	while (jw_cur_left(&k.cur) > 0)
		JW_TRY(check_next(&k));
	k.at = text.n;
	if (k.depth)
		return fail(&k, "the regular expression has a '(' without ')'");
	end_alternatives(&k.levels[0]);
	return check_size(&k);
}

/* ---- compiled ---- */

/* The library caches every state of its automaton, a few kilobytes each; with expressions such as
 * ".*[a-m].{20}" there is one for each character of all names. So the cache is dropped now and
 * then, by compiling anew. */
enum { MAX_ASKED = 16384 };

struct rules_regex {
	regex_t compiled;
	pthread_mutex_t lock;
	size_t asked;     /* characters */
	const char *text; /* as it was compiled */
	struct rules_regex *next;
};

static int compile(regex_t *to, const char *text)
{
	return regcomp(to, text, REG_EXTENDED | REG_NOSUB);
}

/* Without memory the old one stays. */
static void begin_anew(struct rules_regex *r)
{
	regex_t fresh;

	r->asked = 0;
	if (compile(&fresh, r->text) != 0)
		return;
	regfree(&r->compiled);
	r->compiled = fresh;
}

bool rules_regex_matches(struct rules_regex *regex, const char *text, size_t n)
{
	pthread_mutex_lock(&regex->lock); /* the library would lock, too */
	regex->asked += n;
	if (regex->asked > MAX_ASKED)
		begin_anew(regex);
	bool matches = regexec(&regex->compiled, text, 0, NULL, 0) == 0;

	pthread_mutex_unlock(&regex->lock);
	return matches;
}

void rules_regexes_free(struct rules_regex *first)
{
	for (struct rules_regex *r = first; r; r = r->next) {
		regfree(&r->compiled);
		pthread_mutex_destroy(&r->lock);
	}
}

enum jw_status rules_regex_read(struct rules_reading *c, const struct rules_json *json,
				struct jw_span text, struct rules_regex **out)
{
	struct rules_regex *regex;
	char why[128];
	int failed;

	JW_TRY(check_regex(c, json, text));
	regex = JW_NEW(c->arena, struct rules_regex);
	if (!regex)
		return jw_nomem(c->e);
	regex->text = jw_arena_fmt(c->arena, "^(%.*s)$", (int)text.n, (const char *)text.p);
	if (!regex->text)
		return jw_nomem(c->e);
	failed = compile(&regex->compiled, regex->text);
	if (failed) {
		(void)regerror(failed, &regex->compiled, why, sizeof why);
		return rules_json_fail_in(c->e, json, text, NULL, "wrong regular expression: %s",
					  why);
	}
	pthread_mutex_init(&regex->lock, NULL);
	regex->next = *c->regexes;
	*c->regexes = regex;
	*out = regex;
	return JW_OK;
}
