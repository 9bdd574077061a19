/*
 * regex.c: "re:..." items: POSIX extended regular expressions of the C library, made safe to take
 * from a stranger's rules file. What makes them explode is refused before regcomp() sees it: back
 * references (exponential time), and counted repetition that multiplies (exponential memory).
 */
#include <stdio.h>
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum { MAX_REGEX = 256, MAX_REPEAT = 64, MAX_NODES = 10000, MAX_NESTING = 20 };

struct check {
	struct compile *c;
	const struct rules_json *json;
	struct jw_cur cur;
	size_t at; /* where what is looked at begins */
	unsigned depth;
	uint32_t nodes; /* length times all counted repetitions */
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

/* Behind '{': n} n,} n,m} */
static enum jw_status check_repeat(struct check *k)
{
	uint32_t most = number(&k->cur);

	if (jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == ',') {
		jw_cur_skip(&k->cur, 1);
		uint32_t upper = number(&k->cur);

		most = upper > most ? upper : most;
	}
	if (jw_cur_u1(&k->cur) != '}')
		return fail(k, "the regular expression has a '{' that is no repetition");
	if (most > MAX_REPEAT)
		return rules_json_fail_in(
			k->c->e, k->json, jw_span_sub(k->cur.s, k->at, 1), NULL,
			"repetition too large in the regular expression (limit is %d)", MAX_REPEAT);
	k->nodes *= most > 1 ? most : 1;
	if (k->nodes > MAX_NODES)
		return fail(k, "the regular expression multiplies repetitions: too large");
	return JW_OK;
}

/* Behind '[': to the matching ']'. */
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

/* Behind a backslash. */
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

static enum jw_status check_next(struct check *k)
{
	uint8_t c;

	k->at = k->cur.pos;
	c = jw_cur_u1(&k->cur);
	if (c == '(') {
		if (jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == '?')
			return fail(k, "'(?' is not in POSIX extended regular expressions");
		if (++k->depth > MAX_NESTING)
			return fail(k, "the regular expression is nested too deep");
	} else if (c == ')') {
		if (k->depth-- == 0)
			return fail(k, "the regular expression has a ')' without '('");
	}
	return c == '\\'  ? check_escape(k)
	       : c == '[' ? skip_bracket(k)
	       : c == '{' ? check_repeat(k)
			  : JW_OK;
}

/* Everything that is looked at before regcomp() sees the expression TEXT, in the string JSON. */
static enum jw_status check_regex(struct compile *c, const struct rules_json *json,
				  struct jw_span text)
{
	struct check k = { c, json, .cur = jw_cur(text), .nodes = (uint32_t)text.n };

	if (text.n == 0)
		return fail(&k, "an empty regular expression");
	if (text.n > MAX_REGEX)
		return rules_json_fail(c->e, json, false, NULL,
				       "regular expression too long (limit is %d bytes)",
				       MAX_REGEX);
	while (jw_cur_left(&k.cur) > 0)
		JW_TRY(check_next(&k));
	k.at = text.n;
	return k.depth ? fail(&k, "the regular expression has a '(' without ')'") : JW_OK;
}

enum jw_status rules_regex(struct compile *c, const struct rules_json *json, struct jw_span text,
			   const regex_t **out)
{
	char whole[MAX_REGEX + 8], why[128];
	struct regex_node *node;
	int failed;

	JW_TRY(check_regex(c, json, text));
	node = JW_NEW(&c->set->arena, struct regex_node);
	if (!node)
		return jw_nomem(c->e);
	(void)snprintf(whole, sizeof whole, "^(%.*s)$", (int)text.n, (const char *)text.p);
	failed = regcomp(&node->regex, whole, REG_EXTENDED | REG_NOSUB);
	if (failed) {
		(void)regerror(failed, &node->regex, why, sizeof why);
		return rules_json_fail_in(c->e, json, text, NULL, "wrong regular expression: %s",
					  why);
	}
	node->next = c->set->regexes;
	c->set->regexes = node;
	*out = &node->regex;
	return JW_OK;
}
