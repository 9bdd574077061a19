#include "cfr/code.h"

#include "base/assert.h"

#include "base/banned.h"

enum {
	CODE_MAX = 65535,
	SWITCH_HEAD_TABLE = 12, /* default, low, high */
	SWITCH_HEAD_LOOKUP = 8, /* default, npairs */
	WIDE_IINC = 6,
	WIDE_LOCAL = 4,
};

/* Opcode to form, as bytes: the table that every walk looks into. Unknown opcodes hold 0, so forms
 * are stored one higher. */
static const uint8_t form_of[256] = {
#define CFR_OP(name, code, form, effect) [code] = CFR_FORM_##form + 1,
#include "cfr/ops.def"
#undef CFR_OP
};

/* Bytes of an instruction of each form; 0: its operands say how many. */
enum {
	LENGTH_NONE = 1,
	LENGTH_S1 = 2,
	LENGTH_S2 = 3,
	LENGTH_LOCAL = 2,
	LENGTH_IINC = 3,
	LENGTH_CP1 = 2,
	LENGTH_CP2 = 3,
	LENGTH_INTERFACE = 5,
	LENGTH_DYNAMIC = 5,
	LENGTH_ATYPE = 2,
	LENGTH_MULTI = 4,
	LENGTH_BRANCH = 3,
	LENGTH_BRANCH_WIDE = 5,
	LENGTH_TABLE = 0,
	LENGTH_LOOKUP = 0,
	LENGTH_WIDE = 0,
};

/* By opcode; 0 for unknown ones, too. */
static const uint8_t length_of[256] = {
#define CFR_OP(name, code, form, effect) [code] = LENGTH_##form,
#include "cfr/ops.def"
#undef CFR_OP
};

#define BIT(name) (UINT32_C(1) << CFR_CONSTANT_##name)

/* The constants that the operand of an instruction may name (JVMS 6.5). */
static uint32_t constants_of(uint8_t op)
{
	switch (op) {
	case CFR_OP_ldc:
	case CFR_OP_ldc_w:
		return BIT(Integer) | BIT(Float) | BIT(String) | BIT(Class) | BIT(MethodHandle) |
		       BIT(MethodType) | BIT(Dynamic);
	case CFR_OP_ldc2_w:
		return BIT(Long) | BIT(Double) | BIT(Dynamic);
	case CFR_OP_getstatic:
	case CFR_OP_putstatic:
	case CFR_OP_getfield:
	case CFR_OP_putfield:
		return BIT(Fieldref);
	case CFR_OP_invokevirtual:
		return BIT(Methodref);
	case CFR_OP_invokespecial:
	case CFR_OP_invokestatic:
		return BIT(Methodref) | BIT(InterfaceMethodref);
	case CFR_OP_invokeinterface:
		return BIT(InterfaceMethodref);
	case CFR_OP_invokedynamic:
		return BIT(InvokeDynamic);
	default:
		return BIT(Class);
	}
}

/* ---- one instruction ---- */

static uint32_t switch_padding(uint32_t pc)
{
	return 3 - pc % 4;
}

static uint32_t switch_length(struct jw_span code, uint32_t pc, bool table)
{
	uint32_t head = 1 + switch_padding(pc);
	uint32_t fixed = table ? SWITCH_HEAD_TABLE : SWITCH_HEAD_LOOKUP, each = table ? 4 : 8;
	int64_t count;

	if (code.n - pc < head + fixed)
		return 0;
	if (table)
		count = (int64_t)(int32_t)jw_span_u4(code, pc + head + 8) -
			(int32_t)jw_span_u4(code, pc + head + 4) + 1;
	else
		count = (int32_t)jw_span_u4(code, pc + head + 4);
	/* a tableswitch has at least one case: low <= high (JVMS 4.9.1) */
	if (count < (table ? 1 : 0) || count > (int64_t)((code.n - pc - head - fixed) / each))
		return 0;
	return head + fixed + (uint32_t)count * each;
}

static uint32_t wide_length(struct jw_span code, uint32_t pc)
{
	if (code.n - pc < 2)
		return 0;
	switch (form_of[jw_span_u1(code, pc + 1)]) {
	case CFR_FORM_LOCAL + 1:
		return WIDE_LOCAL;
	case CFR_FORM_IINC + 1:
		return WIDE_IINC;
	default:
		return 0;
	}
}

