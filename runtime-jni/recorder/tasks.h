/*
 * tasks.h: tasks that were handed over and have not begun, and bodies that run. Knows no JVM: a
 * task is a reference of the caller's, which can be looked at (`look`) and given back (`drop`).
 *
 *   rt_task_expected()                     by whoever hands over what a task will be made of
 *   rt_task_handed()                       by the same, once the task is there for others
 *   rt_body_begins() -> rt_body_ends()     by the thread that runs a body, however that ends
 *
 * The body of a lambda expression does not know the task that it runs for. But the task knows the
 * thread that runs it, from before the body begins until after its end; and of all tasks with this
 * body, the first body to begin while this thread is in the task is its own. So the task of a body
 * is a fact where it was there when the body began.
 *
 * Where it was not, since it ran before the thread that handed it over could say so, it is found at the
 * end of the body: the one that was the innermost with that body in its thread when it was said.
 *
 * Kept are at most RT_TASKS_MOST tasks, each until its body begins; for one body RT_TASKS_LOOK of
 * them are looked at, those handed over first, and as many of the last ones. What is over (done,
 * cancelled, collected) is dropped where it is met, and all of it when there is no room. All are
 * safe on any thread.
 */
#ifndef RT_TASKS_H
#define RT_TASKS_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_TASKS_MOST = 65536, RT_TASKS_LOOK = 64, RT_BODIES_MOST = 16384 };

struct rt_task_view {
	/* Is the task at REF still to be run, or running? *RUNNER: the Java id of the thread that
	 * runs it, 0: none does yet. */
	bool (*look)(void *ctx, void *ref, uint64_t *runner);
	void (*drop)(void *ctx, void *ref);
	void *ctx;
};

/* A task may run BODY (not 0) from now on. Bodies of which that was never said, most of those that
 * programs have, cost no more than the look whether it was. */
void rt_task_expected(uint64_t body);
bool rt_body_is_expected(uint64_t body);

/* The task NUMBER (as in records; not 0), which is at REF, will run the body BODY (not 0). REF
 * belongs to the table from now on. */
void rt_task_handed(const struct rt_task_view *view, uint64_t body, uint64_t number, void *ref);

/* BODY begins in the thread THREAD, or ends. Returns the number of the task that it is run for, or
 * 0: that is not known, or was told when it began. */
uint64_t rt_body_begins(const struct rt_task_view *view, uint64_t body, uint64_t thread);
uint64_t rt_body_ends(const struct rt_task_view *view, uint64_t body, uint64_t thread);

#endif
