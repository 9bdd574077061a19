/*
 * hints.c: match lines that are right in form and name a class, where a method or a package was
 * meant: com.acme.Foo.bar for com.acme.Foo#bar, com.acme.tool for com.acme.tool.**
 *
 * Names of classes begin with a capital, by a convention that nearly all follow. That is not
 * certain, so this is a hint and not a finding.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "rules/hints.h"
#include "rules/json.h"
#include "rules/set.h"
#include "rules/source.h"

#include "base/banned.h"

/* The offset after the last character of SET in TEXT, or 0. */
static size_t after_last(struct jw_span text, const char *set)
{
	size_t n = text.n;

	while (n > 0 && !strchr(set, text.p[n - 1]))
		n--;
	return n;
}

/* Puts what LINE may have meant; nothing when it probably means what it says. */
static void put_meant(struct jw_buf *out, struct jw_span line)
{
	const uint8_t *result = memchr(line.p, ':', line.n);
	struct jw_span head = jw_span_sub(line, 0, result ? (size_t)(result - line.p) : line.n);
	size_t class_at = after_last(head, " \t"), last_at = after_last(head, ". \t");
	struct jw_span package = jw_span(NULL, 0),
		       last = jw_span_sub(head, last_at, head.n - last_at);

	if (memchr(line.p, '#', line.n) || last.n == 0 || !islower(last.p[0]) ||
	    memchr(last.p, '*', last.n) || memchr(last.p, '?', last.n))
		return;
	if (last_at > class_at)
		package = jw_span_sub(line, class_at, last_at - 1 - class_at);
	jw_put_bytes(out, jw_span_sub(line, 0, class_at));
	jw_put_bytes(out, package);
	size_t nearest = after_last(package, ".");
	if (nearest < package.n && islower(package.p[nearest]))
		jw_put_fmt(out, ".%.*s.**", (int)last.n, (const char *)last.p);
	else
		jw_put_fmt(out, "%s#%.*s", package.n ? "" : "**", (int)last.n,
			   (const char *)last.p);
	jw_put_bytes(out, jw_span_sub(line, head.n, line.n - head.n));
}

struct hints {
	rules_hint *each;
	void *ctx;
};

static void look(const struct hints *h, const struct rules_json *line)
{
	struct jw_buf meant = { 0 };
	char place[512];

	put_meant(&meant, line->text);
	jw_put_u1(&meant, 0);
	if (meant.failed == JW_OK && meant.n > 1) {
		(void)snprintf(place, sizeof place, "%s:%u:%u", line->file, line->line,
			       line->column);
		h->each(h->ctx, place, rules_json_str(line), (const char *)meant.p);
	}
	jw_buf_free(&meant);
}

/* LINES: a string, a list of them, something else, or NULL. */
static void look_at_all(const struct hints *h, const struct rules_json *lines)
{
	if (lines && lines->type == RULES_JSON_STRING)
		look(h, lines);
	for (const struct rules_json *i = lines ? lines->first : NULL; i; i = i->next)
		if (lines->type == RULES_JSON_ARRAY && i->type == RULES_JSON_STRING)
			look(h, i);
}

static void look_at_rule(const struct hints *h, const struct rules_compiled_rule *rule)
{
	if (!rule->face.creation) /* whose lines name types */
		look_at_all(h, rules_json_get(rule->json, "match"));
	look_at_all(h, rules_json_get(rule->json, "within"));
}

void rules_hints(const struct rules *rules, rules_hint *each, void *ctx)
{
	const struct hints h = { each, ctx };

	for (const struct rules_source *s = rules->sources; s; s = s->next)
		look_at_all(&h, rules_json_get(s->json, "exclude"));
	for (size_t i = 0; i < rules->rules.n; i++)
		look_at_rule(&h, rules->rules.at[i]);
}

void rules_hints_of(const struct rules *rules, size_t index, rules_hint *each, void *ctx)
{
	const struct hints h = { each, ctx };

	look_at_rule(&h, rules->rules.at[index]);
}
