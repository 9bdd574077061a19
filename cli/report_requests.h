/*
 * report_requests.h: jweave report --requests: requests and their answers, by connection; also for the page.
 */
#ifndef JW_CLI_REPORT_REQUESTS_H
#define JW_CLI_REPORT_REQUESTS_H

#include "cli/cli.h"
#include "trace/requests/requests.h"

#define CLI_SLOWEST_REQUESTS 100 /* so many are told of, one by one */

enum jw_status JW_MUST_USE cli_report_requests(struct cli *cli, struct jw_err *e);
/* LIST as JSON: as much of it as --top says, if a command has that. */
enum jw_status JW_MUST_USE cli_report_requests_json(struct cli *cli,
						    const struct trace_request_list *list,
						    struct jw_err *e);

#endif
