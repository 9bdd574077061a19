/*
 * report_tasks.c: jweave report --by-task, --by-stage, --by-executor, --by-host: the tasks that an
 * engine ran, those first that took much longer than the others of their stage, with the reason; and
 * what has been added up of them.
 *
 * The JSON: { kind: "tasks", durationNs, taskCount, stageCount, stragglers, tasks: [{ task, stage,
 * .. }] | stages, executors, hosts: [{ name, tasks, .. }] }; jweave-report(1) has all of it.
 */
#include "cli/report_tasks.h"

#include <string.h>

#include "cli/help.h"
#include "cli/out.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/report_source.h"
#include "cli/safe_text.h"
#include "cli/trace_files.h"
#include "trace/engine/engine.h"

#include "base/banned.h"

#define TASKS_SHOWN 20

static const struct {
	enum cli_option_id option;
	enum trace_engine_by by;
	const char *head, *key;
} groupings[] = {
	{ CLI_OPT_by_stage, TRACE_BY_STAGE, "stage", "stages" },
	{ CLI_OPT_by_executor, TRACE_BY_EXECUTOR, "executor", "executors" },
	{ CLI_OPT_by_host, TRACE_BY_HOST, "host", "hosts" },
};
enum { GROUPINGS = sizeof(groupings) / sizeof(*groupings) };

bool cli_report_asks_tasks(const struct cli *cli)
{
	bool asks = cli_given(cli, CLI_OPT_by_task);

	for (size_t i = 0; i < GROUPINGS; i++)
		asks |= cli_given(cli, groupings[i].option);
	return asks;
}

/* ---- figures ---- */

/* Columns that are shown where any line has something there. What is measured comes after them. */
#define TIME_LIST(X)                                     \
	X("running ms", inside.ns[TRACE_REPORT_RUNNING]) \
	X("GC ms", inside.ns[TRACE_REPORT_GC])           \
	X("lock ms", lock_ns)                            \
	X("waiting ms", inside.ns[TRACE_REPORT_WAITING]) \
	X("I/O ms", inside.ns[TRACE_REPORT_IO])          \
	X("files ms", file_ns)

static const char *const time_heads[] = {
#define TIME_HEAD(head, member) head,
	TIME_LIST(TIME_HEAD)
#undef TIME_HEAD
};
enum { TIMES = sizeof(time_heads) / sizeof(*time_heads), COLUMNS = TIMES + TRACE_MEASURES };

static void take_times(const struct trace_engine_figures *f, uint64_t out[COLUMNS])
{
	size_t i = 0;

#define TIME_VALUE(head, member) out[i++] = f->member;
	TIME_LIST(TIME_VALUE)
#undef TIME_VALUE
	memcpy(out + TIMES, f->measures, sizeof(f->measures));
}

struct columns {
	bool shown[COLUMNS];
};

static void note(struct columns *c, const struct trace_engine_figures *f)
{
	uint64_t values[COLUMNS];

	take_times(f, values);
	for (size_t i = 0; i < COLUMNS; i++)
		c->shown[i] |= values[i] > 0;
}

static const char *head_of(size_t column)
{
	return column < TIMES ? time_heads[column] : trace_measure_kinds[column - TIMES].head;
}

static bool is_ns(size_t column)
{
	return column < TIMES || trace_measure_kinds[column - TIMES].unit == TRACE_MEASURE_NS;
}

static void put_heads(struct cli *cli, const struct columns *c)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (c->shown[i])
			cli_put(cli, " %12s", head_of(i));
}

static void put_figures(struct cli *cli, const struct columns *c,
			const struct trace_engine_figures *f)
{
	uint64_t values[COLUMNS];

	take_times(f, values);
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!c->shown[i])
			continue;
		if (i >= TIMES && !(f->measured >> (i - TIMES) & 1))
			cli_put(cli, " %12s", "-");
		else if (is_ns(i))
			cli_put(cli, " %12.3f", cli_report_ms(values[i]));
		else
			cli_put(cli, " %12llu", (unsigned long long)values[i]);
	}
}

/* ---- text: tasks ---- */

/* How it ended, if not as it should. */
static const char *state_of(const struct trace_engine_task *t)
{
	return t->failed      ? ", failed"
	       : t->cancelled ? ", cancelled"
	       : t->open      ? ", did not end"
			      : "";
}

