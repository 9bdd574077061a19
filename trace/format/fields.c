/*
 * fields.c: see fields.h.
 */
#include "trace/format/fields.h"

#include "base/banned.h"

static uint32_t byte_at(struct jw_span text, size_t pos)
{
	return pos < text.n ? text.p[pos] : 0;
}

/* The surrogate in three bytes at POS, as modified UTF-8 has it; 0: none. */
static uint32_t surrogate(struct jw_span text, size_t pos)
{
	uint32_t b = byte_at(text, pos + 1), c = byte_at(text, pos + 2);
	bool is = byte_at(text, pos) == 0xed && (b & 0xe0) == 0xa0 && (c & 0xc0) == 0x80;

	return is ? 0xd000 | (b & 0x3f) << 6 | (c & 0x3f) : 0;
}

/* What is no UTF-8 at POS: modified UTF-8, or one byte of neither. */
static uint32_t modified_next(struct jw_span text, size_t *pos)
{
	uint32_t high = surrogate(text, *pos);

	if (byte_at(text, *pos) == 0xc0 && byte_at(text, *pos + 1) == 0x80) {
		*pos += 2;
		return 0;
	}
	if (!high) {
		*pos += 1;
		return TRACE_REPLACEMENT;
	}
	*pos += 3;
	uint32_t low = high < 0xdc00 ? surrogate(text, *pos) : 0;
	if (low < 0xdc00)
		return TRACE_REPLACEMENT;
	*pos += 3;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

uint32_t trace_utf8_next(struct jw_span text, size_t *pos)
{
	uint32_t point;
	size_t n = jw_utf8_at(jw_span_sub(text, *pos, text.n), &point);

	if (n == 0)
		return modified_next(text, pos);
	*pos += n;
	return point;
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

char *trace_unescape(struct jw_arena *arena, struct jw_span field)
{
	char *out = JW_NEW_ARRAY(arena, char, field.n + 1);
	size_t n = 0;

	for (size_t i = 0; out && i < field.n; i++) {
		uint8_t c = field.p[i];
		int high = jw_hex_digit((int)byte_at(field, i + 2)),
		    low = jw_hex_digit((int)byte_at(field, i + 3));

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
		int d = jw_hex_digit(field.p[i]);

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
