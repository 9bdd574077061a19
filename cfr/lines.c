#include "cfr/lines.h"

#include <string.h>

#include "base/banned.h"

enum { LINE_WORDS = 65536 / 64, LINE_BYTES = 4, LINE_AT = 2 };

/* The lines seen, as bits relative to `low`. Only the words in use are cleared. */
struct lines {
	uint64_t bits[LINE_WORDS];
	uint32_t low, high;
};

static bool is_line_table(const struct cfr_attr *attr)
{
	return jw_span_eq(attr->name, JW_SPAN_LIT("LineNumberTable")) && attr->info.n >= 2;
}

/* The line of entry I; false after the end of the table. */
static bool line_at(struct jw_span info, uint32_t i, uint32_t *line)
{
	size_t at = 2 + (size_t)i * LINE_BYTES;

	if (i >= jw_span_u2(info, 0) || info.n - 2 < ((size_t)i + 1) * LINE_BYTES)
		return false;
	*line = jw_span_u2(info, at + LINE_AT);
	return true;
}

static void line_range(struct cfr_attr_iter it, struct lines *lines)
{
	struct cfr_attr attr;
	uint32_t line;

	while (cfr_attr_next(&it, &attr)) {
		for (uint32_t i = 0; is_line_table(&attr) && line_at(attr.info, i, &line); i++) {
			lines->low = line < lines->low ? line : lines->low;
			lines->high = line > lines->high ? line : lines->high;
		}
	}
}

static uint32_t line_count(struct cfr_attr_iter it, struct lines *lines)
{
	struct cfr_attr attr;
	uint32_t line, count = 0;

	while (cfr_attr_next(&it, &attr)) {
		for (uint32_t i = 0; is_line_table(&attr) && line_at(attr.info, i, &line); i++) {
			uint64_t *word = &lines->bits[(line - lines->low) / 64];
			uint64_t bit = UINT64_C(1) << ((line - lines->low) % 64);

			count += !(*word & bit);
			*word |= bit;
		}
	}
	return count;
}

uint32_t cfr_line_count(const struct cfr_class *cls, const struct cfr_attrs *attrs)
{
	struct lines lines;

	lines.low = UINT32_MAX;
	lines.high = 0;
	line_range(cfr_attrs_iter(cls, attrs), &lines);
	if (lines.low > lines.high)
		return 0;
	memset(lines.bits, 0, ((lines.high - lines.low) / 64 + 1) * sizeof(lines.bits[0]));
	return line_count(cfr_attrs_iter(cls, attrs), &lines);
}

uint32_t cfr_first_line(const struct cfr_class *cls, const struct cfr_code *code)
{
	struct cfr_attr attr;
	uint32_t line = 0, lowest = UINT32_MAX;

	if (!cfr_attrs_find(cls, &code->attrs, "LineNumberTable", &attr))
		return 0;
	for (size_t at = 2; at + LINE_BYTES <= attr.info.n && lowest > 0; at += LINE_BYTES) {
		if (jw_span_u2(attr.info, at) < lowest) {
			lowest = jw_span_u2(attr.info, at);
			line = jw_span_u2(attr.info, at + LINE_AT);
		}
	}
	return line;
}

uint32_t *cfr_line_starts(const struct cfr_class *cls, const struct cfr_code *code,
			  struct jw_arena *arena)
{
	struct cfr_attr_iter it = cfr_attrs_iter(cls, &code->attrs);
	struct cfr_attr attr;
	uint32_t *starts = NULL;

	while (cfr_attr_next(&it, &attr)) {
		if (!jw_span_eq(attr.name, JW_SPAN_LIT("LineNumberTable")))
			continue;
		if (!starts)
			starts = JW_NEW_ARRAY(arena, uint32_t, code->code.n);
		for (size_t at = 2; starts && at + LINE_BYTES <= attr.info.n; at += LINE_BYTES) {
			uint16_t pc = jw_span_u2(attr.info, at);

			if (pc < code->code.n)
				starts[pc] = 1 + (uint32_t)jw_span_u2(attr.info, at + LINE_AT);
		}
	}
	return starts;
}
