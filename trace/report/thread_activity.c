/*
 * thread_activity.c: what the events of a trace say beside calls: operations, bytes, waits for
 * monitors, as sums by thread.
 *
 *     operation   a value above 0 begins one of its type, 0 ends the innermost of that type
 *     bytes       of the innermost operation of I/O
 *     monitor     a value replaces the one before; the object, its class and the place come after
 *                 it on the same line. An arrow to a thread that is blocked is from who held what
 *                 it waits for
 *     call        what is after its beginning, or before its end, is about the innermost one:
 *                 site, object and class, bytes, that an exception ends it
 */
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/reader/tally.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/report/call_more.h"
#include "trace/report/channel_sums.h"
#include "trace/report/object_classes.h"
#include "trace/report/reading.h"
#include "trace/report/report_types.h"
#include "trace/report/stalls.h"
#include "trace/report/thread_activity.h"
#include "trace/report/time_by_state.h"
#include "trace/report/unrecorded_time.h"

#include "base/banned.h"

size_t trace_operation_index(enum jw_operation_type type, uint64_t number)
{
	for (size_t i = 0; jw_operations[i].word; i++)
		if (jw_operations[i].type == type && jw_operations[i].number == number)
			return i;
	return SIZE_MAX;
}

/* ---- operations ---- */

static void begin(struct trace_reading *r, uint32_t at, uint64_t time, enum jw_operation_type type,
		  uint64_t number)
{
	struct trace_lane *lane = &r->lanes[at];
	size_t index = trace_operation_index(type, number);

	struct trace_doing *grown =
		lane->doing_n == TRACE_MAX_DOING
			? NULL
			: trace_grow(lane->doing, lane->doing_n, &lane->doing_cap, sizeof(*grown));

	if (!grown) {
		r->failed |= lane->doing_n < TRACE_MAX_DOING;
		lane->doing_over++;
		return;
	}
	lane->doing = grown;
	grown[lane->doing_n++] =
		(struct trace_doing){ .type = type, .index = index, .since = time };
	if (index == SIZE_MAX) /* of a later version */
		return;
	struct trace_sum *sum = trace_tally_at(&r->operations, at, index);

	r->failed |= !sum;
	if (sum) {
		sum->count++;
		sum->open++;
	}
}

/* Takes entry I of the stack of AT out. The time of one inside the same operation is told with that
 * one's. */
static void finish(struct trace_reading *r, uint32_t at, uint32_t i, uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];
	const struct trace_doing *d = &lane->doing[i];
	struct trace_sum *sum = trace_tally_find(&r->operations, at, d->index);

	if (sum) {
		sum->open--;
		sum->ns += sum->open ? 0 : time - d->since;
		sum->bytes += d->bytes;
	}
	for (lane->doing_n--; i < lane->doing_n; i++)
		lane->doing[i] = lane->doing[i + 1];
}

static void end(struct trace_reading *r, uint32_t at, uint64_t time, enum jw_operation_type type)
{
	struct trace_lane *lane = &r->lanes[at];

	if (lane->doing_over) {
		lane->doing_over--;
		return;
	}
	for (uint32_t i = lane->doing_n; i-- > 0;) {
		if (lane->doing[i].type == type) {
			finish(r, at, i, time);
			return;
		}
	}
}

static void add_bytes(struct trace_reading *r, struct trace_lane *lane, uint64_t bytes)
{
	struct trace_call_more *more = lane->depth ? trace_call_more(r, lane) : NULL;

	if (more)
		more->bytes += bytes;
	for (uint32_t i = lane->doing_n; i-- > 0;) {
		if (lane->doing[i].type == JW_OPERATIONS_IO) {
			lane->doing[i].bytes += bytes;
			return;
		}
	}
}

/* ---- monitors ---- */

static void add_ns(struct trace_reading *r, struct trace_sum *sum, uint64_t ns)
{
	r->failed |= !sum;
	if (!sum)
		return;
	sum->count++;
	sum->ns += ns;
}

/* Is it for a monitor, or for what may be a lock? */
static bool is_for_lock(const struct trace_lane *lane)
{
	return lane->wait <= TRACE_WAIT_LAST_MONITOR ||
	       (lane->wait == TRACE_WAIT_PARK && lane->wait_object);
}

/* A wait for a monitor or lock ends, and maybe somebody has given it back. */
static void end_monitor(struct trace_reading *r, uint32_t at, uint64_t time)
{
	const struct trace_lane *lane = &r->lanes[at];
	uint64_t key = lane->wait_object * TRACE_WAIT_KINDS + lane->wait;

	add_ns(r, trace_tally_at(&r->waits, at, key), time - lane->wait_since);
	if (lane->wait != TRACE_WAIT_OBJECT && lane->let_in_by)
		add_ns(r, trace_tally_at(&r->owners, lane->let_in_by - 1, lane->wait_object),
		       trace_held_ns(lane, time));
}

