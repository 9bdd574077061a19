/*
 * draw_band.h: times, in order, become columns: of each, what took most of it.
 *
 *     add, add, ... -> finish
 */
#ifndef JW_TRACE_DRAW_DRAW_BAND_H
#define JW_TRACE_DRAW_DRAW_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set in `what`: most of these columns is not covered. */
#define TRACE_DRAW_FAINT (UINT32_C(1) << 31)

/* Columns FIRST to LAST of WHAT: a method's number, or a kind of states. */
struct trace_draw_run {
	uint32_t what;
	uint16_t first, last;
};

/* Of a column that is being filled: the longest are kept, when there are more. */
#define TRACE_DRAW_SHARES 6
struct trace_draw_share {
	uint64_t ns;
	uint32_t what;
};

/* What fills a line of columns, in order. */
struct trace_draw_band {
	struct trace_draw_run *runs; /* owned */
	size_t n, cap;
	uint64_t time;    /* up to which it is filled */
	uint64_t covered; /* of the column that is being filled, ns */
	uint32_t column;
	uint32_t share_n;
	struct trace_draw_share shares[TRACE_DRAW_SHARES];
};

struct trace_draw_scale {
	uint64_t from, to; /* FROM < TO */
	uint32_t columns;
};

uint32_t trace_draw_column(const struct trace_draw_scale *s, uint64_t time);
/* WHAT goes on from BEGIN to END; what is filled, or outside of the scale, stays as it was. False:
 * no memory. */
bool trace_draw_band_add(struct trace_draw_band *band, const struct trace_draw_scale *s,
			 uint32_t what, uint64_t begin, uint64_t end);
/* Nothing is added any more. */
bool trace_draw_band_finish(struct trace_draw_band *band, const struct trace_draw_scale *s);

#endif
