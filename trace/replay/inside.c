/*
 * inside.c: see inside.h.
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/reader/reader.h"
#include "trace/replay/inside.h"

#include "base/banned.h"

#define FIRST_INSIDES 4
#define RUNNING       1
#define NOT_CREATED   2
#define PART_NEAR     16 /* calls around one, of those that tell something */
#define STATES        34 /* that Paraver has a name for */

/* The state while METHOD is innermost; BELOW: that of what is around it. */
static uint8_t state_of(const struct trace_method *method, uint8_t below)
{
	if (method->state < 0 || method->state == NOT_CREATED || method->state >= STATES)
		return below;
	return method->state ? (uint8_t)method->state : RUNNING; /* 0 would look like a gap */
}

static bool grow(struct trace_insides *in)
{
	size_t cap = in->cap;

	if (in->n < in->cap)
		return true;
	if (!in->late && !(in->late = jw_mem_alloc(JW_CAPTURES * sizeof(*in->late))))
		return false;
	struct trace_inside *grown = cap ? trace_grow(in->at, in->n, &cap, sizeof(*grown))
					 : jw_mem_alloc(FIRST_INSIDES * sizeof(*grown));

	if (!grown)
		return false;
	in->at = grown;
	in->cap = cap ? (uint32_t)cap : FIRST_INSIDES;
	return true;
}

bool trace_insides_enter(struct trace_insides *in, const struct trace_method *method, uint64_t time)
{
	uint8_t below = in->n ? in->at[in->n - 1].state : RUNNING;

	in->late_n = 0;
	if (in->n >= TRACE_MAX_INSIDES) {
		in->over++;
		return true;
	}
	if (!grow(in))
		return false;
	in->at[in->n++] = (struct trace_inside){
		.method = method,
		.begin = time,
		.state = state_of(method, below),
	};
	return true;
}

uint32_t trace_insides_below(const struct trace_insides *in, const struct trace_method *method)
{
	for (uint32_t i = in->n; i-- > 0;)
		if (in->at[i].method == method)
			return i;
	return in->n;
}

/* ---- captures ---- */

static size_t early_count(const struct trace_method *method)
{
	size_t n = 0;

	while (n < method->about.capture_count && jw_capture_is_early(&method->about.captures[n]))
		n++;
	return n;
}

bool trace_inside_told(const struct trace_inside *one)
{
	return one->captured >= early_count(one->method);
}

/* Is the task captured that runs the method? */
static bool asks_task(const struct trace_map_about *about)
{
	for (size_t i = 0; i < about->capture_count; i++) {
		if (about->captures[i].what == JW_CAPTURE_TASK)
			return true;
	}
	return false;
}

/* Is C, an identity taken before the call, what the operation of METHOD is about? A rule that
 * captures no receiver may name arg0 for it: ForkJoinPool.invoke(task) waits for its task. */
static bool is_object(const struct trace_method *method, const struct jw_capture *c)
{
	const struct trace_map_about *about = &method->about;
	bool receiver = false;

	/* `this` of a lambda expression's body is the object around it */
	if (c->what == JW_CAPTURE_THIS)
		return (about->operation->object & JW_OBJECT_THIS) && !asks_task(about);
	if (c->what != JW_CAPTURE_ARG || c->arg != 0)
		return false;
	for (size_t i = 0; i < about->capture_count; i++)
		receiver |= about->captures[i].what == JW_CAPTURE_THIS;
	return (about->operation->object & JW_OBJECT_ARG0) ||
	       ((about->operation->object & JW_OBJECT_THIS) && !receiver);
}

/* Is capture AT of METHOD part of the key of its link? Which one, from 0; below 0: none. */
static int part_of(const struct trace_method *method, size_t at)
{
	const struct trace_map_link *link = method->about.link;

	for (int i = 0; link && i < link->n; i++)
		if (link->parts[i] == at)
			return i;
	return -1;
}

static void keep_key(struct trace_inside *one, size_t at, const struct trace_taken *taken)
{
	int part = part_of(one->method, at);

	if (part < 0 || taken->is_object) /* damage: it is no number, as the map says */
		return;
	one->key[part] = taken->value;
	one->key_n++;
}

bool trace_inside_has_key(const struct trace_inside *one)
{
	return one->method->about.link && one->key_n == one->method->about.link->n;
}

