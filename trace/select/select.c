/*
 * select.c: the second reading of a selection: see select.h.
 */
#include "base/grow.h"
#include "trace/format/methodmap.h"
#include "trace/select/selecting.h"

#include "base/banned.h"

static const struct jw_growth list_grow = { NULL, 0, 0 };

/* ---- the edges ---- */

/* All that happens at `from` itself is heard before the range is opened, and what goes on then is told of
 * it; what happens at `to` itself is heard before it is closed. */
static void reach_edge(struct trace_select *s, uint64_t time)
{
	if (s->where == TRACE_BEFORE && time > s->from)
		trace_select_open(s);
	if (s->where == TRACE_INSIDE && time > s->to)
		trace_select_close(s);
}

/* The lane of THREAD at TIME; NULL: it is not selected, or all is over. */
static struct trace_select_lane *lane_at(struct trace_select *s, uint32_t thread, uint64_t time)
{
	struct trace_select_lane *lane = &s->lanes[thread];

	if (time > s->edge)
		reach_edge(s, time);
	return lane->place == TRACE_NOT_SELECTED || s->where == TRACE_AFTER ? NULL : lane;
}

/* Does what begins at TIME begin where the range ends, or later? */
static bool is_late(const struct trace_select *s, uint64_t time)
{
	return s->where == TRACE_INSIDE && time >= s->to;
}

/* ---- calls ---- */

static bool is_kept(const struct trace_select *s, const struct trace_select_lane *lane,
		    uint64_t method, uint64_t number)
{
	const struct trace_selection *w = s->wanted;

	return (!w->max_depth || lane->kept < w->max_depth) &&
	       (!w->min_ns || trace_long_call(lane, number)) &&
	       (!w->methods || trace_tally_find(&s->chosen, method, TRACE_BY_METHODS));
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	if (!lane)
		return;
	if (is_late(s, time)) {
		lane->late_calls++;
		return;
	}
	if (lane->open.n == TRACE_SELECT_DEPTH || JW_GROW(&lane->open, &list_grow, NULL) != JW_OK) {
		s->failed |= lane->open.n < TRACE_SELECT_DEPTH;
		lane->too_deep++;
		return;
	}
	bool kept = is_kept(s, lane, method, lane->calls++);

	lane->open.at[lane->open.n++] =
		(struct trace_select_call){ .method = method, .enter = time, .kept = kept };
	lane->kept += kept;
	if (!kept || s->where != TRACE_INSIDE)
		return;
	s->told.calls++;
	s->output->enter(s->ctx, lane->place, time, method);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	if (!lane)
		return;
	if (lane->late_calls) {
		lane->late_calls--;
		return;
	}
	if (lane->too_deep) {
		lane->too_deep--;
		return;
	}
	bool lone = lane->open.n == 0; /* of a .prv: whoever reads it says so */
	bool kept = lone || lane->open.at[lane->open.n - 1].kept;

	while (lane->captured.n && lane->captured.at[lane->captured.n - 1].depth >= lane->open.n)
		lane->captured.n--;
	if (!lone) {
		lane->open.n--;
		lane->kept -= kept;
	}
	if (kept && s->where == TRACE_INSIDE)
		s->output->leave(s->ctx, lane->place, time, failed);
}

/* Is what is said of the innermost call said of one that is passed on? */
static bool innermost_kept(const struct trace_select_lane *lane)
{
	return !lane->too_deep && !lane->late_calls &&
	       (lane->open.n == 0 || lane->open.at[lane->open.n - 1].kept);
}

/* With which of the open calls of LANE WHAT of the innermost is over. */
static size_t depth_of(const struct trace_select_lane *lane, const struct jw_capture *what)
{
	for (size_t i = lane->captured.n; what->hold == JW_HOLD_AROUND && i-- > 0;)
		if (lane->captured.at[i].depth < lane->open.n &&
		    lane->captured.at[i].what->hold == JW_HOLD_CALL)
			return lane->captured.at[i].depth;
	return lane->open.n;
}

static void keep_captured(struct trace_select_lane *lane, const struct jw_capture *what,
			  uint64_t value)
{
	size_t depth = depth_of(lane, what), at = lane->captured.n++;

	for (; at > 0 && lane->captured.at[at - 1].depth > depth; at--)
		lane->captured.at[at] = lane->captured.at[at - 1];
	lane->captured.at[at] = (struct trace_select_captured){ what, value, depth };
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	if (!lane || !innermost_kept(lane))
		return;
	if (s->where == TRACE_INSIDE)
		s->output->captured(s->ctx, lane->place, time, what, value);
	if (s->where == TRACE_INSIDE && !what->hold)
		return;
	if (JW_GROW(&lane->captured, &list_grow, NULL) != JW_OK) {
		s->failed = true;
		return;
	}
	keep_captured(lane, what, value);
}

