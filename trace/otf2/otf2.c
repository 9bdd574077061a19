/*
 * otf2.c: see otf2.h: what happens, into the spool.
 */
#include "base/grow.h"
#include "trace/otf2/otf2_int.h"

#include "base/banned.h"

static const struct jw_growth grow = { NULL, 0, 0 };

void trace_otf2_fails(struct trace_otf2 *w, enum jw_status status)
{
	if (w->why.status == JW_OK)
		(void)(status == JW_NOMEM ? jw_nomem(&w->why)
					  : jw_fail(&w->why, status, "an event is too large"));
}

void trace_otf2_put(struct trace_otf2 *w, uint32_t thread, uint64_t time, enum trace_otf2_kind kind,
		    uint64_t first, const uint64_t *others)
{
	static const uint8_t counts[] = {
#define COUNT(kind, others) others,
		TRACE_OTF2_KINDS(COUNT)
#undef COUNT
	};
	struct trace_otf2_lane *lane = &w->lanes[thread];
	uint64_t passed = time > lane->at ? time - lane->at : 0; /* a .prv may go back */

	lane->at += passed;
	trace_list_put(&w->spool, &lane->events, (uint64_t)kind | first << TRACE_OTF2_KIND_BITS);
	trace_list_put(&w->spool, &lane->events, passed);
	for (unsigned i = 0; i < counts[kind]; i++)
		trace_list_put(&w->spool, &lane->events, others[i]);
}

static void put1(struct trace_otf2 *w, uint32_t thread, uint64_t time, enum trace_otf2_kind kind,
		 uint64_t first, uint64_t other)
{
	trace_otf2_put(w, thread, time, kind, first, &other);
}

/* The number of KEY in TABLE. Of too many, the last. */
static uint32_t number_of(struct trace_otf2 *w, struct trace_methods *table, uint64_t key)
{
	uint64_t refused = table->refused;
	uint32_t number = trace_methods_number(table, key);

	if (number != TRACE_NO_METHOD)
		return number;
	if (table->refused == refused)
		trace_otf2_fails(w, JW_NOMEM);
	return table->n ? (uint32_t)table->n - 1 : 0;
}

/* What the operation before took is known to be taken when anything else happens. */
static void settle(struct trace_otf2 *w, uint32_t thread)
{
	if (w->lanes[thread].taken.count)
		trace_otf2_lock_settle(w, thread, false);
}

/* ---- calls ---- */

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_otf2 *w = ctx;

	settle(w, thread);
	w->lanes[thread].depth++;
	trace_otf2_put(w, thread, time, TRACE_OTF2_ENTER, number_of(w, &w->methods, method), NULL);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_otf2 *w = ctx;
	struct trace_otf2_lane *lane = &w->lanes[thread];

	if (lane->taken.count)
		trace_otf2_lock_settle(w, thread, failed);
	if (lane->depth == 0)
		return;
	lane->depth--;
	trace_otf2_put(w, thread, time, TRACE_OTF2_LEAVE, failed, NULL);
}

static void put_metric(struct trace_otf2 *w, uint32_t thread, uint64_t time,
		       enum trace_otf2_name name, uint64_t of, uint64_t value)
{
	put1(w, thread, time, TRACE_OTF2_METRIC,
	     number_of(w, &w->metrics, trace_otf2_key(name, of)), value);
}

static void add_up(struct trace_otf2 *w, uint32_t thread, uint64_t time, enum trace_otf2_sum sum,
		   uint64_t more)
{
	if (more)
		put_metric(w, thread, time, TRACE_OTF2_SUM, sum,
			   w->lanes[thread].sums[sum] += more);
}

static void put_number(struct trace_otf2 *w, uint32_t thread, uint64_t time, uint64_t parameter,
		       uint64_t value)
{
	put1(w, thread, time, TRACE_OTF2_PARAMETER, number_of(w, &w->parameters, parameter), value);
}

/* STRING: a key; 0: no text. */
static void put_text(struct trace_otf2 *w, uint32_t thread, uint64_t time, uint64_t parameter,
		     uint64_t string)
{
	put1(w, thread, time, TRACE_OTF2_TEXT, number_of(w, &w->parameters, parameter),
	     string ? (uint64_t)number_of(w, &w->strings, string) + 1 : 0);
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_otf2 *w = ctx;
	enum trace_otf2_name text =
		what->as == JW_AS_CLASS ? TRACE_OTF2_CLASS_TEXT : TRACE_OTF2_TEXT_TEXT;

	if (what->as == JW_AS_CLASS || what->as == JW_AS_STRING)
		put_text(w, thread, time, trace_otf2_key(TRACE_OTF2_TEXT_OF, what->type),
			 value ? trace_otf2_key(text, value) : 0);
	else
		put_number(w, thread, time, trace_otf2_key(TRACE_OTF2_CAPTURE, what->type), value);
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	settle(ctx, thread);
	put_metric(ctx, thread, time, TRACE_OTF2_USER, type, value);
}

