/*
 * histogram.c: see histogram.h.
 */
#include "trace/calls/histogram.h"

#include "base/banned.h"

#define NARROW 20                             /* from the shortest to the longest */
#define LAST   UINT64_C(10000000000000000000) /* the last power of ten that there is */

/* Borders in a decade, in tenths of its beginning. */
static const unsigned wide[] = { 10, 20, 50, 0 };
static const unsigned narrow[] = { 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 0 };

/* The class that ends at TO, if any duration is not below its beginning. */
static void add(struct trace_histogram *out, const struct trace_sketch *s, uint64_t from,
		uint64_t to, uint64_t *below)
{
	uint64_t count = to == UINT64_MAX ? s->n : trace_sketch_below(s, to);

	if (to <= s->least || to <= from)
		return;
	out->at[out->n] = (struct trace_histogram_class){ from, to, count - *below };
	if (count - *below > out->most)
		out->most = count - *below;
	*below = count;
	out->n++;
}

void trace_histogram_make(const struct trace_sketch *s, struct trace_histogram *out)
{
	const unsigned *steps = s->n && s->most / NARROW < s->least ? narrow : wide;
	uint64_t from = 0, below = 0; /* below: FROM */

	*out = (struct trace_histogram){ 0 };
	if (s->n == 0)
		return;
	for (uint64_t ten = 1; ten < LAST; ten *= 10) {
		for (size_t i = 0; steps[i]; i++) {
			uint64_t to = ten < 10 ? ten * steps[i] / 10 : ten / 10 * steps[i];

			add(out, s, from, to, &below);
			if (to > s->most)
				return;
			from = to;
		}
	}
	add(out, s, from, UINT64_MAX, &below);
}
