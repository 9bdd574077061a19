/*
 * method_numbers.c: method ids of 56 bits become 1, 2, 3, ... in order of first appearance: Paraver
 * labels nothing above 2^31, and gives each function a column only while they are dense.
 */
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

enum { FIRST_SLOTS = 64, MANY_SLOTS = 1 << 16 };

/* The slot of ID, or the free one where it would be. */
static struct trace_method_slot *slot_of(const struct trace_methods *m, uint64_t id)
{
	size_t at = jw_hash_id(id) & m->mask;

	while (m->slots[at].number && m->slots[at].id != id)
		at = (at + 1) & m->mask;
	return &m->slots[at];
}

/* Room for one more slot; false: no memory. */
static bool grow_slots(struct trace_methods *m)
{
	size_t n = m->slots ? m->mask + 1 : 0;

	if ((n < MANY_SLOTS ? 4 : 2) * (m->n + 1) <= n)
		return true;
	struct trace_methods larger = { .mask = n ? 2 * n - 1 : FIRST_SLOTS - 1 };

	larger.slots = jw_mem_zalloc(larger.mask + 1, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < m->n; i++)
		*slot_of(&larger, m->m[i].id) =
			(struct trace_method_slot){ m->m[i].id, (uint32_t)i + 1 };
	jw_mem_free(m->slots);
	m->slots = larger.slots;
	m->mask = larger.mask;
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
	if (!grow_slots(m))
		return TRACE_NO_METHOD;
	*slot_of(m, id) = (struct trace_method_slot){ id, (uint32_t)m->n + 1 };
	m->mixed |= id != m->n + 1;
	grown[m->n++] = (struct trace_stat){ .id = id };
	return (uint32_t)m->n - 1;
}

uint32_t trace_methods_known(const struct trace_methods *m, uint64_t id)
{
	if (!m->mixed) /* ids that are such numbers already */
		return id - 1 < m->n ? (uint32_t)id - 1 : TRACE_NO_METHOD;
	uint32_t number = slot_of(m, id)->number;

	return number ? number - 1 : TRACE_NO_METHOD;
}

uint32_t trace_methods_number(struct trace_methods *m, uint64_t id)
{
	uint32_t number = trace_methods_known(m, id);

	return number == TRACE_NO_METHOD ? add(m, id) : number;
}

void trace_methods_free(struct trace_methods *m)
{
	jw_mem_free(m->m);
	jw_mem_free(m->slots);
	*m = (struct trace_methods){ 0 };
}
