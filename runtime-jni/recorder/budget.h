/*
 * budget.h: recording takes no more than its share of the CPU time (JWEAVE_BUDGET), and of the
 * disk.
 *
 *   rt_budget_start() -> rt_budget_full()* by each thread that has written a window out
 *
 * A thread of the runtime's own compares what was recorded with what may have been by now. Where it
 * is more, it looks at the latest chunks for the methods that are small and hot (hot.h), and closes
 * their gates (jwr_gate): from then on their probes end in Java, at one byte in an array, and their
 * calls are no longer recorded. Those that stay open are recorded exactly. Each closed method is
 * said in meta first, so that a reader knows from which instant on there is nothing of it.
 *
 * So that a reader also knows what goes on behind closed gates, all of them are opened now and then
 * for a fraction of a millisecond, as far as the budget allows: meta says from when to when. A part of
 * what may be recorded is kept for that: methods are closed so that they take the rest.
 *
 *     events                    MOST - - - - - - - - - - - - - -
 *       |                    ..........  what may have been recorded:
 *       |              ......            x * MOST / (x + MOST)
 *       |          ....                  where x = FIRST + share * CPU time / cost of an event
 *       |       ...
 *       |    ..                          the cost is that of recording and converting it
 *       | ..
 *     FIRST
 *       +------------------------------------------- CPU time of the process
 *
 * Waits inside the JDK have no gates. Where they are a good part of what is too much, the shortest
 * are left out from then on: those below 16 us, then 64 us and so on. So what waits long stays.
 *
 * The hot path knows nothing of this.
 */
#ifndef RT_BUDGET_H
#define RT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the gates as GATES says (JWR_GATES bytes, 1 is closed), in the VM; NULL: they stay as they
 * are for a while, and the VM need not know the thread. Called by the budget's thread alone. False:
 * it cannot, now or ever. */
typedef bool rt_set_gates_fn(const uint8_t *gates);

/* Begins to keep recording within SHARE (0 to 1) of the CPU time; once, after the recorder began in
 * mode stream. */
void rt_budget_start(double share, rt_set_gates_fn *set);

/* Some archive's probes have no gates: from now on nothing is closed. */
void rt_budget_give_up(void);

/* The methods of an archive are known by number: ids whose class hash is that of ID. */
void rt_budget_numbers(uint64_t id);

/* ID has no gate: what is recorded of it stays. */
void rt_budget_except(uint64_t id);

/* A window was written out. Cheap. */
void rt_budget_full(void);

/* Waits inside the JDK (park, sleep) that are shorter than so many ticks are not to be recorded; 0:
 * all are. Cheap. */
uint64_t rt_budget_least_wait(void);
/* TICKS in ns, once waits are left out. */
uint64_t rt_budget_ns(uint64_t ticks);

#endif
