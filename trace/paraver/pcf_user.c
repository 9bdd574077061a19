/*
 * pcf_user.c: see pcf_user.h. Paraver shows a value without a label as if there were none, so a type
 * that has labels for values has one for every value that occurs.
 */
#include <string.h>

#include "trace/names/label.h"
#include "trace/output.h"
#include "trace/paraver/pcf_types.h"
#include "trace/paraver/pcf_user.h"

#include "base/banned.h"

#define NUMBER_ROOM 24 /* bytes, after a label */

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

static void put_type_label(struct jw_buf *out, const struct trace_user_name *type)
{
	put_text(out, type->label, "User event", type->type);
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

	return at >= labels->n || labels->m[at].calls < 2; /* TRACE_NO_METHOD is after all */
}

/* The types that are not a capture's, too. */
static bool count_labels(struct trace_methods *labels, const struct trace_pcf *pcf,
			 const struct trace_names *names)
{
	struct jw_buf label = { 0 };
	bool ok = true;

	for (size_t i = 0; i < names->user_count && ok; i++) {
		const struct trace_user_name *one = &names->user[i];

		if (!one->is_type || trace_pcf_has_type(pcf, one->type))
			continue;
		jw_buf_clear(&label);
		put_type_label(&label, one);
		ok = count_label(labels, jw_hash64(jw_buf_span(&label), 0));
	}
	ok = ok && label.failed == JW_OK;
	jw_buf_free(&label);
	return ok;
}

/* ---- the types ---- */

static void put_value(struct jw_buf *out, uint32_t value, const char *label)
{
	jw_put_fmt(out, "%-6u ", value);
	put_text(out, label, value ? "value" : "End", value);
	jw_put_str(out, "\n");
}

/* The label of TYPE, with its number where another type has the same one. */
static void begin_type(struct trace_pcf *pcf, const struct trace_user_name *type,
		       const struct trace_methods *labels)
{
	struct jw_buf label = { 0 };

	put_type_label(&label, type);
	bool shared = !is_alone(labels, jw_hash64(jw_buf_span(&label), 0));

	while ((shared || trace_pcf_has_label(pcf, jw_buf_span(&label))) && label.failed == JW_OK) {
		jw_put_fmt(&label, " (%u)", type->type);
		shared = false;
	}
	trace_pcf_type(pcf, type->type, jw_buf_span(&label));
	if (label.failed != JW_OK)
		pcf->out->failed = label.failed;
	jw_buf_free(&label);
}

/* The values of one type, from FIRST up to the type itself, at LAST. Value 0 is
 * among them, seen or not. */
static void put_values(struct jw_buf *out, const struct trace_user_name *first,
		       const struct trace_user_name *last)
{
	if (first < last) {
		jw_put_str(out, "VALUES\n");
		if (first->value != 0)
			put_value(out, 0, last->zero);
	}
	for (; first < last; first++)
		put_value(out, first->value, first->label);
	jw_put_str(out, "\n\n");
}

void trace_put_user_types(struct trace_pcf *pcf, const struct trace_names *names)
{
	struct trace_methods labels = { 0 };
	const struct trace_user_name *first = names->user;

	if (names->user_count == 0)
		return;
	if (!count_labels(&labels, pcf, names))
		pcf->out->failed = JW_NOMEM;
	for (size_t i = 0; i < names->user_count; i++) {
		const struct trace_user_name *one = &names->user[i];

		if (!one->is_type)
			continue;
		if (!trace_pcf_has_type(pcf, one->type)) { /* else it is a capture's, too */
			begin_type(pcf, one, &labels);
			put_values(pcf->out, first, one);
		}
		first = one + 1;
	}
	trace_methods_free(&labels);
}
