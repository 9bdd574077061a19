/*
 * report_calls.h: what `jweave report` says of calls: their tree, their callers, how long they took.
 */
#ifndef JW_CLI_REPORT_CALLS_H
#define JW_CLI_REPORT_CALLS_H

#include "cli/trace_input.h"

/* Is one of --tree, --callers, --percentiles and --histogram given? Several at once are printed one
 * after another; --json takes one. */
bool cli_report_asks_calls(const struct cli *cli);
enum jw_status JW_MUST_USE cli_report_calls(struct cli *cli, struct jw_err *e);

/* report_tree.c; CHOSEN: the methods, by their place, whose callers are asked for; NULL: the tree. */
enum jw_status JW_MUST_USE cli_report_tree(struct cli *cli, const struct trace_report *report,
					   const bool *chosen, struct jw_err *e);
/* report_durations.c */
enum jw_status JW_MUST_USE cli_report_percentiles(struct cli *cli,
						  const struct trace_report *report,
						  struct jw_err *e);
enum jw_status JW_MUST_USE cli_report_histogram(struct cli *cli, const struct trace_report *report,
						const bool *chosen, struct jw_err *e);

/* The percentiles that are told. X(NAME, of 1000, word, key of JSON) */
#define CLI_PERCENTILE_LIST(X)      \
	X(P50, 500, "p50", "p50Ns") \
	X(P90, 900, "p90", "p90Ns") \
	X(P99, 990, "p99", "p99Ns") \
	X(P999, 999, "p99.9", "p999Ns")

#endif
