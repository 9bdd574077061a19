#include "tests/cfr/mutate_code.h"

#include "base/banned.h"

/* A method whose code can be opened, and its code. */
static const struct cfr_member *mutant_code(struct mutant *m, struct cfr_code *code)
{
	const struct cfr_member *method = mutant_method(m);
	struct jw_err e = { 0 };

	if (!method || !method->code.p || cfr_code_open(&m->cls, method, m->arena, code, &e))
		return NULL;
	return method;
}

static uint16_t mutant_start(struct mutant *m, const struct cfr_code *code)
{
	uint32_t pc = mutant_draw(m, (uint32_t)code->code.n);

	while (!cfr_code_starts(code, pc))
		pc--;
	return (uint16_t)pc;
}

bool mutate_opcode(struct mutant *m)
{
	struct cfr_code code;

	if (!mutant_code(m, &code))
		return false;
	uint16_t pc = mutant_start(m, &code);
	const struct cfr_op *was = cfr_op(code.code.p[pc]);
	bool alike = mutant_draw(m, 2);

	for (int i = 0; i < 200; i++) {
		uint8_t opcode = (uint8_t)mutant_draw(m, 202);
		const struct cfr_op *op = cfr_op(opcode);

		if (op == was || op->form != was->form ||
		    (alike && strcmp(op->effect, was->effect) != 0))
			continue;
		jw_put_u1(&m->comes, opcode);
		return mutant_replaces(m, code.code.p + pc, 1);
	}
	return false;
}

bool mutate_operand(struct mutant *m)
{
	struct cfr_code code;

	if (!mutant_code(m, &code))
		return false;
	struct cfr_insn insn = cfr_insn_at(&code, mutant_start(m, &code));
	const uint8_t *operand = code.code.p + insn.pc + 1;
	uint32_t to = mutant_start(m, &code);

	switch (cfr_op(insn.op)->form) {
	case CFR_FORM_CP2:
	case CFR_FORM_INTERFACE:
	case CFR_FORM_DYNAMIC:
	case CFR_FORM_MULTI:
		jw_put_u2(&m->comes, mutant_other(m, cfr_insn_index(&code, &insn)));
		return mutant_replaces(m, operand, 2);
	case CFR_FORM_BRANCH:
		jw_put_u2(&m->comes, (uint16_t)(to - insn.pc));
		return mutant_replaces(m, operand, 2);
	case CFR_FORM_BRANCH_WIDE:
		jw_put_u4(&m->comes, (uint32_t)(to - insn.pc));
		return mutant_replaces(m, operand, 4);
	case CFR_FORM_TABLE:
	case CFR_FORM_LOOKUP: /* the default */
		jw_put_u4(&m->comes, (uint32_t)(to - insn.pc));
		return mutant_replaces(m, code.code.p + (insn.pc + 4) / 4 * 4, 4);
	case CFR_FORM_LOCAL:
		jw_put_u1(&m->comes, mutant_draw(m, code.max_locals + 1u) & 0xff);
		return mutant_replaces(m, operand + (insn.wide ? 2 : 0), 1);
	case CFR_FORM_CP1:
	case CFR_FORM_S1:
	case CFR_FORM_ATYPE:
		jw_put_u1(&m->comes, mutant_draw(m, 256));
		return mutant_replaces(m, operand, 1);
	default:
		return false;
	}
}

static void mutant_body_free(struct mutant_body *body)
{
	jw_buf_free(&body->code);
	jw_buf_free(&body->handlers);
	jw_buf_free(&body->attrs);
}

static bool mutant_put_body(struct mutant *m, const struct cfr_member *method,
			    const struct mutant_body *body)
{
	jw_put_u4(&m->comes, 12 + body->code.n + body->handlers.n + body->attrs.n - 2);
	jw_put_u2(&m->comes, body->max_stack);
	jw_put_u2(&m->comes, body->max_locals);
	jw_put_u4(&m->comes, body->code.n);
	jw_put_bytes(&m->comes, jw_buf_span(&body->code));
	jw_put_u2(&m->comes, body->handlers.n / CFR_HANDLER_BYTES);
	jw_put_bytes(&m->comes, jw_buf_span(&body->handlers));
	jw_put_bytes(&m->comes, jw_buf_span(&body->attrs));
	return mutant_replaces(m, method->code.p - 4, method->code.n + 4);
}

static void mutant_copy_attrs(const struct cfr_code *code, struct jw_buf *out)
{
	jw_put_u2(out, code->attrs.count);
	jw_put_bytes(out, code->attrs.bytes);
}

