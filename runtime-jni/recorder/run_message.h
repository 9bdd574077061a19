/*
 * run_message.h: what the program tells `jweave run`, which has started it, of a trace that it has
 * made.
 *
 * Lines of the file that JWEAVE_RUN names, or jweave.run where the environment may not reach the program; it is
 * there already:
 *     loaded COUNT PACKAGE                             so many classes of it ("org/example") are loaded
 *     trace CALLS OTHERS METHODS THREADS DURATION INSIDE NAME
 *     small CLASS NAME DESCRIPTOR                      a method that was closed, and is small
 *     open PATH                                        a jar or the like that is open now
 *     said                                             that there is no trace, and why, is said
 * with TABs between. OTHERS is trace_summary.others; DURATION and INSIDE (trace_summary.inside_ns) are ns; NAME is
 * absolute. A package may have several lines.
 */
#ifndef RT_RUN_MESSAGE_H
#define RT_RUN_MESSAGE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "trace/replay/profile.h"

/* FILE, which stays, is the one; NULL: JWEAVE_RUN says it. */
void rt_starter_listens_at(const char *file);

/* Is there somebody to tell? */
bool rt_starter_listens(void);

/* Appends a line: CLASSES of PACKAGE are loaded. */
void rt_put_loaded(struct jw_buf *text, unsigned classes, const char *package);
/* Tells the lines of TEXT. */
void rt_tell_starter_text(const struct jw_buf *text);

/* That the user has been told why there is no trace. */
void rt_tell_starter_said(void);

/* Of the trace BASE SUFFIX; nothing where nobody asks. */
void rt_tell_starter(const struct trace_summary *s, const char *base, const char *suffix);

#endif
