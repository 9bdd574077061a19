/*
 * guard.h: temporary files that must not outlive the process: a signal handler removes them.
 *
 * A name is added when its file is created, and dropped when the file is gone or has become the
 * output. The handler may run at any moment, so all it does is async-signal-safe. It can remove a
 * folder only while no thread adds files to it: threads other than the one that takes the signals
 * write in steps (parallel.h).
 */
#ifndef JW_BASE_GUARD_H
#define JW_BASE_GUARD_H

#include <signal.h>

/* Guards the file or folder NAME, with its contents. There are eight places; when all are taken (or
 * NAME is too long) it is not guarded. */
void jw_guard_add(const char *name);
void jw_guard_drop(const char *name);

/* Waits for the end of a step, then removes all guarded names. Async-signal-safe: for the handler
 * of a signal that ends the process, on a thread that is in no step itself. */
void jw_guard_cleanup(void);

/* A step of a thread that takes no signals, one at a time: once a cleanup has begun, no other step
 * begins. */
void jw_guard_step_begin(void);
void jw_guard_step_end(void);

/* Removes NAME: a file, a link (never what it points at), or a folder with its contents, as
 * far as it can. Needs no memory; async-signal-safe. */
void jw_remove_all(const char *name);

/* Holds the signals that end a process by request (INT, TERM, HUP, QUIT) back from the calling
 * thread, and from those that it starts, until OLD is given back: for steps that belong together.
 */
void jw_guard_hold(sigset_t *old);
void jw_guard_release(const sigset_t *old);

#endif
