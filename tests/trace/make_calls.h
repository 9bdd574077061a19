/*
 * make_calls.h: recordings whose calls have states, operations and captures: a method map of call
 * sites, and threads that make the calls.
 *
 *     map = make_sites("NAME.map", sites, n)     site I has id make_site(I)
 *     make_call / make_returned                  the records of one call
 */
#ifndef JW_TESTS_TRACE_MAKE_CALLS_H
#define JW_TESTS_TRACE_MAKE_CALLS_H

#include "tests/trace/make_recording.h"

#define MAKE_SITE_CLASS UINT64_C(0x5157e5)

struct make_site {
	int state;          /* below 0: none */
	const char *callee; /* "java.lang.Thread.start()V" */
	const char *about;  /* OPERATION [| CAPTURE]..., or "" */
};

uint64_t make_site(uint32_t i);

/* A method of the same class, of which the map has none. */
uint64_t make_method(uint32_t i);

/* Further lines of the maps to come, before their classes: "h\t48200001\n"; "": none. */
extern const char *make_map_lines;
/* In those maps the rule of site I is "ruleI", else "rule" of all. */
extern bool make_own_rules;

/* A map file of N call sites in the scratch folder; its path. */
const char *make_sites(const char *name, const struct make_site *sites, size_t n);

/* The call at site I on OBJECT (0: none captured) begins. */
void make_call(struct make *m, uint32_t uid, uint64_t tick, uint32_t i, uint64_t object);

/* It returns, or fails. */
void make_returned(struct make *m, uint32_t uid, uint64_t tick, uint32_t i);

void make_failed(struct make *m, uint32_t uid, uint64_t tick, uint32_t i);

#endif
