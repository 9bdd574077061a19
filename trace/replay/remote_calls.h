/*
 * remote_calls.h: which calls leave the process, and which methods serve one that came.
 */
#ifndef JW_TRACE_REPLAY_REMOTE_CALLS_H
#define JW_TRACE_REPLAY_REMOTE_CALLS_H

#include <stdbool.h>

struct trace_inside;
struct trace_recording;
struct trace_row;

/* Is ONE, of which all is told that is captured before the call, a call of an object of this
 * process, where its rule takes it for a remote one? REC: of its process. */
bool trace_is_local_call(const struct trace_recording *rec, const struct trace_inside *one);
/* Is ONE, in the thread of ROW, a method of a remote object that no remote call has called? */
bool trace_serves_nobody(const struct trace_row *row, const struct trace_inside *one);

#endif
