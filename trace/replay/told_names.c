/*
 * told_names.c: see told_names.h.
 *
 * A type of the program's own that has names for values has one for every value that occurs. Of
 * several names for one thing the first counts.
 */
#include <stdlib.h>

#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/names/state_names.h"
#include "trace/reader/reader.h"
#include "trace/replay/pass.h"
#include "trace/replay/told_names.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_TEXTS 65536

/* ---- methods, and texts by number ---- */

static bool put_methods(const struct trace_pass *p, const struct trace_methods *from,
			struct jw_arena *arena, const struct trace_named_method **out, size_t *n)
{
	struct trace_named_method *list =
		JW_NEW_ARRAY(arena, struct trace_named_method, from->n + 1);

	for (size_t i = 0; list && i < from->n; i++)
		list[i] = (struct trace_named_method){
			.id = from->m[i].id,
			.method = trace_map_find(p->map, from->m[i].id),
			.closed = trace_was_closed(p->world, from->m[i].id),
		};
	*out = list;
	*n = from->n;
	return list;
}

static struct trace_texts texts_of(const struct trace_classes *from)
{
	return (struct trace_texts){ from->texts, from->names.n };
}

/* Virtual threads by task and place among its recording's. */
static bool put_virtuals(const struct trace_pass *p, struct jw_arena *arena,
			 struct trace_texts *out)
{
	const struct trace_methods *owners = &p->told.owners;
	const char **list = JW_NEW_ARRAY(arena, const char *, owners->n + 1);

	for (size_t i = 0; list && i < owners->n; i++) {
		uint64_t key = owners->m[i].id;

		list[i] = p->world->tasks[(key >> 32) - 1].rec.virtuals[(uint32_t)key].name;
	}
	*out = (struct trace_texts){ list, owners->n };
	return list;
}

/* ---- the programs' own ---- */

/* What any program calls VALUE of TYPE, or the type itself (TRACE_NO_VALUE); "": nothing. */
static const char *label_of(const struct trace_world *w, uint32_t type, uint64_t value)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const char *label = trace_label_of(&w->tasks[i].rec, type, value);

		if (label)
			return label;
	}
	return "";
}

static int by_type(const void *a, const void *b)
{
	const struct trace_user_name *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->is_type != y->is_type)
		return x->is_type ? 1 : -1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static bool put_user(const struct trace_pass *p, struct jw_arena *arena, struct trace_names *out)
{
	const struct trace_methods *seen = &p->told.seen;
	struct trace_user_name *list = JW_NEW_ARRAY(arena, struct trace_user_name, seen->n + 1);

	for (size_t i = 0; list && i < seen->n; i++) {
		uint32_t type = (uint32_t)(seen->m[i].id >> 32), value = (uint32_t)seen->m[i].id;
		bool is_type = value == TRACE_TYPE_ITSELF;

		list[i] = (struct trace_user_name){
			.type = type,
			.is_type = is_type,
			.value = is_type ? 0 : value,
			.label = label_of(p->world, type, is_type ? TRACE_NO_VALUE : value),
			.zero = is_type ? label_of(p->world, type, 0) : "",
		};
	}
	if (list && seen->n > 1)
		qsort(list, seen->n, sizeof(*list), by_type);
	out->user = list;
	out->user_count = seen->n;
	return list;
}

/* ---- captures ---- */

static bool put_captured(const struct trace_pass *p, struct jw_arena *arena,
			 struct trace_names *out)
{
	const struct trace_told *told = &p->told;
	const struct trace_text_numbers *all = &p->world->texts;
	size_t n = !told->captured_n ? 0 : all->n < MOST_TEXTS ? all->n : MOST_TEXTS;
	struct trace_captured *list =
		JW_NEW_ARRAY(arena, struct trace_captured, told->captured_n + 1);
	struct trace_text *texts = JW_NEW_ARRAY(arena, struct trace_text, n + 1);

	if (!list || !texts)
		return false;
	for (size_t i = 0; i < told->captured_n; i++)
		list[i] = (struct trace_captured){
			told->captured[i],
			label_of(p->world, told->captured[i]->type, TRACE_NO_VALUE),
		};
	for (size_t i = 0; i < n; i++)
		texts[i] = (struct trace_text){ i + 1, all->at[i] };
	out->captured = list;
	out->captured_count = told->captured_n;
	out->texts = texts;
	out->text_count = n;
	return true;
}

/* ---- all of it ---- */

enum jw_status trace_told_names(const struct trace_pass *p, struct jw_arena *arena,
				struct trace_names *out, struct jw_err *e)
{
	const struct trace_told *told = &p->told;