static void take_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  bool has_outer, uint64_t outer)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	(void)has_outer; /* it may be of a call that is not passed on */
	(void)outer;
	if (lane && innermost_kept(lane) && s->where == TRACE_INSIDE)
		trace_select_release(s, lane, time, what->type);
}

/* ---- states ---- */

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, begin);

	if (!lane || is_late(s, begin))
		return;
	if (s->where == TRACE_INSIDE) {
		s->output->state(s->ctx, lane->place, begin, end < s->to ? end : s->to, state);
	} else if (end > s->from) {
		lane->state = state;
		lane->state_end = end;
	}
}

/* ---- events ---- */

static void note_lasting(struct trace_select *s, uint32_t thread, struct trace_select_lane *lane,
			 enum trace_type type, uint64_t value)
{
	switch (type) {
#define TRACE_LASTING_CASE(name)                           \
	case TRACE_TYPE_##name:                            \
		lane->lasting[TRACE_LASTS_##name] = value; \
		break;
		TRACE_LASTING_LIST(TRACE_LASTING_CASE)
#undef TRACE_LASTING_CASE
	case TRACE_TYPE_SITE:
		if (lane->open.n && !lane->too_deep)
			lane->open.at[lane->open.n - 1].site = value;
		break;
	case TRACE_TYPE_OPERATION_OBJECT:
		if (lane->operations.n)
			lane->operations.at[lane->operations.n - 1].object = value;
		break;
	case TRACE_TYPE_OPERATION_CLASS:
		if (lane->operations.n)
			lane->operations.at[lane->operations.n - 1].class = value;
		break;
	case TRACE_TYPE_CLOSED:
		if (s->where != TRACE_BEFORE)
			break;
		if (JW_GROW(&s->closed, &list_grow, NULL) == JW_OK)
			s->closed.at[s->closed.n++] = (struct trace_select_closed){ thread, value };
		else
			s->failed = true;
		break;
	default:
		break;
	}
}

/* Is an event of TYPE true of what is selected? */
static bool holds(const struct trace_select *s, const struct trace_select_lane *lane,
		  enum trace_type type)
{
	switch (type) {
	case TRACE_TYPE_SITE:
	case TRACE_TYPE_PART_BYTES:
		return innermost_kept(lane);
	case TRACE_TYPE_THREAD_CPU:
		return !s->told.in_part;
	case TRACE_TYPE_PROCESS_CPU:
		return !s->told.in_part && lane->whole;
	default:
		return true;
	}
}

/* The thread of VALUE in the scene that the output has; 0: it is not selected. */
static uint64_t selected_row(const struct trace_select *s, uint64_t value)
{
	uint32_t place = value - 1 < s->lane_n ? s->lanes[value - 1].place : TRACE_NOT_SELECTED;

	return place == TRACE_NOT_SELECTED ? 0 : (uint64_t)place + 1;
}

/* At the end of the range: is an event of TYPE about something that begins there? */
static bool is_of_late(const struct trace_select_lane *lane, enum trace_type type, uint64_t value)
{
	bool begins = false;

	if (lane->late_calls)
		return true;
	if (type == TRACE_TYPE_OPERATION_OBJECT || type == TRACE_TYPE_OPERATION_CLASS)
		return lane->late_operations > 0;
#define TRACE_LASTING_BEGINS(name) begins |= type == TRACE_TYPE_##name;
	TRACE_LASTING_LIST(TRACE_LASTING_BEGINS)
#undef TRACE_LASTING_BEGINS
	return begins && value;
}

static void tell_outside(const struct trace_select *s, const struct trace_select_lane *lane,
			 uint64_t time, enum trace_type type, uint64_t value)
{
	bool channel = type == TRACE_TYPE_CHANNEL || type == TRACE_TYPE_CHANNEL_READ ||
		       type == TRACE_TYPE_CHANNEL_WRITTEN || type == TRACE_TYPE_CHANNEL_NS;

	if (channel && s->output->outside && lane->place != TRACE_NOT_SELECTED)
		s->output->outside(s->ctx, lane->place, time, type, value);
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	if (s->where != TRACE_INSIDE)
		tell_outside(s, &s->lanes[thread], time, type, value);
	if (lane && type == TRACE_TYPE_HOLDER && value) {
		value = selected_row(s, value);
		lane = value ? lane : NULL;
	}
	if (!lane || (is_late(s, time) && is_of_late(lane, type, value)))
		return;
	note_lasting(s, thread, lane, type, value);
	if (s->where == TRACE_INSIDE && holds(s, lane, type))
		s->output->event(s->ctx, lane->place, time, type, value);
}

static void note_operation(struct trace_select *s, struct trace_select_lane *lane,
			   enum jw_operation_type type, uint64_t number)
{
	size_t i = lane->operations.n;

