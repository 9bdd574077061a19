/*
 * trace_input.h: what `report`, `score`, `draw` and `export` share: from operands to figures, and
 * their order.
 */
#ifndef JW_CLI_TRACE_INPUT_H
#define JW_CLI_TRACE_INPUT_H

#include "base/file.h"
#include "cli/commands.h"
#include "cli/trace_files.h"
#include "trace/replay/profile.h"
#include "trace/report/report.h"

/* The figures of the operands: recordings, or one trace (.prv, .prv.gz), or of them
 * what the options select (selection.h). Warnings are told. */
enum jw_status JW_MUST_USE cli_profile(struct cli *cli, struct trace_report *out, struct jw_err *e);
/* The same of COUNT PATHS, and ALSO hears all that happened, too (report/report.h). */
enum jw_status JW_MUST_USE cli_profile_beside(struct cli *cli, const char *const *paths,
					      size_t count, const struct trace_output *also,
					      void *ctx, struct trace_report *out,
					      struct jw_err *e);

/* Tells what the reader of a trace that was made of recordings must know. */
void cli_tell_flaws(struct cli *cli, const struct trace_summary *summary);

/* Tells that so many methods were closed while the program ran, if any, for what is MADE ("report") and does not
 * show which. */
void cli_tell_closed(struct cli *cli, size_t methods, const char *made);

/* The methods of REPORT, the largest KEY first (ties: in order of appearance); arena. NULL: no
 * memory. */
typedef double (*cli_method_key)(const struct trace_report_method *method, size_t of);
const struct trace_report_method **
cli_sort_methods(struct cli *cli, const struct trace_report *report, cli_method_key key, size_t of);

/* The threads of a report that did at least PERCENT of what the busiest did, in running time inside
 * methods or in calls: `count` of them in their order, then the `folded` others. */
struct cli_report_busy {
	const struct trace_report_thread **list; /* in the arena */
	size_t count, folded;
	double least_ns, least_calls; /* who did as much of one of them is among the first */
};

/* "5", "2.5%" of option ID, from LOW to HIGH. */
enum jw_status JW_MUST_USE cli_take_percent(struct cli *cli, enum cli_option_id id, double low,
					    double high, double *percent, struct jw_err *e);
/* What --busy says, else 1. */
enum jw_status JW_MUST_USE cli_take_busy(struct cli *cli, double *percent, struct jw_err *e);
/* False: no memory. */
bool cli_report_busy(struct cli *cli, const struct trace_report *report, double percent,
		     struct cli_report_busy *out);
/* Did THREAD, or several whose sums it has, do as much? */
bool cli_report_is_busy(const struct cli_report_busy *busy, const struct trace_report *report,
			const struct trace_report_thread *thread);

/* Prints text in WIDTH columns at least, to the right; a label without its long form, escaped. */
void cli_put_right(struct cli *cli, const char *text, size_t width);
void cli_put_short(struct cli *cli, const char *label);
/* A label without its long form: a part of LABEL. */
struct jw_span cli_short_label(const char *label);

#endif
