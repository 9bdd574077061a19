/*
 * dispatch.h: the command that is named runs, and what failed is said.
 */
#ifndef JW_CLI_DISPATCH_H
#define JW_CLI_DISPATCH_H

#include <stddef.h>

/* Does everything that COUNT words (the program's name not among them) ask for; returns the exit
 * status. */
int cli_main(size_t count, const char *const *words);

#endif
