/*
 * locals.c: the types of the locals at call sites, for the frames of their handlers.
 *
 * Where the program's own entries cover a handler of ours, they expect the locals that they know.
 * Those are the verifier's at the invocation: the last explicit frame before it, and what the
 * instructions between have stored. One walk forward finds them: every merge has an explicit frame,
 * so nothing is ever merged here, and no class is looked up. Of the stack only references are
 * followed, since only they can be stored as they are: a stored number has the type of its store.
 *
 * A call that nothing encloses (and that is no monitorexit) needs no locals, except uninitializedThis
 * before super().
 */
#include "weaver/class/locals.h"

#include <string.h>

#include "cfr/desc.h"
#include "cfr/pool_add.h"
#include "cfr/smt.h"

#include "base/banned.h"

/* A verification type; an OBJECT by the index of its class, or by its name alone. */
struct type {
	uint8_t tag; /* TOP is also used for every number on the stack */
	uint16_t data;
	struct jw_span name;
};

struct locals_walk {
	struct weave_body *b;
	const struct cfr_smt *smt;
	uint32_t next_frame;
	struct type *params; /* the entries of the initial frame's locals */
	uint32_t param_count;
	struct type *locals, *stack;
	uint32_t depth;
	bool known, broken, no_memory;
};

static const struct type top;

static struct type object(struct jw_span name)
{
	return (struct type){ .tag = CFR_VTYPE_OBJECT, .name = name };
}

static struct type object_at(uint16_t index)
{
	return (struct type){ .tag = CFR_VTYPE_OBJECT, .data = index };
}

/* The type of a field descriptor: numbers are TOP. */
static struct type of_descriptor(struct jw_span d)
{
	if (d.n > 2 && d.p[0] == 'L')
		return object(jw_span_sub(d, 1, d.n - 2));
	return d.n > 1 && d.p[0] == '[' ? object(d) : top;
}

static struct jw_span name_of(const struct locals_walk *w, const struct type *type)
{
	return type->name.p ? type->name : cfr_pool_class(&w->b->cls->pool, type->data);
}

static bool same(const struct type *a, const struct type *b)
{
	return a->tag == b->tag && a->data == b->data;
}

/* ---- the stack ---- */

static void push(struct locals_walk *w, struct type type)
{
	if (w->depth >= w->b->code.max_stack)
		w->broken = true;
	else
		w->stack[w->depth++] = type;
}

static struct type pop(struct locals_walk *w)
{
	if (w->depth > 0)
		return w->stack[--w->depth];
	w->broken = true;
	return top;
}

static void pop_slots(struct locals_walk *w, uint32_t slots)
{
	if (slots > w->depth)
		w->broken = true;
	else
		w->depth -= slots;
}

static void push_descriptor(struct locals_walk *w, struct jw_span d)
{
	for (uint32_t slots = cfr_desc_slots(d); slots > 0 && !w->broken; slots--)
		push(w, of_descriptor(d));
}

/* Copies the top COUNT slots and puts the copy below UNDER more. */
static void dup_slots(struct locals_walk *w, uint32_t count, uint32_t under)
{
	struct type slots[4];
	uint32_t all = count + under;

	if (w->depth < all || w->depth + count > w->b->code.max_stack) {
		w->broken = true;
		return;
	}
	memcpy(slots, w->stack + w->depth - all, all * sizeof(*slots));
	memcpy(w->stack + w->depth - all, slots + under, count * sizeof(*slots));
	memcpy(w->stack + w->depth - all + count, slots, all * sizeof(*slots));
	w->depth += count;
}

/* ---- the locals ---- */

static void set_local(struct locals_walk *w, uint32_t local, struct type type)
{
	bool two = type.tag == CFR_VTYPE_LONG || type.tag == CFR_VTYPE_DOUBLE;

	if (local + two >= w->b->code.max_locals) {
		w->broken = true;
		return;
	}
	if (local > 0 && (w->locals[local - 1].tag == CFR_VTYPE_LONG ||
			  w->locals[local - 1].tag == CFR_VTYPE_DOUBLE))
		w->locals[local - 1] = top; /* half of it is gone */
	w->locals[local] = type;
	if (two)
		w->locals[local + 1] = top;
}

