/*
 * run_output.h: where what the program leaves goes: JWEAVE_OUTPUT and JWEAVE_JOB, or the properties
 * of its command line, which go before them.
 */
#ifndef JW_CLI_RUN_OUTPUT_H
#define JW_CLI_RUN_OUTPUT_H

#include "cli/run.h"

/* The folder of the job that the program is of, or NULL. */
const char *run_job(const struct run *run);
/* The folder of the program's recordings, as far as its name is fixed; NULL: no memory. */
const char *run_output_folder(const struct run *run);
/* What is in that folder of the program's begins so; "": that is not known. */
struct jw_span run_output_name(const struct run *run);

/* Traces are called by the name that the user gave here, though what makes them may run elsewhere. */
enum jw_status JW_MUST_USE run_output_from_here(struct run *run, struct jw_err *e);

/* Is tracing on, as far as the environment says? What else it is, the user knows. */
bool run_is_on(void);
/* JW_IO, before a program is started that could leave no trace: its folder is known, and is not there
 * or may not be written to. */
enum jw_status JW_MUST_USE run_check_output(const struct run *run, struct jw_err *e);

#endif
