/*
 * check_exports.h: is what every format of export (trace/export/export.h) writes of a recording, or of a
 * .prv, valid as its readers say? Aborts when it is not.
 */
#ifndef JW_TESTS_TRACE_CHECK_EXPORTS_H
#define JW_TESTS_TRACE_CHECK_EXPORTS_H

#include "base/bytes.h"

/* The recording at PATH, if it can be replayed, with MAP (NULL: none). CHOICE: which of the options, of the tables, and of
 * the formats that take their time (those that make files). */
void check_exports(const char *path, const char *map, unsigned choice);
/* Likewise, the trace PRV with the texts beside it. */
void check_exports_of_prv(struct jw_span prv, struct jw_span pcf, struct jw_span row,
			  unsigned choice);

/* What FORMAT, a stream of bytes, writes of the trace, in OUT; "tsv": of TABLE. */
void export_prv(const char *format, const char *table, const char *prv, const char *pcf,
		struct jw_buf *out);
/* The same, with the text of a .row. */
void export_prv_of(const char *format, const char *table, const char *prv, const char *pcf,
		   const char *row, struct jw_buf *out);

#endif