static void store(struct locals_walk *w, char letter, uint32_t local)
{
	static const struct {
		char letter;
		uint8_t tag;
	} numbers[] = { { 'I', CFR_VTYPE_INTEGER },
			{ 'F', CFR_VTYPE_FLOAT },
			{ 'J', CFR_VTYPE_LONG },
			{ 'D', CFR_VTYPE_DOUBLE } };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].letter != letter)
			continue;
		pop_slots(w, letter == 'J' || letter == 'D' ? 2 : 1);
		set_local(w, local, (struct type){ .tag = numbers[i].tag });
		return;
	}
	set_local(w, local, pop(w));
}

/* Loads and stores of locals; false when INSN is neither, or its effect on the stack is all. */
static bool do_local(struct locals_walk *w, const struct cfr_insn *insn)
{
	int32_t local = cfr_insn_local(&w->b->code, insn);
	const char *effect = cfr_op(insn->op)->effect;

	if (local < 0 || insn->op == CFR_OP_iinc || insn->op == CFR_OP_ret)
		return false;
	if (effect[0] != '>') {
		store(w, *(insn->op == CFR_OP_astore ? "A" : effect), (uint32_t)local);
		return true;
	}
	if (effect[1] != 'A')
		return false;
	if ((uint32_t)local < w->b->code.max_locals)
		push(w, w->locals[local]);
	else
		w->broken = true;
	return true;
}

/* ---- instructions ---- */

/* TYPE has been initialised, in every slot that holds it. */
static void initialise(struct locals_walk *w, struct type type)
{
	struct type now = type.tag == CFR_VTYPE_UNINIT_THIS
				  ? object_at(w->b->cls->this_index)
				  : object_at(jw_span_u2(w->b->code.code, type.data + 1u));

	for (uint32_t i = 0; i < w->b->code.max_locals; i++) {
		if (same(&w->locals[i], &type))
			w->locals[i] = now;
	}
	for (uint32_t i = 0; i < w->depth; i++) {
		if (same(&w->stack[i], &type))
			w->stack[i] = now;
	}
}

static bool is_uninit(const struct type *type)
{
	return type->tag == CFR_VTYPE_UNINIT || type->tag == CFR_VTYPE_UNINIT_THIS;
}

static void do_reference(struct locals_walk *w, const struct cfr_insn *insn)
{
	struct cfr_ref ref;
	struct type receiver = top;
	uint8_t op = insn->op;

	if (!cfr_pool_ref(&w->b->cls->pool, cfr_insn_index(&w->b->code, insn), &ref)) {
		w->broken = true;
		return;
	}
	if (op >= CFR_OP_invokevirtual)
		pop_slots(w, cfr_desc_param_slots(ref.descriptor));
	else if (op == CFR_OP_putfield || op == CFR_OP_putstatic)
		pop_slots(w, cfr_desc_slots(ref.descriptor));
	if (op != CFR_OP_getstatic && op != CFR_OP_putstatic && op != CFR_OP_invokestatic &&
	    op != CFR_OP_invokedynamic)
		receiver = pop(w);
	if (op >= CFR_OP_invokevirtual)
		push_descriptor(w, cfr_desc_return(ref.descriptor));
	else if (op == CFR_OP_getfield || op == CFR_OP_getstatic)
		push_descriptor(w, ref.descriptor);
	if (op == CFR_OP_invokespecial && jw_span_eq(ref.name, JW_SPAN_LIT("<init>")) &&
	    is_uninit(&receiver))
		initialise(w, receiver);
}

/* The type of an array whose elements are of class INDEX. */
static struct type array_of(struct locals_walk *w, uint16_t index)
{
	struct jw_span name = cfr_pool_class(&w->b->cls->pool, index);
	bool array = name.n > 0 && name.p[0] == '[';
	char *text = jw_arena_alloc(w->b->arena, name.n + 3, 1);
	size_t n = 0;

	if (!text) {
		w->no_memory = w->broken = true;
		return top;
	}
	text[n++] = '[';
	if (!array)
		text[n++] = 'L';
	if (name.n)
		memcpy(text + n, name.p, name.n);
	n += name.n;
	if (!array)
		text[n++] = ';';
	return object(jw_span(text, n));
}

