/*
 * words.h: a growing list of words, the words of an argument file, and what a word is.
 *
 * Words are separated by white space; '...' and "..." keep it. Whose file it is decides what a
 * backslash means, and whether a quote must end.
 */
#ifndef JW_CLI_WORDS_H
#define JW_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

struct cli_words {
	struct jw_arena *arena;
	const char **items; /* NULL ends them; NULL while there are none */
	size_t count, room;
};

enum cli_quoting {
	/* jweave @FILE: inside "..." a backslash takes the next character as it is; a quote that
	 * does not end is an error */
	CLI_QUOTING_OURS,
	/* java @FILE, by the launcher's rules: inside quotes \n \r \t \f are what they are in Java,
	 * and a backslash at the end of a line joins it with the next one, indent and all */
	CLI_QUOTING_JAVA,
	/* JDK_JAVA_OPTIONS: as the launcher reads it; no backslash and no comment means anything */
	CLI_QUOTING_VARIABLE,
};

/* Appends WORD, which must live as long as the arena; NULL, from a caller that had no memory for
 * it, is JW_NOMEM. */
enum jw_status JW_MUST_USE cli_words_add(struct cli_words *w, const char *word, struct jw_err *e);

/* The words, NULL at the end; also when there is none. */
const char **cli_words_all(const struct cli_words *w);

/* Appends the words of TEXT. A word that begins with '#' opens a comment to the end of its line
 * (not in a variable). JW_USAGE: a zero byte, or a quote that does not end. */
enum jw_status JW_MUST_USE cli_words_read(struct cli_words *w, struct jw_span text,
					  enum cli_quoting quoting, struct jw_err *e);

/* The same with the words of the file PATH (16 MiB at most). What jw_file_open() says when it
 * cannot be read. */
enum jw_status JW_MUST_USE cli_words_file(struct cli_words *w, const char *path,
					  enum cli_quoting quoting, struct jw_err *e);

/* Appends WORD to OUT, an argument file of java's, as a line of its own. */
void cli_words_put(struct jw_buf *out, const char *word);

/* Is WORD one of NAMES (NULL ends)? */
bool cli_among(const char *const *names, const char *word);
/* What follows PREFIX, with which WORD starts; else NULL. */
const char *cli_after(const char *word, const char *prefix);

#endif
