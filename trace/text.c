/*
 * text.c: see text.h.
 */
#include "trace/text.h"

#include "base/banned.h"

#define REPLACEMENT 0xfffdu

static uint32_t byte_at(struct jw_span text, size_t pos)
{
	return pos < text.n ? text.p[pos] : 0;
}

static bool is_tail(uint32_t byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Three bytes at POS as one code point, or 0 when they are none. */
static uint32_t three(struct jw_span text, size_t pos)
{
	uint32_t a = byte_at(text, pos), b = byte_at(text, pos + 1), c = byte_at(text, pos + 2);
	uint32_t v = (a & 0x0f) << 12 | (b & 0x3f) << 6 | (c & 0x3f);

	return (a & 0xf0) == 0xe0 && is_tail(b) && is_tail(c) && v >= 0x800 ? v : 0;
}

static uint32_t three_or_pair(struct jw_span text, size_t *pos)
{
	uint32_t v = three(text, *pos);

	if (v == 0)
		return REPLACEMENT; /* one byte is taken: *pos has moved already by the caller */
	if (v < 0xd800 || v > 0xdfff) {
		*pos += 3;
		return v;
	}
	uint32_t low = v < 0xdc00 ? three(text, *pos + 3) : 0;

	if (low < 0xdc00 || low > 0xdfff) {
		*pos += 3;
		return REPLACEMENT;
	}
	*pos += 6;
	return 0x10000 + ((v - 0xd800) << 10) + (low - 0xdc00);
}

static uint32_t two(struct jw_span text, size_t *pos)
{
	uint32_t v = (byte_at(text, *pos) & 0x1f) << 6 | (byte_at(text, *pos + 1) & 0x3f);

	if (!is_tail(byte_at(text, *pos + 1)) || (v < 0x80 && v != 0))
		return REPLACEMENT;
	*pos += 2;
	return v;
}

static uint32_t four(struct jw_span text, size_t *pos)
{
	uint32_t v = byte_at(text, *pos) & 0x07;

	for (size_t i = 1; i < 4; i++) {
		if (!is_tail(byte_at(text, *pos + i)))
			return REPLACEMENT;
		v = v << 6 | (byte_at(text, *pos + i) & 0x3f);
	}
	if (v < 0x10000 || v > 0x10ffff)
		return REPLACEMENT;
	*pos += 4;
	return v;
}

uint32_t trace_utf8_next(struct jw_span text, size_t *pos)
{
	size_t start = *pos;
	uint32_t a = byte_at(text, start), c = REPLACEMENT;

	if (a < 0x80) {
		*pos = start + 1;
		return a;
	}
	if ((a & 0xe0) == 0xc0)
		c = two(text, pos);
	else if ((a & 0xf0) == 0xe0)
		c = three_or_pair(text, pos);
	else if ((a & 0xf8) == 0xf0)
		c = four(text, pos);
	if (*pos == start)
		*pos = start + 1;
	return c;
}

static struct jw_span cut_at(struct jw_span *text, uint8_t end)
{
	size_t n = 0;

	while (n < text->n && text->p[n] != end)
		n++;
	struct jw_span piece = jw_span_sub(*text, 0, n);

	*text = jw_span_sub(*text, n < text->n ? n + 1 : n, text->n);
	return piece;
}

struct jw_span trace_field(struct jw_span *line)
{
	return cut_at(line, '\t');
}

struct jw_span trace_line(struct jw_span *text)
{
	return cut_at(text, '\n');
}

static int hex_digit(uint32_t c)
{
	if (c >= '0' && c <= '9')
		return (int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (int)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (int)(c - 'A' + 10);
	return -1;
}

char *trace_unescape(struct jw_arena *arena, struct jw_span field)
{
	char *out = JW_NEW_ARRAY(arena, char, field.n + 1);
	size_t n = 0;

	for (size_t i = 0; out && i < field.n; i++) {
		uint8_t c = field.p[i];
		int high = hex_digit(byte_at(field, i + 2)), low = hex_digit(byte_at(field, i + 3));

		if (c == '\\' && byte_at(field, i + 1) == 'x' && high >= 0 && low >= 0) {
			c = (uint8_t)(high << 4 | low);
			i += 3;
		}
		out[n++] = (char)(c == 0 ? ' ' : c);
	}
	return out;
}

static bool number(struct jw_span field, uint32_t base, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (field.n == 0)
		return false;
	for (size_t i = 0; i < field.n; i++) {
		int d = hex_digit(field.p[i]);

		if (d < 0 || (uint32_t)d >= base || (uint64_t)d > max ||
		    v > (max - (uint32_t)d) / base)
			return false;
		v = v * base + (uint32_t)d;
	}
	*out = v;
	return true;
}

bool trace_dec(struct jw_span field, uint64_t max, uint64_t *out)
{
	return number(field, 10, max, out);
}

bool trace_hex(struct jw_span field, uint64_t max, uint64_t *out)
{
	return number(field, 16, max, out);
}
