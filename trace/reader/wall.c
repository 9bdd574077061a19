/*
 * wall.c: see wall.h.
 */
#include <stdlib.h>

#include "trace/reader/wall.h"

#include "base/banned.h"

#define MAX_WALL_NS (UINT64_C(1) << 62) /* the year 2116 */
#define MAX_MONO_NS (UINT64_C(1) << 58)
#define END_POINTS  5 /* at each end, of which the middle one counts: one may be late */

bool trace_has_wall(const struct jwr_clock_point *p)
{
	return p->wall_ns > 0 && p->wall_ns < MAX_WALL_NS && p->mono_ns > 0 &&
	       p->mono_ns < MAX_MONO_NS;
}

int64_t trace_wall_offset(const struct jwr_clock_point *p)
{
	return (int64_t)(p->wall_ns - p->mono_ns);
}

static int by_offset(const void *a, const void *b)
{
	const struct trace_instant *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_mono(const void *a, const void *b)
{
	const struct jwr_clock_point *x = a, *y = b;

	return x->mono_ns < y->mono_ns ? -1 : x->mono_ns > y->mono_ns;
}

/* The middle one, by offset, of N points. */
static struct trace_instant middle_of(const struct jwr_clock_point *p, size_t n)
{
	struct trace_instant few[END_POINTS];

	for (size_t i = 0; i < n; i++)
		few[i] = (struct trace_instant){ (int64_t)p[i].mono_ns, trace_wall_offset(&p[i]) };
	qsort(few, n, sizeof(*few), by_offset);
	return few[(n - 1) / 2];
}

void trace_wall_ends(struct jwr_clock_point *p, size_t all, const struct jwr_clock_point *start,
		     struct trace_instant ends[2])
{
	size_t n = 0;

	ends[0] = ends[1] =
		(struct trace_instant){ (int64_t)start->mono_ns, trace_wall_offset(start) };
	for (size_t i = 0; i < all; i++)
		if (trace_has_wall(&p[i]))
			p[n++] = p[i];
	if (n < 2)
		return;
	qsort(p, n, sizeof(*p), by_mono);
	size_t few = n / 2 < END_POINTS ? n / 2 : END_POINTS;

	ends[0] = middle_of(p, few);
	ends[1] = middle_of(p + n - few, few);
}
