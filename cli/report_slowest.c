/*
 * report_slowest.c: jweave report --slowest=N: the slow calls, and what happened in them.
 *
 * The JSON: { kind: "slowest", durationNs, calls, slowest: [{ name, full, beginNs, ns, task, thread,
 * threadName, exceptional, open, littleElse, insideNs: { running, .. }, gcPauses, stack: [NAME],
 * stackDepth, parts: [{ wait | io, .., bytes, enders: [{ task, thread, threadName, method, count, ns }],
 * rest }],
 * captured: [{ label, text, value, count }],
 * within: [NAME], withinNs,
 * usualNs, overNs, first, of }] }
 *
 * Of the page of `jweave view` also: waitCount, waits: [{ wait, .., row, beginNs, enderRow, receivedNs,
 * enderMethod, enderNs }], the longest single ones; rows are places of threads in the page.
 */
#include "cli/report_slowest.h"

#include <string.h>

#include "cli/out.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/report_source.h"
#include "cli/safe_text.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

#define CALLS_SHOWN  10 /* where the option has no number */
#define PARTS_SHOWN  6
#define PART_OF      1000 /* that of the call's time at least */
#define STACK_SHOWN  8
#define SAID_SHOWN   6
#define ENDERS_SHOWN 3

/* ---- text ---- */

static void put_line(struct cli *cli, struct jw_buf *text)
{
	jw_put_u1(text, 0);
	if (text->failed == JW_OK)
		cli_report_put_name(cli, (const char *)text->p);
	cli_put(cli, "\n");
	jw_buf_free(text);
}

/* "1.200 ms"; "0.400 us" of what would be "0.000 ms". */
static const char *time_of(struct cli *cli, uint64_t ns)
{
	bool short_one = ns > 0 && ns < 1000;

	return jw_arena_fmt(&cli->arena, "%.3f %s",
			    short_one ? (double)ns / 1e3 : cli_report_ms(ns),
			    short_one ? "us" : "ms");
}

static void put_stack(struct cli *cli, const struct trace_slow_call *c)
{
	size_t shown = c->stack_count < STACK_SHOWN ? c->stack_count : STACK_SHOWN;
	struct jw_buf text = { 0 };

	if (c->stack_all == 0)
		return;
	for (size_t i = 0; i < shown; i++)
		jw_put_fmt(&text, "%s%s", i ? " < " : "      called by ",
			   c->stack[c->stack_count - 1 - i]);
	if (c->stack_all > shown)
		jw_put_fmt(&text, " < %zu more", c->stack_all - shown);
	put_line(cli, &text);
}

/* What the time was spent in: the innermost call that took most of it, and what led there. */
static void put_within(struct cli *cli, const struct trace_slow_call *c)
{
	size_t shown = c->within_count < STACK_SHOWN ? c->within_count : STACK_SHOWN;
	struct jw_buf text = { 0 };

	if (c->within_count == 0)
		return;
	jw_put_fmt(&text, "      %.3f ms in", cli_report_ms(c->within_ns));
	for (size_t i = 0; i < shown; i++)
		jw_put_fmt(&text, "%s%s", i ? " < " : " ", c->within[c->within_count - 1 - i]);
	if (c->within_count > shown)
		jw_put_fmt(&text, " < %zu more", c->within_count - shown);
	put_line(cli, &text);
}

/* "; usually 1.200 ms (40 calls)" */
static void put_usual(struct cli *cli, struct jw_buf *text, const struct trace_slow_call *c)
{
	if (c->usual_ns == 0)
		return;
	jw_put_fmt(text, "; usually %s (%s)", time_of(cli, c->usual_ns),
		   cli_plural(&cli->arena, c->of, "call", "calls"));
	if (c->first)
		jw_put_str(text, ", its first");
}

