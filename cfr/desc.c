#include "cfr/desc.h"

#include "base/banned.h"

enum { SLOTS_MAX = 255, DIMENSIONS_MAX = 255 };

struct jw_cur cfr_desc_params(struct jw_span method_descriptor)
{
	struct jw_cur cur = jw_cur(method_descriptor);

	if (jw_cur_u1(&cur) != '(')
		cur.bad = true;
	return cur;
}

/* How many bytes at the front of S are the name of a class; 0: none are. The longest loop of all
 * that walk descriptors: over the span, not a cursor. */
static size_t class_length(struct jw_span s)
{
	uint8_t before = '/';
	size_t i;

	for (i = 0; i < s.n; before = s.p[i++]) {
		uint8_t c = s.p[i];

		if (c == ';' || c == '.' || c == '[' || (c == '/' && before == '/'))
			break;
	}
	return before == '/' ? 0 : i;
}

bool cfr_desc_class_ok(struct jw_span name)
{
	return name.n > 0 && class_length(name) == name.n;
}

/* Reads a class name up to its ';'. */
static bool skip_class(struct jw_cur *cur)
{
	struct jw_span s = jw_span_sub(cur->s, cur->pos, SIZE_MAX);
	size_t n = class_length(s);

	if (n == 0 || n == s.n || s.p[n] != ';')
		return false;
	jw_cur_skip(cur, n + 1);
	return true;
}

/* Reads one field type; false (and a bad cursor) when there is none. */
static bool skip_field(struct jw_cur *cur)
{
	uint32_t dimensions = 0;
	uint8_t c = jw_cur_u1(cur);

	for (; c == '[' && dimensions <= DIMENSIONS_MAX; dimensions++)
		c = jw_cur_u1(cur);
	switch (c) {
	case 'B':
	case 'C':
	case 'D':
	case 'F':
	case 'I':
	case 'J':
	case 'S':
	case 'Z':
		break;
	case 'L':
		cur->bad = cur->bad || !skip_class(cur);
		break;
	default:
		cur->bad = true;
	}
	if (dimensions > DIMENSIONS_MAX)
		cur->bad = true;
	return jw_cur_ok(cur);
}

bool cfr_desc_next(struct jw_cur *cur, struct jw_span *field)
{
	size_t start = cur->pos;

	if (!jw_cur_ok(cur))
		return false;
	if (jw_cur_left(cur) > 0 && jw_span_u1(cur->s, start) == ')')
		return false;
	if (!skip_field(cur))
		return false;
	*field = jw_span_sub(cur->s, start, cur->pos - start);
	return true;
}

struct jw_span cfr_desc_return(struct jw_span method_descriptor)
{
	struct jw_cur cur = cfr_desc_params(method_descriptor);
	struct jw_span field, none = { 0 };

	while (cfr_desc_next(&cur, &field))
		;
	if (jw_cur_u1(&cur) != ')' || !jw_cur_ok(&cur))
		return none;
	size_t start = cur.pos;
	if (jw_cur_left(&cur) == 1 && jw_span_u1(cur.s, start) == 'V')
		return jw_span_sub(cur.s, start, 1);
	if (!skip_field(&cur) || jw_cur_left(&cur) > 0)
		return none;
	return jw_span_sub(cur.s, start, cur.pos - start);
}

bool cfr_desc_method_ok(struct jw_span method_descriptor)
{
	return cfr_desc_return(method_descriptor).n > 0 &&
	       cfr_desc_param_slots(method_descriptor) <= SLOTS_MAX;
}

bool cfr_desc_field_ok(struct jw_span field_descriptor)
{
	struct jw_cur cur = jw_cur(field_descriptor);

	return skip_field(&cur) && jw_cur_left(&cur) == 0;
}

uint32_t cfr_desc_param_slots(struct jw_span method_descriptor)
{
	struct jw_cur cur = cfr_desc_params(method_descriptor);
	struct jw_span field;
	uint32_t slots = 0;

	while (cfr_desc_next(&cur, &field))
		slots += cfr_desc_slots(field);
	return slots;
}

uint32_t cfr_desc_slots(struct jw_span field_descriptor)
{
	if (field_descriptor.n == 0)
		return 0;
	switch (field_descriptor.p[0]) {
	case 'V':
		return 0;
	case 'J':
	case 'D':
		return 2;
	default:
		return 1;
	}
}
