/*
 * terminal.h: results on a terminal: its size, colours, names that do not fit. A pipe or a file gets
 * whole names and no colours.
 */
#ifndef JW_CLI_TERMINAL_H
#define JW_CLI_TERMINAL_H

#include "cli/cli.h"

#define CLI_BOLD   "\033[1m"
#define CLI_RED    "\033[31m"
#define CLI_GREEN  "\033[32m"
#define CLI_NORMAL "\033[0m"

/* Of the terminal that standard output is; 0: it is none, or does not say. */
size_t cli_screen_columns(void);
size_t cli_screen_lines(void);
/* Are results coloured? --color, NO_COLOR and TERM are heard. */
bool cli_colored(const struct cli *cli);

/* Bold text, the heading of a table, begins, or ends; where there are colours. */
void cli_put_bold(struct cli *cli, bool begins);
/* The short part of LABEL, escaped, at the end of a line: cut in the middle where the line of a
 * terminal would not hold it. */
void cli_put_method_cut(struct cli *cli, const char *label);

/* TEXT in WIDTH columns at most: of what is longer the middle becomes "..". */
void cli_put_cut(struct jw_buf *out, struct jw_span text, size_t width);

#endif
