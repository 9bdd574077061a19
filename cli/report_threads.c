/*
 * report_threads.c: the tables of threads. Where there are more than are shown, those of one role share a line:
 * "tomcat-handler-* (501 threads)".
 */
#include <string.h>

#include "cli/help.h"
#include "cli/out.h"
#include "cli/report_roles.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "trace/names/state_names.h"

#include "base/banned.h"

#define TOP_SHOWN    20
#define STATE_WIDTH  24
#define OTHERS_SHOWN 3
#define ALIKE        4 /* so many of one role share a line */
/* Running without a CPU is told from a quarter of the CPU time on, and a twentieth of the run. */
#define STARVED     4
#define MUCH_OF_RUN 20
/* Of the CPU a thread may take so much before its first event, and to end. */
#define START_NS 1000000

void cli_report_put_thread(struct cli *cli, const struct trace_report_thread *t)
{
	cli_report_put_name(cli, t->name);
	cli_report_put_process(cli, t->process);
	cli_put(cli, "\n");
}

static bool is_life(const struct trace_report_state *s)
{
	return trace_state_is_life(s->number);
}

/* ---- threads of one role ---- */

/* A line: a thread, or the sums of several, whose name is their role. */
struct row {
	struct trace_report_thread sum;
	size_t threads; /* 0: it has no line of its own */
	bool folded;    /* it did hardly anything */
};

struct rows {
	struct row *row; /* those with a line; then those that are folded */
	size_t n, folded;
	bool shared; /* some lines are */
};

/* Adds T to SUM, and its states to STATES_NS. */
static void add_to(struct trace_report_thread *sum, uint64_t *states_ns, size_t states,
		   const struct trace_report_thread *t)
{
	sum->life_ns += t->life_ns;
	sum->running_ns += t->running_ns;
	sum->cpu_ns += t->cpu_ns;
	sum->inside_ns += t->inside_ns;
	sum->busy_ns += t->busy_ns;
	sum->calls += t->calls;
	for (size_t s = 0; s < states; s++)
		states_ns[s] += t->states_ns[s];
}

/* The state in which the threads of SUM, the N from IN on, were most, of those in which they did not run. */
static void find_critical(struct trace_report_thread *sum, const struct trace_report *r,
			  const struct cli_report_busy *busy, const struct cli_in_role *in,
			  size_t n)
{
	sum->critical = SIZE_MAX;
	for (size_t s = 0; s < r->state_count; s++)
		if (is_life(&r->states[s]) &&
		    trace_state_time(r->states[s].number) != TRACE_REPORT_RUNNING &&
		    sum->states_ns[s] > sum->critical_ns) {
			sum->critical_ns = sum->states_ns[s];
			sum->critical = s;
		}
	for (size_t i = 0; i < n && sum->critical != SIZE_MAX; i++) {
		const struct trace_report_thread *t = busy->list[in[i].at];

		if (t->critical == sum->critical &&
		    t->critical_longest_ns > sum->critical_longest_ns)
			sum->critical_longest_ns = t->critical_longest_ns;
	}
}

/* The N threads from IN on, of one role, share the row of the first, unless they are all folded, and would be together;
 * false: no memory. */
static bool share(struct rows *rows, struct cli *cli, const struct trace_report *r,
		  const struct cli_report_busy *busy, const struct cli_in_role *in, size_t n)
{
	uint64_t *states_ns = JW_NEW_ARRAY(&cli->arena, uint64_t, r->state_count + 1);
	struct trace_report_thread sum = { .name = in->role,
					   .process = busy->list[in->at]->process,
					   .states_ns = states_ns };

	if (!states_ns)
		return false;
	for (size_t i = 0; i < n; i++)
		add_to(&sum, states_ns, r->state_count, busy->list[in[i].at]);
	if (!cli_report_is_busy(busy, r, &sum))
		return true;
	find_critical(&sum, r, busy, in, n);
	for (size_t i = 0; i < n; i++)
		rows->row[in[i].at].threads = 0;
	rows->row[in->at] = (struct row){ .sum = sum, .threads = n };
	rows->shared = true;
	return true;
}

/* Those of ROWS, by place in BUSY, that share a line. */
static bool share_all(struct rows *rows, struct cli *cli, const struct trace_report *r,
		      const struct cli_report_busy *busy)
{
	size_t all = busy->count + busy->folded;
	const struct cli_in_role *in = cli_report_by_role(cli, busy->list, all);

	for (size_t i = 0, n; in && i < all; i += n) {
		n = cli_report_of_one_role(&in[i], all - i);
		if (n >= ALIKE && !share(rows, cli, r, busy, &in[i], n))
			return false;
	}
	return in;
}

