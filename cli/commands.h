/*
 * commands.h: every command and option, from the tables commands.def, options.def and options_of.def.
 * The parser, the help and the completions are loops over them.
 */
#ifndef JW_CLI_COMMANDS_H
#define JW_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

enum cli_command_id {
#define CLI_COMMAND(id, least, most, operands, summary, help, example) CLI_CMD_##id,
#include "cli/commands.def"
	CLI_CMD_COUNT
};

enum cli_option_id {
#define CLI_OPTION(id, letter, name, arg, kind, low, high, commands, help) CLI_OPT_##id,
#include "cli/options.def"
	CLI_OPT_COUNT
};

#define CLI_EVERY UINT32_MAX

enum cli_kind {
	CLI_FLAG,
	CLI_MAYBE, /* a text, in the same word or not at all (then it is "") */
	CLI_TEXT,
	CLI_FILE,
	CLI_LIST,
	CLI_PRESETS,
	CLI_GATES,
	CLI_NUMBER,
	CLI_COUNT, /* a number, in the same word or the next, or none (then it is "", and 0) */
	CLI_CHOICE,
	CLI_CHOICE_OF, /* a choice whose words are those of the command (options_of.def) */
	CLI_SWITCH
};

/* May the value of an option of KIND be left out? */
static inline bool cli_value_is_optional(enum cli_kind kind)
{
	return kind == CLI_MAYBE || kind == CLI_COUNT;
}

struct cli_option {
	const char *name, *arg, *help; /* long name without the dashes */
	enum cli_kind kind;
	long low, high;
	uint32_t commands; /* bit per cli_command_id */
	char letter;       /* 0: none */
};

struct cli;
struct cli_command {
	const char *name, *operands, *summary, *help, *example;
	size_t least, most; /* operands */
	enum jw_status (*run)(struct cli *cli, struct jw_err *e);
};

/* cli_run_NAME(): what each command does, in cmd_NAME.c. */
#define CLI_COMMAND(id, least, most, operands, summary, help, example) \
	enum jw_status cli_run_##id(struct cli *cli, struct jw_err *e);
#include "cli/commands.def"

extern const struct cli_option cli_options[CLI_OPT_COUNT];
extern const struct cli_command cli_commands[CLI_CMD_COUNT];

/* " (see 'jweave help COMMAND')", the end of usage errors. */
const char *cli_see(struct jw_arena *arena, enum cli_command_id id);

/* The command of this name, or CLI_CMD_COUNT. */
enum cli_command_id cli_command_find(const char *name);
/* OPTION as the command ID has it: with its argument and help there (CLI_CMD_COUNT: of none). */
struct cli_option cli_option_of(enum cli_option_id option, enum cli_command_id id);
/* Does OPTION belong to the command ID? */
bool cli_option_takes(const struct cli_option *option, enum cli_command_id id);

#endif
