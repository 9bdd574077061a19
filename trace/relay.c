/*
 * relay.c: see relay.h.
 *
 * Things fill blocks of a ring. A block that is full belongs to the relay's thread until it has been
 * heard; `filled` and `heard` count blocks, and say under the lock whose a block is.
 */
#include "trace/relay.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/guard.h"
#include "base/memory.h"

#include "base/banned.h"

enum {
	ITEMS = 4096, /* of a block */
	BLOCKS = 4,
};

enum kind {
	STATE, /* two items; so CAPTURED, RELEASED, ARROW */
	ENTER,
	LEAVE,
	RESUME,
	SUSPEND,
	EVENT,
	OUTSIDE,
	OPERATION,
	CAPTURED,
	RELEASED,
	USER,
	ARROW,
};

/* A thing that happened, or the rest of one. */
union item {
	struct {
		uint64_t time, value;
		uint32_t thread;
		uint16_t kind, small; /* enum kind; a type, or a flag */
	} told;
	struct {
		uint64_t number;
		const struct jw_capture *what;
		uint32_t thread;
	} rest;
};

struct block {
	union item items[ITEMS];
	size_t n;
};

struct trace_relay {
	const struct trace_output *output;
	void *ctx;
	struct block *blocks; /* BLOCKS; owned */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, room;
	uint64_t filled, heard; /* blocks */
	bool runs, closing;
	struct jw_err why;  /* of the first failure; under the lock */
	atomic_bool failed; /* there is one */
};

/* ---- hearing ---- */

/* Passes on what begins at I; returns what follows it. */
static const union item *hear(const struct trace_relay *r, const union item *i)
{
	const struct trace_output *to = r->output;
	uint64_t time = i->told.time, value = i->told.value;
	uint32_t thread = i->told.thread;

	switch ((enum kind)i->told.kind) {
	case STATE:
		to->state(r->ctx, thread, time, i[1].rest.number, value);
		return i + 2;
	case ENTER:
		to->enter(r->ctx, thread, time, value);
		break;
	case LEAVE:
		to->leave(r->ctx, thread, time, i->told.small);
		break;
	case RESUME:
		trace_output_resume(to, r->ctx, thread, time, value);
		break;
	case SUSPEND:
		trace_output_suspend(to, r->ctx, thread, time);
		break;
	case EVENT:
		to->event(r->ctx, thread, time, (enum trace_type)i->told.small, value);
		break;
	case OUTSIDE:
		to->outside(r->ctx, thread, time, (enum trace_type)i->told.small, value);
		break;
	case OPERATION:
		to->operation(r->ctx, thread, time, (enum jw_operation_type)i->told.small, value);
		break;
	case CAPTURED:
		to->captured(r->ctx, thread, time, i[1].rest.what, value);
		return i + 2;
	case RELEASED:
		to->released(r->ctx, thread, time, i[1].rest.what, i->told.small, value);
		return i + 2;
	case USER:
		to->user(r->ctx, thread, time, i[1].rest.number, value);
		return i + 2;
	case ARROW:
		to->arrow(r->ctx, thread, time, i[1].rest.thread, i[1].rest.number, value);
		return i + 2;
	}
	return i + 1;
}

/* All of BLOCK, unless something has failed before. */
static enum jw_status hear_block(struct trace_relay *r, const struct block *block, struct jw_err *e)
{
	const union item *end = block->items + block->n;

	if (atomic_load_explicit(&r->failed, memory_order_relaxed))
		return JW_OK;
	for (const union item *i = block->items; i < end;)
		i = hear(r, i);
	return r->output->check(r->ctx, e);
}

/* The oldest block that is full is heard, and empty. With the lock, which is open meanwhile. */
static void hear_next(struct trace_relay *r)
{
	struct block *block = &r->blocks[r->heard % BLOCKS];
	struct jw_err e = { 0 };

	pthread_mutex_unlock(&r->lock);
	enum jw_status status = hear_block(r, block, &e);

	pthread_mutex_lock(&r->lock);
	if (status != JW_OK) {
		r->why = e;
		r->why.status = status;
		atomic_store_explicit(&r->failed, true, memory_order_relaxed);
	}
	block->n = 0;
	r->heard++;
	pthread_cond_signal(&r->room);
}

static void *relay_main(void *arg)
{
	struct trace_relay *r = arg;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->heard == r->filled && !r->closing)
			pthread_cond_wait(&r->more, &r->lock);
		if (r->heard == r->filled)
			break;
		hear_next(r);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* ---- telling ---- */

