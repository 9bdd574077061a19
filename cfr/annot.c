#include "cfr/annot.h"

#include "base/banned.h"

enum { DEPTH_MAX = 100, RANGE_BYTES = 6, PATH_BYTES = 2 };

struct target {
	const char *name;
	int bytes;
};

static const struct target targets[] = {
#define TARGET(name, type, bytes) [type] = { #name, bytes },
	CFR_TARGET_LIST(TARGET)
#undef TARGET
};

static const struct target *target_of(uint8_t type)
{
	if (type >= sizeof(targets) / sizeof(targets[0]) || !targets[type].name)
		return NULL;
	return &targets[type];
}

const char *cfr_target_name(uint8_t target_type)
{
	const struct target *target = target_of(target_type);

	return target ? target->name : NULL;
}

static bool skip_annotation(struct jw_cur *cur, int depth);

static bool skip_value(struct jw_cur *cur, int depth)
{
	uint16_t count;

	if (depth > DEPTH_MAX)
		cur->bad = true;
	switch (jw_cur_u1(cur)) {
	case 'B':
	case 'C':
	case 'D':
	case 'F':
	case 'I':
	case 'J':
	case 'S':
	case 'Z':
	case 's':
	case 'c':
		jw_cur_skip(cur, 2);
		break;
	case 'e':
		jw_cur_skip(cur, 4);
		break;
	case '@':
		return skip_annotation(cur, depth + 1);
	case '[':
		count = jw_cur_u2(cur);
		for (uint16_t i = 0; i < count && skip_value(cur, depth + 1); i++)
			;
		break;
	default:
		cur->bad = true;
	}
	return jw_cur_ok(cur);
}

static bool skip_annotation(struct jw_cur *cur, int depth)
{
	jw_cur_skip(cur, 2);
	uint16_t pairs = jw_cur_u2(cur);

	for (uint16_t i = 0; i < pairs && jw_cur_ok(cur); i++) {
		jw_cur_skip(cur, 2);
		skip_value(cur, depth);
	}
	return jw_cur_ok(cur);
}

bool cfr_annot_skip(struct jw_cur *cur)
{
	return skip_annotation(cur, 0);
}

bool cfr_annot_skip_value(struct jw_cur *cur)
{
	return skip_value(cur, 0);
}

static void skip_target(struct jw_cur *cur, const struct target *target)
{
	if (target->bytes >= 0)
		jw_cur_skip(cur, (size_t)target->bytes);
	else
		jw_cur_skip(cur, (size_t)jw_cur_u2(cur) * RANGE_BYTES);
}

bool cfr_type_annot_next(struct jw_cur *cur, struct cfr_type_annot *out)
{
	struct cfr_type_annot found = { .target_type = jw_cur_u1(cur) };
	const struct target *target = target_of(found.target_type);
	size_t start = cur->pos;

	out->target_type = found.target_type;
	if (!jw_cur_ok(cur) || !target) {
		cur->bad = true;
		return false;
	}
	skip_target(cur, target);
	found.target = jw_span_sub(cur->s, start, cur->pos - start);
	start = cur->pos;
	jw_cur_skip(cur, (size_t)jw_cur_u1(cur) * PATH_BYTES);
	found.path = jw_span_sub(cur->s, start, cur->pos - start);
	start = cur->pos;
	if (!cfr_annot_skip(cur))
		return false;
	found.annotation = jw_span_sub(cur->s, start, cur->pos - start);
	*out = found;
	return true;
}
