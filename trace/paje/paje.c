/*
 * paje.c: see paje.h: what happens, line by line.
 */
#include "base/grow.h"
#include "trace/paje/paje_int.h"

#include "base/banned.h"

#define LINE         256 /* bytes, at most */
#define MOST_OBJECTS 65536

static const struct jw_growth grow = { NULL, 0, 0 };

enum later { STATE_ENDS, ARRIVES };

static void fails(struct trace_paje *w)
{
	if (w->why.status == JW_OK)
		(void)jw_nomem(&w->why);
}

/* ---- lines ---- */

void trace_paje_put_time(struct jw_buf *out, uint64_t time)
{
	uint64_t ns = time % 1000000000;
	uint8_t digits[10];

	jw_put_dec(out, time / 1000000000);
	digits[0] = '.';
	for (int i = 9; i > 0; i--, ns /= 10)
		digits[i] = (uint8_t)('0' + ns % 10);
	jw_put_bytes(out, jw_span(digits, sizeof(digits)));
}

/* A line of KIND, whose fields after the time begin with TEXT; NULL: all has failed. */
static struct jw_buf *begin_line(struct trace_paje *w, enum trace_paje_event kind, const char *text)
{
	struct jw_buf *out = &w->events.block;

	if (w->why.status != JW_OK || trace_aside_room(&w->events, LINE, w->to, &w->why) != JW_OK)
		return NULL;
	jw_put_dec(out, kind);
	jw_put_u1(out, ' ');
	trace_paje_put_time(out, w->at);
	jw_put_str(out, text);
	return out;
}

static void put_thread(struct trace_paje *w, enum trace_paje_event kind, const char *text,
		       uint32_t thread)
{
	struct jw_buf *out = begin_line(w, kind, text);

	if (!out)
		return;
	jw_put_dec(out, (uint64_t)thread + 1);
	jw_put_u1(out, '\n');
}

/* ... of THREAD, and then value NUMBER. */
static void put_value(struct trace_paje *w, enum trace_paje_event kind, const char *text,
		      uint32_t thread, uint32_t number)
{
	struct jw_buf *out = begin_line(w, kind, text);

	if (!out)
		return;
	jw_put_dec(out, (uint64_t)thread + 1);
	jw_put_str(out, " v");
	jw_put_dec(out, (uint64_t)number + 1);
	jw_put_u1(out, '\n');
}

/* An end of link KEY with value NUMBER, at container WHERE ("t", "o") PLACE. TEXT: " A 0 v". */
static void put_link(struct trace_paje *w, enum trace_paje_event kind, const char *text,
		     uint32_t number, const char *where, uint32_t place, uint64_t key)
{
	struct jw_buf *out = begin_line(w, kind, text);

	if (!out)
		return;
	jw_put_dec(out, (uint64_t)number + 1);
	jw_put_str(out, where);
	jw_put_dec(out, (uint64_t)place + 1);
	jw_put_str(out, " k");
	jw_put_dec(out, key);
	jw_put_u1(out, '\n');
}

/* ---- numbers ---- */

/* The number of KEY in TABLE. Of too many, the last. */
static uint32_t number_of(struct trace_paje *w, struct trace_methods *table, uint64_t key)
{
	uint64_t refused = table->refused;
	uint32_t number = trace_methods_number(table, key);

	if (number != TRACE_NO_METHOD)
		return number;
	if (table->refused == refused)
		fails(w);
	return table->n ? (uint32_t)table->n - 1 : 0;
}

static uint32_t value_of(struct trace_paje *w, enum trace_paje_name name, uint64_t value)
{
	return number_of(w, &w->values, trace_paje_key(name, value));
}

static void put_variable(struct trace_paje *w, uint32_t thread, enum trace_paje_name name,
			 uint64_t of, uint64_t value)
{
	uint32_t number = number_of(w, &w->variables, trace_paje_key(name, of));
	struct jw_buf *out = begin_line(w, TRACE_PAJE_VARIABLE, " y");

	if (!out)
		return;
	jw_put_dec(out, (uint64_t)number + 1);
	jw_put_str(out, " t");
	jw_put_dec(out, (uint64_t)thread + 1);
	jw_put_u1(out, ' ');
	jw_put_dec(out, value);
	jw_put_u1(out, '\n');
}

/* ---- the time ---- */

/* Does what has to be before TIME, which is now. */
static void reach(struct trace_paje *w, uint64_t time)
{
	while (w->later.n && w->later.at[0].time < time && w->why.status == JW_OK) {
		const struct trace_later_one one = trace_later_take(&w->later);

		w->at = one.time > w->at ? one.time : w->at;
		if (one.kind == ARRIVES)
			put_link(w, TRACE_PAJE_END, " A 0 v", (uint32_t)one.a, " t", one.thread,
				 one.b);
		else if (one.a == w->lanes[one.thread].states) /* no other has begun */
			put_value(w, TRACE_PAJE_SET, " S t", one.thread,
				  value_of(w, TRACE_PAJE_STATE, TRACE_IDLE));
	}
	if (time != UINT64_MAX && time > w->at) /* a .prv may go back */
		w->at = time;
}

