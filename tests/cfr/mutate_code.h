/*
 * mutate_code.h: one instruction, handler or piece of code of a method is another one, comes, or
 * goes. Each of mutate_opcode(), mutate_operand(), mutate_handlers() and mutate_code() says with
 * false that it found nothing to change.
 */
#ifndef JW_TESTS_CFR_MUTATE_CODE_H
#define JW_TESTS_CFR_MUTATE_CODE_H

#include "cfr/code.h"
#include "cfr/smt_put.h"
#include "tests/cfr/mutant.h"

/* Another instruction with such operands; half of the time one that does the same to the stack. */
bool mutate_opcode(struct mutant *m);

bool mutate_operand(struct mutant *m);

/* A Code attribute in its parts. */
struct mutant_body {
	uint32_t max_stack, max_locals;
	struct jw_buf code, handlers, attrs; /* of `attrs`, the count is its first two bytes */
};

/* An entry of the exception table comes (before or after the others), goes, or is another one. */
bool mutate_handlers(struct mutant *m);

/* In a piece of code: the index (u2) of a class, and (u1) of a local variable. */
enum { PIECE_CLASS = 0xfd, PIECE_LOCAL = 0xfc };

/* ---- a piece of code comes into a method ---- */

/* N bytes come at pc AT. What leads to AT, and ranges that begin or end there, stay there;
 * the instruction itself moves. */
struct mutant_shift {
	uint32_t at, n;
};

bool mutate_code(struct mutant *m);

#endif
