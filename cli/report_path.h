/*
 * report_path.h: jweave report --critical-path.
 */
#ifndef JW_CLI_REPORT_PATH_H
#define JW_CLI_REPORT_PATH_H

#include "cli/cli.h"

enum jw_status JW_MUST_USE cli_report_path(struct cli *cli, struct jw_err *e);

#endif