static struct type element_of(struct locals_walk *w, const struct type *array)
{
	struct jw_span name;

	if (array->tag == CFR_VTYPE_NULL)
		return *array;
	name = name_of(w, array);
	if (array->tag == CFR_VTYPE_OBJECT && name.n > 2 && name.p[0] == '[')
		return of_descriptor(jw_span_sub(name, 1, name.n - 1));
	w->broken = true;
	return top;
}

static struct type of_constant(const struct locals_walk *w, uint16_t index)
{
	struct cfr_ref ref;

	switch (cfr_pool_tag(&w->b->cls->pool, index)) {
	case CFR_CONSTANT_String:
		return object(JW_SPAN_LIT("java/lang/String"));
	case CFR_CONSTANT_Class:
		return object(JW_SPAN_LIT("java/lang/Class"));
	case CFR_CONSTANT_MethodHandle:
		return object(JW_SPAN_LIT("java/lang/invoke/MethodHandle"));
	case CFR_CONSTANT_MethodType:
		return object(JW_SPAN_LIT("java/lang/invoke/MethodType"));
	case CFR_CONSTANT_Dynamic:
		return cfr_pool_ref(&w->b->cls->pool, index, &ref) ? of_descriptor(ref.descriptor)
								   : top;
	default:
		return top;
	}
}

static struct type of_newarray(uint8_t code)
{
	static const char *const names[] = { "[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J" };

	return code >= 4 && code < 12 ? object(jw_span_str(names[code - 4])) : top;
}

/* Instructions that push a reference whose type they say themselves; false: INSN is none. */
static bool do_object(struct locals_walk *w, const struct cfr_insn *insn)
{
	const struct cfr_code *code = &w->b->code;
	struct type type;

	switch (insn->op) {
	case CFR_OP_aconst_null:
		push(w, (struct type){ .tag = CFR_VTYPE_NULL });
		return true;
	case CFR_OP_ldc:
	case CFR_OP_ldc_w:
		push(w, of_constant(w, cfr_insn_index(code, insn)));
		return true;
	case CFR_OP_new:
		push(w, (struct type){ .tag = CFR_VTYPE_UNINIT, .data = (uint16_t)insn->pc });
		return true;
	case CFR_OP_checkcast:
		pop_slots(w, 1);
		push(w, object_at(cfr_insn_index(code, insn)));
		return true;
	case CFR_OP_newarray:
		pop_slots(w, 1);
		push(w, of_newarray(code->code.p[insn->pc + 1]));
		return true;
	case CFR_OP_anewarray:
		pop_slots(w, 1);
		push(w, array_of(w, cfr_insn_index(code, insn)));
		return true;
	case CFR_OP_multianewarray:
		pop_slots(w, code->code.p[insn->pc + 3]);
		push(w, object_at(cfr_insn_index(code, insn)));
		return true;
	case CFR_OP_aaload:
		pop_slots(w, 1);
		type = pop(w);
		push(w, element_of(w, &type));
		return true;
	default:
		return false;
	}
}

static bool do_stack(struct locals_walk *w, const struct cfr_insn *insn)
{
	struct type a, b;

	switch (insn->op) {
#define DUP_CASE(name, count, under)        \
	case CFR_OP_##name:                 \
		dup_slots(w, count, under); \
		return true;
		CFR_DUP_LIST(DUP_CASE)
#undef DUP_CASE
	case CFR_OP_swap:
		a = pop(w);
		b = pop(w);
		push(w, a);
		push(w, b);
		return true;
	default:
		return false;
	}
}

static void do_insn(struct locals_walk *w, const struct cfr_insn *insn)
{
	const char *effect = cfr_op(insn->op)->effect;

	if (insn->op >= CFR_OP_getstatic && insn->op <= CFR_OP_invokedynamic) {
		do_reference(w, insn);
		return;
	}
	if (do_stack(w, insn) || do_object(w, insn) || do_local(w, insn))
		return;
	pop_slots(w, cfr_effect_slots(effect));
	for (uint32_t n = cfr_effect_slots(strchr(effect, '>') + 1); n > 0 && !w->broken; n--)
		push(w, top);
}

