/*
 * cmd_report.c: jweave report RECORDING|TRACE: where the time went, and what threads waited for.
 */
#include <string.h>

#include "cli/help.h"
#include "cli/out.h"
#include "cli/report_calls.h"
#include "cli/report_path.h"
#include "cli/report_requests.h"
#include "cli/report_shared.h"
#include "cli/report_slowest.h"
#include "cli/report_spans.h"
#include "cli/report_sql.h"
#include "cli/report_tasks.h"
#include "cli/safe_text.h"

#include "base/banned.h"

#define TOP_SHOWN    20
#define MANY_THREADS 10 /* more: those that did hardly anything share a line */

static size_t top(struct cli *cli, size_t count)
{
	return cli_report_top(cli, count, TOP_SHOWN);
}

/* ---- operations, monitors, call sites ---- */

/* A column, empty where there are none. */
static void put_bytes(struct cli *cli, uint64_t bytes)
{
	if (bytes)
		cli_put(cli, "%14llu  ", (unsigned long long)bytes);
	else
		cli_put(cli, "%14s  ", "");
}

static void put_operation(struct cli *cli, const struct trace_report_operation *op, uint64_t count,
			  uint64_t ns, uint64_t bytes)
{
	cli_put(cli, "%12llu %13.3f ", (unsigned long long)count, cli_report_ms(ns));
	put_bytes(cli, bytes);
	cli_put(cli, "%s/%s\n", op->type, op->name);
}

static void put_operations(struct cli *cli, const struct trace_report *r)
{
	bool begun = false;

	for (size_t i = 0; i < r->operation_count; i++) {
		const struct trace_report_operation *op = &r->operations[i];

		if (!op->count)
			continue;
		if (!begun)
			cli_put(cli, "\n%12s %13s %14s  operation\n", "count", "ms", "bytes");
		begun = true;
		put_operation(cli, op, op->count, op->ns, op->bytes);
	}
}

static void put_site(struct cli *cli, const struct trace_report_site *s, uint64_t count,
		     uint64_t exceptional, uint64_t ns, uint64_t bytes)
{
	cli_put(cli, "%12llu %11llu %13.3f ", (unsigned long long)count,
		(unsigned long long)exceptional, cli_report_ms(ns));
	put_bytes(cli, bytes);
	cli_report_put_name(cli, s->callee);
	cli_put(cli, " in ");
	cli_report_put_name(cli, s->caller);
	if (*s->source) {
		cli_put(cli, " (");
		cli_report_put_name(cli, s->source);
		cli_put(cli, ":%u)", s->line);
	}
	cli_put(cli, "\n");
}

static void put_sites(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->site_count);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s %11s %13s %14s  call, and where it is made\n", "count", "exceptions",
		"ms", "bytes");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_site *s = &r->sites[i];

		put_site(cli, s, s->count, s->exceptional, s->ns, s->bytes);
	}
	cli_report_put_more(cli, r->site_count - n);
}

#define WAITERS_SHOWN 3

/* WORD and the first of COUNT threads. */
static void put_some(struct cli *cli, const struct trace_report *r, const char *word,
		     const struct trace_report_share *threads, size_t count)
{
	for (size_t i = 0; i < count && i < WAITERS_SHOWN; i++) {
		cli_put(cli, "%s", i ? ", " : word);
		cli_report_put_name(cli, r->threads[threads[i].of].name);
	}
	if (count > WAITERS_SHOWN)
		cli_put(cli, " and %zu more", count - WAITERS_SHOWN);
}

/* Who is blocked by a lock of java.util.concurrent is parked: that is no state Blocked. */
static void put_parked(struct cli *cli, const struct trace_report *r, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= r->monitors[i].contended.count && trace_is_lock(r->monitors[i].class_name);
	if (any && r->states_known)
		cli_put(cli,
			"  blocked ms of a lock of java.util.concurrent: its threads are parked "
			"then, in the state Synchronization\n");
}

