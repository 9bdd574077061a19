/*
 * by_thread.c: see by_thread.h.
 */
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/memory.h"
#include "trace/text/by_thread.h"

#include "base/banned.h"

/* A part of the file. */
struct piece {
	uint64_t at;
	size_t n;
	size_t next; /* of the same thread, 1 + its place; 0: it is the last */
};

struct thread {
	struct jw_buf latest;
	size_t first, last; /* pieces, 1 + place; 0: none */
};

struct trace_by_thread {
	struct thread *threads; /* owned */
	uint32_t n;
	size_t waiting; /* bytes of all threads */
	struct {
		struct piece *at; /* owned */
		size_t n, room;
	} pieces;
	struct jw_out spool;
	const char *spill;
	struct jw_err why; /* the first failure */
};

struct trace_by_thread *trace_by_thread_new(uint32_t threads, const char *spill)
{
	struct trace_by_thread *a = jw_mem_zalloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->threads = jw_mem_zalloc((size_t)threads + 1, sizeof(*a->threads));
	a->n = a->threads ? threads : 0;
	a->spill = spill;
	if (a->threads)
		return a;
	trace_by_thread_free(a);
	return NULL;
}

void trace_by_thread_free(struct trace_by_thread *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->n; i++)
		jw_buf_free(&a->threads[i].latest);
	jw_mem_free(a->threads);
	jw_mem_free(a->pieces.at);
	jw_out_abort(&a->spool);
	jw_mem_free(a);
}

/* ---- writing ---- */

/* All that threads have waiting is one block, so that no part of it stays in what jw_out gathers. */
static enum jw_status spill(struct trace_by_thread *a, struct jw_err *e)
{
	static const struct jw_growth grow = { NULL, 0, 0 };
	struct jw_buf block = { 0 };

	if (!a->spool.open)
		JW_TRY(jw_out_open(a->spill, 0600, &a->spool, e));
	for (uint32_t i = 0; i < a->n; i++) {
		struct thread *t = &a->threads[i];

		if (t->latest.n == 0)
			continue;
		if (JW_GROW(&a->pieces, &grow, e) != JW_OK)
			break;
		a->pieces.at[a->pieces.n++] =
			(struct piece){ a->spool.n + block.n, t->latest.n, 0 };
		if (t->last)
			a->pieces.at[t->last - 1].next = a->pieces.n;
		else
			t->first = a->pieces.n;
		t->last = a->pieces.n;
		jw_put_bytes(&block, jw_buf_span(&t->latest));
		jw_buf_clear(&t->latest);
	}
	enum jw_status status = jw_buf_finish(&block, "what is put aside", e);

	if (status == JW_OK && (!e || e->status == JW_OK))
		status = jw_out_write(&a->spool, jw_buf_span(&block), e);
	jw_buf_free(&block);
	a->waiting = 0;
	return status;
}

void trace_by_thread_put(struct trace_by_thread *a, uint32_t thread, unsigned kind,
			 const uint64_t *values, size_t n)
{
	struct jw_buf *out = &a->threads[thread].latest;
	size_t before = out->n;

	if (a->why.status != JW_OK)
		return;
	jw_put_u1(out, (uint8_t)(kind << 4 | n));
	for (size_t i = 0; i < n; i++) {
		uint64_t v = values[i];

		for (; v >= 0x80; v >>= 7)
			jw_put_u1(out, (uint8_t)(v | 0x80));
		jw_put_u1(out, (uint8_t)v);
	}
	if (out->failed != JW_OK)
		(void)jw_nomem(&a->why);
	a->waiting += out->n - before;
	if (a->waiting > TRACE_BY_THREAD_MEMORY && a->why.status == JW_OK)
		(void)!spill(a, &a->why);
}

enum jw_status trace_by_thread_check(const struct trace_by_thread *a, struct jw_err *e)
{
	if (a->why.status != JW_OK && e)
		*e = a->why;
	return a->why.status;
}

/* ---- reading ---- */

static enum jw_status each_in(struct jw_span bytes, trace_by_thread_take *take, void *ctx,
			      struct jw_err *e)
{
	size_t at = 0;

	while (at < bytes.n) {
		uint64_t values[TRACE_BY_THREAD_MOST];
		unsigned head = bytes.p[at++];

		for (size_t i = 0; i < (head & 15); i++) {
			unsigned shift = 0;

			for (values[i] = 0; at < bytes.n; shift += 7) {
				uint8_t byte = bytes.p[at++];

				values[i] |= (uint64_t)(byte & 0x7f) << shift;
				if (byte < 0x80)
					break;
			}
		}
		JW_TRY(take(ctx, head >> 4, values, e));
	}
	return JW_OK;
}

static enum jw_status read_piece(struct trace_by_thread *a, const struct piece *piece,
				 uint8_t *into, struct jw_err *e)
{
	for (size_t n = 0; n < piece->n;) {
		ssize_t got = pread(a->spool.fd, into + n, piece->n - n, (off_t)(piece->at + n));

		if (got <= 0)
			return jw_fail(e, JW_IO, "cannot read what was put aside beside '%s'",
				       a->spill);
		n += (size_t)got;
	}
	return JW_OK;
}

enum jw_status trace_by_thread_each(struct trace_by_thread *a, uint32_t thread,
				    trace_by_thread_take *take, void *ctx, struct jw_err *e)
{
	const struct thread *t = &a->threads[thread];
	enum jw_status status = trace_by_thread_check(a, e);

	for (size_t i = t->first; i && status == JW_OK; i = a->pieces.at[i - 1].next) {
		const struct piece *piece = &a->pieces.at[i - 1];
		uint8_t *bytes = jw_mem_alloc(piece->n);

		status = bytes ? read_piece(a, piece, bytes, e) : jw_nomem(e);
		if (status == JW_OK)
			status = each_in(jw_span(bytes, piece->n), take, ctx, e);
		jw_mem_free(bytes);
	}
	return status == JW_OK ? each_in(jw_buf_span(&t->latest), take, ctx, e) : status;
}
