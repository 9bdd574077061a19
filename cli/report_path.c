/*
 * report_path.c: jweave report --critical-path[=PATTERN]: what took the time until the end of a run,
 * or of the longest call of some methods.
 *
 * The JSON: { kind: "criticalPath", beginNs, endNs, ns, task, thread, threadName, hops, coarseNs,
 * call: NAME or null, ns: { running, .., handOver },
 * methods: [{ name, ns, byNs: { .. } }], threads: [{ task, thread, name, ns, byNs }],
 * waits: [{ wait, .., ns, task, thread, threadName }],
 * segments: [{ beginNs, endNs, task, thread, kind, method }] }
 */
#include "cli/report_path.h"

#include <string.h>

#include "cli/out.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/report_source.h"
#include "cli/run_path.h"
#include "cli/safe_text.h"
#include "cli/trace_files.h"
#include "trace/engine/engine.h"
#include "trace/path/path.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

#define TOP_SHOWN 20

static const char *const heads[TRACE_PATH_TIMES] = {
	[TRACE_REPORT_RUNNING] = "running",   [TRACE_REPORT_BLOCKED] = "blocked",
	[TRACE_REPORT_WAITING] = "waiting",   [TRACE_REPORT_IO] = "I/O",
	[TRACE_REPORT_FOR_WORK] = "for work", [TRACE_REPORT_GC] = "GC",
	[TRACE_REPORT_OTHER] = "other",       [TRACE_PATH_HAND_OVER] = "hand-over",
};

/* ---- text ---- */

static double percent(const struct trace_path_list *list, uint64_t ns)
{
	return 100 * (double)ns / (double)(list->end - list->begin);
}

/* Columns of what there is of. */
static void put_heads(struct cli *cli, const struct trace_path_list *list, const char *what)
{
	cli_put(cli, "\n%12s %6s ", "ms", "%");
	for (size_t i = 0; i < TRACE_PATH_TIMES; i++)
		if (list->by[i])
			cli_put(cli, "%11s ", heads[i]);
	cli_put(cli, " %s\n", what);
}

static void put_times(struct cli *cli, const struct trace_path_list *list, uint64_t ns,
		      const uint64_t *by)
{
	cli_put(cli, "%12.3f %6.1f ", cli_report_ms(ns), percent(list, ns));
	for (size_t i = 0; i < TRACE_PATH_TIMES; i++)
		if (list->by[i])
			cli_put(cli, "%11.3f ", cli_report_ms(by[i]));
	cli_put(cli, " ");
}

static void put_thread(struct cli *cli, const char *name, const char *process)
{
	cli_report_put_name(cli, name);
	cli_report_put_process(cli, process);
}

static void put_methods(struct cli *cli, const struct trace_path_list *list)
{
	size_t n = cli_report_top(cli, list->method_count, TOP_SHOWN);

	put_heads(cli, list, "method on the path");
	for (size_t i = 0; i < n; i++) {
		const struct trace_path_sum *m = &list->methods[i];

		put_times(cli, list, m->ns, m->by);
		cli_report_put_name(cli, *m->name ? m->name : "(outside of traced methods)");
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, list->method_count - n);
}

static void put_threads(struct cli *cli, const struct trace_path_list *list)
{
	size_t n = cli_report_top(cli, list->thread_count, TOP_SHOWN);

	put_heads(cli, list, "thread on the path");
	for (size_t i = 0; i < n; i++) {
		const struct trace_path_sum *t = &list->threads[i];

		put_times(cli, list, t->ns, t->by);
		put_thread(cli, t->name, t->process);
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, list->thread_count - n);
}

