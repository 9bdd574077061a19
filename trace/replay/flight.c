/*
 * flight.c: exceptions: thrown, in flight, caught.
 *
 *     THROWN   of one that this thread has not met: it is thrown; of one that it has caught: it is
 *              thrown again; of one that it has not: a finally lets it go on
 *     FAIL     it passes a frame
 *     CAUGHT   it has landed
 *     else     Java runs: a finally, or the code after a handler that is not woven. It is in
 *              flight no more, until it is seen again
 *
 * In flight is the state Others, and an event. Where a flight ends without a record, the state ends
 * where the exception was seen last; the event there, too, when that was the end of the outermost
 * frame, else at the next record.
 */
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/flight.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* The place of OBJECT, a new one if need be: then it counts as never met. *MET: has it been? */
static struct trace_met *meet(struct trace_flight *f, uint64_t object, bool *met)
{
	struct trace_met *m;
	uint8_t at = f->latest;

	for (unsigned i = 0; i < TRACE_MET; i++, at = (uint8_t)((at + TRACE_MET - 1) % TRACE_MET)) {
		if (f->met[at].object == object)
			break;
	}
	m = &f->met[at];
	*met = m->object == object;
	if (!*met) {
		at = f->next;
		m = &f->met[at];
		f->next = (uint8_t)((f->next + 1u) % TRACE_MET);
		*m = (struct trace_met){ object, false };
	}
	f->latest = at;
	return m;
}

/* It is in flight from TIME on, or not; it was SEEN last. */
static void fly(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t seen,
		bool flying)
{
	struct trace_flight *f = who->track->flight;

	if (f->flying == flying)
		return;
	f->flying = flying;
	if (p->does->flies)
		p->does->flies(p, who, time, seen, flying);
}

static void show_class(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       enum trace_type type, uint64_t object)
{
	if (who->calls)
		trace_put_event(p, who->calls, time, type,
				trace_class_of_object(p, who->calls->task, object));
}

static void thrown(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		   uint64_t object)
{
	struct trace_flight *f = who->track->flight;
	bool met;
	struct trace_met *m = meet(f, object, &met);

	if (!met || m->landed)
		show_class(p, who, time, met ? TRACE_TYPE_RETHROWN : TRACE_TYPE_THROWN, object);
	m->landed = false;
	f->seen = time;
	f->depth = who->track->timeline.depth;
	fly(p, who, time, time, true);
}

static void caught(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		   uint64_t object)
{
	struct trace_flight *f = who->track->flight;
	bool met;
	struct trace_met *m = meet(f, object, &met);

	if (!met || m->landed) /* where it was thrown, nothing is woven */
		show_class(p, who, time, met ? TRACE_TYPE_RETHROWN : TRACE_TYPE_THROWN, object);
	show_class(p, who, time, TRACE_TYPE_CAUGHT, object);
	m->landed = true;
	fly(p, who, time, time, false);
}

void trace_flight_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t word)
{
	struct trace_track *track = who->track;

	if (!track->flight)
		track->flight = jw_mem_zalloc(1, sizeof(*track->flight));
	if (!track->flight)
		p->failed = true;
	else if (jwr_word_kind(word) == JWR_THROWN)
		thrown(p, who, time, jwr_word_payload(word));
	else
		caught(p, who, time, jwr_word_payload(word));
}

void trace_flight_before(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 enum jwr_kind kind)
{
	struct trace_flight *f = who->track->flight;

	if (!f || !f->flying || kind == JWR_THROWN || kind == JWR_CAUGHT || trace_is_capture(kind))
		return;
	if (kind == JWR_FAIL)
		f->seen = time;
	else
		fly(p, who, time, f->seen, false);
}

void trace_flight_after(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			enum jwr_kind kind)
{
	struct trace_flight *f = who->track->flight;
	uint32_t depth = who->track->timeline.depth;

	if (!f || f->met[f->latest].landed)
		return;
	if (kind == JWR_FAIL && depth < f->depth)
		f->depth = depth;
	if (kind == JWR_FAIL && depth == 0)
		fly(p, who, time, time, false);
	if (kind == JWR_EXIT && depth < f->depth) /* a frame that it would have ended returns */
		f->met[f->latest].landed = true;
}

void trace_flight_end(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	trace_flight_before(p, who, time, JWR_NONE);
	jw_mem_free(who->track->flight);
	who->track->flight = NULL;
}