bool mutate_handlers(struct mutant *m)
{
	struct cfr_code code;
	const struct cfr_member *method = mutant_code(m, &code);

	if (!method)
		return false;
	struct mutant_body body = { code.max_stack + 1u, code.max_locals, { 0 }, { 0 }, { 0 } };
	uint32_t at = mutant_draw(m, code.handler_count + 1u), how = mutant_draw(m, 3);
	uint16_t start = mutant_start(m, &code), end = mutant_start(m, &code);

	jw_put_bytes(&body.code, code.code);
	jw_put_bytes(&body.handlers, jw_span_sub(code.handlers, 0, at * CFR_HANDLER_BYTES));
	if (how > 0) {
		jw_put_u2(&body.handlers, start < end ? start : end);
		jw_put_u2(&body.handlers, start < end ? end : start > end ? start : code.code.n);
		jw_put_u2(&body.handlers, mutant_start(m, &code));
		jw_put_u2(&body.handlers,
			  mutant_draw(m, 2) ? mutant_constant(m, CFR_CONSTANT_Class) : 0);
	}
	at += how < 2 ? 1 : 0;
	jw_put_bytes(&body.handlers,
		     jw_span_sub(code.handlers, (size_t)at * CFR_HANDLER_BYTES, SIZE_MAX));
	mutant_copy_attrs(&code, &body.attrs);
	bool done = mutant_put_body(m, method, &body);

	mutant_body_free(&body);
	return done;
}

/* ---- pieces of code that leave the stack as it was ---- */

/* A value of the field descriptor TYPE: nothing, or null. */
static void mutant_put_value(struct jw_buf *out, char type)
{
	jw_put_u1(out, type == 'J'                  ? CFR_OP_lconst_0
		       : type == 'D'                ? CFR_OP_dconst_0
		       : type == 'F'                ? CFR_OP_fconst_0
		       : type == 'L' || type == '[' ? CFR_OP_aconst_null
						    : CFR_OP_iconst_0);
}

static void mutant_put_pop(struct jw_buf *out, char type)
{
	if (type != 'V')
		jw_put_u1(out, type == 'J' || type == 'D' ? CFR_OP_pop2 : CFR_OP_pop);
}

/* A call of what INDEX names, or an access to it: with values for it, and none left behind. */
static void mutant_put_ref(struct mutant *m, struct jw_buf *out, uint8_t opcode, uint16_t index)
{
	struct cfr_ref ref;
	struct jw_span type;

	if (!cfr_pool_ref(&m->cls.pool, index, &ref) || ref.descriptor.n == 0)
		return;
	bool call = opcode >= CFR_OP_invokevirtual;
	bool special = opcode == CFR_OP_invokespecial;

	if (special && jw_span_eq_str(ref.name, "<init>")) {
		jw_put_u1(out, CFR_OP_new);
		jw_put_u2(out, ref.first);
		jw_put_u1(out, CFR_OP_dup);
	} else if (opcode == CFR_OP_invokevirtual || special || opcode == CFR_OP_invokeinterface ||
		   opcode == CFR_OP_getfield || opcode == CFR_OP_putfield) {
		jw_put_u1(out, mutant_draw(m, 2) ? CFR_OP_aload_0 : CFR_OP_aconst_null);
	}
	struct jw_cur params = cfr_desc_params(ref.descriptor);

	while (call && cfr_desc_next(&params, &type))
		mutant_put_value(out, (char)type.p[0]);
	if (opcode == CFR_OP_putfield || opcode == CFR_OP_putstatic)
		mutant_put_value(out, (char)ref.descriptor.p[0]);
	jw_put_u1(out, opcode);
	jw_put_u2(out, index);
	if (opcode == CFR_OP_invokeinterface)
		jw_put_u2(out, (1 + cfr_desc_param_slots(ref.descriptor)) % 256 << 8);
	if (opcode == CFR_OP_invokedynamic)
		jw_put_u2(out, 0);
	type = call ? cfr_desc_return(ref.descriptor) : ref.descriptor;
	if (type.n > 0 && opcode != CFR_OP_putfield && opcode != CFR_OP_putstatic)
		mutant_put_pop(out, (char)type.p[0]);
	if (special && jw_span_eq_str(ref.name, "<init>"))
		jw_put_u1(out, CFR_OP_pop);
}