static void put_monitors(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->monitor_count);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s %13s %12s %13s  monitor or lock\n", "contended", "blocked ms", "waits",
		"waited ms");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_monitor *m = &r->monitors[i];
		struct jw_buf name = { 0 };

		cli_report_put_object(&name, m);
		jw_put_u1(&name, 0);
		cli_put(cli, "%12llu %13.3f %12llu %13.3f  ",
			(unsigned long long)m->contended.count, cli_report_ms(m->contended.ns),
			(unsigned long long)m->waits.count, cli_report_ms(m->waits.ns));
		if (name.failed == JW_OK)
			cli_report_put_name(cli, (const char *)name.p);
		put_some(cli, r, "  by ", m->threads, m->thread_count);
		put_some(cli, r, ", held by ", m->owners, m->owner_count);
		cli_put(cli, "\n");
		jw_buf_free(&name);
	}
	cli_report_put_more(cli, r->monitor_count - n);
	put_parked(cli, r, n);
}

static void put_classes(struct cli *cli, const struct trace_report *r)
{
	struct cli_report_class *classes = NULL;
	size_t count = cli_report_classes(cli, r, &classes), n = top(cli, count);

	if (count == 0 || count == r->monitor_count) /* the monitors say it all */
		return;
	cli_put(cli, "\n%12s %13s %12s %13s %10s  class of monitors and locks\n", "contended",
		"blocked ms", "waits", "waited ms", "objects");
	for (size_t i = 0; i < n; i++) {
		const struct cli_report_class *c = &classes[i];

		cli_put(cli, "%12llu %13.3f %12llu %13.3f %10zu  ",
			(unsigned long long)c->contended.count, cli_report_ms(c->contended.ns),
			(unsigned long long)c->waits.count, cli_report_ms(c->waits.ns), c->objects);
		cli_report_put_name(cli, trace_class_shown(c->name));
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, count - n);
}

static void put_allocs(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->alloc_count);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s %14s %10s  class of allocations, of those that were sampled\n",
		"count", "bytes", "threads");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_alloc *a = &r->allocs[i];

		cli_put(cli, "%12llu %14llu %10zu  ", (unsigned long long)a->count,
			(unsigned long long)a->bytes, a->thread_count);
		cli_report_put_name(cli, a->class_name);
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, r->alloc_count - n);
	cli_put(cli, "  one in 512 KB is sampled, or in as many bytes as JWEAVE_ALLOC says: count "
		     "times that is about what was allocated\n");
}

static void put_pauses(struct cli *cli, const struct trace_report *r)
{
	const struct trace_report_pauses *p = &r->pauses;

	if (p->count)
		cli_put(cli, "\n%s of the garbage collector: %.3f ms, the longest %.3f ms\n",
			cli_plural(&cli->arena, p->count, "pause", "pauses"), cli_report_ms(p->ns),
			cli_report_ms(p->longest_ns));
}

/* ---- exceptions, objects ---- */

static void put_exceptions(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->exceptions.n);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s %12s %12s  class of exceptions\n", "thrown", "thrown again", "caught");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_type *t = &r->exceptions.list[i];

		cli_put(cli, "%12llu %12llu %12llu  ",
			(unsigned long long)t->count[TRACE_REPORT_THROWN],
			(unsigned long long)t->count[TRACE_REPORT_AGAIN],
			(unsigned long long)t->count[TRACE_REPORT_CAUGHT]);
		cli_report_put_name(cli, t->name);
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, r->exceptions.n - n);
}

static void put_objects(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->objects.n);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s %14s  class of objects\n", "made", "elements");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_type *t = &r->objects.list[i];

		cli_put(cli, "%12llu ", (unsigned long long)t->count[TRACE_REPORT_MADE]);
		if (jw_span_ends(jw_span_str(t->name), JW_SPAN_LIT("[]")))
			cli_put(cli, "%14llu  ", (unsigned long long)t->elements);
		else
			cli_put(cli, "%14s  ", "");
		cli_report_put_name(cli, t->name);
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, r->objects.n - n);
}

/* ---- by thread ---- */

