/*
 * view_index_read.c: see view_index.h: parts of a run, from a file of blocks.
 */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/view/view_index.h"
#include "trace/view/view_columns.h"

#include "base/banned.h"

enum {
	BLOCK_MAX = 1 << 20, /* bytes of a block: more is damaged */
	DIRECTORY_MAX = 1 << 30,
	LINES_MAX = 1 << 12,
	/* of an answer: more is not read */
	ANSWER_BYTES = 32 << 20,
};

struct block {
	uint64_t at, end;
	uint32_t bytes, n;
};

struct arrow_block {
	uint64_t at, first, last;
	uint32_t bytes, n;
};

/* A list that the directory has; `at` is owned. */
struct list {
	void *at;
	size_t n, cap;
};

struct trace_index {
	int fd;
	uint64_t size, end;
	uint32_t row_n;
	struct trace_index_page page;
	/* uint32_t: row I has lines lines[I] to lines[I + 1] - 1 of `layers`, and so on. */
	struct list rows, lines, layers;
	struct list blocks;       /* struct block */
	struct list arrow_blocks; /* struct arrow_block */
};

static enum jw_status damaged(struct jw_err *e)
{
	return jw_fail(e, JW_INPUT, "the index is damaged");
}

/* N bytes at AT of the file; OUT has room. */
static enum jw_status read_at(const struct trace_index *x, uint64_t at, void *out, size_t n,
			      struct jw_err *e)
{
	if (at > x->size || n > x->size - at || jw_read_at(x->fd, out, n, at) != n)
		return damaged(e);
	return JW_OK;
}

/* ---- the directory ---- */

static void *add(struct list *list, size_t size)
{
	void *grown = trace_grow(list->at, list->n, &list->cap, size);

	if (!grown)
		return NULL;
	list->at = grown;
	return (char *)grown + list->n++ * size;
}

static bool note(struct list *list, size_t first)
{
	uint32_t *to = first < UINT32_MAX ? add(list, sizeof(*to)) : NULL;

	if (to)
		*to = (uint32_t)first;
	return to;
}

static uint32_t first_of(const struct list *list, size_t i)
{
	return ((const uint32_t *)list->at)[i];
}

static enum jw_status read_block(struct trace_index *x, struct jw_cur *c, uint64_t *end,
				 struct jw_err *e)
{
	struct block *b = add(&x->blocks, sizeof(*b));
	uint64_t at = trace_view_get(c), bytes = trace_view_get(c), n = trace_view_get(c),
		 since = trace_view_get(c);

	if (!b)
		return jw_nomem(e);
	/* a span takes three bytes at least */
	if (at > x->size || bytes > BLOCK_MAX || bytes > x->size - at || n > bytes / 3 ||
	    since > TRACE_INDEX_TIME - *end)
		return damaged(e);
	*end += since;
	*b = (struct block){ at, *end, (uint32_t)bytes, (uint32_t)n };
	return JW_OK;
}

static enum jw_status read_line(struct trace_index *x, struct jw_cur *c, struct jw_err *e)
{
	uint64_t layers = trace_view_get(c);

	if (!note(&x->lines, x->layers.n))
		return jw_nomem(e);
	if (!layers || layers > TRACE_INDEX_LAYERS)
		return damaged(e);
	for (uint64_t k = 0; k < layers; k++) {
		uint64_t n = trace_view_get(c), end = 0;

		if (!note(&x->layers, x->blocks.n))
			return jw_nomem(e);
		if (n > jw_cur_left(c))
			return damaged(e);
		for (; n; n--)
			JW_TRY(read_block(x, c, &end, e));
	}
	return JW_OK;
}

static enum jw_status read_arrow_blocks(struct trace_index *x, struct jw_cur *c, struct jw_err *e)
{
	uint64_t n = trace_view_get(c);

	for (; n && jw_cur_ok(c); n--) {
		struct arrow_block *b = add(&x->arrow_blocks, sizeof(*b));

		if (!b)
			return jw_nomem(e);
		b->at = trace_view_get(c);
		uint64_t bytes = trace_view_get(c), arrows = trace_view_get(c);

		b->first = trace_view_get(c);
		b->last = trace_view_get(c);
		if (b->at > x->size || bytes > BLOCK_MAX || bytes > x->size - b->at ||
		    arrows > bytes / 5 || b->first > TRACE_INDEX_TIME || b->last > TRACE_INDEX_TIME)
			return damaged(e);
		b->bytes = (uint32_t)bytes;
		b->n = (uint32_t)arrows;
	}
	return JW_OK;
}

