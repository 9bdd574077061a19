/*
 * selection.h: the options by which `report`, `score`, `draw`, `export` and `view` take a part of what
 * happened (trace/select/select.h): --from --to --around --thread --process --method --min-duration
 * --max-depth.
 *
 *     take -> begin -> [look, before a .prv is read] -> select goes to the job, or to the reader
 *          -> free, whatever came out
 */
#ifndef JW_CLI_SELECTION_H
#define JW_CLI_SELECTION_H

#include "cli/cli.h"
#include "trace/select/select.h"

struct rules;

struct cli_selection {
	struct trace_selection wanted;
	struct trace_chooser around, methods;
	struct rules *around_rules, *method_rules; /* owned */
	struct trace_select *select;               /* owned; NULL: all of it */
};

/* What the options say, all but --method unless METHODS; OUT stays where it is. JW_USAGE: what is
 * wrong with one. */
enum jw_status JW_MUST_USE cli_selection_take(const struct cli *cli, bool methods,
					      struct cli_selection *out, struct jw_err *e);
/* Makes `select`, if anything is wanted. */
enum jw_status JW_MUST_USE cli_selection_begin(struct cli_selection *selection, struct jw_err *e);
/* The first reading of the trace PATH, if the selection needs one. */
enum jw_status JW_MUST_USE cli_selection_look(struct cli *cli, struct cli_selection *selection,
					      const char *path, struct jw_err *e);
/* Says what of it is cut, once all is told. */
void cli_selection_tell(struct cli *cli, const struct cli_selection *selection);
/* Is any of the options given? */
bool cli_selects(const struct cli *cli);
void cli_selection_free(struct cli_selection *selection);

#endif
