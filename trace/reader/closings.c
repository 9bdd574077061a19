#include <string.h>

#include "base/memory.h"
#include "trace/reader/closings.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define EXCEPTED_MOST 4096 /* as many as a runtime tells */

bool trace_closings_add(struct trace_closings *c, uint64_t tick, uint64_t id)
{
	struct trace_closing *grown = trace_grow(c->list, c->count, &c->cap, sizeof(*grown));
	uint64_t *since;

	if (!grown)
		return false;
	c->list = grown;
	if (!c->since) {
		c->since = jw_mem_alloc(JWR_GATES * sizeof(*c->since));
		if (!c->since)
			return false;
		memset(c->since, 0xff, JWR_GATES * sizeof(*c->since));
	}
	if (c->count && grown[c->count - 1].tick > tick)
		tick = grown[c->count - 1].tick;
	grown[c->count++] = (struct trace_closing){ tick, id };
	since = &c->since[jwr_gate(id)];
	*since = tick < *since ? tick : *since;
	return true;
}

bool trace_closings_detail(struct trace_closings *c, uint64_t begin, uint64_t end)
{
	struct trace_detail *grown =
		trace_grow(c->details, c->detail_count, &c->detail_cap, sizeof(*grown));

	if (!grown)
		return false;
	c->details = grown;
	uint64_t before = c->detail_count ? grown[c->detail_count - 1].end : 0;

	if (begin > before && end >= begin)
		grown[c->detail_count++] = (struct trace_detail){ begin, end };
	return true;
}

bool trace_closings_except(struct trace_closings *c, uint64_t id)
{
	if (c->excepted_count == EXCEPTED_MOST)
		return true;
	uint64_t *grown =
		trace_grow(c->excepted, c->excepted_count, &c->excepted_cap, sizeof(*grown));

	if (!grown)
		return false;
	c->excepted = grown;
	grown[c->excepted_count++] = id;
	return true;
}

bool trace_closings_has(const struct trace_closings *c, uint64_t id, uint64_t tick)
{
	if (!c->since || c->since[jwr_gate(id)] > tick)
		return false;
	for (size_t i = 0; i < c->excepted_count; i++)
		if (c->excepted[i] == id)
			return false;
	return true;
}

void trace_closings_free(struct trace_closings *c)
{
	jw_mem_free(c->list);
	jw_mem_free(c->details);
	jw_mem_free(c->excepted);
	jw_mem_free(c->since);
	*c = (struct trace_closings){ 0 };
}
