/*
 * view.h: what a page in a browser needs of a run, beside its report (report/report.h): the lines of
 * its timeline, pauses, arrows, and where the longest calls of each method are. Columns of numbers,
 * in sections, for share/view/data.js.
 *
 *     trace_view_new -> what trace_view_output hears -> trace_view_free
 *
 * Short spans are summed up (view_track.h), so that all lines together stay below TRACE_VIEW_BYTES:
 * a small run is there call by call, of a long one each call that is longer than LEAST.
 * Memory: that, and some bytes for each row, level and method.
 *
 * A section has a name and bytes; numbers are varints (LEB128), texts have their length before them,
 * times are ns. A column is all numbers of one kind, one after another.
 *
 *     "index"    version (1), end, LEAST, levels that rows have at most, calls on deeper levels
 *                rows; of each: process, 1 of the JVM's own | 2 of virtual threads,
 *                               K of the section "rows.K", where it begins there, lines, spans
 *                processes; of each: pid, rank + 1 (0: none), its role, host, and application
 *                               (texts), when it began and ended, its CPU time (0: not told), a
 *                               track of its pauses
 *                pauses that were begun before others had ended
 *     "rows.K"   of each row its lines: the states, then the calls of each level, the outermost
 *                first; all of them tracks
 *     "arrows"   arrows in all, N that are here (every Kth in order of time)
 *                columns: sent, since the arrow before; received, since sent; from; to; tag
 *     "longest"  methods; of each N; N times row, level, begin, length: the longest first
 *
 *     "said"     values that calls have captured in all, N that are here (the first)
 *                N times row, line (as a track), begin of the call, type, 1 if it is the number
 *                of a text, value
 *                types; of each: number, label (text); texts; of each: number, text; tags of arrows; of
 *                each: number, label (text)
 *
 *     "contexts" where there were any: stretches of time in which one row had one trace and span of
 *                OpenTelemetry in all, N that are here (the first)
 *                N times row, begin, length, the trace id in four parts of 32 bits, the span id in two
 *
 *     "durations" methods; of each N calls, and where N > 0: the shortest, p50, p90, p99, p99.9, then
 *                the first bar of its histogram, bars, calls of each; bars begin at 0, 1, 2, 3, 4, 6, 8,
 *                12, 16 .. ns
 *     "tree"     nodes; columns: I - its parent's I (0: a root); method, from 1 (0: a root, or what was
 *                folded); calls; self. All threads together
 *
 *     track      N; columns of N: begin, since the span before it ended; length; what, times 4,
 *                + 1 of a sum, + 2 of what ended by an exception
 *                of each sum, in two columns: how many; how long all were
 *
 * What: of states their number, of calls that of the method in the report, from 1 (0: more than a
 * report has). Rows are the threads of the report, in their order.
 */
#ifndef JW_TRACE_VIEW_H
#define JW_TRACE_VIEW_H

#include "base/bytes.h"
#include "base/status.h"

#define TRACE_VIEW_VERSION  2
#define TRACE_VIEW_BYTES    ((size_t)32 << 20)
#define TRACE_VIEW_LONGEST  10 /* calls of a method */
#define TRACE_VIEW_CAPTURES 100000
#define TRACE_VIEW_CONTEXTS 20000
#define TRACE_VIEW_ARROWS   ((size_t)1 << 19)

struct trace_index_writer;
struct trace_output;
struct trace_report;
struct trace_view;

/* Who takes the sections, once all has happened. */
struct trace_view_sink {
	enum jw_status (*section)(void *to, const char *name, struct jw_span bytes,
				  struct jw_err *e);
	void *to;
	size_t bytes; /* of all lines; 0: TRACE_VIEW_BYTES */
	/* hears all spans, too (view_index.h); NULL: nobody does */
	struct trace_index_writer *index;
};

/* NULL: no memory. SINK lives as long. */
struct trace_view *trace_view_new(const struct trace_view_sink *sink);
void trace_view_free(struct trace_view *view);

/* Sections of what the report knows beside sums: "durations" and "tree". */
enum jw_status JW_MUST_USE trace_view_put_report(const struct trace_view_sink *sink,
						 const struct trace_report *report,
						 struct jw_err *e);

/* For a struct trace_view. */
extern const struct trace_output trace_view_output;

#endif
