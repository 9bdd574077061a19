/*
 * crowd.h: calls of the threads that share a row, as an output hears of them: it takes each end for that of the innermost call of the row.
 *
 *     enter, leave, ... -> free
 *
 * So an end is told once the calls that began after it, of whatever thread, have ended: each method has as many calls, and as many that an
 * exception ended, as there were. Of a call that others hold up for too long the end is told early, as if it returned.
 * Cost: a step each; 12 bytes for a call while it is open, and for some thousands more.
 */
#ifndef JW_TRACE_REPLAY_CROWD_H
#define JW_TRACE_REPLAY_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_pass;
struct trace_row;

/* So many calls at most have ended, and it could not be told yet. */
#define TRACE_CROWD_ENDED 4096

struct trace_crowd {
	struct trace_crowd_call {
		uint32_t method;
		uint32_t below; /* the open call of that method before this one, from 1; 0: none */
		bool ended, failed;
	} * calls; /* owned; the innermost one last */
	struct trace_crowd_method {
		uint32_t open;  /* its innermost open call, from 1; 0: none */
		uint32_t early; /* calls whose end was told before there was one */
	} * methods;            /* owned; by number */
	size_t n, cap, method_cap, ended;
};

/* A call of METHOD (its number) of a thread that shares ROW begins. */
void trace_crowd_enter(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		       uint32_t method);
/* One ends; FAILED: by an exception. */
void trace_crowd_leave(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		       uint32_t method, bool failed);
/* COUNT crowds at CROWDS. */
void trace_crowds_free(struct trace_crowd *crowds, size_t count);

#endif
