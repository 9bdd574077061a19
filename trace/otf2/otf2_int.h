/*
 * otf2_int.h: what takes events (otf2.c, locks.c) and what writes them by libotf2 (archive.c,
 * events.c, definitions.c) share.
 */
#ifndef JW_TRACE_OTF2_INT_H
#define JW_TRACE_OTF2_INT_H

#include "base/memory.h"
#include "trace/otf2/otf2.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/spool.h"

/* ---- what waits in the spool ---- */

/* An event is a list of numbers: its kind, with the first operand above it; the time since the event
 * before; the other operands.
 * X(KIND, how many others) */
#define TRACE_OTF2_KINDS(X)                                              \
	X(ENTER, 0)     /* region */                                     \
	X(LEAVE, 0)     /* by an exception? */                           \
	X(LASTS, 1)     /* metric; how long */                           \
	X(SEND, 2)      /* to; tag with bytes, number of the thread */   \
	X(RECEIVE, 3)   /* from; after how long, that tag, the number */ \
	X(METRIC, 1)    /* metric; value */                              \
	X(PARAMETER, 1) /* parameter; value */                           \
	X(TEXT, 1)      /* parameter; string */                          \
	X(ACQUIRE, 1)   /* lock; the how manieth time it is taken */     \
	X(RELEASE, 1)   /* likewise */                                   \
	X(READ, 1)      /* handle; operation */                          \
	X(WRITE, 1)     /* likewise */                                   \
	X(TRANSFER, 2)  /* it ends: handle; operation, bytes */

enum trace_otf2_kind {
#define TRACE_OTF2_ENUM(kind, others) TRACE_OTF2_##kind,
	TRACE_OTF2_KINDS(TRACE_OTF2_ENUM)
#undef TRACE_OTF2_ENUM
};
enum { TRACE_OTF2_KIND_BITS = 4, TRACE_OTF2_OTHERS = 3 };

/* ---- names that are known last ---- */

/* What a metric, a parameter or a string is called after. */
enum trace_otf2_name {
	TRACE_OTF2_STATE,   /* value: a state */
	TRACE_OTF2_EVENT,   /* enum trace_type */
	TRACE_OTF2_SUM,     /* enum trace_otf2_sum */
	TRACE_OTF2_USER,    /* a type of the program's */
	TRACE_OTF2_CAPTURE, /* a type */
	TRACE_OTF2_TEXT_OF, /* a type, whose values are texts */
	TRACE_OTF2_CLASS,   /* below: strings */
	TRACE_OTF2_PLACE,
	TRACE_OTF2_METHOD,
	TRACE_OTF2_VIRTUAL,
	TRACE_OTF2_WAIT,       /* enum trace_wait_kind */
	TRACE_OTF2_CLASS_TEXT, /* a number of a captured text */
	TRACE_OTF2_TEXT_TEXT,
};

/* Metrics that add up. */
enum trace_otf2_sum {
	TRACE_OTF2_BYTES_READ,
	TRACE_OTF2_BYTES_WRITTEN,
	TRACE_OTF2_CHANNEL_READ,
	TRACE_OTF2_CHANNEL_WRITTEN,
	TRACE_OTF2_CHARS_READ,
	TRACE_OTF2_CHARS_WRITTEN,
	TRACE_OTF2_ALLOCATED,
	TRACE_OTF2_SUMS,
};

static inline uint64_t trace_otf2_key(enum trace_otf2_name name, uint64_t value)
{
	return (uint64_t)name << 56 | (value & ((UINT64_C(1) << 56) - 1));
}

/* The key of OBJECT, which only its process knows. */
static inline uint64_t trace_otf2_object(uint32_t process, uint64_t object)
{
	return object ^ (uint64_t)process << 53;
}

/* Tags of arrows (output.h). */
#define TRACE_OTF2_TAG_START ((uint64_t)100 * (JW_OPERATIONS_THREAD + 1) + 1)
#define TRACE_OTF2_TAG_JOIN  ((uint64_t)100 * (JW_OPERATIONS_THREAD + 1) + 2)

/* ---- threads ---- */

struct trace_otf2_operation {
	enum jw_operation_type type;
	uint64_t number, object, bytes;
	uint64_t id; /* of one that reads or writes, from 1; 0: its begin is not told */
};

struct trace_otf2_held {
	uint32_t lock, order, count; /* count: how many times, one in another */
	bool monitor;
};

struct trace_otf2_lock {
	uint32_t order;  /* how many times it was taken */
	uint32_t holder; /* of a monitor: a thread, and 1 */
};

struct trace_otf2_lane {
	struct trace_list events;
	uint64_t at; /* the time of the latest */
	uint32_t depth;
	uint64_t sums[TRACE_OTF2_SUMS];
	uint64_t started; /* number of the thread, since it was started; 0: it was not */
	struct {
		struct trace_otf2_operation *at; /* owned; those that are open */
		size_t n, room;
	} operations;
	struct {
		struct trace_otf2_held *at; /* owned */
		size_t n, room;
	} held;
	struct trace_otf2_held waits; /* what it has let go to wait; count 0: none */
	struct trace_otf2_held taken; /* by the operation that has just ended; likewise */
	uint64_t taken_at;
};

struct trace_otf2 {
	const struct trace_destination *to;
	const struct trace_scene *scene;
	struct trace_otf2_lane *lanes; /* owned; one a thread */
	uint32_t lane_count;           /* of them, also when the scene has gone */
	struct trace_spool spool;
	struct trace_methods methods; /* regions */
	struct trace_methods metrics, parameters, strings, locks, handles;
	struct {
		uint64_t *at; /* owned; by handle: the string of its class, and 1; 0: unknown */
		size_t n, room;
	} handle_classes;
	struct {
		struct trace_otf2_lock *at; /* owned; by lock */
		size_t n, room;
	} lock_states;
	uint64_t transfers, starts, end;
	/* what names are told; in the arena, by region, string, metric and thread */
	const char **method_labels, **string_labels, **metric_labels, **rows;
	struct jw_arena arena;
	struct jw_err why; /* the first failure */
};

/* STATUS is the first failure: whatever comes now is dropped. */
void trace_otf2_fails(struct trace_otf2 *w, enum jw_status status);

/* An event of THREAD at TIME; the spool tells whether it failed. */
void trace_otf2_put(struct trace_otf2 *w, uint32_t thread, uint64_t time, enum trace_otf2_kind kind,
		    uint64_t first, const uint64_t *others);

/* ---- locks (locks.c) ---- */

/* OPERATION of THREAD has begun (its object is known), or ends. */
void trace_otf2_lock_begins(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			    const struct trace_otf2_operation *operation);
void trace_otf2_lock_ends(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			  const struct trace_otf2_operation *operation);
/* What the operation that has just ended took is taken, but if it FAILED. */
void trace_otf2_lock_settle(struct trace_otf2 *w, uint32_t thread, bool failed);

/* ---- writing ---- */

/* All of it, into the folder. NAMES: NULL of a .prv. */
enum jw_status JW_MUST_USE trace_otf2_write(struct trace_otf2 *w, const struct trace_names *names,
					    struct jw_err *e);

#endif
