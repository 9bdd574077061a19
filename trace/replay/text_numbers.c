/*
 * text_numbers.c: see text_numbers.h.
 */
#include <string.h>

#include "base/bytes.h"
#include "trace/reader/reader.h"
#include "trace/replay/text_numbers.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* The number of TEXT, a new one if need be; 0: no memory. */
static uint32_t number_of(struct trace_text_numbers *all, const char *text)
{
	uint32_t hash = jw_hash_id(jw_hash64(jw_span_str(text), 0));

	for (struct jw_lookup_walk w = jw_lookup_walk(&all->lookup, hash); jw_lookup_next(&w);)
		if (strcmp(all->at[w.place], text) == 0)
			return w.place + 1;
	const char **grown = trace_grow(all->at, all->n, &all->cap, sizeof(*grown));

	if (!grown)
		return 0;
	all->at = grown;
	if (all->n >= UINT32_MAX - 1 || !jw_lookup_add(&all->lookup, hash, all->n))
		return 0;
	grown[all->n++] = text;
	return (uint32_t)all->n;
}

/* They are told in order; what is not is damage. */
static bool add_texts(struct trace_text_numbers *all, struct trace_task *t)
{
	struct trace_own_texts *own = &t->texts;

	for (size_t i = 0; i < t->rec.label_count; i++) {
		const struct trace_event_label *label = &t->rec.labels[i];
		uint64_t last = own->n ? own->at[own->n - 1].own : 0;

		if (label->type != TRACE_TEXT_TYPE || label->value <= last)
			continue;
		struct trace_own_text *grown =
			trace_grow(own->at, own->n, &own->cap, sizeof(*grown));
		uint32_t number = number_of(all, label->text);

		own->at = grown ? grown : own->at;
		if (!grown || !number)
			return false;
		grown[own->n++] = (struct trace_own_text){ label->value, number };
	}
	return true;
}

bool trace_text_numbers_open(struct trace_world *w)
{
	for (size_t i = 0; i < w->task_count; i++)
		if (!add_texts(&w->texts, &w->tasks[i]))
			return false;
	return true;
}

uint32_t trace_text_number_of_others(struct trace_world *w)
{
	return number_of(&w->texts, "(others)");
}

void trace_text_numbers_close(struct trace_world *w)
{
	for (size_t i = 0; i < w->task_count; i++) {
		jw_mem_free(w->tasks[i].texts.at);
		w->tasks[i].texts = (struct trace_own_texts){ 0 };
	}
	jw_mem_free(w->texts.at);
	jw_lookup_free(&w->texts.lookup);
	w->texts = (struct trace_text_numbers){ 0 };
}

uint32_t trace_text_number_of(const struct trace_task *t, uint64_t own)
{
	size_t low = 0, high = t->texts.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->texts.at[middle].own < own)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->texts.n && t->texts.at[low].own == own ? t->texts.at[low].number : 0;
}
