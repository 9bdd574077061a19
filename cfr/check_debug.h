/*
 * check_debug.h: the checker of the tables that no verifier reads.
 */
#ifndef JW_CFR_CHECK_DEBUG_H
#define JW_CFR_CHECK_DEBUG_H

#include "cfr/code.h"

/* LineNumberTable, LocalVariableTable, LocalVariableTypeTable,
 * type annotations: whole, and their pcs where instructions are. */
enum jw_status JW_MUST_USE cfr_check_debug(const struct cfr_class *cls, const struct cfr_code *code,
					   struct jw_err *e);

#endif
