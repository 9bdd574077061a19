/*
 * timeline.h: records of one thread become balanced frames.
 *
 *     take, take, ... -> end -> free      cut and shut wherever frames are known to be over
 *
 * Each enter that is shown gets exactly one exit. Cost: a call 24 bytes while it is open, and a
 * search of the stack only where an exit is not that of its innermost call.
 */
#ifndef JW_TRACE_REPLAY_TIMELINE_H
#define JW_TRACE_REPLAY_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

struct trace_closings;
struct trace_pass;
struct trace_row;

/* Ten times as deep as a JVM gets with its usual stacks; a frame takes 24 bytes. */
#define TRACE_MAX_DEPTH (UINT32_C(1) << 20)

/* Frames of a thread. */
struct trace_frame {
	uint64_t enter, inner_ns; /* inner: of the calls it made */
	uint32_t method;
	bool again;     /* the method was on the stack already: its time is counted there */
	bool stale;     /* its method was closed since: it ends when it is the innermost */
	uint16_t below; /* a bit, by number, for the method of each frame below it */
};

struct trace_timeline {
	struct trace_frame *frames; /* owned */
	uint32_t *open; /* owned; how many frames are open, by hash of the method; NULL: shallow */
	uint32_t depth, cap;
	uint32_t over;      /* enters beyond TRACE_MAX_DEPTH: counted, not shown */
	uint64_t budget;    /* steps that searching in vain may still cost */
	uint64_t inside_ns; /* in calls that are over */
	bool partial;       /* calls may have begun where nothing was recorded */
	bool closes;        /* or where their methods were closed */
};

/* What an enter or exit WORD at TIME means for the frames of ROW (NULL: shown nowhere). */
void trace_timeline_take(struct trace_pass *p, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time, uint64_t word);
/* Is WORD an exit, or the enter of a method that has its number by now? */
bool trace_timeline_knows(const struct trace_pass *p, uint64_t word);
/* Closes what is open: there may be more to come, whose enters nobody has seen. */
void trace_timeline_cut(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
			uint64_t time);
/* The methods of CLOSINGS were closed by TICK: what is open of them ends, each call as soon as it
 * is the innermost. */
void trace_timeline_shut(struct trace_pass *p, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time,
			 const struct trace_closings *closings, uint64_t tick);
/* Closes what is open. */
void trace_timeline_end(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
			uint64_t time);
void trace_timeline_free(struct trace_timeline *t);

#endif
