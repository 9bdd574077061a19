/*
 * class_numbers.c: classes that events name, and places: dense numbers in order of their
 * appearance, for the .pcf. Each is known by its name, so that those of several processes are one.
 */
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

const char *trace_name_of_class(const struct trace_task *task, uint32_t hash)
{
	const struct trace_recording *rec = &task->rec;

	for (size_t i = 0; i < rec->class_count; i++)
		if (rec->classes[i].id == hash)
			return rec->classes[i].name;
	return NULL; /* no JVM TI, or more classes than the recorder names */
}

const struct trace_named *trace_place_named(const struct trace_task *task, uint32_t number)
{
	const struct trace_recording *rec = &task->rec;

	for (size_t i = 0; i < rec->place_count; i++)
		if ((uint32_t)rec->places[i].id == number)
			return &rec->places[i];
	return NULL;
}

const char *trace_name_of_place(const struct trace_task *task, uint32_t number)
{
	const struct trace_named *found = trace_place_named(task, number);

	return found ? found->name : NULL;
}

static const char *name_of_channel(const struct trace_task *task, uint32_t number)
{
	const struct trace_channel *found = trace_channel_find(&task->rec, number);

	return found && found->name[0] ? found->name : "unknown";
}

uint64_t trace_text_hash(const char *text)
{
	return jw_hash64(jw_span_str(text), 0);
}

uint32_t trace_text_number(struct trace_pass *p, struct trace_classes *all, const char *text)
{
	size_t before = all->names.n;
	uint32_t number = trace_methods_number(&all->names, trace_text_hash(text));

	if (number != TRACE_NO_METHOD && all->names.n > before) {
		const char **grown = trace_grow(all->texts, before, &all->cap, sizeof(*grown));

		if (!grown)
			number = TRACE_NO_METHOD;
		else
			(all->texts = grown)[before] = text;
	}
	p->failed |= number == TRACE_NO_METHOD;
	return number == TRACE_NO_METHOD ? 0 : number + 1;
}

uint32_t trace_class_of_name(struct trace_pass *p, const char *name)
{
	return trace_text_number(p, &p->told.classes, name);
}

static uint64_t key_of(const struct trace_task *task, uint32_t number)
{
	return (uint64_t)task->number << 32 | number;
}

static uint32_t class_number(uint64_t object)
{
	return (uint32_t)(object >> JWR_HASH_BITS) & JWR_CLASS_NUMBER_MASK;
}

static bool is_known(const struct trace_classes *c, const struct trace_task *task, uint32_t number)
{
	return trace_methods_known(&c->keys, key_of(task, number)) != TRACE_NO_METHOD;
}

bool trace_class_is_known(const struct trace_pass *p, const struct trace_task *task,
			  uint64_t object)
{
	if (object & JWR_OBJECT_THREAD)
		return trace_methods_known(&p->told.classes.names,
					   trace_text_hash("java.lang.Thread")) != TRACE_NO_METHOD;
	return is_known(&p->told.classes, task, class_number(object));
}

bool trace_class_is_named(const struct trace_pass *p, const struct trace_task *task,
			  uint64_t object)
{
	const struct trace_methods *keys = &p->told.classes.keys;
	uint32_t at = trace_methods_known(keys, key_of(task, class_number(object)));

	return at != TRACE_NO_METHOD && keys->m[at].calls;
}

bool trace_place_is_known(const struct trace_pass *p, const struct trace_task *task,
			  uint32_t number)
{
	return is_known(&p->told.places, task, number);
}

bool trace_channel_is_known(const struct trace_pass *p, const struct trace_task *task,
			    uint32_t number)
{
	return is_known(&p->told.channels, task, number);
}

/* The value of what NUMBER is in TASK's recording, as NAME says; 0: it has no name. */
static uint32_t named(struct trace_pass *p, struct trace_classes *c, const struct trace_task *task,
		      uint32_t number,
		      const char *(*name)(const struct trace_task *task, uint32_t number))
{
	size_t before = c->keys.n;
	uint32_t at = trace_methods_number(&c->keys, key_of(task, number));

	if (at == TRACE_NO_METHOD) {
		p->failed = true;
		return 0;
	}
	if (c->keys.n > before) {
		const char *text = name(task, number);

		c->keys.m[at].calls = text ? trace_text_number(p, c, text) : 0;
	}
	return (uint32_t)c->keys.m[at].calls;
}

const char *trace_object_class_name(const struct trace_task *task, uint64_t object)
{
	return object & JWR_OBJECT_THREAD ? "java.lang.Thread"
					  : trace_name_of_class(task, class_number(object));
}

uint32_t trace_class_told(struct trace_pass *p, const struct trace_task *task, uint64_t object)
{
	if (object & JWR_OBJECT_THREAD)
		return trace_class_of_name(p, "java.lang.Thread");
	return named(p, &p->told.classes, task, class_number(object), trace_name_of_class);
}

uint32_t trace_class_of_object(struct trace_pass *p, const struct trace_task *task, uint64_t object)
{
	uint32_t class =
		named(p, &p->told.classes, task, class_number(object), trace_name_of_class);

	return class ? class : trace_class_of_name(p, "unknown class");
}

uint32_t trace_place_told(struct trace_pass *p, const struct trace_task *task, uint32_t number)
{
	return named(p, &p->told.places, task, number, trace_name_of_place);
}

uint32_t trace_channel_told(struct trace_pass *p, const struct trace_task *task, uint32_t number)
{
	return named(p, &p->told.channels, task, number, name_of_channel);
}

void trace_created(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t word)
{
	const struct trace_method *m;

	if (jwr_word_kind(word) == JWR_VALUE) {
		if (jwr_word_value(word) >= 0)
			trace_put_event(p, who->calls, time, TRACE_TYPE_LENGTH,
					jwr_word_payload(word));
		return;
	}
	m = p->map ? trace_map_find(p->map, jwr_word_payload(word)) : NULL;
	who->track->created = m && jw_span_ends(jw_span_str(m->class_name), JW_SPAN_LIT("[]"));
	if (who->calls)
		trace_put_event(p, who->calls, time, TRACE_TYPE_CREATED,
				trace_class_of_name(p, m ? m->class_name : "unknown class"));
}

void trace_classes_free(struct trace_classes *c)
{
	trace_methods_free(&c->keys);
	trace_methods_free(&c->names);
	jw_mem_free(c->texts);
	*c = (struct trace_classes){ 0 };
}
