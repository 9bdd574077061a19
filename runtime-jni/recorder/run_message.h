/*
 * run_message.h: what the program tells `jweave run`, which has started it, of a trace that it has
 * made.
 *
 * A line of the file that JWEAVE_RUN names, which is there already:
 *     trace CALLS METHODS THREADS DURATION INSIDE NAME
  *     small CLASS NAME DESCRIPTOR                      a method that was closed, and is small
 *     open PATH                                        a jar or the like that is open now
 * with TABs between. DURATION and INSIDE (traced methods, of all threads) are ns; NAME is absolute.
 */
#ifndef RT_RUN_MESSAGE_H
#define RT_RUN_MESSAGE_H

#include "trace/replay/profile.h"

/* Of the trace BASE SUFFIX; nothing where nobody asks. */
void rt_tell_starter(const struct trace_summary *s, const char *base, const char *suffix);

#endif
