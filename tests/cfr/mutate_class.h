/*
 * mutate_class.h: class files changed the way compilers differ: an instruction, a call, a handler,
 * a constant, an attribute more or another one. What was well formed mostly stays so, and reaches
 * what a class that lost a byte never does.
 *
 * For fuzz targets (fuzz.h) and for tests.
 */
#ifndef JW_TESTS_CFR_MUTATE_CLASS_H
#define JW_TESTS_CFR_MUTATE_CLASS_H

#include "tests/cfr/mutant.h"
#include "tests/cfr/mutate_code.h"

/* ---- all of them ---- */

/* The class IN with one change as *STATE says, to OUT; nothing where there is nothing to change (IN
 * is no class, say). */
void mutate_class(struct jw_span in, struct jw_buf *out, uint32_t *state);

#endif