/* Moves the rows of ALL that have a line to the front of ROWS, and those that are folded after them. */
static void sort_rows(struct rows *rows, const struct row *all, size_t n)
{
	for (int folded = 0; folded < 2; folded++)
		for (size_t i = 0; i < n; i++)
			if (all[i].threads && all[i].folded == folded)
				rows->row[folded ? rows->n + rows->folded++ : rows->n++] = all[i];
}

/* The lines of the threads of BUSY; false: no memory. */
static bool make_rows(struct rows *rows, struct cli *cli, const struct trace_report *r,
		      const struct cli_report_busy *busy)
{
	size_t all = busy->count + busy->folded;
	struct row *row = JW_NEW_ARRAY(&cli->arena, struct row, all + 1);

	*rows = (struct rows){ .row = row };
	if (!row)
		return false;
	for (size_t i = 0; i < all; i++)
		row[i] = (struct row){ *busy->list[i], 1, i >= busy->count };
	if (all > cli_report_top(cli, all, TOP_SHOWN) && !share_all(rows, cli, r, busy))
		return false;
	rows->row = JW_NEW_ARRAY(&cli->arena, struct row, all + 1);
	if (rows->row)
		sort_rows(rows, row, all);
	return rows->row;
}

static void put_row_name(struct cli *cli, const struct row *row)
{
	if (row->threads == 1) {
		cli_report_put_thread(cli, &row->sum);
		return;
	}
	cli_report_put_name(cli, row->sum.name);
	cli_put(cli, " (%zu threads)", row->threads);
	cli_report_put_process(cli, row->sum.process);
	cli_put(cli, "\n");
}

/* ---- what they did ---- */

/* Does any thread know its CPU time? */
static bool knows_cpu(const struct trace_report *r)
{
	for (size_t i = 0; i < r->thread_count; i++)
		if (r->threads[i].cpu_ns)
			return true;
	return false;
}

/* The threads that are folded. */
static void put_others(struct cli *cli, const struct rows *rows)
{
	cli_put(cli, "%s", cli_plural(&cli->arena, rows->folded, "other thread", "other threads"));
	for (size_t i = 0; i < rows->folded && i < OTHERS_SHOWN; i++) {
		cli_put(cli, "%s", i ? ", " : ": ");
		cli_report_put_name(cli, rows->row[rows->n + i].sum.name);
	}
	if (rows->folded > OTHERS_SHOWN)
		cli_put(cli, " and %zu more", rows->folded - OTHERS_SHOWN);
	cli_put(cli, " (--busy=0 shows %s)\n", rows->folded == 1 ? "it" : "each");
}

static void put_thread_columns(struct cli *cli, const struct trace_report *r,
			       const struct trace_report_thread *t)
{
	cli_put(cli, "%13.3f ", cli_report_ms(t->life_ns));
	if (r->states_known) /* else it is not known when threads were running */
		cli_put(cli, "%13.3f %7.1f ", cli_report_ms(t->running_ns),
			t->life_ns ? 100 * (double)t->running_ns / (double)t->life_ns : 0);
	if (knows_cpu(r) && t->cpu_ns)
		cli_put(cli, "%13.3f ", cli_report_ms(t->cpu_ns));
	else if (knows_cpu(r))
		cli_put(cli, "%13s ", ""); /* not told, as by a process that was killed */
	cli_put(cli, "%13.3f %12llu  ", cli_report_ms(t->inside_ns), (unsigned long long)t->calls);
}

/* Who is ready to run, and has no CPU, is running, too: on a machine where others want it, longer than it
 * takes. So is who waits where nothing tells it. */
static void put_starved(struct cli *cli, const struct trace_report *r)
{
	uint64_t running = 0, had = 0;

	for (size_t i = 0; i < r->thread_count; i++) {
		const struct trace_report_thread *t = &r->threads[i];

		running += t->cpu_ns ? t->running_ns : 0;
		had += t->cpu_ns;
	}
	if (running > had + had / STARVED && running - had > r->duration_ns / MUCH_OF_RUN)
		cli_put(cli,
			"  running ms: of %.3f they had a CPU for %.3f; else others had it, "
			"or they waited where nothing tells it\n",
			cli_report_ms(running), cli_report_ms(had));
}

/* The CPU may work inside of calls whose state is that of I/O, as a database inside the program does. */
static void put_worked(struct cli *cli, const struct trace_report *r)
{
	uint64_t more = 0, operations = 0;

	for (size_t i = 0; i < r->operation_count; i++)
		operations += r->operations[i].count;
	for (size_t i = 0; i < r->thread_count; i++) {
		const struct trace_report_thread *t = &r->threads[i];

		if (t->cpu_ns > t->running_ns + t->running_ns / STARVED + START_NS)
			more += t->cpu_ns - t->running_ns;
	}
	if (r->states_known && more > r->duration_ns / MUCH_OF_RUN)
		cli_put(cli, "  CPU ms: %.3f more than running ms: the CPU worked %s\n",
			cli_report_ms(more),
			operations ? "in calls that count as I/O or as waiting (preset:sql, "
				     "preset:io)"
				   : "where threads count as waiting");
}

