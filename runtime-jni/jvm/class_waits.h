/*
 * class_waits.h: a thread needs a class that another one initializes. HotSpot waits for the class's lock then, an
 * int[] without elements, as Object.wait() does, but of that the VM tells only that it is over.
 *
 *     MonitorWait ... MonitorWaited     Object.wait()
 *             ...     MonitorWaited     of such a lock: CONTENDED at the time from which on the thread had no CPU
 *                                       (off_cpu.h), ENTERED now
 *
 * Of threads that are no virtual ones, and where whatever else threads wait for is told: what is not would look the same.
 */
#ifndef RT_CLASS_WAITS_H
#define RT_CLASS_WAITS_H

#include <stdbool.h>

/* EVENTS (enum rt_events) are told. */
void rt_class_waits_prepare(unsigned events);
/* Object.wait() begins. */
void rt_class_waits_other(void);
/* The VM has told that a wait is over: may it be one for a class, and may that be recorded? */
bool rt_class_waits_may_be(void);

#endif
