/*
 * track.c: see track.h. What JVM TI says of a wait inside a call is more precise than the call, and
 * wins; but for what the call itself says as well.
 */
#include "base/memory.h"
#include "trace/output.h"
#include "trace/replay/changes.h"
#include "trace/replay/flight.h"
#include "trace/replay/track.h"

#include "base/banned.h"

void trace_show_state(const struct trace_who *who, uint64_t time)
{
	const struct trace_waits *waits = &who->track->waits;
	const struct trace_inside *inside = trace_innermost(&who->track->insides);
	uint32_t state = inside                                    ? inside->state
			 : who->track->of_vm && !who->track->calls ? TRACE_FOR_WORK
								   : TRACE_RUNNING;
	uint32_t waited = waits->n ? trace_wait_states[waits->at[waits->n - 1].value] : 0;

	/* Thread.join() is an Object.wait() inside: the call is what the program does */
	if (waited && !(state == TRACE_WAIT_ALL && waited == TRACE_SYNCHRONIZATION))
		state = waited;
	if (state == TRACE_RUNNING && who->track->flight && who->track->flight->flying)
		state = TRACE_OTHERS;
	if (who->changes)
		trace_changes_put(who->changes, time, state);
}

void trace_track_free(struct trace_track *track)
{
	for (uint8_t i = 0; i < track->waits.n; i++)
		jw_mem_free(track->waits.at[i].waiter);
	track->waits.n = 0;
	trace_timeline_free(&track->timeline);
	trace_insides_free(&track->insides);
	trace_held_free(&track->held);
	jw_mem_free(track->flight);
	track->flight = NULL;
}
