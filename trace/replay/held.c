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
	held->at[held->n++] = (struct trace_held_one){ what, value, who->track->insides.n };
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
