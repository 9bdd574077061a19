/*
 * look.c: the first reading of a selection: see select.h.
 */
#include <string.h>

#include "base/grow.h"
#include "trace/format/methodmap.h"
#include "trace/ignore.h"
#include "trace/names/label_read.h"
#include "trace/names/untraced.h"
#include "trace/select/selecting.h"

#include "base/banned.h"

static const struct jw_growth calls_grow = { NULL, 0, 0 };

/* ---- long calls ---- */

enum { PAGE_WORDS = 64, PAGE_CALLS = 64 * PAGE_WORDS };

bool trace_long_call(const struct trace_select_lane *lane, uint64_t number)
{
	uint64_t page = number / PAGE_CALLS, bit = number % PAGE_CALLS;

	return page < lane->pages.n && lane->pages.at[page] &&
	       lane->pages.at[page][bit / 64] >> bit % 64 & 1;
}

bool trace_note_long_call(struct trace_select_lane *lane, uint64_t number)
{
	size_t page = (size_t)(number / PAGE_CALLS), bit = (size_t)(number % PAGE_CALLS);

	if (jw_grow(NULL, &lane->pages.at, &lane->pages.room, sizeof(*lane->pages.at), page + 1,
		    &calls_grow, NULL) != JW_OK)
		return false;
	while (lane->pages.n <= page)
		lane->pages.at[lane->pages.n++] = NULL;
	if (!lane->pages.at[page])
		lane->pages.at[page] = jw_mem_zalloc(PAGE_WORDS, sizeof(uint64_t));
	if (!lane->pages.at[page])
		return false;
	lane->pages.at[page][bit / 64] |= UINT64_C(1) << bit % 64;
	return true;
}

/* ---- calls ---- */

static enum jw_status look_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_select *s = ctx;

	s->scene = *scene;
	s->rows = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*s->rows));
	return s->rows ? trace_select_lanes(s, scene, e) : jw_nomem(e);
}

static void look_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = &s->lanes[thread];

	if (lane->open.n == TRACE_SELECT_DEPTH ||
	    JW_GROW(&lane->open, &calls_grow, NULL) != JW_OK) {
		s->failed |= lane->open.n < TRACE_SELECT_DEPTH;
		lane->too_deep++;
		return;
	}
	lane->open.at[lane->open.n++] = (struct trace_select_call){ .method = method,
								    .site = lane->calls++,
								    .enter = time };
	if (!s->wanted->around)
		return;
	struct trace_sum *span = trace_tally_at(&s->spans, method, thread);

	s->failed |= !span;
	if (span && span->count++ == 0)
		span->ns = time;
}

/* `site`: here the number of the call. */
static void look_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = &s->lanes[thread];

	(void)failed;
	if (lane->too_deep) {
		lane->too_deep--;
		return;
	}
	if (lane->open.n == 0)
		return;
	const struct trace_select_call *call = &lane->open.at[--lane->open.n];

	if (s->wanted->min_ns && time - call->enter >= s->wanted->min_ns && time >= call->enter)
		s->failed |= !trace_note_long_call(lane, call->site);
	if (!s->wanted->around)
		return;
	struct trace_sum *span = trace_tally_find(&s->spans, call->method, thread);

	if (span && time > span->longest)
		span->longest = time;
}

static void look_over(void *ctx, uint64_t end)
{
	struct trace_select *s = ctx;

	for (uint32_t i = 0; i < s->lane_n; i++)
		for (s->lanes[i].too_deep = 0; s->lanes[i].open.n;)
			look_leave(s, i, end, false);
}

/* ---- names ---- */

static void choose(struct trace_select *s, uint64_t number, const struct trace_chooser *chooser,
		   enum trace_chosen_by by, const struct trace_method_words *words)
{
	if (!chooser || !words->name[0] ||
	    !chooser->chooses(chooser->ctx, words->class_name, words->name, words->descriptor))
		return;
	struct trace_sum *sum = trace_tally_at(&s->chosen, number, by);

	s->failed |= !sum;
	if (sum)
		sum->count = 1;
}

static void choose_by_all(struct trace_select *s, uint64_t number,
			  const struct trace_method_words *words)
{
	choose(s, number, s->wanted->methods, TRACE_BY_METHODS, words);
	choose(s, number, s->wanted->around, TRACE_BY_AROUND, words);
}

