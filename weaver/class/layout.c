/*
 * layout.c: where everything is in the new code.
 *
 * Nearly every method is placed in one pass: no branch can be too far in code shorter than the
 * farthest branch. Longer code is a fix-point whose changes only ever add bytes:
 *
 *     goto, jsr      out of reach: becomes goto_w, jsr_w in its place
 *     conditionals   out of reach: goes to an island, `goto_w target`, in a gap nearby. An
 *                    inverted condition around a goto_w would need a frame that would have
 *                    to be computed; an island's frame is its target's
 *     switches       are padded by their place; their offsets always reach
 *
 * A gap is a pc that nothing falls into: after goto, return, athrow, a switch, ret. An island that
 * drifts out of reach of its branch stays where it is, and the branch gets another.
 */
#include "weaver/class/layout.h"

#include "base/assert.h"
#include "weaver/class/sites.h"

#include "base/banned.h"

enum { ROUNDS_MAX = 200 };

/* The size that the switch of EDIT has at new pc AT: padding is to a multiple of four. */
static uint32_t switch_length(const struct weave_edit *edit, uint32_t at)
{
	return edit->length - (3 - edit->pc % 4) + (3 - at % 4);
}

/* Gives everything its place, as the plan is now. */
static void place(struct weave_plan *plan)
{
	uint32_t delta = 0;

	for (uint32_t i = 0; i < plan->edit_count; i++) {
		struct weave_edit *edit = &plan->edits[i];
		uint32_t length = edit->length;

		edit->end = edit->pc + delta;
		edit->lab = edit->end + edit->islands * WEAVE_ISLAND_SIZE + (uint32_t)edit->fall.n;
		edit->ins = edit->lab + (uint32_t)edit->target.n;
		if (edit->change == WEAVE_SWITCH)
			length = switch_length(edit, edit->ins);
		else if (edit->change == WEAVE_WIDEN)
			length += 2;
		delta = edit->ins + length - (edit->pc + edit->length);
		edit->delta = delta;
	}
	plan->length = plan->code_length + delta;
	for (uint32_t i = 0; i < plan->call_count; i++) {
		plan->calls[i].at = plan->length;
		plan->length += plan->calls[i].join.fail;
	}
	for (uint32_t i = 0; i < plan->landing_count; i++) {
		plan->landings[i].at = plan->length;
		plan->length += WEAVE_LANDING_SIZE;
	}
	for (uint32_t i = 0; i < WEAVE_TAILS; i++) {
		plan->tails[i].at = plan->length;
		plan->length += (uint32_t)plan->tails[i].bytes.n;
	}
	JW_ASSERT(weave_plan_is_placed(plan));
}

static bool reaches(const struct weave_body *b, uint32_t from, uint32_t to)
{
	int64_t offset = (int64_t)to - from, far = b->job->limits->branch;

	return offset >= -far - 1 && offset <= far;
}

/* ---- islands ---- */

/* The nearest gap from edit I on in the direction of STEP (+1, -1) that FROM reaches, or NULL. */
static struct weave_edit *near_gap(const struct weave_body *b, int64_t i, int step, uint32_t from)
{
	const struct weave_plan *plan = &b->plan;

	for (; i >= 0 && i < plan->edit_count; i += step) {
		struct weave_edit *edit = &plan->edits[i];
		uint32_t at = edit->end + edit->islands * WEAVE_ISLAND_SIZE;

		if (edit->gap && reaches(b, from, at))
			return edit;
		if (!reaches(b, from, edit->end))
			break;
	}
	return NULL;
}

/* *OUT: 1 + the index of an island of GAP that goes to TARGET: one that is there, or a new one. */
static enum jw_status island_in(struct weave_plan *plan, struct weave_edit *gap, uint32_t target,
				uint32_t *out, struct jw_err *e)
{
	struct weave_island island = { .edit = (uint32_t)(gap - plan->edits),
				       .rank = gap->islands,
				       .next = gap->first_island,
				       .target = target };

	for (uint32_t i = gap->first_island; i != 0; i = plan->islands[i - 1].next) {
		if (plan->islands[i - 1].target == target) {
			*out = i;
			return JW_OK;
		}
	}
	JW_TRY(weave_plan_island(plan, island, e));
	gap->islands++;
	*out = gap->first_island = plan->island_count;
	return JW_OK;
}

/* Sends JUMP, at EDIT, to an island: preferably in the direction of its target. */
static enum jw_status send_to_island(struct weave_body *b, struct weave_jump *jump,
				     struct weave_edit *edit, struct jw_err *e)
{
	int step = jump->target > jump->pc ? 1 : -1;
	int64_t here = edit - b->plan.edits, start[2] = { here, here + 1 };
	struct weave_edit *gap = near_gap(b, start[step > 0], step, edit->ins);

	if (!gap)
		gap = near_gap(b, start[step < 0], -step, edit->ins);
	if (!gap)
		return weave_leave(b, WEAVE_SKIP_BRANCH, e, "pc %u", jump->pc);
	return island_in(&b->plan, gap, jump->target, &jump->island, e);
}

/* ---- the fix-point ---- */

/* Repairs every branch that does not reach its aim; *CHANGED: there was one. */
static enum jw_status repair(struct weave_body *b, bool *changed, struct jw_err *e)
{
	struct weave_plan *plan = &b->plan;

	*changed = false;
	for (uint32_t i = 0; i < plan->jump_count; i++) {
		struct weave_jump *jump = &plan->jumps[i];
		struct weave_edit *edit;

		if (jump->wide)
			continue;
		edit = weave_plan_find(plan, jump->pc);
		if (reaches(b, edit->ins, weave_aim(plan, jump)))
			continue;
		*changed = true;
		if (jump->op == CFR_OP_goto || jump->op == CFR_OP_jsr) {
			jump->wide = true;
			edit->change = WEAVE_WIDEN;
		} else {
			JW_TRY(send_to_island(b, jump, edit, e));
		}
	}
	return JW_OK;
}

static enum jw_status settle(struct weave_body *b, struct jw_err *e)
{
	bool changed = true;

	for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
		JW_TRY(repair(b, &changed, e));
		if (!changed)
			return JW_OK;
		place(&b->plan);
		if (b->plan.length > b->job->limits->code)
			return JW_OK; /* it only grows; the caller refuses it */
	}
	return weave_leave(b, WEAVE_SKIP_BRANCH, e, "the layout does not settle");
}

enum jw_status weave_layout(struct weave_body *b, struct jw_err *e)
{
	place(&b->plan);
	if (b->plan.length <= b->job->limits->branch || b->plan.length > b->job->limits->code)
		return JW_OK;
	JW_TRY(weave_scan_sites(b, true, e));
	place(&b->plan);
	return settle(b, e);
}