/* A constant comes and goes. */
static void mutant_put_ldc(struct mutant *m, struct jw_buf *out)
{
	static const uint8_t tags[] = { CFR_CONSTANT_Class,      CFR_CONSTANT_MethodHandle,
					CFR_CONSTANT_MethodType, CFR_CONSTANT_String,
					CFR_CONSTANT_Dynamic,    CFR_CONSTANT_Double,
					CFR_CONSTANT_Long };
	uint16_t index = mutant_constant(m, tags[mutant_draw(m, sizeof(tags))]);
	uint8_t tag = cfr_pool_tag(&m->cls.pool, index);
	struct cfr_ref ref = { 0 };

	if (index == 0)
		return;
	if (tag == CFR_CONSTANT_Dynamic)
		(void)cfr_pool_ref(&m->cls.pool, index, &ref);
	bool wide = tag == CFR_CONSTANT_Double || tag == CFR_CONSTANT_Long ||
		    cfr_desc_slots(ref.descriptor) == 2;

	jw_put_u1(out, wide ? CFR_OP_ldc2_w : CFR_OP_ldc_w);
	jw_put_u2(out, index);
	jw_put_u1(out, wide ? CFR_OP_pop2 : CFR_OP_pop);
}

/* tableswitch with one case, at PC; both lead after it. */
static void mutant_put_switch(struct jw_buf *out, uint32_t pc)
{
	jw_put_u1(out, CFR_OP_iconst_0);
	uint32_t at = pc + (uint32_t)out->n, end = (at + 4) / 4 * 4 + 16;

	jw_put_u1(out, CFR_OP_tableswitch);
	jw_put_zeros(out, (at + 4) / 4 * 4 - at - 1);
	jw_put_u4(out, end - at);
	jw_put_u4(out, 7);
	jw_put_u4(out, 7);
	jw_put_u4(out, end - at);
}

static void mutant_put_fixed(struct mutant *m, struct jw_buf *out, uint16_t max_locals)
{
	static const struct {
		uint8_t n, bytes[8];
	} pieces[] = {
		{ 1, { CFR_OP_nop } },
		{ 4, { CFR_OP_aload_0, CFR_OP_monitorenter, CFR_OP_aload_0, CFR_OP_monitorexit } },
		{ 4, { CFR_OP_aconst_null, CFR_OP_dup, CFR_OP_monitorenter, CFR_OP_monitorexit } },
		{ 4, { CFR_OP_iconst_1, CFR_OP_newarray, 10, CFR_OP_pop } },
		{ 4, { CFR_OP_iconst_1, CFR_OP_anewarray, PIECE_CLASS, CFR_OP_pop } },
		{ 6,
		  { CFR_OP_iconst_1, CFR_OP_dup, CFR_OP_multianewarray, PIECE_CLASS, 2,
		    CFR_OP_pop } },
		{ 3, { CFR_OP_new, PIECE_CLASS, CFR_OP_pop } },
		{ 4, { CFR_OP_aconst_null, CFR_OP_checkcast, PIECE_CLASS, CFR_OP_pop } },
		{ 4, { CFR_OP_aconst_null, CFR_OP_instanceof, PIECE_CLASS, CFR_OP_pop } },
		{ 4, { CFR_OP_iconst_0, CFR_OP_ifeq, 0, 3 } },
		{ 8, { CFR_OP_iconst_0, CFR_OP_ifeq, 0, 7, CFR_OP_goto, 0, 3, CFR_OP_nop } },
		{ 3, { CFR_OP_goto, 0, 3 } },
		{ 5, { CFR_OP_goto_w, 0, 0, 0, 5 } },
		{ 4, { CFR_OP_jsr, 0, 3, CFR_OP_pop } },
		{ 3, { CFR_OP_iconst_0, CFR_OP_istore, PIECE_LOCAL } },
		{ 3, { CFR_OP_aconst_null, CFR_OP_astore, PIECE_LOCAL } },
		{ 3, { CFR_OP_lconst_0, CFR_OP_lstore, PIECE_LOCAL } },
		{ 6, { CFR_OP_wide, CFR_OP_iinc, 0, PIECE_LOCAL, 1, 1 } },
		{ 3, { CFR_OP_ret, PIECE_LOCAL, CFR_OP_nop } },
		{ 1, { CFR_OP_return } },
		{ 2, { CFR_OP_iconst_0, CFR_OP_ireturn } },
		{ 2, { CFR_OP_lconst_1, CFR_OP_lreturn } },
		{ 2, { CFR_OP_aconst_null, CFR_OP_areturn } },
		{ 2, { CFR_OP_aconst_null, CFR_OP_athrow } },
		{ 5, { CFR_OP_dconst_1, CFR_OP_iconst_0, CFR_OP_dup_x2, CFR_OP_pop, CFR_OP_pop2 } },
	};
	uint32_t which = mutant_draw(m, sizeof(pieces) / sizeof(pieces[0]));

	for (uint8_t i = 0; i < pieces[which].n; i++) {
		uint8_t b = pieces[which].bytes[i];

		if (b == PIECE_CLASS)
			jw_put_u2(out, mutant_constant(m, CFR_CONSTANT_Class));
		else
			jw_put_u1(out,
				  b == PIECE_LOCAL ? mutant_draw(m, max_locals + 1u) & 0xff : b);
	}
}