/* Of an instruction whose opcode does not say. */
static uint32_t length_by_operands(struct jw_span code, uint32_t pc)
{
	switch (form_of[code.p[pc]]) {
	case CFR_FORM_TABLE + 1:
		return switch_length(code, pc, true);
	case CFR_FORM_LOOKUP + 1:
		return switch_length(code, pc, false);
	case CFR_FORM_WIDE + 1:
		return wide_length(code, pc);
	default:
		return 0;
	}
}

uint32_t cfr_insn_length(struct jw_span code, uint32_t pc)
{
	if (pc >= code.n)
		return 0;
	uint32_t length = length_of[code.p[pc]];
	if (length == 0)
		length = length_by_operands(code, pc);
	return length <= code.n - pc ? length : 0;
}

/* The form of the instruction at PC; CFR_FORM_UNKNOWN when there is no such opcode. */
static enum cfr_form form_at(struct jw_span code, uint32_t pc)
{
	uint8_t form = form_of[code.p[pc]];

	return form ? (enum cfr_form)(form - 1) : CFR_FORM_UNKNOWN;
}

static int64_t branch_target(struct jw_span code, uint32_t pc, enum cfr_form form)
{
	if (form == CFR_FORM_BRANCH)
		return (int64_t)pc + (int16_t)jw_span_u2(code, pc + 1);
	return (int64_t)pc + (int32_t)jw_span_u4(code, pc + 1);
}

static struct cfr_switch switch_at(struct jw_span code, uint32_t pc, uint32_t length)
{
	struct cfr_switch sw = { .pc = pc, .table = code.p[pc] == CFR_OP_tableswitch };
	uint32_t at = pc + 1 + switch_padding(pc);
	uint32_t cases = at + (sw.table ? SWITCH_HEAD_TABLE : SWITCH_HEAD_LOOKUP);

	sw.default_target = pc + jw_span_u4(code, at);
	if (sw.table)
		sw.low = (int32_t)jw_span_u4(code, at + 4);
	sw.cases = jw_span_sub(code, cases, pc + length - cases);
	sw.count = (uint32_t)(sw.cases.n / (sw.table ? 4 : 8));
	return sw;
}

uint32_t cfr_switch_target(const struct cfr_switch *sw, uint32_t index)
{
	size_t at = sw->table ? (size_t)index * 4 : (size_t)index * 8 + 4;

	/* unsigned arithmetic wraps as the offsets need; out of range stays out of range */
	return sw->pc + jw_span_u4(sw->cases, at);
}

struct cfr_switch cfr_switch_at(const struct cfr_code *code, const struct cfr_insn *insn)
{
	return switch_at(code->code, insn->pc, insn->length);
}

bool cfr_code_starts(const struct cfr_code *code, uint32_t pc)
{
	return pc < code->code.n && (code->starts[pc / 8] >> (pc % 8) & 1);
}

struct cfr_insn cfr_insn_at(const struct cfr_code *code, uint32_t pc)
{
	JW_ASSERT(cfr_code_starts(code, pc));
	struct cfr_insn insn = { .pc = pc, .op = code->code.p[pc], .target = -1 };
	enum cfr_form form = form_at(code->code, pc);

	insn.length = cfr_insn_length(code->code, pc);
	if (form == CFR_FORM_BRANCH || form == CFR_FORM_BRANCH_WIDE) {
		insn.target = (int32_t)branch_target(code->code, pc, form);
	} else if (form == CFR_FORM_WIDE) {
		insn.wide = true;
		insn.op = code->code.p[pc + 1];
	}
	return insn;
}

uint16_t cfr_insn_index(const struct cfr_code *code, const struct cfr_insn *insn)
{
	switch (insn->wide ? CFR_FORM_NONE : form_at(code->code, insn->pc)) {
	case CFR_FORM_CP1:
		return jw_span_u1(code->code, insn->pc + 1);
	case CFR_FORM_CP2:
	case CFR_FORM_INTERFACE:
	case CFR_FORM_DYNAMIC:
	case CFR_FORM_MULTI:
		return jw_span_u2(code->code, insn->pc + 1);
	default:
		return 0;
	}
}

