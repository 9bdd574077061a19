/*
 * parallel.h: N threads over a list of jobs, results handed over in the order of the list.
 *
 * The output of a parallel run is the same as that of one thread: work() runs on any thread, in any
 * order; done() runs for job 0, 1, 2, ... in this order, never two at once, on the thread that had
 * a result when its turn came. At most `window` jobs, and the early ones, are between work() and
 * done(), and of `held_max` bytes, so memory is bounded. The caller's thread works, too, and is the
 * only one that takes the signals of jw_guard_hold(): their handler never interrupts a done()
 * (guard.h).
 */
#ifndef JW_BASE_PARALLEL_H
#define JW_BASE_PARALLEL_H

#include <stddef.h>

#include "base/status.h"

struct jw_parallel {
	size_t jobs;    /* how many */
	size_t threads; /* with the caller's; 1: no thread is made; 0: one per processor */
	size_t window;  /* results waiting at most; 0: 4 * threads */
	/* Jobs that take long, by rising number: begun before all others, so that no thread
	 * waits for them when their turn comes. May be NULL. */
	const size_t *early;
	size_t early_count;
	const size_t *early_first; /* their order: 0 .. early_count-1; NULL: as listed */
	void *ctx;
	/* No job is begun while results hold more than HELD_MAX bytes, but the one whose turn it
	 * is. How many SLOT holds: asked when its job is done with work(). NULL: they are not
	 * counted. */
	size_t (*held)(void *ctx, size_t slot);
	size_t held_max;
	/* Does JOB in slot SLOT, where its result waits: below window + early_count, and one that
	 * THREAD had before, if one of those is free; THREAD is 0 .. threads-1. An error stops the
	 * run after the jobs before it are done. */
	enum jw_status (*work)(void *ctx, size_t job, size_t slot, size_t thread, struct jw_err *e);
	/* Takes the result of JOB out of SLOT. */
	enum jw_status (*done)(void *ctx, size_t job, size_t slot, struct jw_err *e);
};

/* Runs all jobs; returns the error of the first job (by number) that failed. */
enum jw_status JW_MUST_USE jw_parallel_run(const struct jw_parallel *p, struct jw_err *e);

/* How many processors this process may use (affinity and cgroup quota respected), at least 1. */
size_t jw_processors(void);

#endif