/* A piece of code that is to stand at PC: whole instructions, which take a multiple of four bytes,
 * so that no switch after them needs another padding. */
static void mutant_put_piece(struct mutant *m, struct jw_buf *out, uint32_t pc, uint16_t max_locals)
{
	static const struct {
		uint8_t opcode, tag;
	} uses[] = {
		{ CFR_OP_getstatic, CFR_CONSTANT_Fieldref },
		{ CFR_OP_putstatic, CFR_CONSTANT_Fieldref },
		{ CFR_OP_getfield, CFR_CONSTANT_Fieldref },
		{ CFR_OP_putfield, CFR_CONSTANT_Fieldref },
		{ CFR_OP_invokevirtual, CFR_CONSTANT_Methodref },
		{ CFR_OP_invokespecial, CFR_CONSTANT_Methodref },
		{ CFR_OP_invokespecial, CFR_CONSTANT_Methodref },
		{ CFR_OP_invokestatic, CFR_CONSTANT_Methodref },
		{ CFR_OP_invokestatic, CFR_CONSTANT_InterfaceMethodref },
		{ CFR_OP_invokeinterface, CFR_CONSTANT_InterfaceMethodref },
		{ CFR_OP_invokedynamic, CFR_CONSTANT_InvokeDynamic },
	};
	uint32_t which = mutant_draw(m, 2 * sizeof(uses) / sizeof(uses[0]));

	if (which < sizeof(uses) / sizeof(uses[0]))
		mutant_put_ref(m, out, uses[which].opcode, mutant_constant(m, uses[which].tag));
	else if (mutant_draw(m, 12) == 0)
		mutant_put_switch(out, pc);
	else if (mutant_draw(m, 12) == 0)
		mutant_put_ldc(m, out);
	else
		mutant_put_fixed(m, out, max_locals);
	while (out->n % 4 != 0)
		jw_put_u1(out, CFR_OP_nop);
}

static uint32_t mutant_place(const void *ctx, uint32_t pc)
{
	const struct mutant_shift *shift = ctx;

	return pc > shift->at ? pc + shift->n : pc;
}

static uint32_t mutant_insn_place(const void *ctx, uint32_t pc)
{
	const struct mutant_shift *shift = ctx;

	return pc >= shift->at ? pc + shift->n : pc;
}

static void mutant_move_switch(const struct cfr_code *code, const struct cfr_insn *insn,
			       const struct mutant_shift *shift, struct jw_buf *out)
{
	struct cfr_switch sw = cfr_switch_at(code, insn);
	uint32_t from = mutant_insn_place(shift, insn->pc), at = (from + 4) / 4 * 4;
	uint32_t size = sw.table ? 4 : 8;

	jw_patch_u4(out, at, mutant_place(shift, sw.default_target) - from);
	at += sw.table ? 12 : 8;
	for (uint32_t i = 0; i < sw.count; i++)
		jw_patch_u4(out, at + i * size + size - 4,
			    mutant_place(shift, cfr_switch_target(&sw, i)) - from);
}

/* The branches of CODE, in OUT, lead where they led. False: one cannot reach so far. */
static bool mutant_move_branches(const struct cfr_code *code, const struct mutant_shift *shift,
				 struct jw_buf *out)
{
	struct cfr_insn insn;

