/*
 * t_plan.c: the maps that a plan makes, and the assertions that guard the order of its parts.
 */
#include "weaver/class/frames.h"
#include "weaver/class/layout.h"
#include "weaver/class/plan.h"

#include "tests/tap.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_err e;

/* A plan for COUNT bytes of code. */
static struct weave_plan plan_of(uint32_t count)
{
	struct weave_plan plan = { .arena = &arena };

	weave_plan_reset(&plan, count);
	return plan;
}

/* An edit of PLAN at PC, of an instruction of LENGTH bytes, with FALL and TARGET bytes before it. */
static struct weave_edit *edit_at(struct weave_plan *plan, uint32_t pc, uint32_t length,
				  size_t fall, size_t target)
{
	static const uint8_t bytes[64];
	struct weave_edit *edit = NULL;

	ok(weave_plan_edit(plan, pc, length, &edit, &e) == JW_OK);
	edit->fall = jw_span(bytes, fall);
	edit->target = jw_span(bytes, target);
	return edit;
}

/* A body around PLAN, laid out. */
static void lay_out(struct weave_body *b, struct weave_plan plan)
{
	static const struct weave_class_job job = { .limits = &weave_default_limits };

	*b = (struct weave_body){ .job = &job, .plan = plan, .arena = &arena };
	ok(weave_layout(b, &e) == JW_OK);
}

TEST(between_edits_everything_moves_together)
{
	struct weave_plan plan = plan_of(10);
	struct weave_body b;

	edit_at(&plan, 0, 1, 5, 0);
	edit_at(&plan, 4, 3, 2, 1);
	lay_out(&b, plan);
	is_int(weave_end(&b.plan, 0), 0);
	is_int(weave_lab(&b.plan, 0), 5);
	is_int(weave_ins(&b.plan, 0), 5);
	is_int(weave_lab(&b.plan, 3), 8);
	is_int(weave_end(&b.plan, 4), 9);
	is_int(weave_lab(&b.plan, 4), 11);
	is_int(weave_ins(&b.plan, 4), 12);
	is_int(weave_ins(&b.plan, 7), 15);
	is_int(weave_end(&b.plan, 10), 18);
	is_int(b.plan.length, 18);
	ok(weave_plan_is_placed(&b.plan));
	jw_arena_free(&arena);
}

TEST(an_edit_is_made_once_for_a_pc)
{
	struct weave_plan plan = plan_of(4);
	struct weave_edit *first = edit_at(&plan, 2, 1, 3, 0);
	struct weave_edit *again = NULL;

	ok(weave_plan_edit(&plan, 2, 1, &again, &e) == JW_OK);
	ok(again == first && again->fall.n == 3);
	is_int(plan.edit_count, 1);
	jw_arena_free(&arena);
}

/* ---- what is relied on, broken ---- */

static void edit_backwards(void *ctx)
{
	struct weave_plan *plan = ctx;

	edit_at(plan, 6, 1, 0, 0);
	edit_at(plan, 5, 1, 0, 0);
}

static void jump_backwards(void *ctx)
{
	struct weave_plan *plan = ctx;

	ok(weave_plan_jump(plan, (struct weave_jump){ .pc = 6 }, &e) == JW_OK);
	ok(weave_plan_jump(plan, (struct weave_jump){ .pc = 6 }, &e) == JW_OK);
}

static void call_backwards(void *ctx)
{
	struct weave_plan *plan = ctx;

	ok(weave_plan_call(plan, &(struct weave_call){ .pc = 6 }, &e) == JW_OK);
	ok(weave_plan_call(plan, &(struct weave_call){ .pc = 3 }, &e) == JW_OK);
}

static void create_backwards(void *ctx)
{
	struct weave_plan *plan = ctx;

	ok(weave_plan_creation(plan, &(struct weave_creation){ .next = 6 }, &e) == JW_OK);
	ok(weave_plan_creation(plan, &(struct weave_creation){ .next = 3 }, &e) == JW_OK);
}

static void cover_twice(void *ctx)
{
	struct weave_plan *plan = ctx;

	ok(weave_plan_cover(plan, (struct weave_cover){ 2, 6, WEAVE_TAIL_PLAIN }, &e) == JW_OK);
	ok(weave_plan_cover(plan, (struct weave_cover){ 5, 7, WEAVE_TAIL_PLAIN }, &e) == JW_OK);
}

TEST(parts_of_a_plan_come_by_rising_pc)
{
	struct weave_plan plan = plan_of(10);

	fails_assert(edit_backwards, &plan, "edits[n - 1].pc <= pc");
	fails_assert(jump_backwards, &plan, "jumps[n - 1].pc < jump.pc");
	fails_assert(call_backwards, &plan, "calls[n - 1].pc < call->pc");
	fails_assert(create_backwards, &plan, "creations[n - 1].next < creation->next");
	fails_assert(cover_twice, &plan, "covers[n - 1].end <= cover.start");
	jw_arena_free(&arena);
}

static void map_a_pc(void *ctx)
{
	(void)weave_lab(ctx, 3);
}

TEST(no_pc_is_mapped_before_the_layout)
{
	struct weave_plan plan = plan_of(10);

	edit_at(&plan, 0, 1, 5, 0);
	fails_assert(map_a_pc, &plan, "plan->length >= plan->code_length");
	jw_arena_free(&arena);
}

/* An instruction that is longer than the way to the next edit. */
static void lay_out_overlap(void *ctx)
{
	struct weave_body b;

	lay_out(&b, *(struct weave_plan *)ctx);
}

TEST(a_layout_is_in_order)
{
	struct weave_plan plan = plan_of(10);

	edit_at(&plan, 0, 5, 0, 0);
	edit_at(&plan, 3, 1, 0, 0);
	fails_assert(lay_out_overlap, &plan, "weave_plan_is_placed(plan)");
	jw_arena_free(&arena);
}

/* Two handlers of ours, the second at the pc of the first. */
static void put_frames_twice(void *ctx)
{
	struct weave_body *b = ctx;
	struct jw_buf out = { 0 };

	ok(weave_put_frames(b, &out, &e) == JW_OK);
	jw_buf_free(&out);
}

TEST(frames_come_by_rising_pc)
{
	struct weave_body b = { .arena = &arena, .plan = plan_of(10) };

	b.plan.length = 20;
	b.plan.tails[WEAVE_TAIL_PLAIN] = (struct weave_tail){ .used = true, .at = 12 };
	b.plan.tails[WEAVE_TAIL_UNINIT] = (struct weave_tail){ .used = true, .at = 15 };
	ok(!tap_failed_assert(put_frames_twice, &b));
	b.plan.tails[WEAVE_TAIL_UNINIT].at = 12;
	fails_assert(put_frames_twice, &b, "last < frame->pc");
	jw_arena_free(&arena);
}