static void look_place(struct trace_select *s, struct jw_span label)
{
	const struct trace_chooser *by[TRACE_CHOSEN_BY] = {
		[TRACE_BY_METHODS] = s->wanted->methods,
		[TRACE_BY_AROUND] = s->wanted->around,
	};

	for (size_t i = 0; i < TRACE_CHOSEN_BY; i++)
		if (by[i] && !s->untraced[i])
			s->untraced[i] = trace_untraced(&s->arena, by[i]->said, label);
}

static void look_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_select *s = ctx;

	if (what == TRACE_NAME_ROW && number < s->lane_n && !s->rows[number]) {
		s->rows[number] = jw_arena_str(&s->arena, label);
		s->failed |= !s->rows[number];
	}
	if (what == TRACE_NAME_PLACE || what == TRACE_NAME_SITE)
		look_place(s, label);
	if (what != TRACE_NAME_METHOD)
		return;
	struct jw_arena arena = { 0 };
	struct trace_method_words words;
	const char *text = jw_arena_str(&arena, label);

	if (!text || !trace_label_read(&arena, text, &words))
		s->failed = true;
	else
		choose_by_all(s, number, &words);
	jw_arena_free(&arena);
}

/* Labels may be cut, and of the user's own: of recordings the methods themselves are known. */
static void choose_named(struct trace_select *s, const struct trace_names *names)
{
	for (size_t i = 0; i < names->method_count; i++) {
		const struct trace_method *m = names->methods[i].method;

		if (m)
			choose_by_all(s, i + 1,
				      &(struct trace_method_words){ m->class_name, m->name,
								    m->descriptor });
	}
}

/* ---- what was learnt ---- */

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_select *s = ctx;

	return s->failed ? jw_nomem(e) : JW_OK;
}

static bool any_chosen(const struct trace_select *s, enum trace_chosen_by by)
{
	for (size_t i = 0; i < s->chosen.n; i++)
		if (s->chosen.sums[i].b == by)
			return true;
	return false;
}

static enum jw_status none_chosen(const struct trace_chooser *chooser, const char *untraced,
				  struct jw_err *e)
{
	size_t class = strcspn(chooser->said, "#(");

	if (untraced)
		return jw_fail(e, JW_USAGE,
			       "no method that was called is selected by '%s': " TRACE_UNTRACED,
			       chooser->said, untraced);
	if (!memchr(chooser->said, '.', class) && !memchr(chooser->said, '*', class))
		return jw_fail(
			e, JW_USAGE,
			"no method that was called is selected by '%s': classes are named with "
			"their packages, as in '**.%s'",
			chooser->said, chooser->said);
	return jw_fail(e, JW_USAGE,
		       "no method that was called is selected by '%s': 'jweave report' names those "
		       "that were",
		       chooser->said);
}

/* From the first begin to the last end. */
static enum jw_status find_span(struct trace_select *s, struct jw_err *e)
{
	(void)trace_select_threads(s, &s->scene);
	s->from = UINT64_MAX;
	for (size_t i = 0; i < s->spans.n; i++) {
		const struct trace_sum *span = &s->spans.sums[i];

		if (!trace_tally_find(&s->chosen, span->a, TRACE_BY_AROUND) ||
		    s->lanes[span->b].place == TRACE_NOT_SELECTED)
			continue;
		s->from = span->ns < s->from ? span->ns : s->from;
		s->to = span->longest > s->to ? span->longest : s->to;
	}
	if (s->from == s->to) /* all of them at one instant: no range is empty */
		s->to++;
	if (s->from < s->to)
		return JW_OK;
	return jw_fail(e, JW_USAGE, "no thread that is selected calls '%s'",
		       s->wanted->around->said);
}

static enum jw_status look_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_select *s = ctx;

	if (names)
		choose_named(s, names);
	JW_TRY(check(s, e));
	if (s->wanted->methods && !any_chosen(s, TRACE_BY_METHODS))
		return none_chosen(s->wanted->methods, s->untraced[TRACE_BY_METHODS], e);
	if (s->wanted->around && !any_chosen(s, TRACE_BY_AROUND))
		return none_chosen(s->wanted->around, s->untraced[TRACE_BY_AROUND], e);
	if (s->wanted->around)
		JW_TRY(find_span(s, e));
	for (uint32_t i = 0; i < s->lane_n; i++)
		trace_select_lane_reset(&s->lanes[i]);
	s->looked = true;
	return JW_OK;
}

const struct trace_output trace_look_output = {
	.begin = look_scene,
	.state = trace_ignore_state,
	.enter = look_enter,
	.leave = look_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.over = look_over,
	.name = look_name,
	.end = look_end,
};
