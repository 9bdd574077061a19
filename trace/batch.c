/*
 * batch.c: see batch.h.
 */
#include "trace/batch.h"

#include <string.h>

#include "base/memory.h"
#include "trace/ignore.h"
#include "trace/tee.h"

#include "base/banned.h"

enum {
	ITEMS = 256, /* of a thread */
	LISTENERS = 8,
	STATES = 64, /* states with higher numbers are passed on as they come */
	METHODS = 1 << 24,
};

enum kind { ENTER, LEAVE, FAIL, STATE, EVENT, OPERATION, CAPTURED, RELEASED, USER, ARROW };

/* What happens to a thread; from STATE on it is two: the rest of it comes after it. */
union item {
	struct {
		uint64_t time;
		uint32_t what;        /* method, state, type, or a thread */
		uint16_t kind, small; /* enum kind; a flag */
	} told;
	struct {
		uint64_t value;
		union {
			uint64_t number;
			const struct jw_capture *what;
		};
	} rest;
};

struct held {
	union item *items; /* owned; NULL: none are held back */
	uint32_t n;
};

struct listener {
	const struct trace_output *output;
	void *ctx;
};

struct trace_batch {
	const struct trace_output *output; /* all of it */
	void *ctx;
	/* what it is made of: who is told thread by thread, and who at once */
	struct listener to[LISTENERS], now[LISTENERS];
	struct listener calls[LISTENERS]; /* of `now`: who hears calls and states */
	uint32_t to_n, now_n, call_n;
	bool by_thread;    /* all of the former are */
	struct held *held; /* by thread; owned */
	uint32_t thread_n;
	uint32_t active[TRACE_BATCH_THREADS];  /* threads that have items, or room for them */
	union item *free[TRACE_BATCH_THREADS]; /* owned: room that nobody has */
	uint32_t active_n, free_n;
	uint64_t states; /* those that have been told, by bit */
	uint8_t *known;  /* methods that have been told, by bit; owned */
	size_t known_n;  /* bytes */
};

/* ---- passing on ---- */

/* What takes two items. */
static void tell_long(const struct listener *to, uint32_t thread, const union item *i)
{
	const struct trace_output *o = to->output;
	uint64_t time = i->told.time, value = i[1].rest.value;
	uint32_t what = i->told.what;

	switch ((enum kind)i->told.kind) {
	case STATE:
		o->state(to->ctx, thread, time, value, what);
		break;
	case EVENT:
		o->event(to->ctx, thread, time, (enum trace_type)what, value);
		break;
	case OPERATION:
		o->operation(to->ctx, thread, time, (enum jw_operation_type)what, value);
		break;
	case CAPTURED:
		o->captured(to->ctx, thread, time, i[1].rest.what, value);
		break;
	case RELEASED:
		if (o->released)
			o->released(to->ctx, thread, time, i[1].rest.what, i->told.small, value);
		break;
	case USER:
		o->user(to->ctx, thread, time, i[1].rest.number, value);
		break;
	default: /* ARROW; it is held back with what its receiver does */
		o->arrow(to->ctx, what, time, thread, value, i[1].rest.number);
		break;
	}
}

static void tell(const struct listener *to, uint32_t thread, const struct held *h)
{
	for (uint32_t i = 0; i < h->n; i++) {
		const union item *item = &h->items[i];

		switch ((enum kind)item->told.kind) {
		case ENTER:
			to->output->enter(to->ctx, thread, item->told.time, item->told.what);
			break;
		case LEAVE:
		case FAIL:
			to->output->leave(to->ctx, thread, item->told.time,
					  item->told.kind == FAIL);
			break;
		default:
			tell_long(to, thread, item);
			i++;
			break;
		}
	}
}

static void flush(struct trace_batch *b, uint32_t thread)
{
	struct held *h = &b->held[thread];

	for (uint32_t i = 0; h->n && i < b->to_n; i++)
		tell(&b->to[i], thread, h);
	h->n = 0;
}

static void flush_all(struct trace_batch *b)
{
	for (uint32_t i = 0; i < b->active_n; i++)
		flush(b, b->active[i]);
}

/* ---- holding back ---- */

/* All have had their turn, and give their room back. */
static void give_back(struct trace_batch *b)
{
	flush_all(b);
	for (uint32_t i = 0; i < b->active_n; i++) {
		b->free[b->free_n++] = b->held[b->active[i]].items;
		b->held[b->active[i]].items = NULL;
	}
	b->active_n = 0;
}

static union item *new_items(struct trace_batch *b)
{
	return b->free_n ? b->free[--b->free_n] : jw_mem_alloc(ITEMS * sizeof(union item));
}