static void expect(struct trace_paje *w, struct trace_later_one one)
{
	if (w->why.status == JW_OK && trace_later_put(&w->later, one, &w->why) != JW_OK)
		fails(w);
}

/* ---- calls, states, arrows ---- */

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_paje *w = ctx;

	reach(w, time);
	w->lanes[thread].depth++;
	put_value(w, TRACE_PAJE_PUSH, " M t", thread, value_of(w, TRACE_PAJE_METHOD, method));
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_paje *w = ctx;

	(void)failed;
	reach(w, time);
	if (w->lanes[thread].depth == 0)
		return;
	w->lanes[thread].depth--;
	put_thread(w, TRACE_PAJE_POP, " M t", thread);
}

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_paje *w = ctx;

	if (end <= begin)
		return;
	reach(w, begin);
	put_value(w, TRACE_PAJE_SET, " S t", thread, value_of(w, TRACE_PAJE_STATE, state));
	expect(w, (struct trace_later_one){ .time = end,
					    .kind = STATE_ENDS,
					    .thread = thread,
					    .a = ++w->lanes[thread].states });
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_paje *w = ctx;
	uint32_t value = value_of(w, TRACE_PAJE_ARROW, trace_tag_alone(tag));

	reach(w, sent);
	put_link(w, TRACE_PAJE_START, " A 0 v", value, " t", from, ++w->links);
	expect(w, (struct trace_later_one){ .time = received,
					    .kind = ARRIVES,
					    .thread = to,
					    .a = value,
					    .b = w->links });
}

/* ---- objects ---- */

/* The number of OBJECT, which only its process knows. Of too many, the last. */
static uint32_t object_of(struct trace_paje *w, uint32_t thread, uint64_t object)
{
	uint32_t process = w->scene->threads[thread].process;

	w->object_keys.limit = MOST_OBJECTS;
	uint32_t number = number_of(w, &w->object_keys, object ^ (uint64_t)process << 53);

	if (number < w->objects.n || w->why.status != JW_OK)
		return number;
	if (JW_GROW(&w->objects, &grow, &w->why) == JW_OK)
		w->objects.at[w->objects.n++] =
			(struct trace_paje_object){ .key = object, .process = process };
	return number;
}

/* The object NUMBER, counted from 1, is of CLASS. */
static void name_class(struct trace_paje *w, uint32_t number, uint64_t class)
{
	if (number && class && w->why.status == JW_OK && !w->objects.at[number - 1].class)
		w->objects.at[number - 1].class = number_of(w, &w->classes, class) + 1;
}

static void put_waiting(struct trace_paje *w, uint32_t object, int more)
{
	struct jw_buf *out = begin_line(w, TRACE_PAJE_VARIABLE, " W o");

	if (!out)
		return;
	w->objects.at[object].waiting += (uint32_t)more;
	jw_put_dec(out, (uint64_t)object + 1);
	jw_put_u1(out, ' ');
	jw_put_dec(out, w->objects.at[object].waiting);
	jw_put_u1(out, '\n');
}

/* THREAD uses OBJECT, in the way that value NUMBER is called. */
static void put_use(struct trace_paje *w, uint32_t thread, uint32_t object, uint32_t number)
{
	put_link(w, TRACE_PAJE_START, " U 0 v", number, " t", thread, ++w->links);
	put_link(w, TRACE_PAJE_END, " U 0 v", number, " o", object, w->links);
}

/* Each tells its own end: of a monitor, or of a park, sleep or I/O. */
static void take_wait(struct trace_paje_lane *lane, bool is_monitor, uint64_t kind)
{
	if (kind)
		lane->wait = is_monitor ? kind : kind + TRACE_WAIT_LAST_MONITOR;
	else if (is_monitor == (lane->wait <= TRACE_WAIT_LAST_MONITOR))
		lane->wait = TRACE_NO_WAIT;
}

static void take_waited_for(struct trace_paje *w, uint32_t thread, uint64_t object)
{
	struct trace_paje_lane *lane = &w->lanes[thread];

	if (lane->waits_for)
		put_waiting(w, lane->waits_for - 1, -1);
	lane->waits_for = 0;
	if (!object || !lane->wait)
		return;
	uint32_t number = object_of(w, thread, object);

	if (w->why.status != JW_OK)
		return;
	lane->waits_for = number + 1;
	put_use(w, thread, number, value_of(w, TRACE_PAJE_WAIT, lane->wait));
	put_waiting(w, number, 1);
}

