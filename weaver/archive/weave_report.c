/*
 * weave_report.c: the report as JSON. Keys keep their order, so that two reports can be compared as
 * text.
 */
#include "weaver/archive/weave_report.h"

#include "trace/format/fields.h"

#include "base/banned.h"

static void put_char(struct jw_buf *out, uint32_t c)
{
	if (c == '"' || c == '\\')
		jw_put_fmt(out, "\\%c", (int)c);
	else if (c == '\n')
		jw_put_str(out, "\\n");
	else if (c < 0x20 || c == 0x7f)
		jw_put_fmt(out, "\\u%04x", c);
	else
		jw_put_utf8(out, c);
}

void weave_put_json_string(struct jw_buf *out, struct jw_span text)
{
	size_t pos = 0;

	jw_put_u1(out, '"');
	while (pos < text.n)
		put_char(out, trace_utf8_next(text, &pos));
	jw_put_u1(out, '"');
}

/* "  "KEY": VALUE,": the members of the outer object. */
static void put_text(struct jw_buf *out, const char *key, const char *text)
{
	jw_put_fmt(out, "  \"%s\": ", key);
	if (text)
		weave_put_json_string(out, jw_span_str(text));
	else
		jw_put_str(out, "null");
	jw_put_str(out, ",\n");
}

static void put_number(struct jw_buf *out, const char *key, uint64_t number)
{
	jw_put_fmt(out, "  \"%s\": %llu,\n", key, (unsigned long long)number);
}

static void put_rules(struct jw_buf *out, const struct weave_report *r, const struct rules *rules)
{
	size_t count = rules_count(rules);

	jw_put_str(out, "  \"rules\": [");
	for (size_t i = 0; i < count; i++) {
		const struct rules_rule *rule = rules_rule(rules, i);

		jw_put_str(out, i ? ",\n    { \"id\": " : "\n    { \"id\": ");
		weave_put_json_string(out, jw_span_str(rule->id));
		jw_put_str(out, ", \"file\": ");
		weave_put_json_string(out, jw_span_str(rule->file));
		jw_put_fmt(out, ", \"line\": %u, \"methods\": %llu }", rule->line,
			   (unsigned long long)r->rule_matches[i]);
	}
	jw_put_str(out, count ? "\n  ],\n" : "],\n");
}

static void put_skips(struct jw_buf *out, const struct weave_report *r)
{
	bool first = true;

	jw_put_str(out, "  \"skips\": {");
	for (unsigned i = 1; i < sizeof(r->skips) / sizeof(r->skips[0]); i++) {
		if (!r->skips[i])
			continue;
		jw_put_fmt(out, "%s\"%s\": %llu", first ? " " : ", ",
			   weave_skip_name((enum weave_skip)i), (unsigned long long)r->skips[i]);
		first = false;
	}
	jw_put_str(out, first ? "},\n" : " },\n");
}

static void put_member(struct jw_buf *out, const char *key, const char *text)
{
	jw_put_fmt(out, "\"%s\": ", key);
	weave_put_json_string(out, jw_span_str(text));
	jw_put_str(out, ", ");
}

static void put_skipped(struct jw_buf *out, const struct weave_report *r)
{
	jw_put_str(out, "  \"skipped\": [");
	for (size_t i = 0; i < r->skipped_count; i++) {
		const struct weave_skipped *s = &r->skipped[i];

		jw_put_str(out, i ? ",\n    { " : "\n    { ");
		put_member(out, "entry", s->entry);
		put_member(out, "class", s->class_name);
		put_member(out, "method", s->method);
		put_member(out, "reason", weave_skip_name(s->skip));
		put_member(out, "text", weave_skip_text(s->skip));
		put_member(out, "detail", s->detail);
		jw_put_fmt(out, "\"size\": %u, \"wovenSize\": %u }", s->size, s->woven_size);
	}
	jw_put_str(out, r->skipped_count ? "\n  ],\n" : "],\n");
}

static void put_notes(struct jw_buf *out, const struct weave_report *r)
{
	jw_put_str(out, "  \"notes\": [");
	for (size_t i = 0; i < r->note_count; i++) {
		jw_put_str(out, i ? ",\n    " : "\n    ");
		weave_put_json_string(out, jw_span_str(r->notes[i]));
	}
	jw_put_str(out, r->note_count ? "\n  ]\n" : "]\n");
}

void weave_report_json(const struct weave_report *r, const struct rules *rules, struct jw_buf *out)
{
	jw_put_str(out, "{\n");
	put_number(out, "format", 1);
	put_text(out, "jweave", JW_VERSION);
	put_text(out, "in", r->in);
	put_text(out, "out", r->out);
	put_text(out, "rulesDigest", rules_digest(rules));
	put_text(out, "runtimeClass", r->runtime_class);
	put_number(out, "entries", r->entries);
	put_number(out, "classes", r->classes);
	put_number(out, "wovenClasses", r->woven_classes);
	put_number(out, "methods", r->methods);
	put_number(out, "chosen", r->chosen);
	put_number(out, "woven", r->woven);
	put_number(out, "calls", r->calls);
	put_number(out, "creations", r->creations);
	put_number(out, "exceptions", r->exceptions);
	put_number(out, "guarded", r->guarded);
	put_number(out, "inBytes", r->in_bytes);
	put_number(out, "outBytes", r->out_bytes);
	jw_put_fmt(out, "  \"signatureRemoved\": %s,\n", r->signature_removed ? "true" : "false");
	put_rules(out, r, rules);
	put_skips(out, r);
	put_skipped(out, r);
	put_notes(out, r);
	jw_put_str(out, "}\n");
}
