/*
 * time_range.h: a part of a trace's time, as somebody asks for it, and times as text.
 *
 *     12.5   12.5s   300ms   40us   7ns      since the beginning
 *     25%                                    of the whole
 */
#ifndef JW_TRACE_TIME_RANGE_H
#define JW_TRACE_TIME_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/status.h"

struct trace_moment {
	uint64_t ns;
	double share; /* of the whole, 0..1 */
	bool given, is_share;
};

/* What was not given is the beginning, and the end. */
struct trace_range {
	struct trace_moment from, to;
};

/* TEXT as above; false: it is no moment. */
bool trace_moment_parse(const char *text, struct trace_moment *out);

/* RANGE of a trace that lasts END ns: [*FROM, *TO), which is never empty. JW_USAGE: nothing of the
 * trace is inside. */
enum jw_status JW_MUST_USE trace_range_of(const struct trace_range *range, uint64_t end,
					  uint64_t *from, uint64_t *to, struct jw_err *e);

/* "13.74 s", "300 ms", "7 ns": at most four digits, those of whole units all. */
void trace_put_time(struct jw_buf *out, uint64_t ns);

/* NS in the unit that is 1, 1000, 10^6 or 10^9 ns, with DIGITS after the point: "0.250 s". */
void trace_put_ns(struct jw_buf *out, uint64_t ns, uint64_t unit, int digits);

#endif