/* "running 12.000 ms (60 %), blocked ..", what there is of it. */
static void put_inside(struct cli *cli, const struct trace_slow_call *c)
{
	static const char *const words[TRACE_REPORT_TIMES] = {
		[TRACE_REPORT_RUNNING] = "running",   [TRACE_REPORT_BLOCKED] = "blocked",
		[TRACE_REPORT_WAITING] = "waiting",   [TRACE_REPORT_IO] = "I/O",
		[TRACE_REPORT_FOR_WORK] = "for work", [TRACE_REPORT_GC] = "GC",
		[TRACE_REPORT_OTHER] = "other",
	};
	const char *between = "      ";

	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++) {
		if (!c->inside.ns[i])
			continue;
		cli_put(cli, "%s%s %.3f ms (%.0f %%)", between, words[i],
			cli_report_ms(c->inside.ns[i]),
			100 * (double)c->inside.ns[i] / (double)c->ns);
		if (i == TRACE_REPORT_GC && c->pauses)
			cli_put(cli, " in %s",
				cli_plural(&cli->arena, c->pauses, "pause", "pauses"));
		between = ", ";
	}
	cli_put(cli, "\n");
}

/* How many enders of P are called as the one AT, and the sum of their COUNT, which is 0 where an earlier one has told them. */
static size_t alike(const struct trace_slow_part *p, size_t at, uint64_t *count)
{
	const struct trace_slow_ender *e = &p->enders[at];
	size_t n = 0;

	*count = 0;
	for (size_t i = 0; i < p->ender_count; i++) {
		const struct trace_slow_ender *other = &p->enders[i];

		if (strcmp(other->name, e->name) != 0 || other->task != e->task ||
		    strcmp(other->method, e->method) != 0)
			continue;
		if (i < at) {
			*count = 0;
			return 0;
		}
		*count += other->count;
		n++;
	}
	return n;
}

/* Who let it go on: of a monitor or lock it is who had it. "; ended by main of rank 3 in App.put", "; ended by main (12), worker (3)
 * and others" */
static void put_enders(struct jw_buf *text, const struct trace_slow_part *p)
{
	bool monitor = p->wait.how == TRACE_REPORT_ENTER && !p->io;
	size_t shown = 0, told = 0;
	uint64_t count = 0;

	if (p->ender_count == 0)
		jw_put_str(text, monitor ? "; holder unknown" : "");
	else
		jw_put_fmt(text, "; %s ", p->io ? "ended by" : trace_wait_by(&p->wait));
	for (size_t i = 0; i < p->ender_count && shown < ENDERS_SHOWN; i++) {
		const struct trace_slow_ender *e = &p->enders[i];

		size_t threads = alike(p, i, &count);

		told += threads;
		if (!threads)
			continue;
		jw_put_fmt(text, "%s%s", shown++ ? ", " : "", e->name);
		if (*e->process)
			jw_put_fmt(text, " of %s", e->process);
		if (*e->method)
			jw_put_fmt(text, " in %s", e->method);
		if (threads > 1)
			jw_put_fmt(text, " (%llu, %zu threads)", (unsigned long long)count,
				   threads);
		else if (p->ender_count > 1)
			jw_put_fmt(text, " (%llu)", (unsigned long long)count);
	}
	if (told < p->ender_count)
		jw_put_str(text, " and others");
}

static void put_what(struct jw_buf *text, const struct trace_slow_part *p)
{
	if (p->io) {
		struct trace_report_stall place = p->wait;

		jw_put_fmt(text, "%s/%s ", jw_operation_kinds[p->io->type].word, p->io->word);
		place.objects = 0;
		cli_report_put_wait(text, &place);
	} else {
		cli_report_put_wait(text, &p->wait);
	}
	if (p->bytes)
		jw_put_fmt(text, ", %llu bytes", (unsigned long long)p->bytes);
	put_enders(text, p);
}

