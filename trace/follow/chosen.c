/*
 * chosen.c: see chosen.h.
 */
#include "trace/follow/chosen.h"

#include "trace/format/methodmap.h"
#include "trace/ignore.h"
#include "trace/names/label_read.h"
#include "trace/names/untraced.h"

#include "base/banned.h"

static void ask(struct trace_chosen *c, uint64_t number, const char *class_name, const char *name,
		const char *descriptor)
{
	c->named += *class_name != 0;
	if (c->chooses(c->ctx, class_name, name, descriptor))
		c->failed |= trace_methods_number(&c->methods, number) == TRACE_NO_METHOD;
}

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx;
	(void)scene;
	(void)e;
	return JW_OK;
}

static void pass_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	(void)ctx;
	(void)at;
	(void)time;
	(void)method;
}

static void pass_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	(void)ctx;
	(void)at;
	(void)time;
	(void)failed;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_chosen *c = ctx;

	return c->failed ? jw_nomem(e) : JW_OK;
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_chosen *c = ctx;
	struct trace_method_words names = { 0 };
	struct jw_arena arena = { 0 };

	if ((what == TRACE_NAME_PLACE || what == TRACE_NAME_SITE) && c->said && !c->untraced)
		c->untraced = trace_untraced(&c->arena, c->said, label);
	const char *text = what == TRACE_NAME_METHOD ? jw_arena_str(&arena, label) : "";

	if (what != TRACE_NAME_METHOD)
		return;
	if (!text || !trace_label_read(&arena, text, &names))
		c->failed = true;
	else
		ask(c, number, names.class_name, names.name, names.descriptor);
	jw_arena_free(&arena);
}

/* Of recordings the whole names: labels may be cut. */
static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_chosen *c = ctx;

	for (size_t i = 0; names && i < names->method_count; i++) {
		const struct trace_method *m = names->methods[i].method;

		if (m)
			ask(c, i + 1, m->class_name, m->name, m->descriptor);
	}
	return check(c, e);
}

const struct trace_output trace_chosen_output = {
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = pass_enter,
	.leave = pass_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.name = take_name,
	.end = finish,
};

bool trace_chosen_has(const void *chosen, uint64_t method)
{
	const struct trace_chosen *c = chosen;

	return trace_methods_known(&c->methods, method) != TRACE_NO_METHOD;
}

void trace_chosen_free(struct trace_chosen *c)
{
	trace_methods_free(&c->methods);
	jw_arena_free(&c->arena);
}
