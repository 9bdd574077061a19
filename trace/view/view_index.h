/*
 * view_index.h: all spans and arrows of a run in a file, so that any part of it can be shown as
 * finely as a screen can: of a long run a page alone (view.h) holds sums. `jweave view --serve` makes
 * the file once, and answers from it.
 *
 *     trace_index_writer_new -> begin -> span, arrow, .. -> over -> finish     view.c tells it
 *     trace_index_open -> trace_index_rows, trace_index_arrows, .. -> trace_index_close
 *
 * Each line of a row (view.h: its states, then the levels of its calls) has layers: layer 0 has each
 * span as it was, layer K sums up what is shorter than 256 ns * 4^K (view_track.h). A layer is made of
 * blocks; a line has no layer above one that fits into a block.
 *
 *     magic (8 bytes), where the directory begins, its bytes, where the stamp begins, its bytes,
 *     where the page begins, its bytes (8 bytes each, the lowest first)
 *     blocks of spans and of arrows, in any order; the page; the stamp; the directory
 *
 *     block      of spans: varints of begin, since the span before it (of the layer) ended; length;
 *                what, as in view.h; of a sum how many, how long all were
 *                of arrows: sent, since the arrow before (of the block; signed: zigzag); received,
 *                since sent; from; to; tag
 *     directory  varints: the end of the run; rows; of each: lines; of each: layers; of each: blocks;
 *                of each: where it begins, its bytes, spans, end of the last of them since that of
 *                the block before
 *                blocks of arrows; of each: where it begins, its bytes, arrows, the earliest that is
 *                sent, the latest that is received
 *     stamp      any text: what the file was made of; who opens it says what it must be
 *
 * The file is ours, but may be damaged: nothing that it says is believed before it is checked.
 * Memory: of a writer 100 MB at most, and 32 bytes a block; of a reader 32 bytes a block.
 */
#ifndef JW_TRACE_VIEW_VIEW_INDEX_H
#define JW_TRACE_VIEW_VIEW_INDEX_H

#include "base/bytes.h"
#include "base/out_file.h"
#include "base/status.h"

/* No time is beyond: 104 days. What browsers count in ends there. */
#define TRACE_INDEX_TIME (UINT64_C(1) << 53)

/* ---- making it ---- */

struct trace_view_span;
struct trace_index_writer;

/* Writes to OUT, which is open and empty, and lives as long. JW_NOMEM, JW_IO. */
enum jw_status JW_MUST_USE trace_index_writer_new(struct jw_out *out,
						  struct trace_index_writer **to, struct jw_err *e);
/* NULL may be freed, too. */
void trace_index_writer_free(struct trace_index_writer *w);
/* Of a run with ROWS that ends at END, at most TRACE_INDEX_TIME. False, here and below: it failed. */
bool trace_index_begin(struct trace_index_writer *w, uint32_t rows, uint64_t end);
/* The next span of LINE of ROW. */
bool trace_index_span(struct trace_index_writer *w, uint32_t row, size_t line,
		      const struct trace_view_span *span);
bool trace_index_arrow(struct trace_index_writer *w, uint64_t sent, uint64_t received,
		       uint32_t from, uint32_t to, uint64_t tag);
/* Nothing is added any more; all blocks are written. Then the page is. */
bool trace_index_over(struct trace_index_writer *w);
/* What has failed: JW_NOMEM, JW_IO, JW_LIMIT. */
enum jw_status JW_MUST_USE trace_index_why(const struct trace_index_writer *w, struct jw_err *e);
/* The rest, once the page is written, which began at PAGE_AT. Of a run without a timeline that is all:
 * it may come at once. OUT is not committed yet. */
enum jw_status JW_MUST_USE trace_index_finish(struct trace_index_writer *w, uint64_t page_at,
					      struct jw_span stamp, struct jw_err *e);

/* ---- asking it ---- */

#define TRACE_INDEX_ROWS   256u       /* rows of one question */
#define TRACE_INDEX_SPANS  (1u << 18) /* of an answer, about; of one row alone a few times as many */
#define TRACE_INDEX_ARROWS (1u << 16) /* of an answer */

struct trace_index;

/* The file FD, which it owns from now on, in any case. *FITS: its stamp is STAMP. JW_INPUT: it is
 * damaged, or no index. */
enum jw_status JW_MUST_USE trace_index_open(int fd, struct jw_span stamp, struct trace_index **out,
					    bool *fits, struct jw_err *e);
void trace_index_close(struct trace_index *x);

struct trace_index_page {
	int fd; /* borrowed */
	uint64_t at, n;
};
struct trace_index_page trace_index_page(const struct trace_index *x);

/* A part of the run, of some rows. */
struct trace_index_window {
	uint64_t from, to;
	uint32_t rows[TRACE_INDEX_ROWS];
	size_t row_n;
};

/* Appends to OUT varints: LEAST (spans that are shorter may be summed up; 0: none is), how many rows
 * follow (the first of those asked for: as many as there is room for); of each: row, lines, its tracks
 * as in view.h: what of them is in the window. As fine as TRACE_INDEX_SPANS allows. JW_USAGE: no such
 * row. JW_INPUT: the file is damaged. */
enum jw_status JW_MUST_USE trace_index_rows(const struct trace_index *x,
					    const struct trace_index_window *window,
					    struct jw_buf *out, struct jw_err *e);
/* Appends the section "arrows" of view.h: those that are sent before TO and received after FROM; of too
 * many the first. */
enum jw_status JW_MUST_USE trace_index_arrows(const struct trace_index *x, uint64_t from,
					      uint64_t to, struct jw_buf *out, struct jw_err *e);

/* ---- what both know ---- */

enum { TRACE_INDEX_HEAD = 56, TRACE_INDEX_LAYERS = 24 };
#define TRACE_INDEX_MAGIC "JWVIEW1\n"

/* Of layer K: the least length that is kept. */
static inline uint64_t trace_index_least(unsigned layer)
{
	return layer ? (uint64_t)256 << 2 * layer : 0;
}

#endif
