/*
 * method_numbers.c: method ids of 56 bits become 1, 2, 3, ... in order of first appearance: Paraver
 * labels nothing above 2^31, and gives each function a column only while they are dense.
 */
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

static uint32_t add(struct trace_methods *m, uint64_t id)
{
	if (m->n == (m->limit ? m->limit : TRACE_MAX_METHODS)) {
		m->refused++;
		return TRACE_NO_METHOD;
	}
	struct trace_stat *grown = trace_grow(m->m, m->n, &m->cap, sizeof(*grown));

	if (!grown)
		return TRACE_NO_METHOD;
	m->m = grown;
	if (!jw_lookup_add(&m->lookup, jw_hash_id(id), m->n))
		return TRACE_NO_METHOD;
	grown[m->n++] = (struct trace_stat){ .id = id };
	return (uint32_t)m->n - 1;
}

uint32_t trace_methods_known(const struct trace_methods *m, uint64_t id)
{
	if (id - 1 < m->n && m->m[id - 1].id == id) /* ids that are such numbers already */
		return (uint32_t)id - 1;
	struct jw_lookup_walk w = jw_lookup_walk(&m->lookup, jw_hash_id(id));

	while (jw_lookup_next(&w))
		if (m->m[w.place].id == id)
			return w.place;
	return TRACE_NO_METHOD;
}

uint32_t trace_methods_number(struct trace_methods *m, uint64_t id)
{
	uint32_t number = trace_methods_known(m, id);

	return number == TRACE_NO_METHOD ? add(m, id) : number;
}

void trace_methods_free(struct trace_methods *m)
{
	jw_mem_free(m->m);
	jw_lookup_free(&m->lookup);
	*m = (struct trace_methods){ 0 };
}
