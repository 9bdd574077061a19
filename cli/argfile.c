/*
 * argfile.c: @FILE: arguments from a file (words.h), for calls that are longer than a system
 * allows. Files do not nest: a word "@x" in a file is that word.
 */
#include "cli/argfile.h"

#include <string.h>

#include "cli/words.h"

#include "base/banned.h"

enum jw_status cli_expand(size_t count, const char *const *words, struct jw_arena *arena,
			  size_t *out_count, const char *const **out, struct jw_err *e)
{
	struct cli_words w = { .arena = arena };
	bool plain = false; /* after "--" */

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];

		if (plain || word[0] != '@')
			JW_TRY(cli_words_add(&w, word, e));
		else if (word[1] == '@')
			JW_TRY(cli_words_add(&w, word + 1, e));
		else
			JW_TRY(cli_words_file(&w, word + 1, CLI_QUOTING_OURS, e));
		plain = plain || strcmp(word, "--") == 0;
	}
	*out = w.items;
	*out_count = w.count;
	return JW_OK;
}
