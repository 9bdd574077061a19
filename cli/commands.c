#include <string.h>

#include "cli/commands.h"

#include "base/banned.h"

const struct cli_command cli_commands[CLI_CMD_COUNT] = {
#define CLI_COMMAND(id, least, most, operands, summary, help, example) \
	{ #id, operands, summary, help, example, least, most, cli_run_##id },
#include "cli/commands.def"
};

const struct cli_option cli_options[CLI_OPT_COUNT] = {
#define CLI_OPTION(id, letter, name, arg, kind, low, high, commands, help) \
	{ name, arg, help, CLI_##kind, low, high, commands, letter },
#include "cli/options.def"
};

enum cli_command_id cli_command_find(const char *name)
{
	unsigned id = 0;

	while (id < CLI_CMD_COUNT && strcmp(cli_commands[id].name, name) != 0)
		id++;
	return (enum cli_command_id)id;
}

bool cli_option_takes(const struct cli_option *option, enum cli_command_id id)
{
	return option->commands >> (unsigned)id & 1;
}

const char *cli_see(struct jw_arena *arena, enum cli_command_id id)
{
	const char *text = id == CLI_CMD_COUNT ? " (see 'jweave help')"
					       : jw_arena_fmt(arena, " (see 'jweave help %s')",
							      cli_commands[id].name);

	return text ? text : "";
}