/* ---- operations ---- */

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_paje *w = ctx;
	struct trace_paje_lane *lane = &w->lanes[thread];
	size_t i = lane->operations.n;

	reach(w, time);
	lane->operation_for = 0;
	if (number) {
		if (w->why.status == JW_OK && JW_GROW(&lane->operations, &grow, &w->why) == JW_OK)
			lane->operations.at[lane->operations.n++] = 100 * (uint64_t)type + number;
		return;
	}
	while (i && lane->operations.at[i - 1] / 100 != type)
		i--;
	for (; i && i < lane->operations.n; i++)
		lane->operations.at[i - 1] = lane->operations.at[i];
	lane->operations.n -= i != 0;
}

static void take_object(struct trace_paje *w, uint32_t thread, uint64_t object)
{
	struct trace_paje_lane *lane = &w->lanes[thread];

	if (!object || !lane->operations.n || lane->operation_for)
		return;
	uint32_t number = object_of(w, thread, object);

	if (w->why.status != JW_OK)
		return;
	lane->operation_for = number + 1;
	put_use(w, thread, number,
		value_of(w, TRACE_PAJE_OPERATION, lane->operations.at[lane->operations.n - 1]));
}

/* Characters are no bytes. ORDER: operations.def */
static bool counts_bytes(const struct trace_paje_lane *lane)
{
	uint64_t op = lane->operations.n ? lane->operations.at[lane->operations.n - 1] : 0;

	return op == 100 * JW_OPERATIONS_IO + 3 || op == 100 * JW_OPERATIONS_IO + 4;
}

/* ---- events ---- */

static void put_event(struct trace_paje *w, uint32_t thread, enum trace_paje_name name,
		      uint64_t value)
{
	put_value(w, TRACE_PAJE_EVENT, " E t", thread, value_of(w, name, value));
}

static void add_up(struct trace_paje *w, uint32_t thread, enum trace_type type, uint64_t more)
{
	if (more)
		put_variable(w, thread, TRACE_PAJE_SUM, type, w->lanes[thread].sums[type] += more);
}

static void take_gc(struct trace_paje *w, uint32_t thread, bool begins)
{
	uint64_t *open = &w->lanes[thread].sums[TRACE_TYPE_GC];

	if (begins == (*open != 0))
		return;
	*open = begins;
	w->pauses = true;
	if (begins)
		put_value(w, TRACE_PAJE_PUSH, " G t", thread, value_of(w, TRACE_PAJE_PAUSE, 0));
	else
		put_thread(w, TRACE_PAJE_POP, " G t", thread);
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_paje *w = ctx;
	struct trace_paje_lane *lane = &w->lanes[thread];

	reach(w, time);
	switch (type) {
	case TRACE_TYPE_GC:
		take_gc(w, thread, value != 0);
		break;
	case TRACE_TYPE_MONITOR:
	case TRACE_TYPE_WAIT:
		take_wait(lane, type == TRACE_TYPE_MONITOR, value);
		break;
	case TRACE_TYPE_OBJECT:
		take_waited_for(w, thread, value);
		break;
	case TRACE_TYPE_MONITOR_CLASS:
		name_class(w, lane->waits_for, value);
		break;
	case TRACE_TYPE_OPERATION_OBJECT:
		take_object(w, thread, value);
		break;
	case TRACE_TYPE_OPERATION_CLASS:
		name_class(w, lane->operation_for, value);
		break;
	case TRACE_TYPE_BYTES:
		add_up(w, thread, type, counts_bytes(lane) ? value : 0);
		break;
	case TRACE_TYPE_CHANNEL_READ:
	case TRACE_TYPE_CHANNEL_WRITTEN:
	case TRACE_TYPE_ALLOC:
	case TRACE_TYPE_THREAD_CPU:
	case TRACE_TYPE_PROCESS_CPU:
		add_up(w, thread, type, value);
		break;
	case TRACE_TYPE_THROWN:
	case TRACE_TYPE_RETHROWN:
	case TRACE_TYPE_CAUGHT:
	case TRACE_TYPE_ALLOC_CLASS:
	case TRACE_TYPE_CREATED:
		if (value)
			put_event(w, thread, TRACE_PAJE_CLASS, value + type * TRACE_PAJE_TYPE_UNIT);
		break;
	case TRACE_TYPE_CLOSED:
		if (value)
			put_event(w, thread, TRACE_PAJE_CLOSED, value);
		break;
	case TRACE_TYPE_VIRTUAL_NAME:
		if (value)
			put_event(w, thread, TRACE_PAJE_VIRTUAL, value);
		break;
	default:
		break; /* what only repeats what a state or a link shows */
	}
}

