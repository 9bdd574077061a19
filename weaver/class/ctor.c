/*
 * ctor.c: where in a constructor `this` is not initialised yet.
 *
 * A handler must fit every state that it covers, and no frame fits both sides of super(...) (or
 * this(...)), nor, from class files 50 on, the invocation itself. So a constructor is cut into
 * runs:
 *
 *     uninitializedThis in local 0 | the invocation | an ordinary this
 *
 * There may be several of each (branches before super(), several super() calls). The
 * invokespecial is found by following uninitializedThis: through the frames of the
 * StackMapTable, and between them by what each instruction does to the stack and the locals, one
 * bit a slot: "is it uninitializedThis?". Merges always have frames, so one walk forward is enough,
 * and it ends once no later frame can be uninitialized: in most constructors at their first
 * invokespecial.
 *
 * For the older verifier, which infers types, one run covers all.
 */
#include "weaver/class/ctor.h"

#include <string.h>

#include "base/assert.h"
#include "base/grow.h"
#include "cfr/desc.h"
#include "cfr/smt.h"

#include "base/banned.h"

struct this_walk {
	struct weave_body *b;
	const struct cfr_frame *frames;
	uint32_t frame_count, next_frame;
	uint32_t uninit_frames; /* frames before this index may be uninitialized; none from it on */
	uint8_t *locals, *stack; /* per slot: is it uninitializedThis? */
	uint32_t depth;          /* slots in use */
	bool known;              /* the state is known: by a frame, or by falling in */
	bool uninit;
	bool broken; /* the code does not add up */
};

/* ---- the runs ---- */

static enum jw_status add_run(struct weave_body *b, uint32_t start, enum weave_this state,
			      struct jw_err *e)
{
	static const struct jw_growth growing = { 0 }; /* no limit but memory */

	if (b->run_count > 0 && b->runs[b->run_count - 1].state == state)
		return JW_OK;
	JW_ASSERT(b->run_count == 0 ? start == 0 : b->runs[b->run_count - 1].start < start);
	JW_TRY(jw_grow(b->arena, &b->runs, &b->run_cap, sizeof(*b->runs), (size_t)b->run_count + 1,
		       &growing, e));
	b->runs[b->run_count++] = (struct weave_run){ start, state };
	return JW_OK;
}

enum weave_this weave_this_at(const struct weave_body *b, uint32_t pc, uint32_t *run)
{
	JW_ASSERT(*run < b->run_count && b->runs[*run].start <= pc);
	while (*run + 1 < b->run_count && b->runs[*run + 1].start <= pc)
		++*run;
	return b->runs[*run].state;
}

/* ---- what an instruction does ---- */

static uint8_t pop(struct this_walk *w)
{
	if (w->depth == 0) {
		w->broken = true;
		return 0;
	}
	return w->stack[--w->depth];
}

static void push(struct this_walk *w, uint8_t is_this)
{
	if (w->depth == w->b->code.max_stack) {
		w->broken = true;
		return;
	}
	w->stack[w->depth++] = is_this;
}

static void pop_slots(struct this_walk *w, uint32_t slots)
{
	if (slots > w->depth)
		w->broken = true;
	else
		w->depth -= slots;
}

static void push_slots(struct this_walk *w, uint32_t slots)
{
	while (slots-- > 0 && !w->broken)
		push(w, 0);
}

/* Copies the top COUNT slots and puts the copy below UNDER more. */
static void dup_slots(struct this_walk *w, uint32_t count, uint32_t under)
{
	uint8_t top[4];
	uint32_t all = count + under;

	if (w->depth < all || w->depth + count > w->b->code.max_stack) {
		w->broken = true;
		return;
	}
	memcpy(top, w->stack + w->depth - all, all);
	memcpy(w->stack + w->depth - all, top + under, count);
	memcpy(w->stack + w->depth - all + count, top, all);
	w->depth += count;
}

static void swap_slots(struct this_walk *w)
{
	uint8_t a = pop(w), b = pop(w);

	push(w, a);
	push(w, b);
}

static void set_local(struct this_walk *w, uint32_t local, uint8_t is_this)
{
	if (local >= w->b->code.max_locals)
		w->broken = true;
	else
		w->locals[local] = is_this;
}

/* `this` has been initialised, in every slot that holds it. */
static void initialise(struct this_walk *w)
{
	memset(w->locals, 0, w->b->code.max_locals);
	memset(w->stack, 0, w->b->code.max_stack);
	w->uninit = false;
}

static void do_field(struct this_walk *w, const struct cfr_insn *insn, const struct cfr_ref *ref)
{
	uint32_t slots = cfr_desc_slots(ref->descriptor);
	bool put = insn->op == CFR_OP_putfield || insn->op == CFR_OP_putstatic;
	bool object = insn->op == CFR_OP_putfield || insn->op == CFR_OP_getfield;

	pop_slots(w, (put ? slots : 0) + object);
	push_slots(w, put ? 0 : slots);
}

