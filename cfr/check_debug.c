#include "cfr/check_debug.h"

#include "cfr/annot.h"
#include "cfr/desc.h"

#include "base/banned.h"

struct table {
	const struct cfr_class *cls;
	const struct cfr_code *code;
	struct cfr_attr attr;
};

static enum jw_status wrong(const struct table *t, struct jw_err *e, uint32_t entry,
			    const char *what)
{
	return jw_fail(e, JW_INPUT, "%.*s entry %u: %s", (int)t->attr.name.n,
		       (const char *)t->attr.name.p, entry, what);
}

/* Does FROM .. FROM + LENGTH begin at an instruction, and end at one or at the end of the code? */
static bool range_ok(const struct cfr_code *code, uint32_t from, uint32_t length)
{
	uint32_t end = from + length;

	return cfr_code_starts(code, from) && (end == code->code.n || cfr_code_starts(code, end));
}

static enum jw_status check_lines(const struct table *t, struct jw_err *e)
{
	struct jw_cur cur = jw_cur(t->attr.info);
	uint16_t count = jw_cur_u2(&cur);

	for (uint16_t i = 0; i < count; i++) {
		uint16_t pc = jw_cur_u2(&cur);

		jw_cur_skip(&cur, 2);
		if (!jw_cur_ok(&cur) || !cfr_code_starts(t->code, pc))
			return wrong(t, e, i, "its pc is not an instruction");
	}
	if (!jw_cur_ok(&cur) || jw_cur_left(&cur) > 0)
		return wrong(t, e, count, "not as long as it says");
	return JW_OK;
}

static enum jw_status check_variable(const struct table *t, struct jw_cur *cur, bool typed,
				     uint16_t entry, struct jw_err *e)
{
	uint16_t from = jw_cur_u2(cur), length = jw_cur_u2(cur), name = jw_cur_u2(cur);
	struct jw_span type = cfr_pool_utf8(&t->cls->pool, jw_cur_u2(cur));
	uint32_t index = jw_cur_u2(cur);

	if (!jw_cur_ok(cur))
		return wrong(t, e, entry, "cut off");
	if (!range_ok(t->code, from, length))
		return wrong(t, e, entry, "its range is not made of instructions");
	if (!cfr_pool_utf8(&t->cls->pool, name).p || !type.p)
		return wrong(t, e, entry, "no name or no type");
	/* a signature of a type variable or class: always one slot */
	if (index + (typed ? 1 : cfr_desc_slots(type)) > t->code->max_locals)
		return wrong(t, e, entry, "its local is above max_locals");
	return JW_OK;
}

static enum jw_status check_variables(const struct table *t, bool typed, struct jw_err *e)
{
	struct jw_cur cur = jw_cur(t->attr.info);
	uint16_t count = jw_cur_u2(&cur);

	for (uint16_t i = 0; i < count; i++)
		JW_TRY(check_variable(t, &cur, typed, i, e));
	if (!jw_cur_ok(&cur) || jw_cur_left(&cur) > 0)
		return wrong(t, e, count, "not as long as it says");
	return JW_OK;
}

static enum jw_status check_ranges(const struct table *t, struct jw_span target, uint16_t entry,
				   struct jw_err *e)
{
	struct jw_cur cur = jw_cur(target);
	uint16_t count = jw_cur_u2(&cur);

	for (uint16_t i = 0; i < count; i++) {
		uint16_t from = jw_cur_u2(&cur), length = jw_cur_u2(&cur);

		if (!range_ok(t->code, from, length))
			return wrong(t, e, entry, "its range is not made of instructions");
		if (jw_cur_u2(&cur) >= t->code->max_locals)
			return wrong(t, e, entry, "its local is above max_locals");
	}
	return JW_OK;
}

static enum jw_status check_target(const struct table *t, const struct cfr_type_annot *annot,
				   uint16_t entry, struct jw_err *e)
{
	uint8_t type = annot->target_type;

	if (type == CFR_TARGET_LOCALVAR || type == CFR_TARGET_RESOURCE)
		return check_ranges(t, annot->target, entry, e);
	if (type == CFR_TARGET_CATCH && jw_span_u2(annot->target, 0) >= t->code->handler_count)
		return wrong(t, e, entry, "its exception table entry does not exist");
	if (type >= CFR_TARGET_INSTANCEOF && type <= CFR_TARGET_METHOD_REF_ARG &&
	    !cfr_code_starts(t->code, jw_span_u2(annot->target, 0)))
		return wrong(t, e, entry, "its pc is not an instruction");
	return JW_OK;
}

static enum jw_status check_annotations(const struct table *t, struct jw_err *e)
{
	struct jw_cur cur = jw_cur(t->attr.info);
	uint16_t count = jw_cur_u2(&cur);
	struct cfr_type_annot annot;

	for (uint16_t i = 0; i < count; i++) {
		if (!cfr_type_annot_next(&cur, &annot))
			return wrong(t, e, i, "cut off, or of an unknown kind");
		JW_TRY(check_target(t, &annot, i, e));
	}
	if (!jw_cur_ok(&cur) || jw_cur_left(&cur) > 0)
		return wrong(t, e, count, "not as long as it says");
	return JW_OK;
}

enum jw_status cfr_check_debug(const struct cfr_class *cls, const struct cfr_code *code,
			       struct jw_err *e)
{
	struct table t = { .cls = cls, .code = code };
	struct cfr_attr_iter it = cfr_attrs_iter(cls, &code->attrs);

	while (cfr_attr_next(&it, &t.attr)) {
		if (jw_span_eq(t.attr.name, JW_SPAN_LIT("LineNumberTable")))
			JW_TRY(check_lines(&t, e));
		else if (jw_span_eq(t.attr.name, JW_SPAN_LIT("LocalVariableTable")))
			JW_TRY(check_variables(&t, false, e));
		else if (jw_span_eq(t.attr.name, JW_SPAN_LIT("LocalVariableTypeTable")))
			JW_TRY(check_variables(&t, true, e));
		else if (jw_span_eq(t.attr.name, JW_SPAN_LIT("RuntimeVisibleTypeAnnotations")) ||
			 jw_span_eq(t.attr.name, JW_SPAN_LIT("RuntimeInvisibleTypeAnnotations")))
			JW_TRY(check_annotations(&t, e));
	}
	return JW_OK;
}
