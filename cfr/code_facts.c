/*
 * code_facts.c: see code_facts.h. This runs over every method of every class, so it reads each byte once, allocates nothing, and
 * believes nothing: lengths come from cfr_insn_length(), branches are only compared with their pc.
 */
#include "cfr/code_facts.h"

#include "cfr/code.h"
#include "cfr/lines.h"

#include "base/banned.h"

static bool switch_goes_back(struct jw_span code, uint32_t pc, uint32_t length)
{
	struct cfr_code body = { .code = code };
	struct cfr_insn insn = { .pc = pc, .length = length };
	struct cfr_switch sw = cfr_switch_at(&body, &insn);
	bool back = sw.default_target <= pc;

	for (uint32_t i = 0; i < sw.count && !back; i++)
		back = cfr_switch_target(&sw, i) <= pc;
	return back;
}

static void note_insn(struct jw_span code, uint32_t pc, uint32_t length,
		      struct cfr_code_facts *facts)
{
	uint8_t op = code.p[pc];

	switch (cfr_op(op)->form) {
	case CFR_FORM_BRANCH:
		facts->has_loop |= (int16_t)jw_span_u2(code, pc + 1) <= 0;
		break;
	case CFR_FORM_BRANCH_WIDE:
		facts->has_loop |= (int32_t)jw_span_u4(code, pc + 1) <= 0;
		break;
	case CFR_FORM_TABLE:
	case CFR_FORM_LOOKUP:
		facts->has_loop |= switch_goes_back(code, pc, length);
		break;
	default:
		facts->has_call |= op >= CFR_OP_invokevirtual && op <= CFR_OP_invokedynamic;
		break;
	}
}

static bool walk(struct jw_span code, struct cfr_code_facts *facts)
{
	uint32_t length;

	for (uint32_t pc = 0; pc < code.n; pc += length) {
		length = cfr_insn_length(code, pc);
		if (length == 0)
			return false;
		uint8_t op = code.p[pc];
		if (length > 1)
			note_insn(code, pc, length, facts);
		else if (op == CFR_OP_monitorenter || op == CFR_OP_monitorexit)
			facts->has_monitor = true;
		else if (op == CFR_OP_athrow)
			facts->throws = true;
	}
	return true;
}

/* Does an entry of the exception table of CODE name a type? */
static bool has_catch(const struct cfr_code *code)
{
	for (uint16_t i = 0; i < code->handler_count; i++) {
		if (cfr_code_handler(code, i).catch_type != 0)
			return true;
	}
	return false;
}

bool cfr_code_facts(const struct cfr_class *cls, const struct cfr_member *method,
		    struct cfr_code_facts *out)
{
	struct cfr_code_facts facts = { 0 };
	struct jw_cur cur = jw_cur(method->code);
	bool short_form = cls->major == CFR_MAJOR_MIN && cls->minor < 3; /* see cfr_code_open() */
	struct cfr_attrs attrs;

	if (!method->code.p)
		return false;
	jw_cur_skip(&cur, short_form ? 2 : 4); /* max_stack, max_locals */
	facts.bytes = short_form ? jw_cur_u2(&cur) : jw_cur_u4(&cur);
	struct jw_span code = jw_cur_take(&cur, facts.bytes);
	struct cfr_code table = { .handler_count = jw_cur_u2(&cur) };
	table.handlers = jw_cur_take(&cur, (size_t)table.handler_count * CFR_HANDLER_BYTES);
	if (!jw_cur_ok(&cur) || !walk(code, &facts))
		return false;
	facts.throws = facts.throws || has_catch(&table);
	if (cfr_attrs_read(cls, &cur, &attrs, NULL) != JW_OK)
		return false;
	facts.lines = cfr_line_count(cls, &attrs);
	*out = facts;
	return true;
}