/* Returns whether it is the invocation that initialises `this`. */
static bool do_invoke(struct this_walk *w, const struct cfr_insn *insn, const struct cfr_ref *ref)
{
	bool is_super = false;

	pop_slots(w, cfr_desc_param_slots(ref->descriptor));
	if (insn->op != CFR_OP_invokestatic && insn->op != CFR_OP_invokedynamic) {
		is_super = pop(w) && insn->op == CFR_OP_invokespecial &&
			   jw_span_eq(ref->name, JW_SPAN_LIT("<init>"));
	}
	push_slots(w, cfr_desc_slots(cfr_desc_return(ref->descriptor)));
	if (is_super)
		initialise(w);
	return is_super;
}

/* Loads and stores of locals; false when INSN is neither, and has its effect on the stack alone. */
static bool do_local(struct this_walk *w, const struct cfr_insn *insn)
{
	int32_t local = cfr_insn_local(&w->b->code, insn);
	const char *effect = cfr_op(insn->op)->effect;

	if (local < 0 || insn->op == CFR_OP_iinc || insn->op == CFR_OP_ret)
		return false;
	if (effect[0] == '>') {
		bool fits = (uint32_t)local < w->b->code.max_locals;

		if (effect[1] != 'A')
			return false;
		push(w, fits ? w->locals[local] : 0);
		w->broken |= !fits;
		return true;
	}
	if (insn->op == CFR_OP_astore ||
	    (insn->op >= CFR_OP_astore_0 && insn->op <= CFR_OP_astore_3)) {
		set_local(w, (uint32_t)local, pop(w));
		return true;
	}
	uint32_t slots = cfr_effect_slots(effect);
	pop_slots(w, slots);
	for (uint32_t i = 0; i < slots; i++)
		set_local(w, (uint32_t)local + i, 0);
	return true;
}

/* Applies INSN to the slots; returns whether it initialises `this`. */
static bool do_insn(struct this_walk *w, const struct cfr_insn *insn)
{
	const char *effect = cfr_op(insn->op)->effect;
	struct cfr_ref ref;

	if (insn->op >= CFR_OP_getstatic && insn->op <= CFR_OP_invokedynamic) {
		if (!cfr_pool_ref(&w->b->cls->pool, cfr_insn_index(&w->b->code, insn), &ref)) {
			w->broken = true;
			return false;
		}
		if (insn->op >= CFR_OP_invokevirtual)
			return do_invoke(w, insn, &ref);
		do_field(w, insn, &ref);
		return false;
	}
	switch (insn->op) {
#define DUP_CASE(name, count, under)        \
	case CFR_OP_##name:                 \
		dup_slots(w, count, under); \
		return false;
		CFR_DUP_LIST(DUP_CASE)
#undef DUP_CASE
	case CFR_OP_swap:
		swap_slots(w);
		return false;
	case CFR_OP_multianewarray:
		pop_slots(w, w->b->code.code.p[insn->pc + 3]);
		push_slots(w, 1);
		return false;
	default:
		if (do_local(w, insn))
			return false;
	}
	pop_slots(w, cfr_effect_slots(effect));
	push_slots(w, cfr_effect_slots(strchr(effect, '>') + 1));
	return false;
}

/* ---- frames ---- */

/* Puts COUNT types into SLOTS bytes of PLACE; returns how many slots they take. */
static uint32_t load_types(struct this_walk *w, const struct cfr_vtype *types, uint32_t count,
			   uint8_t *place, uint32_t slots)
{
	uint32_t used = 0;

	memset(place, 0, slots);
	for (uint32_t i = 0; i < count; i++) {
		bool two = types[i].tag == CFR_VTYPE_LONG || types[i].tag == CFR_VTYPE_DOUBLE;

		if (used + two >= slots) {
			w->broken = true;
			break;
		}
		place[used] = types[i].tag == CFR_VTYPE_UNINIT_THIS;
		w->uninit |= place[used];
		used += 1 + (uint32_t)two;
	}
	return used;
}

static void load_frame(struct this_walk *w, const struct cfr_frame *frame)
{
	const struct cfr_code *code = &w->b->code;

	w->known = true;
	w->uninit = false;
	load_types(w, frame->locals, frame->local_count, w->locals, code->max_locals);
	w->depth = load_types(w, frame->stack, frame->stack_count, w->stack, code->max_stack);
}

static bool frame_uninit(const struct cfr_frame *frame)
{
	for (uint32_t i = 0; i < frame->local_count; i++) {
		if (frame->locals[i].tag == CFR_VTYPE_UNINIT_THIS)
			return true;
	}
	for (uint32_t i = 0; i < frame->stack_count; i++) {
		if (frame->stack[i].tag == CFR_VTYPE_UNINIT_THIS)
			return true;
	}
	return false;
}

