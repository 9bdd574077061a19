/*
 * child.h: another program run in our place: standard streams are its own, signals pass through,
 * its status is ours.
 */
#ifndef JW_CLI_CHILD_H
#define JW_CLI_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "base/status.h"

struct cli_child_end {
	pid_t pid;       /* 0: it was never started */
	int status;      /* as a shell says it: 0..255, 128 + the signal that ended it */
	uint64_t cpu_ns; /* that it used, and those that it waited for */
};

/* LOOK is called with CTX and the program's process a second after its start, and then whenever it has run
 * twice as long as at the last call. NULL: never. */
struct cli_child_watch {
	void (*look)(void *ctx, pid_t pid);
	void *ctx;
};

/* Runs WORDS (found on PATH; NULL ends) to its end, with WATCH (may be NULL). SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and
 * SIGUSR2 sent to this process go on to it; those of the terminal reach it by themselves. Not
 * found: JW_INPUT and status 127; not executable: JW_INPUT and 126. */
enum jw_status JW_MUST_USE cli_child_run(const char *const *words,
					 const struct cli_child_watch *watch,
					 struct cli_child_end *end, struct jw_err *e);

/* Runs WORDS, which read nothing, and gathers what they print, MAX bytes at most (more: JW_LIMIT).
 * JW_INPUT: they cannot be started, or end with another status than 0. */
enum jw_status JW_MUST_USE cli_child_read(const char *const *words, size_t max, struct jw_buf *out,
					  struct jw_err *e);

#endif
