/*
 * view_index_write.c: see view_index.h: spans and arrows become blocks of a file.
 *
 * A layer gathers spans until they are a block. Then they are written, and handed on to the layer
 * above it, which sums them up.
 */
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/view/view_index.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

/* A layer is written when it has so many bytes, all are when they have so many together. */
enum { BLOCK_BYTES = 4096, GATHERED = 32 << 20, ARROWS = 1024 };
/* There are layers until a cell is one of so many parts of the run. */
enum { COARSEST_PARTS = 1024 };

#define NONE UINT32_MAX

struct block {
	uint64_t at, end;
	uint32_t bytes, n, before; /* that of its layer before it; NONE */
};

struct layer {
	struct trace_view_track track;
	uint64_t base; /* the end of the last span that is written */
	uint32_t last; /* its last block + 1; 0: none */
};

struct line {
	struct layer exact;
	struct layer *sums; /* the layers from 1 on; owned; NULL: not needed yet */
};

struct row {
	struct line *lines; /* owned */
	size_t n, cap;
};

struct arrow {
	uint64_t sent, received, tag;
	uint32_t from, to;
};

struct arrow_block {
	uint64_t at, first, last;
	uint32_t bytes, n;
};

struct trace_index_writer {
	struct jw_out *out;
	struct row *rows; /* owned */
	uint32_t row_n;
	unsigned layers;
	uint64_t end;
	size_t gathered;
	struct block *blocks; /* owned; so below */
	size_t block_n, block_cap;
	struct arrow arrows[ARROWS];
	size_t arrow_n;
	struct arrow_block *arrow_blocks;
	size_t arrow_block_n, arrow_block_cap;
	enum jw_status status; /* what has failed */
	struct jw_err why;
};

/* ---- blocks of spans ---- */

static bool fail(struct trace_index_writer *w, enum jw_status status)
{
	if (status != JW_OK && w->status == JW_OK)
		w->status = status;
	return w->status == JW_OK;
}

static bool no_memory(struct trace_index_writer *w)
{
	return fail(w, jw_nomem(&w->why));
}

static struct layer *layer_of(struct line *line, unsigned k)
{
	return k ? &line->sums[k - 1] : &line->exact;
}

static bool note_block(struct trace_index_writer *w, struct layer *layer)
{
	struct block *grown = trace_grow(w->blocks, w->block_n, &w->block_cap, sizeof(*grown));

	if (!grown || w->block_n >= NONE - 1)
		return no_memory(w);
	w->blocks = grown;
	grown[w->block_n++] = (struct block){ .at = w->out->n,
					      .end = layer->track.end,
					      .bytes = (uint32_t)layer->track.bytes.n,
					      .n = layer->track.n,
					      .before = layer->last ? layer->last - 1 : NONE };
	layer->last = (uint32_t)w->block_n;
	return true;
}

/* The spans of LAYER that are gathered go on to UP. */
static bool hand_on(struct trace_index_writer *w, const struct layer *layer, struct layer *up,
		    uint64_t least)
{
	struct trace_view_reader r = trace_view_track_open(&layer->track);
	struct trace_view_span span;
	size_t before = up->track.bytes.n;

	r.end = layer->base;
	while (trace_view_track_next(&r, &span))
		if (!trace_view_track_add(&up->track, least, &span))
			return no_memory(w);
	w->gathered += up->track.bytes.n - before;
	return true;
}

/* What layer K of LINE has gathered becomes a block. LAST: there will be no more. */
static bool write_block(struct trace_index_writer *w, struct line *line, unsigned k, bool last)
{
	struct layer *layer = layer_of(line, k);
	bool alone = last && !layer->last; /* a block has all of it: nothing need sum it up */

	if (!layer->track.n)
		return true;
	if (!line->sums && !alone && w->layers > 1)
		line->sums = jw_mem_zalloc(w->layers - 1, sizeof(*line->sums));
	if (!line->sums && !alone && w->layers > 1)
		return no_memory(w);
	if (!note_block(w, layer) ||
	    !fail(w, jw_out_write(w->out, jw_buf_span(&layer->track.bytes), &w->why)))
		return false;
	if (!alone && k + 1 < w->layers &&
	    !hand_on(w, layer, layer_of(line, k + 1), trace_index_least(k + 1)))
		return false;
	w->gathered -= layer->track.bytes.n;
	jw_buf_free(&layer->track.bytes);
	layer->track.n = 0;
	layer->base = layer->track.end;
	return true;
}

/* Blocks of LINE that have LEAST bytes or more. */
static bool write_line(struct trace_index_writer *w, struct line *line, size_t least)
{
	for (unsigned k = 0; k < w->layers && (k == 0 || line->sums); k++)
		if (layer_of(line, k)->track.bytes.n >= least && !write_block(w, line, k, false))
			return false;
	return true;
}

