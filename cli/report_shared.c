/*
 * report_shared.c: what the text and the JSON of `jweave report` share: see report_shared.h.
 */
#include "cli/report_shared.h"

#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/terminal.h"

#include "base/banned.h"

#define LEAST_TABLES 4 /* that a screen should hold */
#define LEAST_ROWS   5 /* of each */

const char *const cli_report_times[TRACE_REPORT_TIMES] = {
#define WORD(name, word) word,
	TRACE_REPORT_TIME_LIST(WORD)
#undef WORD
};

size_t cli_report_top(struct cli *cli, size_t count, size_t otherwise)
{
	size_t screen = cli_screen_lines() / LEAST_TABLES, most = otherwise;

	if (cli_given(cli, CLI_OPT_top))
		most = (size_t)cli->args.numbers[CLI_OPT_top];
	else if (screen && otherwise != SIZE_MAX)
		most = screen < LEAST_ROWS ? LEAST_ROWS : screen < most ? screen : most;

	return count < most ? count : most;
}

double cli_report_mean_ns(const struct trace_report_method *m)
{
	return m->calls ? (double)m->inclusive_ns / (double)m->calls : 0;
}

uint64_t cli_report_every(const struct trace_report_method *m)
{
	const char *said = strstr(m->label, " (1 of ");
	unsigned long long every = said ? strtoull(said + sizeof(" (1 of ") - 1, NULL, 10) : 1;

	return every ? every : 1;
}

void cli_report_put_range(struct cli *cli, const struct trace_report *r)
{
	if (r->begin_ns || r->cut.after)
		cli_put(cli,
			"from %.6f s to %.6f s; of the calls %llu began before and %llu went on "
			"after\n",
			(double)r->begin_ns / 1e9, (double)(r->begin_ns + r->duration_ns) / 1e9,
			(unsigned long long)r->cut.before, (unsigned long long)r->cut.after);
}

double cli_report_ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

void cli_report_put_more(struct cli *cli, size_t left)
{
	if (left)
		cli_put(cli, "  and %zu more (--top=N)\n", left);
}

void cli_report_put_name(struct cli *cli, const char *text)
{
	struct jw_buf name = { 0 };

	cli_put_escaped(&name, jw_span_str(text));
	cli_put_span(cli, jw_buf_span(&name));
	jw_buf_free(&name);
}

void cli_report_put_process(struct cli *cli, const char *process)
{
	if (!*process)
		return;
	cli_put(cli, " (");
	cli_report_put_name(cli, process);
	cli_put(cli, ")");
}

static const char *class_of(struct cli *cli, const struct trace_report_monitor *m)
{
	if (m->class_name[0])
		return m->class_name;
	return m->class_number ? jw_arena_fmt(&cli->arena, "class %llx",
					      (unsigned long long)m->class_number)
			       : "unknown";
}

/* M, whose class is shown as SHOWN. Of a sentence the number is told apart. */
static void put_identity(struct jw_buf *out, const struct trace_report_monitor *m,
			 const char *shown)
{
	if (shown != m->class_name) {
		jw_put_fmt(out, "%s (lock %llx)", shown, (unsigned long long)m->object);
		return;
	}
	if (m->class_name[0])
		jw_put_str(out, m->class_name);
	else if (m->class_number)
		jw_put_fmt(out, "class %llx", (unsigned long long)m->class_number);
	else
		jw_put_str(out, "unknown");
	if (m->class_number)
		jw_put_fmt(out, "@%llx", (unsigned long long)m->object);
	else if (m->object)
		jw_put_fmt(out, " %llu", (unsigned long long)m->object);
}

void cli_report_put_object(struct jw_buf *out, const struct trace_report_monitor *m)
{
	put_identity(out, m, trace_class_shown(m->class_name));
}

void cli_report_put_stalled(struct jw_buf *out, const struct trace_report_stall *s)
{
	struct trace_report_monitor one = { .class_name = s->class_name,
					    .class_number = s->class_number,
					    .object = s->object };

	bool several = s->objects > 1 || !s->object; /* or of a summary, which adds them up */

	if (!several)
		put_identity(out, &one, trace_wait_class(s));
	else if (s->class_name[0])
		jw_put_str(out, trace_wait_class(s));
	else
		jw_put_fmt(out, "class %llx", (unsigned long long)s->class_number);
}

static int by_name(const void *a, const void *b)
{
	const struct cli_report_class *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
	const struct cli_report_class *x = a, *y = b;
	uint64_t tx = x->contended.ns + x->waits.ns, ty = y->contended.ns + y->waits.ns;

	return tx != ty ? (tx > ty ? -1 : 1) : by_name(a, b);
}

static void add(struct trace_report_wait *to, const struct trace_report_wait *more)
{
	to->count += more->count;
	to->ns += more->ns;
}

size_t cli_report_classes(struct cli *cli, const struct trace_report *r,
			  struct cli_report_class **out)
{
	struct cli_report_class *c =
		JW_NEW_ARRAY(&cli->arena, struct cli_report_class, r->monitor_count + 1);
	size_t n = 0;

	for (size_t i = 0; c && i < r->monitor_count; i++) {
		const struct trace_report_monitor *m = &r->monitors[i];

		c[i] = (struct cli_report_class){ class_of(cli, m), 1, m->contended, m->waits };
		if (!c[i].name)
			return 0;
	}
	if (!c || r->monitor_count == 0)
		return 0;
	qsort(c, r->monitor_count, sizeof(*c), by_name);
	for (size_t i = 1; i < r->monitor_count; i++) {
		if (strcmp(c[n].name, c[i].name) != 0) {
			c[++n] = c[i];
			continue;
		}
		c[n].objects++;
		add(&c[n].contended, &c[i].contended);
		add(&c[n].waits, &c[i].waits);
	}
	qsort(c, n + 1, sizeof(*c), by_time);
	*out = c;
	return n + 1;
}
