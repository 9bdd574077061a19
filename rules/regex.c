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
	struct jw_cur cur;
	unsigned depth;
	uint32_t nodes; /* length times all counted repetitions */
};

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
static enum jw_status check_repeat(struct check *k, struct jw_err *e)
{
	uint32_t most = number(&k->cur);

	if (jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == ',') {
		jw_cur_skip(&k->cur, 1);
		uint32_t upper = number(&k->cur);

		most = upper > most ? upper : most;
	}
	if (jw_cur_u1(&k->cur) != '}')
		return jw_fail(e, JW_RULES,
			       "the regular expression has a '{' that is no repetition");
	if (most > MAX_REPEAT)
		return jw_fail(e, JW_RULES,
			       "repetition too large in the regular expression "
			       "(limit is %d)",
			       MAX_REPEAT);
	k->nodes *= most > 1 ? most : 1;
	if (k->nodes > MAX_NODES)
		return jw_fail(e, JW_RULES,
			       "the regular expression multiplies repetitions: too large");
	return JW_OK;
}

/* Behind '[': to the matching ']'. */
static enum jw_status skip_bracket(struct check *k, struct jw_err *e)
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
	return jw_cur_ok(&k->cur)
		       ? JW_OK
		       : jw_fail(e, JW_RULES, "the regular expression has a '[' without ']'");
}

static enum jw_status check_next(struct check *k, struct jw_err *e)
{
	uint8_t c = jw_cur_u1(&k->cur);

	if (c == '\\') {
		c = jw_cur_u1(&k->cur);
		if (!jw_cur_ok(&k->cur))
			return jw_fail(e, JW_RULES, "the regular expression ends with a backslash");
		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
			return jw_fail(e, JW_RULES,
				       "'\\%c' is not in POSIX extended regular expressions%s", c,
				       c == 'd'   ? ": write [0-9]"
				       : c == 'w' ? ": write [A-Za-z0-9_]"
				       : c == 's' ? ": write [[:space:]]"
						  : "");
	} else if (c == '(') {
		if (jw_cur_left(&k->cur) > 0 && jw_span_u1(k->cur.s, k->cur.pos) == '?')
			return jw_fail(e, JW_RULES,
				       "'(?' is not in POSIX extended regular expressions");
		if (++k->depth > MAX_NESTING)
			return jw_fail(e, JW_RULES, "the regular expression is nested too deep");
	} else if (c == ')') {
		if (k->depth-- == 0)
			return jw_fail(e, JW_RULES, "the regular expression has a ')' without '('");
	} else if (c == '[') {
		return skip_bracket(k, e);
	} else if (c == '{') {
		return check_repeat(k, e);
	}
	return JW_OK;
}

static enum jw_status check_regex(struct jw_span text, struct jw_err *e)
{
	struct check k = { .cur = jw_cur(text), .nodes = (uint32_t)text.n };

	if (text.n == 0)
		return jw_fail(e, JW_RULES, "an empty regular expression");
	if (text.n > MAX_REGEX)
		return jw_fail(e, JW_RULES, "regular expression too long (limit is %d bytes)",
			       MAX_REGEX);
	while (jw_cur_left(&k.cur) > 0)
		JW_TRY(check_next(&k, e));
	if (k.depth)
		return jw_fail(e, JW_RULES, "the regular expression has a '(' without ')'");
	return JW_OK;
}

enum jw_status rules_regex(struct compile *c, struct jw_span text, const regex_t **out)
{
	char whole[MAX_REGEX + 8], why[128];
	struct regex_node *node;
	int failed;

	JW_TRY(check_regex(text, c->e));
	node = JW_NEW(&c->set->arena, struct regex_node);
	if (!node)
		return jw_nomem(c->e);
	(void)snprintf(whole, sizeof whole, "^(%.*s)$", (int)text.n, (const char *)text.p);
	failed = regcomp(&node->regex, whole, REG_EXTENDED | REG_NOSUB);
	if (failed) {
		(void)regerror(failed, &node->regex, why, sizeof why);
		return jw_fail(c->e, JW_RULES, "wrong regular expression: %s", why);
	}
	node->next = c->set->regexes;
	c->set->regexes = node;
	*out = &node->regex;
	return JW_OK;
}
