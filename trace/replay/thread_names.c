/*
 * thread_names.c: see thread_names.h. All names of a thread are events, where they were seen
 * (reader/aliases.h); 0 where the row ends.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/reader/tally.h"
#include "trace/replay/align.h"
#include "trace/replay/apart.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/states.h"
#include "trace/replay/thread_names.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define NO_NAME UINT32_MAX /* the row ends */

static int by_time(const void *a, const void *b)
{
	const struct trace_naming *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->alias < y->alias ? -1 : x->alias > y->alias;
}

/* What is seen of the row R of T, number AT of all, while it lives. */
static void put_row(struct trace_task *t, const struct trace_row *r, size_t at)
{
	uint64_t first = r->start ? r->start : 1, end = r->end < t->end ? r->end : t->end;
	uint32_t hint = 0;

	if (first > end) /* damage */
		return;
	for (size_t i = 0; i < r->thread->alias_count; i++) {
		size_t alias = r->thread->alias + i;
		uint64_t time = trace_time(t, t->rec.aliases[alias].tick, &hint);

		time = time < first ? first : time > end ? end : time;
		t->namings[t->naming_count++] =
			(struct trace_naming){ time, (uint32_t)at, (uint32_t)alias };
	}
	if (r->thread->alias_count)
		t->namings[t->naming_count++] = (struct trace_naming){ end, (uint32_t)at, NO_NAME };
}

bool trace_names_place(const struct trace_world *w, struct trace_task *t)
{
	if (!t->rec.alias_count)
		return true;
	/* an end for each thread, of which each has two names or more */
	t->namings = jw_mem_zalloc(2 * t->rec.alias_count, sizeof(*t->namings));
	if (!t->namings)
		return false;
	for (size_t i = t->first_row; i < t->first_row + t->rows; i++)
		if (!w->rows[i].hidden && !w->rows[i].thread->is_vm)
			put_row(t, &w->rows[i], i);
	qsort(t->namings, t->naming_count, sizeof(*t->namings), by_time);
	return true;
}

void trace_names_take(struct trace_pass *p, const struct trace_task *t,
		      const struct trace_naming *naming)
{
	const struct trace_row *row = &p->world->rows[naming->row];
	uint64_t value = 0;

	if (p->told.apart)
		trace_apart_reaches(p, row, trace_key(naming->time), true);
	if (naming->alias != NO_NAME)
		value = trace_text_number(p, &p->told.names, t->rec.aliases[naming->alias].name);
	trace_put_event(p, row, naming->time, TRACE_TYPE_THREAD_NAME, value);
}
