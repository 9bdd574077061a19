/*
 * report_methods.c: the tables of `jweave report` about methods: their times, and what they waited
 * for. What methods are sorted by.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/report_loads.h"
#include "cli/report_roles.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "cli/terminal.h"
#include "trace/report/cost.h"

#include "base/banned.h"

#define TOP_SHOWN 20

/* ---- what methods are sorted by ---- */

static double by_self(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->exclusive_ns;
}

static double by_total(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->inclusive_ns;
}

static double by_calls(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->calls;
}

static double by_exceptions(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->exceptional;
}

static double by_longest(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->longest_ns;
}

/* Running, where closed methods hide in others, too. */
static double by_likely(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->likely_ns;
}

static double by_mean(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return cli_report_mean_ns(m);
}

static double by_percentile(const struct trace_report_method *m, size_t mille)
{
	return (double)trace_sketch_at(&m->durations, (unsigned)mille);
}

static double by_time(const struct trace_report_method *m, size_t of)
{
	return (double)m->self.ns[of];
}

static double by_time_of_total(const struct trace_report_method *m, size_t of)
{
	return (double)m->total.ns[of];
}

/* ORDER: the words of --by (options_of.def) */
static const struct cli_report_by words[] = {
	{ by_likely, 0, false, NULL },
	{ by_self, 0, false, NULL },
	{ by_total, 0, true, NULL },
	{ by_calls, 0, false, NULL },
	{ by_time, TRACE_REPORT_BLOCKED, false, NULL },
	{ by_time, TRACE_REPORT_WAITING, false, NULL },
	{ by_time, TRACE_REPORT_IO, false, NULL },
	{ by_time, TRACE_REPORT_GC, false, NULL },
	{ by_exceptions, 0, false, NULL },
	{ by_longest, 0, false, NULL },
	{ by_time, TRACE_REPORT_FOR_WORK, false, NULL },
	{ by_time, TRACE_REPORT_OTHER, false, NULL },
	{ by_mean, 0, false, NULL },
	{ by_percentile, 500, false, "p50 us" },
	{ by_percentile, 900, false, "p90 us" },
	{ by_percentile, 990, false, "p99 us" },
	{ by_percentile, 999, false, "p99.9 us" },
};

const struct cli_report_by *cli_report_by(struct cli *cli, const struct trace_report *r)
{
	bool runs = false;

	for (size_t i = 0; i < r->method_count; i++)
		runs |= r->methods[i].self.ns[TRACE_REPORT_RUNNING] > 0;
	/* nothing is known of that: a summary, or a trace without states */
	if (!cli_given(cli, CLI_OPT_by) && !runs)
		return &words[1];
	return &words[cli->args.numbers[CLI_OPT_by]];
}

/* ---- methods ---- */

#define CELL 32 /* the text of a figure, and more */

/* A column of figures: as wide as what is in it. */
struct column {
	const char *head;
	void (*put)(char cell[CELL], const struct trace_report_method *m,
		    const struct column *column);
	cli_method_key key; /* ns */
	size_t of;
	int width;
};

struct columns {
	struct column at[16];
	size_t n;
};

static void put_calls(char cell[CELL], const struct trace_report_method *m,
		      const struct column *column)
{
	(void)column;
	snprintf(cell, CELL, "%s%llu", m->closed_ns ? ">=" : "", (unsigned long long)m->calls);
}

static void put_exceptional(char cell[CELL], const struct trace_report_method *m,
			    const struct column *column)
{
	(void)column;
	snprintf(cell, CELL, "%llu", (unsigned long long)m->exceptional);
}

static void put_ms(char cell[CELL], const struct trace_report_method *m,
		   const struct column *column)
{
	snprintf(cell, CELL, "%.3f", column->key(m, column->of) / 1e6);
}

static void put_us(char cell[CELL], const struct trace_report_method *m,
		   const struct column *column)
{
	snprintf(cell, CELL, "%.3f", column->key(m, column->of) / 1e3);
}

