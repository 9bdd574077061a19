/*
 * cmd_check.c: jweave check RULES...: syntax, and rules that can have no effect. What may be right,
 * and is hardly what was meant, is a note.
 */
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "rules/hints.h"
#include "rules/lint.h"

#include "base/banned.h"

static void finding(void *ctx, const char *text)
{
	struct cli *cli = ctx;
	struct jw_buf line = { 0 };

	cli_put_escaped(&line, jw_span_str(text));
	jw_put_u1(&line, '\n');
	cli_put_span(cli, jw_buf_span(&line));
	jw_buf_free(&line);
}

static enum jw_status check_file(struct cli *cli, const char *path, struct jw_err *e)
{
	struct rules *rules = NULL;
	struct jw_buf name = { 0 };

	JW_TRY(cli_load_rules(cli, path, &rules, e));
	size_t findings = rules_lint(rules, finding, cli);
	rules_hints(rules, cli_hint, cli);
	if (findings == 0 && !cli_quiet(cli)) {
		cli_put_escaped(&name, jw_span_str(path));
		cli_put(cli, "%.*s: ok (%s)\n", (int)name.n, (const char *)name.p,
			cli_plural(&cli->arena, rules_count(rules), "rule", "rules"));
		jw_buf_free(&name);
	}
	rules_free(rules);
	return findings ? JW_POLICY : JW_OK;
}

/* All files are checked; a wrong file weighs more than a finding. */
enum jw_status cli_run_check(struct cli *cli, struct jw_err *e)
{
	enum jw_status worst = JW_OK;

	for (size_t i = 0; i < cli->args.operand_count; i++) {
		enum jw_status status = check_file(cli, cli->args.operands[i], e);

		if (status != JW_OK && status != JW_POLICY)
			cli_error(cli, e->text);
		if (worst == JW_OK || (worst == JW_POLICY && status != JW_OK))
			worst = status;
		e->text[0] = '\0';
	}
	return worst;
}
