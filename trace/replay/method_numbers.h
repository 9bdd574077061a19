/*
 * method_numbers.h: ids become 1, 2, 3, ... in order of first appearance. Cost: a step in a hash
 * table, which has the ids itself; nothing, where ids are such numbers already.
 */
#ifndef JW_TRACE_REPLAY_METHOD_NUMBERS_H
#define JW_TRACE_REPLAY_METHOD_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fetch.h"
#include "base/lookup.h"

struct trace_stat {
	uint64_t id, calls, exceptional, inclusive_ns, exclusive_ns, longest_ns;
	bool closed; /* by itself, while the program ran, not by another one that shares its gate */
};

struct trace_method_slot {
	uint64_t id;
	uint32_t number; /* from 1; 0: free */
};

/* Methods in order of first appearance; number I has dense id I + 1. */
struct trace_methods {
	struct trace_stat *m; /* owned */
	size_t n, cap;
	/* owned; by id, at most half of them taken, of few a quarter */
	struct trace_method_slot *slots;
	size_t mask;      /* one less than there are; a power of two */
	bool mixed;       /* an id is not its number, from 1 */
	uint32_t limit;   /* at most so many; 0: TRACE_MAX_METHODS */
	uint64_t refused; /* calls of more */
};

#define TRACE_MAX_METHODS (UINT32_C(1) << 24)
#define TRACE_NO_METHOD   UINT32_MAX

/* The number of method ID, a new one if need be; TRACE_NO_METHOD: no memory, or too many. */
uint32_t trace_methods_number(struct trace_methods *methods, uint64_t id);
/* The number of method ID if it has one. */
uint32_t trace_methods_known(const struct trace_methods *methods, uint64_t id);
void trace_methods_free(struct trace_methods *methods);

/* Method ID is asked for soon: what that needs is fetched. */
static inline void trace_methods_fetch(const struct trace_methods *methods, uint64_t id)
{
	if (methods->slots)
		jw_fetch(&methods->slots[jw_hash_id(id) & methods->mask]);
}

#endif