/* The wait of AT, whose object is known by now, ends. */
static void end_wait(struct trace_reading *r, uint32_t at, uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];

	if (!lane->wait)
		return;
	trace_stall_told(r, at, time);
	if (is_for_lock(lane))
		end_monitor(r, at, time);
	if (lane->held_by && !lane->held_over)
		lane->locked = (struct trace_locked){ lane->wait_since, lane->wait_object, time,
						      lane->held_by, false };
	if (lane->joins)
		lane->locked = (struct trace_locked){ lane->wait_since, lane->wait_object, time,
						      lane->joins, true };
	lane->wait = 0;
	lane->joins = 0;
	lane->let_in_by = 0;
	lane->held_by = 0;
	lane->held_over = false;
}

/* (While a thread is in Object.wait() its monitor is given back, too, which is not what it waits for.) */
bool trace_report_may_end(const struct jw_operation *op, enum trace_report_how how, uint64_t object)
{
	switch ((enum trace_wait_kind)how) {
	case TRACE_NO_WAIT:
	case TRACE_WAIT_WRITE:
	case TRACE_WAIT_FORCE:
	case TRACE_WAIT_CHILD:
	case TRACE_WAIT_LOCK:
		return false;
	case TRACE_WAIT_ENTER:
		return op->type == JW_OPERATIONS_MONITOR;
	case TRACE_WAIT_OBJECT:
		return op->role == JW_ROLE_NOTIFY || op->role == JW_ROLE_NOTIFY_ALL ||
		       op->type == JW_OPERATIONS_THREAD;
	case TRACE_WAIT_SLEEP:
		return op->type == JW_OPERATIONS_THREAD;
	case TRACE_WAIT_ACCEPT:
	case TRACE_WAIT_CONNECT:
	case TRACE_WAIT_READ:
		return op->type == JW_OPERATIONS_IO;
	case TRACE_WAIT_PARK: /* a virtual thread parks for bytes, too, but for no object then */
	case TRACE_WAIT_FOR_WORK:
		return op->type != JW_OPERATIONS_IO || !object;
	default: /* a selector may be woken by what is handed over */
		return true;
	}
}

void trace_doing_arrow(struct trace_reading *r, uint32_t from, uint32_t to, uint64_t tag)
{
	const struct jw_operation *op = jw_operations;

	while (op->word && trace_arrow_tag(op) != tag)
		op++;
	if (op->word && !r->lanes[to].held_over &&
	    trace_report_may_end(op, r->lanes[to].wait, r->lanes[to].wait_object))
		r->lanes[to].let_in_by = from + UINT64_C(1);
}

static void change_wait(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];

	end_wait(r, at, time);
	lane->wait = value < TRACE_WAIT_COUNT ? (uint8_t)value : 0;
	lane->wait_since = time;
	lane->wait_object = 0;
	lane->wait_place = 0;
	trace_stall_begins(r, at);
}

/* Within one instant one of both may begin and the other one end. */
static void change_monitor(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t value)
{
	if (value <= TRACE_WAIT_LAST_MONITOR &&
	    (value || r->lanes[at].wait <= TRACE_WAIT_LAST_MONITOR))
		change_wait(r, at, time, value);
}

static void change_park(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t value)
{
	if (value < TRACE_WAIT_COUNT - TRACE_WAIT_LAST_MONITOR &&
	    (value || r->lanes[at].wait > TRACE_WAIT_LAST_MONITOR))
		change_wait(r, at, time, value ? value + TRACE_WAIT_LAST_MONITOR : 0);
}

/* ---- the innermost call ---- */

static void take_of_call(struct trace_reading *r, uint32_t at, enum trace_type type, uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];
	struct trace_call_more *call =
		value && lane->depth && !lane->over ? trace_call_more(r, lane) : NULL;

	if (!call)
		return;
	if (type == TRACE_TYPE_PART_BYTES)
		call->bytes += value;
	else if (type == TRACE_TYPE_OPERATION_OBJECT)
		call->object = value;
	else if (call->object) /* its class */
		trace_note_class(r, at, call->object, value);
}

/* ---- allocations ---- */

static void add_alloc(struct trace_reading *r, uint32_t at, uint64_t class)
{
	struct trace_lane *lane = &r->lanes[at];
	struct trace_sum *sum = trace_tally_at(&r->allocs, at, class);

	r->failed |= !sum;
	if (!sum)
		return;
	sum->count++;
	sum->bytes += lane->alloc_bytes;
	lane->alloc_bytes = 0;
}

