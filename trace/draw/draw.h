/*
 * draw.h: a trace as a picture (SVG): a row for each thread, its states, the woven methods that it
 * was in, and arrows from what let a thread go on to where it does.
 *
 *     trace_drawing_new() -> feed() .. feed() -> finish() -> free()      a trace
 *     trace_draw_recordings()                                            recordings
 *
 * A .prv is read front to back, in pieces of any size. The time asked for is cut into columns, one
 * a pixel; of each, row and level of the stack the method that took most of it is kept, so that
 * memory is bounded by the size of the picture, not by the length of the trace.
 */
#ifndef JW_TRACE_DRAW_H
#define JW_TRACE_DRAW_H

#include "base/memory.h"
#include "trace/reader/time_range.h"
#include "trace/replay/job.h"

#define TRACE_DRAW_WIDTH     1200
#define TRACE_DRAW_MIN_WIDTH 300
#define TRACE_DRAW_MAX_WIDTH 16384

struct trace_draw_options {
	const char *title;
	struct trace_range range;
	const char *threads; /* those whose names match, as a shell matches; NULL: all */
	double busy;         /* without those that did less than so many %; 0: all */
	uint32_t width;      /* pixels */
	uint32_t max_depth;  /* levels of the stack; 0: as many as look well */
};

/* What a picture shows. */
struct trace_drawn {
	uint32_t threads, rows; /* of the trace; drawn */
	uint64_t calls;         /* that are in the range, in whole or in part, of the rows */
	uint64_t span_ns;
	const char *const *warnings; /* sentences for the user, in the arena */
	size_t warning_count;
};

struct trace_drawing;
struct trace_select;

/* NULL: no memory. OPTIONS and SELECT live as long. SELECT: of all calls, what is drawn (select.h);
 * NULL: all. */
struct trace_drawing *trace_drawing_new(const struct trace_draw_options *options,
					struct trace_select *select);
void trace_drawing_free(struct trace_drawing *drawing);

/* What the .row beside the .prv says of processes: before the first piece, and until that is fed. */
void trace_drawing_row(struct trace_drawing *drawing, struct jw_span row);
/* The next piece of a .prv. JW_INPUT: it is no trace; JW_USAGE: nothing of it is in the range. */
enum jw_status JW_MUST_USE trace_drawing_feed(struct trace_drawing *drawing, struct jw_span piece,
					      struct jw_err *e);

/* The .prv is at its end; PCF and ROW are the texts beside it (empty: there are none). Appends the
 * picture to SVG. JW_USAGE: no thread has such a name. */
enum jw_status JW_MUST_USE trace_drawing_finish(struct trace_drawing *drawing, struct jw_span pcf,
						struct jw_span row, struct jw_arena *arena,
						struct jw_buf *svg, struct trace_drawn *out,
						struct jw_err *e);

/* The same of recordings (replay/job.h); warnings on them are among those of OUT. */
enum jw_status JW_MUST_USE trace_draw_recordings(const struct trace_job *job,
						 const struct trace_draw_options *options,
						 struct jw_arena *arena, struct jw_buf *svg,
						 struct trace_drawn *out, struct jw_err *e);

#endif
