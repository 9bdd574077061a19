/*
 * argfile.h: @FILE on the command line. Comes before args.h.
 */
#ifndef JW_CLI_ARGFILE_H
#define JW_CLI_ARGFILE_H

#include "base/memory.h"
#include "base/status.h"

/* Replaces each @FILE (before "--") by the words in FILE; "@@x" is the word "@x". */
enum jw_status JW_MUST_USE cli_expand(size_t count, const char *const *words,
				      struct jw_arena *arena, size_t *out_count,
				      const char *const **out, struct jw_err *e);

#endif