/* The block that is being filled is handed over, and an empty one takes its place. */
static void hand_over(struct trace_relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->filled++;
	if (r->runs)
		pthread_cond_signal(&r->more);
	else
		hear_next(r);
	while (r->filled - r->heard == BLOCKS)
		pthread_cond_wait(&r->room, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

/* Room for N items that belong together. */
static union item *room(struct trace_relay *r, size_t n)
{
	struct block *block = &r->blocks[r->filled % BLOCKS];

	if (block->n + n > ITEMS) {
		hand_over(r);
		block = &r->blocks[r->filled % BLOCKS];
	}
	block->n += n;
	return &block->items[block->n - n];
}

static void put(union item *at, enum kind kind, uint32_t thread, uint64_t time, uint64_t value,
		unsigned small)
{
	at->told.time = time;
	at->told.value = value;
	at->told.thread = thread;
	at->told.kind = (uint16_t)kind;
	at->told.small = (uint16_t)small;
}

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	union item *at = room(ctx, 2);

	put(at, STATE, thread, begin, state, 0);
	at[1].rest.number = end;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	put(room(ctx, 1), ENTER, thread, time, method, 0);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	put(room(ctx, 1), LEAVE, thread, time, 0, failed);
}

static void take_resume(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	put(room(ctx, 1), RESUME, thread, time, method, 0);
}

static void take_suspend(void *ctx, uint32_t thread, uint64_t time)
{
	put(room(ctx, 1), SUSPEND, thread, time, 0, 0);
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	put(room(ctx, 1), EVENT, thread, time, value, type);
}

static void take_outside(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
			 uint64_t value)
{
	struct trace_relay *r = ctx;

	if (r->output->outside)
		put(room(r, 1), OUTSIDE, thread, time, value, type);
}

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	put(room(ctx, 1), OPERATION, thread, time, number, type);
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	union item *at = room(ctx, 2);

	put(at, CAPTURED, thread, time, value, 0);
	at[1].rest.what = what;
}

static void take_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  bool has_outer, uint64_t outer)
{
	const struct trace_relay *r = ctx;

	if (!r->output->released)
		return;
	union item *at = room(ctx, 2);

	put(at, RELEASED, thread, time, outer, has_outer);
	at[1].rest.what = what;
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	union item *at = room(ctx, 2);

	put(at, USER, thread, time, value, 0);
	at[1].rest.number = type;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	union item *at = room(ctx, 2);

	put(at, ARROW, from, sent, tag, 0);
	at[1].rest.number = received;
	at[1].rest.thread = to;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_relay *r = ctx;

	if (!atomic_load_explicit(&r->failed, memory_order_relaxed))
		return JW_OK;
	pthread_mutex_lock(&r->lock);
	enum jw_status status = r->why.status;

	if (e)
		*e = r->why;
	pthread_mutex_unlock(&r->lock);
	return status;
}

/* ---- from begin to end ---- */

/* With the signals held back: the caller's thread takes them (guard.h). */
static void start(struct trace_relay *r)
{
	sigset_t old;

	jw_guard_hold(&old);
	r->runs = pthread_create(&r->thread, NULL, relay_main, r) == 0;
	jw_guard_release(&old);
}

/* All that was told has been heard; the relay's thread is gone. */
static void stop(struct trace_relay *r)
{
	if (!r->runs)
		return;
	pthread_mutex_lock(&r->lock);
	r->closing = true;
	pthread_cond_signal(&r->more);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	r->runs = false;
}

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_relay *r = ctx;

	JW_TRY(r->output->begin(r->ctx, scene, e));
	start(r);
	return JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_relay *r = ctx;

	hand_over(r);
	stop(r);
	if (r->output->over && r->why.status == JW_OK)
		r->output->over(r->ctx, end);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	const struct trace_relay *r = ctx;

	if (r->output->name)
		r->output->name(r->ctx, what, number, label);
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	const struct trace_relay *r = ctx;

	JW_TRY(check(ctx, e));
	return r->output->end(r->ctx, names, e);
}

const struct trace_output trace_relay_output = {
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

struct trace_relay *trace_relay_new(const struct trace_output *output, void *ctx)
{
	struct trace_relay *r = jw_mem_zalloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->blocks = jw_mem_alloc(BLOCKS * sizeof(*r->blocks));
	if (!r->blocks) {
		jw_mem_free(r);
		return NULL;
	}
	for (size_t i = 0; i < BLOCKS; i++)
		r->blocks[i].n = 0;
	r->output = output;
	r->ctx = ctx;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->more, NULL);
	pthread_cond_init(&r->room, NULL);
	return r;
}

void trace_relay_free(struct trace_relay *r)
{
	if (!r)
		return;
	stop(r);
	pthread_cond_destroy(&r->room);
	pthread_cond_destroy(&r->more);
	pthread_mutex_destroy(&r->lock);
	jw_mem_free(r->blocks);
	jw_mem_free(r);
}
