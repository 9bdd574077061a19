/*
 * make_index.h: an index (trace/view/view_index.h) of a run that is easy to calculate.
 */
#ifndef JW_TESTS_TRACE_MAKE_INDEX_H
#define JW_TESTS_TRACE_MAKE_INDEX_H

#include <stddef.h>

#include "base/status.h"

#define MAKE_INDEX_STEP 1000u
#define MAKE_INDEX_NS   300u

/* The file NAME in make_folder(): two rows. Row 0 is running all the time; its call I of N begins at
 * I * STEP and takes NS. Arrow I goes from row 0 to row 1, from I * STEP to (I + 1) * STEP. The page is
 * "<html>". Its path. */
const char *make_index(const char *name, size_t n, const char *stamp);
/* The same; JW_OK unless there is no memory. */
enum jw_status make_index_status(const char *name, size_t n, const char *stamp);

#endif
