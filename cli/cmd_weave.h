/*
 * cmd_weave.h: what the forms of `jweave weave` share: one input, or many.
 *
 * Order of a run: rules are loaded, the side outputs (--report, --depfile) are opened, inputs are
 * woven; before an output appears, unmatched rules are judged and the side outputs are completed.
 * So everything that can refuse has spoken before anything is in its place.
 */
#ifndef JW_CLI_CMD_WEAVE_H
#define JW_CLI_CMD_WEAVE_H

#include "base/out_file.h"
#include "cli/out.h"
#include "weaver/archive/archive.h"

struct cli_weave {
	struct cli *cli;
	const char *rules_path;
	struct rules *rules;
	struct weave_limits limits;
	struct weave_archive_job job; /* `in` and `out` are set for each input */
	struct cli_progress progress;
	struct jw_out report, depfile;
	struct jw_buf reports; /* JSON of what is done so far */
	bool *used;            /* by rule: it did something, in any input */
	const char **deps;     /* alternately output and input, NULL ends */
};

/* Everything but the inputs: options, rules, side outputs (for MANY inputs or one). */
enum jw_status JW_MUST_USE cli_weave_begin(struct cli_weave *w, struct jw_err *e);
void cli_weave_end(struct cli_weave *w);

/* Weaves IN to OUT (NULL: nowhere), adds to what rules did, and says what was done. */
enum jw_status JW_MUST_USE cli_weave_one(struct cli_weave *w, const char *in, const char *out,
					 struct jw_err *e);

/* Many inputs, each to FOLDER (NULL: nowhere). */
enum jw_status JW_MUST_USE cli_weave_many(struct cli_weave *w, const char *folder,
					  struct jw_err *e);

/* Judges by USED (by rule): warns of rules that do nothing, or refuses with JW_POLICY. WHERE: in
 * what. */
enum jw_status JW_MUST_USE cli_weave_judge(struct cli_weave *w, const bool *used, const char *where,
					   bool may_refuse, struct jw_err *e);

/* What REPORT counts beside methods, for a sentence: " and 3 calls"; "" where there is none, or no
 * memory. In ARENA. */
const char *cli_weave_others(struct jw_arena *arena, const struct weave_report *report);

/* What is said of one REPORT: notes, what was skipped, and the line of success. */
void cli_weave_tell(struct cli_weave *w, const struct weave_report *report);

/* ---- side outputs ---- */

enum jw_status JW_MUST_USE cli_side_open(struct cli_weave *w, struct jw_err *e);
/* Remembers REPORT for --report and --json. */
enum jw_status JW_MUST_USE cli_side_add(struct cli_weave *w, const struct weave_report *report,
					struct jw_err *e);
/* Completes --report and --depfile (DEPS: alternately output and input, NULL ends) and puts them in
 * their places. */
enum jw_status JW_MUST_USE cli_side_commit(struct cli_weave *w, const char *const *deps,
					   struct jw_err *e);

#endif
