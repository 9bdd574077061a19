/*
 * check_flow.c: the stack's depth along a body, in one linear walk.
 *
 * From class file 51 on frames are law: a pc that is branched to, or that follows an instruction
 * without fall-through, has one, so the depth is known at every pc. Before that depths spread along
 * forward branches, and code reached only backwards, or after a jsr, is passed over.
 */
#include "cfr/check_flow.h"

#include "cfr/desc.h"
#include "cfr/smt.h"

#include "base/banned.h"

enum { UNKNOWN = 0 }; /* depths are stored one higher */

struct flow {
	const struct cfr_class *cls;
	const struct cfr_code *code;
	uint32_t *depths;  /* per pc */
	bool strict;       /* frames are law */
	uint8_t return_op; /* the one that returns what the method says */
};

enum jw_status cfr_slots_init(struct cfr_slots *slots, const struct cfr_class *cls,
			      struct jw_arena *arena, struct jw_err *e)
{
	for (unsigned op = 0; op < 256; op++) {
		const char *effect = cfr_op((uint8_t)op)->effect, *given = effect;

		while (*given++ != '>')
			;
		slots->taken[op] = (uint8_t)cfr_effect_slots(effect);
		slots->given[op] = (uint8_t)cfr_effect_slots(given);
	}
	slots->descriptors = JW_NEW_ARRAY(arena, uint16_t, cls->pool.count);
	return slots->descriptors ? JW_OK : jw_nomem(e);
}

static uint16_t read_slots(struct jw_span descriptor)
{
	uint32_t params = 0, result;

	if (descriptor.n > 0 && descriptor.p[0] == '(') {
		if (!cfr_desc_method_ok(descriptor))
			return CFR_SLOTS_DAMAGED;
		params = cfr_desc_param_slots(descriptor);
		result = cfr_desc_slots(cfr_desc_return(descriptor));
	} else {
		if (!cfr_desc_field_ok(descriptor))
			return CFR_SLOTS_DAMAGED;
		result = cfr_desc_slots(descriptor);
	}
	return (uint16_t)(CFR_SLOTS_KNOWN + params * 4 + result);
}

bool cfr_slots_of(const struct cfr_slots *slots, const struct cfr_class *cls, uint16_t index,
		  uint32_t *params, uint32_t *result)
{
	uint16_t *known = &slots->descriptors[index];

	if (*known == 0)
		*known = read_slots(cfr_pool_utf8(&cls->pool, index));
	*params = (*known - (uint32_t)CFR_SLOTS_KNOWN) / 4;
	*result = *known % 4;
	return *known != CFR_SLOTS_DAMAGED;
}

/* ---- depths ---- */

static enum jw_status reach(struct flow *f, uint32_t pc, uint32_t depth, struct jw_err *e)
{
	if (f->depths[pc] == depth + 1)
		return JW_OK;
	if (f->depths[pc] != UNKNOWN)
		return jw_fail(e, JW_INPUT, "pc %u: stack depth %u, elsewhere %u", pc, depth,
			       f->depths[pc] - 1);
	if (f->strict)
		return jw_fail(e, JW_INPUT, "pc %u: reached by a branch, and has no frame", pc);
	f->depths[pc] = depth + 1;
	return JW_OK;
}

static uint32_t slots_of(const struct cfr_vtype *types, uint32_t count)
{
	uint32_t slots = count;

	for (uint32_t i = 0; i < count; i++)
		slots += types[i].tag == CFR_VTYPE_LONG || types[i].tag == CFR_VTYPE_DOUBLE;
	return slots;
}

static enum jw_status check_frame(struct flow *f, const struct cfr_frame *frame, bool initial,
				  struct jw_err *e)
{
	uint32_t locals = slots_of(frame->locals, frame->local_count);
	uint32_t stack = slots_of(frame->stack, frame->stack_count);

	if (locals > f->code->max_locals)
		return jw_fail(e, JW_INPUT, "pc %u: frame of %u locals, max_locals is %u",
			       frame->pc, locals, f->code->max_locals);
	if (stack > f->code->max_stack)
		return jw_fail(e, JW_INPUT, "pc %u: frame of stack depth %u, max_stack is %u",
			       frame->pc, stack, f->code->max_stack);
	if (!initial)
		f->depths[frame->pc] = stack + 1;
	return JW_OK;
}

