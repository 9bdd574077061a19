/*
 * events.c: what happens in calls, as rows of events: see rows_int.h. Those that begin and end are
 * one row, and so are those that are told in several parts.
 */
#include "base/grow.h"
#include "trace/tables/row_contexts.h"
#include "trace/tables/rows_int.h"

#include "base/banned.h"

static const struct jw_growth operations_grow = { NULL, 0, 0 }, channels_grow = { NULL, 0, 0 };

/* ---- rows ---- */

static void put_event(struct trace_tables *t, uint32_t thread, const struct trace_open_event *e,
		      uint64_t end)
{
	uint64_t duration = end > e->begin ? end - e->begin : 0;
	const struct trace_cell none = { .kind = TRACE_CELL_NULL }, row[] = {
		trace_cell_number((uint64_t)thread + 1),
		trace_cell_maybe(e->call),
		trace_cell_number(e->begin),
		e->is_instant ? none : trace_cell_number(duration),
		trace_cell_number(e->what),
		trace_cell_maybe(e->object),
		trace_cell_maybe(e->class),
		trace_cell_maybe(e->place),
		e->has_value ? trace_cell_number(e->value) : none,
		trace_cell_maybe(e->text),
	};

	trace_put_row(t, TRACE_TABLE_EVENT, row, sizeof(row) / sizeof(*row));
}

static struct trace_open_event begin(struct trace_tables *t, uint32_t thread, uint64_t time,
				     enum trace_named kind, uint64_t value)
{
	return (struct trace_open_event){ .open = true,
					  .begin = time,
					  .call = trace_row_call(&t->lanes[thread]),
					  .what = trace_row_name(t, kind, value) };
}

static void end(struct trace_tables *t, uint32_t thread, uint64_t time, struct trace_open_event *e)
{
	if (e->open)
		put_event(t, thread, e, time);
	e->open = false;
}

static void set_class(struct trace_tables *t, struct trace_open_event *e, uint64_t class)
{
	if (class)
		e->class = trace_row_name(t, TRACE_NAMED_CLASS, class);
}

static void set_value(struct trace_open_event *e, uint64_t value)
{
	e->has_value = true;
	e->value = value;
}

/* ---- what begins and ends ---- */

static void take_flag(struct trace_tables *t, uint32_t thread, uint64_t time, enum trace_type type,
		      struct trace_open_event *e, uint64_t value)
{
	if (value && !e->open)
		*e = begin(t, thread, time, TRACE_NAMED_EVENT, type);
	else if (!value)
		end(t, thread, time, e);
}

static void take_gc(struct trace_tables *t, uint32_t thread, uint64_t time, bool begins)
{
	struct trace_row_lane *lane = &t->lanes[thread];

	if (lane->in_gc && !begins) {
		const struct trace_cell row[] = {
			trace_cell_number((uint64_t)t->scene->threads[thread].process + 1),
			trace_cell_number(lane->gc_begin),
			trace_cell_number(time > lane->gc_begin ? time - lane->gc_begin : 0),
		};

		trace_put_row(t, TRACE_TABLE_GC, row, sizeof(row) / sizeof(*row));
	}
	if (!lane->in_gc)
		lane->gc_begin = time;
	lane->in_gc = begins;
}

/* Of monitors, and of parks and sleeps, each tells its own end: not that of the other. */
static void take_wait(struct trace_tables *t, uint32_t thread, uint64_t time, bool is_monitor,
		      uint64_t value)
{
	struct trace_row_lane *lane = &t->lanes[thread];

	if (!value && lane->waits_for_monitor != is_monitor)
		return;
	end(t, thread, time, &lane->wait);
	lane->waits_for_monitor = is_monitor;
	if (value)
		lane->wait = begin(t, thread, time, TRACE_NAMED_WAIT,
				   is_monitor ? value : value + TRACE_WAIT_LAST_MONITOR);
}

/* The row belongs to the virtual thread ID from now on. */
static void take_owner(struct trace_tables *t, uint32_t thread, uint64_t time, uint64_t id)
{
	struct trace_open_event *owner = &t->lanes[thread].owner;

	end(t, thread, time, owner);
	if (!id)
		return;
	t->lanes[thread].is_virtual = true;
	*owner = begin(t, thread, time, TRACE_NAMED_EVENT, TRACE_TYPE_VIRTUAL);
	owner->object = id;
}

/* ---- instants ---- */

static struct trace_open_event *instant(struct trace_tables *t, uint32_t thread, uint64_t time,
					enum trace_type type)
{
	struct trace_open_event *told = &t->lanes[thread].told;

	*told = begin(t, thread, time, TRACE_NAMED_EVENT, type);
	told->is_instant = true;
	return told;
}

static void take_instant(struct trace_tables *t, uint32_t thread, uint64_t time,
			 enum trace_type type, uint64_t value)
{
	struct trace_open_event *e = instant(t, thread, time, type);