	if (number) {
		if (JW_GROW(&lane->operations, &list_grow, NULL) != JW_OK)
			s->failed = true;
		else
			lane->operations.at[lane->operations.n++] = (struct trace_select_operation){
				.type = type, .number = number, .depth = lane->open.n
			};
		return;
	}
	while (i && lane->operations.at[i - 1].type != type)
		i--;
	if (i == 0)
		return;
	for (lane->operations.n--; i - 1 < lane->operations.n; i++)
		lane->operations.at[i - 1] = lane->operations.at[i];
}

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	if (!lane)
		return;
	if (is_late(s, time) && (number || lane->late_operations)) {
		lane->late_operations =
			number ? lane->late_operations + 1 : lane->late_operations - 1;
		return;
	}
	note_operation(s, lane, type, number);
	if (s->where == TRACE_INSIDE)
		s->output->operation(s->ctx, lane->place, time, type, number);
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_select *s = ctx;
	struct trace_select_lane *lane = lane_at(s, thread, time);

	if (lane && !lane->late_calls && s->where == TRACE_INSIDE)
		s->output->user(s->ctx, lane->place, time, type, value);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_select *s = ctx;
	const struct trace_select_lane *a = lane_at(s, from, sent), *b = &s->lanes[to];

	if (!a || b->place == TRACE_NOT_SELECTED)
		return;
	if (s->where == TRACE_INSIDE && received >= s->from && received <= s->to)
		s->output->arrow(s->ctx, a->place, sent, b->place, received, tag);
	else
		s->told.arrows_cut += s->where == TRACE_INSIDE ? sent < s->to : received > s->from;
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_select *s = ctx;

	JW_TRY(trace_select_lanes(s, scene, e));
	if (!s->wanted->around)
		JW_TRY(trace_range_of(&s->wanted->range, scene->end, &s->from, &s->to, e));
	s->told = (struct trace_selected){ .from = s->from,
					   .to = s->to,
					   .in_part = s->from > 0 || s->to < scene->end,
					   .of_all = scene->thread_count };
	JW_TRY(trace_select_scene(s, scene, e));
	s->told.threads = s->scene.thread_count;
	if (s->to >= scene->end) /* and what a .prv has after its end */
		s->to = UINT64_MAX;
	s->where = s->from ? TRACE_BEFORE : TRACE_INSIDE;
	s->edge = s->from ? s->from : s->to;
	return s->output->begin(s->ctx, &s->scene, e);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_select *s = ctx;

	return s->failed ? jw_nomem(e) : s->output->check(s->ctx, e);
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_select *s = ctx;

	if (s->where == TRACE_BEFORE)
		trace_select_open(s);
	if (s->where == TRACE_INSIDE && s->to != UINT64_MAX)
		trace_select_close(s);
	if (s->output->over)
		s->output->over(s->ctx, s->to == UINT64_MAX ? end : s->to);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_select *s = ctx;

	if (!s->output->name)
		return;
	if (what == TRACE_NAME_ROW)
		number = number < s->lane_n ? s->lanes[number].place : TRACE_NOT_SELECTED;
	if (what != TRACE_NAME_ROW || number != TRACE_NOT_SELECTED)
		s->output->name(s->ctx, what, number, label);
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_select *s = ctx;

	return s->failed ? jw_nomem(e) : s->output->end(s->ctx, names, e);
}

const struct trace_output trace_select_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.released = take_released,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

/* ---- all of it ---- */

bool trace_selects(const struct trace_selection *w)
{
	return w->range.from.given || w->range.to.given || w->around || w->methods || w->thread ||
	       w->process || w->min_ns || w->max_depth;
}

struct trace_select *trace_select_new(const struct trace_selection *wanted)
{
	struct trace_select *s = jw_mem_zalloc(1, sizeof(*s));

	if (s)
		s->wanted = wanted;
	return s;
}

void trace_select_free(struct trace_select *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->lane_n; i++)
		trace_select_lane_free(&s->lanes[i]);
	jw_mem_free(s->lanes);
	jw_mem_free(s->rows);
	jw_mem_free(s->closed.at);
	trace_tally_free(&s->chosen);
	trace_tally_free(&s->spans);
	jw_arena_free(&s->arena);
	jw_mem_free(s);
}

bool trace_select_looks(const struct trace_select *s, bool named)
{
	const struct trace_selection *w = s->wanted;

	return w->around || w->methods || w->min_ns || (w->thread && !named);
}

void trace_select_to(struct trace_select *s, const struct trace_output *output, void *ctx)
{
	s->output = output;
	s->ctx = ctx;
}

struct trace_selected trace_select_told(const struct trace_select *s)
{
	return s->told;
}