/* Room for two items of THREAD; NULL: there is none. */
static struct held *room(struct trace_batch *b, uint32_t thread)
{
	struct held *h = &b->held[thread];

	if (h->items && h->n + 2 <= ITEMS)
		return h;
	if (h->items) {
		flush(b, thread);
		return h;
	}
	if (b->active_n == TRACE_BATCH_THREADS)
		give_back(b);
	h->items = new_items(b);
	if (!h->items)
		return NULL;
	b->active[b->active_n++] = thread;
	return h;
}

static union item first_of(enum kind kind, uint64_t time, uint32_t what)
{
	return (union item){ .told = { .time = time, .what = what, .kind = (uint16_t)kind } };
}

static void put(struct held *h, uint64_t time, uint32_t what, enum kind kind)
{
	h->items[h->n++] = first_of(kind, time, what);
}

/* What takes two items: told at once to who wants order; to others, too, unless it is to be HELD back. */
static void take_long(struct trace_batch *b, uint32_t thread, bool held, const union item of[2])
{
	struct held *h = held ? room(b, thread) : NULL;

	for (uint32_t i = 0; i < b->now_n; i++)
		tell_long(&b->now[i], thread, of);
	if (h) {
		h->items[h->n++] = of[0];
		h->items[h->n++] = of[1];
		return;
	}
	flush(b, thread);
	for (uint32_t i = 0; i < b->to_n; i++)
		tell_long(&b->to[i], thread, of);
}

/* Has METHOD been told before? Notes that it is, as far as there is memory. */
static bool is_known(struct trace_batch *b, uint64_t method)
{
	if (method >= METHODS)
		return false;
	size_t at = (size_t)method / 8;
	uint8_t bit = (uint8_t)(1u << method % 8);

	if (at < b->known_n && (b->known[at] & bit))
		return true;
	if (at >= b->known_n) {
		size_t n = 2 * at + 64;
		uint8_t *grown = jw_mem_realloc(b->known, n);

		if (!grown)
			return false;
		memset(grown + b->known_n, 0, n - b->known_n);
		b->known = grown;
		b->known_n = n;
	}
	b->known[at] |= bit;
	return false;
}

/* ---- the output ---- */

static bool hears_calls(const struct trace_output *output)
{
	return output->enter != trace_ignore_enter || output->leave != trace_ignore_leave ||
	       output->state != trace_ignore_state;
}

static void add_listener(struct trace_batch *b, const struct trace_output *output, void *ctx)
{
	const struct listener to = { output, ctx };

	if (output->in_order || output == &trace_tee_output) {
		b->now[b->now_n++] = to;
		if (hears_calls(output))
			b->calls[b->call_n++] = to;
	} else {
		b->by_thread &= output->by_thread;
		b->to[b->to_n++] = to;
	}
}

/* A tee is taken apart, and so is its second output if that is one, too. */
static void add_listeners(struct trace_batch *b, const struct trace_output *output, void *ctx)
{
	while (output == &trace_tee_output && b->to_n + b->now_n + 1 < LISTENERS) {
		const struct trace_tee *t = ctx;

		add_listener(b, t->first, t->first_ctx);
		output = t->second;
		ctx = t->second_ctx;
	}
	add_listener(b, output, ctx);
}

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_batch *b = ctx;

	b->held = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*b->held));
	if (!b->held)
		return jw_nomem(e);
	b->thread_n = scene->thread_count;
	return b->output->begin(b->ctx, scene, e);
}

static void tell_state(const struct listener *to, uint32_t n, uint32_t thread, uint64_t begin,
		       uint64_t end, uint64_t state)
{
	for (uint32_t i = 0; i < n; i++)
		to[i].output->state(to[i].ctx, thread, begin, end, state);
}

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_batch *b = ctx;
	bool known = state < STATES && (b->states >> state & 1);
	struct held *h = known ? room(b, thread) : NULL;

	tell_state(b->calls, b->call_n, thread, begin, end, state);
	if (h) {
		put(h, begin, (uint32_t)state, STATE);
		h->items[h->n++].rest.value = end;
		return;
	}
	flush(b, thread);
	tell_state(b->to, b->to_n, thread, begin, end, state);
	b->states |= state < STATES ? UINT64_C(1) << state : 0;
}

static void tell_enter(const struct listener *to, uint32_t n, uint32_t thread, uint64_t time,
		       uint64_t method)
{
	for (uint32_t i = 0; i < n; i++)
		to[i].output->enter(to[i].ctx, thread, time, method);
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_batch *b = ctx;
	struct held *h = is_known(b, method) ? room(b, thread) : NULL;

	tell_enter(b->calls, b->call_n, thread, time, method);
	if (h) {
		put(h, time, (uint32_t)method, ENTER);
		return;
	}
	flush(b, thread);
	tell_enter(b->to, b->to_n, thread, time, method);
}

