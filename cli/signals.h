/*
 * signals.h: what signals do to jweave, and what it hands on to a program that it starts.
 *
 *     INT TERM HUP QUIT   temporary outputs go, then the process dies by that signal, so that
 *                         shells and make see what happened; ignored by whatever started jweave
 *                         (nohup), they stay ignored. A second one while they go changes nothing,
 *                         a third ends the process at once
 *     PIPE XFSZ           are ignored: the write fails instead, and what was being made is removed
 *                         like after any failure. Then a reader that went away ends the process by
 *                         SIGPIPE, without a word, as it ends other filters: `jweave list | head`
 *
 * Without cli_signals_catch() (tests) nothing is caught, and nothing dies.
 */
#ifndef JW_CLI_SIGNALS_H
#define JW_CLI_SIGNALS_H

void cli_signals_catch(void);

/* SIGPIPE and SIGXFSZ as they were at the start: between fork() and exec(). */
void cli_signals_restore(void);

/* Removes temporary outputs and dies by SIGPIPE. Returns where that was ignored at the start: then
 * a closed pipe is a failure like any other. */
void cli_signals_no_reader(void);

#endif
