/*
 * report_types.c: what the events of a trace say of classes: exceptions thrown, thrown again and
 * caught, objects made and, of arrays, elements. Their values are numbers that names are told of in the end.
 */
#include <stdlib.h>

#include "trace/output.h"
#include "trace/reader/tally.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/report_types.h"

#include "base/banned.h"

/* ORDER: enum trace_report_fact */
static const enum trace_type types[] = { TRACE_TYPE_THROWN, TRACE_TYPE_RETHROWN, TRACE_TYPE_CAUGHT,
					 TRACE_TYPE_CREATED };

static struct trace_sum *sum_of(struct trace_reading *r, uint64_t class, size_t fact)
{
	struct trace_sum *sum = trace_tally_at(&r->classes, class, fact);

	r->failed |= !sum;
	return sum;
}

void trace_types_take(struct trace_reading *r, uint32_t at, enum trace_type type, uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];
	struct trace_sum *sum = NULL;

	if (type == TRACE_TYPE_LENGTH && lane->made)
		sum = trace_tally_find(&r->classes, lane->made, TRACE_REPORT_MADE);
	if (sum)
		sum->bytes += value;
	lane->made = type == TRACE_TYPE_CREATED ? value : 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (types[i] == type && value && (sum = sum_of(r, value, i)))
			sum->count++;
	}
}

/* ---- names ---- */

static int by_class(const void *a, const void *b)
{
	const struct trace_report_type *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

bool trace_types_open(const struct trace_reading *r, struct jw_arena *arena,
		      struct trace_report_types *out)
{
	const struct trace_tally *t = &r->classes;
	struct trace_report_type *list = JW_NEW_ARRAY(arena, struct trace_report_type, t->n + 1);
	size_t n = 0;

	if (!list)
		return false;
	for (size_t i = 0; i < t->n; i++)
		list[i].number = t->sums[i].a;
	if (t->n > 1)
		qsort(list, t->n, sizeof(*list), by_class);
	for (size_t i = 0; i < t->n; i++)
		if (n == 0 || list[n - 1].number != list[i].number)
			list[n++] = list[i];
	*out = (struct trace_report_types){ list, n };
	for (size_t i = 0; i < t->n; i++) {
		struct trace_report_type key = { .number = t->sums[i].a };
		struct trace_report_type *type = bsearch(&key, list, n, sizeof(key), by_class);

		type->count[t->sums[i].b] = t->sums[i].count;
		type->elements += t->sums[i].bytes;
	}
	return true;
}

bool trace_types_name(struct trace_report_types *types_of, struct jw_arena *arena, uint64_t value,
		      struct jw_span label)
{
	struct trace_report_type key = { .number = value }, *type;

	if (types_of->n == 0)
		return true;
	type = bsearch(&key, types_of->list, types_of->n, sizeof(key), by_class);
	if (type && !type->name)
		type->name = jw_arena_str(arena, label);
	return !type || type->name;
}

/* ---- the lists ---- */

static uint64_t thrown(const struct trace_report_type *t)
{
	return t->count[TRACE_REPORT_THROWN] + t->count[TRACE_REPORT_AGAIN] +
	       t->count[TRACE_REPORT_CAUGHT];
}

static uint64_t made(const struct trace_report_type *t)
{
	return t->count[TRACE_REPORT_MADE];
}

static int by_thrown(const void *a, const void *b)
{
	uint64_t x = thrown(a), y = thrown(b);

	return x != y ? (x > y ? -1 : 1) : by_class(a, b);
}

static int by_made(const void *a, const void *b)
{
	uint64_t x = made(a), y = made(b);

	return x != y ? (x > y ? -1 : 1) : by_class(a, b);
}

/* Those of ALL that have a COUNT, sorted by CMP. */
static bool pick(const struct trace_report_types *all, struct jw_arena *arena,
		 uint64_t (*count)(const struct trace_report_type *t),
		 int (*cmp)(const void *a, const void *b), struct trace_report_types *out)
{
	struct trace_report_type *list = JW_NEW_ARRAY(arena, struct trace_report_type, all->n + 1);

	*out = (struct trace_report_types){ list, 0 };
	for (size_t i = 0; list && i < all->n; i++)
		if (count(&all->list[i]))
			list[out->n++] = all->list[i];
	if (list && out->n > 1)
		qsort(list, out->n, sizeof(*list), cmp);
	return list;
}

bool trace_types_finish(struct trace_report_types *all, struct jw_arena *arena,
			struct trace_report *out)
{
	for (size_t i = 0; i < all->n; i++) {
		struct trace_report_type *t = &all->list[i];

		if (!t->name)
			t->name = jw_arena_fmt(arena, "class %llu", (unsigned long long)t->number);
		if (!t->name)
			return false;
	}
	return pick(all, arena, thrown, by_thrown, &out->exceptions) &&
	       pick(all, arena, made, by_made, &out->objects);
}
