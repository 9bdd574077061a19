/*
 * report_source.h: the operands of `report`, told to any output (trace/output.h).
 */
#ifndef JW_CLI_REPORT_SOURCE_H
#define JW_CLI_REPORT_SOURCE_H

#include "cli/cli.h"
#include "trace/follow/chosen.h"
#include "trace/output.h"

enum cli_report_reading {
	CLI_REPORT_WHOLE, /* all of it, whatever is selected; warnings come later */
	CLI_REPORT_FIRST, /* what is selected; likewise */
	CLI_REPORT_LAST,  /* with warnings to the user */
	CLI_REPORT_CALLS, /* likewise; and of how many methods calls are missing */
};

/* Tells OUTPUT what the recordings, or the trace, hold. */
enum jw_status JW_MUST_USE cli_report_tell(struct cli *cli, const struct trace_output *output,
					   void *ctx, enum cli_report_reading reading,
					   struct jw_err *e);
/* Which methods PATTERN, as rules have it, chooses; they are read for that. OUT is to be freed.
 * JW_USAGE: it is no pattern, or chooses none. */
enum jw_status JW_MUST_USE cli_report_choose(struct cli *cli, const char *pattern,
					     struct trace_chosen *out, struct jw_err *e);

#endif