static const struct {
	enum trace_report_time time;
	const char *head;
} times[] = {
	{ TRACE_REPORT_RUNNING, "running ms" },   { TRACE_REPORT_BLOCKED, "blocked ms" },
	{ TRACE_REPORT_WAITING, "waiting ms" },   { TRACE_REPORT_IO, "I/O ms" },
	{ TRACE_REPORT_FOR_WORK, "for work ms" }, { TRACE_REPORT_GC, "GC ms" },
};

/* COLUMN, of the COUNT methods of LIST; one that is not to be there ALWAYS only if it says something of any. */
static void add_column(struct columns *columns, struct column column, bool always,
		       const struct trace_report_method **list, size_t count)
{
	char none[CELL], cell[CELL];

	snprintf(none, CELL, "%.3f", 0.0);
	column.width = (int)strlen(column.head);
	for (size_t i = 0; i < count; i++) {
		column.put(cell, list[i], &column);
		always |= strcmp(cell, none) != 0;
		if ((int)strlen(cell) > column.width)
			column.width = (int)strlen(cell);
	}
	if (always)
		columns->at[columns->n++] = column;
}

/* What is told of the COUNT methods of LIST. */
static void choose_columns(struct columns *columns, const struct trace_report *r,
			   const struct cli_report_by *by, const struct trace_report_method **list,
			   size_t count)
{
#define ADD(always, ...) add_column(columns, (struct column){ __VA_ARGS__ }, always, list, count)
	columns->n = 0;
	ADD(true, "calls", put_calls, NULL, 0, 0);
	if (r->exceptions_known)
		ADD(true, "exceptions", put_exceptional, NULL, 0, 0);
	if (r->closed_methods && r->states_known)
		ADD(true, "likely ms", put_ms, by_likely, 0, 0);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times) && r->states_known; i++)
		ADD(times[i].time == TRACE_REPORT_RUNNING, times[i].head, put_ms,
		    by->of_total ? by_time_of_total : by_time, times[i].time, 0);
	ADD(true, "self ms", put_ms, by_self, 0, 0);
	ADD(true, "total ms", put_ms, by_total, 0, 0);
	if (by->head)
		ADD(true, by->head, put_us, by->key, by->of, 0);
	ADD(true, "mean us", put_us, by_mean, 0, 0);
	ADD(true, "longest us", put_us, by_longest, 0, 0);
#undef ADD
}

static void put_heads(struct cli *cli, const struct columns *columns)
{
	cli_put(cli, "\n");
	for (size_t c = 0; c < columns->n; c++)
		cli_put(cli, "  %*s", columns->at[c].width, columns->at[c].head);
	cli_put(cli, "  method\n");
}

static void put_method(struct cli *cli, const struct trace_report_method *m,
		       const struct columns *columns)
{
	char cell[CELL];

	for (size_t c = 0; c < columns->n; c++) {
		const struct column *column = &columns->at[c];

		column->put(cell, m, column);
		cli_put(cli, "  %*s", column->width, cell);
	}
	cli_put(cli, "  ");
	cli_put_method_cut(cli, m->title);
	cli_put(cli, "\n");
}

/* When methods were closed, and how many. */
static void put_closed(struct cli *cli, const struct trace_report *r)
{
	uint64_t first = UINT64_MAX, last = 0;
	char from[32], to[32];

	if (!r->closed_methods)
		return;
	for (size_t i = 0; i < r->method_count; i++) {
		uint64_t closed = r->methods[i].closed_ns;

		first = closed && closed < first ? closed : first;
		last = closed > last ? closed : last;
	}
	snprintf(from, sizeof(from), "%.3f s", (double)first / 1e9);
	snprintf(to, sizeof(to), " to %.3f s", (double)last / 1e9);
	bool together = strcmp(from, to + strlen(" to ")) == 0;

	cli_put(cli, "  >=: closed while the program ran (JWEAVE_BUDGET) %s %s%s: %s, which had ",
		together ? "at" : "from", from, together ? "" : to,
		cli_plural(&cli->arena, r->closed_methods, "method", "methods"));
	cli_put(cli, "at least these calls and times;\n"
		     "  likely ms: own running time of all, estimated from the moments in which "
		     "everything was recorded\n");
}