static bool write_all(struct trace_index_writer *w)
{
	for (uint32_t i = 0; i < w->row_n; i++)
		for (size_t k = 0; k < w->rows[i].n; k++)
			if (!write_line(w, &w->rows[i].lines[k], 1))
				return false;
	return true;
}

static bool grow_lines(struct row *row, size_t line)
{
	while (row->n <= line) {
		struct line *grown = trace_grow(row->lines, row->n, &row->cap, sizeof(*grown));

		if (!grown)
			return false;
		row->lines = grown;
		grown[row->n++] = (struct line){ 0 };
	}
	return true;
}

bool trace_index_span(struct trace_index_writer *w, uint32_t row, size_t at,
		      const struct trace_view_span *span)
{
	JW_ASSERT(row < w->row_n);
	if (w->status != JW_OK)
		return false;
	if (!grow_lines(&w->rows[row], at))
		return no_memory(w);
	struct line *line = &w->rows[row].lines[at];
	struct trace_view_track *track = &line->exact.track;
	size_t before = track->bytes.n;

	if (!trace_view_track_add(track, 0, span))
		return no_memory(w);
	w->gathered += track->bytes.n - before;
	if (track->bytes.n >= BLOCK_BYTES && !write_line(w, line, BLOCK_BYTES))
		return false;
	return w->gathered < GATHERED || write_all(w);
}

/* ---- arrows ---- */

static bool write_arrows(struct trace_index_writer *w)
{
	struct jw_buf bytes = { 0 };
	struct arrow_block b = { .at = w->out->n, .first = UINT64_MAX, .n = (uint32_t)w->arrow_n };
	uint64_t before = 0;

	for (size_t i = 0; i < w->arrow_n; before = w->arrows[i++].sent) {
		const struct arrow *a = &w->arrows[i];
		uint64_t since = a->sent - before;

		trace_view_put(&bytes, since << 1 ^ (since >> 63 ? UINT64_MAX : 0));
		trace_view_put(&bytes, a->received - a->sent);
		trace_view_put(&bytes, a->from);
		trace_view_put(&bytes, a->to);
		trace_view_put(&bytes, a->tag);
		b.first = a->sent < b.first ? a->sent : b.first;
		b.last = a->received > b.last ? a->received : b.last;
	}
	b.bytes = (uint32_t)bytes.n;
	struct arrow_block *grown =
		trace_grow(w->arrow_blocks, w->arrow_block_n, &w->arrow_block_cap, sizeof(*grown));

	if (grown)
		w->arrow_blocks = grown;
	bool done = grown && bytes.failed == JW_OK
			    ? fail(w, jw_out_write(w->out, jw_buf_span(&bytes), &w->why))
			    : no_memory(w);

	if (done)
		grown[w->arrow_block_n++] = b;
	w->arrow_n = 0;
	jw_buf_free(&bytes);
	return done;
}

bool trace_index_arrow(struct trace_index_writer *w, uint64_t sent, uint64_t received,
		       uint32_t from, uint32_t to, uint64_t tag)
{
	if (w->status != JW_OK)
		return false;
	w->arrows[w->arrow_n++] =
		(struct arrow){ sent, received > sent ? received : sent, tag, from, to };
	return w->arrow_n < ARROWS || write_arrows(w);
}

/* ---- from begin to end ---- */

enum jw_status trace_index_writer_new(struct jw_out *out, struct trace_index_writer **to,
				      struct jw_err *e)
{
	static const uint8_t head[TRACE_INDEX_HEAD] = { 0 };
	struct trace_index_writer *w = jw_mem_zalloc(1, sizeof(*w));

	if (!w)
		return jw_nomem(e);
	w->out = out;
	enum jw_status status = jw_out_write(out, jw_span(head, sizeof(head)), e);

	if (status == JW_OK)
		*to = w;
	else
		jw_mem_free(w);
	return status;
}

static void free_line(const struct trace_index_writer *w, struct line *line)
{
	for (unsigned k = 0; k < w->layers && (k == 0 || line->sums); k++)
		trace_view_track_free(&layer_of(line, k)->track);
	jw_mem_free(line->sums);
}

void trace_index_writer_free(struct trace_index_writer *w)
{
	if (!w)
		return;
	for (uint32_t i = 0; i < w->row_n; i++) {
		for (size_t k = 0; k < w->rows[i].n; k++)
			free_line(w, &w->rows[i].lines[k]);
		jw_mem_free(w->rows[i].lines);
	}
	jw_mem_free(w->rows);
	jw_mem_free(w->blocks);
	jw_mem_free(w->arrow_blocks);
	jw_mem_free(w);
}

bool trace_index_begin(struct trace_index_writer *w, uint32_t rows, uint64_t end)
{
	if (end > TRACE_INDEX_TIME)
		return fail(w, jw_fail(&w->why, JW_LIMIT,
				       "a run of more than 104 days cannot be served; without "
				       "--serve there is a page as a file"));
	w->rows = jw_mem_zalloc((size_t)rows + 1, sizeof(*w->rows));
	if (!w->rows)
		return no_memory(w);
	w->row_n = rows;
	w->end = end;
	for (w->layers = 1; w->layers < TRACE_INDEX_LAYERS &&
			    trace_index_least(w->layers) <= end / COARSEST_PARTS;)
		w->layers++;
	return true;
}

