/*
 * report_slowest.h: jweave report --slowest.
 */
#ifndef JW_CLI_REPORT_SLOWEST_H
#define JW_CLI_REPORT_SLOWEST_H

#include "cli/cli.h"

struct trace_slow_list;
struct trace_slow_wait_list;

/* JW_IO, JW_NOMEM. WAITS may be NULL. */
enum jw_status JW_MUST_USE cli_report_slowest_json(struct cli *cli,
						   const struct trace_slow_list *list,
						   const struct trace_slow_wait_list *waits,
						   struct jw_err *e);
enum jw_status JW_MUST_USE cli_report_slowest(struct cli *cli, struct jw_err *e);

#endif
