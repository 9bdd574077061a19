/*
 * own_thread.h: threads of the runtime's own, beside those of the program.
 */
#ifndef RT_OWN_THREAD_H
#define RT_OWN_THREAD_H

#include <stddef.h>

#define RT_STACK_SMALL ((size_t)256 << 10) /* for C alone */
#define RT_STACK_JAVA  ((size_t)1 << 20)   /* for a thread that calls into the VM */

/* Starts a detached thread that runs WORK(NULL), on a stack of STACK bytes, and handles no signal:
 * those are for the threads of the program. 0, or an errno. */
int rt_own_thread(void *(*work)(void *unused), size_t stack);

#endif
