/*
 * perfetto.h: what happened, as Perfetto's own traces (.pftrace) have it: https://ui.perfetto.dev and
 * its trace_processor open them.
 *
 *     file      TracePacket ..         as field 1 of a message that never ends
 *     process   -> a track, with the tracks of its threads, and those of its connections: requests
 *     thread    -> a track of slices (calls), instants (marks) and flows (arrows) between them;
 *                  below it "state", "waits", "operations", "virtual thread", "tasks",
 *                  "trace context", where there are any
 *
 *     sequence 1               descriptors of tracks, then marks: on any track
 *     sequence 2 + 2 * thread  its calls; of all sequences: times since the one before, names by
 *                              number
 *     sequence 3 + 2 * thread  its states, likewise
 *
 * Numbers are explained before they are used, but names are known last: so packets are put aside
 * (replay/aside.h), and what explains them is written before them. What stays of the gap is a packet
 * of one field that no reader knows. Memory grows with threads, open calls and names. Cost: 11 and
 * 17 bytes for begin and end of a call, 60 ns for both; 14 bytes more for one in a trace context.
 */
#ifndef JW_TRACE_PERFETTO_H
#define JW_TRACE_PERFETTO_H

#include "trace/destination.h"
#include "trace/output.h"

struct trace_engine;
struct trace_requests;

extern const struct trace_output trace_perfetto_output;

/* The context of trace_perfetto_output; NULL: no memory. TO lives as long. */
void *trace_perfetto_new(const struct trace_destination *to);
/* Of ENGINE, which hears the same before, tasks become slices, too (engine/engine.h). */
void trace_perfetto_tasks(void *ctx, const struct trace_engine *engine);
/* So do REQUESTS, which keeps all of them (requests/requests.h). */
void trace_perfetto_requests(void *ctx, struct trace_requests *requests);
/* NULL may be freed, too. */
void trace_perfetto_free(void *ctx);

#endif
