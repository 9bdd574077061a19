/*
 * json.c: see json.h.
 */
#include "base/json.h"

#include "base/text.h"

#include "base/banned.h"

bool jw_harmful(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) ||
	       (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
	       point == 0x2028 || point == 0x2029;
}

/* The character POINT, whose bytes are SEQUENCE; none where they are no character. */
static void put_point(struct jw_buf *out, struct jw_span sequence, uint32_t point)
{
	if (sequence.n == 0)
		jw_put_str(out, "\xef\xbf\xbd");
	else if (jw_harmful(point))
		jw_put_fmt(out, "\\u%04x", (unsigned)point);
	else
		jw_put_bytes(out, sequence);
}

void jw_put_json(struct jw_buf *out, struct jw_span text)
{
	jw_put_u1(out, '"');
	while (text.n) {
		uint32_t point = 0;
		size_t n = jw_utf8_at(text, &point);

		if (n && (point == '"' || point == '\\'))
			jw_put_u1(out, '\\');
		put_point(out, jw_span(text.p, n), point);
		text = jw_span_sub(text, n ? n : 1, text.n);
	}
	jw_put_u1(out, '"');
}

void jw_put_json_document(struct jw_buf *out, struct jw_span json)
{
	while (json.n) {
		uint32_t point = 0;
		size_t n = jw_utf8_at(json, &point);

		if (n && (point == '\n' || point == '\t' || point == '\r'))
			jw_put_u1(out, (uint8_t)point);
		else
			put_point(out, jw_span(json.p, n), point);
		json = jw_span_sub(json, n ? n : 1, json.n);
	}
}