/* "task 7, stage 1, attempt 1, executor 0 @node1, failed" */
static void put_task_name(struct cli *cli, const struct trace_engine_task *t)
{
	struct jw_buf text = { 0 };

	jw_put_fmt(&text, "task %s", t->id);
	if (*t->stage)
		jw_put_fmt(&text, ", stage %s", t->stage);
	if (t->has_partition)
		jw_put_fmt(&text, ", partition %llu", (unsigned long long)t->partition);
	if (t->attempt)
		jw_put_fmt(&text, ", attempt %llu", (unsigned long long)t->attempt);
	if (strcmp(t->executor, t->id) != 0)
		jw_put_fmt(&text, ", %s", t->executor);
	if (*t->host)
		jw_put_fmt(&text, " @%s", t->host);
	jw_put_str(&text, state_of(t));
	jw_put_str(&text, t->cut ? ", cut by the range" : "");
	jw_put_u1(&text, 0);
	if (text.failed == JW_OK)
		cli_report_put_name(cli, (const char *)text.p);
	cli_put(cli, "\n");
	jw_buf_free(&text);
}

static double times_median(const struct trace_engine_task *t)
{
	return t->median_ns ? (double)t->ns / (double)t->median_ns : 0;
}

static void put_cause(struct cli *cli, const struct trace_cause *c)
{
	struct jw_buf text = { 0 };

	trace_cause_put(&text, c);
	jw_put_u1(&text, 0);
	cli_put(cli, "%12s %9s      ", "", "");
	if (text.failed == JW_OK)
		cli_report_put_name(cli, (const char *)text.p);
	cli_put(cli, "\n");
	jw_buf_free(&text);
}

static void put_stragglers(struct cli *cli, const struct trace_engine_list *list)
{
	size_t n = cli_report_top(cli, list->stragglers, TASKS_SHOWN);

	if (n == 0)
		return;
	cli_put(cli,
		"\n%12s %9s  took much longer than the others of its stage, and what explains "
		"that\n",
		"ms", "x median");
	for (size_t i = 0; i < n; i++) {
		const struct trace_engine_task *t = &list->tasks[i];

		cli_put(cli, "%12.3f %9.1f  ", cli_report_ms(t->ns), times_median(t));
		put_task_name(cli, t);
		for (uint32_t k = 0; k < t->cause_count; k++)
			put_cause(cli, &t->causes[k]);
	}
	cli_report_put_more(cli, list->stragglers - n);
}

static void put_tasks(struct cli *cli, const struct trace_engine_list *list)
{
	size_t n = cli_report_top(cli, list->n, TASKS_SHOWN);
	struct columns c = { 0 };

	for (size_t i = 0; i < n; i++)
		note(&c, &list->tasks[i].did);
	cli_put(cli, "\n%12s %12s", "at s", "ms");
	put_heads(cli, &c);
	cli_put(cli, "  task\n");
	for (size_t i = 0; i < n; i++) {
		const struct trace_engine_task *t = &list->tasks[i];

		cli_put(cli, "%12.6f %12.3f", (double)t->begin / 1e9, cli_report_ms(t->ns));
		put_figures(cli, &c, &t->did);
		cli_put(cli, "  ");
		put_task_name(cli, t);
	}
	cli_report_put_more(cli, list->n - n);
}

/* ---- text: groups ---- */

static void put_groups(struct cli *cli, const char *head, const struct trace_engine_groups *groups)
{
	size_t n = cli_report_top(cli, groups->n, TASKS_SHOWN);
	struct columns c = { 0 };

	for (size_t i = 0; i < n; i++)
		note(&c, &groups->at[i].did);
	cli_put(cli, "\n%8s %8s %10s %12s %12s %12s", "tasks", "failed", "stragglers", "ms",
		"median ms", "longest ms");
	put_heads(cli, &c);
	cli_put(cli, "  %s\n", head);
	for (size_t i = 0; i < n; i++) {
		const struct trace_engine_group *g = &groups->at[i];

		cli_put(cli, "%8llu %8llu %10llu %12.3f %12.3f %12.3f",
			(unsigned long long)g->tasks, (unsigned long long)g->failed,
			(unsigned long long)g->stragglers, cli_report_ms(g->ns),
			cli_report_ms(g->median_ns), cli_report_ms(g->longest_ns));
		put_figures(cli, &c, &g->did);
		cli_put(cli, "  ");
		cli_report_put_name(cli, *g->name ? g->name : "(unknown)");
		if (*g->job) {
			cli_put(cli, " of ");
			cli_report_put_name(cli, g->job);
		}
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, groups->n - n);
}