/* ---- frames ---- */

static struct type of_vtype(const struct locals_walk *w, const struct cfr_vtype *v, uint32_t entry)
{
	struct type type = { .tag = v->tag, .data = v->data };

	/* a parameter that the frame keeps: its descriptor says what it is */
	if (v->tag == CFR_VTYPE_OBJECT && v->data == 0)
		return entry < w->param_count ? w->params[entry] : top;
	return type;
}

static void load_frame(struct locals_walk *w, const struct cfr_frame *frame)
{
	uint32_t local = 0;

	w->known = true;
	w->depth = 0;
	for (uint32_t i = 0; i < w->b->code.max_locals; i++)
		w->locals[i] = top;
	for (uint32_t i = 0; i < frame->local_count && !w->broken; i++) {
		struct type type = of_vtype(w, &frame->locals[i], i);

		set_local(w, local, type);
		local += type.tag == CFR_VTYPE_LONG || type.tag == CFR_VTYPE_DOUBLE ? 2 : 1;
	}
	for (uint32_t i = 0; i < frame->stack_count; i++) {
		uint8_t tag = frame->stack[i].tag;
		bool two = tag == CFR_VTYPE_LONG || tag == CFR_VTYPE_DOUBLE;
		bool number = two || tag == CFR_VTYPE_INTEGER || tag == CFR_VTYPE_FLOAT;

		push(w, number ? top : of_vtype(w, &frame->stack[i], UINT32_MAX));
		if (two)
			push(w, top);
	}
}

static uint16_t count_params(struct jw_span descriptor)
{
	struct jw_cur cur = cfr_desc_params(descriptor);
	struct jw_span field;
	uint16_t n = 0;

	while (cfr_desc_next(&cur, &field))
		n++;
	return n;
}

/* The names of the initial frame's classes. */
static enum jw_status name_params(struct locals_walk *w, struct jw_err *e)
{
	const struct cfr_member *m = w->b->member;
	struct jw_cur cur = cfr_desc_params(m->descriptor);
	struct jw_span field;
	uint32_t n = 0;

	w->params = JW_NEW_ARRAY(w->b->arena, struct type, count_params(m->descriptor) + 1u);
	if (!w->params)
		return jw_nomem(e);
	if (!(m->access & CFR_ACC_STATIC))
		w->params[n++] = object_at(w->b->cls->this_index);
	while (cfr_desc_next(&cur, &field))
		w->params[n++] = of_descriptor(field);
	w->param_count = n;
	return JW_OK;
}

/* ---- the frame of a handler ---- */

/* The receiver of the `new X.<init>` at CALL: no handler can name it. TOP: it is another call. */
static struct type fresh_receiver(const struct locals_walk *w, const struct weave_call *call)
{
	struct cfr_ref ref;
	uint32_t slots;

	if (!cfr_pool_ref(&w->b->cls->pool, call->callee, &ref) ||
	    !jw_span_eq(ref.name, JW_SPAN_LIT("<init>")))
		return top;
	slots = cfr_desc_param_slots(ref.descriptor) + 1;
	return slots <= w->depth ? w->stack[w->depth - slots] : top;
}

static enum jw_status to_vtype(struct locals_walk *w, const struct type *type,
			       struct cfr_vtype *out, struct jw_err *e)
{
	*out = (struct cfr_vtype){ .tag = type->tag, .data = type->data };
	if (type->tag != CFR_VTYPE_OBJECT || type->data != 0)
		return JW_OK;
	return weave_blame(w->b, WEAVE_SKIP_POOL_FULL,
			   cfr_pool_add_class(&w->b->cls->pool, type->name, &out->data, e), e);
}

/* The locals as they are now into the frame of CALL. */
static enum jw_status take_locals(struct locals_walk *w, struct weave_call *call, struct jw_err *e)
{
	struct type fresh = fresh_receiver(w, call);
	uint32_t slots = w->b->code.max_locals, n = 0;
	struct cfr_vtype *out;

