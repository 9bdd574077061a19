/*
 * arrow_table.c: entries by key, in chains. An entry is the first member of what it stands for.
 */
#include "base/memory.h"
#include "trace/replay/arrows/arrow_table.h"

#include "base/banned.h"

#define FIRST_SLOTS 64
#define LIMIT       65536

static size_t place(const struct trace_table *t, uint32_t space, uint64_t key)
{
	uint64_t h = (key ^ (uint64_t)space << 32) * UINT64_C(0x9e3779b97f4a7c15);

	/* where ids that follow each other lie best apart */
	return (size_t)(h >> 40) & t->mask;
}

struct trace_entry *trace_table_find(const struct trace_table *t, uint32_t space, uint64_t key)
{
	struct trace_entry *e = t->slots ? t->slots[place(t, space, key)] : NULL;

	while (e && (e->key != key || e->space != space))
		e = e->next;
	return e;
}

static bool grow(struct trace_table *t)
{
	size_t count = t->slots ? (t->mask + 1) * 2 : FIRST_SLOTS, old = t->slots ? t->mask + 1 : 0;
	struct trace_entry **slots, **before = t->slots;

	if (t->slots && t->n <= t->mask)
		return true;
	slots = jw_mem_zalloc(count, sizeof(struct trace_entry *));
	if (!slots)
		return false;
	t->slots = slots;
	t->mask = count - 1;
	for (size_t i = 0; i < old; i++) {
		for (struct trace_entry *e = before[i], *next; e; e = next) {
			size_t at = place(t, e->space, e->key);

			next = e->next;
			e->next = slots[at];
			slots[at] = e;
		}
	}
	jw_mem_free(before);
	return true;
}

/* So that what is never closed stays bounded. */
void trace_table_sweep(struct trace_table *t)
{
	for (size_t i = 0; t->slots && i <= t->mask; i++) {
		for (struct trace_entry **at = &t->slots[i]; *at;) {
			struct trace_entry *e = *at;

			if (!t->may_go(e)) {
				at = &e->next;
				continue;
			}
			*at = e->next;
			jw_mem_free(e);
			t->n--;
		}
	}
	t->limit = t->n * 2 > LIMIT ? t->n * 2 : LIMIT;
}

void *trace_table_add(struct trace_table *t, uint32_t space, uint64_t key, size_t size)
{
	if (t->n >= (t->limit ? t->limit : LIMIT))
		trace_table_sweep(t);
	struct trace_entry *e = grow(t) ? jw_mem_zalloc(1, size) : NULL;

	if (!e) {
		t->failed = true;
		return NULL;
	}
	size_t at = place(t, space, key);

	*e = (struct trace_entry){ .key = key, .space = space, .next = t->slots[at] };
	t->slots[at] = e;
	t->n++;
	return e;
}

void trace_table_remove(struct trace_table *t, struct trace_entry *e)
{
	struct trace_entry **at = &t->slots[place(t, e->space, e->key)];

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	t->n--;
	jw_mem_free(e);
}

void trace_table_free(struct trace_table *t)
{
	for (size_t i = 0; t->slots && i <= t->mask; i++) {
		for (struct trace_entry *e = t->slots[i], *next; e; e = next) {
			next = e->next;
			jw_mem_free(e);
		}
	}
	jw_mem_free(t->slots);
	*t = (struct trace_table){ 0 };
}