static enum jw_status put_text(struct cli *cli, const struct trace_engine_list *list,
			       struct jw_err *e)
{
	struct jw_arena *a = &cli->arena;

	cli_put(cli, "%s of %s in %.3f s, %s\n", cli_plural(a, list->n, "task", "tasks"),
		cli_plural(a, list->stages, "stage", "stages"), (double)list->duration_ns / 1e9,
		cli_plural(a, list->stragglers, "straggler", "stragglers"));
	bool by_task = cli_given(cli, CLI_OPT_by_task);

	if (by_task) {
		put_stragglers(cli, list);
		put_tasks(cli, list);
	}
	for (size_t i = 0; i < GROUPINGS; i++) {
		struct trace_engine_groups groups;

		if (!cli_given(cli, groupings[i].option))
			continue;
		JW_TRY(trace_engine_groups(list, groupings[i].by, a, &groups, e));
		put_groups(cli, groupings[i].head, &groups);
	}
	if (!by_task)
		put_stragglers(cli, list);
	return JW_OK;
}

/* ---- JSON ---- */

static void add_figures(struct cli_json *json, cJSON *object, const struct trace_engine_figures *f)
{
	cli_report_json_split(json, object, "insideNs", &f->inside);
	cli_json_number(json, object, "lockNs", f->lock_ns);
	cli_json_number(json, object, "fileNs", f->file_ns);
	for (size_t i = 0; i < TRACE_MEASURES; i++)
		if (f->measured >> i & 1)
			cli_json_number(json, object, trace_measure_kinds[i].key, f->measures[i]);
}

static void add_cause(struct cli_json *json, cJSON *causes, const struct trace_cause *c)
{
	cJSON *cause = cli_json_object(json, causes, NULL);
	bool skew = c->kind == TRACE_CAUSE_SKEW;

	cli_json_text(json, cause, "cause", trace_cause_words[c->kind]);
	cli_json_number(json, cause, "percent", (uint64_t)(100 * c->share + 0.5));
	if (skew)
		cli_json_text(json, cause, "measure", trace_measure_kinds[c->measure].key);
	cli_json_number(json, cause, skew ? "value" : "ns", c->value);
	cli_json_number(json, cause, skew ? "median" : "medianNs", c->median);
	cli_json_text(json, cause, "of", c->of);
	cli_json_text(json, cause, "ender", c->ender);
}

static void add_task(struct cli_json *json, const struct trace_engine_task *t)
{
	cJSON *task = cli_json_object(json, NULL, NULL);

	cli_json_text(json, task, "task", t->id);
	cli_json_text(json, task, "stage", t->stage);
	if (t->has_partition)
		cli_json_number(json, task, "partition", t->partition);
	if (t->has_attempt)
		cli_json_number(json, task, "attempt", t->attempt);
	cli_json_text(json, task, "executor", t->executor);
	cli_json_text(json, task, "host", t->host);
	cli_json_number(json, task, "row", t->thread);
	cli_json_number(json, task, "depth", t->depth);
	cli_json_number(json, task, "beginNs", t->begin);
	cli_json_number(json, task, "ns", t->ns);
	cli_json_number(json, task, "medianNs", t->median_ns);
	cli_json_bool(json, task, "failed", t->failed);
	if (t->cancelled)
		cli_json_bool(json, task, "cancelled", true);
	cli_json_bool(json, task, "open", t->open);
	if (t->cut)
		cli_json_bool(json, task, "cut", true);
	add_figures(json, task, &t->did);
	cli_json_bool(json, task, "straggler", t->straggler);
	cJSON *causes = cli_json_array(json, task, "causes");
	for (uint32_t i = 0; i < t->cause_count; i++)
		add_cause(json, causes, &t->causes[i]);
	cli_json_element(json, task);
}