/* Is it clear from the bytes of the table that no frame has uninitializedThis? Its first entry is a
 * full_frame, so that nothing is left of the initial frame, and no byte is that type's tag. */
static bool surely_no_uninit(struct jw_span info)
{
	if (!info.p || info.n <= 2)
		return true;
	return info.p[2] == CFR_SMT_FULL && !memchr(info.p + 2, CFR_VTYPE_UNINIT_THIS, info.n - 2);
}

/* ---- the walk ---- */

static enum jw_status give_up(struct this_walk *w, uint32_t pc, const char *what, struct jw_err *e)
{
	return weave_leave(w->b, WEAVE_SKIP_CONSTRUCTOR, e, "pc %u: %s", pc, what);
}

static enum jw_status step(struct this_walk *w, const struct cfr_insn *insn, struct jw_err *e)
{
	bool initialises;

	if (!w->known)
		return give_up(w, insn->pc, "a frame is missing", e);
	if (!w->uninit)
		return add_run(w->b, insn->pc, WEAVE_THIS_SET, e);
	if (w->b->code.max_locals == 0 || !w->locals[0])
		return give_up(w, insn->pc, "local 0 does not hold it", e);
	initialises = do_insn(w, insn);
	if (w->broken)
		return give_up(w, insn->pc, "the stack does not add up", e);
	return add_run(w->b, insn->pc, initialises ? WEAVE_THIS_NOW : WEAVE_THIS_UNINIT, e);
}

static bool settled(const struct this_walk *w)
{
	const struct weave_body *b = w->b;

	return w->next_frame >= w->uninit_frames && b->run_count > 0 &&
	       b->runs[b->run_count - 1].state == WEAVE_THIS_SET;
}

static enum jw_status walk_code(struct this_walk *w, struct jw_err *e)
{
	const struct cfr_code *code = &w->b->code;

	for (uint32_t pc = 0; pc < code->code.n;) {
		struct cfr_insn insn = cfr_insn_at(code, pc);

		if (w->next_frame < w->frame_count && w->frames[w->next_frame].pc == pc)
			load_frame(w, &w->frames[w->next_frame++]);
		JW_TRY(step(w, &insn, e));
		if (settled(w))
			break;
		w->known = w->known && !cfr_op_ends_flow(insn.op);
		pc += insn.length;
	}
	return JW_OK;
}

/* Room for a bit (a byte, here) a slot, and the state at pc 0. */
static enum jw_status start_walk(struct this_walk *w, struct jw_err *e)
{
	struct weave_body *b = w->b;
	uint32_t slots = (uint32_t)b->code.max_locals + b->code.max_stack;

	if (slots > b->slot_cap || !b->slots) {
		uint32_t cap = slots < 256 ? 256 : 2 * slots;
		uint8_t *room = JW_NEW_ARRAY(b->arena, uint8_t, cap);

		if (!room) {
			jw_nomem(e);
			return JW_NOMEM;
		}
		b->slots = room;
		b->slot_cap = cap;
	}
	memset(b->slots, 0, slots);
	w->locals = b->slots;
	w->stack = b->slots + b->code.max_locals;
	w->known = w->uninit = true;
	if (b->code.max_locals > 0)
		w->locals[0] = 1;
	b->run_count = 0;
	return JW_OK;
}

static enum jw_status walk_with_frames(struct weave_body *b, struct jw_err *e)
{
	struct this_walk w = { .b = b };
	struct cfr_smt smt;
	enum jw_status status = cfr_smt_decode(b->cls, b->member, &b->code, b->arena, &smt, e);

	if (status != JW_OK)
		return weave_blame(b, WEAVE_SKIP_FRAMES, status, e);
	w.frames = smt.frames;
	w.frame_count = smt.count;
	for (uint32_t i = 0; i < smt.count; i++) {
		if (frame_uninit(&smt.frames[i]))
			w.uninit_frames = i + 1;
	}
	JW_TRY(start_walk(&w, e));
	return walk_code(&w, e);
}

static bool is_constructor(const struct weave_body *b)
{
	return b->cls->super_index != 0 && jw_span_eq(b->member->name, JW_SPAN_LIT("<init>"));
}

enum jw_status weave_this_runs(struct weave_body *b, struct jw_err *e)
{
	struct this_walk w = { .b = b };

	b->run_count = 0;
	if (!is_constructor(b) || b->old_verifier)
		return add_run(b, 0, WEAVE_THIS_SET, e);
	if (!surely_no_uninit(b->frames.info))
		return walk_with_frames(b, e);
	JW_TRY(start_walk(&w, e));
	enum jw_status status = walk_code(&w, e);
	if (b->skip != WEAVE_SKIP_CONSTRUCTOR || !b->frames.info.p)
		return status;
	/* a constructor whose flow ends before any super(...): only the frames say more */
	b->skip = WEAVE_SKIP_NOT;
	return walk_with_frames(b, e);
}