/* ---- methods that were closed ---- */

/* Counts all lanes of the process of lane AT until TIME, by what it was until then. Where they are
 * after it, among closed methods, is not known before they call or return. */
static void count_process(struct trace_reading *r, uint32_t at, uint64_t time)
{
	for (uint32_t i = 0; i < r->scene->thread_count; i++) {
		if (r->lanes[i].task != r->lanes[at].task)
			continue;
		trace_split_until(r, i, time);
		r->lanes[i].met = false;
	}
}

static void take_closed(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t value)
{
	uint32_t number = value ? trace_reading_method(r, value) : TRACE_NO_METHOD;

	if (number == TRACE_NO_METHOD)
		return;
	if (!r->processes[r->lanes[at].task].closes)
		count_process(r, at, time);
	trace_unrecorded_close(r, at, time, number);
}

/* ---- all of them ---- */

void trace_doing_operation(struct trace_reading *r, uint32_t at, uint64_t time,
			   enum jw_operation_type type, uint64_t number)
{
	if (number)
		begin(r, at, time, type, number);
	else
		end(r, at, time, type);
}

/* Is HOLDER, which was seen to have what LANE waits for, about to enter it? Then it has it from now on. */
static bool has_just_got_it(const struct trace_lane *lane, const struct trace_lane *holder)
{
	return holder != lane && holder->wait == TRACE_WAIT_ENTER &&
	       holder->wait_object == lane->wait_object;
}

/* What an arrow says of it is exact, unless that one has given it to another later: who asks who has it is told a
 * bit after that was so. */
static void take_holder(struct trace_reading *r, uint32_t at, uint64_t time, enum trace_type type,
			uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];

	if (type == TRACE_TYPE_HOLDER && lane->wait == TRACE_WAIT_OBJECT)
		lane->joins = value <= r->lane_count ? (uint32_t)value : 0;
	if (type != TRACE_TYPE_HOLDER ||
	    (lane->wait != TRACE_WAIT_ENTER && lane->wait != TRACE_WAIT_PARK))
		return;
	if (!value && lane->held_by) {
		lane->held_over = true;
		lane->held_until = time;
	}
	if (value - 1 >= r->lane_count || lane->let_in_by != lane->held_by)
		return;
	lane->let_in_by = lane->held_by = (uint32_t)value;
	lane->held_over = false;
	lane->held_since = has_just_got_it(lane, &r->lanes[value - 1]) ? time : lane->wait_since;
}

void trace_doing_take(struct trace_reading *r, uint32_t at, uint64_t time, enum trace_type type,
		      uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];

	trace_types_take(r, at, type, value);
	trace_channel_take(r, at, type, value);
	take_holder(r, at, time, type, value);
	switch (type) {
	case TRACE_TYPE_MONITOR:
		change_monitor(r, at, time, value);
		break;
	case TRACE_TYPE_WAIT:
		change_park(r, at, time, value);
		break;
	case TRACE_TYPE_OBJECT:
		if (value && value <= UINT64_MAX / TRACE_WAIT_KINDS - 1)
			lane->wait_object = value;
		break;
	case TRACE_TYPE_MONITOR_CLASS:
		if (value && lane->wait_object)
			trace_note_class(r, at, lane->wait_object, value);
		break;
	case TRACE_TYPE_MONITOR_PLACE:
		lane->wait_place = value;
		break;
	case TRACE_TYPE_GC:
		trace_split_pause(r, at, time, value);
		break;
	case TRACE_TYPE_CLOSED:
		take_closed(r, at, time, value);
		break;
	case TRACE_TYPE_DETAIL:
		count_process(r, at, time);
		trace_unrecorded_detail(r, at, value);
		break;
	case TRACE_TYPE_THREAD_CPU:
		lane->cpu_ns = value;
		break;
	case TRACE_TYPE_PROCESS_CPU:
		r->processes[lane->task].cpu_ns = value;
		break;
	case TRACE_TYPE_ALLOC:
		lane->alloc_bytes = value;
		break;
	case TRACE_TYPE_ALLOC_CLASS:
		add_alloc(r, at, value);
		break;
	case TRACE_TYPE_BYTES:
		add_bytes(r, lane, value);
		break;
	case TRACE_TYPE_PART_BYTES:
	case TRACE_TYPE_OPERATION_OBJECT:
	case TRACE_TYPE_OPERATION_CLASS:
		take_of_call(r, at, type, value);
		break;
	default: /* no business of sums */
		break;
	}
}

void trace_doing_end(struct trace_reading *r, uint32_t at, uint64_t time)
{
	end_wait(r, at, time);
	while (r->lanes[at].doing_n)
		finish(r, at, r->lanes[at].doing_n - 1, time);
}
