/*
 * aliases.c: see aliases.h. A thread is called by the name that it had longest, each from when it
 * was seen until the next one was. One that the VM has given because the program gave none
 * ("Thread-7") is the last choice.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/reader/aliases.h"
#include "base/bytes.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

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

static uint64_t name_hash(const char *name)
{
	return jw_hash64(jw_span_str(name), 0);
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
		uint64_t next = i + 1 < n ? a[i + 1].tick : end, hash = name_hash(a[i].name);
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

bool trace_aliases_settle(struct trace_recording *rec)
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

		if (names < 2 || thread == rec->thread_count ||
		    rec->threads[thread].uid != all[i].uid)
			continue;
		struct trace_thread *t = &rec->threads[thread];

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
