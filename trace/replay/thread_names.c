/*
 * thread_names.c: threads that a program renames. The VM does not tell when: the recorder sees a
 * name at the first event, when a window is full, and at the end.
 *
 *     thread .. NAME, thread-name .. NAME, thread-end .. NAME (meta_read.c): each seen at its tick
 *
 * The row is called by the name that was there longest, each from when it was seen until the next
 * one was. One that the VM has given because the program gave none ("Thread-7") is the last choice.
 * All of them are events, where they were seen; 0 where the row ends.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/replay/world_int.h"

#include "base/banned.h"

#define NO_NAME UINT32_MAX /* the row ends */

/* ---- which one ---- */

static int by_thread(const void *a, const void *b)
{
	const struct trace_alias *x = a, *y = b;

	if (x->uid != y->uid)
		return x->uid < y->uid ? -1 : 1;
	if (x->tick != y->tick)
		return x->tick < y->tick ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Leaves of the N names at A, of one thread, those that are another one than before. */
static size_t changes(struct trace_alias *a, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp(a[kept - 1].name, a[i].name) != 0)
			a[kept++] = a[i];
	return kept;
}

static bool is_default(const char *name)
{
	size_t n = strlen("Thread-");

	return strncmp(name, "Thread-", n) == 0 && name[n + strspn(name + n, "0123456789")] == '\0';
}

/* The last instant that is known of T, or of REC. */
static uint64_t end_of(const struct trace_recording *rec, const struct trace_thread *t)
{
	if (t->ended)
		return t->end_tick;
	return rec->stopped ? rec->stop_tick : rec->clean_end ? rec->end_tick : rec->alive_tick;
}

/* Is X better to call a thread by than Y? Their `count` is the place in A where they are first. */
static bool is_better(const struct trace_alias *a, const struct trace_sum *x,
		      const struct trace_sum *y)
{
	bool x_default = is_default(a[x->count].name), y_default = is_default(a[y->count].name);

	return x_default != y_default ? y_default : x->ns > y->ns;
}

/* Adds up how long each of the N names at A was there, and where it is first; false: no memory. */
static bool add_up(const struct trace_alias *a, size_t n, uint64_t end, struct trace_tally *names)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t next = i + 1 < n ? a[i + 1].tick : end, hash = trace_text_hash(a[i].name);
		bool is_new = !trace_tally_find(names, a[i].uid, hash);
		struct trace_sum *sum = trace_tally_at(names, a[i].uid, hash);

		if (!sum)
			return false;
		sum->count = is_new ? i : sum->count;
		sum->ns += next > a[i].tick ? next - a[i].tick : 0;
	}
	return true;
}

/* Calls T by one of its N names at A; false: no memory. */
static bool choose(const struct trace_recording *rec, struct trace_thread *t,
		   const struct trace_alias *a, size_t n)
{
	struct trace_tally names = { 0 };
	bool done = add_up(a, n, end_of(rec, t), &names);
	size_t best = 0;

	for (size_t i = 1; done && i < names.n; i++)
		if (is_better(a, &names.sums[i], &names.sums[best]))
			best = i;
	if (done)
		t->name = a[names.sums[best].count].name;
	trace_tally_free(&names);
	return done;
}

bool trace_names_settle(struct trace_recording *rec)
{
	struct trace_alias *all = rec->aliases;
	size_t kept = 0, thread = 0;

	if (rec->alias_count > 1)
		qsort(all, rec->alias_count, sizeof(*all), by_thread);
	for (size_t i = 0, n; i < rec->alias_count; i += n) {
		for (n = 1; i + n < rec->alias_count && all[i + n].uid == all[i].uid;)
			n++;
		while (thread < rec->thread_count && rec->threads[thread].uid < all[i].uid)
			thread++;
		size_t names = changes(&all[i], n);
		struct trace_thread *t = &rec->threads[thread];

		if (names < 2 || thread == rec->thread_count || t->uid != all[i].uid)
			continue;
		memmove(&all[kept], &all[i], names * sizeof(*all));
		if (!choose(rec, t, &all[kept], names))
			return false;
		t->alias = kept;
		t->alias_count = names;
		kept += names;
	}
	rec->alias_count = kept;
	return true;
}

/* ---- events ---- */

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
		t->namings[t->naming_count++] =
			(struct trace_naming){ end, (uint32_t)at, NO_NAME };
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

void trace_names_take(struct trace_frames *to, const struct trace_world *w,
		      const struct trace_task *t, const struct trace_naming *naming)
{
	uint64_t value = 0;

	if (naming->alias != NO_NAME)
		value = trace_text_number(to, &to->names, t->rec.aliases[naming->alias].name);
	trace_put_event(to, &w->rows[naming->row], naming->time, TRACE_TYPE_THREAD_NAME, value);
}
