/*
 * check_tables.h: do the rows that recordings, or a .prv, become keep what tables.def promises?
 * Aborts when they do not.
 */
#ifndef JW_TESTS_TRACE_CHECK_TABLES_H
#define JW_TESTS_TRACE_CHECK_TABLES_H

#include "base/bytes.h"

/* The recording at PATH, if it can be replayed. */
void check_tables(const char *path);
/* The trace PRV with the texts beside it, if it can be read. */
void check_tables_of_prv(struct jw_span prv, struct jw_span pcf, struct jw_span row);

#endif
