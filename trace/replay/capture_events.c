/*
 * capture_events.c: captures that have an event type of their own, and the labels of these.
 *
 * Texts (classes, strings) are numbers that the recording's meta explains; those of several
 * processes are counted on, one process behind the other. Negative values are left out: Paraver's
 * readers differ about them.
 */
#include <string.h>

#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/paraver/pcf_types.h"
#include "trace/paraver/prv.h"
#include "trace/reader/reader.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/replay.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_TYPES 256
#define MOST_TEXTS 65536

static bool is_text(const struct jw_capture *c)
{
	return c->as == JW_AS_CLASS || c->as == JW_AS_STRING;
}

static uint64_t highest_text(const struct trace_recording *rec)
{
	uint64_t highest = 0;

	for (size_t i = 0; i < rec->label_count; i++)
		if (rec->labels[i].type == TRACE_TEXT_TYPE && rec->labels[i].value > highest)
			highest = rec->labels[i].value;
	return highest;
}

/* What the numbers of texts of TASK are counted on from. */
static uint64_t text_base(const struct trace_task *task)
{
	uint64_t base = 0;

	for (uint32_t i = 1; i < task->number; i++)
		base += highest_text(&(task - i)->rec);
	return base;
}

/* False: there is no room for one more type. */
static bool note(struct trace_frames *to, const struct jw_capture *c)
{
	for (size_t i = 0; i < to->captured_n; i++)
		if (to->captured[i]->type == c->type)
			return true;
	if (to->captured_n == MOST_TYPES)
		return false;
	const struct jw_capture **grown = /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
		trace_grow(to->captured, to->captured_n, &to->captured_cap, sizeof(*grown));

	if (!grown) {
		to->failed = true;
		return false;
	}
	to->captured = grown;
	grown[to->captured_n++] = c;
	return true;
}

void trace_capture_show(struct trace_frames *to, const struct trace_row *row, uint64_t time,
			const struct jw_capture *c, uint64_t word)
{
	int64_t value = jwr_word_value(word);

	if (jwr_word_kind(word) == JWR_OBJECT)
		value = (int64_t)trace_object_number(jwr_word_payload(word));
	else if (is_text(c) && value > 0)
		value += (int64_t)text_base(row->task);
	if (value < 0 || (uint64_t)value > TRACE_MAX_USER_VALUE || !note(to, c))
		return;
	trace_prv_event(to->prv, row, time, c->type, (uint64_t)value);
}

/* ---- the .pcf ---- */

static void put_clean(struct jw_buf *out, struct jw_span text)
{
	size_t before = out->n;

	trace_put_plain(out, text, TRACE_MAX_LABEL - 24);
	if (out->n == before)
		jw_put_str(out, "?");
}

static void put_text(struct jw_buf *out, uint64_t number, const char *text, enum jw_capture_as as)
{
	struct jw_buf clear = { 0 };

	if (as == JW_AS_CLASS)
		trace_put_class(&clear, jw_span_str(text));
	else
		jw_put_str(&clear, text);
	jw_put_fmt(out, "%-6llu ", (unsigned long long)number);
	put_clean(out, jw_buf_span(&clear));
	jw_put_str(out, "\n");
	if (clear.failed != JW_OK)
		out->failed = clear.failed;
	jw_buf_free(&clear);
}

static void put_texts(struct jw_buf *out, const struct trace_world *w, enum jw_capture_as as)
{
	size_t n = 0;

	jw_put_str(out, "VALUES\n0      End\n");
	for (size_t t = 0; t < w->task_count; t++) {
		const struct trace_recording *rec = &w->tasks[t].rec;
		uint64_t base = text_base(&w->tasks[t]), last = 0;

		for (size_t i = 0; i < rec->label_count && n < MOST_TEXTS; i++) {
			uint64_t number = rec->labels[i].value;

			/* they are told in order; what is not is damage */
			if (rec->labels[i].type != TRACE_TEXT_TYPE || number <= last)
				continue;
			last = number;
			put_text(out, base + number, rec->labels[i].text, as);
			n++;
		}
	}
}

void trace_put_captured_types(struct trace_pcf *pcf, const struct trace_frames *frames,
			      const struct trace_world *w)
{
	struct jw_buf text = { 0 };

	for (size_t i = 0; i < frames->captured_n; i++) {
		const struct jw_capture *c = frames->captured[i];
		const char *program = trace_user_label(w, c->type);
		const char *label = c->label[0] ? c->label : *program ? program : "Captured value";

		/* labels of types have to be unique: the number makes them so */
		jw_buf_clear(&text);
		put_clean(&text, jw_span_str(label));
		jw_put_fmt(&text, " (%u)", c->type);
		trace_pcf_type(pcf, c->type, jw_buf_span(&text));
		if (is_text(c))
			put_texts(pcf->out, w, c->as);
		jw_put_str(pcf->out, "\n\n");
	}
	if (text.failed != JW_OK)
		pcf->out->failed = text.failed;
	jw_buf_free(&text);
}
