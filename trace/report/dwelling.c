/*
 * dwelling.c: see dwelling.h.
 */
#include "trace/report/dwelling.h"

#include <string.h>

#include "base/banned.h"

/* A loop that waits is one call, of its thread's life, or none; some are begun anew. Of what comes and
 * goes, each waits a few times. */
#define FEW_CALLS 3
#define FEW_WAITS 8

static bool comes_and_goes(const struct trace_dwelling *d)
{
	return d->calls >= FEW_CALLS && d->waits / FEW_WAITS <= d->calls;
}

void trace_dwelling_ended(struct trace_dwelling *d, uint64_t key, uint32_t by, uint64_t time)
{
	struct trace_dwelling_met *m = d->met;

	d->ended += d->key == key;
	while (m < d->met + TRACE_DWELLING_MET && m->thread && m->thread != by + 1)
		m++;
	if (m == d->met + TRACE_DWELLING_MET)
		return;
	if (!m->thread)
		*m = (struct trace_dwelling_met){ .thread = by + 1, .first = time };
	m->all++;
	m->here += d->key == key;
}

/* Of D, what is known of the thread with the number AT; NULL: nothing. */
static const struct trace_dwelling_met *find_met(const struct trace_dwelling *d, uint32_t at)
{
	for (int i = 0; i < TRACE_DWELLING_MET; i++)
		if (d->met[i].thread == at + 1)
			return &d->met[i];
	return NULL;
}

/* Who is asked again before it waits need not be let go on for that: only one answer of so many has to be asked for so. */
#define OF_ASKS 8

/* Are most of its waits ended by threads that it asks: that it lets go on again and again, and has let go on first? */
static bool is_answered(const struct trace_dwelling *d, uint32_t at, trace_dwelling_of *of,
			const void *ctx)
{
	uint64_t answers = 0;

	for (int i = 0; i < TRACE_DWELLING_MET && d->met[i].thread; i++) {
		const struct trace_dwelling_met *its = &d->met[i];
		const struct trace_dwelling_met *ours = find_met(of(ctx, its->thread - 1), at);

		if (ours && ours->first < its->first && (uint64_t)ours->all * OF_ASKS > its->all)
			answers += its->here;
	}
	return 2 * answers > d->waits;
}

/* All that ends a park is told, but that its time is over. */
static bool is_in_vain(const struct trace_dwelling *d)
{
	return d->how == TRACE_REPORT_PARK && 2 * (uint64_t)d->ended < d->waits;
}

/* A loop that waits has done so again and again, unless the first time was not over yet. */
#define LOOP_WAITS 3

static bool may_be_loop(const struct trace_dwelling *d, uint64_t end)
{
	return d->waits >= LOOP_WAITS || d->last >= end;
}

bool trace_dwelling_may_be(const struct trace_dwelling *d, bool accepted, uint64_t end, uint32_t at,
			   trace_dwelling_of *of, const void *ctx)
{
	switch ((enum trace_report_how)d->how) {
	case TRACE_REPORT_PARK: /* of what it does not tell it may wait for another each time */
		return may_be_loop(d, end) &&
		       ((d->key & TRACE_DWELLING_OBJECT && !comes_and_goes(d) &&
			 !is_answered(d, at, of, ctx)) ||
			is_in_vain(d));
	case TRACE_REPORT_SLEEP:
	case TRACE_REPORT_WAIT:
		return may_be_loop(d, end) && !comes_and_goes(d) && !is_answered(d, at, of, ctx);
	case TRACE_REPORT_POLL:
	case TRACE_REPORT_READ:
		return d->read && (accepted || !d->converses);
	default:
		return false;
	}
}

bool trace_dwelling_is_lock(const char *class_name, bool alone)
{
	return trace_is_lock(class_name) || (!alone && strstr(class_name, "Semaphore$"));
}
