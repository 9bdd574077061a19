/*
 * report_calls.c: see report_calls.h.
 */
#include "cli/report_calls.h"

#include <string.h>

#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "rules/rules.h"
#include "trace/names/untraced.h"

#include "base/banned.h"

static const enum cli_option_id asking[] = { CLI_OPT_tree, CLI_OPT_callers, CLI_OPT_percentiles,
					     CLI_OPT_histogram };

static size_t asked(const struct cli *cli)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(asking) / sizeof(*asking); i++)
		n += cli_given(cli, asking[i]);
	/* --callers is a tree by itself */
	return n - (cli_given(cli, CLI_OPT_tree) && cli_given(cli, CLI_OPT_callers));
}

bool cli_report_asks_calls(const struct cli *cli)
{
	return asked(cli) > 0;
}

/* How many methods RULES select, in OUT, which may be NULL, by their place; NAMED: that have names. */
static size_t count_chosen(const struct trace_report *r, const struct rules *rules, bool *out,
			   size_t *named)
{
	size_t n = 0;

	*named = 0;
	for (size_t i = 0; i < r->method_count; i++) {
		const struct trace_report_method *m = &r->methods[i];
		bool chosen = cli_pattern_chooses(rules, m->class_name, m->name, m->descriptor);

		n += chosen;
		*named += m->class_name[0] != '\0';
		if (out)
			out[i] = chosen;
	}
	return n;
}

/* "**#toString", where PATTERN is "**toString" and that selects something; NULL: it does not. */
static const char *with_hash(struct cli *cli, const struct trace_report *r, const char *pattern)
{
	size_t named, stars = strspn(pattern, "*");
	struct rules *rules = NULL;
	struct jw_err ignored = { 0 };
	const char *other = jw_arena_fmt(&cli->arena, "**#%s", pattern + stars);
	bool chooses = stars && !strpbrk(pattern, "#. @") && other &&
		       cli_load_pattern(other, &rules, &ignored) == JW_OK &&
		       count_chosen(r, rules, NULL, &named) > 0;

	rules_free(rules);
	return chooses ? other : NULL;
}

/* A method in which threads waited, and that nobody traced; NULL: PATTERN means none. */
static const char *untraced(const struct trace_report *r, const char *pattern)
{
	for (size_t i = 0; i < r->stall_count; i++)
		if (trace_untraced_is(pattern, r->stalls[i].method))
			return r->stalls[i].method;
	return NULL;
}

static enum jw_status choose(struct cli *cli, const struct trace_report *r, const char *pattern,
			     const struct rules *rules, bool **out, struct jw_err *e)
{
	size_t named;

	*out = JW_NEW_ARRAY(&cli->arena, bool, r->method_count + 1);
	if (!*out)
		return jw_nomem(e);
	if (count_chosen(r, rules, *out, &named) > 0)
		return JW_OK;
	const char *waits = untraced(r, pattern), *hint = with_hash(cli, r, pattern);

	if (waits)
		return jw_fail(e, JW_USAGE,
			       "it selects none of the %zu methods that ran: " TRACE_UNTRACED,
			       named, waits);
	if (hint)
		return jw_fail(e, JW_USAGE,
			       "it selects none of the %zu methods that ran; '%s' selects by the "
			       "name of the method",
			       named, hint);
	return named ? jw_fail(e, JW_USAGE, "it selects none of the %zu methods that ran", named)
		     : jw_fail(e, JW_USAGE,
			       "methods are selected by their names, and none are known");
}

/* Which methods the match line of option ID selects, by their place; none is given: NULL. JW_USAGE:
 * it is no pattern, or selects none. */
static enum jw_status take_pattern(struct cli *cli, const struct trace_report *r,
				   enum cli_option_id id, bool **out, struct jw_err *e)
{
	const char *pattern = cli_value(cli, id, NULL);
	struct rules *rules = NULL;

	*out = NULL;
	if (!pattern)
		return JW_OK;
	if (cli_pattern_has_modifiers(pattern))
		return jw_fail(e, JW_USAGE,
			       "--%s '%s': a trace knows no modifiers and annotations: name class "
			       "and method",
			       cli_options[id].name, pattern);
	enum jw_status status = cli_load_pattern(pattern, &rules, e);

	if (status == JW_OK)
		status = choose(cli, r, pattern, rules, out, e);
	rules_free(rules);
	return status == JW_USAGE ? jw_err_where(e, "--%s '%s'", cli_options[id].name, pattern)
				  : status;
}

static enum jw_status put(struct cli *cli, const struct trace_report *r, struct jw_err *e)
{
	bool *callers, *bars;

	JW_TRY(take_pattern(cli, r, CLI_OPT_callers, &callers, e));
	JW_TRY(take_pattern(cli, r, CLI_OPT_histogram, &bars, e));
	if (!cli_given(cli, CLI_OPT_json))
		cli_put(cli, "%s, %s in %.3f s\n",
			cli_plural(&cli->arena, r->method_count, "method", "methods"),
			cli_plural(&cli->arena, r->calls, "call", "calls"),
			(double)r->duration_ns / 1e9);
	if (!cli_given(cli, CLI_OPT_json))
		cli_report_put_range(cli, r);
	if (cli_given(cli, CLI_OPT_tree) || callers)
		JW_TRY(cli_report_tree(cli, r, callers, e));
	if (cli_given(cli, CLI_OPT_percentiles))
		JW_TRY(cli_report_percentiles(cli, r, e));
	if (bars)
		JW_TRY(cli_report_histogram(cli, r, bars, e));
	cli_tell_closed(cli, r->closed_methods, "report");
	return JW_OK;
}

enum jw_status cli_report_calls(struct cli *cli, struct jw_err *e)
{
	struct trace_report report = { 0 };

	if (cli_given(cli, CLI_OPT_json) && asked(cli) > 1)
		return jw_fail(e, JW_USAGE,
			       "--json takes one of --tree, --callers, --percentiles and "
			       "--histogram%s",
			       cli_see(&cli->arena, cli->args.command));
	JW_TRY(cli_profile(cli, &report, e));
	if (!report.calls_known)
		return jw_fail(e, JW_INPUT,
			       "'%s' is a summary, which has sums of calls, but no tree and no "
			       "durations: record events (without --summary)",
			       cli->args.operands[0]);
	return put(cli, &report, e);
}
