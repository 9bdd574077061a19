/*
 * told.c: see told.h.
 */
#include "trace/engine/told.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define NO_LESS UINT64_MAX

void trace_told_take(struct trace_told_task *told, size_t i, uint64_t value, bool is_text)
{
	struct trace_told_fact *f = &told->facts[i];
	uint64_t bit = UINT64_C(1) << i;

	switch (trace_engine_facts[i].how) {
	case TRACE_FACT_IS:
		told->known &= ~bit;
		told->known |= value == trace_engine_facts[i].factor ? bit : 0;
		return;
	case TRACE_FACT_SUM:
		f->value = value > UINT64_MAX - f->value ? UINT64_MAX : f->value + value;
		break;
	case TRACE_FACT_COUNT:
		f->value++;
		break;
	case TRACE_FACT_SPAN:
		f->first = told->known & bit ? f->first : value;
		f->value = value;
		break;
	case TRACE_FACT_HELD:
		break;
	case TRACE_FACT_BEGIN:
	case TRACE_FACT_LAST:
	case TRACE_FACT_NEXT:
		f->value = value;
		told->text = is_text ? told->text | bit : told->text & ~bit;
		break;
	}
	told->known |= bit;
}

void trace_told_hold(struct trace_told_task *told, size_t i, uint32_t lane, uint32_t depth,
		     uint64_t time)
{
	struct trace_told_fact *f = &told->facts[i];

	told->known |= UINT64_C(1) << i;
	if (f->depth)
		return;
	told->held |= UINT64_C(1) << i;
	f->since = time;
	f->lane = lane;
	f->depth = depth;
}

static void let_go(struct trace_told_task *told, size_t i, uint64_t time)
{
	struct trace_told_fact *f = &told->facts[i];

	f->value += time > f->since ? time - f->since : 0;
	f->depth = 0;
	told->held &= ~(UINT64_C(1) << i);
}

void trace_told_let_go(struct trace_told_task *told, uint32_t lane, uint32_t depth, uint64_t time)
{
	for (size_t i = 0; told->held && i < trace_engine_fact_count; i++)
		if (told->held >> i & 1 && told->facts[i].lane == lane &&
		    told->facts[i].depth == depth)
			let_go(told, i, time);
}

void trace_told_over(struct trace_told_task *told, uint64_t time)
{
	for (size_t i = 0; told->held && i < trace_engine_fact_count; i++)
		if (told->held >> i & 1)
			let_go(told, i, time);
	told->depth = 0;
}

/* ---- waits ---- */

static int longest_first(const void *a, const void *b)
{
	const struct trace_task_wait *x = a, *y = b;

	return x->ns != y->ns ? (x->ns > y->ns ? -1 : 1) : 0;
}

/* Makes room for one more: the two shortest are one, of which nothing but the kind is known. */
static void merge(struct trace_told_task *told)
{
	struct trace_task_wait *w = told->waits;

	qsort(w, told->wait_count, sizeof(*w), longest_first);
	struct trace_task_wait *last = &w[told->wait_count - 2];

	last->how = last[0].how == last[1].how ? last->how : TRACE_REPORT_CALL;
	last->class = last[0].class == last[1].class ? last->class : 0;
	last->channel = 0;
	last->ns += last[1].ns;
	last->count += last[1].count;
	last->ender = 0;
	told->wait_count--;
}

void trace_told_wait(struct trace_told_task *told, const struct trace_followed_wait *wait)
{
	struct trace_task_wait *w = told->waits;
	uint32_t i = 0;

	while (i < told->wait_count && (w[i].how != wait->how || w[i].class != wait->class ||
					w[i].channel != wait->channel))
		i++;
	if (i == TRACE_TASK_WAITS_MOST)
		merge(told);
	if (i >= told->wait_count) {
		i = told->wait_count++;
		w[i] = (struct trace_task_wait){ .how = wait->how,
						 .class = wait->class,
						 .channel = wait->channel };
	}
	w[i].ns += wait->ns;
	w[i].count++;
	w[i].ender = wait->ender.thread ? wait->ender.thread : w[i].ender;
}

/* ---- the end ---- */

static uint64_t factored(const struct trace_told_fact *f, const struct trace_engine_fact *fact)
{
	uint64_t value = f->value;

	if (fact->how == TRACE_FACT_SPAN)
		value = value > f->first ? value - f->first : 0;
	return value > NO_LESS / fact->factor ? NO_LESS : value * fact->factor;
}

static void fold_fact(const struct trace_told_task *told, size_t i, struct trace_engine_task *out)
{
	const struct trace_engine_fact *fact = &trace_engine_facts[i];
	const struct trace_told_fact *f = &told->facts[i];

	if (fact->fact < TRACE_ENGINE_NAMES) {
		out->named[fact->fact] = f->value;
		out->is_named |= (uint8_t)(1u << fact->fact);
		out->is_text |= (uint8_t)((told->text >> i & 1) << fact->fact);
		return;
	}
	uint64_t *measure = &out->did.measures[fact->fact - TRACE_ENGINE_NAMES];
	uint64_t value = factored(f, fact);

	*measure = value > NO_LESS - *measure ? NO_LESS : *measure + value;
	out->did.measured |= 1u << (fact->fact - TRACE_ENGINE_NAMES);
}

bool trace_told_fold(const struct trace_told_task *told, struct jw_arena *arena,
		     struct trace_engine_task *out)
{
	struct trace_task_wait *waits =
		JW_NEW_ARRAY(arena, struct trace_task_wait, told->wait_count + 1);

	if (!waits)
		return false;
	*out = told->task;
	for (size_t i = 0; i < trace_engine_fact_count; i++)
		if (told->known >> i & 1)
			fold_fact(told, i, out);
	out->failed |= out->is_named >> TRACE_ENGINE_FAILED & 1;
	out->cancelled = !out->failed && out->is_named >> TRACE_ENGINE_CANCELLED & 1;
	for (uint32_t i = 0; i < told->wait_count; i++)
		waits[i] = told->waits[i];
	if (told->wait_count > 1)
		qsort(waits, told->wait_count, sizeof(*waits), longest_first);
	out->waits = waits;
	out->wait_count = told->wait_count;
	return true;
}
