/*
 * little_else.c: see little_else.h.
 *
 * Where several threads wait for one thing (workers for their queue), most of that must be of those that
 * do little else.
 */
#include "trace/report/little_else.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/reader/channels.h"
#include "trace/report/dwelling.h"

#include "base/banned.h"

/* What threads of a process dwell at: KEY of dwelling.h, with places of stalls. */
struct home {
	uint64_t task, key;
	uint64_t little, all; /* ns, there: of threads that do little else, of all */
	uint32_t threads;     /* of those */
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
	const struct home *x = a, *y = b;
	int order = compare(x->task, y->task);

	return order ? order : compare(x->key, y->key);
}

static const struct trace_dwelling *dwelling_of(const void *ctx, uint32_t at)
{
	const struct trace_reading *r = ctx;

	return &r->lanes[at].dwelling;
}

/* What threads that do little else dwell at, into LIST, sorted; how many these are. */
static size_t find_homes(const struct trace_reading *r, const struct trace_channel_names *channels,
			 const struct trace_report *report, struct home *list)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; report->threads && i < report->thread_count; i++) {
		const struct trace_dwelling *d = &r->lanes[i].dwelling;
		bool accepted =
			d->read - 1 < channels->n && trace_is_accepted(channels->list[d->read - 1]);

		if (trace_dwelling_is_most(d->ns, report->threads[i].life_ns) &&
		    trace_dwelling_may_be(d, accepted, r->end, (uint32_t)i, dwelling_of, r))
			list[n++] = (struct home){ r->lanes[i].task, d->key, d->ns, 0, 1 };
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), by_key);
	for (size_t i = 0; i < n; i++) {
		if (kept && by_key(&list[kept - 1], &list[i]) == 0) {
			list[kept - 1].little += list[i].little;
			list[kept - 1].threads++;
		} else {
			list[kept++] = list[i];
		}
	}
	return kept;
}

/* That of the stall in PLACE; NULL: it is none. */
static struct home *home_of(const struct trace_reading *r, struct home *list, size_t n,
			    size_t place)
{
	const struct trace_sum *sum = &r->stalls.sums[place];
	const struct home key = { .task = sum->a >> TRACE_STALL_TASK,
				  .key = trace_dwelling_key(sum->b % TRACE_WAIT_KINDS,
							    sum->b / TRACE_WAIT_KINDS, place) };

	return n ? bsearch(&key, list, n, sizeof(*list), by_key) : NULL;
}

uint8_t *trace_of_little_else(const struct trace_reading *r,
			      const struct trace_channel_names *channels, struct jw_arena *arena,
			      const struct trace_report *report)
{
	uint8_t *is = JW_NEW_ARRAY(arena, uint8_t, r->stalls.n + 1);
	struct home *list = JW_NEW_ARRAY(arena, struct home, report->thread_count + 1);
	size_t n = is && list ? find_homes(r, channels, report, list) : 0;

	for (size_t i = 0; n && i < r->stalls.n; i++) {
		struct home *home = home_of(r, list, n, i);

		if (home)
			home->all += r->stalls.sums[i].ns;
	}
	for (size_t i = 0; n && i < r->stalls.n; i++) {
		const struct home *home = home_of(r, list, n, i);

		if (home && trace_dwelling_is_most(home->little, home->all))
			is[i] = home->threads > 1 ? TRACE_SEVERAL_DWELLERS : TRACE_ONE_DWELLER;
	}
	return list ? is : NULL;
}
