/*
 * user.c: events of the programs' own: two records each, a type and its value; labels in meta.
 *
 * A type that has labels for values has one for every value that occurs: Paraver shows a value
 * without one as if there were none. Of several labels for one thing the first counts.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/world_int.h"

#include "base/banned.h"

#define MOST_SEEN   65536      /* types, and values of those with labels, in the .pcf */
#define MOST_VALUE  INT32_MAX  /* of values with a label: 32 bits signed */
#define TYPE_ITSELF UINT32_MAX /* in place of a value */
#define NUMBER_ROOM 24         /* bytes, behind a label */

/* What was seen is a set of these; of a type itself, `calls` tells whether its values have labels.
 */
static uint64_t key_of(uint32_t type, uint32_t value)
{
	return (uint64_t)type << 32 | value;
}

static bool has_value_labels(const struct trace_world *w, uint32_t type)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_recording *rec = &w->tasks[i].rec;

		for (size_t k = 0; k < rec->label_count; k++)
			if (rec->labels[k].type == type && rec->labels[k].value != TRACE_NO_VALUE)
				return true;
	}
	return false;
}

static void note_use(struct trace_frames *to, const struct trace_world *w, uint32_t type,
		     uint64_t value)
{
	struct trace_methods *seen = &to->seen;
	size_t before = seen->n;
	uint32_t at = before < MOST_SEEN ? trace_methods_number(seen, key_of(type, TYPE_ITSELF))
					 : trace_methods_known(seen, key_of(type, TYPE_ITSELF));

	if (seen->n > before)
		seen->m[at].calls = has_value_labels(w, type);
	if (at == TRACE_NO_METHOD)
		to->failed |= before < MOST_SEEN;
	else if (seen->m[at].calls && value <= MOST_VALUE && seen->n < MOST_SEEN)
		to->failed |= trace_methods_number(seen, key_of(type, (uint32_t)value)) ==
			      TRACE_NO_METHOD;
}

void trace_user_event(struct trace_frames *to, const struct trace_world *w,
		      const struct trace_who *who, uint64_t time, uint64_t word)
{
	uint64_t payload = jwr_word_payload(word);
	uint32_t type = who->track->event;

	if (jwr_word_kind(word) == JWR_EVENT) {
		who->track->event = payload <= TRACE_MAX_USER_TYPE ? (uint32_t)payload : 0;
		return;
	}
	who->track->event = 0;
	if (!type || !to->prv || !who->calls || payload > TRACE_MAX_USER_VALUE)
		return;
	trace_prv_event(to->prv, who->calls, time, type, payload);
	note_use(to, w, type, payload);
}

/* ---- the .pcf ---- */

static int by_key(const void *a, const void *b)
{
	const struct trace_stat *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* The label of VALUE of TYPE, of the type itself (TRACE_NO_VALUE), or "". */
static const char *label_of(const struct trace_world *w, uint32_t type, uint64_t value)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_recording *rec = &w->tasks[i].rec;

		for (size_t k = 0; k < rec->label_count; k++)
			if (rec->labels[k].type == type && rec->labels[k].value == value)
				return rec->labels[k].text;
	}
	return "";
}

/* TEXT fit for a label: Paraver's short labels end at a bracket. Empty: PLAIN and NUMBER. */
static void put_text(struct jw_buf *out, const char *text, const char *plain, uint64_t number)
{
	struct jw_buf name = { 0 };

	trace_put_name(&name, jw_span_str(text), TRACE_MAX_LABEL - NUMBER_ROOM);
	for (size_t i = 0; i < name.n; i++)
		name.p[i] = name.p[i] == '[' ? '(' : name.p[i] == ']' ? ')' : name.p[i];
	if (name.n)
		jw_put_bytes(out, jw_buf_span(&name));
	else if (!number && !strcmp(plain, "End"))
		jw_put_str(out, plain);
	else
		jw_put_fmt(out, "%s %llu", plain, (unsigned long long)number);
	if (name.failed)
		out->failed = name.failed;
	jw_buf_free(&name);
}

/* Does another type that was seen have the same label? Then the number tells them apart. */
static bool is_doubled(const struct trace_world *w, const struct trace_methods *seen, uint32_t type)
{
	const char *label = label_of(w, type, TRACE_NO_VALUE);

	for (size_t i = 0; *label && i < seen->n; i++) {
		uint32_t other = (uint32_t)(seen->m[i].id >> 32);

		if (other != type && (uint32_t)seen->m[i].id == TYPE_ITSELF &&
		    !strcmp(label, label_of(w, other, TRACE_NO_VALUE)))
			return true;
	}
	return false;
}

static void put_value(struct jw_buf *out, const struct trace_world *w, uint32_t type,
		      uint32_t value)
{
	jw_put_fmt(out, "%-6u ", value);
	put_text(out, label_of(w, type, value), value ? "value" : "End", value);
	jw_put_str(out, "\n");
}

/* One type; its values stand in SEEN from FIRST up to itself, at LAST. */
static void put_type(struct jw_buf *out, const struct trace_world *w,
		     const struct trace_methods *seen, size_t first, size_t last)
{
	uint32_t type = (uint32_t)(seen->m[last].id >> 32);

	jw_put_fmt(out, "EVENT_TYPE\n0    %u    ", type);
	put_text(out, label_of(w, type, TRACE_NO_VALUE), "User event", type);
	if (is_doubled(w, seen, type))
		jw_put_fmt(out, " (%u)", type);
	jw_put_str(out, "\n");
	if (first < last) {
		jw_put_str(out, "VALUES\n");
		if ((uint32_t)seen->m[first].id != 0)
			put_value(out, w, type, 0);
	}
	for (size_t i = first; i < last; i++)
		put_value(out, w, type, (uint32_t)seen->m[i].id);
	jw_put_str(out, "\n\n");
}

void trace_put_user_types(struct jw_buf *out, struct trace_methods *seen,
			  const struct trace_world *w)
{
	size_t first = 0;

	if (seen->n > 1)
		qsort(seen->m, seen->n, sizeof(*seen->m), by_key);
	for (size_t i = 0; i < seen->n; i++) {
		if ((uint32_t)seen->m[i].id != TYPE_ITSELF)
			continue;
		put_type(out, w, seen, first, i);
		first = i + 1;
	}
}
