/*
 * drawing.h: a picture on its way from records to SVG; seen by all of this room, it is its contract.
 *
 *     draw.c         records -> columns of lanes, arrows
 *     draw_band.c    times -> columns
 *     draw_layout.c  lanes -> rows: which, how high, how they are called
 *     draw_svg.c     rows -> SVG; draw_marks.c: arrows, axis and legend
 *     draw_text.c    names cut to their room, as XML; colours
 */
#ifndef JW_TRACE_DRAW_DRAWING_H
#define JW_TRACE_DRAW_DRAWING_H

#include "trace/draw/draw.h"
#include "trace/draw/draw_band.h"
#include "trace/output.h"
#include "trace/replay/method_numbers.h"

/* X(name, what the legend calls it): kinds of states. ORDER: CSS classes s0, s1 .. of the picture.
 */
#define TRACE_DRAW_KINDS(X)                           \
	X(RUNNING, "running")                         \
	X(BLOCKED, "blocked at a monitor")            \
	X(WAITING, "waiting")                         \
	X(IO, "I/O")                                  \
	X(FOR_WORK, "waiting for work")               \
	X(OTHER, "other (garbage collection, start)") \
	X(PAUSED, "not recorded")

enum trace_draw_kind {
#define TRACE_DRAW_ENUM(name, text) TRACE_DRAW_##name,
	TRACE_DRAW_KINDS(TRACE_DRAW_ENUM)
#undef TRACE_DRAW_ENUM
		TRACE_DRAW_KIND_COUNT
};

struct trace_draw_frame {
	uint64_t enter;
	uint32_t method;
};

struct trace_draw_lane {
	struct trace_draw_band states;
	struct trace_draw_band *levels;  /* owned; of the stack, the outermost first */
	struct trace_draw_frame *frames; /* owned; the levels that are drawn */
	size_t level_n, level_cap, frame_cap;
	uint64_t depth;   /* frames that are open, drawn or not */
	uint64_t deepest; /* in the range */
	uint64_t calls;   /* begun in the range */
	/* inside of methods, in the range, without waits; in I/O and other states */
	uint64_t inside_ns, state_ns;
	uint64_t entered, waited_ns;   /* of the outermost frame: since when; waits so far */
	uint64_t wait_begin, wait_end; /* the latest wait, which may last on */
};

struct trace_draw_arrow {
	uint32_t from, to;       /* lanes */
	uint16_t sent, received; /* columns */
};

struct trace_prv_source;

struct trace_drawing {
	const struct trace_draw_options *options;
	struct trace_prv_source *source; /* owned; NULL: recordings are replayed */
	const struct trace_scene *scene;
	struct jw_arena *arena; /* of the picture */
	struct jw_buf *svg;     /* it, and what it shows: to be made */
	struct trace_drawn *drawn;
	struct trace_draw_scale scale;
	struct trace_draw_lane *lanes; /* one a thread; owned */
	uint32_t lane_count;           /* of them, also when the scene has gone */
	struct trace_methods methods;
	const char **labels;             /* of methods, by number, once all is told; arena */
	const char **threads;            /* likewise, by lane */
	struct trace_draw_arrow *arrows; /* owned; every STRIDE-th */
	size_t arrow_n, arrow_cap;
	uint64_t arrow_all, stride;
	uint32_t most_levels;
	uint64_t end, lone_exits;
	bool failed; /* no memory */
};

/* The output (output.h) that gathers columns and makes a picture of them, for a struct
 * trace_drawing. */
extern const struct trace_output trace_drawing_output;

#endif
