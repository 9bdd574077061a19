/*
 * holders.c: see holders.h.
 */
#include "trace/reader/holders.h"

#include <stdlib.h>

#include "trace/format/fields.h"
#include "trace/format/recording.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

/* WAITER TICK HOLDER */
enum jw_status trace_holder_line(struct trace_recording *rec, const struct jw_span *fields,
				 size_t n, struct jw_err *e)
{
	struct trace_holder one;

	if (n < 3 || !trace_dec(fields[0], JWR_PAYLOAD_MASK, &one.waiter) ||
	    !trace_dec(fields[1], UINT64_MAX, &one.tick) ||
	    !trace_dec(fields[2], JWR_PAYLOAD_MASK, &one.holder)) {
		rec->bad_lines++;
		return JW_OK;
	}
	struct trace_holder *grown =
		trace_grow(rec->holders, rec->holder_count, &rec->holder_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(e);
	rec->holders = grown;
	grown[rec->holder_count++] = one;
	return JW_OK;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_waiter(const void *a, const void *b)
{
	const struct trace_holder *x = a, *y = b;
	int order = compare(x->waiter, y->waiter);

	order = order ? order : compare(x->tick, y->tick);
	return order ? order : compare(x->holder, y->holder);
}

void trace_holders_sort(struct trace_recording *rec)
{
	if (rec->holder_count > 1)
		qsort(rec->holders, rec->holder_count, sizeof(*rec->holders), by_waiter);
}

const struct trace_holder *trace_holder_find(const struct trace_recording *rec, uint64_t waiter)
{
	size_t low = 0, high = rec->holder_count;

	while (low < high) { /* the first that is another one's, after its own */
		size_t middle = low + (high - low) / 2;

		if (rec->holders[middle].waiter <= waiter)
			low = middle + 1;
		else
			high = middle;
	}
	return low && rec->holders[low - 1].waiter == waiter ? &rec->holders[low - 1] : NULL;
}
