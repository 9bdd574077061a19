/*
 * report_slowest.h: jweave report --slowest.
 */
#ifndef JW_CLI_REPORT_SLOWEST_H
#define JW_CLI_REPORT_SLOWEST_H

#include "cli/cli.h"

enum jw_status JW_MUST_USE cli_report_slowest(struct cli *cli, struct jw_err *e);

#endif
