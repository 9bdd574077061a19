/*
 * perfetto_int.h: what the writers of events (perfetto.c), of names (explain.c) and of
 * packets that wait (waiting.h) share.
 */
#ifndef JW_TRACE_PERFETTO_INT_H
#define JW_TRACE_PERFETTO_INT_H

#include "base/memory.h"
#include "trace/context.h"
#include "trace/perfetto/perfetto.h"
#include "trace/replay/aside.h"
#include "trace/replay/method_numbers.h"

/* ---- fields of perfetto's .proto files ---- */

enum {
	PF_PACKET = 1,

	PF_CLOCKS = 6, /* of a TracePacket */
	PF_TIME = 8,
	PF_SEQUENCE = 10,
	PF_EVENT = 11,
	PF_INTERNED = 12,
	PF_FLAGS = 13,
	PF_CLOCK = 58, /* in defaults, too */
	PF_DEFAULTS = 59,
	PF_TRACK = 60,

	PF_EVENT_ANNOTATION = 4,
	PF_EVENT_TYPE = 9,
	PF_EVENT_NAME = 10, /* by its number */
	PF_EVENT_TRACK = 11,
	PF_EVENT_TEXT = 23,   /* its name */
	PF_EVENT_SOURCE = 34, /* by its number */
	PF_EVENT_FLOW = 47,
	PF_EVENT_FLOW_END = 48,

	PF_BEGIN = 1, /* types of events */
	PF_END = 2,
	PF_INSTANT = 3,

	PF_NOTE_NAME_NUMBER = 1, /* of an annotation */
	PF_NOTE_BOOL = 2,
	PF_NOTE_UINT = 3,
	PF_NOTE_STRING = 6,
	PF_NOTE_NAME = 10,
	PF_NOTE_TEXT_NUMBER = 17,

	PF_NAMES = 2, /* of InternedData */
	PF_NOTE_NAMES = 3,
	PF_SOURCES = 4,
	PF_TEXTS = 29,

	PF_CLEARED = 1, /* flags */
	PF_CLOCK_REAL = 1,
	PF_CLOCK_BOOT = 6,
	PF_CLOCK_OURS = 64,
};

/* ---- tracks ---- */

enum trace_pf_track {
	TRACE_PF_CALLS,
	TRACE_PF_STATES,
	TRACE_PF_WAITS,
	TRACE_PF_OPERATIONS,
	TRACE_PF_VIRTUAL,
	TRACE_PF_TASKS,   /* of an engine */
	TRACE_PF_CONTEXT, /* of OpenTelemetry */
	TRACE_PF_TRACKS,
};

/* What a name of a mark is of. */
enum trace_pf_mark {
	TRACE_PF_ARROW,     /* value: a tag */
	TRACE_PF_OPERATION, /* 100 times its type, and its number */
	TRACE_PF_WAIT,      /* enum trace_wait_kind */
	TRACE_PF_EVENT,     /* enum trace_type */
	TRACE_PF_VIRTUAL_NAME,
	TRACE_PF_USER, /* a type */
	TRACE_PF_CLASS,
	TRACE_PF_PLACE,
	TRACE_PF_METHOD,
	TRACE_PF_CHANNEL,
};

/* The key of a name in a table of numbers. */
static inline uint64_t trace_pf_key(enum trace_pf_mark mark, uint64_t value)
{
	return (uint64_t)mark << 56 | (value & ((UINT64_C(1) << 56) - 1));
}

struct trace_pf_captured {
	uint32_t depth, type;
	uint64_t value;
	enum jw_capture_as as;
};

/* The key of a text that is captured: its number, and is it the name of a class? */
static inline uint64_t trace_pf_text_key(const struct trace_pf_captured *c)
{
	return c->value << 1 | (c->as == JW_AS_CLASS);
}

/* Numbers of names of annotations, and of their texts, in the sequence of a thread: those of captures, which
 * are known last, and those of trace contexts (in_context.h), which are told on the way. */
enum { TRACE_PF_TRACE_ID = 1, TRACE_PF_SPAN_ID, TRACE_PF_CAPTURES };

static inline uint64_t trace_pf_text_number(size_t i)
{
	return 2 * (uint64_t)i + 2;
}

static inline uint64_t trace_pf_id_number(size_t i)
{
	return 2 * (uint64_t)i + 1;
}

/* What is told of a wait, or of an operation, at its end. */
struct trace_pf_about {
	uint64_t object, class, place, bytes, channel;
};

struct trace_pf_lane {
	uint64_t calls_at, states_at; /* the latest times of the sequences */
	uint64_t *used;               /* owned; bits: methods whose names it needs */
	size_t used_n;                /* words */
	uint64_t states_used;         /* bits */
	uint32_t depth, operations;   /* that are open */
	bool has[TRACE_PF_TRACKS];
	bool waits, waits_for_monitor, is_virtual, in_gc;
	struct trace_pf_about wait, operation;
	struct trace_pf_captured *captured; /* owned; of open calls */
	size_t captured_n, captured_room;
	struct trace_methods types, texts; /* of captures, whose names it needs */
	struct trace_context context;
	uint64_t context_at;                /* since when it is what it is */
	uint64_t ids;                       /* of contexts that calls needed */
	uint64_t trace_number, span_number; /* of the latest ones; 0: not told yet */
};

struct trace_perfetto {
	const struct trace_destination *to;
	const struct trace_scene *scene;
	const struct trace_engine *engine; /* NULL: nobody asks for tasks */
	struct trace_requests *requests;   /* NULL: nobody asks for requests */
	struct trace_pf_lane *lanes;       /* owned; one a thread */
	uint32_t lane_count;               /* of them, also when the scene has gone */
	struct trace_methods methods, marks, states;
	const char **method_labels, **mark_labels, **rows; /* in the arena; made by over() */
	const char *state_labels[64];
	struct jw_arena arena;
	struct trace_aside packets; /* that wait; the latest are in its block */
	uint64_t marks_at;          /* the latest time of its sequence */
	uint64_t flows;
	struct jw_err why; /* the first failure */
};

static inline uint64_t trace_pf_uuid(uint32_t thread, enum trace_pf_track track)
{
	return ((uint64_t)thread + 1) * 8 + track;
}

/* After those of threads; those of connections follow. */
static inline uint64_t trace_pf_process_uuid(const struct trace_scene *s, uint32_t process)
{
	return ((uint64_t)s->thread_count + 1 + process) * 8;
}

static inline uint64_t trace_pf_sequence(uint32_t thread, enum trace_pf_track track)
{
	return 2 + 2 * (uint64_t)thread + track;
}

/* ---- explain.c ---- */

/* Writes what explains the numbers of all packets: tracks, clocks, names. */
enum jw_status JW_MUST_USE trace_pf_explain(struct trace_perfetto *w,
					    const struct trace_names *names, struct jw_err *e);

/* ---- tasks.c ---- */

/* Threads that had tasks have a track for them; before that is explained. */
void trace_pf_mark_tasks(struct trace_perfetto *w);
/* Writes all tasks; after marks have been explained. */
enum jw_status JW_MUST_USE trace_pf_put_tasks(struct trace_perfetto *w, struct jw_err *e);

/* ---- asked.c: writes all requests on connections; likewise ---- */
enum jw_status JW_MUST_USE trace_pf_put_requests(struct trace_perfetto *w, struct jw_err *e);

#endif
