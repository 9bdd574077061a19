/*
 * log_output.h: an output (trace/output.h) that notes what it hears, for tests of those that pass things on.
 */
#ifndef JW_TESTS_TRACE_LOG_OUTPUT_H
#define JW_TESTS_TRACE_LOG_OUTPUT_H

#include "trace/output.h"

/* Without padding: lines are compared as bytes. */
struct log_line {
	uint64_t thread, time;
	int64_t kind; /* 'e'nter, 'l'eave, 'f'ailed, 's'tate, e'v'ent, 'a'rrow, 'r'esume, s'u'spend .. */
	uint64_t what, more;
};

struct log {
	struct log_line *at; /* owned by who opened it */
	size_t n, cap;       /* what is beyond is not noted */
	size_t fails_at;     /* check() fails from so many lines on; 0: never */
};

bool log_open(struct log *log, size_t cap);
void log_close(struct log *log);

/* Of a struct log. The second wants all in order, the third by thread; the last one has no function that
 * may be NULL. */
extern const struct trace_output log_output, log_output_in_order, log_output_by_thread,
	log_output_least;

#endif