static bool close_line(struct trace_index_writer *w, struct line *line)
{
	for (unsigned k = 0; k < w->layers && (k == 0 || line->sums); k++) {
		struct trace_view_track *track = &layer_of(line, k)->track;
		size_t before = track->bytes.n;

		if (!trace_view_track_close(track))
			return no_memory(w);
		w->gathered += track->bytes.n - before;
		if (!write_block(w, line, k, true))
			return false;
	}
	return true;
}

bool trace_index_over(struct trace_index_writer *w)
{
	bool done = w->status == JW_OK && (!w->arrow_n || write_arrows(w));

	for (uint32_t i = 0; done && i < w->row_n; i++)
		for (size_t k = 0; done && k < w->rows[i].n; k++)
			done = close_line(w, &w->rows[i].lines[k]);
	return done;
}

enum jw_status trace_index_why(const struct trace_index_writer *w, struct jw_err *e)
{
	if (w->status != JW_OK)
		*e = w->why;
	return w->status;
}

/* ---- the directory ---- */

/* The blocks of LAYER, the first one first. */
static bool put_layer(const struct trace_index_writer *w, const struct layer *layer,
		      struct jw_buf *out)
{
	size_t n = 0;
	uint64_t before = 0;

	for (uint32_t i = layer->last ? layer->last - 1 : NONE; i != NONE; i = w->blocks[i].before)
		n++;
	trace_view_put(out, n);
	uint32_t *list = jw_mem_zalloc(n + 1, sizeof(*list));

	if (!list)
		return false;
	for (uint32_t i = layer->last ? layer->last - 1 : NONE, k = (uint32_t)n; k;
	     i = w->blocks[i].before)
		list[--k] = i;
	for (size_t k = 0; k < n; k++) {
		const struct block *b = &w->blocks[list[k]];

		trace_view_put(out, b->at);
		trace_view_put(out, b->bytes);
		trace_view_put(out, b->n);
		trace_view_put(out, b->end - before);
		before = b->end;
	}
	jw_mem_free(list);
	return true;
}

static bool put_line(const struct trace_index_writer *w, struct line *line, struct jw_buf *out)
{
	unsigned layers = 1;

	while (line->sums && layers < w->layers && layer_of(line, layers)->last)
		layers++;
	trace_view_put(out, layers);
	for (unsigned k = 0; k < layers; k++)
		if (!put_layer(w, layer_of(line, k), out))
			return false;
	return true;
}

static enum jw_status put_directory(const struct trace_index_writer *w, struct jw_buf *out,
				    struct jw_err *e)
{
	trace_view_put(out, w->end);
	trace_view_put(out, w->row_n);
	for (uint32_t i = 0; i < w->row_n; i++) {
		trace_view_put(out, w->rows[i].n);
		for (size_t k = 0; k < w->rows[i].n; k++)
			if (!put_line(w, &w->rows[i].lines[k], out))
				return jw_nomem(e);
	}
	trace_view_put(out, w->arrow_block_n);
	for (size_t i = 0; i < w->arrow_block_n; i++) {
		const struct arrow_block *b = &w->arrow_blocks[i];

		trace_view_put(out, b->at);
		trace_view_put(out, b->bytes);
		trace_view_put(out, b->n);
		trace_view_put(out, b->first);
		trace_view_put(out, b->last);
	}
	return jw_buf_finish(out, "directory of the index", e);
}

enum jw_status trace_index_finish(struct trace_index_writer *w, uint64_t page_at,
				  struct jw_span stamp, struct jw_err *e)
{
	struct jw_buf directory = { 0 }, head = { 0 };
	uint64_t stamp_at = w->out->n, at = stamp_at + stamp.n;
	enum jw_status status = put_directory(w, &directory, e);

	jw_put_str(&head, TRACE_INDEX_MAGIC);
	jw_put_le8(&head, at);
	jw_put_le8(&head, directory.n);
	jw_put_le8(&head, stamp_at);
	jw_put_le8(&head, stamp.n);
	jw_put_le8(&head, page_at);
	jw_put_le8(&head, stamp_at - page_at);
	if (status == JW_OK)
		status = jw_buf_finish(&head, "head of the index", e);
	if (status == JW_OK)
		status = jw_out_write(w->out, stamp, e);
	if (status == JW_OK)
		status = jw_out_write(w->out, jw_buf_span(&directory), e);
	if (status == JW_OK)
		status = jw_out_patch(w->out, 0, jw_buf_span(&head), e);
	jw_buf_free(&directory);
	jw_buf_free(&head);
	return status;
}
