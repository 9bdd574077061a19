/*
 * make_operations.h: a method map with a call site for every operation, and more than one for those
 * that make arrows; sites with captures that the trace shows; methods of a rule that spared some.
 *
 *     map = make_operations()
 *     make_abouts[i]          what site I is about: OPERATION | CAPTURE | CAPTURE...
 */
#ifndef JW_TESTS_TRACE_MAKE_OPERATIONS_H
#define JW_TESTS_TRACE_MAKE_OPERATIONS_H

#include "tests/trace/make_calls.h"

enum { MAKE_SITES = 512, MAKE_METHODS = 16 /* methods 0 to 15 of make_method() */ };
extern char make_abouts[MAKE_SITES][160];
extern uint32_t make_site_count;

/* The map, written into the scratch folder at the first call; its path. */
const char *make_operations(void);

#endif
