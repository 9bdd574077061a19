#include "cli/words.h"

#include <string.h>

#include "base/file.h"

#include "base/banned.h"

#define ARGFILE_MAX ((size_t)16 << 20)

enum jw_status cli_words_add(struct cli_words *w, const char *word, struct jw_err *e)
{
	if (!word)
		return jw_nomem(e);
	if (w->count + 1 >= w->room) { /* one for the NULL at the end */
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
	w->items[w->count] = NULL;
	return JW_OK;
}

const char **cli_words_all(const struct cli_words *w)
{
	static const char *none[] = { NULL };

	return w->items ? w->items : none;
}

static bool blank(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Characters that java has after a backslash, and what they mean. */
static const char java_escapes[] = "nrtf", java_escaped[] = "\n\r\t\f";

/* What a backslash and C mean between quotes, to Java; 0: nothing (a line that goes on). */
static uint8_t escaped(uint8_t c)
{
	const char *at = c ? strchr(java_escapes, c) : NULL;

	if (at)
		return (uint8_t)java_escaped[at - java_escapes];
	return c == '\n' || c == '\r' ? 0 : c;
}

/* After a backslash between quotes. */
static void scan_escape(struct jw_cur *c, enum cli_quoting quoting, struct jw_buf *word)
{
	uint8_t ch = jw_cur_u1(c);

	ch = quoting == CLI_QUOTING_JAVA ? escaped(ch) : ch;
	if (ch)
		jw_put_u1(word, ch);
	while (!ch && jw_cur_left(c) && blank(c->s.p[c->pos]))
		jw_cur_skip(c, 1); /* the next line's indent */
}

static bool escapes_in(enum cli_quoting quoting, uint8_t quote)
{
	return quoting == CLI_QUOTING_OURS ? quote == '"' : quote && quoting == CLI_QUOTING_JAVA;
}

/* One word into WORD. */
static enum jw_status scan(struct jw_cur *c, enum cli_quoting quoting, struct jw_buf *word,
			   struct jw_err *e)
{
	uint8_t quote = 0;

	while (jw_cur_left(c)) {
		uint8_t ch = jw_cur_u1(c);

		if (!quote && blank(ch))
			return JW_OK;
		if (!quote && (ch == '"' || ch == '\''))
			quote = ch;
		else if (ch == quote)
			quote = 0;
		else if (ch == '\\' && escapes_in(quoting, quote) && jw_cur_left(c))
			scan_escape(c, quoting, word);
		else
			jw_put_u1(word, ch);
	}
	if (quote && quoting == CLI_QUOTING_OURS)
		return jw_fail(e, JW_USAGE, "a quote (%c) does not end", quote);
	return JW_OK;
}

static void skip_line(struct jw_cur *c)
{
	while (jw_cur_left(c) && jw_cur_u1(c) != '\n')
		;
}

enum jw_status cli_words_read(struct cli_words *w, struct jw_span text, enum cli_quoting quoting,
			      struct jw_err *e)
{
	struct jw_cur c = jw_cur(text);
	struct jw_buf word = { 0 };
	enum jw_status status = JW_OK;

	if (text.n && memchr(text.p, 0, text.n))
		return jw_fail(e, JW_USAGE, "a zero byte: not a text file");
	while (status == JW_OK && jw_cur_left(&c)) {
		uint8_t ch = text.p[c.pos];

		if (blank(ch)) {
			jw_cur_skip(&c, 1);
		} else if (ch == '#' && quoting != CLI_QUOTING_VARIABLE) {
			skip_line(&c);
		} else {
			jw_buf_clear(&word);
			status = scan(&c, quoting, &word, e);
			if (status == JW_OK)
				status = jw_buf_finish(&word, "a word", e);
			if (status == JW_OK)
				status = cli_words_add(
					w, jw_arena_str(w->arena, jw_buf_span(&word)), e);
		}
	}
	jw_buf_free(&word);
	return status;
}

enum jw_status cli_words_file(struct cli_words *w, const char *path, enum cli_quoting quoting,
			      struct jw_err *e)
{
	struct jw_file file = { 0 };

	if (jw_file_open(path, ARGFILE_MAX, &file, e) != JW_OK)
		return jw_err_where(e, "arguments of '@%s'", path);
	enum jw_status status = cli_words_read(w, file.bytes, quoting, e);
	jw_file_close(&file);
	return status == JW_OK ? JW_OK : jw_err_where(e, "@%s", path);
}

void cli_words_put(struct jw_buf *out, const char *word)
{
	jw_put_u1(out, '"');
	for (; *word; word++) {
		const char *at = strchr(java_escaped, *word);

		if (at || *word == '"' || *word == '\\')
			jw_put_u1(out, '\\');
		jw_put_u1(out, (uint8_t)(at ? java_escapes[at - java_escaped] : *word));
	}
	jw_put_str(out, "\"\n");
}

bool cli_among(const char *const *names, const char *word)
{
	for (; *names; names++)
		if (strcmp(*names, word) == 0)
			return true;
	return false;
}

const char *cli_after(const char *word, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(word, prefix, n) == 0 ? word + n : NULL;
}
