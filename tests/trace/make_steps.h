/*
 * make_steps.h: recordings in which one thing happens after the other, 100 ns apart, and the arrows
 * that they make: for the tests of arrows.
 *
 *     begin("name", N)                          N threads, rows 1 to N, with these Java ids
 *     call / ret / fail / at_once / vm          what they do
 *     arrows_of(sites, n)                       the arrows as text
 */
#ifndef JW_TESTS_TRACE_MAKE_STEPS_H
#define JW_TESTS_TRACE_MAKE_STEPS_H

#include "tests/tap.h"
#include "tests/trace/make_calls.h"

/* The recording at hand. */
extern struct make m;
extern const char *name;
extern uint64_t now; /* ns */

uint64_t tick(uint64_t ns);

/* A recording of N threads, which lived before it. */
void begin(const char *what, uint32_t n);

/* Every step is 100 ns after the one before. */
void step(void);

void call(uint32_t uid, uint32_t site, uint64_t object);

void ret(uint32_t uid, uint32_t site);

void fail(uint32_t uid, uint32_t site);

void value(uint32_t uid, int64_t v);

void vm(uint32_t uid, enum jwr_kind kind, uint64_t object);

/* Calls that do not wait. */
void at_once(uint32_t uid, uint32_t site, uint64_t object);

uint64_t thread(uint64_t id);

/* The arrows of the trace: "ROW@SEND>ROW@RECEIVE/TAG ", times as steps of 100 ns. */
const char *arrows_of(const struct make_site *sites, size_t count);

/* Of the trace that was written last: how often TEXT is in it; the states of row ROW in which it
 * waits: "5@3-4 ". */
int in_trace(const char *text);
const char *waits(uint32_t row);
/* How often TEXT is in its .pcf. */
int in_pcf(const char *text);

#endif
