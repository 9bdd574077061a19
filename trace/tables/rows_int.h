/*
 * rows_int.h: what the files that make rows share: rows.c (calls, states, arrows), events.c (what
 * happens in calls), row_names.c (what numbers stand for), row_tasks.c (tasks of engines),
 * row_requests.c (requests on connections).
 */
#ifndef JW_TRACE_TABLES_ROWS_INT_H
#define JW_TRACE_TABLES_ROWS_INT_H

#include "base/lookup.h"
#include "base/memory.h"
#include "trace/context.h"
#include "trace/replay/method_numbers.h"
#include "trace/tables/tables.h"

/* ---- names ---- */

/* X(KIND, word): what a number of the table `name` is a name of. */
#define TRACE_NAMED_LIST(X)                                                     \
	X(STATE, "state")                                                       \
	X(OPERATION, "operation") /* 100 times its type, and its number */      \
	X(WAIT, "wait")           /* enum trace_wait_kind */                    \
	X(EVENT, "event")         /* enum trace_type */                         \
	X(CAPTURE, "capture")     /* a type */                                  \
	X(USER, "user")           /* a type */                                  \
	X(CLASS, "class")         /* as output.h numbers them; so are places */ \
	X(PLACE, "place")                                                       \
	X(TEXT, "text")          /* captured */                                 \
	X(CLASS_TEXT, "text")    /* likewise, of a class */                     \
	X(THREAD, "thread name") /* as output.h numbers them; so are methods */ \
	X(METHOD, "method")                                                     \
	X(CHANNEL, "channel") /* a connection or a file, likewise */            \
	X(LINK, "link")                                                         \
	X(VIRTUAL, "virtual thread")

enum trace_named {
#define TRACE_NAMED_ENUM(kind, word) TRACE_NAMED_##kind,
	TRACE_NAMED_LIST(TRACE_NAMED_ENUM)
#undef TRACE_NAMED_ENUM
		TRACE_NAMED_KINDS,
};

struct trace_row_name {
	enum trace_named kind;
	uint64_t value;
	const char *label; /* in the arena; NULL: none was told */
};

struct trace_row_names {
	struct trace_row_name *at; /* owned; the id is the place + 1 */
	size_t n, room;
	struct jw_lookup lookup;
};

/* ---- threads ---- */

struct trace_open_call {
	uint64_t id, begin, inside; /* ns of the calls in it that have ended */
	uint32_t method;            /* from 0 */
	uint64_t site;              /* 0: unknown */
	uint32_t before; /* the place + 1 of the latest in its slot of `open`, when it began */
	bool again;      /* a call of the same method is around it */
};

#define TRACE_ROW_OPEN 64 /* slots of open calls by their methods; a power of two */

/* An event that is not over, or about which more may be told. */
struct trace_open_event {
	uint64_t begin, call; /* 0: in no call */
	uint64_t what;        /* the id of its name */
	uint64_t object, class, place, text, value;
	bool has_value, open, is_instant;
	enum jw_operation_type type; /* of an operation */
	uint32_t held;               /* the event type of what holds */
};

/* One that has not been received. */
struct trace_flying {
	uint64_t received, sent, from_call, operation;
	uint32_t from;
};

/* What is done to a connection or file. */
enum trace_row_moves {
	TRACE_ROW_READS,
	TRACE_ROW_WRITES,
	TRACE_ROW_OTHERS,
	TRACE_ROW_MOVES,
};

struct trace_row_channel {
	struct {
		uint64_t count, bytes, ns;
	} moves[TRACE_ROW_MOVES];
	uint64_t id; /* in the table of connections, or of files; 0: in none (yet) */
};

struct trace_row_lane {
	struct {
		struct trace_open_call *at; /* owned */
		size_t n, room;
	} calls;
	uint32_t open
		[TRACE_ROW_OPEN]; /* the place + 1 of the latest in `calls` that is not `again`, so that a
					* slot is as long as methods are many, however deep a recursion; 0: none */
	struct {
		struct trace_open_event *at; /* owned; operations, the innermost last */
		size_t n, room;
	} operations;
	struct {
		struct trace_open_event *at; /* owned; captures that hold, the innermost last */
		size_t n, room;
	} held;
	struct {
		struct trace_flying *at; /* owned; a heap: the first one to be received is first */
		size_t n, room;
	} flying;
	struct trace_open_event wait, told, owner, exception, detail;
	struct trace_context context; /* that is current */
	uint64_t gc_begin, cpu, context_begin;
	uint64_t channel, moved; /* the one that is told of, and how many bytes; 0: none */
	enum trace_row_moves moves;
	bool in_gc, waits_for_monitor;
	bool is_virtual; /* virtual threads have owned it */
};

/* ---- all of it ---- */

struct trace_tables {
	const struct trace_table_writer *writer;
	void *to; /* owned; the writer's */
	const struct trace_scene *scene;
	const struct trace_engine *engine; /* NULL: nobody asks for tasks */
	struct trace_requests *requests;   /* NULL: nobody asks for requests */
	struct trace_row_lane *lanes;      /* owned; one a thread */
	uint32_t lane_count;               /* of them, also when the scene has gone */
	struct trace_methods methods, sites, channel_numbers;
	struct {
		struct trace_row_channel *at; /* owned; by their number */
		size_t n, room;
	} channels;
	struct trace_row_names names;
	const char **method_labels, **site_labels, **rows; /* in the arena; made by over() */
	uint64_t *process_cpu;                             /* likewise: by begin() */
	struct jw_arena arena;
	struct jw_buf text; /* of one label */
	uint64_t calls;
	struct jw_err why; /* the first failure */
};

/* All N cells of TABLE. */
void trace_put_row(struct trace_tables *t, enum trace_table_id table,
		   const struct trace_cell *cells, size_t n);

/* The id of the call that THREAD is in; 0: in none. */
static inline uint64_t trace_row_call(const struct trace_row_lane *lane)
{
	return lane->calls.n ? lane->calls.at[lane->calls.n - 1].id : 0;
}

/* The number of ID among METHODS, from 0; what is too many looks like the last. */
uint32_t trace_row_number(struct trace_tables *t, struct trace_methods *methods, uint64_t id);

/* ---- events.c ---- */

void trace_row_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		     uint64_t value);
void trace_row_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			 uint64_t number);
void trace_row_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			uint64_t value);
void trace_row_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			bool has_outer, uint64_t outer);
void trace_row_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value);
/* What is open ends at TIME. */
void trace_row_events_over(struct trace_tables *t, uint32_t thread, uint64_t time);

/* ---- row_names.c ---- */

/* From 1; 0: no memory, which is noted. */
uint64_t trace_row_name(struct trace_tables *t, enum trace_named kind, uint64_t value);
/* The id of a call site, likewise. */
uint64_t trace_row_site(struct trace_tables *t, uint64_t site);
/* A label is told. */
void trace_row_label(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label);
/* A cell of TEXT, on one line, which is in BUF; NULL where it is "". */
struct trace_cell trace_cell_clean(struct jw_buf *buf, struct jw_span text);
/* Writes the tables of what numbers stand for. NAMES: NULL of a .prv. */
enum jw_status JW_MUST_USE trace_put_names(struct trace_tables *t, const struct trace_names *names,
					   struct jw_err *e);

/* ---- row_tasks.c, row_requests.c: their tables; requests come after names ---- */
enum jw_status JW_MUST_USE trace_put_tasks(struct trace_tables *t, struct jw_err *e);
enum jw_status JW_MUST_USE trace_put_requests(struct trace_tables *t, struct jw_err *e);

#endif