static enum jw_status check_frames(struct flow *f, const struct cfr_smt *smt, struct jw_err *e)
{
	JW_TRY(check_frame(f, smt->initial, true, e));
	for (uint32_t i = 0; i < smt->count; i++)
		JW_TRY(check_frame(f, &smt->frames[i], false, e));
	for (uint16_t i = 0; i < f->code->handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(f->code, i);

		if (f->code->max_stack == 0)
			return jw_fail(e, JW_INPUT, "max_stack is 0, and there are handlers");
		JW_TRY(reach(f, h.handler_pc, 1, e));
	}
	return JW_OK;
}

/* ---- instructions ---- */

/* Adds what the constant of INSN says: the descriptor of a field or method. */
static enum jw_status add_operands(const struct flow *f, const struct cfr_insn *insn,
				   const struct cfr_slots *slots, uint32_t *taken, uint32_t *given,
				   struct jw_err *e)
{
	struct cfr_ref ref;

	if (insn->op == CFR_OP_multianewarray) {
		uint8_t dimensions = jw_span_u1(f->code->code, insn->pc + 3);

		*taken += dimensions;
		if (dimensions == 0)
			return jw_fail(e, JW_INPUT, "pc %u: multianewarray of 0 dimensions",
				       insn->pc);
		return JW_OK;
	}
	if (!cfr_pool_ref(&f->cls->pool, cfr_insn_index(f->code, insn), &ref))
		return JW_OK;
	uint32_t params, result;
	bool field = ref.tag == CFR_CONSTANT_Fieldref;
	bool method_descriptor = ref.descriptor.n > 0 && ref.descriptor.p[0] == '(';
	if (!cfr_slots_of(slots, f->cls, ref.descriptor_index, &params, &result) ||
	    field == method_descriptor)
		return jw_fail(e, JW_INPUT, "pc %u: %s with a damaged descriptor", insn->pc,
			       cfr_op(insn->op)->name);
	*taken += params;
	if (insn->op == CFR_OP_putstatic || insn->op == CFR_OP_putfield)
		*taken += result;
	else
		*given += result;
	return JW_OK;
}

static bool depends_on_operands(uint8_t op)
{
	return (op >= CFR_OP_getstatic && op <= CFR_OP_invokedynamic) ||
	       op == CFR_OP_multianewarray;
}

/* Slots of the local variable that OP works on: two for long and double. */
static uint32_t local_slots(uint8_t op, const struct cfr_slots *slots)
{
	uint32_t n = (uint32_t)slots->taken[op] + slots->given[op];

	return n ? n : 1; /* iinc, ret */
}

static enum jw_status check_local(const struct flow *f, const struct cfr_insn *insn,
				  const struct cfr_slots *slots, struct jw_err *e)
{
	int32_t local = cfr_insn_local(f->code, insn);

	if (local < 0 || (uint32_t)local + local_slots(insn->op, slots) <= f->code->max_locals)
		return JW_OK;
	return jw_fail(e, JW_INPUT, "pc %u: local %d, max_locals is %u", insn->pc, local,
		       f->code->max_locals);
}

static enum jw_status reach_targets(struct flow *f, const struct cfr_insn *insn, uint32_t depth,
				    struct jw_err *e)
{
	if (insn->target >= 0)
		return reach(f, (uint32_t)insn->target, depth, e);
	if (insn->op != CFR_OP_tableswitch && insn->op != CFR_OP_lookupswitch)
		return JW_OK;
	struct cfr_switch sw = cfr_switch_at(f->code, insn);
	JW_TRY(reach(f, sw.default_target, depth, e));
	for (uint32_t i = 0; i < sw.count; i++)
		JW_TRY(reach(f, cfr_switch_target(&sw, i), depth, e));
	return JW_OK;
}

