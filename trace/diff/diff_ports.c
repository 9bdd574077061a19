/*
 * diff_ports.c: see diff_ports.h.
 */
#include "trace/diff/diff_ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

enum { COUNT, MEAN, P50, P99, LONGEST }; /* ORDER: the columns in diff.c */

/* Ports below are given by those who configure servers (ip_local_port_range of Linux). */
#define FIRST_CHOSEN 32768

void trace_diff_join_requests(double *into, const double *more)
{
	double n = into[COUNT] + more[COUNT];

	into[MEAN] = n > 0 ? (into[MEAN] * into[COUNT] + more[MEAN] * more[COUNT]) / n : 0;
	into[COUNT] = n;
	for (size_t c = P50; c <= LONGEST; c++)
		into[c] = more[c] > into[c] ? more[c] : into[c];
}

/* "at 127.0.0.1:41313": how much of it comes before the port; 0: the system did not choose that. */
static size_t before_port(const struct trace_diff_item *item)
{
	const char *colon = strrchr(item->label, ':');

	if (item->kind != TRACE_DIFF_REQUEST || !colon ||
	    strtoul(colon + 1, NULL, 10) < FIRST_CHOSEN)
		return 0;
	return (size_t)(colon + 1 - item->label);
}

/* Are the first N characters those of LABEL, without its end? */
static bool is_of(const struct trace_diff_item *item, const char *label, size_t n)
{
	return before_port(item) == n && strncmp(item->label, label, n) == 0;
}

static bool has_some(const struct trace_diff_side *side, const bool *left, const char *label,
		     size_t n)
{
	for (size_t i = 0; i < side->items.n; i++)
		if (left[i] && is_of(&side->items.at[i], label, n))
			return true;
	return false;
}

static void join(const struct trace_diff_side *side, const struct trace_diff_item *from,
		 struct trace_diff_item *to)
{
	for (size_t run = 0; run < side->runs; run++) {
		const double *more = from->values + run * TRACE_DIFF_COLUMNS;
		double *into = to->values + run * TRACE_DIFF_COLUMNS;

		if (more[COUNT] == TRACE_DIFF_UNKNOWN)
			memcpy(into, more, TRACE_DIFF_COLUMNS * sizeof(*into));
		else
			trace_diff_join_requests(into, more);
	}
}

/* All of SIDE that are left and of the first N characters of LIKE's label become one. */
static enum jw_status fold(const struct trace_diff_side *side, bool *left,
			   const struct trace_diff_item *like, size_t n, struct jw_arena *arena,
			   struct trace_diff_folded *out, struct jw_err *e)
{
	struct trace_diff_item *one = &out->at[out->n++];

	*one = *like;
	one->label = jw_arena_fmt(arena, "%.*s*", (int)n, like->label);
	one->values = JW_NEW_ARRAY(arena, double, side->runs *TRACE_DIFF_COLUMNS);
	if (!one->label || !one->values)
		return jw_nomem(e);
	for (size_t i = 0; i < side->items.n; i++) {
		const struct trace_diff_item *item = &side->items.at[i];

		if (!left[i] || !is_of(item, like->label, n))
			continue;
		join(side, item, one);
		left[i] = false;
	}
	return JW_OK;
}

enum jw_status trace_diff_fold_ports(const struct trace_diff_side *a, bool *left_a,
				     const struct trace_diff_side *b, bool *left_b,
				     struct jw_arena *arena, struct trace_diff_folded out[2],
				     struct jw_err *e)
{
	for (size_t i = 0; i < 2; i++) {
		out[i].n = 0;
		out[i].at = JW_NEW_ARRAY(arena, struct trace_diff_item, a->items.n + 1);
		if (!out[i].at)
			return jw_nomem(e);
	}
	for (size_t i = 0; i < a->items.n; i++) {
		const struct trace_diff_item *item = &a->items.at[i];
		size_t n = left_a[i] ? before_port(item) : 0;

		if (!n || !has_some(b, left_b, item->label, n))
			continue;
		JW_TRY(fold(a, left_a, item, n, arena, &out[0], e));
		JW_TRY(fold(b, left_b, item, n, arena, &out[1], e));
	}
	return JW_OK;
}