static void put_parts(struct cli *cli, const struct trace_slow_call *c)
{
	size_t n = 0;
	uint64_t left_ns = 0;

	for (; n < c->part_count && n < PARTS_SHOWN; n++)
		if (c->parts[n].rest || c->parts[n].wait.ns < c->ns / PART_OF)
			break;
	for (size_t i = 0; i < n; i++) {
		const struct trace_slow_part *p = &c->parts[i];
		struct jw_buf text = { 0 };

		jw_put_fmt(&text, "      %12.3f ms ", cli_report_ms(p->wait.ns));
		if (p->wait.count > 1)
			jw_put_fmt(&text, "(%llu times, the longest %.3f ms) ",
				   (unsigned long long)p->wait.count,
				   cli_report_ms(p->wait.longest_ns));
		put_what(&text, p);
		put_line(cli, &text);
	}
	for (size_t i = n; i < c->part_count; i++)
		left_ns += c->parts[i].wait.ns;
	if (left_ns >= c->ns / PART_OF)
		cli_put(cli, "      %12.3f ms in others (--json)\n", cli_report_ms(left_ns));
}

/* The COUNT in SAID, the first after HEAD. */
static void put_notes(struct cli *cli, const char *head, const struct trace_slow_note *said,
		      size_t count)
{
	size_t n = count < SAID_SHOWN ? count : SAID_SHOWN;

	for (size_t i = 0; i < n; i++) {
		const struct trace_slow_note *v = &said[i];
		struct jw_buf text = { 0 };

		jw_put_fmt(&text, "      %s%s: ", i ? "     " : head, v->label);
		if (v->text)
			jw_put_str(&text, v->text);
		else
			jw_put_fmt(&text, "%llu", (unsigned long long)v->value);
		if (v->count > 1)
			jw_put_fmt(&text, " (%llu times)", (unsigned long long)v->count);
		put_line(cli, &text);
	}
	if (count > n)
		cli_put(cli, "           and %zu more (--json)\n", count - n);
}

static void put_said(struct cli *cli, const struct trace_slow_call *c)
{
	put_notes(cli, "with ", c->said, c->said_count);
	if (c->outer_count)
		put_notes(cli, jw_arena_fmt(&cli->arena, "in %s with ", c->outer), c->outer_said,
			  c->outer_count);
}

static void put_call(struct cli *cli, const struct trace_slow_list *list, size_t at)
{
	const struct trace_slow_call *c = &list->calls[at];
	struct jw_buf text = { 0 };

	jw_put_fmt(&text, "%4zu  %s  %s  at %.6f s, %s", at + 1, time_of(cli, c->ns), c->method,
		   (double)c->begin / 1e9, c->thread);
	if (*c->process)
		jw_put_fmt(&text, " (%s)", c->process);
	if (c->failed)
		jw_put_str(&text, ", ended by an exception");
	if (c->open)
		jw_put_str(&text, ", not over at the end");
	if (c->little_else)
		jw_put_str(&text, ", whose thread does little else");
	put_usual(cli, &text, c);
	cli_put(cli, "\n");
	put_line(cli, &text);
	put_stack(cli, c);
	put_within(cli, c);
	put_inside(cli, c);
	put_parts(cli, c);
	put_said(cli, c);
}

static void put_heading(struct cli *cli, const struct trace_slow_list *list, size_t n,
			const char *which)
{
	cli_put(cli, "the %s of %s in %.3f s%s\n",
		n == 1 ? "slowest call" : jw_arena_fmt(&cli->arena, "%zu slowest calls", n),
		cli_plural(&cli->arena, list->all, "call", "calls"),
		(double)list->duration_ns / 1e9, which);
}

/* Is there a wait that is told of which it is not known who had the monitor? */
static bool lacks_holder(const struct trace_slow_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < list->calls[i].part_count && k < PARTS_SHOWN; k++) {
			const struct trace_slow_part *p = &list->calls[i].parts[k];

			if (p->wait.how == TRACE_REPORT_ENTER && !p->io && !p->rest &&
			    !p->ender_count && p->wait.longest_ns >= CLI_REPORT_ASKED_NS)
				return true;
		}
	return false;
}

/* What nothing unusual means: but for calls of threads that do little else, which are told, too. */
static const char *none_unusual(const struct trace_slow_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct trace_slow_call *c = &list->calls[i];

		if (c->little_else && c->usual_ns && c->ns / 2 >= c->usual_ns)
			return ": none took twice as long as is usual, but waits of threads that "
			       "do "
			       "little else";
	}
	return ": none took twice as long as is usual";
}

