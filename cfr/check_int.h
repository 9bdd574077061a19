/*
 * check_int.h: the parts of the checker (check.h).
 */
#ifndef JW_CFR_CHECK_INT_H
#define JW_CFR_CHECK_INT_H

#include "cfr/code.h"
#include "cfr/smt.h"

/* Slots that an instruction takes and gives, without what its operands add. */
struct cfr_effects {
	uint8_t taken[256], given[256];
};
void cfr_effects_init(struct cfr_effects *effects);

/* Follows the depth of the stack through CODE: never below zero, never over max_stack, the same
 * from every way a pc is reached, as its frame says; locals within max_locals; the end is not run
 * over; from class file 51 on a frame wherever control flow joins or starts anew. */
enum jw_status JW_MUST_USE cfr_check_flow(const struct cfr_class *cls,
					  const struct cfr_member *method,
					  const struct cfr_code *code,
					  const struct cfr_effects *effects, struct jw_arena *arena,
					  struct jw_err *e);

/* The tables that no verifier reads: LineNumberTable, LocalVariableTable, LocalVariableTypeTable,
 * type annotations: whole, and their pcs where instructions are. */
enum jw_status JW_MUST_USE cfr_check_debug(const struct cfr_class *cls, const struct cfr_code *code,
					   struct jw_err *e);

#endif
