/*
 * report_tasks.h: jweave report --by-task, --by-stage, --by-executor, --by-host: an engine's tasks.
 */
#ifndef JW_CLI_REPORT_TASKS_H
#define JW_CLI_REPORT_TASKS_H

#include "cli/cli.h"

bool cli_report_asks_tasks(const struct cli *cli);
enum jw_status JW_MUST_USE cli_report_tasks(struct cli *cli, struct jw_err *e);

#endif
