/*
 * sink.c: see sink.h.
 *
 *     slots   [ filled by the caller ] -> [ packed by a worker ] -> [ written, in turn ] -> free
 *             filled                      packed                    written
 *
 * Blocks are numbered; number N is in slot N mod the count. A worker takes the lowest that is
 * filled and not yet taken, packs it, waits for its turn to write, and frees it. Whoever comes
 * first fails for all: blocks after a failure are dropped.
 */
#include <pthread.h>

#include "trace/paraver/sink.h"

#include "base/banned.h"

struct slot {
	char *text; /* owned */
	size_t n;
	struct jw_buf packed;
};

struct trace_sink {
	trace_sink_write_fn *write;
	void *to;
	const struct trace_pack *pack;
	struct slot *slots; /* owned */
	size_t slot_count;
	uint64_t filled, taken, written; /* how many blocks so far */
	bool closing;
	struct jw_err why; /* the first failure */
	pthread_mutex_t lock;
	pthread_cond_t more;   /* a block was filled, or there will be none */
	pthread_cond_t turned; /* a block was written */
	size_t thread_count;
	pthread_t threads[TRACE_SINK_THREADS];
};

static enum jw_status pack(struct trace_sink *s, struct slot *slot, struct jw_err *e)
{
	jw_buf_clear(&slot->packed);
	if (!s->pack)
		return JW_OK;
	return s->pack->pack(s->pack->ctx, jw_span(slot->text, slot->n), &slot->packed, e);
}

static enum jw_status write_out(struct trace_sink *s, const struct slot *slot, struct jw_err *e)
{
	struct jw_span text = s->pack ? jw_buf_span(&slot->packed) : jw_span(slot->text, slot->n);

	return s->write(s->to, text, e);
}

/* ---- with other threads; the lock is held between these ---- */

static void work_on(struct trace_sink *s, uint64_t number)
{
	struct slot *slot = &s->slots[number % s->slot_count];
	struct jw_err e = { 0 };
	bool failed = s->why.status != JW_OK;

	pthread_mutex_unlock(&s->lock);
	enum jw_status status = failed ? JW_OK : pack(s, slot, &e);

	pthread_mutex_lock(&s->lock);
	while (s->written != number)
		pthread_cond_wait(&s->turned, &s->lock);
	failed = s->why.status != JW_OK;
	if (!failed && status == JW_OK) {
		pthread_mutex_unlock(&s->lock);
		status = write_out(s, slot, &e);
		pthread_mutex_lock(&s->lock);
	}
	if (!failed && status != JW_OK)
		s->why = e;
	s->written++;
	pthread_cond_broadcast(&s->turned);
}

static void *worker_main(void *arg)
{
	struct trace_sink *s = arg;

	pthread_mutex_lock(&s->lock);
	for (;;) {
		while (s->taken == s->filled && !s->closing)
			pthread_cond_wait(&s->more, &s->lock);
		if (s->taken == s->filled)
			break;
		work_on(s, s->taken++);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static bool make_slots(struct trace_sink *s)
{
	s->slots = jw_mem_zalloc(s->slot_count, sizeof(*s->slots));
	for (size_t i = 0; s->slots && i < s->slot_count; i++) {
		s->slots[i].text = jw_mem_alloc(TRACE_SINK_BLOCK);
		if (!s->slots[i].text)
			return false;
	}
	return s->slots;
}

enum jw_status trace_sink_open(struct trace_sink **out, trace_sink_write_fn *write, void *to,
			       const struct trace_pack *pack, size_t threads, struct jw_err *e)
{
	struct trace_sink *s = jw_mem_zalloc(1, sizeof(*s));
	size_t others = threads < 2 ? 0 : threads - 1;

	if (!s)
		return jw_nomem(e);
	others = others < TRACE_SINK_THREADS ? others : TRACE_SINK_THREADS;
	s->write = write;
	s->to = to;
	s->pack = pack;
	s->slot_count = others ? 2 * (others + 1) : 1;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->more, NULL);
	pthread_cond_init(&s->turned, NULL);
	if (!make_slots(s)) {
		trace_sink_close(s);
		return jw_nomem(e);
	}
	for (; s->thread_count < others; s->thread_count++)
		if (pthread_create(&s->threads[s->thread_count], NULL, worker_main, s) != 0)
			break; /* a limit on threads costs time only */
	*out = s;
	return JW_OK;
}

char *trace_sink_block(struct trace_sink *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->filled - s->written >= s->slot_count)
		pthread_cond_wait(&s->turned, &s->lock);
	char *text = s->slots[s->filled % s->slot_count].text;

	pthread_mutex_unlock(&s->lock);
	return text;
}

static enum jw_status told(const struct trace_sink *s, struct jw_err *e)
{
	if (s->why.status != JW_OK && e)
		*e = s->why;
	return s->why.status;
}

enum jw_status trace_sink_put(struct trace_sink *s, size_t n, struct jw_err *e)
{
	pthread_mutex_lock(&s->lock);
	s->slots[s->filled++ % s->slot_count].n = n;
	if (s->thread_count)
		pthread_cond_signal(&s->more);
	else
		work_on(s, s->taken++);
	enum jw_status status = told(s, e);

	pthread_mutex_unlock(&s->lock);
	return status;
}

enum jw_status trace_sink_finish(struct trace_sink *s, struct jw_err *e)
{
	pthread_mutex_lock(&s->lock);
	while (s->written < s->filled)
		pthread_cond_wait(&s->turned, &s->lock);
	enum jw_status status = told(s, e);

	pthread_mutex_unlock(&s->lock);
	return status;
}

void trace_sink_close(struct trace_sink *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->closing = true;
	pthread_cond_broadcast(&s->more);
	pthread_mutex_unlock(&s->lock);
	for (size_t i = 0; i < s->thread_count; i++)
		pthread_join(s->threads[i], NULL);
	for (size_t i = 0; s->slots && i < s->slot_count; i++) {
		jw_mem_free(s->slots[i].text);
		jw_buf_free(&s->slots[i].packed);
	}
	pthread_cond_destroy(&s->turned);
	pthread_cond_destroy(&s->more);
	pthread_mutex_destroy(&s->lock);
	jw_mem_free(s->slots);
	jw_mem_free(s);
}
