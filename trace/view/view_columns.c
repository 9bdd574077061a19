/*
 * view_columns.c: see view_columns.h.
 */
#include <stdlib.h>

#include "trace/view/view_columns.h"

#include "base/banned.h"

/* ---- tracks ---- */

/* The numbers that a track has of each span (view_track.h), and its columns: the last two of sums. */
enum { GAP, LENGTH, WHAT, COUNT, BUSY, COLUMNS };

/* Copies the number at P to TO. Returns how many bytes it has: all but the last one are above 127. */
static size_t copy_number(uint8_t *to, const uint8_t *p)
{
	size_t n = 0;

	do
		to[n] = p[n];
	while (p[n++] > 127);
	return n;
}

/* The numbers of SPANS, column by column. A column has the same bytes as the track, but in another order. */
static void split(struct jw_span spans, struct jw_buf columns[COLUMNS])
{
	for (size_t at = 0; at < spans.n;) {
		bool is_sum = false;

		for (int i = GAP; i < (is_sum ? COLUMNS : COUNT); i++) {
			const uint8_t *number = spans.p + at;
			size_t n = copy_number(columns[i].p + columns[i].n, number);

			is_sum |= i == WHAT && (*number & TRACE_VIEW_IS_SUM);
			columns[i].n += n;
			at += n;
		}
	}
}

void trace_view_put_track(struct jw_buf *out, const struct trace_view_track *t)
{
	struct jw_span spans = jw_buf_span(&t->bytes);
	struct jw_buf columns[COLUMNS] = { { 0 } };
	enum jw_status status = JW_OK;

	trace_view_put(out, t->n);
	for (int i = 0; i < COLUMNS; i++) {
		jw_buf_reserve(&columns[i], spans.n);
		status = status == JW_OK ? columns[i].failed : status;
	}
	if (status == JW_OK)
		split(spans, columns);
	else
		out->failed = status;
	for (int i = 0; i < COLUMNS; i++) {
		jw_put_bytes(out, jw_buf_span(&columns[i]));
		jw_buf_free(&columns[i]);
	}
}

/* ---- arrows ---- */

void trace_view_put_arrows(struct jw_buf *out, uint64_t all, const struct trace_view_arrow *arrows,
			   size_t n)
{
	uint64_t before = 0;

	trace_view_put(out, all);
	trace_view_put(out, n);
	for (size_t i = 0; i < n; before = arrows[i++].sent)
		trace_view_put(out, arrows[i].sent - before);
	for (size_t i = 0; i < n; i++)
		trace_view_put(out, arrows[i].received - arrows[i].sent);
	for (size_t i = 0; i < n; i++)
		trace_view_put(out, arrows[i].from);
	for (size_t i = 0; i < n; i++)
		trace_view_put(out, arrows[i].to);
	for (size_t i = 0; i < n; i++)
		trace_view_put(out, arrows[i].tag);
}

/* They come in order of time; of a trace that somebody wrote they may not. */
static int earlier(const void *a, const void *b)
{
	const struct trace_view_arrow *x = a, *y = b;

	if (x->sent != y->sent)
		return x->sent < y->sent ? -1 : 1;
	if (x->received != y->received)
		return x->received < y->received ? -1 : 1;
	return x->from != y->from ? (x->from < y->from ? -1 : 1)
				  : (x->to < y->to ? -1 : x->to > y->to);
}

void trace_view_sort_arrows(struct trace_view_arrow *arrows, size_t n)
{
	if (n > 1)
		qsort(arrows, n, sizeof(*arrows), earlier);
}
