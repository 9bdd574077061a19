/*
 * waits.c: see waits.h. What the pass makes of them is its own: states and arrows (find.c), or
 * events (wait_events.c).
 */
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/replay/parks.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ORDER: enum trace_wait_kind */
const uint32_t trace_wait_states[] = {
	TRACE_RUNNING,         TRACE_BLOCKED,  TRACE_SYNCHRONIZATION,
	TRACE_SYNCHRONIZATION, TRACE_FOR_WORK, TRACE_SYNCHRONIZATION
};

/* The wait that records of each kind begin or end. */
static const struct {
	uint8_t value;
	bool begins;
} kinds[] = {
	[JWR_CONTENDED] = { TRACE_WAIT_ENTER, true }, [JWR_ENTERED] = { TRACE_WAIT_ENTER, false },
	[JWR_WAIT] = { TRACE_WAIT_OBJECT, true },     [JWR_WAITED] = { TRACE_WAIT_OBJECT, false },
	[JWR_EXPIRED] = { TRACE_WAIT_OBJECT, false }, [JWR_PARK] = { TRACE_WAIT_PARK, true },
	[JWR_PARKED] = { TRACE_WAIT_PARK, false },    [JWR_AWAIT] = { TRACE_WAIT_SLEEP, true },
	[JWR_AWAITED] = { TRACE_WAIT_SLEEP, false },
};

/* Does what ends a wait of VALUE end one that is shown as OTHER? */
static bool is_same(uint8_t other, uint8_t value)
{
	return (other == TRACE_WAIT_FOR_WORK ? TRACE_WAIT_PARK : other) == value;
}

void trace_waits_close(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_waits *waits = &who->track->waits;

	if (!waits->n)
		return;
	for (uint8_t i = 0; i < waits->n && p->does->wait_left; i++)
		p->does->wait_left(p, &waits->at[i]);
	waits->n = 0;
	waits->over = 0;
	if (p->does->waits_closed)
		p->does->waits_closed(p, who, time);
}

/* One wait begins or ends; false: it was not open. */
static bool change_waits(struct trace_waits *waits, uint8_t value, bool begins, uint64_t object)
{
	if (begins) {
		if (waits->n == TRACE_WAITS) {
			waits->over++;
			return false;
		}
		waits->at[waits->n++] = (struct trace_wait){ .object = object, .value = value };
		return true;
	}
	if (waits->over) {
		waits->over--;
		return false;
	}
	for (uint8_t i = waits->n; i-- > 0;) {
		if (is_same(waits->at[i].value, value)) {
			waits->n = i;
			return true;
		}
	}
	return false;
}

struct trace_wait *trace_waits_innermost(const struct trace_who *who, uint8_t value)
{
	struct trace_waits *waits = &who->track->waits;
	uint8_t i = waits->n;

	while (i > 0 && waits->at[i - 1].value != value)
		i--;
	return i > 0 && !waits->over ? &waits->at[i - 1] : NULL;
}

/* What the record WORD says that is waited for; 0: no object. */
static uint64_t object_of(uint64_t word)
{
	return jwr_word_kind(word) == JWR_AWAIT ? 0 : jwr_word_payload(word);
}

void trace_waits_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);
	struct trace_waits *waits = &who->track->waits;
	uint8_t before = waits->n, value = kinds[kind].value;
	bool begins = kinds[kind].begins;

	if (!begins && p->does->wait_ends)
		p->does->wait_ends(p, who, time, kind);
	if (kind == JWR_PARK && trace_parks_for_work(p, &p->world->tasks[who->place.task],
						     who->track, jwr_word_payload(word)))
		value = TRACE_WAIT_FOR_WORK;
	if (!change_waits(waits, value, begins, object_of(word)))
		return;
	if (begins && p->does->wait_begins)
		p->does->wait_begins(p, who, time, kind);
	/* inner ones, whose ends were lost */
	for (uint8_t i = waits->n; i < before && p->does->wait_left; i++)
		p->does->wait_left(p, &waits->at[i]);
	p->does->waits(p, who, time);
}
