/*
 * report_spans.h: jweave report --trace-id: the calls of a trace of OpenTelemetry.
 */
#ifndef JW_CLI_REPORT_SPANS_H
#define JW_CLI_REPORT_SPANS_H

#include "cli/cli.h"

/* JW_USAGE: the id is none. JW_INPUT, JW_IO, JW_NOMEM: as reading says. */
enum jw_status JW_MUST_USE cli_report_spans(struct cli *cli, struct jw_err *e);

#endif
