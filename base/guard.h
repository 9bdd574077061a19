/*
 * guard.h: temporary names that must not outlive the process: what a signal's handler removes.
 *
 * Names are added when they come to be and dropped when they are gone or have become the output.
 * The handler may run at any moment, so what it does is async-signal-safe; what it does to a folder
 * is whole only while nobody fills it: other threads than the one that takes the signals write in
 * steps (parallel.h).
 */
#ifndef JW_BASE_GUARD_H
#define JW_BASE_GUARD_H

#include <signal.h>

/* Guards the file, or the folder and all that is in it, of this NAME. There are eight places; when
 * all are taken (or NAME is too long) it goes unguarded. */
void jw_guard_add(const char *name);
void jw_guard_drop(const char *name);

/* Waits for the end of a step, then removes all guarded names. Async-signal-safe: for the handler
 * of a signal that ends the process, on a thread that is in no step itself. */
void jw_guard_cleanup(void);

/* A step of a thread to which no signal comes, one at a time: once there is a cleanup, the next one
 * is never begun. */
void jw_guard_step_begin(void);
void jw_guard_step_end(void);

/* Removes NAME: a file, a link (never what it points at), or a folder with all that is in it, as
 * far as it can. Needs no memory; async-signal-safe. */
void jw_remove_all(const char *name);

/* Holds the signals that end a process by request (INT, TERM, HUP, QUIT) back from the calling
 * thread, and from those that it starts, until OLD is given back: for steps that belong together.
 */
void jw_guard_hold(sigset_t *old);
void jw_guard_release(const sigset_t *old);

#endif
