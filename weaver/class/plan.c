/*
 * plan.c: the list of changes of one method, and the three maps that it makes.
 *
 * The list is sparse: most methods change at their start and before each return. Between two edits
 * every pc moves by the same delta, so a map is a binary search for the last edit at or before a
 * pc.
 */
#include "weaver/class/weave_int.h"

#include <string.h>

#include "base/banned.h"

enum { FIRST_CAP = 8 };

void weave_plan_reset(struct weave_plan *plan, uint32_t code_length)
{
	plan->code_length = code_length;
	plan->edit_count = plan->jump_count = plan->cover_count = plan->island_count = 0;
	memset(plan->tails, 0, sizeof(plan->tails));
	plan->length = 0;
}

/* A larger copy of the COUNT items of SIZE at OLD; the old ones stay in the arena till its end. */
static void *grow(struct weave_plan *plan, const void *old, uint32_t count, uint32_t *cap,
		  size_t size)
{
	uint32_t larger = *cap ? *cap * 2 : FIRST_CAP;
	void *p = jw_arena_alloc(plan->arena, larger, size);

	if (p && count)
		memcpy(p, old, count * size);
	if (p)
		*cap = larger;
	return p;
}

struct weave_edit *weave_plan_edit(struct weave_plan *plan, uint32_t pc, uint32_t length)
{
	struct weave_edit *edit;

	if (plan->edit_count > 0 && plan->edits[plan->edit_count - 1].pc == pc)
		return &plan->edits[plan->edit_count - 1];
	if (plan->edit_count == plan->edit_cap) {
		struct weave_edit *larger =
			grow(plan, plan->edits, plan->edit_count, &plan->edit_cap, sizeof(*larger));
		if (!larger)
			return NULL;
		plan->edits = larger;
	}
	edit = &plan->edits[plan->edit_count++];
	*edit = (struct weave_edit){ .pc = pc, .length = length };
	return edit;
}

bool weave_plan_jump(struct weave_plan *plan, struct weave_jump jump)
{
	if (plan->jump_count == plan->jump_cap) {
		struct weave_jump *larger =
			grow(plan, plan->jumps, plan->jump_count, &plan->jump_cap, sizeof(*larger));
		if (!larger)
			return false;
		plan->jumps = larger;
	}
	plan->jumps[plan->jump_count++] = jump;
	return true;
}

bool weave_plan_cover(struct weave_plan *plan, struct weave_cover cover)
{
	if (plan->cover_count == plan->cover_cap) {
		struct weave_cover *larger = grow(plan, plan->covers, plan->cover_count,
						  &plan->cover_cap, sizeof(*larger));
		if (!larger)
			return false;
		plan->covers = larger;
	}
	plan->covers[plan->cover_count++] = cover;
	plan->tails[cover.tail].used = true;
	return true;
}

bool weave_plan_island(struct weave_plan *plan, struct weave_island island)
{
	if (plan->island_count == plan->island_cap) {
		struct weave_island *larger = grow(plan, plan->islands, plan->island_count,
						   &plan->island_cap, sizeof(*larger));
		if (!larger)
			return false;
		plan->islands = larger;
	}
	plan->islands[plan->island_count++] = island;
	return true;
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