static void put_waits(struct cli *cli, const struct trace_path_list *list)
{
	size_t n = cli_report_top(cli, list->wait_count, TOP_SHOWN);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s %6s  wait on the path that nobody is known to have ended\n", "ms",
		"%");
	for (size_t i = 0; i < n; i++) {
		const struct trace_path_wait *w = &list->waits[i];
		struct jw_buf what = { 0 };

		cli_put(cli, "%12.3f %6.1f  ", cli_report_ms(w->wait.ns),
			percent(list, w->wait.ns));
		cli_report_put_wait(&what, &w->wait);
		jw_put_u1(&what, 0);
		if (what.failed == JW_OK)
			cli_report_put_name(cli, (const char *)what.p);
		jw_buf_free(&what);
		cli_put(cli, ", ");
		put_thread(cli, w->thread, w->process);
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, list->wait_count - n);
	for (size_t i = 0; i < n; i++)
		if (list->waits[i].wait.how == TRACE_REPORT_ENTER &&
		    list->waits[i].wait.ns >= CLI_REPORT_ASKED_NS) {
			cli_put(cli, "  " CLI_REPORT_HOLDERS "\n");
			break;
		}
}

/* Does a third of it or more wait for requests, of which nothing else is known? */
static void put_requests_hint(struct cli *cli, const struct trace_path_list *list)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < list->wait_count; i++)
		if (list->waits[i].wait.how == TRACE_REPORT_REQUESTS)
			ns += list->waits[i].wait.ns;
	if (ns > (list->end - list->begin) / 3)
		cli_put(cli, "  who asks, and when, is known with: jweave run "
			     "--events=default,net\n");
}

/* Is it mostly waits, for nobody who is known? A server's main thread waits for its end, and who makes a job of an
 * engine for the next one: what the others did is on no path to that. */
static bool is_of_who_waits(const struct trace_path_list *list)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < list->wait_count; i++)
		ns += list->waits[i].wait.ns;
	return ns > (list->end - list->begin) / 2;
}

/* Who waits for tasks by polls, as the client of Hadoop does, is told of their end by nobody: the path to the end of the last one
 * is another. */
static void put_task_hint(struct cli *cli, const struct trace_path_list *path,
			  const struct trace_engine_list *list)
{
	const struct trace_engine_task *last = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct trace_engine_task *t = &list->tasks[i];

		if (strcmp(t->executor, path->process) != 0 && t->begin < path->end &&
		    (!last || t->begin + t->ns > last->begin + last->ns))
			last = t;
	}
	if (!last)
		return;
	cli_put(cli, "  task ");
	cli_report_put_name(cli, last->id);
	if (strcmp(last->executor, last->id) != 0) {
		cli_put(cli, ", of ");
		cli_report_put_name(cli, last->executor);
	}
	cli_put(cli, ", ended last before: --critical-path --process=");
	cli_report_put_name(cli, run_quoted(&cli->arena, last->executor));
	cli_put(cli, "\n");
}

/* Reads all of it once more, for the tasks. */
static enum jw_status put_tasks(struct cli *cli, const struct trace_path_list *path,
				struct jw_err *e)
{
	struct trace_engine *engine = trace_engine_new(&cli->arena);

	if (!engine)
		return jw_nomem(e);
	enum jw_status status =
		cli_report_tell(cli, &trace_engine_output, engine, CLI_REPORT_FIRST, e);

	if (status == JW_OK) {
		const struct trace_engine_list list = trace_engine_list(engine);

		put_task_hint(cli, path, &list);
	}
	trace_engine_free(engine);
	return status;
}

static void put_hint(struct cli *cli, const struct trace_path_list *list)
{
	static const char driver[] = "driver";

	cli_put(cli, "  to the end of one call: --critical-path=METHOD");
	if (strncmp(list->process, driver, sizeof(driver) - 1) == 0)
		cli_put(cli, "; of a query of Spark: "
			     "--critical-path='SQLExecution$.withNewExecutionId', "
			     "of a job: --critical-path=DAGScheduler.runJob");
	cli_put(cli, "\n");
}

