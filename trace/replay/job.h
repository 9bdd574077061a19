/*
 * job.h: which recordings are to be replayed, and how.
 */
#ifndef JW_TRACE_REPLAY_JOB_H
#define JW_TRACE_REPLAY_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_select;

/* May enters and exits of a thread be told before what others did earlier? */
enum trace_apart {
	TRACE_IN_ORDER,
	/* But not before anything else that happens to the thread, or what its process's JVM did
	 * earlier; methods come in the order in which they appear. */
	TRACE_APART_BY_THREAD,
	TRACE_APART_BY_THREAD_BETWEEN_ARROWS, /* nor before an arrow that was sent earlier */
	TRACE_APART_BETWEEN_ARROWS,           /* but not before an arrow that was sent earlier */
	TRACE_APART,
	/* All that it does may, but not before arrows to it that were sent earlier; calls and states
	 * neither before pauses of the collector and closings of methods that were earlier, nor after
	 * those that were later. What gets a number gets it all the same where it appears first. With
	 * virtual threads, or many processes, it is as by thread. */
	TRACE_APART_THREADS,
};

struct trace_job {
	const char *const *recordings; /* folders NAME.jwr, one per process */
	size_t recording_count;
	const char *const *maps; /* more places of method maps (jar, folder, .map) */
	size_t map_count;
	/* Bytes of changes of states, and arrows, that stay in memory (0: 8 MiB); more go to an
	 * unnamed file beside this path (NULL, "": where temporary files go). */
	size_t memory;
	const char *spill;
	/* Virtual threads that have a row of their own at one time; 0: as rows allow. */
	uint32_t lanes;
	uint32_t methods; /* at most so many; 0: 16,777,216 */
	/* From two on the output hears all on a thread of its own (trace/relay.h); 0: it does not. */
	size_t threads;
	/* Rows that are left out, by place among those that there would be (the threads of a
	 * report), with all that they did. Each process keeps one. NULL: none. */
	const bool *leave_out;
	size_t leave_out_n;
	/* Of all that happened what the output is told; once. NULL: all. */
	struct trace_select *select;
	/* Called now and then: how much of the work is done, as bytes of the recordings (`all` of
	 * them). May be NULL. */
	void (*progress)(void *ctx, double done, double all);
	void *progress_ctx;
};

#endif
