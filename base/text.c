#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

/* How many bytes the character that starts with FIRST has, and its LEAST code point; 0: no start.
 */
static size_t length_of(uint8_t first, uint32_t *least)
{
	static const struct {
		uint8_t from, to, bytes;
		uint32_t least;
	} starts[] = {
		{ 0x00, 0x7f, 1, 0 },
		{ 0xc2, 0xdf, 2, 0x80 },
		{ 0xe0, 0xef, 3, 0x800 },
		{ 0xf0, 0xf4, 4, 0x10000 },
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (first >= starts[i].from && first <= starts[i].to) {
			*least = starts[i].least;
			return starts[i].bytes;
		}
	}
	return 0;
}

size_t jw_utf8_at(struct jw_span s, uint32_t *point)
{
	uint32_t least = 0;
	size_t n = s.n ? length_of(s.p[0], &least) : 0;

	if (n == 0 || n > s.n)
		return 0;
	uint32_t c = n == 1 ? s.p[0] : s.p[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s.p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s.p[i] & 0x3fU);
	}
	if (c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*point = c;
	return n;
}

size_t jw_characters(struct jw_span s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += (s.p[i] & 0xc0) != 0x80;
	return n;
}

void jw_put_utf8(struct jw_buf *b, uint32_t point)
{
	if (point < 0x80) {
		jw_put_u1(b, point);
	} else if (point < 0x800) {
		jw_put_u1(b, 0xc0 | point >> 6);
		jw_put_u1(b, 0x80 | (point & 0x3f));
	} else if (point < 0x10000) {
		jw_put_u1(b, 0xe0 | point >> 12);
		jw_put_u1(b, 0x80 | (point >> 6 & 0x3f));
		jw_put_u1(b, 0x80 | (point & 0x3f));
	} else {
		jw_put_u1(b, 0xf0 | point >> 18);
		jw_put_u1(b, 0x80 | (point >> 12 & 0x3f));
		jw_put_u1(b, 0x80 | (point >> 6 & 0x3f));
		jw_put_u1(b, 0x80 | (point & 0x3f));
	}
}

void jw_put_dotted(struct jw_buf *b, struct jw_span name)
{
	for (size_t i = 0; i < name.n; i++)
		jw_put_u1(b, name.p[i] == '/' ? '.' : name.p[i]);
}

char *jw_dotted(char *name)
{
	for (char *c = name; c && *c; c++)
		if (*c == '/')
			*c = '.';
	return name;
}

/* Does the shell take TEXT for one word as it is? */
static bool is_word(struct jw_span text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:@%+=,";

	for (size_t i = 0; i < text.n; i++)
		if (!text.p[i] || !strchr(plain, text.p[i]))
			return false;
	return text.n;
}

void jw_put_word(struct jw_buf *b, struct jw_span text)
{
	if (is_word(text)) {
		jw_put_bytes(b, text);
		return;
	}
	jw_put_u1(b, '\'');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\'')
			jw_put_str(b, "'\\''");
		else
			jw_put_u1(b, text.p[i]);
	}
	jw_put_u1(b, '\'');
}

int jw_hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}
