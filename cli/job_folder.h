/*
 * job_folder.h: the folder of a job as an operand: all recordings in it take its place.
 */
#ifndef JW_CLI_JOB_FOLDER_H
#define JW_CLI_JOB_FOLDER_H

#include "cli/cli.h"
#include "trace/report/job_folder.h"

/* Replaces the operands from FIRST on that are folders of recordings by these, by role. What is
 * unreadable, did not end, is there twice, is missing in a row of numbers or seems to be of another
 * run is told. JW_INPUT: none of a folder can be read. */
enum jw_status JW_MUST_USE cli_take_folders(struct cli *cli, size_t first, struct jw_err *e);

/* The recordings of the folder PATH, LIST (trace_job_list), that are one run, and how many; the rest
 * is told. JW_INPUT: none of them can be read. */
enum jw_status JW_MUST_USE cli_folder_recordings(struct cli *cli, const char *path,
						 const struct trace_job_listing *list,
						 const char ***out, size_t *count,
						 struct jw_err *e);

/* What outputs are called after: the folder that operand AT was, or the operand. */
const char *cli_named_operand(const struct cli *cli, size_t at);

/* REASON, as users understand it: a JVM that has ended by itself is "ended". */
const char *cli_end_words(const char *reason);
/* How a process ended, of which REASON ("": none) is told; or that it is GONE without an end. */
const char *cli_how_it_ended(struct cli *cli, bool ended, bool gone, bool stopped,
			     const char *reason);

/* Says what recordings there are in LIST, of the job in the folder PATH, and what to type next. */
void cli_tell_job(struct cli *cli, const char *path, const struct trace_job_listing *list);

/* jweave info FOLDER. */
enum jw_status JW_MUST_USE cli_info_folder(struct cli *cli, const char *path, struct jw_err *e);

#endif