#define PROBES_SHARE 0.25 /* of the time in methods: from then on probes are said */

/* Where probes took a good part of the time, short methods seem costlier than they are. */
static void put_probes(struct cli *cli, const struct trace_report *r)
{
	double probes = (double)r->calls * TRACE_PAIR_NS, own = 0;

	for (size_t i = 0; i < r->method_count; i++)
		own += (double)(r->states_known ? r->methods[i].self.ns[TRACE_REPORT_RUNNING]
						: r->methods[i].exclusive_ns);
	if (probes <= PROBES_SHARE * own)
		return;
	cli_put(cli,
		"  about %.0f %% of the running time is that of the probes, at %d ns a call: "
		"methods "
		"that are short and called often take less than it seems (jweave score)\n",
		100 * (probes < own ? probes / own : 1), TRACE_PAIR_NS);
}

/* A newcomer sees that a method was left by an exception, and asks by which. */
static void put_exceptions(struct cli *cli, const struct trace_report *r, bool any)
{
	if (any && r->exceptions_known && !r->exceptions.n)
		cli_put(cli, "  exceptions, by class: jweave run --preset=exceptions\n");
}

void cli_report_put_methods(struct cli *cli, const struct trace_report *r,
			    const struct trace_report_method **sorted,
			    const struct cli_report_by *by)
{
	size_t n = cli_report_top(cli, r->method_count, TOP_SHOWN);
	bool sampled = false, exceptional = false;
	struct columns columns;

	if (n == 0)
		return;
	choose_columns(&columns, r, by, sorted, n);
	put_heads(cli, &columns);
	for (size_t i = 0; i < n; i++) {
		put_method(cli, sorted[i], &columns);
		sampled |= cli_report_every(sorted[i]) > 1;
		exceptional |= sorted[i]->exceptional > 0;
	}
	cli_report_put_more(cli, r->method_count - n);
	put_closed(cli, r);
	put_probes(cli, r);
	put_exceptions(cli, r, exceptional);
	if (r->states_known && by->of_total)
		cli_put(cli, "  running ms and the columns beside it: of the total time\n");
	if (sampled)
		cli_put(cli, "  (1 of N): calls and times of those recorded; about N times as many "
			     "were made\n");
}

/* ---- waits ---- */

#define ENDERS_SHOWN  3
#define CALLERS_SHOWN 2

/* A thread, or those of one role, and of how many waits, and how long, they were the end. */
struct ender {
	const char *name;
	const struct trace_report_thread *first;
	uint64_t count, ns;
	size_t threads;
};

/* Who ended most first, in the order in which they are known. */
static int by_time_ended(const void *a, const void *b)
{
	const struct ender *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* The one of the N in LIST that is called NAME, in the process of FIRST; or a new one. */
static struct ender *find_ender(struct ender *list, size_t *n, const char *name,
				const struct trace_report_thread *first)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(list[i].name, name) == 0 &&
		    strcmp(list[i].first->process, first->process) == 0)
			return &list[i];
	list[*n] = (struct ender){ .name = name, .first = first };
	return &list[(*n)++];
}

/* Those of S, each by itself if they are few, else by role; how many; 0: no memory. */
static size_t enders_of(struct cli *cli, const struct trace_report *r,
			const struct trace_report_stall *s, struct ender **out)
{
	size_t count = s->ender_count, n = 0;
	const struct trace_report_thread **list =
		JW_NEW_ARRAY(&cli->arena, const struct trace_report_thread *, count + 1);
	struct ender *enders = JW_NEW_ARRAY(&cli->arena, struct ender, count + 1);

	for (size_t i = 0; list && i < count; i++)
		list[i] = &r->threads[s->enders[i].of];
	const struct cli_in_role *in = list ? cli_report_by_role(cli, list, count) : NULL;
	for (size_t i = 0, k; enders && in && i < count; i += k) {
		const struct trace_report_thread *first = list[in[i].at];

		k = count > ENDERS_SHOWN ? cli_report_of_one_role(&in[i], count - i) : 1;
		struct ender *e = find_ender(enders, &n, k > 1 ? in[i].role : first->name, first);

		e->threads += k;
		for (size_t j = i; j < i + k; j++) {
			e->count += s->enders[in[j].at].count;
			e->ns += s->enders[in[j].at].ns;
		}
	}
	if (n > 1)
		qsort(enders, n, sizeof(*enders), by_time_ended);
	*out = enders;
	return n;
}

