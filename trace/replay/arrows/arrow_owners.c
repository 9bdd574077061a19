/*
 * arrow_owners.c: see arrow_owners.h.
 */
#include "trace/replay/arrows/arrow_owners.h"

#include "base/memory.h"

#include "base/banned.h"

struct trace_owners {
	struct trace_table table; /* by task and id */
};

/* There are as many as threads that wait. */
static bool never(const struct trace_entry *e)
{
	(void)e;
	return false;
}

struct trace_owner *trace_owners_get(struct trace_owners **owners, uint32_t task, uint64_t id)
{
	if (!*owners && !(*owners = jw_mem_zalloc(1, sizeof(**owners))))
		return NULL;
	struct trace_table *table = &(*owners)->table;
	struct trace_entry *found = trace_table_find(table, task, id);

	table->may_go = never;
	return found ? (struct trace_owner *)found
		     : trace_table_add(table, task, id, sizeof(struct trace_owner));
}

const struct trace_owner *trace_owners_find(const struct trace_owners *owners, uint32_t task,
					    uint64_t id)
{
	return owners ? (const struct trace_owner *)trace_table_find(&owners->table, task, id)
		      : NULL;
}

void trace_owners_free(struct trace_owners *owners)
{
	if (owners)
		trace_table_free(&owners->table);
	jw_mem_free(owners);
}
