/*
 * row_tasks.c: tasks of engines, as rows: see rows_int.h. Known last, when all has happened.
 */
#include "trace/engine/engine.h"
#include "trace/tables/rows_int.h"

#include "base/banned.h"

/* Texts of one row, each in a buffer of its own. */
enum { TEXTS = 3 };

struct texts {
	struct jw_buf at[TEXTS]; /* owned */
	size_t n;
};

static struct trace_cell text(struct texts *texts, const char *text)
{
	return trace_cell_clean(&texts->at[texts->n++], jw_span_str(text ? text : ""));
}

static struct trace_cell known(bool is_known, uint64_t n)
{
	return is_known ? trace_cell_number(n) : trace_cell_maybe(0);
}

/* What is lost for want of memory is no row: the end fails. */
static void put_row(struct trace_tables *t, enum trace_table_id table, struct texts *texts,
		    const struct trace_cell *row, size_t n)
{
	for (size_t i = 0; i < texts->n; i++)
		if (texts->at[i].failed != JW_OK && t->why.status == JW_OK)
			(void)jw_nomem(&t->why);
	texts->n = 0;
	trace_put_row(t, table, row, n);
}

static void put_task(struct trace_tables *t, struct texts *texts, uint64_t id,
		     const struct trace_engine_task *task)
{
	const uint64_t *inside = task->did.inside.ns;
	struct trace_cell name = text(texts, task->id);
	struct trace_cell row[] = { trace_cell_number(id),
				    trace_cell_text(name.text),
				    text(texts, task->stage),
				    known(task->has_partition, task->partition),
				    known(task->has_attempt, task->attempt),
				    trace_cell_number((uint64_t)task->process + 1),
				    trace_cell_number((uint64_t)task->thread + 1),
				    trace_cell_number(task->begin),
				    trace_cell_number(task->ns),
				    trace_cell_number(task->failed),
				    trace_cell_number(task->cancelled),
				    trace_cell_number(task->open),
				    trace_cell_maybe(task->median_ns),
				    trace_cell_number(task->straggler),
				    trace_cell_number(inside[TRACE_REPORT_RUNNING]),
				    trace_cell_number(inside[TRACE_REPORT_GC]),
				    trace_cell_number(task->did.lock_ns),
				    trace_cell_number(inside[TRACE_REPORT_WAITING]),
				    trace_cell_number(inside[TRACE_REPORT_IO]),
				    trace_cell_number(task->did.file_ns),
#define MEASURE(name, key, head, unit)                        \
	known(task->did.measured >> TRACE_MEASURE_##name & 1, \
	      task->did.measures[TRACE_MEASURE_##name]),
				    TRACE_MEASURE_LIST(MEASURE)
#undef MEASURE
	};

	put_row(t, TRACE_TABLE_TASK, texts, row, sizeof(row) / sizeof(*row));
}

/* The column of `task` that has the measure. */
static const char *column_of(enum trace_measure measure)
{
	return trace_columns[TRACE_COLUMN_TASK_RUN_NS + (size_t)measure].name;
}

static void put_cause(struct trace_tables *t, struct texts *texts, uint64_t task, uint64_t place,
		      const struct trace_cause *c)
{
	bool skew = c->kind == TRACE_CAUSE_SKEW;
	struct trace_cell row[] = {
		trace_cell_number(task),
		trace_cell_number(place),
		trace_cell_text(jw_span_str(trace_cause_words[c->kind])),
		trace_cell_number((uint64_t)(100 * c->share + 0.5)),
		text(texts, skew ? column_of(c->measure) : ""),
		trace_cell_number(c->value),
		trace_cell_number(c->median),
		text(texts, c->of),
		text(texts, c->ender),
	};

	put_row(t, TRACE_TABLE_CAUSE, texts, row, sizeof(row) / sizeof(*row));
}

enum jw_status trace_put_tasks(struct trace_tables *t, struct jw_err *e)
{
	const struct trace_engine_list list =
		t->engine ? trace_engine_list(t->engine) : (struct trace_engine_list){ 0 };
	struct texts texts = { 0 };

	for (size_t i = 0; i < list.n; i++) {
		put_task(t, &texts, i + 1, &list.tasks[i]);
		for (uint32_t k = 0; k < list.tasks[i].cause_count; k++)
			put_cause(t, &texts, i + 1, (uint64_t)k + 1, &list.tasks[i].causes[k]);
	}
	for (size_t i = 0; i < TEXTS; i++)
		jw_buf_free(&texts.at[i]);
	if (t->why.status != JW_OK && e)
		*e = t->why;
	return t->why.status;
}