/* "; ended by main (12), pool-*-thread-* (3) and 2 more"; of a monitor or lock it is who had it. Of several processes "main of
 * App (12)". */
static void put_enders(struct jw_buf *what, struct cli *cli, const struct trace_report *r,
		       const struct trace_report_stall *s)
{
	struct ender *enders;
	size_t n = enders_of(cli, r, s, &enders), more = 0;

	if (n)
		jw_put_fmt(what, "; %s ", trace_wait_by(s));
	for (size_t i = 0; i < n && i < ENDERS_SHOWN; i++) {
		const struct ender *e = &enders[i];
		const char *process = e->first->process;

		jw_put_fmt(what, "%s%s%s%s (%llu", i ? ", " : "", e->name, *process ? " of " : "",
			   process, (unsigned long long)e->count);
		if (e->threads > 1 && strcmp(e->name, e->first->name) == 0)
			jw_put_fmt(what, ", %zu threads", e->threads);
		jw_put_str(what, ")");
	}
	for (size_t i = ENDERS_SHOWN; i < n; i++)
		more += enders[i].threads;
	if (more)
		jw_put_fmt(what, " and %zu more", more);
}

void cli_report_put_wait(struct jw_buf *what, const struct trace_report_stall *s)
{
	bool named = s->objects || s->how == TRACE_REPORT_ENTER || s->how == TRACE_REPORT_WAIT;

	jw_put_str(what, trace_wait_callee(s));
	jw_put_str(what, named ? trace_wait_words[s->how].of : trace_wait_words[s->how].alone);
	if (named)
		cli_report_put_stalled(what, s);
	if (s->objects > 1)
		jw_put_fmt(what, " (%zu objects)", s->objects);
	if (*s->channel)
		jw_put_fmt(what, ", %s", s->channel);
	if (*s->method)
		jw_put_fmt(what, "%s in %s", *s->channel ? "," : "", s->method);
	if (*s->source)
		jw_put_fmt(what, " (%s:%u)", s->source, s->line);
}

/* Is the method NAME, which may have its parameters, that of the place METHOD ("App.pay, which loads a class")? */
static bool is_at(struct jw_span name, const char *method)
{
	const uint8_t *end = memchr(name.p, '(', name.n);
	size_t n = end ? (size_t)(end - name.p) : name.n;

	return n == strcspn(method, ",") && memcmp(name.p, method, n) == 0;
}

/* Has each wait of S a caller? */
static bool all_called(const struct trace_report_stall *s)
{
	uint64_t count = 0;

	for (size_t i = 0; i < s->caller_count; i++)
		count += s->callers[i].count;
	return count == s->count;
}

/* ", called by App.pay (12), App.sell (3) and 2 more": methods that are traced, where what waits is none of them.
 * A single one has its number where there are other waits, too. */
static void put_callers(struct jw_buf *what, const struct trace_report *r,
			const struct trace_report_stall *s)
{
	bool counted = s->caller_count > 1 || !all_called(s);
	size_t shown = 0, i = 0;

	for (; i < s->caller_count && shown < CALLERS_SHOWN; i++) {
		struct jw_span name = cli_short_label(r->methods[s->callers[i].of].label);

		if (is_at(name, s->method))
			continue;
		jw_put_fmt(what, "%s%.*s", shown++ ? ", " : ", called by ", (int)name.n,
			   (const char *)name.p);
		if (counted)
			jw_put_fmt(what, " (%llu)", (unsigned long long)s->callers[i].count);
	}
	if (i < s->caller_count)
		jw_put_fmt(what, " and %zu more", s->caller_count - i);
}

