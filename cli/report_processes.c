/*
 * report_processes.c: the processes of a job, where there are recordings of several.
 */
#include "cli/job_folder.h"
#include "cli/out.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"

#include "base/banned.h"

static const char *ended(struct cli *cli, const struct trace_report_process *p)
{
	return p->end_known ? cli_how_it_ended(cli, p->ended, p->gone, p->stopped, p->reason) : "";
}

/* A trace does not say when processes began and how they ended. */
static bool has_processes(const struct trace_report *r)
{
	return r->process_count > 1 && r->processes[0].end_known;
}

/* A column, empty where it is not known. */
static void put_ms(struct cli *cli, uint64_t ns)
{
	if (ns)
		cli_put(cli, "%13.3f ", cli_report_ms(ns));
	else
		cli_put(cli, "%13s ", "");
}

/* Host and number, as far as the role has not got them: those of several processes that would have one
 * name end with " 17", or " 17@host". */
static void put_where(struct cli *cli, struct jw_buf *text, const struct trace_report_process *p)
{
	unsigned long long pid = p->pid;
	const char *number = jw_arena_fmt(&cli->arena, " %llu", pid);
	const char *both = jw_arena_fmt(&cli->arena, " %llu@%s", pid, p->host);

	if (both && cli_ends(p->role, both))
		return;
	if (*p->host)
		jw_put_fmt(text, " @%s", p->host);
	if (pid && !(number && cli_ends(p->role, number)))
		jw_put_fmt(text, ", pid %llu", pid);
}

static void put_process(struct cli *cli, const struct trace_report_process *p, size_t number)
{
	struct jw_buf text = { 0 };

	put_ms(cli, p->life_ns);
	put_ms(cli, p->cpu_ns);
	put_ms(cli, p->paused_ns);
	cli_put(cli, "%12llu %8zu  ", (unsigned long long)p->calls, p->threads);
	if (*p->role)
		jw_put_str(&text, p->role);
	else
		jw_put_fmt(&text, "process %zu", number);
	put_where(cli, &text, p);
	if (*ended(cli, p))
		jw_put_fmt(&text, "; %s", ended(cli, p));
	jw_put_u1(&text, 0);
	if (text.failed == JW_OK)
		cli_report_put_name(cli, (const char *)text.p);
	cli_put(cli, "\n");
	jw_buf_free(&text);
}

void cli_report_put_processes(struct cli *cli, const struct trace_report *r)
{
	size_t n = cli_report_top(cli, r->process_count, r->process_count);

	if (!has_processes(r))
		return;
	cli_put(cli, "\n%13s %13s %13s %12s %8s  process, and how it ended\n", "life ms", "CPU ms",
		"GC ms", "calls", "threads");
	for (size_t i = 0; i < n; i++)
		put_process(cli, &r->processes[i], i + 1);
	cli_report_put_more(cli, r->process_count - n);
}

void cli_report_add_processes(struct cli_json *json, struct cli *cli, const struct trace_report *r)
{
	if (!has_processes(r))
		return;
	cli_json_list(json, "processes");
	for (size_t i = 0; i < r->process_count; i++) {
		const struct trace_report_process *p = &r->processes[i];
		cJSON *o = cli_json_object(json, NULL, NULL);

		cli_json_text(json, o, "role", p->role);
		cli_json_text(json, o, "host", p->host);
		cli_json_number(json, o, "pid", p->pid);
		cli_json_number(json, o, "beginNs", p->begin_ns);
		cli_json_number(json, o, "lifeNs", p->life_ns);
		cli_json_number(json, o, "cpuNs", p->cpu_ns);
		cli_json_number(json, o, "gcNs", p->paused_ns);
		cli_json_number(json, o, "calls", p->calls);
		cli_json_number(json, o, "threads", p->threads);
		cli_json_text(json, o, "end", ended(cli, p));
		cli_json_element(json, o);
	}
	cli_json_list_end(json);
}