	*out = (struct trace_names){
		.classes = texts_of(&told->classes),
		.places = texts_of(&told->places),
		.channels = texts_of(&told->channels),
		.threads = texts_of(&told->names),
		.links = p->world->links.at,
		.link_count = p->world->links.n,
	};
	bool put = put_methods(p, &told->methods, arena, &out->methods, &out->method_count) &&
		   put_methods(p, &told->sites, arena, &out->sites, &out->site_count) &&
		   put_virtuals(p, arena, &out->virtuals) && put_user(p, arena, out) &&
		   put_captured(p, arena, out);

	return put ? JW_OK : jw_nomem(e);
}

/* ---- labels ---- */

struct labelling {
	const struct trace_output *output;
	void *ctx;
	struct jw_buf text; /* owned */
};

static void say(struct labelling *l, enum trace_name_kind what, uint64_t number)
{
	if (l->text.failed == JW_OK)
		l->output->name(l->ctx, what, number, jw_buf_span(&l->text));
	jw_buf_clear(&l->text);
}

static void say_texts(struct labelling *l, enum trace_name_kind what,
		      const struct trace_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++) {
		trace_put_listed(&l->text, jw_span_str(texts->at[i]));
		trace_mend_name(what, (char *)l->text.p, l->text.n);
		say(l, what, i + 1);
	}
}

static void say_rows(struct labelling *l, const struct trace_scene *scene)
{
	for (uint32_t i = 0; i < scene->thread_count; i++) {
		const struct trace_scene_thread *t = &scene->threads[i];

		trace_put_name(&l->text, jw_span_str(t->name), TRACE_MAX_LABEL);
		if (l->text.n == 0)
			trace_put_unnamed(&l->text, t->number);
		say(l, TRACE_NAME_ROW, i);
	}
}

/* What captures and the program's own events are called, as a .pcf has it, and their values. */
static void say_captures(struct labelling *l, const struct trace_names *names)
{
	for (size_t i = 0; i < names->captured_count; i++) {
		const struct jw_capture *c = names->captured[i].what;
		const char *label = trace_capture_label(names, c->type);

		trace_put_listed(&l->text, jw_span_str(label && *label ? label : "Captured value"));
		say(l, TRACE_NAME_EVENT, c->type);
		for (size_t k = 0; jw_capture_is_text(c) && k < names->text_count; k++) {
			const struct trace_text *text = &names->texts[k];

			trace_put_text(&l->text, jw_span_str(text->text), c->as == JW_AS_CLASS);
			say(l, TRACE_NAME_VALUE, trace_value_number(c->type, text->number));
		}
	}
}

static void say_user(struct labelling *l, const struct trace_names *names)
{
	for (size_t i = 0; i < names->user_count; i++) {
		const struct trace_user_name *u = &names->user[i];

		if (!*u->label)
			continue;
		trace_put_listed(&l->text, jw_span_str(u->label));
		if (u->is_type)
			say(l, TRACE_NAME_EVENT, u->type);
		else
			say(l, TRACE_NAME_VALUE, trace_value_number(u->type, u->value));
	}
}

enum jw_status trace_told_labels(const struct trace_names *names, const struct trace_scene *scene,
				 const struct trace_output *output, void *ctx, struct jw_err *e)
{
	struct labelling l = { .output = output, .ctx = ctx };

	for (uint32_t i = 0; trace_state_name(i); i++) {
		jw_put_str(&l.text, trace_state_name(i));
		say(&l, TRACE_NAME_STATE, i);
	}
	for (size_t i = 0; i < names->method_count; i++) {
		trace_put_label(&l.text, names->methods[i].method, names->methods[i].id, SIZE_MAX);
		say(&l, TRACE_NAME_METHOD, i + 1);
	}
	for (size_t i = 0; i < names->site_count; i++) {
		trace_put_site(&l.text, names->sites[i].method, names->sites[i].id);
		say(&l, TRACE_NAME_SITE, i + 1);
	}
	say_texts(&l, TRACE_NAME_CLASS, &names->classes);
	say_texts(&l, TRACE_NAME_PLACE, &names->places);
	say_texts(&l, TRACE_NAME_CHANNEL, &names->channels);
	for (size_t i = 0; i < names->link_count; i++) {
		trace_put_listed(&l.text, jw_span_str(names->links[i].name));
		say(&l, TRACE_NAME_LINK, i + 1);
	}
	say_captures(&l, names);
	say_user(&l, names);
	say(&l, TRACE_NAME_FAILED, 0);
	say(&l, TRACE_NAME_SITES, 0);
	say_rows(&l, scene);
	enum jw_status status = jw_buf_finish(&l.text, "names of the trace", e);

	jw_buf_free(&l.text);
	return status;
}