static void put_shares(struct cli *cli, const struct trace_report *r,
		       const struct trace_report_method **sorted, size_t thread)
{
	for (size_t i = 0; i < r->method_count; i++) {
		const struct trace_report_method *m = sorted[i];

		for (size_t s = 0; s < m->share_count; s++) {
			const struct trace_report_share *share = &m->shares[s];

			if (share->of != thread)
				continue;
			cli_put(cli, "%12llu", (unsigned long long)share->count);
			if (r->exceptions_known)
				cli_put(cli, " %11llu", (unsigned long long)share->exceptional);
			cli_put(cli, " %13.3f %13.3f  ", cli_report_ms(share->own_ns),
				cli_report_ms(share->ns));
			cli_put_short(cli, m->label);
			cli_put(cli, "\n");
		}
	}
}

static void put_operations_of(struct cli *cli, const struct trace_report *r, size_t thread)
{
	const struct trace_report_thread *t = &r->threads[thread];

	if (!t->operation_count)
		return;
	cli_put(cli, "\n%12s %13s %14s  operation, in thread ", "count", "ms", "bytes");
	cli_report_put_thread(cli, t);
	for (size_t i = 0; i < t->operation_count; i++) {
		const struct trace_report_share *share = &t->operations[i];

		put_operation(cli, &r->operations[share->of], share->count, share->ns,
			      share->bytes);
	}
}

static void put_sites_of(struct cli *cli, const struct trace_report *r, size_t thread)
{
	bool begun = false;

	for (size_t i = 0; i < r->site_count; i++) {
		const struct trace_report_site *s = &r->sites[i];

		for (size_t k = 0; k < s->thread_count; k++) {
			const struct trace_report_share *share = &s->threads[k];

			if (share->of != thread)
				continue;
			if (!begun) {
				cli_put(cli, "\n%12s %11s %13s %14s  call, in thread ", "count",
					"exceptions", "ms", "bytes");
				cli_report_put_thread(cli, &r->threads[thread]);
			}
			begun = true;
			put_site(cli, s, share->count, share->exceptional, share->ns, share->bytes);
		}
	}
}

static void put_by_thread(struct cli *cli, const struct trace_report *r,
			  const struct trace_report_method **sorted,
			  const struct cli_report_busy *busy)
{
	for (size_t k = 0; k < top(cli, busy->count); k++) {
		size_t i = (size_t)(busy->list[k] - r->threads);

		if (!r->threads[i].calls)
			continue;
		cli_put(cli, "\n%12s%s %13s %13s  method, in thread ", "calls",
			r->exceptions_known ? "  exceptions" : "", "self ms", "total ms");
		cli_report_put_thread(cli, &r->threads[i]);
		put_shares(cli, r, sorted, i);
		put_operations_of(cli, r, i);
		put_sites_of(cli, r, i);
	}
}

/* False: no memory. */
static bool put_text(struct cli *cli, const struct trace_report *r,
		     const struct trace_report_method **sorted, const struct cli_report_by *by,
		     const struct cli_report_busy *busy)
{
	struct jw_arena *a = &cli->arena;

	cli_put(cli, "%s, %s, %s in %.3f s\n", cli_plural(a, r->threads_all, "thread", "threads"),
		cli_plural(a, r->method_count, "method", "methods"),
		cli_plural(a, r->calls, "call", "calls"), (double)r->duration_ns / 1e9);
	cli_report_put_range(cli, r);
	cli_report_put_processes(cli, r);
	cli_report_put_methods(cli, r, sorted, by);
	cli_report_put_stalls(cli, r);
	if (!cli_report_put_threads(cli, r, busy))
		return false;
	put_operations(cli, r);
	put_sites(cli, r);
	cli_report_put_channels(cli, r);
	cli_report_put_sockets(cli, r);
	cli_report_put_links(cli, r);
	put_monitors(cli, r);
	put_classes(cli, r);
	put_allocs(cli, r);
	put_pauses(cli, r);
	put_exceptions(cli, r);
	put_objects(cli, r);
	if (cli_given(cli, CLI_OPT_by_thread))
		put_by_thread(cli, r, sorted, busy);
	return true;
}

