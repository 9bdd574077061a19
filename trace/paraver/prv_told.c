/*
 * prv_told.c: see prv_told.h.
 */
#include "trace/names/label.h"
#include "trace/paraver/prv_told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/prv_types.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/prv_names.h"

#include "base/banned.h"

static const struct jw_growth grow = { NULL, 0, 0 };

/* ---- what the .pcf has, in its order ---- */

struct one_type {
	uint32_t number;
	struct jw_span label;
	size_t first, n; /* its values */
};

struct one_value {
	uint32_t value;
	struct jw_span label;
};

struct texts {
	const char **at; /* in the arena of the told */
	size_t n, room;
};

struct reading {
	struct trace_prv_told *told;
	const struct trace_prv_types *types;
	struct {
		struct one_type *at; /* owned */
		size_t n, room;
	} own; /* types that are captures, or the program's own */
	struct {
		struct one_value *at; /* owned */
		size_t n, room;
	} values;
	struct {
		struct trace_text *at; /* in the arena of the told */
		size_t n, room;
	} texts;
	struct texts threads, virtuals, links;
	struct jw_err why;
};

static const char *keep(struct reading *r, struct jw_span label)
{
	const char *kept = jw_arena_str(&r->told->arena, label);

	if (!kept && r->why.status == JW_OK)
		(void)jw_nomem(&r->why);
	return kept ? kept : "";
}

/* Names with numbers are listed from 1 on, without a gap. */
static void take_text(struct reading *r, struct texts *texts, uint64_t value, struct jw_span label)
{
	if (value == texts->n + 1 && JW_GROW_IN(&r->told->arena, texts, &grow, &r->why) == JW_OK)
		texts->at[texts->n++] = keep(r, label);
}

static void take_own(struct reading *r, uint64_t number, uint64_t value, struct jw_span label)
{
	if (number > UINT32_MAX)
		return;
	if (value == TRACE_PCF_TYPE) {
		if (JW_GROW(&r->own, &grow, &r->why) == JW_OK)
			r->own.at[r->own.n++] = (struct one_type){ .number = (uint32_t)number,
								   .label = label,
								   .first = r->values.n };
	} else if (value <= UINT32_MAX && r->own.n && r->own.at[r->own.n - 1].number == number &&
		   JW_GROW(&r->values, &grow, &r->why) == JW_OK) {
		r->values.at[r->values.n++] = (struct one_value){ (uint32_t)value, label };
		r->own.at[r->own.n - 1].n++;
	}
}

static void take_name(void *ctx, uint64_t number, uint64_t value, struct jw_span label)
{
	struct reading *r = ctx;
	const struct trace_prv_is_type *type = trace_prv_type(r->types, number);

	if (number == TRACE_PCF_STATE || r->why.status != JW_OK)
		return;
	if (type->is == TRACE_PRV_IS_USER)
		take_own(r, number, value, label);
	else if (type->is == TRACE_PRV_IS_EVENT && type->place == TRACE_TYPE_THREAD_NAME)
		take_text(r, &r->threads, value, label);
	else if (type->is == TRACE_PRV_IS_EVENT && type->place == TRACE_TYPE_VIRTUAL_NAME)
		take_text(r, &r->virtuals, value, label);
	else if (type->is == TRACE_PRV_IS_EVENT && type->place == TRACE_TYPE_LINK)
		take_text(r, &r->links, value, label);
}

/* ---- what a label says ---- */

/* Cuts END off *LABEL; false: it does not end so. */
static bool cut(struct jw_span *label, const char *end)
{
	struct jw_span what = jw_span_str(end);

	if (label->n <= what.n || !jw_span_ends(*label, what))
		return false;
	label->n -= what.n;
	return true;
}

/* Cuts the number off, and what comes before it, into *MARK; false: it is no capture's. */
static bool cut_mark(struct jw_span *label, uint64_t type, const char **mark)
{
	static const char *const marks[] = { TRACE_PCF_ONE_MORE, TRACE_PCF_HELD_OBJECT,
					     TRACE_PCF_OBJECT };
	char number[32];

	snprintf(number, sizeof(number), " (%llu)", (unsigned long long)type);
	*mark = "";
	if (!cut(label, number))
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks) && !**mark; i++)
		if (cut(label, marks[i]))
			*mark = marks[i];
	return true;
}

