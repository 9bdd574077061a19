/*
 * frames.c: the StackMapTable of the new code (JVMS 4.7.4).
 *
 * No types are computed. The frames of the input keep their types and are moved: a frame's pc
 * through `lab`, the `new` that an uninitialized type names through `ins`. These are added:
 *
 *     handler of ours    locals [] (or [uninitializedThis]), stack [Throwable]: every state fits it
 *     handler of a call  the same, or the locals that it had (locals.c), where an entry encloses it
 *     landing            a copy of the frame of its handler (caught.c)
 *     island             a copy of the frame of the island's target
 *
 * Without islands, entries are moved without being decoded, and ours follow them. With islands, all
 * frames are decoded, sorted by their new pcs, and encoded again.
 */
#include "weaver/class/frames.h"

#include <stdlib.h>

#include "base/assert.h"
#include "cfr/smt_put.h"

#include "base/banned.h"

bool weave_needs_frames(const struct weave_body *b)
{
	const struct weave_plan *plan = &b->plan;
	bool tails = plan->tails[WEAVE_TAIL_PLAIN].used || plan->tails[WEAVE_TAIL_UNINIT].used;

	return (tails || weave_plan_has_call_tails(plan)) && !b->frames.info.p && !b->old_verifier;
}

/* The frame that TAIL starts with; TYPES has room for its stack and locals. */
static struct cfr_frame tail_frame(const struct weave_body *b, const struct weave_tail *tail,
				   struct cfr_vtype *types)
{
	types[0] = (struct cfr_vtype){ .tag = CFR_VTYPE_OBJECT, .data = b->constants.throwable };
	types[1] = (struct cfr_vtype){ .tag = CFR_VTYPE_UNINIT_THIS };
	return (struct cfr_frame){ .pc = tail->at,
				   .stack_count = 1,
				   .stack = &types[0],
				   .local_count = tail->uninit_this,
				   .locals = &types[1] };
}

static const struct cfr_vtype *move_types(struct weave_body *b, const struct cfr_vtype *types,
					  uint32_t count);

/* The frame that the handler of CALL starts with; THROWABLE is the room for its stack. */
static enum jw_status call_frame(struct weave_body *b, const struct weave_call *call,
				 struct cfr_vtype *throwable, struct cfr_frame *out,
				 struct jw_err *e)
{
	*throwable = (struct cfr_vtype){ .tag = CFR_VTYPE_OBJECT, .data = b->constants.throwable };
	*out = (struct cfr_frame){ .pc = call->at,
				   .stack_count = 1,
				   .stack = throwable,
				   .local_count = call->local_count,
				   .locals = move_types(b, call->locals, call->local_count) };
	return call->local_count && !out->locals ? jw_nomem(e) : JW_OK;
}

/* The frame that LANDING starts with: its handler's. */
static enum jw_status landing_frame(struct weave_body *b, const struct weave_landing *landing,
				    struct cfr_frame *out, struct jw_err *e)
{
	*out = (struct cfr_frame){ .pc = landing->at,
				   .stack_count = 1,
				   .stack = landing->stack,
				   .local_count = landing->local_count,
				   .locals = move_types(b, landing->locals, landing->local_count) };
	return landing->local_count && !out->locals ? jw_nomem(e) : JW_OK;
}

/* ---- without islands ---- */

struct chain {
	struct jw_buf *out;
	uint32_t last;
	uint16_t count;
};

/* Appends FRAME: the one before it is not known, so it is a full_frame. */
static void append_frame(struct chain *c, const struct cfr_frame *frame)
{
	JW_ASSERT(c->count == 0 || c->last < frame->pc);
	cfr_smt_put_frame(c->out, NULL, frame, c->count ? frame->pc - c->last - 1 : frame->pc);
	c->last = frame->pc;
	JW_ASSERT(c->count <
		  UINT16_MAX); /* each has an instruction of its own, of 65535 bytes at most */
	c->count++;
}