static enum jw_status read_directory(struct trace_index *x, struct jw_span bytes, struct jw_err *e)
{
	struct jw_cur c = jw_cur(bytes);

	x->end = trace_view_get(&c);
	uint64_t rows = trace_view_get(&c);

	if (rows > bytes.n || x->end > TRACE_INDEX_TIME)
		return damaged(e);
	for (uint64_t i = 0; i < rows; i++) {
		uint64_t lines = trace_view_get(&c);

		if (!note(&x->rows, x->lines.n))
			return jw_nomem(e);
		if (lines > LINES_MAX || !jw_cur_ok(&c))
			return damaged(e);
		for (; lines; lines--)
			JW_TRY(read_line(x, &c, e));
	}
	x->row_n = (uint32_t)rows;
	JW_TRY(read_arrow_blocks(x, &c, e));
	if (!note(&x->rows, x->lines.n) || !note(&x->lines, x->layers.n) ||
	    !note(&x->layers, x->blocks.n))
		return jw_nomem(e);
	return jw_cur_ok(&c) && !jw_cur_left(&c) ? JW_OK : damaged(e);
}

/* ---- opening ---- */

/* The part of the file that the head has as AT and N; the caller frees OUT. */
static enum jw_status read_part(const struct trace_index *x, uint64_t at, uint64_t n,
				struct jw_buf *out, struct jw_err *e)
{
	if (n > DIRECTORY_MAX || at > x->size || n > x->size - at)
		return damaged(e);
	jw_buf_reserve(out, (size_t)n);
	if (out->failed != JW_OK)
		return jw_nomem(e);
	JW_TRY(read_at(x, at, out->p, (size_t)n, e));
	out->n = (size_t)n;
	return JW_OK;
}

static enum jw_status read_file(struct trace_index *x, struct jw_span stamp, bool *fits,
				struct jw_buf *part, struct jw_err *e)
{
	uint8_t bytes[TRACE_INDEX_HEAD];
	struct jw_span head = jw_span(bytes, sizeof(bytes));
	struct stat st;

