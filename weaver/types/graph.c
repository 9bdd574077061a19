#include "weaver/types/graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cfr/class.h"

#include "base/banned.h"

enum { NOTE_MAX = 1024 };
enum { FIRST_ROOM = 8192 }; /* the types of the JDK fit, and no small jar makes it grow */

static uint32_t *bucket_of(const struct weave_types *t, struct jw_span name)
{
	return &t->buckets[jw_hash64(name, 0) & t->mask];
}

uint32_t weave_types_find(const struct weave_types *t, struct jw_span name)
{
	uint32_t node = t->buckets ? *bucket_of(t, name) : 0;

	while (node && !jw_span_eq(t->nodes[node].name, name))
		node = t->nodes[node].next;
	return node;
}

static bool grow(struct weave_types *t)
{
	uint32_t room = t->room ? t->room * 2 : FIRST_ROOM;
	struct weave_type_node *nodes = jw_mem_realloc(t->nodes, room * sizeof *nodes);
	uint32_t *buckets;

	if (!nodes)
		return false;
	t->nodes = nodes;
	buckets = jw_mem_zalloc(room, sizeof *buckets);
	if (!buckets)
		return false;
	jw_mem_free(t->buckets);
	t->buckets = buckets;
	t->mask = room - 1;
	t->room = room;
	t->count = t->count ? t->count : 1;
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t *bucket = bucket_of(t, nodes[i].name);

		nodes[i].next = *bucket;
		*bucket = i;
	}
	return true;
}

uint32_t weave_types_node(struct weave_types *t, struct jw_span name)
{
	uint32_t node = weave_types_find(t, name), *bucket;
	const char *copy;

	if (node)
		return node;
	if (t->count == t->room && !grow(t))
		return 0;
	copy = jw_arena_str(&t->arena, name);
	if (!copy)
		return 0;
	node = t->count++;
	bucket = bucket_of(t, name);
	memset(&t->nodes[node], 0, sizeof *t->nodes);
	t->nodes[node].name = jw_span(copy, name.n);
	t->nodes[node].next = *bucket;
	*bucket = node;
	return node;
}

enum jw_status weave_types_define(struct weave_types *t, struct jw_span name,
				  const struct jw_span *supers, size_t count, struct jw_err *e)
{
	uint32_t node = weave_types_node(t, name), *list;

	if (!node)
		return jw_nomem(e);
	if (t->nodes[node].known)
		return JW_OK;
	list = JW_NEW_ARRAY(&t->arena, uint32_t, count + 1);
	if (!list)
		return jw_nomem(e);
	for (size_t i = 0; i < count; i++) {
		list[i] = weave_types_node(t, supers[i]);
		if (!list[i])
			return jw_nomem(e);
		if (!t->nodes[list[i]].by)
			t->nodes[list[i]].by = node;
	}
	t->nodes[node].supers = list;
	t->nodes[node].super_count = (uint32_t)count;
	t->nodes[node].known = true;
	return JW_OK;
}

enum jw_status weave_types_define_class(struct weave_types *t, struct jw_span bytes,
					struct jw_arena *scratch, struct jw_err *e)
{
	struct cfr_class cls;
	enum jw_status status;
	struct jw_span *supers;
	size_t n = 0;

	jw_arena_reset(scratch);
	status = cfr_class_peek(bytes, scratch, &cls, e);
	if (status == JW_NOMEM || status == JW_BUG)
		return status;
	if (status != JW_OK || (cls.access & CFR_ACC_MODULE))
		return JW_OK; /* weaving will say it */
	supers = JW_NEW_ARRAY(scratch, struct jw_span, (size_t)cls.interface_count + 1);
	if (!supers)
		return jw_nomem(e);
	if (cls.super.n > 0)
		supers[n++] = cls.super;
	for (uint16_t i = 0; i < cls.interface_count; i++)
		supers[n++] = cfr_class_interface(&cls, i);
	return weave_types_define(t, cls.name, supers, n, e);
}

enum jw_status weave_types_note(struct weave_types *t, struct jw_err *e, const char *fmt, ...)
{
	char text[NOTE_MAX];
	const char *copy;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	copy = jw_arena_str(&t->arena, jw_span_str(text));
	if (!copy)
		return jw_nomem(e);
	jw_put_bytes(&t->notes, jw_span(&copy, sizeof copy));
	return jw_buf_finish(&t->notes, "notes", e);
}
