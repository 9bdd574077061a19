/*
 * weave_json.c: see weave_json.h.
 */
#include "cli/weave_json.h"

#include "cli/json_out.h"

#include "base/banned.h"

static void put_optional(struct cli_json *json, cJSON *line, const char *key, const char *text)
{
	if (text)
		cli_json_text(json, line, key, text);
	else
		cli_json_null(json, line, key);
}

static void put_inputs(struct cli_json *json, const struct weave_report *r,
		       const struct rules *rules)
{
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_number(json, line, "format", 1);
	cli_json_text(json, line, "jweave", JW_VERSION);
	put_optional(json, line, "in", r->in);
	put_optional(json, line, "out", r->out);
	cli_json_text(json, line, "rulesDigest", rules_digest(rules));
	put_optional(json, line, "runtimeClass", r->runtime_class);
	cli_json_line(json, line);
}

static void put_counts(struct cli_json *json, const struct weave_report *r)
{
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_number(json, line, "entries", r->entries);
	cli_json_number(json, line, "classes", r->classes);
	cli_json_number(json, line, "wovenClasses", r->woven_classes);
	cli_json_number(json, line, "methods", r->methods);
	cli_json_number(json, line, "chosen", r->chosen);
	cli_json_number(json, line, "woven", r->woven);
	cli_json_number(json, line, "calls", r->calls);
	cli_json_number(json, line, "creations", r->creations);
	cli_json_number(json, line, "exceptions", r->exceptions);
	cli_json_number(json, line, "guarded", r->guarded);
	cli_json_number(json, line, "inBytes", r->in_bytes);
	cli_json_number(json, line, "outBytes", r->out_bytes);
	cli_json_bool(json, line, "signatureRemoved", r->signature_removed);
	cli_json_line(json, line);
}

static void put_rules(struct cli_json *json, const struct weave_report *r,
		      const struct rules *rules)
{
	cli_json_list(json, "rules");
	for (size_t i = 0; i < rules_count(rules); i++) {
		const struct rules_rule *rule = rules_rule(rules, i);
		cJSON *object = cli_json_object(json, NULL, NULL);

		cli_json_text(json, object, "id", rule->id);
		cli_json_text(json, object, "file", rule->file);
		cli_json_number(json, object, "line", rule->line);
		cli_json_number(json, object, "methods", r->rule_matches[i]);
		cli_json_element(json, object);
	}
	cli_json_list_end(json);
}

static void put_skips(struct cli_json *json, const struct weave_report *r)
{
	cJSON *line = cli_json_object(json, NULL, NULL);
	cJSON *skips = cli_json_object(json, line, "skips");

	for (unsigned i = 1; i < sizeof(r->skips) / sizeof(r->skips[0]); i++)
		if (r->skips[i])
			cli_json_number(json, skips, weave_skip_name((enum weave_skip)i),
					r->skips[i]);
	cli_json_line(json, line);
}

static void put_skipped(struct cli_json *json, const struct weave_report *r)
{
	cli_json_list(json, "skipped");
	for (size_t i = 0; i < r->skipped_count; i++) {
		const struct weave_skipped *s = &r->skipped[i];
		cJSON *object = cli_json_object(json, NULL, NULL);

		cli_json_text(json, object, "entry", s->entry);
		cli_json_text(json, object, "class", s->class_name);
		cli_json_text(json, object, "method", s->method);
		cli_json_text(json, object, "reason", weave_skip_name(s->skip));
		cli_json_text(json, object, "text", weave_skip_text(s->skip));
		cli_json_text(json, object, "detail", s->detail);
		cli_json_number(json, object, "size", s->size);
		cli_json_number(json, object, "wovenSize", s->woven_size);
		cli_json_element(json, object);
	}
	cli_json_list_end(json);
}

enum jw_status cli_weave_json(const struct weave_report *r, const struct rules *rules,
			      struct jw_buf *out, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open_in(&json, out, '{');
	put_inputs(&json, r, rules);
	put_counts(&json, r);
	put_rules(&json, r, rules);
	put_skips(&json, r);
	put_skipped(&json, r);
	cli_json_list(&json, "notes");
	for (size_t i = 0; i < r->note_count; i++)
		cli_json_element(&json, cli_json_string(&json, r->notes[i]));
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}
