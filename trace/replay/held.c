/*
 * held.c: see held.h.
 */
#include "trace/replay/held.h"
#include "trace/format/methodmap.h"
#include "trace/reader/reader.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* With which call WHAT of the innermost of WHO, as deep as DEPTH, is over. */
static uint32_t depth_of(const struct trace_held *held, const struct jw_capture *what,
			 uint32_t depth)
{
	for (uint32_t i = held->n; what->hold == JW_HOLD_AROUND && i-- > 0;)
		if (held->at[i].depth < depth && held->at[i].what->hold == JW_HOLD_CALL)
			return held->at[i].depth;
	return depth;
}

void trace_held_put(struct trace_pass *p, const struct trace_who *who,
		    const struct jw_capture *what, uint64_t value)
{
	struct trace_held *held = &who->track->held;
	size_t cap = held->cap;
	struct trace_held_one *grown = trace_grow(held->at, held->n, &cap, sizeof(*grown));

	if (!grown) {
		p->failed = true;
		return;
	}
	held->at = grown;
	held->cap = (uint32_t)cap;
	uint32_t depth = depth_of(held, what, who->track->insides.n), at = held->n++;

	for (; at > 0 && held->at[at - 1].depth > depth; at--)
		held->at[at] = held->at[at - 1];
	held->at[at] = (struct trace_held_one){ what, value, depth };
}

/* What the calls around it hold of TYPE; NULL: nothing. */
static const struct trace_held_one *outer_of(const struct trace_held *held, uint32_t type)
{
	for (uint32_t i = held->n; i-- > 0;)
		if (held->at[i].what->type == type)
			return &held->at[i];
	return NULL;
}

void trace_held_end(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_held *held = &who->track->held;

	while (held->n && held->at[held->n - 1].depth >= who->track->insides.n) {
		const struct jw_capture *what = held->at[--held->n].what;
		const struct trace_held_one *outer = outer_of(held, what->type);

		if (p->told.output->released && who->row)
			p->told.output->released(p->told.ctx, who->row->order, time, what,
						 outer != NULL, outer ? outer->value : 0);
	}
}

void trace_held_free(struct trace_held *held)
{
	jw_mem_free(held->at);
	*held = (struct trace_held){ 0 };
}
