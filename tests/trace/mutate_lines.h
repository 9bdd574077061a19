/*
 * mutate_lines.h: text of lines with fields between tabs, changed by lines and fields.
 */
#ifndef JW_TESTS_TRACE_MUTATE_LINES_H
#define JW_TESTS_TRACE_MUTATE_LINES_H

#include <string.h>

#include "base/bytes.h"
#include "tests/draw.h"

/* In PART, the GONE bytes at AT become COMES. */
void mutate_splice(struct jw_buf *part, size_t at, size_t gone, struct jw_span comes);

/* A line of TEXT comes (one of the COUNT LINES), comes again elsewhere, or goes; or a field of it
 * is another number. */
void mutate_lines(struct jw_buf *text, const char *const *lines, size_t count, uint32_t *state);

#endif
