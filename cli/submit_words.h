/*
 * submit_words.h: the words of somebody's command, and paths of two lists, put together.
 */
#ifndef JW_CLI_SUBMIT_WORDS_H
#define JW_CLI_SUBMIT_WORDS_H

#include "cli/words.h"

/* The words of LIST (NULL ends) with BETWEEN between them, then REST (NULL or "": nothing). */
const char *submit_join(struct jw_arena *arena, const char *const *list, const char *between,
			const char *rest);

/* The value of KEY in the file PATH of Java properties; NULL: there is none, or no such file. */
const char *submit_property(struct jw_arena *arena, const char *path, const char *key);

#endif
