/*
 * ops.h: facts about instructions (JVMS 6.5), all from the one table in ops.def.
 */
#ifndef JW_CFR_OPS_H
#define JW_CFR_OPS_H

#include <stdint.h>

/* The form of the operands after an opcode. */
enum cfr_form {
	CFR_FORM_NONE,        /* no operand */
	CFR_FORM_S1,          /* signed byte (bipush) */
	CFR_FORM_S2,          /* signed short (sipush) */
	CFR_FORM_LOCAL,       /* local index u1 (u2 after wide) */
	CFR_FORM_IINC,        /* local u1, signed u1 (u2, u2 after wide) */
	CFR_FORM_CP1,         /* pool index u1 (ldc) */
	CFR_FORM_CP2,         /* pool index u2 */
	CFR_FORM_INTERFACE,   /* pool index u2, count u1, zero */
	CFR_FORM_DYNAMIC,     /* pool index u2, zero, zero */
	CFR_FORM_ATYPE,       /* array type u1 (newarray) */
	CFR_FORM_MULTI,       /* pool index u2, dimensions u1 */
	CFR_FORM_BRANCH,      /* offset s2 */
	CFR_FORM_BRANCH_WIDE, /* offset s4 */
	CFR_FORM_TABLE,       /* padding, default, low, high, offsets */
	CFR_FORM_LOOKUP,      /* padding, default, npairs, pairs */
	CFR_FORM_WIDE,        /* the wide prefix */
	CFR_FORM_UNKNOWN,     /* no such opcode */
};

enum cfr_opcode {
#define CFR_OP(name, code, form, effect) CFR_OP_##name = code,
#include "cfr/ops.def"
#undef CFR_OP
};

struct cfr_op {
	const char *name; /* "invokespecial" */
	enum cfr_form form;
	/* Types taken and given, "taken>given", one letter a value: I int, J long, F float, D
	 * double, A reference, R returnAddress, 1/2: any value or values of that many slots; "*":
	 * depends on operands. The top of the stack is at the right. */
	const char *effect;
};

/* The facts of OPCODE; form CFR_FORM_UNKNOWN where there is no such instruction. */
const struct cfr_op *cfr_op(uint8_t opcode);

/* Does control never fall through it (goto, return, athrow, switch, ret)? Is it one of the six
 * returns? */
int cfr_op_ends_flow(uint8_t opcode);
int cfr_op_is_return(uint8_t opcode);

/* X(instruction, slots copied, slots that the copy goes below) : those that copy what is on top */
#define CFR_DUP_LIST(X)  \
	X(dup, 1, 0)     \
	X(dup_x1, 1, 1)  \
	X(dup_x2, 1, 2)  \
	X(dup2, 2, 0)    \
	X(dup2_x1, 2, 1) \
	X(dup2_x2, 2, 2)

/* Slots of the types at EFFECT, up to its '>' or its end ("*" counts as none). */
uint32_t cfr_effect_slots(const char *effect);

#endif
