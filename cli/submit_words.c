/*
 * submit_words.c: see submit_words.h.
 */
#include "cli/submit_words.h"

#include <string.h>

#include "base/file.h"

#include "base/banned.h"

enum { PROPERTIES_MAX = 16 << 20 };

const char *submit_join(struct jw_arena *arena, const char *const *list, const char *between,
			const char *rest)
{
	struct jw_buf text = { 0 };

	for (size_t i = 0; list && list[i]; i++)
		jw_put_fmt(&text, "%s%s", text.n ? between : "", list[i]);
	if (rest && *rest)
		jw_put_fmt(&text, "%s%s", text.n ? between : "", rest);
	const char *out = text.failed ? NULL : jw_arena_str(arena, jw_buf_span(&text));
	jw_buf_free(&text);
	return out;
}

/* ---- properties ---- */

#define BLANKS " \t\f\r"

/* One line of TEXT (with those that a backslash at its end joins), without its blanks and
 * backslashes, into LINE. Returns what is left. */
static const char *take_line(const char *text, struct jw_buf *line)
{
	jw_buf_clear(line);
	text += strspn(text, BLANKS "\n");
	for (; *text && *text != '\n'; text++) {
		if (*text == '\\' && text[1] == '\n') {
			text += 1 + strspn(text + 2, BLANKS);
			continue;
		}
		if (*text == '\\' && text[1])
			text++;
		jw_put_u1(line, (uint8_t)*text);
	}
	while (line->n && strchr(BLANKS, line->p[line->n - 1]))
		line->n--;
	return text;
}

/* The value in LINE, if it is KEY's: "key value", "key=value", "key: value". */
static const char *value_of(const char *line, const char *key)
{
	const char *at = cli_after(line, key);

	if (!at || !strchr(BLANKS "=:", *at))
		return NULL;
	at += strspn(at, BLANKS);
	at += *at == '=' || *at == ':';
	return at + strspn(at, BLANKS);
}

enum jw_status submit_properties(const char *path, struct cli_words *lines, struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct jw_file file = { 0 };
	struct jw_buf line = { 0 };
	enum jw_status status = JW_OK;

	if (jw_file_open(path, PROPERTIES_MAX, &file, &ignored) != JW_OK)
		return JW_OK;
	const char *text = jw_arena_str(lines->arena, file.bytes);
	jw_file_close(&file);
	if (!text)
		return jw_nomem(e);
	while (*text && status == JW_OK) {
		text = take_line(text, &line);
		status = jw_buf_finish(&line, "a line", e);
		if (status == JW_OK && line.n && line.p[0] != '#' && line.p[0] != '!')
			status = cli_words_add(lines,
					       jw_arena_str(lines->arena, jw_buf_span(&line)), e);
	}
	jw_buf_free(&line);
	return status;
}

const char *submit_property(const struct cli_words *lines, const char *key)
{
	for (size_t i = lines->count; i--;) {
		const char *value = value_of(lines->items[i], key);

		if (value)
			return value;
	}
	return NULL;
}