	switch (type) {
	case TRACE_TYPE_THROWN:
	case TRACE_TYPE_RETHROWN:
	case TRACE_TYPE_CAUGHT:
	case TRACE_TYPE_CREATED:
	case TRACE_TYPE_ALLOC_CLASS:
		set_class(t, e, value);
		break;
	case TRACE_TYPE_UNPARK:
	case TRACE_TYPE_START:
	case TRACE_TYPE_INTERRUPT:
		e->object = value;
		break;
	case TRACE_TYPE_THREAD_NAME:
		if (value) /* 0: the last one is over */
			e->text = trace_row_name(t, TRACE_NAMED_THREAD, value);
		break;
	case TRACE_TYPE_CHANNEL:
		if (value)
			e->text = trace_row_name(t, TRACE_NAMED_CHANNEL, value);
		break;
	case TRACE_TYPE_CLOSED:
		e->text = trace_row_name(t, TRACE_NAMED_METHOD, value);
		break;
	default:
		set_value(e, value);
	}
}

/* ---- connections and files ---- */

static void add_up(struct trace_tables *t, const struct trace_row_lane *lane, uint64_t ns)
{
	uint32_t number = trace_row_number(t, &t->channel_numbers, lane->channel);

	if (t->why.status != JW_OK)
		return;
	if (number == t->channels.n && JW_GROW(&t->channels, &channels_grow, &t->why) == JW_OK)
		t->channels.at[t->channels.n++] = (struct trace_row_channel){ 0 };
	if (number >= t->channels.n)
		return;
	struct trace_row_channel *c = &t->channels.at[number];

	c->moves[lane->moves].count++;
	c->moves[lane->moves].bytes += lane->moved;
	c->moves[lane->moves].ns += ns;
}

/* Events about one follow each other: the channel, what was read or written, the time. */
static void take_channel(struct trace_tables *t, uint32_t thread, enum trace_type type,
			 uint64_t value)
{
	struct trace_row_lane *lane = &t->lanes[thread];

	if (type == TRACE_TYPE_CHANNEL) {
		lane->channel = value;
		lane->moves = TRACE_ROW_OTHERS;
		lane->moved = 0;
	} else if (type == TRACE_TYPE_CHANNEL_READ || type == TRACE_TYPE_CHANNEL_WRITTEN) {
		lane->moves = type == TRACE_TYPE_CHANNEL_READ ? TRACE_ROW_READS : TRACE_ROW_WRITES;
		lane->moved = value;
	} else if (type == TRACE_TYPE_CHANNEL_NS && lane->channel) {
		add_up(t, lane, value);
		lane->channel = 0;
	}
}

/* ---- one after another ---- */

/* More about what has just been told: the class of an allocation, the length of an array. */
static bool take_more(struct trace_tables *t, uint32_t thread, uint64_t time, enum trace_type type,
		      uint64_t value)
{
	struct trace_open_event *told = &t->lanes[thread].told;

	if (!told->open || told->begin != time)
		return false;
	if (type == TRACE_TYPE_CHANNEL_READ || type == TRACE_TYPE_CHANNEL_WRITTEN) {
		told->what = trace_row_name(t, TRACE_NAMED_EVENT, type);
		set_value(told, value);
	} else if (type == TRACE_TYPE_CHANNEL_NS) { /* until now; the last of them */
		told->begin = time > value ? time - value : 0;
		told->is_instant = false;
		end(t, thread, time, told);
	} else if (type == TRACE_TYPE_ALLOC_CLASS && !told->class) {
		set_class(t, told, value);
	} else if (type == TRACE_TYPE_LENGTH && !told->has_value) {
		set_value(told, value);
	} else {
		return false;
	}
	return true;
}

/* ---- about what is open; false: it is an event of its own ---- */

static bool take_about(struct trace_tables *t, uint32_t thread, enum trace_type type,
		       uint64_t value)
{
	struct trace_row_lane *lane = &t->lanes[thread];
	struct trace_open_event none = { 0 }, *wait = lane->wait.open ? &lane->wait : &none;
	struct trace_open_event *operation =
		lane->operations.n ? &lane->operations.at[lane->operations.n - 1] : &none;

	switch (type) {
	case TRACE_TYPE_LINK: /* the arrow says it */
		return true;
	case TRACE_TYPE_OBJECT:
		wait->object = value ? value : wait->object;
		return true;
	case TRACE_TYPE_MONITOR_CLASS:
		set_class(t, wait, value);
		return true;
	case TRACE_TYPE_MONITOR_PLACE:
		if (value)
			wait->place = trace_row_name(t, TRACE_NAMED_PLACE, value);
		return true;
	case TRACE_TYPE_OPERATION_OBJECT:
		operation->object = value ? value : operation->object;
		return true;
	case TRACE_TYPE_OPERATION_CLASS:
		set_class(t, operation, value);
		return true;
	case TRACE_TYPE_BYTES:
		set_value(operation, value);
		return true;
	case TRACE_TYPE_VIRTUAL_NAME:
		if (value && lane->owner.open)
			lane->owner.text = trace_row_name(t, TRACE_NAMED_VIRTUAL, value);
		return true;
	default:
		return false;
	}
}

