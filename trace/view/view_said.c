/*
 * view_said.c: see view_said.h.
 */
#include "trace/view/view_said.h"

#include "base/memory.h"
#include "trace/names/said_names.h"
#include "trace/reader/reader.h"
#include "trace/view/view.h"
#include "trace/view/view_columns.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

#define MOST_TAGS 256 /* operations with arrows, and links */

bool trace_view_said_add(struct trace_view_said *said, const struct trace_view_value *value)
{
	if (said->all++ >= TRACE_VIEW_CAPTURES)
		return true;
	struct trace_view_value *grown = trace_grow(said->at, said->n, &said->cap, sizeof(*grown));

	if (!grown)
		return false;
	said->at = grown;
	grown[said->n++] = *value;
	return true;
}

static void put_text(struct jw_buf *out, const char *text)
{
	struct jw_span span = jw_span_str(text ? text : "");

	trace_view_put(out, span.n);
	jw_put_bytes(out, span);
}

static void put_values(const struct trace_view_said *said, struct jw_buf *out)
{
	trace_view_put(out, said->all);
	trace_view_put(out, said->n);
	for (size_t i = 0; i < said->n; i++) {
		const struct trace_view_value *v = &said->at[i];

		trace_view_put(out, v->row);
		trace_view_put(out, v->line);
		trace_view_put(out, v->begin);
		trace_view_put(out, v->type);
		trace_view_put(out, v->is_text);
		trace_view_put(out, v->value);
	}
}

static void put_names(const struct trace_names *names, struct jw_buf *out)
{
	trace_view_put(out, names ? names->captured_count : 0);
	for (size_t i = 0; names && i < names->captured_count; i++) {
		uint64_t type = names->captured[i].what->type;

		trace_view_put(out, type);
		put_text(out, trace_capture_label(names, type));
	}
	trace_view_put(out, names ? names->text_count : 0);
	for (size_t i = 0; names && i < names->text_count; i++) {
		trace_view_put(out, names->texts[i].number);
		put_text(out, names->texts[i].text);
	}
}

static void put_tags(const struct trace_names *names, const struct trace_view_arrow *arrows,
		     size_t n, struct jw_buf *out)
{
	uint64_t tags[MOST_TAGS];
	size_t count = 0;

	for (size_t i = 0; i < n && count < MOST_TAGS; i++) {
		size_t at = 0;

		while (at < count && tags[at] != arrows[i].tag)
			at++;
		if (at == count)
			tags[count++] = arrows[i].tag;
	}
	trace_view_put(out, count);
	for (size_t i = 0; i < count; i++) {
		trace_view_put(out, tags[i]);
		put_text(out, trace_arrow_label(names, tags[i]));
	}
}

void trace_view_said_put(const struct trace_view_said *said, const struct trace_names *names,
			 const struct trace_view_arrow *arrows, size_t n, struct jw_buf *out)
{
	put_values(said, out);
	put_names(names, out);
	put_tags(names, arrows, n, out);
}

void trace_view_said_free(struct trace_view_said *said)
{
	jw_mem_free(said->at);
	*said = (struct trace_view_said){ 0 };
}
