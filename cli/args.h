/*
 * args.h: the words of a command line, understood: checked against the tables of commands.h.
 */
#ifndef JW_CLI_ARGS_H
#define JW_CLI_ARGS_H

#include "base/memory.h"
#include "cli/commands.h"

struct cli_args {
	enum cli_command_id command;       /* CLI_CMD_COUNT: none was named */
	const char *values[CLI_OPT_COUNT]; /* NULL: not given; "" for flags */
	long numbers[CLI_OPT_COUNT]; /* count of a flag, value of a number, index of a choice */
	const char **maps;           /* of --map */
	size_t map_count;
	const char **presets; /* of --preset */
	size_t preset_count;
	const char **gates; /* of --fail-on */
	size_t gate_count;
	const char **operands; /* NULL ends them */
	size_t operand_count;
};

/* Understands COUNT words (the program's name not among them). JW_USAGE with what to type instead.
 * Strings live in ARENA or in WORDS. */
enum jw_status JW_MUST_USE cli_parse(size_t count, const char *const *words, struct jw_arena *arena,
				     struct cli_args *out, struct jw_err *e);

#endif
