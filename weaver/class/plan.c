/*
 * plan.c: the list of changes of one method, and the three maps that it makes.
 *
 * The list is sparse: most methods change at their start and before each return. Between two edits
 * every pc moves by the same delta, so a map is a binary search for the last edit at or before a
 * pc.
 */
#include "weaver/class/plan.h"

#include <string.h>

#include "base/assert.h"
#include "base/grow.h"

#include "base/banned.h"

void weave_plan_reset(struct weave_plan *plan, uint32_t code_length)
{
	plan->code_length = code_length;
	plan->edit_count = plan->jump_count = plan->cover_count = plan->island_count = 0;
	memset(plan->tails, 0, sizeof(plan->tails));
	plan->length = 0;
}

/* ---- appending ---- */

/* No list needs a limit of its own: code has 65,535 bytes at most. */
static const struct jw_growth growing = { .first = 8 };

enum jw_status weave_plan_edit(struct weave_plan *plan, uint32_t pc, uint32_t length,
			       struct weave_edit **out, struct jw_err *e)
{
	uint32_t n = plan->edit_count;

	JW_ASSERT(n == 0 || plan->edits[n - 1].pc <= pc);
	if (n == 0 || plan->edits[n - 1].pc != pc) {
		JW_TRY(jw_grow(plan->arena, &plan->edits, &plan->edit_cap, sizeof(*plan->edits),
			       (size_t)n + 1, &growing, e));
		plan->edits[plan->edit_count++] = (struct weave_edit){ .pc = pc, .length = length };
	}
	*out = &plan->edits[plan->edit_count - 1];
	return JW_OK;
}

enum jw_status weave_plan_call(struct weave_plan *plan, const struct weave_call *call,
			       struct jw_err *e)
{
	uint32_t n = plan->call_count;

	JW_ASSERT(n == 0 || plan->calls[n - 1].pc < call->pc);
	JW_TRY(jw_grow(plan->arena, &plan->calls, &plan->call_cap, sizeof(*plan->calls),
		       (size_t)n + 1, &growing, e));
	plan->calls[plan->call_count++] = *call;
	return JW_OK;
}

enum jw_status weave_plan_creation(struct weave_plan *plan, const struct weave_creation *creation,
				   struct jw_err *e)
{
	size_t n = plan->creation_count;

	JW_ASSERT(n == 0 || plan->creations[n - 1].next < creation->next);
	JW_TRY(jw_grow(plan->arena, &plan->creations, &plan->creation_cap, sizeof(*plan->creations),
		       n + 1, &growing, e));
	plan->creations[plan->creation_count++] = *creation;
	return JW_OK;
}

enum jw_status weave_plan_jump(struct weave_plan *plan, struct weave_jump jump, struct jw_err *e)
{
	uint32_t n = plan->jump_count;

	JW_ASSERT(n == 0 || plan->jumps[n - 1].pc < jump.pc);
	JW_TRY(jw_grow(plan->arena, &plan->jumps, &plan->jump_cap, sizeof(*plan->jumps),
		       (size_t)n + 1, &growing, e));
	plan->jumps[plan->jump_count++] = jump;
	return JW_OK;
}

enum jw_status weave_plan_cover(struct weave_plan *plan, struct weave_cover cover, struct jw_err *e)
{
	uint32_t n = plan->cover_count;

	JW_ASSERT(cover.start < cover.end && (n == 0 || plan->covers[n - 1].end <= cover.start));
	JW_TRY(jw_grow(plan->arena, &plan->covers, &plan->cover_cap, sizeof(*plan->covers),
		       (size_t)n + 1, &growing, e));
	plan->covers[plan->cover_count++] = cover;
	plan->tails[cover.tail].used = true;
	return JW_OK;
}

enum jw_status weave_plan_island(struct weave_plan *plan, struct weave_island island,
				 struct jw_err *e)
{
	JW_TRY(jw_grow(plan->arena, &plan->islands, &plan->island_cap, sizeof(*plan->islands),
		       (size_t)plan->island_count + 1, &growing, e));
	plan->islands[plan->island_count++] = island;
	return JW_OK;
}

bool weave_plan_has_call_tails(const struct weave_plan *plan)
{
	for (uint32_t i = 0; i < plan->call_count; i++) {
		if (plan->calls[i].tail)
			return true;
	}
	return false;
}

/* ---- the maps ---- */

bool weave_plan_is_placed(const struct weave_plan *plan)
{
	uint32_t old = 0, now = 0; /* the first pcs after the edit before */

	for (uint32_t i = 0; i < plan->edit_count; i++) {
		const struct weave_edit *edit = &plan->edits[i];

		if (edit->pc < old || edit->end != now + (edit->pc - old) ||
		    edit->lab < edit->end || edit->ins < edit->lab)
			return false;
		old = edit->pc + edit->length;
		now = old + edit->delta;
		if (now < edit->ins)
			return false;
	}
	return now + (plan->code_length - old) <= plan->length;
}

/* weave_plan_find(), once there is something to find. */
static const struct weave_edit *placed_at(const struct weave_plan *plan, uint32_t pc)
{
	JW_ASSERT(plan->length >= plan->code_length && pc <= plan->code_length);
	return weave_plan_find(plan, pc);
}

struct weave_edit *weave_plan_find(const struct weave_plan *plan, uint32_t pc)
{
	uint32_t low = 0, high = plan->edit_count; /* edits[low - 1].pc <= pc < edits[high].pc */

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (plan->edits[middle].pc <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &plan->edits[low - 1] : NULL;
}

uint32_t weave_end(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = placed_at(plan, pc);

	if (!edit)
		return pc;
	return edit->pc == pc ? edit->end : pc + edit->delta;
}

uint32_t weave_lab(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = placed_at(plan, pc);

	if (!edit)
		return pc;
	return edit->pc == pc ? edit->lab : pc + edit->delta;
}

uint32_t weave_ins(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = placed_at(plan, pc);

	if (!edit)
		return pc;
	return edit->pc == pc ? edit->ins : pc + edit->delta;
}

uint32_t weave_range_start(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = placed_at(plan, pc);

	if (!edit || edit->pc != pc)
		return weave_ins(plan, pc);
	return edit->starts_fall ? edit->end : edit->starts_target ? edit->lab : edit->ins;
}

uint32_t weave_range_end(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = placed_at(plan, pc);

	return edit && edit->pc == pc && edit->ends_fall ? edit->lab : weave_end(plan, pc);
}

uint32_t weave_island_at(const struct weave_plan *plan, const struct weave_island *island)
{
	return plan->edits[island->edit].end + island->rank * WEAVE_ISLAND_SIZE;
}

uint32_t weave_aim(const struct weave_plan *plan, const struct weave_jump *jump)
{
	if (jump->island)
		return weave_island_at(plan, &plan->islands[jump->island - 1]);
	return weave_lab(plan, jump->target);
}
