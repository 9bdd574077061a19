/*
 * draw_text.c: names as XML, cut to the room that they have, and the colours of methods.
 */
#include "trace/draw/draw_text.h"
#include "trace/format/fields.h"

#include "base/banned.h"

/* ---- letters ---- */

/* May XML hold C, and does it leave the text around it where it is? */
static bool is_plain(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffe || c == 0xffff)
		return false;
	return c != 0x2028 && c != 0x2029 && (c < 0x202a || c > 0x202e) &&
	       (c < 0x2066 || c > 0x2069);
}

static void put_letter(struct jw_buf *out, uint32_t c)
{
	switch (c) {
	case '&':
		jw_put_str(out, "&amp;");
		break;
	case '<':
		jw_put_str(out, "&lt;");
		break;
	case '>':
		jw_put_str(out, "&gt;");
		break;
	case '"':
		jw_put_str(out, "&quot;");
		break;
	default:
		jw_put_utf8(out, is_plain(c) ? c : TRACE_REPLACEMENT);
	}
}

/* In hundredths of the letters' size: narrow ones, capitals, and those of East Asia. */
static uint32_t width_of(uint32_t c)
{
	if (c >= 0x1100)
		return 105;
	if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@' || c == '%')
		return 90;
	if (c == 'i' || c == 'j' || c == 'l' || c == 'I' || c == '.' || c == ',' || c == ':' ||
	    c == ' ' || c == 't' || c == 'f' || c == 'r' || c == '-' || c == '(' || c == ')')
		return 40;
	return c >= 'A' && c <= 'Z' ? 71 : 60;
}

/* Hundredths of a pixel. */
static uint64_t measure(struct jw_span text, uint32_t size)
{
	uint64_t wide = 0;

	for (size_t pos = 0; pos < text.n;)
		wide += width_of(trace_utf8_next(text, &pos));
	return wide * size;
}

uint32_t trace_draw_width(struct jw_span text, uint32_t size)
{
	uint64_t wide = measure(text, size) / 100 + 1;

	return wide < UINT32_MAX ? (uint32_t)wide : UINT32_MAX;
}

void trace_draw_put_xml(struct jw_buf *out, struct jw_span text)
{
	for (size_t pos = 0; pos < text.n;)
		put_letter(out, trace_utf8_next(text, &pos));
}

/* How many bytes from the front of TEXT fit ROOM hundredths. */
static size_t fitting(struct jw_span text, uint32_t size, uint64_t room)
{
	uint64_t wide = 0;

	for (size_t pos = 0, next = 0; pos < text.n; pos = next) {
		wide += (uint64_t)width_of(trace_utf8_next(text, &next)) * size;
		if (wide > room)
			return pos;
	}
	return text.n;
}

/* Where the longest end of TEXT begins that is no wider than ROOM. */
static size_t fitting_end(struct jw_span text, uint32_t size, uint64_t room)
{
	uint64_t wide = measure(text, size);
	size_t pos = 0;

	while (pos < text.n && wide > room)
		wide -= (uint64_t)width_of(trace_utf8_next(text, &pos)) * size;
	return pos;
}

#define ELLIPSIS 0x2026
#define DOTS     100 /* its width, in hundredths of the letters' size */

void trace_draw_put_front(struct jw_buf *out, struct jw_span text, uint32_t size, uint32_t room)
{
	uint64_t all = (uint64_t)room * 100;

	if (measure(text, size) <= all) {
		trace_draw_put_xml(out, text);
		return;
	}
	if (all < (uint64_t)DOTS * size)
		return;
	trace_draw_put_xml(out,
			   jw_span_sub(text, 0, fitting(text, size, all - (uint64_t)DOTS * size)));
	jw_put_utf8(out, ELLIPSIS);
}

void trace_draw_put_middle(struct jw_buf *out, struct jw_span text, uint32_t size, uint32_t room)
{
	uint64_t all = (uint64_t)room * 100, dots = (uint64_t)DOTS * size;

	if (measure(text, size) <= all || all < dots) {
		trace_draw_put_front(out, text, size, room);
		return;
	}
	size_t head = fitting(text, size, (all - dots) / 2);
	size_t tail = fitting_end(text, size, (all - dots) / 2);

	trace_draw_put_xml(out, jw_span_sub(text, 0, head));
	jw_put_utf8(out, ELLIPSIS);
	trace_draw_put_xml(out, jw_span_sub(text, tail > head ? tail : head, text.n));
}

/* ---- colours ---- */

/* One of the three parts of a colour of HUE (0..359): PEAK where the hue is near, LOW far away. */
static uint32_t part(uint32_t hue, uint32_t low, uint32_t peak)
{
	uint32_t distance = hue < 180 ? hue : 360 - hue;

	if (distance <= 60)
		return peak;
	return distance >= 120 ? low : low + (peak - low) * (120 - distance) / 60;
}

/* Light enough for dark letters, dark enough for a white ground. */
void trace_draw_put_colour(struct jw_buf *out, struct jw_span name)
{
	static const uint8_t ranges[][2] = {
		{ 130, 218 }, { 152, 232 }, { 112, 196 }, { 140, 206 }
	};
	uint64_t hash = jw_hash64(name, 0);

	hash ^= hash >> 29;
	uint32_t hue = (uint32_t)(hash % 360);
	const uint8_t *range = ranges[hash / 360 % 4];

	jw_put_fmt(out, "#%02x%02x%02x", part(hue, range[0], range[1]),
		   part((hue + 240) % 360, range[0], range[1]),
		   part((hue + 120) % 360, range[0], range[1]));
}
