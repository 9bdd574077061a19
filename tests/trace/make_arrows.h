/*
 * make_arrows.h: a call site for each kind of operation that has arrows, for the tests of arrows
 * (over make_steps.h).
 */
#ifndef JW_TESTS_TRACE_MAKE_ARROWS_H
#define JW_TESTS_TRACE_MAKE_ARROWS_H

#include "tests/trace/make_steps.h"

enum {
	START,
	JOIN,
	SLEEP,
	INTERRUPT,
	PARK,
	PARK_NANOS,
	UNPARK,
	WAIT,
	WAIT_MS,
	NOTIFY,
	NOTIFY_ALL,
	LOCK,
	UNLOCK,
	TRY_LOCK,
	AWAIT,
	AWAIT_TIME,
	SIGNAL,
	ACQUIRE,
	RELEASE,
	COUNT_DOWN,
	LATCH,
	BARRIER,
	ARRIVE_WAIT,
	ARRIVE,
	EXCHANGE,
	PUT,
	TAKE,
	POLL,
	SUBMIT,
	RUN,
	GET,
	FORK,
	COMPLETE,
	START_VIRTUAL,
	READ_LOCK,
	READ_UNLOCK,
	INVOKE,
	ENTER,
	EXIT,
	HOLD,
	ACQUIRE_N,
	RELEASE_N,
	TRY_ACQUIRE_N,
	DRAIN,
	EXCHANGE_TIME,
	EXECUTE,
	GET_TASK,
	SCHEDULE,
	VIEW_READ,
	VIEW_WRITE,
	SUBMIT_BODY,
	BODY,
	BARRIER_INDEX,
	READ_STAMP,
	WRITE_STAMP,
	UNLOCK_STAMP,
	VIEW_STAMP,
	CLEAR,
	TIER,
	CONDITION,
	COMPLETE_FIRST,
};

/* A map of them, in the scratch folder; its path. */
const char *arrows_map(void);

/* Those of the recording at hand. */
const char *arrows(void);

/* A call that ends by an exception of the class that CLASS, a text of meta's, names. */
void fail_by(uint32_t uid, uint32_t site, int64_t class);

/* A wait as JVM TI and the call tell it. */
void wait_begins(uint32_t uid, uint32_t site, uint64_t object);

void wait_ends(uint32_t uid, uint32_t site, uint64_t object, enum jwr_kind how);

void submit(uint32_t uid, uint64_t task, uint64_t future);

#endif
