/*
 * short_waits.h: waits that are left out for the sake of the budget (budget.h), in sum: each thread tells from
 * time to time how long it has waited in them, so that it is not shown Running.
 *
 *     rt_short_wait, rt_short_wait .. -> SHORT, as soon as they are as long as a wait that is told
 *     rt_short_waits_told             -> SHORT, before one that is
 *
 *     rt_short_unmount, rt_short_mounted .. -> SHORT     of a virtual thread, whatever carrier it is on
 */
#ifndef RT_SHORT_WAITS_H
#define RT_SHORT_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* This thread has waited for TICKS, fewer than LEAST, up to the tick NOW, which is its latest. No exception is
 * pending. */
void rt_short_wait(uint64_t now, uint64_t ticks, uint64_t least, bool io);
/* What is told next begins at TICK. Room for it was made (rt_expect_late). */
void rt_short_waits_told(uint64_t tick);

/* The virtual thread ID, which is told of, leaves its carrier now, for IO or else; it is mounted
 * again, here. Two threads whose ids are far apart may share a place: of one of them less is told. */
void rt_short_unmount(uint64_t id, bool io);
void rt_short_mounted(uint64_t id, uint64_t least);
/* It is mounted again where nothing is recorded: since when it had left its carrier is of no use later. */
void rt_short_lost(uint64_t id);

#endif
