/*
 * thread_names.h: the names that renamed threads had, as events: place them, then take each at its
 * time.
 */
#ifndef JW_TRACE_REPLAY_THREAD_NAMES_H
#define JW_TRACE_REPLAY_THREAD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct trace_pass;
struct trace_task;
struct trace_world;

/* At TIME a row, number ROW of the world's, has a name: its place among the recording's. */
struct trace_naming {
	uint64_t time;
	uint32_t row, alias;
};

/* Fills in the namings of T, whose rows are known; false: no memory. */
bool trace_names_place(const struct trace_world *world, struct trace_task *t);
/* Tells one. */
void trace_names_take(struct trace_pass *p, const struct trace_task *t,
		      const struct trace_naming *naming);

#endif