/* The call that has just begun is made at SITE. */
static void take_site(struct trace_tables *t, uint32_t thread, uint64_t site)
{
	struct trace_row_lane *lane = &t->lanes[thread];

	if (site && lane->calls.n)
		lane->calls.at[lane->calls.n - 1].site = trace_row_site(t, site);
}

void trace_row_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		     uint64_t value)
{
	struct trace_tables *t = ctx;
	struct trace_row_lane *lane = &t->lanes[thread];

	take_channel(t, thread, type, value);
	if (take_about(t, thread, type, value) || take_more(t, thread, time, type, value))
		return;
	end(t, thread, time, &lane->told);
	switch (type) {
	case TRACE_TYPE_GC:
		take_gc(t, thread, time, value != 0);
		break;
	case TRACE_TYPE_EXCEPTION:
		take_flag(t, thread, time, type, &lane->exception, value);
		break;
	case TRACE_TYPE_DETAIL:
		take_flag(t, thread, time, type, &lane->detail, value);
		break;
	case TRACE_TYPE_MONITOR:
	case TRACE_TYPE_WAIT:
		take_wait(t, thread, time, type == TRACE_TYPE_MONITOR, value);
		break;
	case TRACE_TYPE_VIRTUAL:
		take_owner(t, thread, time, value);
		break;
	case TRACE_TYPE_SITE:
		take_site(t, thread, value);
		break;
	case TRACE_TYPE_THREAD_CPU:
		lane->cpu = value;
		break;
	case TRACE_TYPE_CONTEXT_1:
	case TRACE_TYPE_CONTEXT_2:
	case TRACE_TYPE_CONTEXT_3:
	case TRACE_TYPE_CONTEXT_4:
		trace_row_context_part(t, thread, time, type, value);
		break;
	case TRACE_TYPE_PROCESS_CPU:
		t->process_cpu[t->scene->threads[thread].process] = value;
		break;
	default:
		take_instant(t, thread, time, type, value);
	}
}

/* ---- operations, captures, events of the program ---- */

void trace_row_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			 uint64_t number)
{
	struct trace_tables *t = ctx;
	struct trace_row_lane *lane = &t->lanes[thread];
	size_t at = lane->operations.n;

	if (number) {
		struct trace_open_event e = begin(t, thread, time, TRACE_NAMED_OPERATION,
						  100 * (uint64_t)type + number);

		e.type = type;
		if (JW_GROW(&lane->operations, &operations_grow, &t->why) == JW_OK)
			lane->operations.at[lane->operations.n++] = e;
		return;
	}
	while (at && lane->operations.at[at - 1].type != type)
		at--;
	if (!at)
		return;
	end(t, thread, time, &lane->operations.at[at - 1]);
	for (lane->operations.n--; at <= lane->operations.n; at++)
		lane->operations.at[at - 1] = lane->operations.at[at];
}

void trace_row_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			uint64_t value)
{
	struct trace_tables *t = ctx;
	struct trace_open_event e = begin(t, thread, time, TRACE_NAMED_CAPTURE, what->type);

	if (value && what->as == JW_AS_CLASS)
		e.text = trace_row_name(t, TRACE_NAMED_CLASS_TEXT, value);
	else if (value && what->as == JW_AS_STRING)
		e.text = trace_row_name(t, TRACE_NAMED_TEXT, value);
	else if (what->as == JW_AS_IDENTITY)
		e.object = value;
	else
		set_value(&e, value);
	e.is_instant = !what->hold;
	e.held = what->type;
	if (!what->hold)
		put_event(t, thread, &e, time);
	else if (JW_GROW(&t->lanes[thread].held, &operations_grow, &t->why) == JW_OK)
		t->lanes[thread].held.at[t->lanes[thread].held.n++] = e;
}

void trace_row_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			bool has_outer, uint64_t outer)
{
	struct trace_tables *t = ctx;
	struct trace_row_lane *lane = &t->lanes[thread];

	(void)has_outer; /* a row of its own, which goes on */
	(void)outer;
	size_t at = lane->held.n;

	while (at && lane->held.at[at - 1].held != what->type)
		at--;
	if (!at)
		return;
	end(t, thread, time, &lane->held.at[at - 1]);
	for (lane->held.n--; at <= lane->held.n; at++)
		lane->held.at[at - 1] = lane->held.at[at];
}

void trace_row_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_tables *t = ctx;
	struct trace_open_event e = begin(t, thread, time, TRACE_NAMED_USER, type);

	e.is_instant = true;
	set_value(&e, value);
	put_event(t, thread, &e, time);
}

void trace_row_events_over(struct trace_tables *t, uint32_t thread, uint64_t time)
{
	struct trace_row_lane *lane = &t->lanes[thread];
	struct trace_open_event *spans[] = { &lane->told, &lane->wait, &lane->owner,
					     &lane->exception, &lane->detail };

	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		end(t, thread, time, spans[i]);
	while (lane->held.n)
		end(t, thread, time, &lane->held.at[--lane->held.n]);
	while (lane->operations.n)
		end(t, thread, time, &lane->operations.at[--lane->operations.n]);
	take_gc(t, thread, time, false);
	trace_row_context_over(t, thread, time);
}