/* The instruction that returns a value of the type DESCRIPTOR (JVMS 4.10.1.9, "return"). */
static uint8_t return_of(struct jw_span descriptor)
{
	switch (descriptor.n ? descriptor.p[0] : 0) {
	case 'V':
		return CFR_OP_return;
	case 'J':
		return CFR_OP_lreturn;
	case 'F':
		return CFR_OP_freturn;
	case 'D':
		return CFR_OP_dreturn;
	case 'L':
	case '[':
		return CFR_OP_areturn;
	default:
		return CFR_OP_ireturn;
	}
}

static enum jw_status check_return(const struct flow *f, const struct cfr_insn *insn,
				   struct jw_err *e)
{
	if (insn->op < CFR_OP_ireturn || insn->op > CFR_OP_return || insn->op == f->return_op)
		return JW_OK;
	return jw_fail(e, JW_INPUT, "pc %u: %s in a method whose type asks for %s", insn->pc,
		       cfr_op(insn->op)->name, cfr_op(f->return_op)->name);
}

/* Applies INSN to *DEPTH. */
static enum jw_status step(struct flow *f, const struct cfr_insn *insn,
			   const struct cfr_slots *slots, uint32_t *depth, struct jw_err *e)
{
	uint32_t taken = slots->taken[insn->op], given = slots->given[insn->op];

	if (depends_on_operands(insn->op))
		JW_TRY(add_operands(f, insn, slots, &taken, &given, e));
	if (taken > *depth)
		return jw_fail(e, JW_INPUT, "pc %u: %s takes %u from a stack of %u", insn->pc,
			       cfr_op(insn->op)->name, taken, *depth);
	*depth = *depth - taken + given;
	if (*depth > f->code->max_stack)
		return jw_fail(e, JW_INPUT, "pc %u: stack depth %u, max_stack is %u", insn->pc,
			       *depth, f->code->max_stack);
	JW_TRY(check_local(f, insn, slots, e));
	JW_TRY(check_return(f, insn, e));
	return reach_targets(f, insn, *depth, e);
}

static bool falls_through(uint8_t op)
{
	/* what a subroutine leaves on the stack is not followed */
	return !cfr_op_ends_flow(op) && op != CFR_OP_jsr && op != CFR_OP_jsr_w;
}

static enum jw_status walk(struct flow *f, const struct cfr_slots *slots, struct jw_err *e)
{
	uint32_t depth = 0;
	bool falls = true;

	for (uint32_t pc = 0; pc < f->code->code.n;) {
		struct cfr_insn insn = cfr_insn_at(f->code, pc);

		if (falls && f->depths[pc] != UNKNOWN)
			JW_TRY(reach(f, pc, depth, e));
		if (!falls && f->depths[pc] == UNKNOWN && f->strict)
			return jw_fail(e, JW_INPUT,
				       "pc %u: nothing falls into it, and it has no frame", pc);
		if (falls || f->depths[pc] != UNKNOWN) {
			depth = falls ? depth : f->depths[pc] - 1;
			/* so that a branch back to here is compared, where no frame is needed */
			f->depths[pc] = f->strict ? f->depths[pc] : depth + 1;
			JW_TRY(step(f, &insn, slots, &depth, e));
			falls = falls_through(insn.op);
		}
		pc += insn.length;
	}
	if (falls)
		return jw_fail(e, JW_INPUT, "control runs past the end of the code");
	return JW_OK;
}

enum jw_status cfr_check_flow(const struct cfr_class *cls, const struct cfr_member *method,
			      const struct cfr_code *code, const struct cfr_slots *slots,
			      struct jw_arena *arena, struct jw_err *e)
{
	struct flow f = { .cls = cls,
			  .code = code,
			  .strict = cls->major >= CFR_MAJOR_STRICT,
			  .return_op = return_of(cfr_desc_return(method->descriptor)) };
	struct cfr_smt smt;

	JW_TRY(cfr_smt_decode(cls, method, code, arena, &smt, e));
	f.depths = JW_NEW_ARRAY(arena, uint32_t, code->code.n);
	if (!f.depths)
		return jw_nomem(e);
	JW_TRY(check_frames(&f, &smt, e));
	return walk(&f, slots, e);
}