static void put_text(struct cli *cli, const struct trace_slow_list *list)
{
	bool chosen = cli_given(cli, CLI_OPT_method);

	size_t others = list->n - list->unusual, first = list->others_lead ? others : list->unusual;

	if (list->others_lead)
		put_heading(cli, list, others, ": those longer than is usual took microseconds");
	else if (list->unusual)
		put_heading(cli, list, list->unusual,
			    ", by how much longer they took than is usual");
	else
		put_heading(cli, list, list->n, chosen ? "" : none_unusual(list));
	for (size_t i = 0; i < list->n; i++) {
		if (i > 0 && i == first)
			cli_put(cli, "\n%s\n",
				list->others_lead ? "those that took much longer than is usual"
						  : "the longest of the others: the start, loops, "
						    "or always that long");
		put_call(cli, list, i);
	}
	if (lacks_holder(list))
		cli_put(cli, "\n  " CLI_REPORT_HOLDERS "\n");
}

/* ---- JSON ---- */

static void add_enders(struct cli_json *json, cJSON *part, const struct trace_slow_part *p)
{
	cJSON *enders = cli_json_array(json, part, "enders");

	for (size_t i = 0; i < p->ender_count; i++) {
		cJSON *one = cli_json_object(json, enders, NULL);

		cli_json_number(json, one, "task", p->enders[i].task);
		cli_json_number(json, one, "thread", p->enders[i].number);
		cli_json_text(json, one, "threadName", p->enders[i].name);
		cli_json_text(json, one, "method", p->enders[i].method);
		cli_json_number(json, one, "count", p->enders[i].count);
		cli_json_number(json, one, "ns", p->enders[i].ns);
	}
}

static void add_part(struct cli_json *json, cJSON *parts, const struct trace_slow_part *p)
{
	cJSON *part = cli_json_object(json, parts, NULL);

	cli_report_json_wait(json, part, &p->wait);
	if (p->io) {
		struct jw_buf word = { 0 };

		cJSON_DeleteItemFromObject(part, "wait");
		jw_put_fmt(&word, "%s/%s", jw_operation_kinds[p->io->type].word, p->io->word);
		cli_json_span(json, part, "io", p->rest ? JW_SPAN_LIT("") : jw_buf_span(&word));
		jw_buf_free(&word);
	}
	cli_json_number(json, part, "bytes", p->bytes);
	add_enders(json, part, p);
	cli_json_bool(json, part, "rest", p->rest);
}

static void add_said(struct cli_json *json, cJSON *of, const struct trace_slow_note *said,
		     size_t count)
{
	cJSON *captured = cli_json_array(json, of, "captured");

	for (size_t i = 0; i < count; i++) {
		const struct trace_slow_note *v = &said[i];
		cJSON *one = cli_json_object(json, captured, NULL);

		cli_json_text(json, one, "label", v->label);
		if (v->text)
			cli_json_text(json, one, "text", v->text);
		cli_json_number(json, one, "value", v->value);
		cli_json_number(json, one, "count", v->count);
	}
}

static void add_usual(struct cli_json *json, cJSON *call, const struct trace_slow_call *c)
{
	cJSON *within = cli_json_array(json, call, "within");

	for (size_t i = 0; i < c->within_count; i++)
		cli_json_text(json, within, NULL, c->within[i]);
	cli_json_number(json, call, "withinNs", c->within_ns);
	cli_json_number(json, call, "usualNs", c->usual_ns);
	cli_json_number(json, call, "overNs", c->over_ns);
	cli_json_bool(json, call, "first", c->first);
	cli_json_number(json, call, "of", c->of);
}