static void add_group(struct cli_json *json, const struct trace_engine_group *g)
{
	cJSON *group = cli_json_object(json, NULL, NULL);

	cli_json_text(json, group, "name", g->name);
	if (*g->job)
		cli_json_text(json, group, "application", g->job);
	cli_json_number(json, group, "tasks", g->tasks);
	cli_json_number(json, group, "failed", g->failed);
	cli_json_number(json, group, "stragglers", g->stragglers);
	cli_json_number(json, group, "beginNs", g->begin);
	cli_json_number(json, group, "endNs", g->end);
	cli_json_number(json, group, "ns", g->ns);
	cli_json_number(json, group, "medianNs", g->median_ns);
	cli_json_number(json, group, "longestNs", g->longest_ns);
	add_figures(json, group, &g->did);
	cli_json_element(json, group);
}

static void put_head(struct cli_json *json, struct cli *cli, const struct trace_engine_list *list,
		     size_t most)
{
	cli_json_open(json, cli, '{');
	cli_json_line_text(json, "kind", "tasks");
	cli_json_line_number(json, "durationNs", list->duration_ns);
	cli_json_line_number(json, "taskCount", list->n);
	cli_json_line_number(json, "stageCount", list->stages);
	cli_json_line_number(json, "stragglers", list->stragglers);
	cli_json_list(json, "tasks");
	for (size_t i = 0; i < list->n && i < most; i++)
		add_task(json, &list->tasks[i]);
	cli_json_list_end(json);
}

enum jw_status cli_report_tasks_json(struct cli *cli, const struct trace_engine_list *list,
				     size_t most, struct jw_err *e)
{
	struct cli_json json = { 0 };

	put_head(&json, cli, list, most);
	return cli_json_close(&json, e);
}

static enum jw_status put_json(struct cli *cli, const struct trace_engine_list *list,
			       struct jw_err *e)
{
	bool tasks = cli_given(cli, CLI_OPT_by_task);
	struct cli_json json = { 0 };

	put_head(&json, cli, list, tasks ? cli_report_top(cli, list->n, SIZE_MAX) : 0);
	for (size_t i = 0; i < GROUPINGS; i++) {
		struct trace_engine_groups groups;

		if (!cli_given(cli, groupings[i].option))
			continue;
		JW_TRY(trace_engine_groups(list, groupings[i].by, &cli->arena, &groups, e));
		cli_json_list(&json, groupings[i].key);
		for (size_t k = 0; k < groups.n; k++)
			add_group(&json, &groups.at[k]);
		cli_json_list_end(&json);
	}
	return cli_json_close(&json, e);
}

/* ---- all of it ---- */

static enum jw_status put(struct cli *cli, const struct trace_engine_list *list, struct jw_err *e)
{
	if (list->cut)
		cli_note(cli,
			 "%s cut by the range: of %s the part inside is told, and nothing is "
			 "compared "
			 "with %s",
			 cli_plural(&cli->arena, list->cut, "task is", "tasks are"),
			 list->cut == 1 ? "it" : "them", list->cut == 1 ? "it" : "them");
	if (cli_given(cli, CLI_OPT_json))
		return put_json(cli, list, e);
	if (list->n)
		return put_text(cli, list, e);
	cli_put(cli, "no tasks of an engine in %.3f s\n", (double)list->duration_ns / 1e9);
	cli_warn(cli,
		 "no capture says where a task begins: 'jweave submit', or --preset=spark, hadoop "
		 "or flink, records tasks");
	return JW_OK;
}

enum jw_status cli_report_tasks(struct cli *cli, struct jw_err *e)
{
	if (cli_is_trace(cli->args.operands[0]))
		return jw_fail(e, JW_INPUT,
			       "'%s' is a trace, which does not say which captures are of tasks: "
			       "report the recordings (NAME.jwr, or the folder of the job)",
			       cli->args.operands[0]);
	struct trace_engine *engine = trace_engine_new(&cli->arena);

	if (!engine)
		return jw_nomem(e);
	enum jw_status status =
		cli_report_tell(cli, &trace_engine_output, engine, CLI_REPORT_LAST, e);
	const struct trace_engine_list list = trace_engine_list(engine);

	if (status == JW_OK)
		status = put(cli, &list, e);
	trace_engine_free(engine);
	return status;
}
