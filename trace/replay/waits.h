/*
 * waits.h: what threads wait for as JVM TI tells it (monitors to enter, and Object.wait()), and as
 * natives of the JDK tell it (park, sleep, I/O).
 *
 *     take, take, ... -> close
 *     take, take, ... -> close -> go on, take ..      where recording was paused
 */
#ifndef JW_TRACE_REPLAY_WAITS_H
#define JW_TRACE_REPLAY_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/format/recording.h"

struct trace_pass;
struct trace_waiter;
struct trace_who;

/* What a thread waits for: a small stack, the innermost last. */
#define TRACE_WAITS 4
struct trace_waits {
	struct trace_wait {
		uint64_t object;
		uint64_t begin;
		struct trace_waiter *waiter; /* arrows.c */
		uint32_t class, place;       /* as they are shown; 0: unknown */
		uint32_t at;                 /* the place, as meta has it; 0: unknown */
		uint32_t channel;            /* that is read or written: its number; 0: none */
		uint8_t value;               /* enum trace_wait_kind */
	} at[TRACE_WAITS];
	uint32_t over;  /* beyond that: counted, not shown */
	uint32_t asked; /* the channel that a request was read from, which is not answered yet; 0 */
	uint8_t n;
	uint8_t cut; /* so many were open when recording was paused; 0: something was told since */
};

/* The state that goes with each enum trace_wait_kind. */
extern const uint32_t trace_wait_states[];

/* The enum trace_wait_kind of WHAT an AWAIT waits for; TRACE_NO_WAIT: one of a later version. */
uint8_t trace_wait_of_await(unsigned what);
/* Does a record of KIND begin or end a wait? */
bool trace_is_of_wait(enum jwr_kind kind);
/* A record of WHO about a monitor, a park, a sleep or I/O. */
void trace_waits_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word);
/* Does a record of KIND begin a wait, or tell of one that has begun? */
bool trace_wait_begins_by(enum jwr_kind kind);
/* The enum trace_wait_kind of what a record of WORD ends; TRACE_NO_WAIT: it ends none. */
uint8_t trace_wait_ended_by(uint64_t word);
/* Recording goes on, and WHO still waits as it did when it was paused, by VALUE: that begins at TIME. TRACE_NO_WAIT: it
 * does not. */
void trace_waits_go_on(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint8_t value);
/* What WHO waits for by VALUE, the innermost; NULL: nothing, or more than is kept. */
struct trace_wait *trace_waits_innermost(const struct trace_who *who, uint8_t value);
/* Closes what is open. */
void trace_waits_close(struct trace_pass *p, const struct trace_who *who, uint64_t time);

#endif
