/*
 * capture_events.c: see capture_events.h.
 *
 * Texts (classes, strings) have a number among those of all processes (text_numbers.h). Negative
 * values are left out, and counted: Paraver's readers differ about them.
 */
#include "trace/format/recording.h"
#include "trace/reader/reader.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/held.h"
#include "trace/replay/pass.h"
#include "trace/replay/text_numbers.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_TYPES 256

/* False: there is no room for one more type. */
static bool note(struct trace_pass *p, const struct jw_capture *c)
{
	for (size_t i = 0; i < p->told.captured_n; i++)
		if (p->told.captured[i]->type == c->type)
			return true;
	if (p->told.captured_n == MOST_TYPES)
		return false;
	const struct jw_capture **grown =
		trace_grow(p->told.captured, p->told.captured_n, &p->told.captured_cap,
			   sizeof(const struct jw_capture *));

	if (!grown) {
		p->failed = true;
		return false;
	}
	p->told.captured = grown;
	grown[p->told.captured_n++] = c;
	return true;
}

/* The text NUMBER of C, if it is among the first that its rule tells apart; else the number that all others share. */
static uint32_t told_apart(struct trace_pass *p, const struct jw_capture *c, uint32_t number)
{
	if (!c->max_values || !number || trace_tally_find(&p->told.kept, c->type, number))
		return number;
	struct trace_sum *all = trace_tally_at(&p->told.kept, c->type, 0);

	p->failed |= !all;
	if (all && all->count >= c->max_values) {
		number = trace_text_number_of_others(p->world);
		p->failed |= !number;
	} else if (all) {
		all->count++;
		p->failed |= !trace_tally_at(&p->told.kept, c->type, number);
	}
	return number;
}

/* What is shown of TAKEN. */
static int64_t value_of(struct trace_pass *p, const struct trace_who *who,
			const struct jw_capture *c, const struct trace_taken *taken)
{
	if (taken->is_object)
		return (int64_t)trace_object_number(taken->number);
	if (jw_capture_is_text(c) && taken->value > 0)
		return (int64_t)told_apart(
			p, c, trace_text_number_of(who->calls->task, (uint64_t)taken->value));
	return taken->value;
}

static void count_misfit(struct trace_pass *p, const struct jw_capture *c)
{
	struct trace_sum *sum = trace_tally_at(&p->told.misfits, c->type, 0);

	if (sum)
		sum->count++;
	else
		p->failed = true;
}

void trace_capture_show(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			const struct jw_capture *c, const struct trace_taken *taken)
{
	int64_t value = value_of(p, who, c, taken);
	uint64_t most = TRACE_MAX_USER_VALUE - (c->hold != JW_HOLD_NOT);

	/* where threads share a row, nothing lasts */
	if ((c->hold && !who->row) || !note(p, c))
		return;
	if (value < 0 || (uint64_t)value > most) {
		count_misfit(p, c);
		return;
	}
	p->told.output->captured(p->told.ctx, who->calls->order, time, c, (uint64_t)value);
	if (c->hold)
		trace_held_put(p, who, c, (uint64_t)value);
}

void trace_note_misfits(const struct trace_pass *p, struct trace_notes *notes)
{
	for (size_t i = 0; i < p->told.captured_n; i++) {
		const struct jw_capture *c = p->told.captured[i];
		const struct trace_sum *sum = trace_tally_find(&p->told.misfits, c->type, 0);

		if (sum)
			trace_note(notes,
				   "%llu captured value%s of %s (type %u) below 0 or above 2^53, "
				   "left out: no reader of traces knows such numbers for sure",
				   (unsigned long long)sum->count, jw_s(sum->count),
				   c->label[0] ? c->label : "no name", c->type);
	}
}
