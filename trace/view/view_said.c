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
#define OWN_TEXTS    \
	(UINT64_C(1) \
	 << 40) /* numbers of texts of is_user begin here, those of captures are smaller */

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

bool trace_view_said_want(struct trace_view_said *said)
{
	said->wanted.arena = &said->arena;
	for (size_t i = 0; i < said->n; i++) {
		const struct trace_view_value *v = &said->at[i];

		if (!v->is_user)
			continue;
		trace_want(&said->wanted, TRACE_NAME_EVENT, v->type);
		trace_want(&said->wanted, TRACE_NAME_VALUE, trace_value_number(v->type, v->value));
	}
	return !said->wanted.failed;
}

void trace_view_said_name(struct trace_view_said *said, enum trace_name_kind what, uint64_t number,
			  struct jw_span label)
{
	trace_wanted_take(&said->wanted, what, number, label);
}

/* The number of the text of V, of is_user, in the page; 0: it has none. */
static uint64_t text_of(const struct trace_view_said *said, const struct trace_view_value *v)
{
	size_t place = trace_wanted_place(&said->wanted, TRACE_NAME_VALUE,
					  trace_value_number(v->type, v->value));

	return place < said->wanted.n && said->wanted.at[place].text ? OWN_TEXTS + place : 0;
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
		uint64_t text = v->is_user ? text_of(said, v) : 0;

		trace_view_put(out, v->row);
		trace_view_put(out, v->line);
		trace_view_put(out, v->begin);
		trace_view_put(out, v->type);
		trace_view_put(out, v->is_text || text);
		trace_view_put(out, text ? text : v->value);
	}
}

static size_t count_named(const struct trace_wanted *w, enum trace_name_kind what)
{
	size_t count = 0;

	for (size_t i = 0; i < w->n; i++)
		count += trace_wanted_kind(&w->at[i]) == what && w->at[i].text;
	return count;
}

/* Each of KIND that has a name, by its number; of values, that of the text. */
static void put_named(const struct trace_wanted *w, enum trace_name_kind what, struct jw_buf *out)
{
	for (size_t i = 0; i < w->n; i++) {
		if (trace_wanted_kind(&w->at[i]) != what || !w->at[i].text)
			continue;
		trace_view_put(out, what == TRACE_NAME_VALUE ? OWN_TEXTS + i
							     : trace_wanted_number(&w->at[i]));
		put_text(out, w->at[i].text);
	}
}

static void put_names(const struct trace_names *names, const struct trace_wanted *own,
		      struct jw_buf *out)
{
	trace_view_put(out,
		       (names ? names->captured_count : 0) + count_named(own, TRACE_NAME_EVENT));
	put_named(own, TRACE_NAME_EVENT, out);
	for (size_t i = 0; names && i < names->captured_count; i++) {
		uint64_t type = names->captured[i].what->type;

		trace_view_put(out, type);
		put_text(out, trace_capture_label(names, type));
	}
	trace_view_put(out, (names ? names->text_count : 0) + count_named(own, TRACE_NAME_VALUE));
	put_named(own, TRACE_NAME_VALUE, out);
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
	put_names(names, &said->wanted, out);
	put_tags(names, arrows, n, out);
}

void trace_view_said_free(struct trace_view_said *said)
{
	jw_mem_free(said->at);
	trace_wanted_free(&said->wanted);
	jw_arena_free(&said->arena);
	*said = (struct trace_view_said){ 0 };
}