	if (fstat(x->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return damaged(e);
	x->size = (uint64_t)st.st_size;
	JW_TRY(read_at(x, 0, bytes, sizeof(bytes), e));
	if (memcmp(bytes, TRACE_INDEX_MAGIC, strlen(TRACE_INDEX_MAGIC)) != 0)
		return jw_fail(e, JW_INPUT, "no index of this version");
	JW_TRY(read_part(x, jw_span_le8(head, 24), jw_span_le8(head, 32), part, e));
	*fits = jw_span_eq(jw_buf_span(part), stamp);
	jw_buf_clear(part);
	x->page = (struct trace_index_page){ x->fd, jw_span_le8(head, 40), jw_span_le8(head, 48) };
	if (x->page.at > x->size || x->page.n > x->size - x->page.at)
		return damaged(e);
	JW_TRY(read_part(x, jw_span_le8(head, 8), jw_span_le8(head, 16), part, e));
	return read_directory(x, jw_buf_span(part), e);
}

enum jw_status trace_index_open(int fd, struct jw_span stamp, struct trace_index **out, bool *fits,
				struct jw_err *e)
{
	struct trace_index *x = jw_mem_zalloc(1, sizeof(*x));
	struct jw_buf part = { 0 };

	if (!x) {
		(void)close(fd);
		return jw_nomem(e);
	}
	x->fd = fd;
	enum jw_status status = read_file(x, stamp, fits, &part, e);

	jw_buf_free(&part);
	if (status == JW_OK)
		*out = x;
	else
		trace_index_close(x);
	return status;
}

void trace_index_close(struct trace_index *x)
{
	if (!x)
		return;
	(void)close(x->fd);
	jw_mem_free(x->rows.at);
	jw_mem_free(x->lines.at);
	jw_mem_free(x->layers.at);
	jw_mem_free(x->blocks.at);
	jw_mem_free(x->arrow_blocks.at);
	jw_mem_free(x);
}

struct trace_index_page trace_index_page(const struct trace_index *x)
{
	return x->page;
}

/* ---- spans ---- */

/* Blocks FIRST to LAST - 1 of a layer. */
struct run {
	size_t first, last;
};

static struct run blocks_of(const struct trace_index *x, size_t line, unsigned layer)
{
	size_t first = first_of(&x->lines, line), n = first_of(&x->lines, line + 1) - first;
	size_t at = first + (layer < n ? layer : n - 1);

	return (struct run){ first_of(&x->layers, at), first_of(&x->layers, at + 1) };
}

static uint64_t base_of(const struct trace_index *x, struct run run, size_t i)
{
	return i == run.first ? 0 : ((const struct block *)x->blocks.at)[i - 1].end;
}

/* Those of RUN that have to do with FROM .. TO. */
static struct run overlap(const struct trace_index *x, struct run run, uint64_t from, uint64_t to)
{
	const struct block *blocks = x->blocks.at;
	size_t low = run.first, high = run.last;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (blocks[mid].end < from)
			low = mid + 1;
		else
			high = mid;
	}
	high = low;
	while (high < run.last && base_of(x, run, high) <= to)
		high++;
	return (struct run){ low, high };
}

/* How many spans of LINE the window has in LAYER, about. */
static uint64_t estimate(const struct trace_index *x, size_t line, unsigned layer, uint64_t from,
			 uint64_t to)
{
	struct run all = blocks_of(x, line, layer), run = overlap(x, all, from, to);
	uint64_t n = 0;

	for (size_t i = run.first; i < run.last; i++) {
		const struct block *b = &((const struct block *)x->blocks.at)[i];
		uint64_t base = base_of(x, all, i), begin = base > from ? base : from,
			 end = b->end < to ? b->end : to;

		if (b->end > base && end > begin)
			n += (uint64_t)((double)b->n * (double)(end - begin) /
					(double)(b->end - base)) +
			     1;
		else
			n += b->n;
	}
	return n;
}

static uint64_t estimate_rows(const struct trace_index *x, const struct trace_index_window *w,
			      unsigned layer)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->row_n && n <= TRACE_INDEX_SPANS; i++)
		for (size_t line = first_of(&x->rows, w->rows[i]);
		     line < first_of(&x->rows, w->rows[i] + 1) && n <= TRACE_INDEX_SPANS; line++)
			n += estimate(x, line, layer, w->from, w->to);
	return n;
}

/* The spans of block I in the window go to OUT. */
static enum jw_status take_block(const struct trace_index *x, struct run run, size_t i,
				 const struct trace_index_window *w, struct jw_buf *bytes,
				 struct trace_view_track *out, struct jw_err *e)
{
	const struct block *b = &((const struct block *)x->blocks.at)[i];
	struct trace_view_span span;
	uint32_t n = 0;

	jw_buf_clear(bytes);
	JW_TRY(read_part(x, b->at, b->bytes, bytes, e));
	struct trace_view_reader r = { jw_cur(jw_buf_span(bytes)), base_of(x, run, i) };
	uint64_t before = r.end;

	for (; trace_view_track_next(&r, &span); before = r.end, n++) {
		if (span.begin < before || span.begin > TRACE_INDEX_TIME || r.end < span.begin ||
		    r.end > TRACE_INDEX_TIME)
			return damaged(e);
		if (r.end < w->from || span.begin > w->to)
			continue;
		if (!trace_view_track_add(out, 0, &span))
			return jw_nomem(e);
	}
	return n == b->n && jw_cur_ok(&r.bytes) && r.end == b->end ? JW_OK : damaged(e);
}

static enum jw_status put_line(const struct trace_index *x, size_t line, unsigned layer,
			       const struct trace_index_window *w, struct jw_buf *out,
			       struct jw_err *e)
{
	struct run all = blocks_of(x, line, layer), run = overlap(x, all, w->from, w->to);
	struct trace_view_track track = { 0 };
	struct jw_buf bytes = { 0 };
	enum jw_status status = JW_OK;

	for (size_t i = run.first; i < run.last && status == JW_OK; i++) {
		status = take_block(x, all, i, w, &bytes, &track, e);
		if (status == JW_OK && track.bytes.n > ANSWER_BYTES)
			status = jw_fail(e, JW_LIMIT, "this part of the run has too many calls");
	}
	if (status == JW_OK)
		trace_view_put_track(out, &track);
	trace_view_track_free(&track);
	jw_buf_free(&bytes);
	return status;
}

