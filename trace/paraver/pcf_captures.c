/*
 * pcf_captures.c: see pcf_captures.h.
 */
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/output.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/pcf_captures.h"
#include "trace/paraver/pcf_types.h"
#include "trace/paraver/prv.h"

#include "base/banned.h"

static void put_clean(struct jw_buf *out, struct jw_span text)
{
	size_t before = out->n;

	trace_put_plain(out, text, TRACE_MAX_LABEL - 24);
	if (out->n == before)
		jw_put_str(out, "?");
}

static void put_texts(struct jw_buf *out, const struct trace_names *names,
		      const struct jw_capture *c)
{
	jw_put_fmt(out, "VALUES\n0      %s\n", c->hold ? TRACE_PCF_NOT_HELD : TRACE_PCF_NULL);
	for (size_t i = 0; i < names->text_count; i++) {
		const struct trace_text *text = &names->texts[i];

		jw_put_fmt(out, "%-6llu ", (unsigned long long)text->number);
		trace_put_text(out, jw_span_str(text->text), c->as == JW_AS_CLASS);
		jw_put_str(out, "\n");
	}
}

static bool holds_numbers(const struct jw_capture *c)
{
	return c->hold && jw_capture_is_number(c);
}

/* What is shown is one more than what it is called. */
static void put_held(struct jw_buf *out, const struct trace_tally *held, uint32_t type)
{
	size_t n = held->n < TRACE_PRV_MOST_HELD ? held->n : TRACE_PRV_MOST_HELD;

	jw_put_str(out, "VALUES\n0      " TRACE_PCF_NOT_HELD "\n");
	for (size_t i = 0; i < n; i++)
		if (held->sums[i].a == type)
			jw_put_fmt(out, "%-6llu %llu\n", (unsigned long long)held->sums[i].b + 1,
				   (unsigned long long)held->sums[i].b);
}

/* What a label says besides, before the number: who reads the trace knows what its values are. */
static const char *mark_of(const struct jw_capture *c, bool all)
{
	if (c->as == JW_AS_IDENTITY)
		return c->hold ? TRACE_PCF_HELD_OBJECT : TRACE_PCF_OBJECT;
	return holds_numbers(c) && !all ? TRACE_PCF_ONE_MORE : "";
}

void trace_put_captured_types(struct trace_pcf *pcf, const struct trace_prv *prv,
			      const struct trace_names *names)
{
	bool all = prv->held.n <= TRACE_PRV_MOST_HELD;

	struct jw_buf text = { 0 };

	for (size_t i = 0; i < names->captured_count; i++) {
		const struct jw_capture *c = names->captured[i].what;
		const char *program = names->captured[i].label;
		const char *label = c->label[0] ? c->label
				    : *program  ? program
						: TRACE_PCF_CAPTURED;

		/* labels of types have to be unique: the number makes them so */
		jw_buf_clear(&text);
		put_clean(&text, jw_span_str(label));
		jw_put_fmt(&text, "%s (%u)", mark_of(c, all), c->type);
		trace_pcf_type(pcf, c->type, jw_buf_span(&text));
		if (jw_capture_is_text(c))
			put_texts(pcf->out, names, c);
		else if (holds_numbers(c))
			put_held(pcf->out, &prv->held, c->type);
		jw_put_str(pcf->out, "\n\n");
	}
	if (text.failed != JW_OK)
		pcf->out->failed = text.failed;
	jw_buf_free(&text);
}