static enum jw_status put_text(struct cli *cli, const struct trace_path_list *list,
			       const struct trace_slow_call *call, struct jw_err *e)
{
	cli_put(cli, "critical path of %.3f ms", cli_report_ms(list->end - list->begin));
	if (call) {
		cli_put(cli, ", of ");
		cli_report_put_name(cli, call->method);
		cli_put(cli, " at %.6f s", (double)list->begin / 1e9);
	}
	cli_put(cli, ", to its end in ");
	put_thread(cli, list->thread, list->process);
	cli_put(cli, "; %s\n",
		cli_plural(&cli->arena, list->hops, "change of threads", "changes of threads"));
	if (list->segment_count == 0)
		return JW_OK;
	cli_put(cli, "what would take no time ends it so much earlier, at most:\n");
	put_methods(cli, list);
	put_threads(cli, list);
	put_waits(cli, list);
	put_requests_hint(cli, list);
	if (call || !is_of_who_waits(list))
		return JW_OK;
	put_hint(cli, list);
	return *list->process && !cli_is_trace(cli->args.operands[0]) ? put_tasks(cli, list, e)
								      : JW_OK;
}

/* ---- JSON ---- */

static void add_times(struct cli_json *json, cJSON *parent, const char *key, const uint64_t *by)
{
	cJSON *times = cli_json_object(json, parent, key);

	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		cli_json_number(json, times, cli_report_times[i], by[i]);
	cli_json_number(json, times, "handOver", by[TRACE_PATH_HAND_OVER]);
}

static void put_head(struct cli_json *json, const struct trace_path_list *list,
		     const struct trace_slow_call *call)
{
	cli_json_line_text(json, "kind", "criticalPath");
	cJSON *line = cli_json_object(json, NULL, NULL);
	if (call)
		cli_json_text(json, line, "call", call->method);
	else
		cli_json_null(json, line, "call");
	cli_json_number(json, line, "beginNs", list->begin);
	cli_json_number(json, line, "endNs", list->end);
	cli_json_number(json, line, "ns", list->end - list->begin);
	cli_json_number(json, line, "task", list->task);
	cli_json_number(json, line, "thread", list->number);
	cli_json_text(json, line, "threadName", list->thread);
	cli_json_number(json, line, "hops", list->hops);
	cli_json_number(json, line, "coarseNs", list->coarse);
	cli_json_line(json, line);
	line = cli_json_object(json, NULL, NULL);
	add_times(json, line, "byNs", list->by);
	cli_json_line(json, line);
}

static void put_sums(struct cli_json *json, const char *key, const struct trace_path_sum *sums,
		     size_t n)
{
	cli_json_list(json, key);
	for (size_t i = 0; i < n; i++) {
		cJSON *sum = cli_json_object(json, NULL, NULL);

		if (sums[i].number) {
			cli_json_number(json, sum, "task", sums[i].task);
			cli_json_number(json, sum, "thread", sums[i].number);
		}
		cli_json_text(json, sum, "name", sums[i].name);
		cli_json_number(json, sum, "ns", sums[i].ns);
		add_times(json, sum, "byNs", sums[i].by);
		cli_json_element(json, sum);
	}
	cli_json_list_end(json);
}

static void put_json_waits(struct cli_json *json, const struct trace_path_list *list)
{
	cli_json_list(json, "waits");
	for (size_t i = 0; i < list->wait_count; i++) {
		const struct trace_path_wait *w = &list->waits[i];
		cJSON *wait = cli_json_object(json, NULL, NULL);

		cli_json_text(json, wait, "wait", trace_wait_words[w->wait.how].word);
		cli_json_text(json, wait, "callee", w->wait.callee);
		cli_json_text(json, wait, "method", w->wait.method);
		cli_json_text(json, wait, "source", w->wait.source);
		cli_json_number(json, wait, "line", w->wait.line);
		cli_json_text(json, wait, "class", w->wait.class_name);
		cli_json_number(json, wait, "ns", w->wait.ns);
		cli_json_number(json, wait, "task", w->task);
		cli_json_number(json, wait, "thread", w->number);
		cli_json_text(json, wait, "threadName", w->thread);
		cli_json_element(json, wait);
	}
	cli_json_list_end(json);
}