struct jw_span trace_prv_told_label(struct jw_span label, uint64_t type)
{
	const char *mark;

	(void)!cut_mark(&label, type, &mark);
	return label;
}

/* The name of the value 0 among those of TYPE; "": it has none. */
static struct jw_span zero_of(const struct reading *r, const struct one_type *type)
{
	for (size_t i = 0; i < type->n; i++)
		if (r->values.at[type->first + i].value == 0)
			return r->values.at[type->first + i].label;
	return JW_SPAN_LIT("");
}

/* Is each value called one less than it is? GAP: they are not 1, 2, 3 .., as those of texts are. */
static bool is_one_more(const struct reading *r, const struct one_type *type, bool *gap)
{
	size_t n = 0;

	*gap = false;
	for (size_t i = 0; i < type->n; i++) {
		const struct one_value *v = &r->values.at[type->first + i];
		struct jw_span label = v->label;
		uint64_t number;

		if (v->value == 0)
			continue;
		if (!trace_take_number(&label, &number) || label.n || number + 1 != v->value)
			return false;
		*gap |= v->value != ++n;
	}
	return true;
}

/* ---- captures ---- */

static void put_texts(struct reading *r, const struct one_type *type, uint32_t place)
{
	for (size_t i = 0; i < type->n && r->why.status == JW_OK; i++) {
		const struct one_value *v = &r->values.at[type->first + i];
		bool empty = jw_span_eq_str(v->label, TRACE_EMPTY_TEXT);

		if (v->value && JW_GROW_IN(&r->told->arena, &r->texts, &grow, &r->why) == JW_OK)
			r->texts.at[r->texts.n++] =
				(struct trace_text){ (uint64_t)place << 32 | v->value,
						     empty ? "" : keep(r, v->label) };
	}
}

/* What the values of TYPE are, of which the label has MARK. */
static struct trace_prv_capture what_is(const struct reading *r, const struct one_type *type,
					const char *mark)
{
	struct trace_prv_capture c = { .what = { .as = JW_AS_VALUE, .type = type->number } };
	struct jw_span zero = zero_of(r, type);
	bool gap = false, holds = jw_span_eq_str(zero, TRACE_PCF_NOT_HELD);
	bool object = !strcmp(mark, TRACE_PCF_OBJECT) || !strcmp(mark, TRACE_PCF_HELD_OBJECT);

	if (object) {
		c.what.as = JW_AS_IDENTITY;
		holds = !strcmp(mark, TRACE_PCF_HELD_OBJECT);
	} else if (!strcmp(mark, TRACE_PCF_ONE_MORE)) {
		holds = true;
	} else if (type->n && is_one_more(r, type, &gap) && (holds || gap)) {
		holds = true;
	} else if (type->n) {
		c.what.as = JW_AS_STRING;
	}
	c.what.hold = holds ? JW_HOLD_CALL : JW_HOLD_NOT;
	c.has_null =
		!holds && (!jw_capture_is_text(&c.what) || jw_span_eq_str(zero, TRACE_PCF_NULL));
	return c;
}

/* ---- the program's own ---- */

/* "value 5", "User event 7": no name. */
static const char *own_label(struct reading *r, struct jw_span label, const char *plain,
			     uint32_t number)
{
	char none[48];

	snprintf(none, sizeof(none), "%s %u", plain, number);
	return jw_span_eq_str(label, none) ? "" : keep(r, label);
}

