/*
 * argfile.c: @FILE: arguments from a file, for calls that are longer than a system allows.
 *
 * Words are separated by white space. '...' and "..." keep it; inside "..." a backslash takes the
 * next character as it is. A word that begins with '#' opens a comment to the end of its line.
 * Files do not nest: a word "@x" in a file is that word.
 */
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"

#include "base/banned.h"

#define ARGFILE_MAX ((size_t)16 << 20)

struct words {
	struct jw_arena *arena;
	const char **items;
	size_t count, room;
};

static enum jw_status add(struct words *w, const char *word, struct jw_err *e)
{
	if (!word)
		return jw_nomem(e);
	if (w->count == w->room) {
		size_t room = w->room ? 2 * w->room : 32;
		const char **items = JW_NEW_ARRAY(w->arena, const char *, room);

		if (!items)
			return jw_nomem(e);
		if (w->count)
			memcpy(items, w->items, w->count * sizeof(*items));
		w->items = items;
		w->room = room;
	}
	w->items[w->count++] = word;
	return JW_OK;
}

static bool blank(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* One word into WORD. JW_USAGE: a quote that does not end. */
static enum jw_status scan(struct jw_cur *c, struct jw_buf *word, struct jw_err *e)
{
	uint8_t quote = 0;

	while (jw_cur_left(c)) {
		uint8_t ch = jw_cur_u1(c);

		if (ch == 0)
			return jw_fail(e, JW_USAGE, "a zero byte: not a text file");
		if (!quote && blank(ch))
			return JW_OK;
		if (!quote && (ch == '"' || ch == '\'')) {
			quote = ch;
		} else if (ch == quote) {
			quote = 0;
		} else {
			if (quote == '"' && ch == '\\' && jw_cur_left(c))
				ch = jw_cur_u1(c);
			jw_put_u1(word, ch);
		}
	}
	if (quote)
		return jw_fail(e, JW_USAGE, "a quote (%c) does not end", quote);
	return JW_OK;
}

static enum jw_status read_words(struct words *w, struct jw_span text, struct jw_err *e)
{
	struct jw_cur c = jw_cur(text);
	struct jw_buf word = { 0 };
	enum jw_status status = JW_OK;

	while (status == JW_OK && jw_cur_left(&c)) {
		uint8_t ch = text.p[c.pos];

		if (blank(ch)) {
			jw_cur_skip(&c, 1);
		} else if (ch == '#') {
			while (jw_cur_left(&c) && jw_cur_u1(&c) != '\n')
				;
		} else {
			jw_buf_clear(&word);
			status = scan(&c, &word, e);
			if (status == JW_OK)
				status = jw_buf_finish(&word, "a word", e);
			if (status == JW_OK)
				status = add(w, jw_arena_str(w->arena, jw_buf_span(&word)), e);
		}
	}
	jw_buf_free(&word);
	return status;
}

static enum jw_status read_file(struct words *w, const char *path, struct jw_err *e)
{
	struct jw_file file = { 0 };

	if (jw_file_open(path, ARGFILE_MAX, &file, e) != JW_OK)
		return jw_err_where(e, "arguments of '@%s'", path);
	enum jw_status status = read_words(w, file.bytes, e);
	jw_file_close(&file);
	return status == JW_OK ? JW_OK : jw_err_where(e, "@%s", path);
}

enum jw_status cli_expand(size_t count, const char *const *words, struct jw_arena *arena,
			  size_t *out_count, const char *const **out, struct jw_err *e)
{
	struct words w = { .arena = arena };
	bool plain = false; /* behind "--" */

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];

		if (plain || word[0] != '@')
			JW_TRY(add(&w, word, e));
		else if (word[1] == '@')
			JW_TRY(add(&w, word + 1, e));
		else
			JW_TRY(read_file(&w, word + 1, e));
		plain = plain || strcmp(word, "--") == 0;
	}
	*out = w.items;
	*out_count = w.count;
	return JW_OK;
}
