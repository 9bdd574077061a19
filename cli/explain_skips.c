/*
 * explain_skips.c: what rules choose and weaving leaves as it is: see explain.h.
 *
 * Only weaving knows, and a class is woven as a whole: each method needs constants that the others
 * need, too. So the input is woven, into nothing. Where that is refused, or the input is a stream,
 * which was read already, the rules have the last word.
 */
#include <string.h>

#include "cli/explain.h"
#include "trace/format/methodmap.h"
#include "weaver/archive/archive.h"

#include "base/banned.h"

static void weave_dry(struct cli_explain *x)
{
	struct cli *cli = x->cli;
	const char *in = cli->args.operands[0];
	struct jw_err ignored = { 0 };
	const struct weave_archive_job job = {
		.in = in,
		.rules = x->rules,
		.limits = &weave_default_limits,
		.nested = cli_value(cli, CLI_OPT_nested, "all"),
		.class_path = cli_value(cli, CLI_OPT_classpath, NULL),
		.no_limits = cli_given(cli, CLI_OPT_no_limits),
	};

	x->wove = true;
	if (strcmp(in, "-") == 0 || weave_archive(&job, &cli->arena, &x->dry, &ignored) != JW_OK)
		x->dry = (struct weave_report){ 0 };
}

/* Is TEXT what the report has for the name A and what follows it, B? */
static bool is_text(const char *text, struct jw_span a, struct jw_span b, bool dotted)
{
	struct jw_buf name = { 0 };

	trace_put_field(&name, a);
	trace_put_field(&name, b);
	for (size_t i = 0; dotted && i < name.n; i++)
		if (name.p[i] == '/')
			name.p[i] = '.';
	bool same = name.failed == JW_OK && jw_span_eq_str(jw_buf_span(&name), text);
	jw_buf_free(&name);
	return same;
}

const struct weave_skipped *cli_explain_skip(struct cli_explain *x,
					     const struct rules_method *method)
{
	if (!x->wove)
		weave_dry(x);
	for (size_t i = 0; i < x->dry.skipped_count; i++) {
		const struct weave_skipped *s = &x->dry.skipped[i];

		if (*s->method && jw_span_eq_str(x->cls->entry, s->entry) &&
		    is_text(s->class_name, x->cls->name, (struct jw_span){ 0 }, true) &&
		    is_text(s->method, method->name, method->descriptor, false))
			return s;
	}
	return NULL;
}

void cli_explain_put_skip(struct jw_buf *out, const struct weave_skipped *skip)
{
	jw_put_str(out, weave_skip_text(skip->skip));
	if (*skip->detail)
		jw_put_fmt(out, ": %s", skip->detail);
}