static void tell_leave(const struct listener *to, uint32_t n, uint32_t thread, uint64_t time,
		       bool failed)
{
	for (uint32_t i = 0; i < n; i++)
		to[i].output->leave(to[i].ctx, thread, time, failed);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_batch *b = ctx;
	struct held *h = room(b, thread);

	tell_leave(b->calls, b->call_n, thread, time, failed);
	if (h)
		put(h, time, 0, failed ? FAIL : LEAVE);
	else
		tell_leave(b->to, b->to_n, thread, time, failed);
}

static void take_resume(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_batch *b = ctx;

	flush(b, thread);
	trace_output_resume(b->output, b->ctx, thread, time, method);
}

static void take_suspend(void *ctx, uint32_t thread, uint64_t time)
{
	struct trace_batch *b = ctx;

	flush(b, thread);
	trace_output_suspend(b->output, b->ctx, thread, time);
}

/* Is what all threads of a process do from then on counted in another way? */
static bool is_for_all(enum trace_type type)
{
	return type == TRACE_TYPE_GC || type == TRACE_TYPE_CLOSED || type == TRACE_TYPE_DETAIL;
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_batch *b = ctx;
	bool for_all = is_for_all(type);

	bool of_two = type == TRACE_TYPE_HOLDER && value - 1 < b->thread_n;

	if (for_all)
		flush_all(b);
	if (of_two) /* what that one does then is told with it */
		flush(b, (uint32_t)(value - 1));
	take_long(b, thread, b->by_thread && !for_all && !of_two,
		  (const union item[]){ first_of(EVENT, time, type), { .rest.value = value } });
}

/* Who hears that hears all in order. */
static void take_outside(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
			 uint64_t value)
{
	const struct trace_batch *b = ctx;

	if (b->output->outside)
		b->output->outside(b->ctx, thread, time, type, value);
}

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_batch *b = ctx;

	take_long(
		b, thread, b->by_thread,
		(const union item[]){ first_of(OPERATION, time, type), { .rest.value = number } });
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_batch *b = ctx;

	take_long(b, thread, b->by_thread,
		  (const union item[]){ first_of(CAPTURED, time, 0),
					{ .rest = { .value = value, .what = what } } });
}

static void take_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  bool has_outer, uint64_t outer)
{
	struct trace_batch *b = ctx;
	union item of[] = { first_of(RELEASED, time, 0),
			    { .rest = { .value = outer, .what = what } } };

	if (!b->output->released)
		return;
	of[0].told.small = has_outer;
	take_long(b, thread, b->by_thread, of);
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_batch *b = ctx;

	take_long(b, thread, b->by_thread,
		  (const union item[]){ first_of(USER, time, 0),
					{ .rest = { .value = value, .number = type } } });
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_batch *b = ctx;

	if (!b->by_thread)
		flush(b, from);
	take_long(b, to, b->by_thread,
		  (const union item[]){ first_of(ARROW, sent, from),
					{ .rest = { .value = received, .number = tag } } });
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_batch *b = ctx;

	return b->output->check(b->ctx, e);
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_batch *b = ctx;

	flush_all(b);
	if (b->output->over)
		b->output->over(b->ctx, end);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	const struct trace_batch *b = ctx;

	if (b->output->name)
		b->output->name(b->ctx, what, number, label);
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	const struct trace_batch *b = ctx;

	return b->output->end(b->ctx, names, e);
}

const struct trace_output trace_batch_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.resume = take_resume,
	.suspend = take_suspend,
	.event = take_event,
	.outside = take_outside,
	.operation = take_operation,
	.captured = take_captured,
	.released = take_released,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = finish,
};

struct trace_batch *trace_batch_new(const struct trace_output *output, void *ctx)
{
	struct trace_batch *b = jw_mem_zalloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->output = output;
	b->ctx = ctx;
	b->by_thread = true;
	add_listeners(b, output, ctx);
	return b;
}

void trace_batch_free(struct trace_batch *b)
{
	if (!b)
		return;
	for (uint32_t i = 0; i < b->active_n; i++)
		jw_mem_free(b->held[b->active[i]].items);
	for (uint32_t i = 0; i < b->free_n; i++)
		jw_mem_free(b->free[i]);
	jw_mem_free(b->held);
	jw_mem_free(b->known);
	jw_mem_free(b);
}
