/*
 * open_frames.c: which methods are open on which threads, and how often: a hash table with linear
 * probing, from which entries are taken out as frames close, so that it is as large as the open
 * frames are many.
 */
#include "trace/report_int.h"

#include "base/banned.h"

static size_t home_of(const struct trace_open *open, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & open->mask;
}

static size_t find(const struct trace_open *open, uint64_t key)
{
	size_t at = home_of(open, key);

	while (open->slots[at].key && open->slots[at].key != key)
		at = (at + 1) & open->mask;
	return at;
}

static bool grow(struct trace_open *open)
{
	struct trace_open old = *open;
	size_t count = old.slots ? (old.mask + 1) * 2 : 256;

	if (old.slots && old.n * 2 <= old.mask)
		return true;
	open->slots = jw_mem_zalloc(count, sizeof(*open->slots));
	if (!open->slots) {
		*open = old;
		return false;
	}
	open->mask = count - 1;
	for (size_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].key)
			open->slots[find(open, old.slots[i].key)] = old.slots[i];
	jw_mem_free(old.slots);
	return true;
}

static uint64_t key_of(uint32_t lane, uint32_t method)
{
	return (uint64_t)lane << 32 | ((uint64_t)method + 1);
}

bool trace_open_add(struct trace_open *open, uint32_t lane, uint32_t method, uint32_t *before)
{
	uint64_t key = key_of(lane, method);

	if (!grow(open))
		return false;
	struct trace_open_slot *slot = &open->slots[find(open, key)];

	open->n += slot->key == 0;
	slot->key = key;
	*before = slot->count++;
	return true;
}

void trace_open_remove(struct trace_open *open, uint32_t lane, uint32_t method)
{
	size_t hole = find(open, key_of(lane, method)), at = hole;

	if (!open->slots[hole].key || --open->slots[hole].count)
		return;
	/* what stands behind and was pushed on by this one moves up */
	for (;;) {
		at = (at + 1) & open->mask;
		if (!open->slots[at].key)
			break;
		size_t home = home_of(open, open->slots[at].key);

		if (((at - home) & open->mask) < ((at - hole) & open->mask))
			continue;
		open->slots[hole] = open->slots[at];
		hole = at;
	}
	open->slots[hole] = (struct trace_open_slot){ 0 };
	open->n--;
}