static enum jw_status append_call_frames(struct weave_body *b, struct chain *c, struct jw_err *e)
{
	for (uint32_t i = 0; i < b->plan.call_count; i++) {
		const struct weave_call *call = &b->plan.calls[i];
		struct cfr_vtype throwable;
		struct cfr_frame frame;

		if (!call->tail)
			continue;
		JW_TRY(call_frame(b, call, &throwable, &frame, e));
		append_frame(c, &frame);
	}
	return JW_OK;
}

static enum jw_status append_landing_frames(struct weave_body *b, struct chain *c, struct jw_err *e)
{
	for (uint32_t i = 0; i < b->plan.landing_count; i++) {
		struct cfr_frame frame;

		JW_TRY(landing_frame(b, &b->plan.landings[i], &frame, e));
		append_frame(c, &frame);
	}
	return JW_OK;
}

/* A frame's pc, where it is an instruction's. */
static uint32_t map_frame(const void *ctx, uint32_t pc)
{
	const struct weave_body *b = ctx;

	if (pc >= b->code.code.n || !cfr_code_starts(&b->code, pc))
		return UINT32_MAX;
	return weave_lab(&b->plan, pc);
}

static uint32_t map_new(const void *ctx, uint32_t pc)
{
	const struct weave_body *b = ctx;

	if (pc >= b->code.code.n || !cfr_code_starts(&b->code, pc) ||
	    b->code.code.p[pc] != CFR_OP_new)
		return UINT32_MAX;
	return weave_ins(&b->plan, pc);
}

static enum jw_status move_frames(struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	const struct cfr_pc_maps maps = { map_frame, map_new, b };
	size_t count_at = out->n;
	struct chain chain = { .out = out };
	struct cfr_vtype types[2];
	enum jw_status status;

	if (b->frames.info.p) {
		status = cfr_smt_move(b->frames.info, out, &maps, &chain.last, &chain.count, e);
		if (status != JW_OK)
			return weave_blame(b, WEAVE_SKIP_FRAMES, status, e);
	} else {
		jw_put_u2(out, 0);
	}
	if (!b->old_verifier) {
		JW_TRY(append_call_frames(b, &chain, e));
		JW_TRY(append_landing_frames(b, &chain, e));
	}
	for (uint32_t i = 0; i < WEAVE_TAILS && !b->old_verifier; i++) {
		if (!b->plan.tails[i].used)
			continue;
		struct cfr_frame frame = tail_frame(b, &b->plan.tails[i], types);

		append_frame(&chain, &frame);
	}
	jw_patch_u2(out, count_at, chain.count);
	return JW_OK;
}

/* ---- with islands ---- */

static int by_pc(const void *a, const void *b)
{
	uint32_t x = ((const struct cfr_frame *)a)->pc, y = ((const struct cfr_frame *)b)->pc;

	return (x > y) - (x < y);
}

/* The frame of SMT at PC, or NULL. */
static const struct cfr_frame *frame_at(const struct cfr_smt *smt, uint32_t pc)
{
	struct cfr_frame key = { .pc = pc };

	return smt->count ? bsearch(&key, smt->frames, smt->count, sizeof(*smt->frames), by_pc)
			  : NULL;
}

/* TYPES with every `new` moved: a copy where there is one, else as they are. NULL: no memory. */
static const struct cfr_vtype *move_types(struct weave_body *b, const struct cfr_vtype *types,
					  uint32_t count)
{
	struct cfr_vtype *copy = NULL;

	for (uint32_t i = 0; i < count; i++) {
		if (types[i].tag != CFR_VTYPE_UNINIT)
			continue;
		if (!copy) {
			copy = JW_NEW_ARRAY(b->arena, struct cfr_vtype, count);
			if (!copy)
				return NULL;
			for (uint32_t k = 0; k < count; k++)
				copy[k] = types[k];
		}
		copy[i].data = (uint16_t)weave_ins(&b->plan, types[i].data);
	}
	return copy ? copy : types;
}