int32_t cfr_insn_local(const struct cfr_code *code, const struct cfr_insn *insn)
{
	enum cfr_form form = (enum cfr_form)(form_of[insn->op] - 1);

	if (insn->wide)
		return jw_span_u2(code->code, insn->pc + 2);
	if (form == CFR_FORM_LOCAL || form == CFR_FORM_IINC)
		return jw_span_u1(code->code, insn->pc + 1);
	/* ORDER iload_0..3, lload_0..3, ... aload_3; the same for stores */
	if (insn->op >= CFR_OP_iload_0 && insn->op <= CFR_OP_aload_3)
		return (insn->op - CFR_OP_iload_0) % 4;
	if (insn->op >= CFR_OP_istore_0 && insn->op <= CFR_OP_astore_3)
		return (insn->op - CFR_OP_istore_0) % 4;
	return -1;
}

struct cfr_handler cfr_code_handler(const struct cfr_code *code, uint16_t index)
{
	size_t at = (size_t)index * CFR_HANDLER_BYTES;

	return (struct cfr_handler){ .start_pc = jw_span_u2(code->handlers, at),
				     .end_pc = jw_span_u2(code->handlers, at + 2),
				     .handler_pc = jw_span_u2(code->handlers, at + 4),
				     .catch_type = jw_span_u2(code->handlers, at + 6) };
}

/* ---- validation ---- */

/* One walk sets a bit where an instruction starts and a bit where one is jumped to; at the end the
 * second set must be a subset of the first. */
struct code_walk {
	const struct cfr_class *cls;
	struct jw_span code;
	uint8_t *starts, *targets;
};

static void set_bit(uint8_t *bits, uint32_t pc)
{
	bits[pc / 8] |= (uint8_t)(1u << (pc % 8));
}

static enum jw_status set_target(struct code_walk *w, uint32_t pc, int64_t target, struct jw_err *e)
{
	if (target < 0 || target >= (int64_t)w->code.n)
		return jw_fail(e, JW_INPUT, "pc %u: branch to %lld leaves the code", pc,
			       (long long)target);
	set_bit(w->targets, (uint32_t)target);
	return JW_OK;
}

static enum jw_status walk_switch(struct code_walk *w, uint32_t pc, uint32_t length,
				  struct jw_err *e)
{
	struct cfr_switch sw = switch_at(w->code, pc, length);
	int64_t key, before = INT64_MIN;

	JW_TRY(set_target(w, pc, sw.default_target, e));
	for (uint32_t i = 0; i < sw.count; i++) {
		JW_TRY(set_target(w, pc, cfr_switch_target(&sw, i), e));
		if (sw.table)
			continue;
		key = (int32_t)jw_span_u4(sw.cases, (size_t)i * 8);
		if (key <= before)
			return jw_fail(e, JW_INPUT, "pc %u: lookupswitch keys do not rise", pc);
		before = key;
	}
	return JW_OK;
}

static enum jw_status walk_constant(const struct code_walk *w, uint32_t pc, uint32_t index,
				    struct jw_err *e)
{
	uint8_t op = w->code.p[pc], tag = cfr_pool_tag(&w->cls->pool, index);

	if (!(constants_of(op) >> tag & 1))
		return jw_fail(e, JW_INPUT, "pc %u: %s of constant %u, which is of the wrong kind",
			       pc, cfr_op(op)->name, index);
	return JW_OK;
}

static enum jw_status walk_insn(struct code_walk *w, uint32_t pc, uint32_t length, struct jw_err *e)
{
	enum cfr_form form = form_at(w->code, pc);

	switch (form) {
	case CFR_FORM_CP1:
		return walk_constant(w, pc, w->code.p[pc + 1], e);
	case CFR_FORM_CP2:
	case CFR_FORM_INTERFACE:
	case CFR_FORM_DYNAMIC:
	case CFR_FORM_MULTI:
		return walk_constant(w, pc, jw_span_u2(w->code, pc + 1), e);
	case CFR_FORM_BRANCH:
	case CFR_FORM_BRANCH_WIDE:
		return set_target(w, pc, branch_target(w->code, pc, form), e);
	case CFR_FORM_TABLE:
	case CFR_FORM_LOOKUP:
		return walk_switch(w, pc, length, e);
	default:
		return JW_OK;
	}
}

static enum jw_status no_length(struct jw_span code, uint32_t pc, struct jw_err *e)
{
	uint8_t op = code.p[pc];

	if (!form_of[op])
		return jw_fail(e, JW_UNSUPPORTED, "pc %u: unknown opcode %u", pc, op);
	return jw_fail(e, JW_INPUT, "pc %u: %s is cut off, or has operands that cannot be", pc,
		       cfr_op(op)->name);
}

static enum jw_status walk_code(struct code_walk *w, struct jw_err *e)
{
	uint32_t length;