static enum jw_status put_row(const struct trace_index *x, uint32_t row, unsigned layer,
			      const struct trace_index_window *w, struct jw_buf *out,
			      struct jw_err *e)
{
	size_t first = first_of(&x->rows, row), last = first_of(&x->rows, row + 1);

	trace_view_put(out, row);
	trace_view_put(out, last - first);
	for (size_t line = first; line < last; line++) {
		JW_TRY(put_line(x, line, layer, w, out, e));
		if (out->n > ANSWER_BYTES)
			return jw_fail(e, JW_LIMIT, "this part of the run has too many calls");
	}
	return JW_OK;
}

enum jw_status trace_index_rows(const struct trace_index *x, const struct trace_index_window *w,
				struct jw_buf *out, struct jw_err *e)
{
	struct jw_buf rows = { 0 };
	enum jw_status status = JW_OK;
	unsigned layer = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->row_n; i++)
		if (w->rows[i] >= x->row_n)
			return jw_fail(e, JW_USAGE, "there is no such row");
	while (layer + 1 < TRACE_INDEX_LAYERS && estimate_rows(x, w, layer) > TRACE_INDEX_SPANS)
		layer++;
	while (n < w->row_n && rows.n <= ANSWER_BYTES / 4 && status == JW_OK)
		status = put_row(x, w->rows[n++], layer, w, &rows, e);
	trace_view_put(out, trace_index_least(layer));
	trace_view_put(out, n);
	jw_put_bytes(out, jw_buf_span(&rows));
	if (status == JW_OK)
		status = jw_buf_finish(&rows, "answer", e);
	if (status == JW_OK)
		status = jw_buf_finish(out, "answer", e);
	jw_buf_free(&rows);
	return status;
}

/* ---- arrows ---- */

struct arrows_found {
	struct trace_view_arrow *at; /* room for TRACE_INDEX_ARROWS */
	size_t n;
};

/* BYTES is room for those of a block. */
static enum jw_status take_arrows(const struct trace_index *x, const struct arrow_block *b,
				  uint64_t from, uint64_t to, struct jw_buf *bytes,
				  struct arrows_found *found, struct jw_err *e)
{
	uint64_t sent = 0;

	jw_buf_clear(bytes);
	JW_TRY(read_part(x, b->at, b->bytes, bytes, e));
	struct jw_cur c = jw_cur(jw_buf_span(bytes));

	for (uint32_t i = 0; i < b->n && found->n < TRACE_INDEX_ARROWS; i++) {
		uint64_t folded = trace_view_get(&c), flight = trace_view_get(&c);
		uint64_t row = trace_view_get(&c), other = trace_view_get(&c);
		uint64_t tag = trace_view_get(&c);

		sent += folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
		if (!jw_cur_ok(&c) || sent > TRACE_INDEX_TIME || flight > TRACE_INDEX_TIME ||
		    row >= x->row_n || other >= x->row_n)
			return damaged(e);
		if (sent <= to && sent + flight >= from)
			found->at[found->n++] =
				(struct trace_view_arrow){ .sent = sent,
							   .received = sent + flight,
							   .tag = tag > UINT32_MAX ? 0 : tag,
							   .from = (uint32_t)row,
							   .to = (uint32_t)other };
	}
	return JW_OK;
}

enum jw_status trace_index_arrows(const struct trace_index *x, uint64_t from, uint64_t to,
				  struct jw_buf *out, struct jw_err *e)
{
	struct arrows_found found = { jw_mem_zalloc(TRACE_INDEX_ARROWS, sizeof(*found.at)), 0 };
	struct jw_buf bytes = { 0 };
	enum jw_status status = found.at ? JW_OK : jw_nomem(e);

	for (size_t i = 0; i < x->arrow_blocks.n && status == JW_OK; i++) {
		const struct arrow_block *b = &((const struct arrow_block *)x->arrow_blocks.at)[i];

		if (b->first <= to && b->last >= from && found.n < TRACE_INDEX_ARROWS)
			status = take_arrows(x, b, from, to, &bytes, &found, e);
	}
	if (status == JW_OK) {
		trace_view_sort_arrows(found.at, found.n);
		trace_view_put_arrows(out, found.n, found.at, found.n);
		status = jw_buf_finish(out, "answer", e);
	}
	jw_mem_free(found.at);
	jw_buf_free(&bytes);
	return status;
}