/* ---- states and arrows ---- */

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_otf2 *w = ctx;

	if (state == TRACE_IDLE || end <= begin)
		return;
	put1(w, thread, begin, TRACE_OTF2_LASTS,
	     number_of(w, &w->metrics, trace_otf2_key(TRACE_OTF2_STATE, state)), end - begin);
}

/* The number of the thread that the arrow starts or joins; 0: it does neither. */
static uint64_t started_by(struct trace_otf2 *w, uint32_t from, uint32_t to, uint64_t tag)
{
	uint64_t number = 0;

	if (tag == TRACE_OTF2_TAG_START) {
		number = w->lanes[to].started = ++w->starts;
	} else if (tag == TRACE_OTF2_TAG_JOIN) {
		number = w->lanes[from].started;
		w->lanes[from].started = 0; /* others may join it, too */
	}
	return number;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_otf2 *w = ctx;
	uint64_t started = started_by(w, from, to, trace_tag_alone(tag));
	const uint64_t send[] = { tag, started };
	const uint64_t receive[] = { received > sent ? received - sent : 0, tag, started };

	settle(w, from);
	settle(w, to);
	trace_otf2_put(w, from, sent, TRACE_OTF2_SEND, to, send);
	trace_otf2_put(w, to, sent, TRACE_OTF2_RECEIVE, from, receive);
}

/* ---- operations ---- */

struct transfer {
	enum trace_otf2_kind kind; /* TRANSFER: none */
	enum trace_otf2_sum sum;
	bool transfers;
};

/* ORDER: operations.def. Characters are no bytes. */
static const struct transfer transfers[] = {
	[3] = { TRACE_OTF2_READ, TRACE_OTF2_BYTES_READ, true },
	[4] = { TRACE_OTF2_WRITE, TRACE_OTF2_BYTES_WRITTEN, true },
	[6] = { TRACE_OTF2_TRANSFER, TRACE_OTF2_CHARS_READ, true },
	[7] = { TRACE_OTF2_TRANSFER, TRACE_OTF2_CHARS_WRITTEN, true },
};

/* NULL: it reads and writes nothing. */
static const struct transfer *transfer_of(const struct trace_otf2_operation *op)
{
	if (op->type != JW_OPERATIONS_IO || op->number >= sizeof(transfers) / sizeof(*transfers))
		return NULL;
	return transfers[op->number].transfers ? &transfers[op->number] : NULL;
}

/* The handle of OBJECT in the process of THREAD. */
static uint32_t handle_of(struct trace_otf2 *w, uint32_t thread, uint64_t object)
{
	return number_of(w, &w->handles,
			 trace_otf2_object(w->scene->threads[thread].process, object));
}

static void begin_transfer(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			   struct trace_otf2_operation *op)
{
	const struct transfer *t = transfer_of(op);

	if (!t || t->kind == TRACE_OTF2_TRANSFER || op->id)
		return;
	op->id = ++w->transfers;
	put1(w, thread, time, t->kind, handle_of(w, thread, op->object), op->id);
}

static void end_transfer(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			 struct trace_otf2_operation *op)
{
	const struct transfer *t = transfer_of(op);

	if (!t)
		return;
	if (op->bytes)
		begin_transfer(w, thread, time, op); /* of an object that nobody has told */
	const uint64_t others[] = { op->id, op->bytes };

	if (op->id)
		trace_otf2_put(w, thread, time, TRACE_OTF2_TRANSFER,
			       handle_of(w, thread, op->object), others);
	add_up(w, thread, time, t->sum, op->bytes);
}

static void end_operation(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			  struct trace_otf2_operation *op)
{
	end_transfer(w, thread, time, op);
	trace_otf2_lock_ends(w, thread, time, op);
}

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_otf2 *w = ctx;
	struct trace_otf2_lane *lane = &w->lanes[thread];
	size_t i = lane->operations.n;

	settle(w, thread);
	if (number && w->why.status == JW_OK && JW_GROW(&lane->operations, &grow, &w->why) == JW_OK)
		lane->operations.at[lane->operations.n++] =
			(struct trace_otf2_operation){ .type = type, .number = number };
	if (number)
		return;
	while (i && lane->operations.at[i - 1].type != type)
		i--;
	if (i == 0)
		return;
	struct trace_otf2_operation ended = lane->operations.at[i - 1];

	for (lane->operations.n--; i < lane->operations.n + 1; i++)
		lane->operations.at[i - 1] = lane->operations.at[i];
	end_operation(w, thread, time, &ended);
}

