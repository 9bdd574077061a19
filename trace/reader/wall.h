/*
 * wall.h: where the wall clock of a recording stood, as its clock points say.
 */
#ifndef JW_TRACE_READER_WALL_H
#define JW_TRACE_READER_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/recording.h"

/* An instant of the monotonic clock, and how far the wall clock was from it, both in ns. */
struct trace_instant {
	int64_t mono, offset;
};

/* Does POINT say where both clocks stood, and could they have? */
bool trace_has_wall(const struct jwr_clock_point *point);
/* Of a point that has. */
int64_t trace_wall_offset(const struct jwr_clock_point *point);

/* Where it stood at the beginning and at the end, of the N points P, whose order changes. Fewer than
 * two of them know: as START says. */
void trace_wall_ends(struct jwr_clock_point *p, size_t n, const struct jwr_clock_point *start,
		     struct trace_instant ends[2]);

#endif
