/*
 * draw_int.h: a picture on its way from records to SVG; for the files of this room alone.
 *
 *     draw.c         records -> columns of lanes, arrows
 *     draw_band.c    times -> columns
 *     draw_layout.c  lanes -> rows: which, how high, how they are called
 *     draw_svg.c     rows -> SVG; draw_marks.c: arrows, axis and legend
 *     draw_text.c    names cut to their room, as XML; colours
 */
#ifndef JW_TRACE_DRAW_INT_H
#define JW_TRACE_DRAW_INT_H

#include "trace/draw/draw.h"
#include "trace/reader/prv_lines.h"
#include "trace/replay/world_int.h"

/* ---- draw_band.c ---- */

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

/* ---- draw.c ---- */

/* X(name, what the legend calls it): kinds of states. ORDER: CSS classes s0, s1 .. of the picture.
 */
#define TRACE_DRAW_KINDS(X)                           \
	X(RUNNING, "running")                         \
	X(BLOCKED, "blocked at a monitor")            \
	X(WAITING, "waiting")                         \
	X(IO, "I/O")                                  \
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

struct trace_drawing {
	const struct trace_draw_options *options;
	struct trace_prv_lines lines;
	struct trace_draw_scale scale;
	struct trace_draw_lane *lanes; /* one a thread; owned */
	struct trace_methods methods;
	struct trace_draw_arrow *arrows; /* owned; every STRIDE-th */
	size_t arrow_n, arrow_cap;
	uint64_t arrow_all, stride;
	uint32_t most_levels;
	uint64_t lone_exits, late; /* late: records after the end that the header tells */
	struct jw_err why;         /* a failure that a listener cannot return */
};

/* ---- draw_layout.c ---- */

/* Pixels around everything. */
#define TRACE_DRAW_MARGIN 12
/* Letters: of names and figures, of the title, of methods in their bands. */
#define TRACE_DRAW_LETTER 11
#define TRACE_DRAW_TITLE  15
#define TRACE_DRAW_SMALL  9

/* How many columns a picture of WIDTH pixels has, whatever its names. */
uint32_t trace_draw_columns(uint32_t width);

struct trace_draw_row {
	const struct trace_draw_lane *lane;
	const char *name;
	uint32_t order;     /* of the lane */
	uint32_t y, height; /* without the gap to the next */
	uint32_t levels;    /* that are drawn */
};

/* How high the parts of a row are, in pixels. */
struct trace_draw_style {
	uint32_t levels;             /* at most */
	uint32_t strip, line, level; /* states, what is between, one level of methods */
	uint32_t gap, least;         /* between rows; of a row */
};

struct trace_picture {
	const struct trace_drawing *drawing;
	struct jw_arena *arena;
	const char **labels;         /* of methods, by number; arena */
	struct trace_draw_row *rows; /* arena */
	uint32_t *row_of;            /* by lane: 1 + its row; 0: none; arena */
	size_t row_n;
	const struct trace_draw_style *style;
	uint32_t levels;              /* at most, of a row */
	uint32_t gutter, top, height; /* names are left of it; rows begin below; of all rows */
	uint32_t matched, idle, many; /* threads: that match, left out as idle, and as too many */
	struct trace_draw_arrow *arrows; /* between rows, each once; arena */
	size_t arrow_n;
	uint64_t arrow_all, arrow_step; /* in the trace, about; one of so many is drawn */
	uint64_t arrow_ink;             /* percent of the pixels of rows */
	uint64_t deepest, calls;
	uint64_t *shown;                   /* columns of rows, by method; arena */
	bool kinds[TRACE_DRAW_KIND_COUNT]; /* of states that rows have */
};

enum jw_status JW_MUST_USE trace_picture_lay_out(struct trace_picture *p, struct jw_span pcf,
						 struct jw_span row, struct jw_err *e);
/* What a method is called, without its long form. */
struct jw_span trace_picture_short(const struct trace_picture *p, uint32_t method);

/* ---- draw_svg.c ---- */

/* A picture that is being written, from top to bottom. */
struct trace_svg {
	const struct trace_picture *p;
	struct jw_buf body; /* all but what depends on the height */
	uint32_t width, y;  /* Y: where the next part begins */
	uint32_t left;      /* of the columns */
	bool failed;        /* no memory */
};

enum jw_status JW_MUST_USE trace_picture_put(const struct trace_picture *p, struct jw_buf *svg,
					     struct jw_err *e);

/* ---- draw_marks.c ---- */

/* The title and what is to be known; swatches of states and methods. */
void trace_svg_put_title(struct trace_svg *s);
void trace_svg_put_legend(struct trace_svg *s);
/* Ticks above the rows, through rows that begin at S->y, and below high ones. */
void trace_svg_put_axis(struct trace_svg *s);
void trace_svg_put_grid(struct trace_svg *s);
void trace_svg_put_axis_below(struct trace_svg *s);
/* Between rows that begin at S->y. */
void trace_svg_put_arrows(struct trace_svg *s);
/* ---- draw_text.c ---- */

/* The width of letters of SIZE pixels: a guess on the safe side, fonts differ. */
uint32_t trace_draw_width(struct jw_span text, uint32_t size);
/* TEXT as XML. */
void trace_draw_put_xml(struct jw_buf *out, struct jw_span text);
/* The same, of a length that fits ROOM pixels: what is too long loses its middle, or its end. */
void trace_draw_put_middle(struct jw_buf *out, struct jw_span text, uint32_t size, uint32_t room);
void trace_draw_put_front(struct jw_buf *out, struct jw_span text, uint32_t size, uint32_t room);
/* "#rrggbb", the same for the same name in every picture. */
void trace_draw_put_colour(struct jw_buf *out, struct jw_span name);

#endif
