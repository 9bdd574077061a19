/*
 * arrows.h: which event of which thread let another thread go on.
 *
 *     calls.c, dispatch.c -> arrows.c        what begins and ends, by the role of its operation
 *                 arrow_told.c               what JVM TI tells of monitors
 *                 arrow_parks.c              parks, as natives of the JDK tell of them
 *         -> arrow_threads.c                 threads: start, end, interrupt, unpark
 *         -> arrow_waits.c                   what waits at an object, and what lets it go
 *             -> arrow_sent.c                what is sent to one of several, or kept
 *             -> arrow_locks.c, arrow_monitors.c, arrow_gates.c, arrow_pairs.c
 *             -> arrow_tasks.c               submit, run, get
 *         -> arrow_objects.c                 the objects
 *         -> arrow_list.c                    arrows in order of their beginnings
 *
 *     trace_arrows_new -> begin, end, wait .. in time -> trace_arrows_free
 *
 * Found in the first reading, where all threads pass by in time; written in the second. An arrow is
 * a fact: where it cannot be known which of several it was, there is none. Memory is bounded by
 * what is open; what may never be closed is limited, the oldest goes first.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROWS_H
#define JW_TRACE_REPLAY_ARROWS_ARROWS_H

#include <stdbool.h>
#include <stdint.h>

struct trace_arrows;
struct trace_who;
struct trace_world;

/* What is open while arrows are looked for; NULL: no memory. */
struct trace_arrows *trace_arrows_new(struct trace_world *world);
void trace_arrows_free(struct trace_arrows *a);
/* Has there been no memory? Also when A is NULL. */
bool trace_arrows_failed(const struct trace_arrows *a);
/* The innermost call or method of WHO begins, as soon as it is known what it is about; or ends; or
 * is left open at the end of all, or of what is around it. */
void trace_arrows_begin(struct trace_arrows *a, const struct trace_who *who, uint64_t time);
void trace_arrows_end(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
		      bool failed);
void trace_arrows_abandon(struct trace_arrows *a, const struct trace_who *who);
/* Nothing was seen for a while: what has no other end yet is forgotten, but for waits. */
void trace_arrows_cut(struct trace_arrows *a);

#endif