	while (slots > 0 && w->locals[slots - 1].tag == CFR_VTYPE_TOP)
		slots--;
	if (slots > 0 && (w->locals[slots - 1].tag == CFR_VTYPE_LONG ||
			  w->locals[slots - 1].tag == CFR_VTYPE_DOUBLE))
		slots++;
	if (slots == 0)
		return JW_OK;
	out = JW_NEW_ARRAY(w->b->arena, struct cfr_vtype, slots);
	if (!out)
		return jw_nomem(e);
	for (uint32_t i = 0; i < slots; i++) {
		const struct type *type = &w->locals[i];

		if (fresh.tag == CFR_VTYPE_UNINIT && same(type, &fresh))
			type = &top;
		JW_TRY(to_vtype(w, type, &out[n++], e));
		i += type->tag == CFR_VTYPE_LONG || type->tag == CFR_VTYPE_DOUBLE;
	}
	call->locals = out;
	call->local_count = (uint16_t)n;
	return JW_OK;
}

/* Does the handler of CALL need them: for handlers around it, or to release a monitor? */
static bool needs_locals(const struct weave_call *call)
{
	return call->tail && (call->enclosed || call->instant);
}

/* ---- the walk ---- */

static enum jw_status give_up(struct locals_walk *w, uint32_t pc, const char *what,
			      struct jw_err *e)
{
	return w->no_memory ? jw_nomem(e)
			    : weave_leave(w->b, WEAVE_SKIP_FRAMES, e, "pc %u: %s", pc, what);
}

static enum jw_status walk_code(struct locals_walk *w, uint32_t last, struct jw_err *e)
{
	const struct cfr_code *code = &w->b->code;
	uint32_t next = 0;

	for (uint32_t pc = 0; pc <= last && pc < code->code.n;) {
		struct cfr_insn insn = cfr_insn_at(code, pc);
		struct weave_call *call = &w->b->plan.calls[next];

		if (w->next_frame < w->smt->count && w->smt->frames[w->next_frame].pc == pc)
			load_frame(w, &w->smt->frames[w->next_frame++]);
		if (call->pc == pc) {
			if (!w->known)
				return give_up(w, pc, "a frame is missing", e);
			if (needs_locals(call))
				JW_TRY(take_locals(w, call, e));
			next++;
		}
		if (w->known)
			do_insn(w, &insn);
		if (w->broken)
			return give_up(w, pc, "the stack does not add up", e);
		w->known = w->known && !cfr_op_ends_flow(insn.op);
		pc += insn.length;
	}
	return JW_OK;
}

static enum jw_status walk_to(struct weave_body *b, uint32_t last, struct jw_err *e)
{
	struct cfr_smt smt = { 0 };
	struct locals_walk w = { .b = b, .smt = &smt };
	enum jw_status status = cfr_smt_decode(b->cls, b->member, &b->code, b->arena, &smt, e);

	if (status != JW_OK)
		return weave_blame(b, WEAVE_SKIP_FRAMES, status, e);
	w.locals = JW_NEW_ARRAY(b->arena, struct type, (size_t)b->code.max_locals + 1);
	w.stack = JW_NEW_ARRAY(b->arena, struct type, (size_t)b->code.max_stack + 1);
	if (!w.locals || !w.stack)
		return jw_nomem(e);
	JW_TRY(name_params(&w, e));
	load_frame(&w, smt.initial);
	return w.broken ? give_up(&w, 0, "its parameters need more locals than it has", e)
			: walk_code(&w, last, e);
}

enum jw_status weave_call_types(struct weave_body *b, struct jw_err *e)
{
	static const struct cfr_vtype uninit_this = { .tag = CFR_VTYPE_UNINIT_THIS };
	uint32_t last = 0;
	bool any = false;

	for (uint32_t i = 0; i < b->plan.call_count; i++) {
		struct weave_call *call = &b->plan.calls[i];

		call->locals = call->uninit ? &uninit_this : NULL;
		call->local_count = call->uninit;
		if (needs_locals(call)) {
			any = true;
			last = call->pc;
		}
	}
	return any && !b->old_verifier ? walk_to(b, last, e) : JW_OK;
}
