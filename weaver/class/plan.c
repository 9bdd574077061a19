/*
 * plan.c: the list of changes of one method, and the three maps that it makes.
 *
 * The list is sparse: most methods change at their start and before each return. Between two edits
 * every pc moves by the same delta, so a map is a binary search for the last edit at or before a
 * pc.
 */
#include "weaver/class/plan.h"

#include <assert.h>
#include <string.h>

#include "base/banned.h"

void weave_plan_reset(struct weave_plan *plan, uint32_t code_length)
{
	plan->code_length = code_length;
	plan->edit_count = plan->jump_count = plan->cover_count = plan->island_count = 0;
	memset(plan->tails, 0, sizeof(plan->tails));
	plan->length = 0;
}

/* ---- appending ---- */

struct weave_edit *weave_plan_edit(struct weave_plan *plan, uint32_t pc, uint32_t length)
{
	struct weave_edit *edits = plan->edits;
	uint32_t n = plan->edit_count;

	assert(n == 0 || edits[n - 1].pc <= pc);
	if (n > 0 && edits[n - 1].pc == pc)
		return &edits[n - 1];
	edits = jw_arena_room(plan->arena, edits, n, &plan->edit_cap, sizeof(*edits));
	if (!edits)
		return NULL;
	plan->edits = edits;
	plan->edit_count++;
	edits[n] = (struct weave_edit){ .pc = pc, .length = length };
	return &edits[n];
}

bool weave_plan_call(struct weave_plan *plan, const struct weave_call *call)
{
	struct weave_call *calls = plan->calls;
	uint32_t n = plan->call_count;

	assert(n == 0 || calls[n - 1].pc < call->pc);
	calls = jw_arena_room(plan->arena, calls, n, &plan->call_cap, sizeof(*calls));
	if (!calls)
		return false;
	plan->calls = calls;
	calls[plan->call_count++] = *call;
	return true;
}

bool weave_plan_jump(struct weave_plan *plan, struct weave_jump jump)
{
	struct weave_jump *jumps = plan->jumps;
	uint32_t n = plan->jump_count;

	assert(n == 0 || jumps[n - 1].pc < jump.pc);
	jumps = jw_arena_room(plan->arena, jumps, n, &plan->jump_cap, sizeof(*jumps));
	if (!jumps)
		return false;
	plan->jumps = jumps;
	jumps[plan->jump_count++] = jump;
	return true;
}

bool weave_plan_cover(struct weave_plan *plan, struct weave_cover cover)
{
	struct weave_cover *covers = plan->covers;
	uint32_t n = plan->cover_count;

	assert(cover.start < cover.end && (n == 0 || covers[n - 1].end <= cover.start));
	covers = jw_arena_room(plan->arena, covers, n, &plan->cover_cap, sizeof(*covers));
	if (!covers)
		return false;
	plan->covers = covers;
	covers[plan->cover_count++] = cover;
	plan->tails[cover.tail].used = true;
	return true;
}

bool weave_plan_island(struct weave_plan *plan, struct weave_island island)
{
	struct weave_island *islands = plan->islands;

	islands = jw_arena_room(plan->arena, islands, plan->island_count, &plan->island_cap,
				sizeof(*islands));
	if (!islands)
		return false;
	plan->islands = islands;
	islands[plan->island_count++] = island;
	return true;
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
	const struct weave_edit *edit = weave_plan_find(plan, pc);

	if (!edit)
		return pc;
	return edit->pc == pc ? edit->end : pc + edit->delta;
}

uint32_t weave_lab(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = weave_plan_find(plan, pc);

	if (!edit)
		return pc;
	return edit->pc == pc ? edit->lab : pc + edit->delta;
}

uint32_t weave_ins(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = weave_plan_find(plan, pc);

	if (!edit)
		return pc;
	return edit->pc == pc ? edit->ins : pc + edit->delta;
}

uint32_t weave_range_start(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = weave_plan_find(plan, pc);

	if (!edit || edit->pc != pc)
		return weave_ins(plan, pc);
	return edit->starts_fall ? edit->end : edit->starts_target ? edit->lab : edit->ins;
}

uint32_t weave_range_end(const struct weave_plan *plan, uint32_t pc)
{
	const struct weave_edit *edit = weave_plan_find(plan, pc);

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
