/*
 * otf2.h: what happened, as an archive of the Open Trace Format 2, which Vampir, Score-P's tools,
 * otf2-print and vite open. Written by libotf2; a program that is built without it has no such
 * format (export.c).
 *
 *     folder         traces.otf2, traces.def, traces/N.evt, traces/N.def
 *     host           -> a node of the system tree; process -> a location group
 *     thread         -> a location, with its events:
 *
 *     call           Enter and Leave of a region, with file and line; an attribute says that an
 *                    exception ended it
 *     arrow          MpiSend and MpiRecv in a communicator of all threads, and, of Thread.start and
 *                    join, ThreadCreate and ThreadBegin, ThreadEnd and ThreadWait
 *     state, GC      a metric that is 1 as long as it lasts, else 0
 *     lock, monitor  ThreadAcquireLock and ThreadReleaseLock (locks.c)
 *     read, write    IoOperationBegin and IoOperationComplete; metrics add their bytes up
 *     exception, object made, wait, capture
 *                    a parameter: a text or number, of the region it is in
 *     event of the program, CPU time
 *                    a metric
 *
 * libotf2 keeps some 5 MB for each location that it writes, so events wait in a spool until end(),
 * and one location is written after another. Memory grows with threads, open calls, locks and names.
 * Cost: 150 ns for a call.
 */
#ifndef JW_TRACE_OTF2_OTF2_H
#define JW_TRACE_OTF2_OTF2_H

#include "trace/destination.h"
#include "trace/output.h"

extern const struct trace_output trace_otf2_output;

/* The context of trace_otf2_output; NULL: no memory. TO, whose `path` is an empty folder, lives as
 * long. */
void *trace_otf2_new(const struct trace_destination *to);
/* NULL may be freed, too. */
void trace_otf2_free(void *ctx);

#endif
