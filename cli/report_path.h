/*
 * report_path.h: jweave report --critical-path.
 */
#ifndef JW_CLI_REPORT_PATH_H
#define JW_CLI_REPORT_PATH_H

#include "cli/cli.h"

struct trace_path_list;
struct trace_slow_call;

enum jw_status JW_MUST_USE cli_report_path(struct cli *cli, struct jw_err *e);
/* Prints the path as JSON. CALL: whose path it is; NULL: of the run. */
enum jw_status JW_MUST_USE cli_report_path_json(struct cli *cli, const struct trace_path_list *list,
						const struct trace_slow_call *call,
						struct jw_err *e);

#endif