static int by_value(const void *a, const void *b)
{
	const struct trace_user_name *x = a, *y = b;

	if (x->is_type != y->is_type)
		return x->is_type ? 1 : -1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* In order of values; 0 is told with the type. */
static size_t put_own(struct reading *r, const struct one_type *type, struct trace_user_name *out)
{
	struct jw_span zero = zero_of(r, type);
	size_t n = 0;

	for (size_t i = 0; i < type->n; i++) {
		const struct one_value *v = &r->values.at[type->first + i];

		if (v->value)
			out[n++] = (struct trace_user_name){
				.type = type->number,
				.value = v->value,
				.label = own_label(r, v->label, "value", v->value),
				.zero = "",
			};
	}
	out[n++] = (struct trace_user_name){
		.type = type->number,
		.is_type = true,
		.label = own_label(r, type->label, "User event", type->number),
		.zero = jw_span_eq_str(zero, "End") ? "" : keep(r, zero),
	};
	if (n > 1)
		qsort(out, n, sizeof(*out), by_value);
	return n;
}

/* ---- all of it ---- */

static int by_number(const void *a, const void *b)
{
	const struct one_type *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static int by_type(const void *a, const void *b)
{
	const struct trace_prv_capture *x = a, *y = b;

	return x->what.type < y->what.type ? -1 : x->what.type > y->what.type;
}

static void put_types(struct reading *r, struct trace_captured *captured,
		      struct trace_user_name *user)
{
	struct trace_prv_told *told = r->told;
	uint32_t places = 0;
	size_t users = 0;

	if (r->own.n > 1)
		qsort(r->own.at, r->own.n, sizeof(*r->own.at), by_number);
	for (size_t i = 0; i < r->own.n && r->why.status == JW_OK; i++) {
		const struct one_type *type = &r->own.at[i];
		struct trace_prv_capture *c = &told->captures[told->capture_count];
		struct jw_span label = type->label;
		const char *mark;

		if (!cut_mark(&label, type->number, &mark)) {
			users += put_own(r, type, &user[users]);
			continue;
		}
		*c = what_is(r, type, mark);
		c->what.label = jw_span_eq_str(label, TRACE_PCF_CAPTURED) ? "" : keep(r, label);
		c->place = jw_capture_is_text(&c->what) ? places++ : 0;
		if (jw_capture_is_text(&c->what))
			put_texts(r, type, c->place);
		captured[told->capture_count++] = (struct trace_captured){ &c->what, "" };
	}
	told->names.user = user;
	told->names.user_count = users;
	told->names.captured = captured;
	told->names.captured_count = told->capture_count;
}

static void put_links(struct reading *r)
{
	struct trace_link_count *links =
		JW_NEW_ARRAY(&r->told->arena, struct trace_link_count, r->links.n + 1);

	for (size_t i = 0; links && i < r->links.n; i++)
		links[i] = (struct trace_link_count){ .name = r->links.at[i] };
	if (!links && r->why.status == JW_OK)
		(void)jw_nomem(&r->why);
	r->told->names.links = links;
	r->told->names.link_count = links ? r->links.n : 0;
}

enum jw_status trace_prv_told_read(struct trace_prv_told *told, struct jw_span pcf,
				   const struct trace_prv_types *types, struct jw_err *e)
{
	struct reading r = { .told = told, .types = types };

	trace_pcf_each(pcf, take_name, &r);
	struct trace_captured *captured =
		JW_NEW_ARRAY(&told->arena, struct trace_captured, r.own.n + 1);
	struct trace_user_name *user =
		JW_NEW_ARRAY(&told->arena, struct trace_user_name, r.own.n + r.values.n + 1);

	told->captures = JW_NEW_ARRAY(&told->arena, struct trace_prv_capture, r.own.n + 1);
	if ((!captured || !user || !told->captures) && r.why.status == JW_OK)
		(void)jw_nomem(&r.why);
	if (r.why.status == JW_OK)
		put_types(&r, captured, user);
	if (r.why.status == JW_OK)
		put_links(&r);
	told->names.texts = r.texts.at;
	told->names.text_count = r.texts.n;
	told->names.threads = (struct trace_texts){ r.threads.at, r.threads.n };
	told->names.virtuals = (struct trace_texts){ r.virtuals.at, r.virtuals.n };
	jw_mem_free(r.own.at);
	jw_mem_free(r.values.at);
	if (r.why.status != JW_OK && e)
		*e = r.why;
	return r.why.status;
}

const struct trace_prv_capture *trace_prv_told_capture(const struct trace_prv_told *told,
						       uint64_t type)
{
	const struct trace_prv_capture wanted = { .what = { .type = (uint32_t)type } };

	if (type > UINT32_MAX || !told->capture_count)
		return NULL;
	return bsearch(&wanted, told->captures, told->capture_count, sizeof(wanted), by_type);
}

void trace_prv_told_free(struct trace_prv_told *told)
{
	jw_arena_free(&told->arena);
	*told = (struct trace_prv_told){ 0 };
}