static void put_folded(struct cli *cli, const struct trace_report *r, const struct rows *rows)
{
	struct trace_report_thread others = { 0 };

	if (!rows->folded)
		return;
	for (size_t i = 0; i < rows->folded; i++)
		add_to(&others, NULL, 0, &rows->row[rows->n + i].sum);
	put_thread_columns(cli, r, &others);
	put_others(cli, rows);
}

static void put_lives(struct cli *cli, const struct trace_report *r,
		      const struct cli_report_busy *busy, const struct rows *rows)
{
	size_t n = cli_report_top(cli, rows->n, TOP_SHOWN);

	cli_put(cli, "\n%13s ", "life ms");
	if (r->states_known)
		cli_put(cli, "%13s %7s ", "running ms", "use %");
	if (knows_cpu(r))
		cli_put(cli, "%13s ", "CPU ms");
	cli_put(cli, "%13s %12s  thread\n", "in methods", "calls");
	for (size_t i = 0; i < n; i++) {
		put_thread_columns(cli, r, &rows->row[i].sum);
		put_row_name(cli, &rows->row[i]);
	}
	cli_report_put_more(cli, rows->n - n);
	put_folded(cli, r, rows);
	if (rows->shared)
		cli_put(cli,
			"  threads that share a line have one name, but for its numbers; each: "
			"%s--top=%zu\n",
			busy->folded ? "--busy=0 " : "", busy->count + busy->folded);
	put_worked(cli, r);
	put_starved(cli, r);
}

/* ---- states ---- */

static size_t state_width(const struct trace_report_state *s)
{
	size_t width = cli_width(jw_span_str(s->name)) + 3;

	return width < 13 ? 13 : width > STATE_WIDTH ? STATE_WIDTH : width;
}

static void put_state_names(struct cli *cli, const struct trace_report *r)
{
	cli_put(cli, "\n");
	for (size_t s = 0; s < r->state_count; s++) {
		struct jw_buf name = { 0 };

		if (!is_life(&r->states[s]))
			continue;
		cli_put_escaped(&name, jw_span_str(r->states[s].name));
		jw_put_str(&name, " ms");
		jw_put_u1(&name, 0);
		if (name.failed == JW_OK)
			cli_put_right(cli, (const char *)name.p, state_width(&r->states[s]));
		cli_put(cli, " ");
		jw_buf_free(&name);
	}
	cli_put(cli, "%13s %13s  thread\n", "critical ms", "longest ms");
}

/* Of the state marked *: all of it, and its longest stretch. */
static void put_critical(struct cli *cli, const struct trace_report_thread *t)
{
	if (t->critical == SIZE_MAX)
		cli_put(cli, "%13s %13s ", "", "");
	else
		cli_put(cli, "%13.3f %13.3f ", cli_report_ms(t->critical_ns),
			cli_report_ms(t->critical_longest_ns));
}

/* One state alone says no more than the table of threads. Those that are folded are there. */
static void put_states(struct cli *cli, const struct trace_report *r, const struct rows *rows)
{
	size_t n = cli_report_top(cli, rows->n, TOP_SHOWN), lives = 0;

	for (size_t s = 0; s < r->state_count; s++)
		lives += is_life(&r->states[s]);
	if (lives < 2)
		return;
	put_state_names(cli, r);
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_thread *t = &rows->row[i].sum;

		for (size_t s = 0; s < r->state_count; s++)
			if (is_life(&r->states[s]))
				cli_put(cli, "%*.3f%s", (int)state_width(&r->states[s]),
					cli_report_ms(t->states_ns[s]),
					s == t->critical ? "*" : " ");
		put_critical(cli, t);
		cli_put(cli, " ");
		put_row_name(cli, &rows->row[i]);
	}
	cli_report_put_more(cli, rows->n - n);
	cli_put(cli, "  * the critical state: where it spent most of its life, except Running; "
		     "critical ms: "
		     "all of it,\n    longest ms: its longest stretch without a break\n");
}

bool cli_report_put_threads(struct cli *cli, const struct trace_report *r,
			    const struct cli_report_busy *busy)
{
	struct rows rows;

	if (!make_rows(&rows, cli, r, busy))
		return false;
	put_lives(cli, r, busy, &rows);
	put_states(cli, r, &rows);
	return true;
}
