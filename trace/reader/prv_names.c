/*
 * prv_names.c: see prv_names.h.
 */
#include "trace/reader/prv_names.h"

#include <string.h>

#include "trace/format/fields.h"
#include "trace/reader/prv_head.h"

#include "base/banned.h"

/* "17   label": false: it is not. */
static bool take_value(struct jw_span line, uint64_t *value, struct jw_span *label)
{
	if (!trace_take_number(&line, value) || line.n == 0 || line.p[0] != ' ')
		return false;
	while (line.n && line.p[0] == ' ')
		line = jw_span_sub(line, 1, line.n);
	*label = line;
	return line.n > 0;
}

static struct jw_span trimmed(struct jw_span line)
{
	while (line.n && (line.p[0] == ' ' || line.p[0] == '\t'))
		line = jw_span_sub(line, 1, line.n);
	while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\r'))
		line.n--;
	return line;
}

/* "0  60000019  User function": the number of the type, and its LABEL; 0: it is no such line. */
static uint64_t type_of(struct jw_span line, struct jw_span *label)
{
	uint64_t class, type;
	struct jw_span rest;

	return take_value(line, &class, &rest) && take_value(rest, &type, label) ? type : 0;
}

/* ORDER: sections. */
enum section { STATES, COLOR, TYPE, OTHER };

/* The section that LINE begins; false: none. */
static bool begins(struct jw_span line, enum section *section)
{
	static const char *const names[] = { "STATES",          "STATES_COLOR",   "EVENT_TYPE",
					     "GRADIENT_COLOR",  "GRADIENT_NAMES", "DEFAULT_OPTIONS",
					     "DEFAULT_SEMANTIC" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!jw_span_eq_str(line, names[i]))
			continue;
		*section = i < OTHER ? (enum section)i : OTHER;
		return true;
	}
	return false;
}

void trace_pcf_each(struct jw_span text,
		    void (*named)(void *ctx, uint64_t type, uint64_t value, struct jw_span label),
		    void *ctx)
{
	enum section section = OTHER;
	bool values = false;
	uint64_t type = 0, value; /* the latest of a group */

	while (text.n) {
		struct jw_span line = trimmed(trace_line(&text)), label;

		if (begins(line, &section)) {
			values = false;
			type = 0;
		} else if (section == TYPE && jw_span_eq_str(line, "VALUES")) {
			values = true;
		} else if (section == TYPE && !values) {
			uint64_t another = type_of(line, &label);

			type = another ? another : type;
			if (another)
				named(ctx, type, TRACE_PCF_TYPE, label);
		} else if (take_value(line, &value, &label)) {
			if (section == STATES)
				named(ctx, TRACE_PCF_STATE, value, label);
			else if (section == TYPE && type)
				named(ctx, type, value, label);
		}
	}
}

/* Is LINE "LEVEL NAME SIZE ..", of this NAME? */
static bool is_level(struct jw_span line, const char *name)
{
	struct jw_span level = JW_SPAN_LIT("LEVEL ");

	if (!jw_span_starts(line, level))
		return false;
	line = jw_span_sub(line, level.n, line.n);
	if (!jw_span_starts(line, jw_span_str(name)))
		return false;
	return jw_span_starts(jw_span_sub(line, strlen(name), line.n), JW_SPAN_LIT(" SIZE "));
}

void trace_row_each(struct jw_span text, const char *level,
		    void (*named)(void *ctx, uint64_t place, struct jw_span name), void *ctx)
{
	uint64_t size;

	while (text.n) {
		struct jw_span line = trimmed(trace_line(&text)), rest = line;

		if (!jw_span_starts(line, JW_SPAN_LIT("LEVEL ")))
			continue;
		while (rest.n && (rest.p[0] < '0' || rest.p[0] > '9'))
			rest = jw_span_sub(rest, 1, rest.n);
		if (!trace_take_number(&rest, &size))
			continue;
		bool wanted = is_level(line, level);

		for (uint64_t i = 0; i < size && text.n; i++) {
			struct jw_span name = trimmed(trace_line(&text));

			if (wanted && name.n)
				named(ctx, i, name);
		}
	}
}
