/*
 * mutate_rules.h: rules files changed by JSON values: one comes, comes again elsewhere, goes, or is
 * another one, mostly one that rules have.
 */
#ifndef JW_TESTS_RULES_MUTATE_RULES_H
#define JW_TESTS_RULES_MUTATE_RULES_H

#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "tests/draw.h"

/* The end of the JSON value that begins at P, not behind END. */
static inline const uint8_t *mutate_value_end(const uint8_t *p, const uint8_t *end)
{
	unsigned depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\';
			p = p < end ? p : end - 1;
		} else if (*p == '{' || *p == '[') {
			depth++;
		} else if (*p == '}' || *p == ']') {
			depth -= depth > 0;
		} else if (isalnum(*p) || *p == '-' || *p == '.') {
			while (p + 1 < end && (isalnum(p[1]) || p[1] == '.'))
				p++;
		} else {
			continue;
		}
		if (depth == 0)
			return p + 1;
	}
	return end;
}

/* A value of TEXT: the first one that begins at a place or behind it. */
static inline struct jw_span mutate_value(struct jw_span text, uint32_t *state)
{
	const uint8_t *p = text.p + draw(state, (uint32_t)text.n + 1), *end = text.p + text.n;

	while (p < end && !isalnum(*p) && !strchr("\"{[-", *p))
		p++;
	return jw_span(p, (size_t)(mutate_value_end(p, end) - p));
}

/* Patterns and texts, and words that rules know. */
/* clang-format off */
static const char *const mutate_texts[] = {
	"**", "*", "a.B", "a.*", "com.acme..*", "**#<init>", "a.B#f", "a.B.f(int,..)",
	"re:a.*[BC]", "re:(a|b)+?", "!a.B", "java.lang.Runnable", "java.lang.Object", "int",
	"void", "..", "int..", "String[]", "(I)V", "*.class", "A.java", "{class}.{method}",
	"%arg0%", "${name}", "a\\u0000b", "\\ud800", "", "trace", "ignore", "accept", "skip",
	"warn", "error", "method", "constructor", "clinit", "lambda", "accessor", "bridge",
	"synthetic", "public", "static", "!abstract", "execution", "call", "new", "monitor",
	"exception", "enter", "exit", "this", "arg0", "arg9", "return", "filled0", "task",
	"value", "length", "string", "class", "identity", "others", "lock", "unlock", "await",
	"signal", "submit", "run", "get", "complete", "queue", "barrier", "io", "http", "jdbc",
	"thread", "gc", "none", "on", "off", "auto", "paused", "summary", "flight-recorder",
	"10ms", "1us", "2GB", "50%", "1kB", "running", "blocked", "io", "none", "probe", "1ms",
	"64MiB"
};
/* clang-format on */

static inline void mutate_put_string(struct jw_buf *out, uint32_t *state)
{
	jw_put_u1(out, '"');
	jw_put_str(out, mutate_texts[draw(state, sizeof(mutate_texts) / sizeof(mutate_texts[0]))]);
	jw_put_u1(out, '"');
}

static inline void mutate_put_scalar(struct jw_buf *out, uint32_t *state)
{
	static const char *const others[] = { "true",     "false", "null",
					      "[]",       "{}",    "1e3",
					      "-1",       "0.5",   "9007199254740993",
					      "60000019", "65536" };

	switch (draw(state, 6)) {
	case 0:
		jw_put_dec(out, draw(state, 12));
		break;
	case 1:
		jw_put_str(out, others[draw(state, sizeof(others) / sizeof(others[0]))]);
		break;
	default:
		mutate_put_string(out, state);
	}
}

/* clang-format off */
static const char *const mutate_keys[] = {
	"action", "alloc", "anyOf", "as", "capture", "class", "classAnnotation",
	"classModifiers", "code", "control", "convert", "defaults", "description",
	"descriptor", "enabled", "entry", "event", "events", "every", "exclude", "ffm",
	"group", "groups", "hasCall", "hasLoop", "id", "include", "jweave", "keep", "key",
	"kind", "label", "lambdaOf", "link", "match", "maxBytes", "maxDepth", "maxSize",
	"maxValues", "method", "methodAnnotation", "minBytes", "minDuration", "minLines",
	"mode", "modifiers", "name", "not", "on", "onUnmatched", "output", "package", "params",
	"returns", "role", "rules", "runtime", "sample", "select", "size", "source", "start",
	"state", "subtypeOf", "summary", "tag", "tmp", "tracing", "type", "value", "what",
	"within"
};
/* clang-format on */

/* "KEY": VALUE, a scalar, a list of them, or a value of TEXT. */
static inline void mutate_put_member(struct jw_buf *out, struct jw_span text, uint32_t *state)
{
	jw_put_fmt(out, "\"%s\": ",
		   mutate_keys[draw(state, sizeof(mutate_keys) / sizeof(mutate_keys[0]))]);
	switch (draw(state, 4)) {
	case 0:
		jw_put_bytes(out, mutate_value(text, state));
		break;
	case 1:
		jw_put_u1(out, '[');
		mutate_put_scalar(out, state);
		jw_put_u1(out, ',');
		mutate_put_scalar(out, state);
		jw_put_u1(out, ']');
		break;
	default:
		mutate_put_scalar(out, state);
	}
}

/* What comes in place of TEXT, to OUT: with one change. */
static inline void mutate_rules(struct jw_span text, struct jw_buf *out, uint32_t *state)
{
	struct jw_span value = mutate_value(text, state);
	size_t at = (size_t)(value.p - text.p), behind = at + value.n;
	uint32_t how = draw(state, 6);

	if (how == 0 && value.n > 0 && *value.p == '{') { /* of an object: a member more */
		jw_put_bytes(out, jw_span_sub(text, 0, at + 1));
		mutate_put_member(out, text, state);
		jw_put_str(out, value.n > 2 ? ", " : "");
		jw_put_bytes(out, jw_span_sub(text, at + 1, SIZE_MAX));
		return;
	}
	jw_put_bytes(out, jw_span_sub(text, 0, at));
	if (how == 1) { /* it goes, and a comma before or behind it */
		if (behind < text.n && text.p[behind] == ',')
			behind++;
		else if (out->n > 0 && out->p[out->n - 1] == ',')
			out->n--;
	} else if (how == 2) {
		jw_put_bytes(out, mutate_value(text, state));
	} else if (how == 3) { /* a member, or an element, before it */
		if (draw(state, 2))
			mutate_put_member(out, text, state);
		else
			jw_put_bytes(out, mutate_value(text, state));
		jw_put_u1(out, ',');
		behind = at;
	} else {
		mutate_put_scalar(out, state);
	}
	jw_put_bytes(out, jw_span_sub(text, behind, SIZE_MAX));
}

#endif
