/*
 * view_columns.c: see view_columns.h.
 */
#include <stdlib.h>

#include "trace/view/view_columns.h"

#include "base/banned.h"

/* ---- tracks ---- */

/* X(what of a span, is it of sums alone): columns of a track, in order. */
#define COLUMN_LIST(X)   \
	X(BEGIN, false)  \
	X(LENGTH, false) \
	X(WHAT, false)   \
	X(COUNT, true)   \
	X(BUSY, true)

enum column {
#define COLUMN_ENUM(name, of_sums) COLUMN_##name,
	COLUMN_LIST(COLUMN_ENUM)
#undef COLUMN_ENUM
		COLUMNS,
};
static const bool of_sums[] = {
#define COLUMN_OF_SUMS(name, of_sums) of_sums,
	COLUMN_LIST(COLUMN_OF_SUMS)
#undef COLUMN_OF_SUMS
};

static uint64_t column_of(enum column column, const struct trace_view_span *s, uint64_t before)
{
	switch (column) {
	case COLUMN_BEGIN:
		return s->begin - before;
	case COLUMN_LENGTH:
		return s->ns;
	case COLUMN_WHAT:
		return (uint64_t)s->what << 2 | (uint64_t)s->failed << 1 | s->is_sum;
	case COLUMN_COUNT:
		return s->count;
	default:
		return s->busy;
	}
}

/* A column at a time, but the spans are read once. */
void trace_view_put_track(struct jw_buf *out, const struct trace_view_track *t)
{
	struct jw_buf columns[COLUMNS] = { { 0 } };
	struct trace_view_span s;
	uint64_t before = 0;

	for (struct trace_view_reader r = trace_view_track_open(t); trace_view_track_next(&r, &s);
	     before = s.begin + s.ns)
		for (enum column column = 0; column < COLUMNS; column++)
			if (!of_sums[column] || s.is_sum)
				trace_view_put(&columns[column], column_of(column, &s, before));
	trace_view_put(out, t->n);
	for (enum column column = 0; column < COLUMNS; column++) {
		if (columns[column].failed != JW_OK)
			out->failed = columns[column].failed;
		jw_put_bytes(out, jw_buf_span(&columns[column]));
		jw_buf_free(&columns[column]);
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
