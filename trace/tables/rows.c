/*
 * rows.c: see tables.h: calls, states and arrows become rows.
 */
#include "base/assert.h"
#include "base/grow.h"
#include "trace/tables/rows_int.h"

#include "base/banned.h"

static const struct jw_growth calls_grow = { NULL, 0, 0 }, arrows_grow = { NULL, 0, 0 };

void trace_put_row(struct trace_tables *t, enum trace_table_id table,
		   const struct trace_cell *cells, size_t n)
{
	JW_ASSERT(n == trace_tables_width(table));
	(void)n;
	if (t->why.status == JW_OK)
		t->writer->row(t->to, table, cells);
}

/* ---- arrows ---- */

static void put_arrow(struct trace_tables *t, uint32_t to, const struct trace_flying *f)
{
	const struct trace_cell row[] = {
		trace_cell_number((uint64_t)f->from + 1),
		trace_cell_maybe(f->from_call),
		trace_cell_number(f->sent),
		trace_cell_number((uint64_t)to + 1),
		trace_cell_maybe(trace_row_call(&t->lanes[to])),
		trace_cell_number(f->received),
		trace_cell_maybe(f->operation),
	};

	trace_put_row(t, TRACE_TABLE_ARROW, row, sizeof(row) / sizeof(*row));
}

/* Puts F into the heap from the place AT on, downwards. */
static void sink(struct trace_row_lane *lane, size_t at, struct trace_flying f)
{
	struct trace_flying *heap = lane->flying.at;

	for (size_t child = 2 * at + 1; child < lane->flying.n; child = 2 * at + 1) {
		if (child + 1 < lane->flying.n && heap[child + 1].received < heap[child].received)
			child++;
		if (heap[child].received >= f.received)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = f;
}

/* The first is received by TO. */
static void receive(struct trace_tables *t, uint32_t to)
{
	struct trace_row_lane *lane = &t->lanes[to];

	put_arrow(t, to, &lane->flying.at[0]);
	lane->flying.n--;
	if (lane->flying.n)
		sink(lane, 0, lane->flying.at[lane->flying.n]);
}

/* The name of what has sent an arrow; 0: nothing that has one. */
static uint64_t name_of_tag(struct trace_tables *t, uint64_t tag)
{
	if (tag > TRACE_LINK_TAG)
		return trace_row_name(t, TRACE_NAMED_LINK, tag - TRACE_LINK_TAG);
	return tag >= 100 ? trace_row_name(t, TRACE_NAMED_OPERATION, tag - 100) : 0;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_tables *t = ctx;
	struct trace_row_lane *lane = &t->lanes[to];
	const struct trace_flying f = {
		.received = received,
		.sent = sent,
		.from = from,
		.from_call = trace_row_call(&t->lanes[from]),
		.operation = name_of_tag(t, trace_tag_alone(tag)),
	};

	if (t->why.status != JW_OK || JW_GROW(&lane->flying, &arrows_grow, &t->why) != JW_OK)
		return;
	size_t at = lane->flying.n++;

	for (; at && lane->flying.at[(at - 1) / 2].received > received; at = (at - 1) / 2)
		lane->flying.at[at] = lane->flying.at[(at - 1) / 2];
	lane->flying.at[at] = f;
}

/* ---- calls ---- */

static uint32_t *slot_of(struct trace_row_lane *lane, uint32_t method)
{
	return &lane->open[method % TRACE_ROW_OPEN];
}

/* A call of METHOD is open in LANE. */
static bool is_inside(struct trace_row_lane *lane, uint32_t method)
{
	uint32_t at = *slot_of(lane, method);

	while (at && lane->calls.at[at - 1].method != method)
		at = lane->calls.at[at - 1].before;
	return at;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_tables *t = ctx;
	struct trace_row_lane *lane = &t->lanes[thread];

	/* what is received when the call begins, begins it */
	while (lane->flying.n && lane->flying.at[0].received < time)
		receive(t, thread);
	uint32_t number = trace_row_number(t, &t->methods, method);

	if (t->why.status != JW_OK || JW_GROW(&lane->calls, &calls_grow, &t->why) != JW_OK)
		return;
	struct trace_open_call call = { .id = ++t->calls,
					.begin = time,
					.method = number,
					.again = is_inside(lane, number),
					.before = *slot_of(lane, number) };

	lane->calls.at[lane->calls.n++] = call;
	if (!call.again)
		*slot_of(lane, number) = (uint32_t)lane->calls.n;
}

/* OPEN: nobody saw it end. */
static void end_call(struct trace_tables *t, uint32_t thread, uint64_t time, bool failed, bool open)
{
	struct trace_row_lane *lane = &t->lanes[thread];

	while (lane->flying.n && lane->flying.at[0].received <= time)
		receive(t, thread);
	if (lane->calls.n == 0)
		return;
	const struct trace_open_call call = lane->calls.at[--lane->calls.n];
	if (!call.again)
		*slot_of(lane, call.method) = call.before;
	uint64_t duration = time > call.begin ? time - call.begin : 0; /* a .prv may go back */
	const struct trace_cell row[] = {
		trace_cell_number(call.id),
		trace_cell_maybe(trace_row_call(lane)),
		trace_cell_number((uint64_t)thread + 1),
		trace_cell_number((uint64_t)call.method + 1),
		trace_cell_number(call.begin),
		trace_cell_number(duration),
		trace_cell_number(duration > call.inside ? duration - call.inside : 0),
		trace_cell_number(lane->calls.n),
		trace_cell_number(failed),
		trace_cell_maybe(call.site),
		trace_cell_number(!call.again),
		trace_cell_number(open),
	};

	trace_put_row(t, TRACE_TABLE_CALL, row, sizeof(row) / sizeof(*row));
	if (lane->calls.n)
		lane->calls.at[lane->calls.n - 1].inside += duration;
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_tables *t = ctx;

	end_call(t, thread, time, failed, trace_ends_with_thread(t->scene, thread, time));
}

/* ---- states ---- */

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_tables *t = ctx;

	if (end <= begin)
		return;
	const struct trace_cell row[] = {
		trace_cell_number((uint64_t)thread + 1),
		trace_cell_number(begin),
		trace_cell_number(end - begin),
		trace_cell_number(trace_row_name(t, TRACE_NAMED_STATE, state)),
	};

	trace_put_row(t, TRACE_TABLE_STATE, row, sizeof(row) / sizeof(*row));
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_tables *t = ctx;

	t->scene = scene;
	t->lane_count = scene->thread_count;
	t->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*t->lanes));
	t->process_cpu = JW_NEW_ARRAY(&t->arena, uint64_t, (size_t)scene->process_count + 1);
	if (!t->lanes || !t->process_cpu)
		return jw_nomem(e);
	return t->writer->open(t->to, e);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_tables *t = ctx;

	if (t->why.status == JW_OK)
		return t->writer->check(t->to, e);
	if (e)
		*e = t->why;
	return t->why.status;
}

