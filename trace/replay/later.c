/*
 * later.c: see later.h: a binary heap.
 */
#include "base/grow.h"
#include "base/memory.h"
#include "trace/replay/later.h"

#include "base/banned.h"

static const struct jw_growth grow = { NULL, 0, 0 };

static bool is_before(const struct trace_later_one *a, const struct trace_later_one *b)
{
	return a->time != b->time ? a->time < b->time : a->serial < b->serial;
}

enum jw_status trace_later_put(struct trace_later *later, struct trace_later_one one,
			       struct jw_err *e)
{
	JW_TRY(JW_GROW(later, &grow, e));
	one.serial = later->serial++;
	size_t i = later->n++;

	for (; i && is_before(&one, &later->at[(i - 1) / 2]); i = (i - 1) / 2)
		later->at[i] = later->at[(i - 1) / 2];
	later->at[i] = one;
	return JW_OK;
}

struct trace_later_one trace_later_take(struct trace_later *later)
{
	struct trace_later_one *heap = later->at, first = heap[0], last = heap[--later->n];
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < later->n; i = child) {
		if (child + 1 < later->n && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &last))
			break;
		heap[i] = heap[child];
	}
	heap[i] = last;
	return first;
}

void trace_later_free(struct trace_later *later)
{
	jw_mem_free(later->at);
	*later = (struct trace_later){ 0 };
}