/* 0 says that nothing holds: a number that does is one more. */
static uint64_t held_value(const struct jw_capture *what, uint64_t value)
{
	return value + (what->hold && jw_capture_is_number(what));
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_paje *w = ctx;
	uint64_t class = what->as == JW_AS_CLASS ? TRACE_PAJE_TEXT_CLASS : 0;

	reach(w, time);
	if (!jw_capture_is_text(what))
		put_variable(w, thread, TRACE_PAJE_CAPTURED, what->type, held_value(what, value));
	else if (value)
		put_event(w, thread, TRACE_PAJE_TEXT, value | class);
}

static void take_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  bool has_outer, uint64_t outer)
{
	if (jw_capture_is_text(what))
		return;
	reach(ctx, time);
	put_variable(ctx, thread, TRACE_PAJE_CAPTURED, what->type,
		     has_outer ? held_value(what, outer) : 0);
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	reach(ctx, time);
	put_variable(ctx, thread, TRACE_PAJE_USER, type, value);
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_paje *w = ctx;

	w->scene = scene;
	w->lane_count = scene->thread_count;
	w->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*w->lanes));
	return w->lanes ? JW_OK : jw_nomem(e);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_paje *w = ctx;

	if (w->why.status != JW_OK && e)
		*e = w->why;
	return w->why.status;
}

/* What is open ends with the trace. */
static void take_over(void *ctx, uint64_t end)
{
	struct trace_paje *w = ctx;

	reach(w, end);
	for (uint32_t i = 0; i < w->scene->thread_count; i++) {
		while (w->lanes[i].depth)
			take_leave(w, i, end, false);
		take_gc(w, i, false);
	}
	reach(w, UINT64_MAX);
	w->labels = JW_NEW_ARRAY(&w->arena, const char *, w->values.n + 1);
	w->class_labels = JW_NEW_ARRAY(&w->arena, const char *, w->classes.n + 1);
	w->rows = JW_NEW_ARRAY(&w->arena, const char *, w->scene->thread_count + 1);
	if (!w->labels || !w->class_labels || !w->rows)
		fails(w);
}

static void keep(struct trace_paje *w, const char **labels, uint32_t number, struct jw_span label)
{
	if (number == TRACE_NO_METHOD || labels[number])
		return;
	labels[number] = jw_arena_str(&w->arena, label);
	if (!labels[number])
		fails(w);
}

static void keep_value(struct trace_paje *w, enum trace_paje_name name, uint64_t value,
		       struct jw_span label)
{
	keep(w, w->labels, trace_methods_known(&w->values, trace_paje_key(name, value)), label);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	static const enum trace_type of_classes[] = { TRACE_TYPE_THROWN, TRACE_TYPE_RETHROWN,
						      TRACE_TYPE_CAUGHT, TRACE_TYPE_ALLOC_CLASS,
						      TRACE_TYPE_CREATED };
	struct trace_paje *w = ctx;

	if (w->why.status != JW_OK)
		return;
	if (what == TRACE_NAME_METHOD) {
		keep_value(w, TRACE_PAJE_METHOD, number, label);
		keep_value(w, TRACE_PAJE_CLOSED, number, label);
	} else if (what == TRACE_NAME_STATE) {
		keep_value(w, TRACE_PAJE_STATE, number, label);
	} else if (what == TRACE_NAME_CLASS) {
		keep(w, w->class_labels, trace_methods_known(&w->classes, number), label);
		for (size_t i = 0; i < sizeof(of_classes) / sizeof(*of_classes); i++)
			keep_value(w, TRACE_PAJE_CLASS,
				   number + of_classes[i] * TRACE_PAJE_TYPE_UNIT, label);
	} else if (what == TRACE_NAME_ROW) {
		keep(w, w->rows, (uint32_t)number, label);
	}
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_paje *w = ctx;

	JW_TRY(check(ctx, e));
	JW_TRY(trace_paje_head(w, names, e));
	JW_TRY(trace_aside_end(&w->events, w->to, e));
	return trace_paje_tail(w, e);
}

const struct trace_output trace_paje_output = {
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

void *trace_paje_new(const struct trace_destination *to)
{
	struct trace_paje *w = jw_mem_zalloc(1, sizeof(*w));

	if (w)
		w->to = to;
	return w;
}

void trace_paje_free(void *ctx)
{
	struct trace_paje *paje = ctx;

	if (!paje)
		return;
	for (uint32_t i = 0; paje->lanes && i < paje->lane_count; i++)
		jw_mem_free(paje->lanes[i].operations.at);
	jw_mem_free(paje->lanes);
	jw_mem_free(paje->objects.at);
	trace_methods_free(&paje->values);
	trace_methods_free(&paje->variables);
	trace_methods_free(&paje->object_keys);
	trace_methods_free(&paje->classes);
	trace_aside_free(&paje->events);
	trace_later_free(&paje->later);
	jw_arena_free(&paje->arena);
	jw_mem_free(paje);
}