/* What is open ends with the trace. */
static void take_over(void *ctx, uint64_t end)
{
	struct trace_tables *t = ctx;

	for (uint32_t i = 0; i < t->scene->thread_count; i++) {
		struct trace_row_lane *lane = &t->lanes[i];

		trace_row_events_over(t, i, end);
		while (lane->calls.n)
			end_call(t, i, end, false, true);
		while (lane->flying.n)
			receive(t, i);
	}
	t->method_labels = JW_NEW_ARRAY(&t->arena, const char *, t->methods.n + 1);
	t->site_labels = JW_NEW_ARRAY(&t->arena, const char *, t->sites.n + 1);
	t->rows = JW_NEW_ARRAY(&t->arena, const char *, (size_t)t->scene->thread_count + 1);
	if ((!t->method_labels || !t->site_labels || !t->rows) && t->why.status == JW_OK)
		(void)jw_nomem(&t->why);
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_tables *t = ctx;

	JW_TRY(check(t, e));
	JW_TRY(trace_put_names(t, names, e));
	JW_TRY(trace_put_tasks(t, e));
	JW_TRY(trace_put_requests(t, e));
	JW_TRY(check(t, e));
	return t->writer->close(t->to, e);
}

const struct trace_output trace_tables_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = trace_row_event,
	.operation = trace_row_operation,
	.captured = trace_row_captured,
	.released = trace_row_released,
	.user = trace_row_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = trace_row_label,
	.end = take_end,
};

void *trace_tables_new(const struct trace_table_writer *writer, void *ctx)
{
	struct trace_tables *t = ctx ? jw_mem_zalloc(1, sizeof(*t)) : NULL;

	if (!t) {
		writer->free(ctx);
		return NULL;
	}
	t->writer = writer;
	t->to = ctx;
	return t;
}

void trace_tables_tasks(void *tables, const struct trace_engine *engine)
{
	struct trace_tables *t = tables;

	t->engine = engine;
}

void trace_tables_requests(void *tables, struct trace_requests *requests)
{
	struct trace_tables *t = tables;

	t->requests = requests;
}

void trace_tables_free(void *tables)
{
	struct trace_tables *t = tables;

	if (!t)
		return;
	for (uint32_t i = 0; t->lanes && i < t->lane_count; i++) {
		jw_mem_free(t->lanes[i].calls.at);
		jw_mem_free(t->lanes[i].operations.at);
		jw_mem_free(t->lanes[i].held.at);
		jw_mem_free(t->lanes[i].flying.at);
	}
	jw_mem_free(t->lanes);
	trace_methods_free(&t->methods);
	trace_methods_free(&t->sites);
	trace_methods_free(&t->channel_numbers);
	jw_mem_free(t->channels.at);
	jw_mem_free(t->names.at);
	jw_lookup_free(&t->names.lookup);
	jw_buf_free(&t->text);
	jw_arena_free(&t->arena);
	t->writer->free(t->to);
	jw_mem_free(t);
}
