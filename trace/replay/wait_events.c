/*
 * wait_events.c: see wait_events.h.
 */
#include "base/memory.h"
#include "trace/output.h"
#include "trace/replay/pass.h"
#include "trace/replay/states.h"
#include "trace/replay/wait_events.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

bool trace_wait_events_open(struct trace_shown_waits *all, size_t rows)
{
	*all = (struct trace_shown_waits){
		.rows = jw_mem_zalloc(rows + 1, sizeof(*all->rows)),
		.due = jw_mem_zalloc(rows + 1, sizeof(const struct trace_row *)),
	};
	return all->rows && all->due;
}

void trace_wait_events_free(struct trace_shown_waits *all)
{
	jw_mem_free(all->rows);
	jw_mem_free(all->due);
	*all = (struct trace_shown_waits){ 0 };
}

/* Was recording paused at TIME? */
static bool in_gap(const struct trace_task *t, uint64_t time)
{
	size_t low = 0, high = t->gap_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->gaps[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->gap_count && t->gaps[low].begin <= time;
}

/* An event of TYPE, which is NOW, where there is something to say, or was BEFORE. */
static void put_change(struct trace_pass *p, const struct trace_row *row, enum trace_type type,
		       uint64_t before, uint64_t now)
{
	if (before || now)
		trace_put_event(p, row, p->told.waits.rows[row->order].time, type, now);
}

static uint64_t monitor_value(const struct trace_wait *w)
{
	return w->value <= TRACE_WAIT_LAST_MONITOR ? w->value : 0;
}

static uint64_t wait_value(const struct trace_wait *w)
{
	return w->value > TRACE_WAIT_LAST_MONITOR ? w->value - TRACE_WAIT_LAST_MONITOR : 0;
}

static void show_due(struct trace_pass *p, const struct trace_row *row)
{
	struct trace_shown_wait *w = &p->told.waits.rows[row->order];

	w->due = false;
	if (in_gap(row->task, w->time))
		w->now = (struct trace_wait){ .value = TRACE_NO_WAIT };
	if (!w->now.value && !w->shown.value)
		return;
	put_change(p, row, TRACE_TYPE_MONITOR, monitor_value(&w->shown), monitor_value(&w->now));
	put_change(p, row, TRACE_TYPE_WAIT, wait_value(&w->shown), wait_value(&w->now));
	put_change(p, row, TRACE_TYPE_OBJECT, trace_object_number(w->shown.object),
		   trace_object_number(w->now.object));
	put_change(p, row, TRACE_TYPE_MONITOR_CLASS, w->shown.class, w->now.class);
	put_change(p, row, TRACE_TYPE_MONITOR_PLACE, w->shown.place, w->now.place);
	w->shown = w->now;
}

void trace_wait_events_show(struct trace_pass *p)
{
	for (size_t i = 0; i < p->told.waits.due_n; i++)
		show_due(p, p->told.waits.due[i]);
	p->told.waits.due_n = 0;
}

void trace_wait_events_of(struct trace_pass *p, const struct trace_row *row, uint64_t key)
{
	const struct trace_shown_wait *w = &p->told.waits.rows[row->order];

	if (w->due && key > trace_key(w->time))
		show_due(p, row);
}

void trace_wait_events_put(struct trace_pass *p, const struct trace_row *row, uint64_t time,
			   const struct trace_waits *waits)
{
	struct trace_shown_wait *w = &p->told.waits.rows[row->order];

	w->now = waits->n ? waits->at[waits->n - 1] : (struct trace_wait){ .value = TRACE_NO_WAIT };
	w->time = p->told.waits.time = time;
	p->due = 0;
	if (!w->due && p->apart != TRACE_APART_THREADS)
		p->told.waits.due[p->told.waits.due_n++] = row;
	w->due = true;
}
