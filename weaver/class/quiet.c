/*
 * quiet.c: which instructions can throw. A range without any needs no catch-all: no handler, no
 * exception table entry, no frame, in many a getter, setter and constructor.
 *
 * Quiet is (JVMS 6.5) what moves, computes and jumps forward, and
 *
 *     ldc of a number
 *     aload_0; getfield F             F a field of this class's own, local 0 never stored to:
 *     aload_0; CONSTANT|LOCAL; putfield F    `this` is not null, and F cannot be missing
 *
 * Backward branches are not: a thread may be stopped in a loop. Exceptions that a JVM may throw
 * anywhere (by the old Thread.stop, a lost mapping) end a quiet method as they end an enter probe: its
 * end is inferred from the next event.
 */
#include "weaver/class/quiet.h"

#include "base/assert.h"

#include "base/banned.h"

/* clang-format off */
#define BETWEEN(code, first, last) ((code) >= CFR_OP_##first && (code) <= CFR_OP_##last)
/* pushes one value, whatever else there is */
#define PUSHES(code) (BETWEEN(code, aconst_null, sipush) || BETWEEN(code, iload, aload_3))
#define QUIET(code)                                                                        \
	(PUSHES(code) || (code) == CFR_OP_nop || BETWEEN(code, istore, astore_3) ||        \
	 BETWEEN(code, pop, dmul) || BETWEEN(code, fdiv, ddiv) || BETWEEN(code, frem, drem) || \
	 BETWEEN(code, ineg, return) || BETWEEN(code, wide, wide) || BETWEEN(code, ifnull, jsr_w))
/* clang-format on */

enum { OP_QUIET = 1, OP_PUSHES = 2 };
static const uint8_t kinds[256] = {
#define CFR_OP(name, code, form, effect) \
	[code] = (QUIET(code) ? OP_QUIET : 0) | (PUSHES(code) ? OP_PUSHES : 0),
#include "cfr/ops.def"
#undef CFR_OP
};

static bool is_number(const struct weave_body *b, uint32_t index)
{
	uint8_t tag = cfr_pool_tag(&b->cls->pool, index);

	return tag == CFR_CONSTANT_Integer || tag == CFR_CONSTANT_Float ||
	       tag == CFR_CONSTANT_Long || tag == CFR_CONSTANT_Double;
}

/* Does any instruction store to local 0? */
static bool stores_this(const struct weave_body *b)
{
	for (uint32_t pc = 0; pc < b->code.code.n;) {
		struct cfr_insn insn = cfr_insn_at(&b->code, pc);

		if ((BETWEEN(insn.op, istore, astore) || BETWEEN(insn.op, istore_0, astore_3)) &&
		    cfr_insn_local(&b->code, &insn) == 0)
			return true;
		pc += insn.length;
	}
	return false;
}

/* Is constant INDEX a field that this class declares, of objects, and that METHOD may write? */
static bool is_own_field(const struct weave_body *b, uint32_t index, bool write)
{
	bool constructor = jw_span_eq(b->member->name, JW_SPAN_LIT("<init>"));
	struct cfr_ref ref;

	/* by index, not by name: of a hidden class only its own entry means the class itself */
	if (!cfr_pool_ref(&b->cls->pool, index, &ref) || ref.first != b->cls->this_index)
		return false;
	for (uint16_t i = 0; i < b->cls->field_count; i++) {
		const struct cfr_member *field = &b->cls->fields[i];

		if (jw_span_eq(field->name, ref.name) &&
		    jw_span_eq(field->descriptor, ref.descriptor))
			return !(field->access & CFR_ACC_STATIC) &&
			       (!write || constructor || !(field->access & CFR_ACC_FINAL));
	}
	return false;
}

/* Does nothing but falling in lead to PC? */
static bool only_falls(const struct weave_body *b, uint32_t pc)
{
	return !(b->code.targets[pc / 8] >> pc % 8 & 1);
}

/* Is the object of the getfield or putfield at PC `this`, and the field its own? */
static bool of_this(struct weave_quiet *q, const struct weave_body *b, uint32_t pc, bool write)
{
	struct jw_span code = b->code.code;
	uint32_t object = write ? q->before[1] : q->before[0];

	if (b->member->access & CFR_ACC_STATIC || object == WEAVE_NO_PC || !only_falls(b, pc) ||
	    code.p[object] != CFR_OP_aload_0)
		return false;
	if (write && (!(kinds[code.p[q->before[0]]] & OP_PUSHES) || !only_falls(b, q->before[0])))
		return false;
	if (q->stored == WEAVE_STORED_UNKNOWN)
		q->stored = stores_this(b) ? WEAVE_STORED : WEAVE_NOT_STORED;
	return q->stored == WEAVE_NOT_STORED && is_own_field(b, jw_span_u2(code, pc + 1), write);
}

/* Does the branch or switch at PC go backwards, or to itself? */
static bool goes_back(const struct weave_body *b, uint32_t pc, enum cfr_form form)
{
	struct cfr_insn insn = cfr_insn_at(&b->code, pc);

	if (form == CFR_FORM_BRANCH || form == CFR_FORM_BRANCH_WIDE)
		return (uint32_t)insn.target <= pc;
	struct cfr_switch sw = cfr_switch_at(&b->code, &insn);
	bool back = sw.default_target <= pc;
	for (uint32_t i = 0; i < sw.count && !back; i++)
		back = cfr_switch_target(&sw, i) <= pc;
	return back;
}

static bool may_throw(struct weave_quiet *q, const struct weave_body *b, uint32_t pc)
{
	struct jw_span code = b->code.code;
	uint8_t op = code.p[pc];

	switch (op) {
	case CFR_OP_ldc:
		return !is_number(b, code.p[pc + 1]);
	case CFR_OP_ldc_w:
	case CFR_OP_ldc2_w:
		return !is_number(b, jw_span_u2(code, pc + 1));
	case CFR_OP_getfield:
	case CFR_OP_putfield:
		return !of_this(q, b, pc, op == CFR_OP_putfield);
	default:
		break;
	}
	if (!(kinds[op] & OP_QUIET))
		return true;
	enum cfr_form form = cfr_op(op)->form;
	return (form == CFR_FORM_BRANCH || form == CFR_FORM_BRANCH_WIDE || form == CFR_FORM_TABLE ||
		form == CFR_FORM_LOOKUP) &&
	       goes_back(b, pc, form);
}

void weave_quiet_see(struct weave_quiet *q, const struct weave_body *b, uint32_t pc)
{
	JW_ASSERT(q->before[0] == WEAVE_NO_PC || q->before[0] < pc);
	if (!q->noisy)
		q->noisy = may_throw(q, b, pc);
	q->before[1] = q->before[0];
	q->before[0] = pc;
}
