/*
 * method_numbers.c: method ids of 56 bits become 1, 2, 3, ... in order of first appearance: Paraver
 * labels nothing above 2^31, and gives each function a column only while they are dense.
 */
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

static size_t slot_of(const struct trace_methods *m, uint64_t id)
{
	return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & m->mask;
}

static bool rehash(struct trace_methods *m)
{
	size_t count = m->slots ? (m->mask + 1) * 2 : 1024;
	uint32_t *slots = jw_mem_zalloc(count, sizeof(*slots));

	if (!slots)
		return false;
	jw_mem_free(m->slots);
	m->slots = slots;
	m->mask = count - 1;
	for (size_t i = 0; i < m->n; i++) {
		size_t at = slot_of(m, m->m[i].id);

		while (slots[at])
			at = (at + 1) & m->mask;
		slots[at] = (uint32_t)i + 1;
	}
	return true;
}

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
	grown[m->n++] = (struct trace_stat){ .id = id };
	return (uint32_t)m->n - 1;
}

/* The slot of ID: where it is, or would be put. */
static size_t find(const struct trace_methods *m, uint64_t id)
{
	size_t at = slot_of(m, id);

	while (m->slots[at] && m->m[m->slots[at] - 1].id != id)
		at = (at + 1) & m->mask;
	return at;
}

uint32_t trace_methods_known(const struct trace_methods *m, uint64_t id)
{
	uint32_t slot = m->slots ? m->slots[find(m, id)] : 0;

	return slot ? slot - 1 : TRACE_NO_METHOD;
}

uint32_t trace_methods_number(struct trace_methods *m, uint64_t id)
{
	if ((!m->slots || m->n * 2 > m->mask) && !rehash(m))
		return TRACE_NO_METHOD;
	size_t at = find(m, id);

	if (m->slots[at])
		return m->slots[at] - 1;
	uint32_t number = add(m, id);

	if (number != TRACE_NO_METHOD)
		m->slots[at] = number + 1;
	return number;
}

void trace_methods_free(struct trace_methods *m)
{
	jw_mem_free(m->m);
	jw_mem_free(m->slots);
	*m = (struct trace_methods){ 0 };
}
