/*
 * run_archives.h: what the JVM of the program keeps of classes between runs: archives of CDS, AOT caches. One that was made of the
 * archives as they were is of no use to a run of woven copies, and one made of copies is of no use to any other run.
 */
#ifndef JW_CLI_RUN_ARCHIVES_H
#define JW_CLI_RUN_ARCHIVES_H

#include "cli/run.h"

/* Of a command that runs woven copies: leaves options out by which one made without them would be replaced, and says so.
 * Appends to OPTIONS those by which the JVM says what it thinks of one in a file of the run, not among the program's output. */
enum jw_status JW_MUST_USE run_archives(struct run *run, struct cli_words *options,
					struct jw_err *e);
/* The option of the command by which the JVM does not start where an archive or cache does not fit; NULL: there is none. */
const char *run_archives_strict(const struct run *run);
/* It has ended: says what the JVM had to say, or that it took classes as they were: then true, since
 * that is why calls are missing. */
bool run_archives_tell(struct run *run);

#endif