	for (uint32_t pc = 0; pc < w->code.n; pc += length) {
		length = cfr_insn_length(w->code, pc);
		if (length == 0)
			return no_length(w->code, pc, e);
		set_bit(w->starts, pc);
		/* nothing to look at in two thirds of all instructions */
		if (length > 1)
			JW_TRY(walk_insn(w, pc, length, e));
	}
	for (uint32_t i = 0; i < (w->code.n + 7) / 8; i++) {
		uint8_t stray = (uint8_t)(w->targets[i] & ~w->starts[i]);

		for (uint32_t bit = 0; stray && bit < 8; bit++) {
			if (stray >> bit & 1)
				return jw_fail(e, JW_INPUT,
					       "pc %u: a branch goes there, into an instruction",
					       i * 8 + bit);
		}
	}
	return JW_OK;
}

static enum jw_status check_handlers(const struct cfr_class *cls, const struct cfr_code *code,
				     uint8_t *targets, struct jw_err *e)
{
	for (uint16_t i = 0; i < code->handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(code, i);

		if (h.start_pc >= h.end_pc || !cfr_code_starts(code, h.start_pc) ||
		    (h.end_pc != code->code.n && !cfr_code_starts(code, h.end_pc)))
			return jw_fail(e, JW_INPUT, "exception table entry %u: range %u to %u", i,
				       h.start_pc, h.end_pc);
		if (!cfr_code_starts(code, h.handler_pc))
			return jw_fail(e, JW_INPUT,
				       "exception table entry %u: handler %u is not an instruction",
				       i, h.handler_pc);
		if (h.catch_type && cfr_pool_tag(&cls->pool, h.catch_type) != CFR_CONSTANT_Class)
			return jw_fail(e, JW_INPUT,
				       "exception table entry %u: constant %u is not a Class", i,
				       h.catch_type);
		set_bit(targets, h.handler_pc);
	}
	return JW_OK;
}

/* Reads the parts of the attribute. */
static enum jw_status read_parts(const struct cfr_class *cls, struct cfr_code *code,
				 struct jw_err *e)
{
	struct jw_cur cur = jw_cur(code->info);

	code->max_stack = jw_cur_u2(&cur);
	code->max_locals = jw_cur_u2(&cur);
	uint32_t length = jw_cur_u4(&cur);
	code->code = jw_cur_take(&cur, length);
	if (!jw_cur_ok(&cur) || length == 0 || length > CODE_MAX)
		return jw_fail(e, JW_INPUT,
			       "code of %u byte%s (it must have 1 to %d, all in its attribute)",
			       length, jw_s(length), CODE_MAX);
	code->handler_count = jw_cur_u2(&cur);
	code->handlers = jw_cur_take(&cur, (size_t)code->handler_count * CFR_HANDLER_BYTES);
	if (!jw_cur_ok(&cur))
		return jw_fail(e, JW_INPUT, "exception table is cut off");
	if (cfr_attrs_read(cls, &cur, &code->attrs, e) != JW_OK)
		return jw_err_where(e, "attributes of Code");
	if (jw_cur_left(&cur) > 0)
		return jw_fail(e, JW_INPUT, "%zu byte%s after the end of Code", jw_cur_left(&cur),
			       jw_s(jw_cur_left(&cur)));
	return JW_OK;
}

enum jw_status cfr_code_open(const struct cfr_class *cls, const struct cfr_member *method,
			     struct jw_arena *arena, struct cfr_code *out, struct jw_err *e)
{
	struct cfr_code code = { .info = method->code };

	if (!method->code.p)
		return jw_bug(e, "method without code opened");
	if (cls->major == CFR_MAJOR_MIN && cls->minor < 3)
		return jw_fail(e, JW_UNSUPPORTED,
			       "class file %u.%u has the short Code attribute of JDK 1.0",
			       cls->major, cls->minor);
	JW_TRY(read_parts(cls, &code, e));
	size_t bitmap = (code.code.n + 7) / 8;
	uint8_t *bits = JW_NEW_ARRAY(arena, uint8_t, 2 * bitmap);
	if (!bits)
		return jw_nomem(e);
	struct code_walk w = { cls, code.code, bits, bits + bitmap };
	JW_TRY(walk_code(&w, e));
	code.starts = bits;
	code.targets = w.targets;
	JW_TRY(check_handlers(cls, &code, w.targets, e));
	*out = code;
	return JW_OK;
}
