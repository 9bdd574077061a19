/*
 * help.h: the help texts, from the tables of commands.h.
 */
#ifndef JW_CLI_HELP_H
#define JW_CLI_HELP_H

#include "cli/cli.h"

/* The overview, and the help of a command: WHOLE, or on a screen of 24 by 80. */
void cli_help_all(struct cli *cli, bool whole);
/* What is set at run time, by variables. */
void cli_help_runtime(struct cli *cli);
void cli_help_command(struct cli *cli, enum cli_command_id id, bool whole);

#endif
