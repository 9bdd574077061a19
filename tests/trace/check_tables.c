/*
 * check_tables.c: see check_tables.h: keys are 1, 2, 3 .. in any order, each once; what refers to a
 * table finds its row; what may not be NULL is not; texts are UTF-8 on one line.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tests/trace/check_prv.h"
#include "tests/trace/check_tables.h"
#include "trace/engine/engine.h"
#include "trace/paraver/prv_source.h"
#include "trace/replay/replay.h"
#include "trace/tables/tables.h"
#include "trace/tee.h"

#include "base/banned.h"

/* Sum and sum of squares tell 1 .. n from anything with one number twice. */
struct keys {
	uint64_t n, sum, squares;
};

struct seen {
	struct keys tables[TRACE_TABLES];
	int64_t highest[TRACE_COLUMNS]; /* that a column refers to */
	bool closed;
};

static enum jw_status open_rows(void *ctx, struct jw_err *e)
{
	(void)ctx;
	(void)e;
	return JW_OK;
}

static void take_text(struct jw_span text)
{
	for (size_t i = 0; i < text.n; i++)
		must(text.p[i] >= ' ' && text.p[i] != 127);
	for (size_t i = 0, n = 1; i < text.n; i += n) {
		uint32_t point;

		n = jw_utf8_at(jw_span_sub(text, i, 4), &point);
		must(n != 0);
	}
}

static void take_key(struct keys *keys, int64_t key)
{
	must(key > 0);
	keys->sum += (uint64_t)key;
	keys->squares += (uint64_t)key * (uint64_t)key;
}

static void take_row(void *ctx, enum trace_table_id table, const struct trace_cell *cells)
{
	struct seen *seen = ctx;
	size_t first = trace_tables_first(table), width = trace_tables_width(table);

	must(!seen->closed);
	seen->tables[table].n++;
	for (size_t i = 0; i < width; i++) {
		const struct trace_column *c = &trace_columns[first + i];
		bool is_text = c->type >= TRACE_COLUMN_TEXT;

		if (cells[i].kind == TRACE_CELL_NULL) {
			must(c->type == TRACE_COLUMN_MAYBE || c->type == TRACE_COLUMN_MAYBE_TEXT);
			continue;
		}
		must((cells[i].kind == TRACE_CELL_TEXT) == is_text);
		if (is_text)
			take_text(cells[i].text);
		else
			must(cells[i].number >= 0);
		if (c->type == TRACE_COLUMN_KEY)
			take_key(&seen->tables[table], cells[i].number);
		if (*c->refers) {
			must(cells[i].number > 0);
			if (cells[i].number > seen->highest[first + i])
				seen->highest[first + i] = cells[i].number;
		}
	}
}

static enum jw_status check_rows(void *ctx, struct jw_err *e)
{
	(void)ctx;
	(void)e;
	return JW_OK;
}

static enum jw_status close_rows(void *ctx, struct jw_err *e)
{
	struct seen *seen = ctx;

	(void)e;
	for (size_t i = 0; i < TRACE_COLUMNS; i++) {
		const struct trace_column *c = &trace_columns[i];
		const struct keys *own = &seen->tables[c->table];

		if (c->type == TRACE_COLUMN_KEY) {
			must(own->sum == own->n * (own->n + 1) / 2);
			must(own->squares == own->n * (own->n + 1) * (2 * own->n + 1) / 6);
		}
		if (*c->refers)
			must((uint64_t)seen->highest[i] <=
			     seen->tables[trace_tables_find(c->refers)].n);
	}
	seen->closed = true;
	return JW_OK;
}

static void free_rows(void *ctx)
{
	(void)ctx;
}

static const struct trace_table_writer checks = { open_rows, take_row, check_rows, close_rows,
						  free_rows };

void check_tables(const char *path)
{
	const struct trace_job job = { .recordings = &path, .recording_count = 1 };
	struct seen seen = { 0 };
	struct jw_arena arena = { 0 };
	struct trace_notes notes = { .arena = &arena };
	struct trace_replay replay = { 0 };
	struct trace_tables *tables = trace_tables_new(&checks, &seen);
	struct trace_engine *engine = trace_engine_new(&arena);
	struct trace_tee both = { &trace_engine_output, &trace_tables_output, engine, tables };
	struct jw_err e = { 0 };

	must(tables && engine);
	trace_tables_tasks(tables, engine);
	enum jw_status status = trace_replay_open(&job, &notes, &replay, &e);

	if (status == JW_OK)
		status = trace_replay_tell(&replay, &trace_tee_output, &both, &e);
	must(status == JW_OK ? seen.closed : e.text[0] != '\0');
	trace_tables_free(tables);
	trace_engine_free(engine);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
}

void check_tables_of_prv(struct jw_span prv, struct jw_span pcf, struct jw_span row)
{
	struct seen seen = { 0 };
	struct trace_tables *tables = trace_tables_new(&checks, &seen);
	struct trace_prv_source *source = trace_prv_source_new(&trace_tables_output, tables, NULL);
	struct jw_err e = { 0 };

	must(tables && source);
	enum jw_status status = trace_prv_source_feed(source, prv, &e);

	if (status == JW_OK)
		status = trace_prv_source_finish(source, pcf, row, &e);
	must(status == JW_OK ? seen.closed : e.text[0] != '\0');
	trace_prv_source_free(source);
	trace_tables_free(tables);
}
