/*
 * selecting.h: what both readings of a selection share: see select.h.
 *
 *     look.c      the first: what is chosen, and what is long
 *     select.c    the second: what is passed on
 *     cut.c       of the second: the edges of the range
 */
#ifndef JW_TRACE_SELECT_SELECTING_H
#define JW_TRACE_SELECT_SELECTING_H

#include "base/memory.h"
#include "trace/reader/tally.h"
#include "trace/select/select.h"

#define TRACE_NOT_SELECTED UINT32_MAX
/* Calls that are open, at most; others are left out. ORDER as TRACE_MAX_DEPTH of recordings. */
#define TRACE_SELECT_DEPTH ((size_t)1 << 20)

/* Events whose value lasts until the next one, in the order in which they are told again: what a
 * wait is about comes after it. X(type) */
#define TRACE_LASTING_LIST(X) \
	X(GC)                 \
	X(DETAIL)             \
	X(THREAD_NAME)        \
	X(VIRTUAL)            \
	X(VIRTUAL_NAME)       \
	X(WITHOUT)            \
	X(EXCEPTION)          \
	X(MONITOR)            \
	X(WAIT)               \
	X(OBJECT)             \
	X(MONITOR_CLASS)      \
	X(MONITOR_PLACE)      \
	X(CONTEXT_1)          \
	X(CONTEXT_2)          \
	X(CONTEXT_3)          \
	X(CONTEXT_4)

enum trace_lasting {
#define TRACE_LASTING_ENUM(type) TRACE_LASTS_##type,
	TRACE_LASTING_LIST(TRACE_LASTING_ENUM)
#undef TRACE_LASTING_ENUM
		TRACE_LASTING,
};

/* A call that is open. */
struct trace_select_call {
	uint64_t method, site; /* site: 0: none */
	uint64_t enter;
	bool kept;
};

struct trace_select_operation {
	enum jw_operation_type type;
	uint64_t number, object, class;
	size_t depth; /* so many calls were open when it began */
};

struct trace_select_captured {
	const struct jw_capture *what;
	uint64_t value;
	size_t depth; /* of the call, from 1 */
};

/* Method CLOSED of a thread, before the range. */
struct trace_select_closed {
	uint32_t thread;
	uint64_t method;
};

struct trace_select_lane {
	uint32_t place; /* among those that are selected; else TRACE_NOT_SELECTED */
	bool whole;     /* all threads of its process are selected */
	uint64_t calls; /* that have begun: the number of the next */
	uint32_t kept;  /* open calls that are passed on */
	uint64_t too_deep;
	uint32_t late_calls, late_operations; /* that began where the range ends, and are open */
	struct {
		struct trace_select_call *at; /* owned; the innermost last */
		size_t n, room;
	} open;
	struct {
		struct trace_select_operation *at; /* owned */
		size_t n, room;
	} operations;
	struct {
		/* owned; of open calls, before the range; and what holds, in it too */
		struct trace_select_captured *at;
		size_t n, room;
	} captured;
	struct {
		uint64_t **at; /* owned; a page of bits each, or NULL: none of them is long */
		size_t n, room;
	} pages;
	uint64_t lasting[TRACE_LASTING];
	uint64_t state, state_end; /* the latest before the range */
};

enum trace_chosen_by { TRACE_BY_METHODS, TRACE_BY_AROUND, TRACE_CHOSEN_BY };

enum trace_where { TRACE_BEFORE, TRACE_INSIDE, TRACE_AFTER };

struct trace_select {
	const struct trace_selection *wanted;
	const struct trace_output *output; /* after it */
	void *ctx;
	struct jw_arena arena;
	struct trace_select_lane *lanes; /* owned; one a thread of the source */
	uint32_t lane_n;
	/* learnt the first time */
	bool looked;
	const char **rows;         /* owned; names of threads that the scene does not have */
	struct trace_tally chosen; /* methods, by what chooses them: enum trace_chosen_by */
	/* of what chooses, a method that it may mean and that nobody traced (untraced.h); NULL: none */
	const char *untraced[TRACE_CHOSEN_BY];
	struct trace_tally spans; /* by method and lane: the first begin, the last end */
	/* the second time */
	struct trace_scene scene;
	struct {
		struct trace_select_closed *at; /* owned; before the range */
		size_t n, room;
	} closed;
	enum trace_where where;
	uint64_t from, to; /* to: UINT64_MAX: all that there is */
	uint64_t edge;     /* the next of both */
	struct trace_selected told;
	bool failed; /* no memory */
};

/* Is call NUMBER of LANE long? The second: it is. */
bool trace_long_call(const struct trace_select_lane *lane, uint64_t number);
bool trace_note_long_call(struct trace_select_lane *lane, uint64_t number);

/* Forgets what is open. */
void trace_select_lane_reset(struct trace_select_lane *lane);
void trace_select_lane_free(struct trace_select_lane *lane);
/* One a thread of SCENE, if they are not there yet. */
enum jw_status JW_MUST_USE trace_select_lanes(struct trace_select *select,
					      const struct trace_scene *scene, struct jw_err *e);

/* Which threads of SCENE are selected: sets their places, from 0. Returns how many. */
uint32_t trace_select_threads(struct trace_select *select, const struct trace_scene *scene);
/* SELECT->scene, of the threads of SCENE that are selected. JW_USAGE: there are none. */
enum jw_status JW_MUST_USE trace_select_scene(struct trace_select *select,
					      const struct trace_scene *scene, struct jw_err *e);

/* What the innermost call of LANE has captured last of event type TYPE, which holds, is over. */
void trace_select_release(struct trace_select *select, struct trace_select_lane *lane,
			  uint64_t time, uint32_t type);
/* The range begins, and ends. */
void trace_select_open(struct trace_select *select);
void trace_select_close(struct trace_select *select);

#endif
