/*
 * said_names.c: see said_names.h.
 */
#include "trace/names/said_names.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/operations.h"
#include "trace/output.h"

#include "base/banned.h"

const char *trace_operation_label(uint64_t type, uint64_t number)
{
	for (const struct jw_operation *op = jw_operations; op->word; op++)
		if (op->type == type && op->number == number)
			return op->label;
	return NULL;
}

const char *trace_arrow_label(const struct trace_names *names, uint64_t tag)
{
	uint64_t link = tag > TRACE_LINK_TAG ? tag - TRACE_LINK_TAG : 0;

	if (link)
		return names && link - 1 < names->link_count ? names->links[link - 1].name : NULL;
	return tag >= 100 ? trace_operation_label(tag / 100 - 1, tag % 100) : NULL;
}

const char *trace_user_label(const struct trace_names *names, uint64_t type)
{
	for (size_t i = 0; names && i < names->user_count; i++)
		if (names->user[i].is_type && names->user[i].type == type)
			return names->user[i].label;
	return NULL;
}

const char *trace_capture_label(const struct trace_names *names, uint64_t type)
{
	for (size_t i = 0; names && i < names->captured_count; i++) {
		const struct jw_capture *c = names->captured[i].what;

		if (c->type == type)
			return c->label && *c->label ? c->label : names->captured[i].label;
	}
	return NULL;
}

#define UNNAMED "unnamed %u"

void trace_put_unnamed(struct jw_buf *out, uint32_t number)
{
	jw_put_fmt(out, UNNAMED, number);
}

const char *trace_unnamed_thread(struct jw_arena *arena, const struct trace_scene *scene,
				 uint32_t at)
{
	return jw_arena_fmt(arena, UNNAMED, scene->threads[at].number);
}
