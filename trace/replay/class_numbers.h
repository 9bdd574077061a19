/*
 * class_numbers.h: classes that events name, and places: dense numbers in order of appearance, each
 * known by its name, so that those of several processes are one. Cost: a step in a hash table, two
 * for what is new.
 */
#ifndef JW_TRACE_REPLAY_CLASS_NUMBERS_H
#define JW_TRACE_REPLAY_CLASS_NUMBERS_H

#include "base/bytes.h"
#include "trace/replay/method_numbers.h"

struct trace_pass;
struct trace_task;
struct trace_who;

/* Classes (or places) that events name, in order of first appearance: class_numbers.c. */
struct trace_classes {
	struct trace_methods keys;  /* of process and identity hash; `calls`: the number, from 1 */
	struct trace_methods names; /* by their hash */
	const char **texts;         /* owned array, as `names` */
	size_t cap;
};

/* The name of the class of OBJECT; NULL: it has none. Cost: as below. */
const char *trace_object_class_name(const struct trace_task *task, uint64_t object);
/* What meta of TASK calls the class whose hash is HASH, or the place NUMBER; NULL: nothing. Cost: a
 * search through all of them. */
const char *trace_name_of_class(const struct trace_task *task, uint32_t hash);
const char *trace_name_of_place(const struct trace_task *task, uint32_t number);
/* The place itself, whose id has TRACE_SLEEPS, TRACE_PUTS and TRACE_JOINS, too; NULL: meta has none. */
const struct trace_named *trace_place_named(const struct trace_task *task, uint32_t number);

/* A CREATED of WHO, or the length of its array. */
void trace_created(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t word);

/* The value that shows a class (NAME lives as long as the trace); 0: no memory. */
uint32_t trace_class_of_name(struct trace_pass *p, const char *name);
/* The same for the class of OBJECT, a number of TASK's recording. */
uint32_t trace_class_of_object(struct trace_pass *p, const struct trace_task *task,
			       uint64_t object);
/* The value that shows TEXT, which lives as long as ALL, among them; 0: no memory. */
uint32_t trace_text_number(struct trace_pass *p, struct trace_classes *all, const char *text);
uint64_t trace_text_hash(const char *text);
/* The same, where a class without a name is 0: also threads have one. */
uint32_t trace_class_told(struct trace_pass *p, const struct trace_task *task, uint64_t object);
/* The value that shows the place NUMBER of TASK's recording; 0: it has no name. */
uint32_t trace_place_told(struct trace_pass *p, const struct trace_task *task, uint32_t number);
/* The same for the connection or file NUMBER: one that meta does not know is called "unknown". */
uint32_t trace_channel_told(struct trace_pass *p, const struct trace_task *task, uint32_t number);
/* Have they been told before? Then they have their numbers. (Named: a class by a name of its own.) */
bool trace_class_is_known(const struct trace_pass *p, const struct trace_task *task,
			  uint64_t object);
bool trace_class_is_named(const struct trace_pass *p, const struct trace_task *task,
			  uint64_t object);
bool trace_place_is_known(const struct trace_pass *p, const struct trace_task *task,
			  uint32_t number);
bool trace_channel_is_known(const struct trace_pass *p, const struct trace_task *task,
			    uint32_t number);
void trace_classes_free(struct trace_classes *classes);

#endif
