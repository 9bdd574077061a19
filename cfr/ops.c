#include "cfr/ops.h"

#include "base/banned.h"

static const struct cfr_op ops[256] = {
#define CFR_OP(name, code, form, effect) [code] = { #name, CFR_FORM_##form, effect },
#include "cfr/ops.def"
#undef CFR_OP
};

static const struct cfr_op unknown = { "unknown", CFR_FORM_UNKNOWN, ">" };

const struct cfr_op *cfr_op(uint8_t opcode)
{
	return ops[opcode].name ? &ops[opcode] : &unknown;
}

int cfr_op_ends_flow(uint8_t opcode)
{
	switch (opcode) {
	case CFR_OP_goto:
	case CFR_OP_goto_w:
	case CFR_OP_ret:
	case CFR_OP_tableswitch:
	case CFR_OP_lookupswitch:
	case CFR_OP_athrow:
		return 1;
	default:
		return cfr_op_is_return(opcode);
	}
}

int cfr_op_is_return(uint8_t opcode)
{
	return opcode >= CFR_OP_ireturn && opcode <= CFR_OP_return;
}

uint32_t cfr_effect_slots(const char *effect)
{
	uint32_t slots = 0;

	for (; *effect && *effect != '>'; effect++) {
		if (*effect == 'J' || *effect == 'D' || *effect == '2')
			slots += 2;
		else if (*effect != '*')
			slots++;
	}
	return slots;
}
