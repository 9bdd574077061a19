/*
 * slow_said.c: see slow_said.h.
 */
#include "trace/slowest/slow_said.h"

#include "trace/reader/reader.h"

#include "base/banned.h"

/* The same one between MARK and END; NULL: there is none. */
static struct trace_slow_value *find(const struct trace_slow_said *said, size_t mark, size_t end,
				     const struct trace_slow_value *value)
{
	for (size_t i = mark; i < end; i++)
		if (said->at[i].type == value->type && said->at[i].value == value->value)
			return &said->at[i];
	return NULL;
}

bool trace_slow_said_add(struct trace_slow_said *said, size_t mark, uint64_t type, uint64_t value)
{
	const struct trace_slow_value one = { type, value, 1, true };
	struct trace_slow_value *same = find(said, mark, said->n, &one);

	if (same) {
		same->count++;
		same->own = true;
		return true;
	}
	if (said->n - mark >= TRACE_SLOW_SAID)
		return true;
	struct trace_slow_value *grown = trace_grow(said->at, said->n, &said->cap, sizeof(*grown));

	if (!grown)
		return false;
	said->at = grown;
	grown[said->n++] = one;
	return true;
}

void trace_slow_said_join(struct trace_slow_said *said, size_t outer, size_t mark)
{
	size_t n = mark;

	for (size_t i = mark; i < said->n; i++) {
		struct trace_slow_value one = said->at[i];
		struct trace_slow_value *same = find(said, outer, n, &one);

		one.own = false;
		if (same && same->own)
			same->count = same->count > one.count ? same->count : one.count;
		else if (same)
			same->count += one.count;
		else if (n - outer < TRACE_SLOW_SAID)
			said->at[n++] = one;
	}
	said->n = n;
}
