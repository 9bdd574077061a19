/*
 * wanted.c: see wanted.h.
 */
#include "trace/follow/wanted.h"

#include <string.h>

#include "trace/follow/follow.h"
#include "trace/names/said_names.h"
#include "trace/names/titles.h"
#include "trace/reader/reader.h"
#include "trace/report/object_classes.h"
#include "trace/report/stalls.h"

#include "base/banned.h"

#define KIND_SHIFT 56 /* numbers are smaller; rows are counted from 0 */

static uint64_t key_of(enum trace_name_kind what, uint64_t number)
{
	return (uint64_t)what << KIND_SHIFT | (number & ((UINT64_C(1) << KIND_SHIFT) - 1));
}

static struct trace_wanted_name *find(const struct trace_wanted *w, uint64_t key)
{
	for (struct jw_lookup_walk walk = jw_lookup_walk(&w->lookup, jw_hash_id(key));
	     jw_lookup_next(&walk);)
		if (w->at[walk.place].key == key)
			return &w->at[walk.place];
	return NULL;
}

enum trace_name_kind trace_wanted_kind(const struct trace_wanted_name *name)
{
	return (enum trace_name_kind)(name->key >> KIND_SHIFT);
}

uint64_t trace_wanted_number(const struct trace_wanted_name *name)
{
	return name->key & ((UINT64_C(1) << KIND_SHIFT) - 1);
}

size_t trace_wanted_place(const struct trace_wanted *w, enum trace_name_kind what, uint64_t number)
{
	const struct trace_wanted_name *name = find(w, key_of(what, number));

	return name ? (size_t)(name - w->at) : w->n;
}

void trace_want(struct trace_wanted *w, enum trace_name_kind what, uint64_t number)
{
	uint64_t key = key_of(what, number);

	if ((number == 0 && what != TRACE_NAME_ROW) || find(w, key))
		return;
	struct trace_wanted_name *grown = trace_grow(w->at, w->n, &w->cap, sizeof(*grown));

	w->at = grown ? grown : w->at;
	if (!grown || !jw_lookup_add(&w->lookup, jw_hash_id(key), w->n)) {
		w->failed = true;
		return;
	}
	grown[w->n++] = (struct trace_wanted_name){ key, NULL };
}

void trace_wanted_take(struct trace_wanted *w, enum trace_name_kind what, uint64_t number,
		       struct jw_span label)
{
	struct trace_wanted_name *name = find(w, key_of(what, number));

	if (!name || name->text)
		return;
	name->text = jw_arena_str(w->arena, label);
	w->failed |= !name->text;
}

const char *trace_wanted_text(const struct trace_wanted *w, enum trace_name_kind what,
			      uint64_t number)
{
	const struct trace_wanted_name *name = find(w, key_of(what, number));

	return name ? name->text : NULL;
}

/* Titles of all methods that have a name. */
static bool put_titles(struct trace_wanted *w)
{
	struct trace_titled *list = JW_NEW_ARRAY(w->arena, struct trace_titled, w->n + 1);
	const char **titles = JW_NEW_ARRAY(w->arena, const char *, w->n + 1);
	size_t n = 0;

	for (size_t i = 0; list && i < w->n; i++)
		if (trace_wanted_kind(&w->at[i]) == TRACE_NAME_METHOD && w->at[i].text)
			list[n++].label = w->at[i].text;
	if (!list || !titles || !trace_titles(list, n, w->arena))
		return false;
	n = 0;
	for (size_t i = 0; i < w->n; i++)
		if (trace_wanted_kind(&w->at[i]) == TRACE_NAME_METHOD && w->at[i].text)
			titles[i] = list[n++].title;
	w->titles = titles;
	return true;
}

const char *trace_wanted_method(struct trace_wanted *w, uint64_t number)
{
	size_t at = trace_wanted_place(w, TRACE_NAME_METHOD, number);

	if (number == 0)
		return "";
	if (at == w->n || !w->at[at].text)
		return jw_arena_fmt(w->arena, "function %llu", (unsigned long long)number);
	return w->titles || put_titles(w) ? w->titles[at] : NULL;
}

const char *trace_wanted_thread(struct trace_wanted *w, const struct trace_scene *scene,
				uint32_t at)
{
	const char *name = trace_wanted_text(w, TRACE_NAME_ROW, at);

	return name ? name : trace_unnamed_thread(w->arena, scene, at);
}

const char *trace_wanted_process(struct trace_wanted *w, const struct trace_scene *scene,
				 uint32_t at)
{
	return trace_process_name(w->arena, scene, scene->threads[at].process);
}

void trace_want_wait(struct trace_wanted *w, const struct trace_followed_wait *wait)
{
	trace_want(w, TRACE_NAME_CLASS, wait->class);
	trace_want(w, TRACE_NAME_PLACE, wait->place);
	trace_want(w, TRACE_NAME_CHANNEL, wait->channel);
	trace_want(w, TRACE_NAME_SITE, wait->site);
	trace_want(w, TRACE_NAME_METHOD, wait->method);
	trace_want(w, TRACE_NAME_METHOD, wait->ender.method);
	if (wait->ender.thread)
		trace_want(w, TRACE_NAME_ROW, wait->ender.thread - 1);
}

bool trace_wanted_wait(struct trace_wanted *w, const struct trace_followed_wait *wait,
		       struct trace_report_stall *out)
{
	const char *place = trace_wanted_text(w, TRACE_NAME_PLACE, wait->place);
	const char *site = trace_wanted_text(w, TRACE_NAME_SITE, wait->site);
	const char *class = trace_wanted_text(w, TRACE_NAME_CLASS, wait->class);
	const char *channel = trace_wanted_text(w, TRACE_NAME_CHANNEL, wait->channel);
	struct trace_site_name name = { "", "", "", "", 0 };
	const char *label = place ? place : site;

	if (label && !trace_site_read(w->arena, jw_span_str(label), &name))
		return false;
	if (!class)
		class = trace_object_is_thread(wait->object) ? "java.lang.Thread" : "";
	*out = (struct trace_report_stall){
		.method = label ? name.caller : trace_wanted_method(w, wait->method),
		.source = name.source,
		.line = name.line,
		.callee = wait->how == TRACE_REPORT_CALL ? name.callee : "",
		.how = wait->how,
		.channel = channel ? channel : "",
		.class_name = class,
		.class_number = trace_object_class(wait->object),
		.object = wait->object & TRACE_OBJECT_IDENTITY,
		.objects = wait->object > 0,
	};
	return out->method;
}

void trace_wanted_free(struct trace_wanted *w)
{
	jw_mem_free(w->at);
	jw_lookup_free(&w->lookup);
	*w = (struct trace_wanted){ 0 };
}
