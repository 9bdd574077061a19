/*
 * cmd_diff.c: jweave diff A B: what has changed between two runs, or two sets of runs.
 *
 *     jweave diff A B                     compares
 *     jweave diff --save FILE A           keeps A's figures in a small file
 *     jweave diff --baseline FILE B       compares with these
 *
 * With --fail-on it is a gate: exit status 5, and the lines that decide.
 */
#include <string.h>

#include "cli/diff.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"

#include "base/banned.h"

static enum jw_status usage(struct cli *cli, const char *what, struct jw_err *e)
{
	return jw_fail(e, JW_USAGE, "%s%s", what, cli_see(&cli->arena, cli->args.command));
}

/* A and B, of which --baseline and --save take the place of one. */
static enum jw_status check_operands(struct cli *cli, struct jw_err *e)
{
	size_t n = cli->args.operand_count;

	if (cli_given(cli, CLI_OPT_save)) {
		if (cli_given(cli, CLI_OPT_baseline) || cli->args.gate_count)
			return usage(cli, "--save writes a baseline and compares nothing", e);
		return n == 1 ? JW_OK : usage(cli, "--save takes one operand: --save FILE A", e);
	}
	if (cli_given(cli, CLI_OPT_baseline))
		return n == 1 ? JW_OK
			      : usage(cli,
				      "with --baseline there is one operand: "
				      "--baseline FILE B",
				      e);
	return n == 2 ? JW_OK : usage(cli, "two operands are compared: jweave diff A B", e);
}

/* The column of methods that --by names. */
static size_t column_of(struct cli *cli)
{
	const char *by = cli_value(cli, CLI_OPT_by, "self");
	size_t c = 0;

	while (strcmp(trace_diff_kinds[TRACE_DIFF_METHOD].columns[c].word, by) != 0)
		c++; /* options_of.def has only words of columns */
	return c;
}

static enum jw_status save(struct cli *cli, struct jw_err *e)
{
	const char *file = cli_value(cli, CLI_OPT_save, "");
	struct trace_diff_side side = { 0 };
	enum jw_status status = cli_diff_side(cli, cli->args.operands[0], &side, e);

	if (status == JW_OK)
		status = cli_baseline_save(file, &side, e);
	if (status == JW_OK)
		cli_note(cli, "'%s' has the figures of %s", file,
			 cli_plural(&cli->arena, side.runs, "run", "runs"));
	trace_diff_side_close(&side);
	return status;
}

static void tell_idle(struct cli *cli, const struct cli_gates *gates)
{
	for (size_t i = 0; i < gates->n; i++) {
		const struct cli_gate *g = &gates->list[i];

		if (g->idle)
			cli_warn(cli, "--fail-on '%s' is about no %s that A or B has", g->text,
				 trace_diff_kinds[g->kind].one);
	}
}

static enum jw_status compare(struct cli *cli, struct cli_diff *d, struct trace_diff_side sides[2],
			      struct jw_err *e)
{
	size_t by = column_of(cli);

	JW_TRY(cli_gates_take(cli, &d->gates, e));
	JW_TRY(cli_given(cli, CLI_OPT_baseline) ? cli_diff_baseline(cli, d->a_name, &sides[0], e)
						: cli_diff_side(cli, d->a_name, &sides[0], e));
	JW_TRY(cli_diff_side(cli, d->b_name, &sides[1], e));
	JW_TRY(trace_diff_compare(&sides[0], &sides[1], &cli->arena, &d->diff, e));
	JW_TRY(trace_diff_sort(&d->diff, by, e));
	JW_TRY(cli_gates_decide(cli, &d->gates, &d->diff, e));
	if (cli_given(cli, CLI_OPT_json))
		JW_TRY(cli_diff_json(cli, d, e));
	else
		cli_diff_text(cli, d);
	tell_idle(cli, &d->gates);
	return d->gates.failed ? JW_POLICY : JW_OK;
}

enum jw_status cli_run_diff(struct cli *cli, struct jw_err *e)
{
	struct trace_diff_side sides[2] = { 0 };
	struct cli_diff d = { 0 };

	JW_TRY(check_operands(cli, e));
	JW_TRY(cli_check_maps(cli, e));
	if (cli_given(cli, CLI_OPT_save))
		return save(cli, e);
	d.b_name = cli->args.operands[cli->args.operand_count - 1];
	d.a_name = cli_value(cli, CLI_OPT_baseline, cli->args.operands[0]);
	enum jw_status status = compare(cli, &d, sides, e);

	cli_gates_free(&d.gates);
	trace_diff_side_close(&sides[0]);
	trace_diff_side_close(&sides[1]);
	return status;
}
