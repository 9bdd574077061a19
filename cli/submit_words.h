/*
 * submit_words.h: the words of somebody's command, and paths of two lists, put together.
 */
#ifndef JW_CLI_SUBMIT_WORDS_H
#define JW_CLI_SUBMIT_WORDS_H

#include "cli/words.h"

/* The words of LIST (NULL ends) with BETWEEN between them, then REST (NULL or "": nothing). */
const char *submit_join(struct jw_arena *arena, const char *const *list, const char *between,
			const char *rest);

/* Appends the entries of the file PATH of Java properties, each as one line "key value", "key=value"
 * or "key: value", to LINES; nothing where it cannot be read. */
enum jw_status JW_MUST_USE submit_properties(const char *path, struct cli_words *lines,
					     struct jw_err *e);
/* The value of KEY in LINES, the last one; NULL: there is none. */
const char *submit_property(const struct cli_words *lines, const char *key);

#endif