static void put_segments(struct cli_json *json, const struct trace_path_list *list)
{
	static const char *const kinds[] = {
		[TRACE_PATH_RUNS] = "runs",
		[TRACE_PATH_WAITS] = "waits",
		[TRACE_PATH_GOES_ON] = "handOver",
		[TRACE_PATH_MIXED] = "mixed",
	};

	cli_json_list(json, "segments");
	for (size_t i = 0; i < list->segment_count; i++) {
		const struct trace_path_segment *s = &list->segments[i];
		cJSON *segment = cli_json_object(json, NULL, NULL);

		cli_json_number(json, segment, "beginNs", s->begin);
		cli_json_number(json, segment, "endNs", s->end);
		cli_json_number(json, segment, "task", s->task);
		cli_json_number(json, segment, "thread", s->number);
		cli_json_text(json, segment, "kind", kinds[s->kind]);
		cli_json_text(json, segment, "method", s->method);
		cli_json_element(json, segment);
	}
	cli_json_list_end(json);
}

enum jw_status cli_report_path_json(struct cli *cli, const struct trace_path_list *list,
				    const struct trace_slow_call *call, struct jw_err *e)
{
	struct cli_json json = { 0 };

	cli_json_open(&json, cli, '{');
	put_head(&json, list, call);
	put_sums(&json, "methods", list->methods, list->method_count);
	put_sums(&json, "threads", list->threads, list->thread_count);
	put_json_waits(&json, list);
	put_segments(&json, list);
	return cli_json_close(&json, e);
}

/* ---- all of it ---- */

/* The longest call of the methods that PATTERN chooses, in the arena. */
static enum jw_status longest(struct cli *cli, const char *pattern,
			      const struct trace_slow_call **out, struct jw_err *e)
{
	struct trace_slowest *slowest = trace_slowest_new(1, &cli->arena);
	struct trace_chosen chosen = { 0 };
	enum jw_status status = slowest ? cli_report_choose(cli, pattern, &chosen, e) : jw_nomem(e);

	if (status == JW_OK) {
		trace_slowest_choose(slowest, trace_chosen_has, &chosen);
		status = cli_report_tell(cli, &trace_slowest_output, slowest, CLI_REPORT_FIRST, e);
	}
	if (status == JW_OK) {
		const struct trace_slow_list list = trace_slowest_list(slowest);

		*out = list.calls;
		status = list.n ? JW_OK : jw_fail(e, JW_USAGE, "no call of '%s' is in it", pattern);
	}
	trace_slowest_free(slowest);
	trace_chosen_free(&chosen);
	return status;
}

enum jw_status cli_report_path(struct cli *cli, struct jw_err *e)
{
	const char *pattern = cli_value(cli, CLI_OPT_critical_path, "");
	const struct trace_slow_call *slow = NULL;
	struct trace_path_call call = { 0 };

	if (*pattern) {
		JW_TRY(longest(cli, pattern, &slow, e));
		call = (struct trace_path_call){ slow->place, slow->begin, slow->begin + slow->ns };
	}
	struct trace_path *path = trace_path_new(slow ? &call : NULL, &cli->arena);

	if (!path)
		return jw_nomem(e);
	if (cli_given(cli, CLI_OPT_process))
		trace_path_of_life(path);
	enum jw_status status = cli_report_tell(cli, &trace_path_output, path, CLI_REPORT_CALLS, e);
	const struct trace_path_list list = trace_path_list(path);

	if (status == JW_OK && list.coarse)
		cli_note(cli,
			 "the path has very many parts: those shorter than %.3f ms are told by "
			 "their sums alone",
			 cli_report_ms(list.coarse));
	if (status == JW_OK && cli_given(cli, CLI_OPT_json))
		status = cli_report_path_json(cli, &list, slow, e);
	else if (status == JW_OK)
		status = put_text(cli, &list, slow, e);
	trace_path_free(path);
	return status;
}