static void put_stall(struct cli *cli, const struct trace_report *r,
		      const struct trace_report_stall *s)
{
	struct jw_buf what = { 0 };

	cli_report_put_wait(&what, s);
	if (s->waiter == TRACE_REPORT_OTHERS)
		put_callers(&what, r, s);
	put_enders(&what, cli, r, s);
	jw_put_u1(&what, 0);
	if (what.failed == JW_OK)
		cli_report_put_name(cli, (const char *)what.p);
	jw_buf_free(&what);
}

/* Is it a monitor of the program that somebody held long, who is not known? (The recorder has asked, and was told
 * nothing: docs/waits.md.) */
static bool is_unknown_holder(const struct trace_report_stall *s)
{
	return s->how == TRACE_REPORT_ENTER && !s->ender_count &&
	       s->longest_ns >= CLI_REPORT_ASKED_NS && !trace_is_init_lock(s->class_name) &&
	       !cli_report_loads(s);
}

static bool tells_owners(const struct trace_report *r)
{
	for (size_t i = 0; i < r->operation_count; i++)
		if (r->operations[i].count && strcmp(r->operations[i].type, "monitor") == 0 &&
		    strcmp(r->operations[i].name, "exit") == 0)
			return true;
	return false;
}

/* The VM does not say it of virtual threads. */
static void put_holders(struct cli *cli, const struct trace_report *r, bool any)
{
	if (any && !tells_owners(r))
		cli_put(cli, "  " CLI_REPORT_HOLDERS "\n");
}

/* COUNT stalls of R from FROM on, under HEAD. */
static void put_stall_table(struct cli *cli, const struct trace_report *r, size_t from,
			    size_t count, const char *head)
{
	const struct trace_report_stall *list;
	bool unknown = false;

	if (count == 0)
		return;
	list = cli_report_fold_loads(&r->stalls[from], &count, &cli->arena);
	list = list ? list : &r->stalls[from]; /* no memory: one by one */
	size_t n = cli_report_top(cli, count, TOP_SHOWN);
	cli_put(cli, "\n%12s %13s %13s  %s\n", "count", "ms", "longest ms", head);
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_stall *s = &list[i];

		cli_put(cli, "%12llu %13.3f %13.3f  ", (unsigned long long)s->count,
			cli_report_ms(s->ns), cli_report_ms(s->longest_ns));
		put_stall(cli, r, s);
		cli_put(cli, "\n");
		unknown |= is_unknown_holder(s);
	}
	cli_report_put_more(cli, count - n);
	put_holders(cli, r, unknown);
}

/* A newcomer takes them for those of the methods that he asked for. */
static void put_whose(struct cli *cli, const struct trace_report *r)
{
	bool part = cli_given(cli, CLI_OPT_method) || cli_given(cli, CLI_OPT_min_duration) ||
		    cli_given(cli, CLI_OPT_max_depth);

	if (part && r->stall_count)
		cli_put(cli,
			"  waits: all of these threads, in whatever method; (N): of them, in calls "
			"that are selected\n");
}

/* Threads that have nothing to do wait longest, and say least: apart. */
void cli_report_put_stalls(struct cli *cli, const struct trace_report *r)
{
	static const char *const heads[TRACE_REPORT_WAITERS] = {
		[TRACE_REPORT_OTHERS] = "wait, and where",
		[TRACE_REPORT_LITTLE_ELSE] = "wait, by threads that do little else",
		[TRACE_REPORT_IDLE] = "wait for work, or for requests",
	};
	size_t from = 0;

	for (unsigned waiter = 0; waiter < TRACE_REPORT_WAITERS; waiter++) {
		size_t end = from;

		while (end < r->stall_count && r->stalls[end].waiter == waiter)
			end++;
		put_stall_table(cli, r, from, end - from, heads[waiter]);
		from = end;
	}
	put_whose(cli, r);
}