/* In the text where there are many threads, else when it is asked for. */
static bool folds(struct cli *cli, const struct trace_report *r)
{
	return cli_given(cli, CLI_OPT_busy) ||
	       (!cli_given(cli, CLI_OPT_json) && r->thread_count > MANY_THREADS);
}

/* Reports of their own, in place of the tables. */
static const enum cli_option_id apart[] = {
	CLI_OPT_slowest, CLI_OPT_critical_path, CLI_OPT_trace_id,    CLI_OPT_requests, CLI_OPT_sql,
	CLI_OPT_by_task, CLI_OPT_by_stage,      CLI_OPT_by_executor, CLI_OPT_by_host,  CLI_OPT_tree,
	CLI_OPT_callers, CLI_OPT_percentiles,   CLI_OPT_histogram
};

/* Those of a group go together. */
static int group_of(enum cli_option_id id)
{
	switch (id) {
	case CLI_OPT_by_stage:
	case CLI_OPT_by_executor:
	case CLI_OPT_by_host:
		return CLI_OPT_by_task;
	case CLI_OPT_callers:
	case CLI_OPT_percentiles:
	case CLI_OPT_histogram:
		return CLI_OPT_tree;
	default:
		return (int)id;
	}
}

/* What would be passed over is refused. */
static enum jw_status check_together(struct cli *cli, struct jw_err *e)
{
	static const enum cli_option_id of_tables[] = { CLI_OPT_by, CLI_OPT_by_thread };
	const char *see = cli_see(&cli->arena, cli->args.command), *name = NULL;
	int group = -1;

	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
		if (!cli_given(cli, apart[i]))
			continue;
		if (name && group_of(apart[i]) != group)
			return jw_fail(e, JW_USAGE,
				       "--%s and --%s are reports of their own: ask for one at a "
				       "time%s",
				       name, cli_options[apart[i]].name, see);
		name = cli_options[apart[i]].name;
		group = group_of(apart[i]);
	}
	for (size_t i = 0;
	     name && group != CLI_OPT_tree && i < sizeof(of_tables) / sizeof(*of_tables); i++)
		if (cli_given(cli, of_tables[i]))
			return jw_fail(e, JW_USAGE,
				       "--%s is of the tables, in place of which --%s reports%s",
				       cli_options[of_tables[i]].name, name, see);
	return JW_OK;
}

enum jw_status cli_run_report(struct cli *cli, struct jw_err *e)
{
	struct trace_report report = { 0 };
	struct cli_report_busy busy;
	double percent = 0;

	JW_TRY(check_together(cli, e));
	if (cli_given(cli, CLI_OPT_slowest))
		return cli_report_slowest(cli, e);
	if (cli_given(cli, CLI_OPT_critical_path))
		return cli_report_path(cli, e);
	if (cli_given(cli, CLI_OPT_trace_id))
		return cli_report_spans(cli, e);
	if (cli_given(cli, CLI_OPT_requests))
		return cli_report_requests(cli, e);
	if (cli_given(cli, CLI_OPT_sql))
		return cli_report_sql(cli, e);
	if (cli_report_asks_tasks(cli))
		return cli_report_tasks(cli, e);
	if (cli_report_asks_calls(cli))
		return cli_report_calls(cli, e);
	if (cli_given(cli, CLI_OPT_threshold))
		return jw_fail(e, JW_USAGE, "--threshold is of --tree or --callers%s",
			       cli_see(&cli->arena, cli->args.command));
	JW_TRY(cli_take_busy(cli, &percent, e));
	JW_TRY(cli_profile(cli, &report, e));
	const struct cli_report_by *by = cli_report_by(cli, &report);
	const struct trace_report_method **sorted = cli_sort_methods(cli, &report, by->key, by->of);

	if (!sorted || !cli_report_busy(cli, &report, percent, &busy))
		return jw_nomem(e);
	if (cli_given(cli, CLI_OPT_json))
		return cli_report_json(cli, &report, sorted, &busy, e);
	if (!folds(cli, &report))
		JW_TRY(cli_report_busy(cli, &report, 0, &busy) ? JW_OK : jw_nomem(e));
	return put_text(cli, &report, sorted, by, &busy) ? JW_OK : jw_nomem(e);
}
