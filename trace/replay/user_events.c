/*
 * user_events.c: events of the programs' own: two records each, a type and its value; labels in
 * meta.
 *
 * A type that has labels for values has one for every value that occurs: Paraver shows a value
 * without one as if there were none. Of several labels for one thing the first counts.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/paraver/pcf_types.h"
#include "trace/paraver/prv.h"
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/replay.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

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
		const char *label = trace_label_of(&w->tasks[i].rec, type, value);

		if (label)
			return label;
	}
	return "";
}

const char *trace_user_label(const struct trace_world *w, uint32_t type)
{
	return label_of(w, type, TRACE_NO_VALUE);
}

/* TEXT fit for a label; empty: PLAIN and NUMBER. */
static void put_text(struct jw_buf *out, const char *text, const char *plain, uint64_t number)
{
	size_t before = out->n;

	trace_put_plain(out, jw_span_str(text), TRACE_MAX_LABEL - NUMBER_ROOM);
	if (out->n > before)
		return;
	if (!number && !strcmp(plain, "End"))
		jw_put_str(out, plain);
	else
		jw_put_fmt(out, "%s %llu", plain, (unsigned long long)number);
}

static void put_type_label(struct jw_buf *out, const struct trace_world *w, uint32_t type)
{
	put_text(out, trace_user_label(w, type), "User event", type);
}

/* ---- labels of types: Paraver finds a type by its label, which has to be the only one ---- */

/* How many of those that were seen have a label, by its hash, in `calls`. */
static bool count_label(struct trace_methods *labels, uint64_t hash)
{
	uint32_t at = trace_methods_number(labels, hash);

	if (at != TRACE_NO_METHOD)
		labels->m[at].calls++;
	return at != TRACE_NO_METHOD;
}

static bool is_alone(const struct trace_methods *labels, uint64_t hash)
{
	uint32_t at = trace_methods_known(labels, hash);

	return at >= labels->n || labels->m[at].calls < 2; /* TRACE_NO_METHOD is behind all */
}

/* The types of SEEN that are not a capture's, too. */
static bool count_labels(struct trace_methods *labels, const struct trace_pcf *pcf,
			 const struct trace_methods *seen, const struct trace_world *w)
{
	struct jw_buf label = { 0 };
	bool ok = true;

	for (size_t i = 0; i < seen->n && ok; i++) {
		uint32_t type = (uint32_t)(seen->m[i].id >> 32);

		if ((uint32_t)seen->m[i].id != TYPE_ITSELF || trace_pcf_has_type(pcf, type))
			continue;
		jw_buf_clear(&label);
		put_type_label(&label, w, type);
		ok = count_label(labels, jw_hash64(jw_buf_span(&label), 0));
	}
	ok = ok && label.failed == JW_OK;
	jw_buf_free(&label);
	return ok;
}

/* ---- the types ---- */

static void put_value(struct jw_buf *out, const struct trace_world *w, uint32_t type,
		      uint32_t value)
{
	jw_put_fmt(out, "%-6u ", value);
	put_text(out, label_of(w, type, value), value ? "value" : "End", value);
	jw_put_str(out, "\n");
}

/* The label of TYPE, with its number where another type has the same one. */
static void begin_type(struct trace_pcf *pcf, const struct trace_world *w, uint32_t type,
		       const struct trace_methods *labels)
{
	struct jw_buf label = { 0 };

	put_type_label(&label, w, type);
	bool shared = !is_alone(labels, jw_hash64(jw_buf_span(&label), 0));

	while ((shared || trace_pcf_has_label(pcf, jw_buf_span(&label))) && label.failed == JW_OK) {
		jw_put_fmt(&label, " (%u)", type);
		shared = false;
	}
	trace_pcf_type(pcf, type, jw_buf_span(&label));
	if (label.failed != JW_OK)
		pcf->out->failed = label.failed;
	jw_buf_free(&label);
}

/* The values of one type, which stand in SEEN from FIRST up to itself, at LAST. */
static void put_values(struct jw_buf *out, const struct trace_world *w,
		       const struct trace_methods *seen, size_t first, size_t last)
{
	uint32_t type = (uint32_t)(seen->m[last].id >> 32);

	if (first < last) {
		jw_put_str(out, "VALUES\n");
		if ((uint32_t)seen->m[first].id != 0)
			put_value(out, w, type, 0);
	}
	for (size_t i = first; i < last; i++)
		put_value(out, w, type, (uint32_t)seen->m[i].id);
	jw_put_str(out, "\n\n");
}

void trace_put_user_types(struct trace_pcf *pcf, struct trace_methods *seen,
			  const struct trace_world *w)
{
	struct trace_methods labels = { 0 };
	size_t first = 0;

	if (seen->n == 0)
		return;
	qsort(seen->m, seen->n, sizeof(*seen->m), by_key);
	if (!count_labels(&labels, pcf, seen, w))
		pcf->out->failed = JW_NOMEM;
	for (size_t i = 0; i < seen->n; i++) {
		uint32_t type = (uint32_t)(seen->m[i].id >> 32);

		if ((uint32_t)seen->m[i].id != TYPE_ITSELF)
			continue;
		if (!trace_pcf_has_type(pcf, type)) { /* else it is a capture's, too */
			begin_type(pcf, w, type, &labels);
			put_values(pcf->out, w, seen, first, i);
		}
		first = i + 1;
	}
	trace_methods_free(&labels);
}