static void take_object(struct trace_otf2 *w, uint32_t thread, uint64_t time, uint64_t object)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];
	struct trace_otf2_operation *op =
		lane->operations.n ? &lane->operations.at[lane->operations.n - 1] : NULL;

	if (!op || !object || op->object)
		return;
	op->object = object;
	begin_transfer(w, thread, time, op);
	trace_otf2_lock_begins(w, thread, time, op);
}

static void take_class(struct trace_otf2 *w, uint32_t thread, uint64_t class)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];
	size_t n = lane->operations.n;

	if (!n || !class || !lane->operations.at[n - 1].id)
		return;
	uint32_t handle = handle_of(w, thread, lane->operations.at[n - 1].object);

	while (w->why.status == JW_OK && w->handle_classes.n <= handle &&
	       JW_GROW(&w->handle_classes, &grow, &w->why) == JW_OK)
		w->handle_classes.at[w->handle_classes.n++] = 0;
	if (w->why.status == JW_OK && !w->handle_classes.at[handle])
		w->handle_classes.at[handle] =
			(uint64_t)number_of(w, &w->strings,
					    trace_otf2_key(TRACE_OTF2_CLASS, class)) +
			1;
}

/* ---- events ---- */

enum how { NOT, FLAG, METRIC, NUMBER, TEXT };

/* How an event is told: TEXT: its value names what NAME says. */
struct how_told {
	enum how how;
	enum trace_otf2_name name;
};

static const struct how_told how_told[TRACE_TYPES] = {
	[TRACE_TYPE_GC] = { FLAG, 0 },
	[TRACE_TYPE_THREAD_CPU] = { METRIC, 0 },
	[TRACE_TYPE_PROCESS_CPU] = { METRIC, 0 },
	[TRACE_TYPE_OBJECT] = { NUMBER, 0 },
	[TRACE_TYPE_LENGTH] = { NUMBER, 0 },
	[TRACE_TYPE_UNPARK] = { NUMBER, 0 },
	[TRACE_TYPE_START] = { NUMBER, 0 },
	[TRACE_TYPE_WAKE] = { NUMBER, 0 },
	[TRACE_TYPE_INTERRUPT] = { NUMBER, 0 },
	[TRACE_TYPE_MONITOR] = { TEXT, TRACE_OTF2_WAIT },
	[TRACE_TYPE_MONITOR_CLASS] = { TEXT, TRACE_OTF2_CLASS },
	[TRACE_TYPE_MONITOR_PLACE] = { TEXT, TRACE_OTF2_PLACE },
	[TRACE_TYPE_THROWN] = { TEXT, TRACE_OTF2_CLASS },
	[TRACE_TYPE_RETHROWN] = { TEXT, TRACE_OTF2_CLASS },
	[TRACE_TYPE_CAUGHT] = { TEXT, TRACE_OTF2_CLASS },
	[TRACE_TYPE_ALLOC_CLASS] = { TEXT, TRACE_OTF2_CLASS },
	[TRACE_TYPE_CREATED] = { TEXT, TRACE_OTF2_CLASS },
	[TRACE_TYPE_VIRTUAL_NAME] = { TEXT, TRACE_OTF2_VIRTUAL },
	[TRACE_TYPE_CLOSED] = { TEXT, TRACE_OTF2_METHOD },
};

static void put_told(struct trace_otf2 *w, uint32_t thread, uint64_t time, enum trace_type type,
		     uint64_t value)
{
	const struct how_told *told = &how_told[type];

	if (told->how == FLAG || (told->how == METRIC && value))
		put_metric(w, thread, time, TRACE_OTF2_EVENT, type, value);
	else if (told->how == NUMBER && value)
		put_number(w, thread, time, trace_otf2_key(TRACE_OTF2_EVENT, type), value);
	else if (told->how == TEXT && value)
		put_text(w, thread, time, trace_otf2_key(TRACE_OTF2_EVENT, type),
			 trace_otf2_key(told->name, value));
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_otf2 *w = ctx;
	struct trace_otf2_lane *lane = &w->lanes[thread];

	settle(w, thread);
	switch (type) {
	case TRACE_TYPE_OPERATION_OBJECT:
		take_object(w, thread, time, value);
		break;
	case TRACE_TYPE_OPERATION_CLASS:
		take_class(w, thread, value);
		break;
	case TRACE_TYPE_BYTES:
		if (lane->operations.n)
			lane->operations.at[lane->operations.n - 1].bytes = value;
		break;
	case TRACE_TYPE_CHANNEL_READ:
		add_up(w, thread, time, TRACE_OTF2_CHANNEL_READ, value);
		break;
	case TRACE_TYPE_CHANNEL_WRITTEN:
		add_up(w, thread, time, TRACE_OTF2_CHANNEL_WRITTEN, value);
		break;
	case TRACE_TYPE_ALLOC:
		add_up(w, thread, time, TRACE_OTF2_ALLOCATED, value);
		break;
	case TRACE_TYPE_WAIT: /* counted on from those for monitors */
		put_told(w, thread, time, TRACE_TYPE_MONITOR,
			 value ? value + TRACE_WAIT_LAST_MONITOR : 0);
		break;
	default:
		put_told(w, thread, time, type, value);
	}
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_otf2 *w = ctx;

	w->scene = scene;
	w->lane_count = scene->thread_count;
	w->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*w->lanes));
	return w->lanes ? trace_spool_open(&w->spool, w->to->spill, 0, e) : jw_nomem(e);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_otf2 *w = ctx;

	if (w->why.status == JW_OK)
		return trace_spool_status(&w->spool, e);
	if (e)
		*e = w->why;
	return w->why.status;
}

