/*
 * job_runs.c: see job_runs.h.
 *
 * Ports are used again: addresses that more than two ends have join nobody, as those of a server and its
 * clients in each of two runs may be the same.
 */
#include "trace/report/job_runs.h"

#include <stdlib.h>
#include <string.h>

#include "trace/report/job_ends.h"

#include "base/banned.h"

struct met {
	struct trace_job_end end;
	size_t process;
};

struct runs {
	const struct trace_job_process *at;
	size_t *of; /* another process of the same run, or itself */
	struct met *met;
	size_t met_count;
};

static int by_addresses(const void *a, const void *b)
{
	const struct met *x = a, *y = b;

	if (x->end.addresses != y->end.addresses)
		return x->end.addresses < y->end.addresses ? -1 : 1;
	return x->process < y->process ? -1 : x->process > y->process;
}

/* The process by which the run of I is known. */
static size_t run_of(struct runs *r, size_t i)
{
	while (r->of[i] != i)
		i = r->of[i] = r->of[r->of[i]];
	return i;
}

/* Makes one run of those of A and B. */
static bool join(struct runs *r, size_t a, size_t b)
{
	size_t x = run_of(r, a), y = run_of(r, b);

	r->of[x] = y;
	return x != y;
}

static int by_begin(const void *a, const void *b)
{
	const struct trace_job_process *const *x = a, *const *y = b;

	return (*x)->began_ns < (*y)->began_ns ? -1 : (*x)->began_ns > (*y)->began_ns;
}

/* Returns how many runs there are by time. */
static size_t join_by_time(struct runs *r, const struct trace_job_process **p, size_t n,
			   uint64_t apart_ns)
{
	uint64_t end = 0;
	size_t runs = n > 0;

	if (n > 1)
		qsort(p, n, sizeof(const struct trace_job_process *), by_begin);
	for (size_t i = 0; i < n; i++) {
		bool apart = i && p[i]->began_ns > end && p[i]->began_ns - end > apart_ns;

		runs += apart;
		if (i && !apart)
			join(r, (size_t)(p[i] - r->at), (size_t)(p[i - 1] - r->at));
		end = p[i]->ended_ns > end ? p[i]->ended_ns : end;
	}
	return runs;
}

/* Returns how many runs turned out to be one with another. */
static size_t join_by_connections(struct runs *r)
{
	size_t joined = 0;

	if (r->met_count > 1)
		qsort(r->met, r->met_count, sizeof(*r->met), by_addresses);
	for (size_t i = 0, end; i < r->met_count; i = end) {
		const struct met *x = &r->met[i], *y = x + 1;

		for (end = i + 1;
		     end < r->met_count && r->met[end].end.addresses == x->end.addresses;)
			end++;
		if (end - i == 2 && x->end.lower != y->end.lower &&
		    strcmp(r->at[x->process].boot, r->at[y->process].boot) != 0)
			joined += join(r, x->process, y->process);
	}
	return joined;
}

static bool counts(const struct trace_job_process *p)
{
	return !p->again && p->began_ns;
}

enum jw_status trace_job_count_runs(const struct trace_job_listing *l, uint64_t apart_ns,
				    struct jw_arena *arena, struct trace_job_runs *out,
				    struct jw_err *e)
{
	struct runs r = { .at = l->at };
	size_t n = 0, ends = 0;

	for (size_t i = 0; i < l->readable; i++)
		ends += counts(&l->at[i]) ? l->at[i].end_count : 0;
	const struct trace_job_process **p =
		JW_NEW_ARRAY(arena, const struct trace_job_process *, l->readable + 1);
	r.of = JW_NEW_ARRAY(arena, size_t, l->readable + 1);
	r.met = JW_NEW_ARRAY(arena, struct met, ends + 1);
	if (!p || !r.of || !r.met)
		return jw_nomem(e);
	for (size_t i = 0; i < l->readable; i++) {
		r.of[i] = i;
		if (!counts(&l->at[i]))
			continue;
		p[n++] = &l->at[i];
		for (size_t k = 0; k < l->at[i].end_count; k++)
			r.met[r.met_count++] = (struct met){ l->at[i].ends[k], i };
	}
	out->by_time = join_by_time(&r, p, n, apart_ns);
	out->runs = out->by_time - (out->by_time > 1 ? join_by_connections(&r) : 0);
	return JW_OK;
}