	for (uint32_t pc = 0; pc < code->code.n; pc += insn.length) {
		insn = cfr_insn_at(code, pc);
		enum cfr_form form = cfr_op(insn.op)->form;
		uint32_t from = mutant_insn_place(shift, pc);
		int32_t offset =
			(int32_t)mutant_place(shift, (uint32_t)insn.target) - (int32_t)from;

		if (form == CFR_FORM_TABLE || form == CFR_FORM_LOOKUP)
			mutant_move_switch(code, &insn, shift, out);
		else if (form == CFR_FORM_BRANCH_WIDE)
			jw_patch_u4(out, from + 1, (uint32_t)offset);
		else if (form == CFR_FORM_BRANCH && offset != (int16_t)offset)
			return false;
		else if (form == CFR_FORM_BRANCH)
			jw_patch_u2(out, from + 1, (uint16_t)offset);
	}
	return true;
}

/* Moves the pcs of a table of records, SIZE bytes each, a start_pc first and (LENGTH) a length. */
static void mutant_move_records(struct jw_buf *out, size_t from, size_t size, bool length,
				const struct mutant_shift *shift)
{
	for (size_t at = from; at + size <= out->n; at += size) {
		struct jw_span record = { out->p + at, size };
		uint32_t start = jw_span_u2(record, 0), n = length ? jw_span_u2(record, 2) : 0;
		uint32_t end = mutant_place(shift, start + n);

		start = mutant_place(shift, start);
		jw_patch_u2(out, at, start & 0xffff);
		if (length)
			jw_patch_u2(out, at + 2, (end - start) & 0xffff);
	}
}

static bool mutant_move_frames(struct jw_span info, const struct mutant_shift *shift,
			       struct jw_buf *out)
{
	const struct cfr_pc_maps maps = { mutant_place, mutant_insn_place, shift };
	size_t from = out->n;
	struct jw_err e = { 0 };
	uint32_t last;
	uint16_t entries;

	jw_put_u4(out, 0);
	if (cfr_smt_move(info, out, &maps, &last, &entries, &e) != JW_OK)
		return false;
	jw_patch_u4(out, from, out->n - from - 4);
	return true;
}

static bool mutant_move_attrs(const struct cfr_class *cls, const struct cfr_code *code,
			      const struct mutant_shift *shift, struct jw_buf *out)
{
	struct cfr_attr_iter it = cfr_attrs_iter(cls, &code->attrs);
	struct cfr_attr attr;

	jw_put_u2(out, code->attrs.count);
	while (cfr_attr_next(&it, &attr)) {
		jw_put_bytes(out, jw_span_sub(cls->bytes, attr.at, 2));
		if (jw_span_eq_str(attr.name, "StackMapTable")) {
			if (!mutant_move_frames(attr.info, shift, out))
				return false;
			continue;
		}
		jw_put_u4(out, attr.info.n);
		size_t from = out->n + 2;

		jw_put_bytes(out, attr.info);
		if (jw_span_eq_str(attr.name, "LineNumberTable"))
			mutant_move_records(out, from, 4, false, shift);
		if (jw_span_starts(attr.name, jw_span_str("LocalVariableT")))
			mutant_move_records(out, from, 10, true, shift);
	}
	return true;
}

static bool mutant_insert(struct mutant *m, const struct cfr_code *code, uint32_t at,
			  struct mutant_body *body)
{
	struct jw_buf piece = { 0 };

	mutant_put_piece(m, &piece, at, code->max_locals);
	struct mutant_shift shift = { at, (uint32_t)piece.n };

	jw_put_bytes(&body->code, jw_span_sub(code->code, 0, at));
	jw_put_bytes(&body->code, jw_buf_span(&piece));
	jw_put_bytes(&body->code, jw_span_sub(code->code, at, SIZE_MAX));
	jw_buf_free(&piece);
	jw_put_bytes(&body->handlers, code->handlers);
	for (size_t i = 0; i < body->handlers.n; i += i % CFR_HANDLER_BYTES == 4 ? 4 : 2)
		jw_patch_u2(&body->handlers, i,
			    mutant_place(&shift, jw_span_u2(code->handlers, i)) & 0xffff);
	return mutant_move_branches(code, &shift, &body->code) &&
	       mutant_move_attrs(&m->cls, code, &shift, &body->attrs);
}

bool mutate_code(struct mutant *m)
{
	struct cfr_code code;
	const struct cfr_member *method = mutant_code(m, &code);

	if (!method)
		return false;
	struct mutant_body body = {
		(code.max_stack + 12u) & 0xffff, code.max_locals, { 0 }, { 0 }, { 0 }
	};
	bool done = mutant_insert(m, &code, mutant_start(m, &code), &body) &&
		    mutant_put_body(m, method, &body);

	mutant_body_free(&body);
	return done;
}
