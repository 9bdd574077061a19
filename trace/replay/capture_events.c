/*
 * capture_events.c: see capture_events.h.
 *
 * Texts (classes, strings) are numbers that the recording's meta explains; those of several
 * processes are counted on, one process after the other. Negative values are left out: Paraver's
 * readers differ about them.
 */
#include "trace/format/recording.h"
#include "trace/reader/reader.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/held.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_TYPES 256

static uint64_t highest_text(const struct trace_recording *rec)
{
	uint64_t highest = 0;

	for (size_t i = 0; i < rec->label_count; i++)
		if (rec->labels[i].type == TRACE_TEXT_TYPE && rec->labels[i].value > highest)
			highest = rec->labels[i].value;
	return highest;
}

uint64_t trace_text_base(const struct trace_task *task)
{
	uint64_t base = 0;

	for (uint32_t i = 1; i < task->number; i++)
		base += highest_text(&(task - i)->rec);
	return base;
}

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

void trace_capture_show(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			const struct jw_capture *c, uint64_t word)
{
	const struct trace_row *row = who->calls;
	int64_t value = jwr_word_value(word);

	if (jwr_word_kind(word) == JWR_OBJECT)
		value = (int64_t)trace_object_number(jwr_word_payload(word));
	else if (jw_capture_is_text(c) && value > 0)
		value += (int64_t)trace_text_base(row->task);
	/* where threads share a row, nothing lasts */
	if (c->hold && !who->row)
		return;
	if (value < 0 || (uint64_t)value > TRACE_MAX_USER_VALUE - (c->hold != JW_HOLD_NOT) ||
	    !note(p, c))
		return;
	p->told.output->captured(p->told.ctx, row->order, time, c, (uint64_t)value);
	if (c->hold)
		trace_held_put(p, who, c, (uint64_t)value);
}
