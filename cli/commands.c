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

static const struct {
	enum cli_command_id command;
	enum cli_option_id option;
	const char *arg, *help;
} options_of[] = {
#define CLI_OPTION_OF(command, option, arg, help) \
	{ CLI_CMD_##command, CLI_OPT_##option, arg, help },
#include "cli/options_of.def"
};

struct cli_option cli_option_of(enum cli_option_id option, enum cli_command_id id)
{
	struct cli_option o = cli_options[option];

	for (size_t i = 0; i < sizeof(options_of) / sizeof(*options_of); i++) {
		if (options_of[i].command != id || options_of[i].option != option)
			continue;
		o.arg = options_of[i].arg ? options_of[i].arg : o.arg;
		o.help = options_of[i].help ? options_of[i].help : o.help;
	}
	return o;
}

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
