/*
 * report_tasks.h: jweave report --by-task, --by-stage, --by-executor, --by-host: an engine's tasks.
 */
#ifndef JW_CLI_REPORT_TASKS_H
#define JW_CLI_REPORT_TASKS_H

#include "cli/cli.h"

struct trace_engine_list;

/* The JSON of --by-task: the first MOST of LIST. JW_IO, JW_NOMEM. */
enum jw_status JW_MUST_USE cli_report_tasks_json(struct cli *cli,
						 const struct trace_engine_list *list, size_t most,
						 struct jw_err *e);
bool cli_report_asks_tasks(const struct cli *cli);
enum jw_status JW_MUST_USE cli_report_tasks(struct cli *cli, struct jw_err *e);

#endif
