/*
 * quantity.h: sizes and durations as people write them.
 */
#ifndef JW_RULES_QUANTITY_H
#define JW_RULES_QUANTITY_H

#include <stdint.h>

/* "64MiB" in bytes, "1.5ms" in nanoseconds; NULL, or where in TEXT it is wrong (at its start: it
 * is no number, or too large). */
const char *rules_size(const char *text, uint64_t *bytes);
const char *rules_duration(const char *text, uint64_t *ns);

#endif