/* FRAME at new pc AT. */
static enum jw_status move_frame(struct weave_body *b, const struct cfr_frame *frame, uint32_t at,
				 struct cfr_frame *out, struct jw_err *e)
{
	*out = *frame;
	out->pc = at;
	out->locals = move_types(b, frame->locals, frame->local_count);
	out->stack = move_types(b, frame->stack, frame->stack_count);
	if ((frame->local_count && !out->locals) || (frame->stack_count && !out->stack))
		return jw_nomem(e);
	return JW_OK;
}

/* All frames of the new code into FRAMES, which has room for them; *COUNT is how many. */
static enum jw_status gather_frames(struct weave_body *b, const struct cfr_smt *smt,
				    struct cfr_vtype types[WEAVE_TAILS][2],
				    struct cfr_vtype *throwables, struct cfr_frame *frames,
				    uint32_t *count, struct jw_err *e)
{
	const struct weave_plan *plan = &b->plan;
	uint32_t n = 0;

	for (uint32_t i = 0; i < smt->count; i++) {
		const struct cfr_frame *frame = &smt->frames[i];

		JW_TRY(move_frame(b, frame, weave_lab(plan, frame->pc), &frames[n++], e));
	}
	for (uint32_t i = 0; i < plan->island_count; i++) {
		const struct weave_island *island = &plan->islands[i];
		const struct cfr_frame *frame = frame_at(smt, island->target);

		if (!frame)
			return weave_leave(b, WEAVE_SKIP_BRANCH, e,
					   "pc %u has no frame for an island to copy",
					   island->target);
		JW_TRY(move_frame(b, frame, weave_island_at(plan, island), &frames[n++], e));
	}
	for (uint32_t i = 0; i < plan->call_count; i++) {
		if (plan->calls[i].tail)
			JW_TRY(call_frame(b, &plan->calls[i], &throwables[i], &frames[n++], e));
	}
	for (uint32_t i = 0; i < plan->landing_count; i++)
		JW_TRY(landing_frame(b, &plan->landings[i], &frames[n++], e));
	for (uint32_t i = 0; i < WEAVE_TAILS; i++) {
		if (plan->tails[i].used)
			frames[n++] = tail_frame(b, &plan->tails[i], types[i]);
	}
	*count = n;
	return JW_OK;
}

enum jw_status weave_decode_frames(struct weave_body *b, struct cfr_smt *out, struct jw_err *e)
{
	enum jw_status status = cfr_smt_decode(b->cls, b->member, &b->code, b->arena, out, e);

	if (status != JW_OK)
		return weave_blame(b, WEAVE_SKIP_FRAMES, status, e);
	status = cfr_smt_resolve(b->cls, b->member, out, e);
	return status == JW_OK ? JW_OK : weave_blame(b, WEAVE_SKIP_POOL_FULL, status, e);
}

static enum jw_status encode_frames(struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	struct cfr_vtype types[WEAVE_TAILS][2];
	struct cfr_smt smt;
	uint32_t count = 0;

	JW_TRY(weave_decode_frames(b, &smt, e));
	size_t most = (size_t)smt.count + b->plan.island_count + b->plan.call_count +
		      b->plan.landing_count + WEAVE_TAILS;
	struct cfr_frame *frames = JW_NEW_ARRAY(b->arena, struct cfr_frame, most);
	struct cfr_vtype *throwables =
		JW_NEW_ARRAY(b->arena, struct cfr_vtype, (size_t)b->plan.call_count + 1);

	if (!frames || !throwables)
		return jw_nomem(e);
	JW_TRY(gather_frames(b, &smt, types, throwables, frames, &count, e));
	JW_ASSERT(count <= UINT16_MAX); /* as above */
	qsort(frames, count, sizeof(*frames), by_pc);
	cfr_smt_put(out, smt.initial, frames, count);
	return JW_OK;
}

enum jw_status weave_put_frames(struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	if (b->plan.island_count > 0 && !b->old_verifier)
		return encode_frames(b, out, e);
	return move_frames(b, out, e);
}
