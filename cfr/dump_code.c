#include "cfr/dump_code.h"

#include "cfr/dump_attr.h"

#include "base/banned.h"

/* ---- instructions ---- */

static void show_switch(struct cfr_dumper *d, const struct cfr_insn *insn)
{
	struct cfr_switch sw = cfr_switch_at(d->code, insn);

	d->indent += 2;
	for (uint32_t i = 0; i < sw.count && cfr_dump_more(d); i++) {
		int32_t key = sw.table ? (int32_t)((uint32_t)sw.low + i)
				       : (int32_t)jw_span_u4(sw.cases, (size_t)i * 8);

		cfr_dump_end(d);
		cfr_dump_start(d);
		cfr_dump_fmt(d, "%d -> %u", key, cfr_switch_target(&sw, i));
	}
	cfr_dump_end(d);
	cfr_dump_start(d);
	cfr_dump_fmt(d, "default -> %u", sw.default_target);
	d->indent -= 2;
}

static const char *array_type(uint8_t type)
{
	static const char *const names[] = { "boolean", "char",  "float", "double",
					     "byte",    "short", "int",   "long" };

	return type >= 4 && type < 12 ? names[type - 4] : "?";
}

static void show_constant(struct cfr_dumper *d, const struct cfr_insn *insn)
{
	uint16_t index = cfr_insn_index(d->code, insn);

	cfr_dump_fmt(d, " #%u ", index);
	cfr_dump_constant(d, index);
}

static void show_iinc(struct cfr_dumper *d, const struct cfr_insn *insn)
{
	struct jw_span code = d->code->code;
	int by = insn->wide ? (int16_t)jw_span_u2(code, insn->pc + 4)
			    : (int8_t)jw_span_u1(code, insn->pc + 2);

	cfr_dump_fmt(d, " %d %+d", cfr_insn_local(d->code, insn), by);
}

static void show_operands(struct cfr_dumper *d, const struct cfr_insn *insn)
{
	struct jw_span code = d->code->code;

	switch (cfr_op(insn->op)->form) {
	case CFR_FORM_S1:
		cfr_dump_fmt(d, " %d", (int8_t)jw_span_u1(code, insn->pc + 1));
		break;
	case CFR_FORM_S2:
		cfr_dump_fmt(d, " %d", (int16_t)jw_span_u2(code, insn->pc + 1));
		break;
	case CFR_FORM_LOCAL:
		cfr_dump_fmt(d, " %d", cfr_insn_local(d->code, insn));
		break;
	case CFR_FORM_IINC:
		show_iinc(d, insn);
		break;
	case CFR_FORM_CP1:
	case CFR_FORM_CP2:
	case CFR_FORM_DYNAMIC:
		show_constant(d, insn);
		break;
	case CFR_FORM_INTERFACE:
	case CFR_FORM_MULTI:
		show_constant(d, insn);
		cfr_dump_fmt(d, " %u", jw_span_u1(code, insn->pc + 3));
		break;
	case CFR_FORM_ATYPE:
		cfr_dump_fmt(d, " %s", array_type(jw_span_u1(code, insn->pc + 1)));
		break;
	case CFR_FORM_BRANCH:
	case CFR_FORM_BRANCH_WIDE:
		cfr_dump_fmt(d, " %d", insn->target);
		break;
	case CFR_FORM_TABLE:
	case CFR_FORM_LOOKUP:
		show_switch(d, insn);
		break;
	default:
		break;
	}
}

static void show_code(struct cfr_dumper *d)
{
	for (uint32_t pc = 0; pc < d->code->code.n && cfr_dump_more(d);) {
		struct cfr_insn insn = cfr_insn_at(d->code, pc);

		cfr_dump_start(d);
		cfr_dump_fmt(d, "%u %s%s", pc, insn.wide ? "wide " : "", cfr_op(insn.op)->name);
		show_operands(d, &insn);
		cfr_dump_end(d);
		pc += insn.length;
	}
}

static void show_handlers(struct cfr_dumper *d)
{
	if (d->code->handler_count)
		cfr_dump_line(d, "handlers");
	d->indent++;
	for (uint16_t i = 0; i < d->code->handler_count && cfr_dump_more(d); i++) {
		struct cfr_handler h = cfr_code_handler(d->code, i);

		cfr_dump_start(d);
		cfr_dump_fmt(d, "%u..%u -> %u ", h.start_pc, h.end_pc, h.handler_pc);
		if (h.catch_type)
			cfr_dump_constant(d, h.catch_type);
		else
			jw_put_str(d->out, "any");
		cfr_dump_end(d);
	}
	d->indent--;
}

/* ---- the attribute ---- */

static void show_damaged(struct cfr_dumper *d, const struct jw_err *e)
{
	cfr_dump_start(d);
	cfr_dump_fmt(d, "Code of %zu byte%s (damaged: ", d->method->code.n,
		     jw_s(d->method->code.n));
	cfr_dump_text(d, jw_span_str(e->text));
	jw_put_str(d->out, ")\n");
}

enum jw_status cfr_dump_code(struct cfr_dumper *d, const struct cfr_member *method,
			     struct jw_err *e)
{
	struct jw_err damage = { 0 };
	struct cfr_code code;

	d->method = method;
	enum jw_status status = cfr_code_open(&d->cls, method, d->arena, &code, &damage);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK) {
		show_damaged(d, &damage);
		return JW_OK;
	}
	d->code = &code;
	cfr_dump_line(d, "Code stack %u locals %u bytes %zu", code.max_stack, code.max_locals,
		      code.code.n);
	d->indent++;
	show_code(d);
	show_handlers(d);
	cfr_dump_attrs(d, &code.attrs);
	d->indent--;
	d->code = NULL;
	return JW_OK;
}
