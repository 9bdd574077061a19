/*
 * probes.h: the bytes of the probes of a method and of its call sites.
 *
 * Order of calls: measure once calls and monitors are known, then lay out, then add the constants,
 * then write. What is measured is allocated once, in the class's arena.
 */
#ifndef JW_WEAVER_PROBES_H
#define JW_WEAVER_PROBES_H

#include "weaver/class/body.h"

/* Measures the probes of the method and of its calls, and the fresh locals that they take. */
enum jw_status JW_MUST_USE weave_measure_probes(struct weave_body *b, struct jw_err *e);

/* Writes them, once all constants are known. */
enum jw_status JW_MUST_USE weave_write_probes(struct weave_body *b, struct jw_err *e);

#endif
