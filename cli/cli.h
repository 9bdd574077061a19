/*
 * cli.h: one run of jweave. The room cli/ is the only one that prints and that ends the process.
 *
 *     main.c         streams and signals.c, then dispatch.h
 *     dispatch.h     runs the command, says what failed
 *     commands.h     every command and option, two tables
 *     args.h         words -> struct cli_args; argfile.h, words.h: @FILE
 *     cmd_NAME.c     one file for each command: cli_run_NAME()
 *     out.h          results to stdout, messages to stderr; json_out.h: results as JSON
 *     safe_text.h    bytes from outside as text that is safe to show
 *     inputs.h       rules, maps and archives that several commands read
 *
 * A command returns a status like any function. What it left in the error is printed once, as one
 * line "jweave: error: ..."; an empty error text means that the command has printed why.
 */
#ifndef JW_CLI_CLI_H
#define JW_CLI_CLI_H

#include "base/bytes.h"
#include "cli/alike.h"
#include "cli/args.h"

struct cli_divert; /* out.h */
struct cli_hinted; /* inputs.c */

struct cli {
	struct cli_args args;
	struct jw_arena arena;     /* the session's */
	struct jw_buf out;         /* results that wait for stdout */
	struct cli_divert *divert; /* takes them instead; NULL: nobody does */
	enum jw_status out_failed;
	int out_errno;
	bool color, progress_allowed, progress_shown;
	struct cli_alike alike;          /* warnings that were told, and that wait */
	const struct cli_hinted *hinted; /* what hints were about (cli_hint) */
	const char *folder; /* of a job, which operands have taken the place of (job_folder.h) */
	int exit_status;    /* of a command that ends with another's: `run` */
};

/* Was the option given (a flag, or with a value)? Its value, or FALLBACK. */
bool cli_given(const struct cli *cli, enum cli_option_id id);
const char *cli_value(const struct cli *cli, enum cli_option_id id, const char *fallback);
bool cli_quiet(const struct cli *cli);
bool cli_verbose(const struct cli *cli);
/* --jobs, else as many threads as there are processors. */
size_t cli_threads(const struct cli *cli);

#endif
