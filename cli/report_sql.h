/*
 * report_sql.h: jweave report --sql: what the statements of SQL took; also for the page.
 */
#ifndef JW_CLI_REPORT_SQL_H
#define JW_CLI_REPORT_SQL_H

#include "cli/cli.h"
#include "trace/statements/statements.h"

/* JW_INPUT, JW_IO, JW_NOMEM: as reading says. */
enum jw_status JW_MUST_USE cli_report_sql(struct cli *cli, struct jw_err *e);
/* LIST as JSON: as much of it as --top says, if a command has that. */
enum jw_status JW_MUST_USE cli_report_sql_json(struct cli *cli,
					       const struct trace_statement_list *list,
					       struct jw_err *e);

#endif
