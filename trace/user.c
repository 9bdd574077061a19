/*
 * user.c: events of the programs' own: two records each, a type and its value; labels in meta.
 *
 * A type that has labels for values has one for every value that occurs: Paraver shows a value
 * without one as if there were none. Of several labels for one thing the first counts.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/prv_head.h"
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

/* ---- what stands in the .pcf: Paraver finds a type by its label, which has to be the only one
 * ---- */

struct above {
	struct trace_methods labels, types; /* labels by their hashes; `calls`: how often */
};

static bool count(struct trace_methods *set, uint64_t id)
{
	uint32_t at = trace_methods_number(set, id);

	if (at != TRACE_NO_METHOD)
		set->m[at].calls++;
	return at != TRACE_NO_METHOD;
}

static uint64_t counted(const struct trace_methods *set, uint64_t id)
{
	uint32_t at = trace_methods_known(set, id);

	return at == TRACE_NO_METHOD ? 0 : set->m[at].calls;
}

static struct jw_span skip_blanks(struct jw_span s)
{
	while (s.n && s.p[0] == ' ')
		s = jw_span_sub(s, 1, s.n);
	return s;
}

/* "0    60000019    User function" */
static bool note_type(struct above *above, struct jw_span line)
{
	uint64_t colour, type;

	if (!trace_take_number(&line, &colour))
		return true;
	line = skip_blanks(line);
	return !trace_take_number(&line, &type) ||
	       (count(&above->types, type) &&
		count(&above->labels, jw_hash64(skip_blanks(line), 0)));
}

static bool note_above(struct above *above, struct jw_span pcf)
{
	bool types = false, ok = true;

	while (pcf.n && ok) {
		const uint8_t *end = memchr(pcf.p, '\n', pcf.n);
		size_t n = end ? (size_t)(end - pcf.p) : pcf.n;
		struct jw_span line = jw_span_sub(pcf, 0, n);

		pcf = jw_span_sub(pcf, end ? n + 1 : n, pcf.n);
		if (jw_span_eq_str(line, "EVENT_TYPE"))
			types = true;
		else if (line.n == 0 || jw_span_eq_str(line, "VALUES"))
			types = false;
		else if (types)
			ok = note_type(above, line);
	}
	return ok;
}

static uint64_t hash_of_label(const struct trace_world *w, uint32_t type)
{
	struct jw_buf label = { 0 };

	put_type_label(&label, w, type);
	uint64_t hash = jw_hash64(jw_buf_span(&label), 0);

	jw_buf_free(&label);
	return hash;
}

static bool note_seen(struct above *above, const struct trace_methods *seen,
		      const struct trace_world *w)
{
	bool ok = true;

	for (size_t i = 0; i < seen->n && ok; i++) {
		uint32_t type = (uint32_t)(seen->m[i].id >> 32);

		if ((uint32_t)seen->m[i].id == TYPE_ITSELF && !counted(&above->types, type))
			ok = count(&above->labels, hash_of_label(w, type));
	}
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

/* One type; its values stand in SEEN from FIRST up to itself, at LAST. */
static void put_type(struct jw_buf *out, const struct trace_world *w,
		     const struct trace_methods *seen, size_t first, size_t last, bool alone)
{
	uint32_t type = (uint32_t)(seen->m[last].id >> 32);

	jw_put_fmt(out, "EVENT_TYPE\n0    %u    ", type);
	put_type_label(out, w, type);
	if (!alone)
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
	struct above above = { 0 };
	size_t first = 0;

	if (seen->n == 0)
		return;
	qsort(seen->m, seen->n, sizeof(*seen->m), by_key);
	if (!note_above(&above, jw_buf_span(out)) || !note_seen(&above, seen, w))
		out->failed = JW_NOMEM;
	for (size_t i = 0; i < seen->n; i++) {
		uint32_t type = (uint32_t)(seen->m[i].id >> 32);

		if ((uint32_t)seen->m[i].id != TYPE_ITSELF)
			continue;
		if (!counted(&above.types, type)) /* else it is a capture's, too */
			put_type(out, w, seen, first, i,
				 counted(&above.labels, hash_of_label(w, type)) < 2);
		first = i + 1;
	}
	trace_methods_free(&above.labels);
	trace_methods_free(&above.types);
}