/* What the arrows need of it. */
static void keep(struct trace_inside *one, const struct jw_capture *c,
		 const struct trace_taken *taken)
{
	const struct jw_operation *op = one->method->about.operation;
	uint64_t payload = taken->number;

	if (!op)
		return;
	if (!taken->is_object) {
		if (c->what == JW_CAPTURE_RETURN) {
			one->returned = taken->value;
			one->has_returned = true;
		} else if (c->what == JW_CAPTURE_EXCEPTION && c->as == JW_AS_CLASS) {
			one->thrown = taken->value;
		} else if (c->what == JW_CAPTURE_THIS && c->as == JW_AS_CLASS) {
			one->receiver = taken->value;
		} else if (!c->type &&
			   (c->what == JW_CAPTURE_ARG || c->what == JW_CAPTURE_FILLED)) {
			one->amount = taken->value;
			one->has_amount = true;
		}
		return;
	}
	if (c->what == JW_CAPTURE_TASK) {
		if (payload && op->role == JW_ROLE_RUN) {
			one->object = payload;
			one->is_body = true;
		}
	} else if (c->as == JW_AS_TASK && c->what == JW_CAPTURE_RETURN) {
		one->handed = payload != 0;
	} else if (c->as == JW_AS_TASK) {
		one->inner = payload;
	} else if (c->what == JW_CAPTURE_RETURN) {
		one->other = payload;
		one->has_other = true;
	} else if (is_object(one->method, c)) {
		one->object = payload;
	}
}

const struct jw_capture *trace_insides_capture(struct trace_insides *in,
					       const struct trace_taken *taken)
{
	struct trace_inside *one = in->over ? NULL : trace_innermost(in);

	if (!one)
		return NULL;
	if (one->captured < early_count(one->method)) {
		size_t at = one->captured++;
		const struct jw_capture *c = &one->method->about.captures[at];

		keep_key(one, at, taken);
		if (c->type ||
		    part_of(one->method, at) < 0) /* else it is there for the key alone */
			keep(one, c, taken);
		return c;
	}
	if (in->late_n < JW_CAPTURES)
		in->late[in->late_n++] = *taken;
	return NULL;
}

void trace_insides_late(struct trace_insides *in, bool failed,
			void (*fn)(void *ctx, const struct jw_capture *capture,
				   const struct trace_taken *taken),
			void *ctx)
{
	struct trace_inside *one = trace_innermost(in);
	const struct trace_map_about *about = &one->method->about;
	size_t at = 0;

	for (size_t i = 0; i < about->capture_count && at < in->late_n; i++) {
		if (!jw_capture_is_late(&about->captures[i], failed))
			continue;
		keep_key(one, i, &in->late[at]);
		keep(one, &about->captures[i], &in->late[at]);
		if (about->captures[i].what != JW_CAPTURE_TASK) /* shown where it began */
			fn(ctx, &about->captures[i], &in->late[at]);
		at++;
	}
	in->late_n = 0;
}

void trace_no_capture(void *ctx, const struct jw_capture *capture, const struct trace_taken *taken)
{
	(void)ctx;
	(void)capture;
	(void)taken;
}

/* ---- parts ---- */

/* Is INNER how OUTER is done, of one type and at the same object? */
static bool covers(const struct jw_operation *outer, const struct jw_operation *inner)
{
	if (outer->role == JW_ROLE_NONE)
		return outer == inner;
	return outer->role == inner->role ||
	       (outer->role == JW_ROLE_NOTIFY_ALL && inner->role == JW_ROLE_NOTIFY) ||
	       (outer->role == JW_ROLE_MEET &&
		(inner->role == JW_ROLE_OPEN || inner->role == JW_ROLE_PASS));
}

/* Is OP the same within itself, whatever object it is about? A stream passes on what it gets. */
static bool nests_anywhere(const struct jw_operation *op)
{
	return op->object == JW_OBJECT_NONE || op->type >= JW_OPERATIONS_IO;
}

const struct trace_inside *trace_inside_around(const struct trace_insides *in)
{
	const struct trace_inside *one = &in->at[in->n - 1];
	const struct jw_operation *op = one->method->about.operation;
	bool anywhere = nests_anywhere(op);

	if (op->type == JW_OPERATIONS_MONITOR || (!anywhere && !one->object))
		return NULL;
	for (uint32_t i = in->n - 1, seen = 0; i-- > 0 && seen < PART_NEAR; seen++) {
		const struct trace_inside *outer = &in->at[i];
		const struct jw_operation *around = outer->method->about.operation;

		if (anywhere && around == op)
			return outer;
		if (!anywhere && around && around->type == op->type && outer->object == one->object)
			return covers(around, op) ? outer : NULL;
	}
	return NULL;
}

void trace_insides_free(struct trace_insides *in)
{
	for (uint32_t i = 0; i < in->n; i++)
		jw_mem_free(in->at[i].waiter);
	jw_mem_free(in->at);
	jw_mem_free(in->late);
	*in = (struct trace_insides){ 0 };
}