static void add_call(struct cli_json *json, const struct trace_slow_call *c)
{
	cJSON *call = cli_json_object(json, NULL, NULL);

	cli_json_text(json, call, "name", c->method);
	cli_json_text(json, call, "full", c->label);
	cli_json_number(json, call, "beginNs", c->begin);
	cli_json_number(json, call, "ns", c->ns);
	cli_json_number(json, call, "task", c->task);
	cli_json_number(json, call, "thread", c->number);
	cli_json_text(json, call, "threadName", c->thread);
	cli_json_bool(json, call, "exceptional", c->failed);
	cli_json_bool(json, call, "open", c->open);
	cli_json_bool(json, call, "littleElse", c->little_else);
	cli_report_json_split(json, call, "insideNs", &c->inside);
	cli_json_number(json, call, "gcPauses", c->pauses);
	cJSON *stack = cli_json_array(json, call, "stack");
	for (size_t i = 0; i < c->stack_count; i++)
		cli_json_text(json, stack, NULL, c->stack[i]);
	cli_json_number(json, call, "stackDepth", c->stack_all);
	cJSON *parts = cli_json_array(json, call, "parts");
	for (size_t i = 0; i < c->part_count; i++)
		add_part(json, parts, &c->parts[i]);
	add_said(json, call, c->said, c->said_count);
	if (c->outer_count) {
		cJSON *around = cli_json_object(json, call, "around");

		cli_json_text(json, around, "name", c->outer);
		add_said(json, around, c->outer_said, c->outer_count);
	}
	add_usual(json, call, c);
	cli_json_element(json, call);
}

static void add_wait(struct cli_json *json, const struct trace_slow_wait *w)
{
	cJSON *wait = cli_json_object(json, NULL, NULL);

	cli_report_json_wait(json, wait, &w->wait);
	cli_json_number(json, wait, "row", w->place);
	cli_json_number(json, wait, "beginNs", w->begin);
	if (w->ender) {
		cli_json_number(json, wait, "enderRow", w->ender - 1);
		cli_json_number(json, wait, "receivedNs", w->received);
		cli_json_text(json, wait, "enderMethod", w->ender_method);
		cli_json_number(json, wait, "enderNs", w->ender_ns);
	}
	cli_json_element(json, wait);
}

enum jw_status cli_report_slowest_json(struct cli *cli, const struct trace_slow_list *list,
				       const struct trace_slow_wait_list *waits, struct jw_err *e)
{
	struct cli_json json = { 0 };

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "slowest");
	cli_json_line_number(&json, "durationNs", list->duration_ns);
	cli_json_line_number(&json, "calls", list->all);
	cli_json_list(&json, "slowest");
	for (size_t i = 0; i < list->n; i++)
		add_call(&json, &list->calls[i]);
	cli_json_list_end(&json);
	if (waits) {
		cli_json_line_number(&json, "waitCount", waits->all);
		cli_json_list(&json, "waits");
		for (size_t i = 0; i < waits->n; i++)
			add_wait(&json, &waits->waits[i]);
		cli_json_list_end(&json);
	}
	return cli_json_close(&json, e);
}

/* ---- all of it ---- */

static enum jw_status find(struct cli *cli, struct trace_slowest *slowest,
			   struct trace_chosen *chosen, struct jw_err *e)
{
	const char *pattern = cli_value(cli, CLI_OPT_method, NULL);

	if (pattern) {
		JW_TRY(cli_report_choose(cli, pattern, chosen, e));
		trace_slowest_choose(slowest, trace_chosen_has, chosen);
	}
	return cli_report_tell(cli, &trace_slowest_output, slowest, CLI_REPORT_CALLS, e);
}

enum jw_status cli_report_slowest(struct cli *cli, struct jw_err *e)
{
	size_t n = (size_t)cli->args.numbers[CLI_OPT_slowest];
	struct trace_slowest *slowest = trace_slowest_new(n ? n : CALLS_SHOWN, &cli->arena);
	struct trace_chosen chosen = { 0 };

	if (!slowest)
		return jw_nomem(e);
	enum jw_status status = find(cli, slowest, &chosen, e);
	const struct trace_slow_list list = trace_slowest_list(slowest);

	if (status == JW_OK && cli_given(cli, CLI_OPT_json))
		status = cli_report_slowest_json(cli, &list, NULL, e);
	else if (status == JW_OK)
		put_text(cli, &list);
	trace_slowest_free(slowest);
	trace_chosen_free(&chosen);
	return status;
}
