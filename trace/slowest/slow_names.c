/*
 * slow_names.c: see slow_names.h.
 */
#include "trace/slowest/slow_names.h"

#include "base/memory.h"

#include "base/banned.h"

void trace_slow_want(const struct trace_slow_naming *naming, const struct trace_slow_kept *kept)
{
	trace_want(naming->names, TRACE_NAME_METHOD, kept->method);
	trace_want(naming->names, TRACE_NAME_ROW, kept->at);
	for (size_t i = 0; i < kept->stack_count; i++)
		trace_want(naming->names, TRACE_NAME_METHOD, kept->stack[i]);
	for (size_t i = 0; i < kept->part_count; i++)
		trace_want_wait(naming->names, &kept->parts[i].wait);
	if (kept->outer_count)
		trace_want(naming->names, TRACE_NAME_METHOD, kept->outer);
	for (size_t i = 0; i < kept->said_count + kept->outer_count; i++) {
		const struct trace_slow_value *v = &kept->said[i];

		trace_want(naming->names, TRACE_NAME_EVENT, v->type);
		trace_want(naming->names, TRACE_NAME_VALUE, trace_value_number(v->type, v->value));
	}
	for (uint32_t way = kept->within; way != kept->way;
	     way = naming->usual->tree.at[way].parent)
		trace_want(naming->names, TRACE_NAME_METHOD,
			   trace_usual_method(naming->usual, way));
}

/* Who ended the waits that SUM is of, the longest first. */
static bool name_enders(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
			const struct trace_slow_entry *sum, struct trace_slow_part *out)
{
	struct trace_slow_ender *enders =
		JW_NEW_ARRAY(s->names->arena, struct trace_slow_ender, c->part_count + 1);
	bool good = enders;

	for (size_t i = 0; good && i < c->part_count; i++) {
		const struct trace_slow_entry *entry = &c->parts[i];
		const struct trace_followed_ender *ender = &entry->wait.ender;
		struct trace_slow_ender *to = &enders[out->ender_count];

		if (!ender->thread || trace_slow_by_kind(entry, sum) != 0)
			continue;
		const struct trace_scene_thread *t = &s->scene->threads[ender->thread - 1];

		*to = (struct trace_slow_ender){
			.name = trace_wanted_thread(s->names, s->scene, ender->thread - 1),
			.process = trace_wanted_process(s->names, s->scene, ender->thread - 1),
			.task = s->scene->processes[t->process].number,
			.number = t->number,
			.method = trace_wanted_method(s->names, ender->method),
			.count = entry->count,
			.ns = entry->wait.ender.ns,
		};
		good = to->name && to->process && to->method;
		out->ender_count++;
	}
	out->enders = enders;
	return good;
}

static bool name_part(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
		      const struct trace_slow_entry *sum, struct trace_slow_part *out)
{
	*out = (struct trace_slow_part){ .io = sum->io, .bytes = sum->bytes, .rest = sum->rest };
	if (!trace_wanted_wait(s->names, &sum->wait, &out->wait))
		return false;
	out->wait.count = sum->count;
	out->wait.ns = sum->wait.ns;
	out->wait.longest_ns = sum->longest_ns;
	return name_enders(s, c, sum, out);
}

/* A part for all that are of one kind. */
static bool name_parts(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
		       struct trace_slow_call *out)
{
	struct jw_arena *arena = s->names->arena;
	size_t n = c->part_count;
	struct trace_slow_entry *sums = JW_NEW_ARRAY(arena, struct trace_slow_entry, n + 1);
	struct trace_slow_part *parts = JW_NEW_ARRAY(arena, struct trace_slow_part, n + 1);
	bool good = sums && parts;

	for (size_t i = 0; good && i < n; i++)
		sums[i] = c->parts[i];
	out->part_count = good ? trace_slow_join(sums, n) : 0;
	for (size_t i = 0; good && i < out->part_count; i++)
		good = name_part(s, c, &sums[i], &parts[i]);
	out->parts = parts;
	return good;
}

static bool name_said(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
		      struct trace_slow_call *out)
{
	size_t n = c->said_count + c->outer_count;
	struct trace_slow_note *said = JW_NEW_ARRAY(s->names->arena, struct trace_slow_note, n + 1);

	for (size_t i = 0; said && i < n; i++) {
		const struct trace_slow_value *v = &c->said[i];
		const char *label = trace_wanted_text(s->names, TRACE_NAME_EVENT, v->type);

		said[i] = (struct trace_slow_note){
			.label = label ? label
				       : jw_arena_fmt(s->names->arena, "event %llu",
						      (unsigned long long)v->type),
			.text = trace_wanted_text(s->names, TRACE_NAME_VALUE,
						  trace_value_number(v->type, v->value)),
			.value = v->value,
			.count = v->count,
		};
		if (!said[i].label)
			return false;
	}
	out->said = said;
	out->said_count = c->said_count;
	out->outer_said = said ? said + c->said_count : NULL;
	out->outer_count = c->outer_count;
	out->outer = c->outer_count ? trace_wanted_method(s->names, c->outer) : "";
	return said && out->outer;
}

static bool name_lists(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
		       struct trace_slow_call *out)
{
	const char **stack = JW_NEW_ARRAY(s->names->arena, const char *, c->stack_count + 1);
	bool good = stack;

	for (size_t i = 0; good && i < c->stack_count; i++) {
		stack[i] = trace_wanted_method(s->names, c->stack[i]);
		good = stack[i];
	}
	out->stack = stack;
	return good && name_parts(s, c, out) && name_said(s, c, out);
}

/* What took most of it, down from the call itself. */
static bool name_within(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
			struct trace_slow_call *out)
{
	size_t n = 0;

	for (uint32_t way = c->within; way != c->way; way = s->usual->tree.at[way].parent)
		n++;
	const char **within = JW_NEW_ARRAY(s->names->arena, const char *, n + 1);
	bool good = within;

	out->within = within;
	out->within_count = n;
	for (uint32_t way = c->within; good && n > 0; way = s->usual->tree.at[way].parent) {
		uint64_t method = trace_usual_method(s->usual, way);

		within[--n] = method ? trace_wanted_method(s->names, method) : "others";
		good = within[n];
	}
	return good;
}

bool trace_slow_name(const struct trace_slow_naming *s, const struct trace_slow_kept *c,
		     struct trace_slow_call *out)
{
	const struct trace_scene *scene = s->scene;
	const struct trace_scene_thread *t = &scene->threads[c->at];
	const char *label = trace_wanted_text(s->names, TRACE_NAME_METHOD, c->method);

	*out = (struct trace_slow_call){
		.method = trace_wanted_method(s->names, c->method),
		.begin = c->begin,
		.ns = c->ns,
		.thread = trace_wanted_thread(s->names, scene, c->at),
		.process = trace_wanted_process(s->names, scene, c->at),
		.place = c->at,
		.task = scene->processes[t->process].number,
		.number = t->number,
		.failed = c->failed,
		.open = c->open,
		.little_else = c->little_else,
		.inside = c->inside,
		.pauses = c->pauses,
		.stack_count = c->stack_count,
		.stack_all = c->stack_all,
		.usual_ns = trace_usual_ns(s->usual, c->way),
		.over_ns = c->over,
		.first = trace_usual_is_first(s->usual, c->way, c->begin),
		.of = s->usual->ways[c->way].took.n,
		.within_ns = c->within_ns,
	};
	out->label = label ? label : out->method;
	return out->method && out->thread && out->process && name_lists(s, c, out) &&
	       name_within(s, c, out);
}
