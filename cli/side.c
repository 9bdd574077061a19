/*
 * side.c: what a weave writes beside its output: --report, --depfile.
 */
#include <string.h>

#include "cli/weave.h"

#include "base/banned.h"

#define SIDE_MODE 0666

/* Refuses to write a side output over something that is read. */
static enum jw_status check_side(struct cli *cli, enum cli_option_id id, struct jw_err *e)
{
	const char *path = cli_value(cli, id, "-"), *rules = cli_value(cli, CLI_OPT_rules, "-");

	if (strcmp(path, "-") == 0)
		return JW_OK;
	for (size_t i = 0; i < cli->args.operand_count; i++)
		if (strcmp(path, cli->args.operands[i]) == 0 ||
		    jw_same_file(path, cli->args.operands[i]))
			return jw_fail(e, JW_USAGE,
				       "--%s would overwrite '%s': choose another name",
				       cli_options[id].name, cli->args.operands[i]);
	if (strcmp(rules, "-") != 0 && jw_same_file(path, rules))
		return jw_fail(e, JW_USAGE, "--%s would overwrite '%s': choose another name",
			       cli_options[id].name, rules);
	return JW_OK;
}

static enum jw_status open_side(struct cli *cli, enum cli_option_id id, struct jw_out *out,
				struct jw_err *e)
{
	if (!cli_given(cli, id))
		return JW_OK;
	JW_TRY(check_side(cli, id, e));
	return jw_out_open(cli_value(cli, id, NULL), SIDE_MODE, out, e);
}

enum jw_status cli_side_open(struct cli_weave *w, struct jw_err *e)
{
	JW_TRY(open_side(w->cli, CLI_OPT_report, &w->report, e));
	return open_side(w->cli, CLI_OPT_depfile, &w->depfile, e);
}

void cli_side_add(struct cli_weave *w, const struct weave_report *report)
{
	if (!cli_given(w->cli, CLI_OPT_report) && !cli_given(w->cli, CLI_OPT_json))
		return;
	if (w->reports.n > 1)
		jw_put_str(&w->reports, ",\n");
	weave_report_json(report, w->rules, &w->reports);
}

/* A file name in a make rule: what make would take apart is escaped. */
static void put_make_name(struct jw_buf *out, const char *name)
{
	for (; *name; name++) {
		if (*name == '$')
			jw_put_str(out, "$");
		else if (strchr(" \t#\\", *name))
			jw_put_str(out, "\\");
		jw_put_u1(out, (uint8_t)*name);
	}
}

static void put_depfile(struct cli_weave *w, const char *const *deps, struct jw_buf *out)
{
	size_t files = rules_file_count(w->rules);

	for (; deps && deps[0]; deps += 2) {
		put_make_name(out, deps[0]);
		jw_put_str(out, ": ");
		put_make_name(out, deps[1]);
		for (size_t i = 0; i < files; i++) {
			jw_put_str(out, " \\\n  ");
			put_make_name(out, rules_file(w->rules, i));
		}
		jw_put_str(out, "\n");
	}
}

enum jw_status cli_side_commit(struct cli_weave *w, const char *const *deps, struct jw_err *e)
{
	struct jw_buf rule = { 0 };

	JW_TRY(jw_buf_finish(&w->reports, "the report", e));
	if (w->report.open) {
		JW_TRY(jw_out_write(&w->report, jw_buf_span(&w->reports), e));
		JW_TRY(jw_out_commit(&w->report, e));
	}
	if (!w->depfile.open)
		return JW_OK;
	put_depfile(w, deps, &rule);
	enum jw_status status = jw_buf_finish(&rule, "the depfile", e);
	if (status == JW_OK)
		status = jw_out_write(&w->depfile, jw_buf_span(&rule), e);
	jw_buf_free(&rule);
	return status == JW_OK ? jw_out_commit(&w->depfile, e) : status;
}
