/*
 * paje_int.h: what the writers of events (paje.c) and of what comes before them (head.c) share.
 */
#ifndef JW_TRACE_PAJE_INT_H
#define JW_TRACE_PAJE_INT_H

#include "base/memory.h"
#include "trace/paje/paje.h"
#include "trace/replay/aside.h"
#include "trace/replay/later.h"
#include "trace/replay/method_numbers.h"

/* Events by their number in the file. X(KIND, number, name, fields) */
#define TRACE_PAJE_EVENTS(X)                                                                      \
	X(CONTAINER_TYPE, 0, "PajeDefineContainerType", "Alias string,Type string,Name string")   \
	X(STATE_TYPE, 1, "PajeDefineStateType", "Alias string,Type string,Name string")           \
	X(VALUE, 2, "PajeDefineEntityValue", "Alias string,Type string,Name string,Color color")  \
	X(LINK_TYPE, 3, "PajeDefineLinkType",                                                     \
	  "Alias string,Type string,StartContainerType string,EndContainerType string,Name "      \
	  "string")                                                                               \
	X(CREATE, 4, "PajeCreateContainer",                                                       \
	  "Time date,Alias string,Type string,Container string,Name string")                      \
	X(DESTROY, 5, "PajeDestroyContainer", "Time date,Type string,Name string")                \
	X(SET, 6, "PajeSetState", "Time date,Type string,Container string,Value string")          \
	X(PUSH, 7, "PajePushState", "Time date,Type string,Container string,Value string")        \
	X(POP, 8, "PajePopState", "Time date,Type string,Container string")                       \
	X(START, 9, "PajeStartLink",                                                              \
	  "Time date,Type string,Container string,Value string,StartContainer string,Key string") \
	X(END, 10, "PajeEndLink",                                                                 \
	  "Time date,Type string,Container string,Value string,EndContainer string,Key string")   \
	X(EVENT_TYPE, 11, "PajeDefineEventType",                                                  \
	  "Alias string,Type string,Name string,Color color")                                     \
	X(VARIABLE_TYPE, 12, "PajeDefineVariableType",                                            \
	  "Alias string,Type string,Name string,Color color")                                     \
	X(EVENT, 13, "PajeNewEvent", "Time date,Type string,Container string,Value string")       \
	X(VARIABLE, 14, "PajeSetVariable", "Time date,Type string,Container string,Value double")

enum trace_paje_event {
#define TRACE_PAJE_ENUM(kind, number, name, fields) TRACE_PAJE_##kind = (number),
	TRACE_PAJE_EVENTS(TRACE_PAJE_ENUM)
#undef TRACE_PAJE_ENUM
};

/* What a value (v1, v2, ..) or variable (y1, y2, ..) is called after. */
enum trace_paje_name {
	TRACE_PAJE_METHOD,    /* values: a method that is a state */
	TRACE_PAJE_STATE,     /* a state */
	TRACE_PAJE_ARROW,     /* a tag */
	TRACE_PAJE_OPERATION, /* of links: 100 times its type, and its number */
	TRACE_PAJE_WAIT,      /* of links: enum trace_wait_kind */
	TRACE_PAJE_CLASS,     /* of events: a class, with 2^48 times an enum trace_type */
	TRACE_PAJE_CLOSED,    /* of events: a method that is no longer recorded */
	TRACE_PAJE_VIRTUAL,   /* of events: the name of a virtual thread */
	TRACE_PAJE_TEXT,      /* of events: a captured text; and if it is a class, 2^55 */
	TRACE_PAJE_PAUSE,     /* a pause of the collector */
	TRACE_PAJE_USER,      /* variables: a type of the program's */
	TRACE_PAJE_CAPTURED,  /* a type */
	TRACE_PAJE_SUM,       /* enum trace_type */
};

#define TRACE_PAJE_TYPE_UNIT  ((uint64_t)1 << 48)
#define TRACE_PAJE_TEXT_CLASS ((uint64_t)1 << 55)

static inline uint64_t trace_paje_key(enum trace_paje_name name, uint64_t value)
{
	return (uint64_t)name << 56 | (value & ((UINT64_C(1) << 56) - 1));
}

static inline enum trace_paje_name trace_paje_name_of(uint64_t key)
{
	return (enum trace_paje_name)(key >> 56);
}

static inline uint64_t trace_paje_value_of(uint64_t key)
{
	return key & ((UINT64_C(1) << 56) - 1);
}

struct trace_paje_lane {
	uint32_t depth;
	uint64_t states; /* how many were set */
	uint64_t sums[TRACE_TYPES];
	struct {
		/* owned; operations that are open: 100 times the type, and the number */
		uint64_t *at;
		size_t n, room;
	} operations;
	uint64_t wait;          /* enum trace_wait_kind */
	uint32_t waits_for;     /* an object, and 1 */
	uint32_t operation_for; /* the object of the innermost operation, and 1 */
};

struct trace_paje_object {
	uint64_t key; /* what the program knows it by */
	uint32_t process;
	uint32_t class; /* the number of a class; 0: unknown */
	uint32_t waiting;
};

struct trace_paje {
	const struct trace_destination *to;
	const struct trace_scene *scene;
	struct trace_paje_lane *lanes; /* owned; one a thread */
	uint32_t lane_count;           /* of them, also when the scene has gone */
	struct trace_methods values, variables, object_keys, classes;
	uint32_t class_containers;
	bool pauses;
	struct {
		struct trace_paje_object *at; /* owned; by their number */
		size_t n, room;
	} objects;
	struct trace_aside events;
	struct trace_later later;
	uint64_t at, links;
	const char **labels, **class_labels, **rows; /* in the arena; by value, class and thread */
	struct jw_arena arena;
	struct jw_err why; /* the first failure */
};

/* Appends TIME with nine decimals. */
void trace_paje_put_time(struct jw_buf *out, uint64_t time);

/* Writes all that comes before what happened. NAMES: NULL of a .prv. */
enum jw_status JW_MUST_USE trace_paje_head(struct trace_paje *w, const struct trace_names *names,
					   struct jw_err *e);
/* Writes the end of all containers. */
enum jw_status JW_MUST_USE trace_paje_tail(struct trace_paje *w, struct jw_err *e);

#endif
