/*
 * lines.h: the LineNumberTables of a body (JVMS 4.7.12).
 *
 * There may be several, in any order, and they need not be valid: what is cut off or out of range is
 * ignored.
 */
#ifndef JW_CFR_LINES_H
#define JW_CFR_LINES_H

#include <stdint.h>

#include "cfr/code.h"

/* How many different lines the tables among ATTRS name; 0: none. Allocates nothing. */
uint32_t cfr_line_count(const struct cfr_class *cls, const struct cfr_attrs *attrs);

/* The line of the lowest pc in the first table of CODE, 0: none. */
uint32_t cfr_first_line(const struct cfr_class *cls, const struct cfr_code *code);

/* By pc of CODE, 1 + the line that begins there, 0: none begins. NULL: no memory, or no table. */
uint32_t *cfr_line_starts(const struct cfr_class *cls, const struct cfr_code *code,
			  struct jw_arena *arena);

#endif
