/*
 * report_sql.h: jweave report --sql: what the statements of SQL took.
 */
#ifndef JW_CLI_REPORT_SQL_H
#define JW_CLI_REPORT_SQL_H

#include "cli/cli.h"

/* JW_INPUT, JW_IO, JW_NOMEM: as reading says. */
enum jw_status JW_MUST_USE cli_report_sql(struct cli *cli, struct jw_err *e);

#endif
