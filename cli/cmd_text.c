/*
 * cmd_text.c: the commands that print what jweave carries: presets, version, help.
 */
#include <string.h>

#include "base/nearest.h"
#include "cfr/class.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/out.h"
#include "cli/presets.h"
#include "rules/presets.h"
#include "weaver/archive/runtime_image.h"

#include "base/banned.h"

enum { PRESETS_MAX = 256 };

enum jw_status cli_check_preset(const char *name, struct jw_err *e)
{
	const char *names[PRESETS_MAX];
	size_t count = 0;

	if (rules_preset(name).n)
		return JW_OK;
	while (count < PRESETS_MAX && rules_preset_name(count)) {
		names[count] = rules_preset_name(count);
		count++;
	}
	const char *near = jw_nearest(name, names, count);
	if (near)
		return jw_fail(e, JW_USAGE, "no preset '%s'; did you mean '%s'?", name, near);
	return jw_fail(e, JW_USAGE, "no preset '%s'; 'jweave presets' lists them", name);
}

enum jw_status cli_run_presets(struct cli *cli, struct jw_err *e)
{
	const char *wanted = cli->args.operands[0];

	if (wanted) {
		JW_TRY(cli_check_preset(wanted, e));
		cli_put_span(cli, rules_preset(wanted));
		return JW_OK;
	}
	for (size_t i = 0; rules_preset_name(i); i++) {
		const char *name = rules_preset_name(i);
		struct jw_span line = { 0 };

		if (!cli_quiet(cli))
			JW_TRY(rules_preset_line(name, &cli->arena, &line, e));
		cli_put(cli, line.n ? "%-12s " : "%s", name);
		cli_put_span(cli, line);
		cli_put(cli, "\n");
	}
	return JW_OK;
}

enum jw_status cli_run_version(struct cli *cli, struct jw_err *e)
{
	struct weave_library library;

	(void)e;
	cli_put(cli, "jweave %s\n", JW_VERSION);
	cli_put(cli, "rules format 1, class files %d to %d (newer ones where understood)\n",
		CFR_MAJOR_MIN, CFR_MAJOR_KNOWN);
	cli_put(cli, "woven archives run traced on");
	for (size_t i = 0; weave_runtime_library(i, &library); i++)
		cli_put(cli, "%s %s", i ? "," : "", library.platform);
	cli_put(cli, "\n");
	return JW_OK;
}

static const char runtime[] = "runtime"; /* a topic of `help` that is not a command */

enum jw_status cli_run_help(struct cli *cli, struct jw_err *e)
{
	const char *wanted = cli->args.operands[0], *names[CLI_CMD_COUNT + 1];
	enum cli_command_id id;

	if (!wanted) {
		cli_help_all(cli, true);
		return JW_OK;
	}
	if (strcmp(wanted, runtime) == 0) {
		cli_help_runtime(cli);
		return JW_OK;
	}
	id = cli_command_find(wanted);
	if (id != CLI_CMD_COUNT) {
		cli_help_command(cli, id, true);
		return JW_OK;
	}
	for (size_t i = 0; i < CLI_CMD_COUNT; i++)
		names[i] = cli_commands[i].name;
	names[CLI_CMD_COUNT] = runtime;
	const char *near = jw_nearest(wanted, names, CLI_CMD_COUNT + 1);
	if (near)
		return jw_fail(e, JW_USAGE, "no command '%s'; did you mean '%s'?", wanted, near);
	return jw_fail(e, JW_USAGE, "no command '%s' (see 'jweave help')", wanted);
}
