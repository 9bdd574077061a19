/*
 * tsv.c: see tsv.h.
 */
#include "base/memory.h"
#include "base/out_file.h"
#include "trace/tsv/tsv.h"

#include "base/banned.h"

#define PIECE ((size_t)64 << 10)

struct trace_tsv {
	const struct trace_destination *to;
	bool wanted[TRACE_TABLES];
	size_t width[TRACE_TABLES];
	struct jw_buf text[TRACE_TABLES];  /* owned; what waits */
	struct jw_out files[TRACE_TABLES]; /* owned; of a folder */
	struct jw_err why;                 /* the first failure */
};

/* ---- bytes ---- */

/* Writes what waits of TABLE. */
static enum jw_status send(struct trace_tsv *w, enum trace_table_id table, struct jw_err *e)
{
	struct jw_buf *text = &w->text[table];

	JW_TRY(jw_buf_finish(text, trace_tables[table].name, e));
	enum jw_status status = w->to->table ? w->to->write(w->to->to, jw_buf_span(text), e)
					     : jw_out_write(&w->files[table], jw_buf_span(text), e);

	jw_buf_clear(text);
	return status;
}

/* Not jw_put_dec(), which knows no sign, nor a format, which takes most of the time. */
static void put_number(struct jw_buf *out, int64_t n)
{
	if (n < 0)
		jw_put_str(out, "-");
	jw_put_dec(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static void put_text(struct jw_buf *out, struct jw_span text)
{
	static const char from[] = "\t\n\r\\";
	static const char *const to[] = { "\\t", "\\n", "\\r", "\\\\" };
	size_t done = 0;

	for (size_t i = 0; i < text.n; i++) {
		size_t k = 0;

		while (from[k] && (uint8_t)from[k] != text.p[i])
			k++;
		if (!from[k])
			continue;
		jw_put_bytes(out, jw_span_sub(text, done, i - done));
		jw_put_str(out, to[k]);
		done = i + 1;
	}
	jw_put_bytes(out, jw_span_sub(text, done, text.n));
}

static void put_cell(struct jw_buf *out, const struct trace_cell *cell)
{
	if (cell->kind == TRACE_CELL_NUMBER)
		put_number(out, cell->number);
	else if (cell->kind == TRACE_CELL_TEXT)
		put_text(out, cell->text);
	else
		jw_put_str(out, "\\N");
}

/* ---- the writer ---- */

static enum jw_status open_table(struct trace_tsv *w, enum trace_table_id table, struct jw_err *e)
{
	size_t first = trace_tables_first(table), width = trace_tables_width(table);
	struct jw_buf *out = &w->text[table];

	w->wanted[table] = true;
	w->width[table] = width;
	for (size_t i = 0; i < width; i++) {
		jw_put_str(out, trace_columns[first + i].name);
		jw_put_str(out, i + 1 < width ? "\t" : "\n");
	}
	if (w->to->table)
		return JW_OK;
	struct jw_buf path = { 0 };

	jw_put_fmt(&path, "%s/%s.tsv", w->to->path, trace_tables[table].name);
	jw_put_u1(&path, 0);
	enum jw_status status = jw_buf_finish(&path, "name of a file", e);

	if (status == JW_OK)
		status = jw_out_open((const char *)path.p, 0644, &w->files[table], e);
	jw_buf_free(&path);
	return status;
}

static enum jw_status open_all(void *ctx, struct jw_err *e)
{
	struct trace_tsv *w = ctx;

	for (enum trace_table_id i = 0; i < TRACE_TABLES; i++)
		if (!w->to->table || trace_tables_find(w->to->table) == i)
			JW_TRY(open_table(w, i, e));
	return JW_OK;
}

static void take_row(void *ctx, enum trace_table_id table, const struct trace_cell *cells)
{
	struct trace_tsv *w = ctx;
	struct jw_buf *out = &w->text[table];

	if (!w->wanted[table] || w->why.status != JW_OK)
		return;
	for (size_t i = 0; i < w->width[table]; i++) {
		put_cell(out, &cells[i]);
		jw_put_str(out, i + 1 < w->width[table] ? "\t" : "\n");
	}
	if (out->n >= PIECE)
		(void)send(w, table, &w->why);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_tsv *w = ctx;

	if (w->why.status != JW_OK && e)
		*e = w->why;
	return w->why.status;
}

static enum jw_status close_all(void *ctx, struct jw_err *e)
{
	struct trace_tsv *w = ctx;

	JW_TRY(check(w, e));
	for (enum trace_table_id i = 0; i < TRACE_TABLES; i++) {
		if (w->wanted[i])
			JW_TRY(send(w, i, e));
		if (w->wanted[i] && !w->to->table)
			JW_TRY(jw_out_commit(&w->files[i], e));
	}
	return JW_OK;
}

static void free_all(void *ctx)
{
	struct trace_tsv *w = ctx;

	for (enum trace_table_id i = 0; w && i < TRACE_TABLES; i++) {
		jw_buf_free(&w->text[i]);
		jw_out_abort(&w->files[i]);
	}
	jw_mem_free(w);
}

const struct trace_table_writer trace_tsv_writer = { open_all, take_row, check, close_all,
						     free_all };

struct trace_tsv *trace_tsv_new(const struct trace_destination *to)
{
	struct trace_tsv *w = jw_mem_zalloc(1, sizeof(*w));

	if (w)
		w->to = to;
	return w;
}
