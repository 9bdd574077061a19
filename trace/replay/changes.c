/*
 * changes.c: see changes.h.
 */
#include "trace/output.h"
#include "trace/replay/changes.h"

#include "base/banned.h"

static void put_change(struct trace_changes *c)
{
	trace_list_put(c->spool, &c->list,
		       (c->next_time - c->time) << TRACE_CHANGE_BITS | c->next_state);
	c->time = c->next_time;
	c->state = c->next_state;
}

void trace_changes_put(struct trace_changes *c, uint64_t time, uint32_t state)
{
	if (!c->state)
		c->state = TRACE_NOT_CREATED;
	if (c->has_next && c->next_time < time)
		put_change(c);
	c->has_next = state != c->state;
	c->next_time = time < c->time ? c->time : time;
	c->next_state = (uint8_t)state;
}

uint8_t trace_changes_state(const struct trace_changes *c)
{
	return c->has_next ? c->next_state : c->state;
}

uint64_t trace_changes_after(const struct trace_changes *c, uint64_t time)
{
	uint64_t last = c->has_next ? c->next_time : c->time;

	return time > last ? time : last + 1;
}

void trace_changes_finish(struct trace_changes *c)
{
	if (c->has_next)
		put_change(c);
	c->has_next = false;
}
