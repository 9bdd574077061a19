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

enum trace_dwelling_end trace_dwelling_ended(struct trace_dwelling *d, uint32_t at,
					     struct trace_dwelling *by, uint32_t by_at)
{
	uint32_t number = by_at + 1;
	bool asked = d->last == number;
	size_t i = 0;

	by->last = at + 1;
	while (i < TRACE_DWELLING_MET && d->met[i].thread && d->met[i].thread != number)
		i++;
	if (i == TRACE_DWELLING_MET) /* who serves so many does not ask */
		return TRACE_DWELLING_SOMEBODY;
	if (!d->met[i].thread) {
		d->met[i].thread = number;
		d->met[i].asks = asked;
	}
	return asked && d->met[i].asks ? TRACE_DWELLING_ANSWER : TRACE_DWELLING_SOMEBODY;
}

static bool is_answered(const struct trace_dwelling *d)
{
	return 2 * (uint64_t)d->answered > d->waits;
}

/* All that ends a park is told, but that its time is over. */
static bool is_in_vain(const struct trace_dwelling *d)
{
	return d->how == TRACE_REPORT_PARK && 2 * (uint64_t)d->ended < d->waits;
}

bool trace_dwelling_may_be(const struct trace_dwelling *d, bool accepted)
{
	switch ((enum trace_report_how)d->how) {
	case TRACE_REPORT_PARK: /* of what it does not tell it may wait for another each time */
		return (d->key & TRACE_DWELLING_OBJECT && !comes_and_goes(d) && !is_answered(d)) ||
		       is_in_vain(d);
	case TRACE_REPORT_SLEEP:
	case TRACE_REPORT_WAIT:
		return !comes_and_goes(d) && !is_answered(d);
	case TRACE_REPORT_POLL:
	case TRACE_REPORT_READ:
		return d->read && (accepted || !d->converses);
	default:
		return false;
	}
}

bool trace_dwelling_is_lock(const char *class_name, bool alone)
{
	return strstr(class_name, "Lock$") || (!alone && strstr(class_name, "Semaphore$"));
}
