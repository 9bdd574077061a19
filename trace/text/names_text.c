/*
 * names_text.c: see names_text.h.
 */
#include "trace/text/names_text.h"

#include "trace/names/said_names.h"
#include "trace/names/state_names.h"

#include "base/banned.h"

#define PIECE ((size_t)256 << 10)

static uint32_t number_in(struct trace_text_names *n, struct trace_methods *table, uint64_t id)
{
	uint64_t refused = table->refused;
	uint32_t number = trace_methods_number(table, id);

	if (table->refused > refused) /* too many: they look like the last */
		return (uint32_t)table->n - 1;
	n->failed |= number == TRACE_NO_METHOD;
	return number == TRACE_NO_METHOD ? 0 : number;
}

uint32_t trace_text_numbered(struct trace_text_names *n, uint64_t id)
{
	return number_in(n, &n->methods, id);
}

uint32_t trace_text_channel_numbered(struct trace_text_names *n, uint64_t channel)
{
	return number_in(n, &n->channels, channel);
}

void trace_text_late(struct trace_text_names *n, const struct trace_scene *scene)
{
	n->scene = scene;
	n->labels = JW_NEW_ARRAY(&n->arena, const char *, n->methods.n + 1);
	n->threads = JW_NEW_ARRAY(&n->arena, const char *, scene->thread_count + 1);
	n->states = JW_NEW_ARRAY(&n->arena, const char *, TRACE_TEXT_STATES);
	n->lanes = JW_NEW_ARRAY(&n->arena, const char *, scene->thread_count + 1);
	n->channel_labels = JW_NEW_ARRAY(&n->arena, const char *, n->channels.n + 1);
	n->failed |= !n->labels || !n->threads || !n->states || !n->lanes || !n->channel_labels;
}

void trace_text_take(struct trace_text_names *n, enum trace_name_kind what, uint64_t number,
		     struct jw_span label)
{
	const char **to = NULL;

	if (n->failed)
		return;
	if (what == TRACE_NAME_METHOD) {
		uint32_t method = trace_methods_known(&n->methods, number);

		to = method == TRACE_NO_METHOD ? NULL : &n->labels[method];
	} else if (what == TRACE_NAME_CHANNEL) {
		uint32_t channel = trace_methods_known(&n->channels, number);

		to = channel == TRACE_NO_METHOD ? NULL : &n->channel_labels[channel];
	} else if (what == TRACE_NAME_ROW && number < n->scene->thread_count) {
		to = &n->threads[number];
	} else if (what == TRACE_NAME_STATE && number < TRACE_TEXT_STATES) {
		to = &n->states[number];
	}
	if (!to || *to)
		return;
	*to = jw_arena_str(&n->arena, label);
	n->failed |= !*to;
}

static const char *known(struct trace_text_names *n, const char *name)
{
	n->failed |= !name;
	return name ? name : "";
}

const char *trace_text_method(struct trace_text_names *n, uint32_t number)
{
	if (n->labels[number])
		return n->labels[number];
	return known(n, jw_arena_fmt(&n->arena, "function %llu",
				     (unsigned long long)n->methods.m[number].id));
}

const char *trace_text_channel(struct trace_text_names *n, uint32_t number)
{
	if (n->channel_labels[number])
		return n->channel_labels[number];
	return known(n, jw_arena_fmt(&n->arena, "channel %llu",
				     (unsigned long long)n->channels.m[number].id));
}

const char *trace_text_thread(struct trace_text_names *n, uint32_t place)
{
	if (n->threads[place])
		return n->threads[place];
	return known(n, trace_unnamed_thread(&n->arena, n->scene, place));
}

const char *trace_text_lane(struct trace_text_names *n, uint32_t place)
{
	if (n->lanes[place])
		return n->lanes[place];
	const char *name = trace_text_thread(n, place);
	const char *process =
		known(n, trace_process_name(&n->arena, n->scene, n->scene->threads[place].process));

	if (*process)
		name = known(n, jw_arena_fmt(&n->arena, "%s (%s)", name, process));
	n->lanes[place] = name;
	return name;
}

const char *trace_text_state(struct trace_text_names *n, uint64_t state)
{
	if (state < TRACE_TEXT_STATES && n->states[state])
		return n->states[state];
	if (trace_state_name(state))
		return trace_state_name(state);
	return known(n, jw_arena_fmt(&n->arena, "state %llu", (unsigned long long)state));
}

void trace_text_free(struct trace_text_names *n)
{
	trace_methods_free(&n->methods);
	trace_methods_free(&n->channels);
	jw_arena_free(&n->arena);
}

/* ---- text ---- */

void trace_text_us(struct jw_buf *out, uint64_t ns)
{
	jw_put_dec(out, ns / 1000);
	if (ns % 1000)
		jw_put_fmt(out, ".%03u", (unsigned)(ns % 1000));
}

enum jw_status trace_text_send(const struct trace_destination *to, struct jw_buf *out, bool all,
			       struct jw_err *e)
{
	JW_TRY(jw_buf_finish(out, "text of the trace", e));
	if (!all && out->n < PIECE)
		return JW_OK;
	enum jw_status status = to->write(to->to, jw_buf_span(out), e);

	jw_buf_clear(out);
	return status;
}