/* What is open ends with the trace. */
static void take_over(void *ctx, uint64_t end)
{
	struct trace_otf2 *w = ctx;

	for (uint32_t i = 0; i < w->scene->thread_count; i++) {
		struct trace_otf2_lane *lane = &w->lanes[i];

		settle(w, i);
		while (lane->operations.n)
			end_transfer(w, i, end, &lane->operations.at[--lane->operations.n]);
		while (lane->depth)
			take_leave(w, i, end, false);
	}
	w->end = end;
	w->method_labels = JW_NEW_ARRAY(&w->arena, const char *, w->methods.n + 1);
	w->string_labels = JW_NEW_ARRAY(&w->arena, const char *, w->strings.n + 1);
	w->metric_labels = JW_NEW_ARRAY(&w->arena, const char *, w->metrics.n + 1);
	w->rows = JW_NEW_ARRAY(&w->arena, const char *, w->scene->thread_count + 1);
	if (!w->method_labels || !w->string_labels || !w->metric_labels || !w->rows)
		trace_otf2_fails(w, JW_NOMEM);
}

static void keep(struct trace_otf2 *w, const char **labels, uint32_t number, struct jw_span label)
{
	if (number == TRACE_NO_METHOD || labels[number])
		return;
	labels[number] = jw_arena_str(&w->arena, label);
	if (!labels[number])
		trace_otf2_fails(w, JW_NOMEM);
}

static void keep_string(struct trace_otf2 *w, enum trace_otf2_name name, uint64_t number,
			struct jw_span label)
{
	keep(w, w->string_labels, trace_methods_known(&w->strings, trace_otf2_key(name, number)),
	     label);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_otf2 *w = ctx;

	if (w->why.status != JW_OK)
		return;
	if (what == TRACE_NAME_METHOD) {
		keep(w, w->method_labels, trace_methods_known(&w->methods, number), label);
		keep_string(w, TRACE_OTF2_METHOD, number, label);
	} else if (what == TRACE_NAME_CLASS) {
		keep_string(w, TRACE_OTF2_CLASS, number, label);
	} else if (what == TRACE_NAME_PLACE) {
		keep_string(w, TRACE_OTF2_PLACE, number, label);
	} else if (what == TRACE_NAME_STATE) {
		keep(w, w->metric_labels,
		     trace_methods_known(&w->metrics, trace_otf2_key(TRACE_OTF2_STATE, number)),
		     label);
	} else if (what == TRACE_NAME_ROW) {
		keep(w, w->rows, (uint32_t)number, label);
	}
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	JW_TRY(check(ctx, e));
	return trace_otf2_write(ctx, names, e);
}

const struct trace_output trace_otf2_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

void *trace_otf2_new(const struct trace_destination *to)
{
	struct trace_otf2 *w = jw_mem_zalloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->to = to;
	w->spool.fd = -1;
	return w;
}

void trace_otf2_free(void *ctx)
{
	struct trace_otf2 *otf2 = ctx;

	if (!otf2)
		return;
	for (uint32_t i = 0; otf2->lanes && i < otf2->lane_count; i++) {
		trace_list_free(&otf2->lanes[i].events);
		jw_mem_free(otf2->lanes[i].operations.at);
		jw_mem_free(otf2->lanes[i].held.at);
	}
	jw_mem_free(otf2->lanes);
	trace_spool_close(&otf2->spool);
	trace_methods_free(&otf2->methods);
	trace_methods_free(&otf2->metrics);
	trace_methods_free(&otf2->parameters);
	trace_methods_free(&otf2->strings);
	trace_methods_free(&otf2->locks);
	trace_methods_free(&otf2->handles);
	jw_mem_free(otf2->handle_classes.at);
	jw_mem_free(otf2->lock_states.at);
	jw_arena_free(&otf2->arena);
	jw_mem_free(otf2);
}
