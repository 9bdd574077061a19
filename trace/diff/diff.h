/*
 * diff.h: what has changed between two sides, each of one or more runs of a program.
 *
 *     trace_diff_side_open -> trace_diff_side_add, once a run     reports become a side
 *                          or trace_diff_side_put, ...            a side that was kept in a file
 *     trace_diff_compare                                          two sides become pairs
 *
 * A side has items: methods, waits, roles of threads, locks, operations, addresses of requests, classes of exceptions, and one of the
 * garbage collector, of all processes. Each item
 * has a row of figures for each run. Items of the two sides are paired by name; the bodies of lambda
 * expressions, whose numbers change when another one is added, by their place (diff_match.h).
 *
 * Whether a figure has changed:
 *
 *     calls, exceptions     the same in all runs of a side: facts, which differ or do not
 *     all others            medians differ by TRACE_DIFF_LEAST_SHARE at least, and by more than the
 *                           middle half of the runs of either side; and a test (rank.h) says
 *                           that this is no chance, however many figures are tested (diff_many.h);
 *                           of times, it is TRACE_DIFF_LEAST_TIME of the run at least; of what
 *                           threads do at one time by chance, twice what such counts vary by. Else
 *                           it is noise, or there are too few runs for so many figures.
 *
 * Where there are too few runs for the test, times are not judged.
 */
#ifndef JW_TRACE_DIFF_H
#define JW_TRACE_DIFF_H

#include <stdbool.h>

#include "base/lookup.h"
#include "base/memory.h"
#include "base/status.h"
#include "trace/diff/rank.h"

struct trace_report;
struct trace_request_list;

#define TRACE_DIFF_MAX_RUNS    TRACE_RANK_MOST
#define TRACE_DIFF_LEAST_SHARE 0.05  /* of a median */
#define TRACE_DIFF_LEAST_TIME  0.005 /* of the duration of a run */
#define TRACE_DIFF_CHANCE      0.05  /* p of the test, below which it is no chance */
#define TRACE_DIFF_SURE        0.01  /* the same where a build is to be stopped by it */
#define TRACE_DIFF_UNKNOWN     (-1.0)

/* ---- what there is to compare ---- */

/* X(KIND, list in JSON, one, many) */
#define TRACE_DIFF_KIND_LIST(X)                                                 \
	X(METHOD, "methods", "method", "methods")                               \
	X(WAIT, "waits", "wait", "waits")                                       \
	X(ROLE, "roles", "thread role", "thread roles")                         \
	X(LOCK, "locks", "class of locks", "classes of locks")                  \
	X(OPERATION, "operations", "operation", "operations")                   \
	X(REQUEST, "requests", "address of requests", "addresses of requests")  \
	X(THROWN, "exceptions", "class of exceptions", "classes of exceptions") \
	X(GC, "gc", "garbage collector", "garbage collectors")

enum trace_diff_kind {
#define TRACE_DIFF_KIND_ENUM(name, list, one, many) TRACE_DIFF_##name,
	TRACE_DIFF_KIND_LIST(TRACE_DIFF_KIND_ENUM)
#undef TRACE_DIFF_KIND_ENUM
		TRACE_DIFF_KINDS,
};

/* CALL_NS: of one call. */
enum trace_diff_unit { TRACE_DIFF_COUNT, TRACE_DIFF_BYTES, TRACE_DIFF_NS, TRACE_DIFF_CALL_NS };

/* ORDER: diff.c */
enum {
	TRACE_DIFF_CALLS,
	TRACE_DIFF_FAILS,
	TRACE_DIFF_SELF,
	TRACE_DIFF_TOTAL,
	TRACE_DIFF_CPU,
	TRACE_DIFF_MEAN,
	TRACE_DIFF_LONGEST,
	TRACE_DIFF_P50,
	TRACE_DIFF_P90,
	TRACE_DIFF_P99,
	TRACE_DIFF_P999,
	TRACE_DIFF_COLUMNS
};

struct trace_diff_column {
	const char *word, *head; /* in gates and JSON; of a table */
	enum trace_diff_unit unit;
	bool exact;    /* a program that does the same has the same */
	bool per_call; /* of each call: all calls together have it so many times */
	bool follows;  /* from the others: a baseline does not have it */
	bool races;    /* it is how often threads met */
};

struct trace_diff_kind_info {
	const char *list, *one, *many;
	struct trace_diff_column columns[TRACE_DIFF_COLUMNS]; /* word NULL: no more */
};
extern const struct trace_diff_kind_info trace_diff_kinds[TRACE_DIFF_KINDS];

static inline bool trace_diff_is_time(const struct trace_diff_column *column)
{
	return column->unit == TRACE_DIFF_NS || column->unit == TRACE_DIFF_CALL_NS;
}

/* ---- a side ---- */

struct trace_diff_item {
	enum trace_diff_kind kind;
	const char *label; /* for people; of all but methods, what they are paired by */
	const char *class_name, *name, *descriptor; /* of a method; "" unknown */
	const char *place;                          /* "File.java:31"; "" unknown */
	const char *spared; /* what was not recorded of it: "1 of 100"; "": nothing */
	bool at_least;      /* it was closed while the program ran: it had at least these figures */
	bool little_else; /* a wait of threads alone that do little else (trace/report/dwelling.h) */
	double *values;   /* by run * TRACE_DIFF_COLUMNS + column */
};

struct trace_diff_side {
	struct jw_arena *arena;
	size_t runs, known;                    /* known: so many runs have come */
	bool incomplete;                       /* events were lost: all figures are "at least" */
	double *duration_ns, *calls;           /* by run */
	unsigned (*unknown)[TRACE_DIFF_KINDS]; /* by run: bits of columns that it does not know */
	struct {
		struct trace_diff_item *at;
		size_t n, room;
	} items;                 /* in the arena */
	struct jw_lookup lookup; /* trace_diff_side_close() frees it */
};

/* A side of RUNS runs (up to TRACE_DIFF_MAX_RUNS), without items; it lives in ARENA. */
enum jw_status JW_MUST_USE trace_diff_side_open(struct trace_diff_side *side,
						struct jw_arena *arena, size_t runs,
						struct jw_err *e);
/* The next run; REPORT lives as long as the side. */
enum jw_status JW_MUST_USE trace_diff_side_add(struct trace_diff_side *side,
					       const struct trace_report *report, struct jw_err *e);
/* Requests of the run that was added last: none are unknown, as their bytes may not have been recorded. What
 * several processes ask at one address is one. */
enum jw_status JW_MUST_USE trace_diff_side_requests(struct trace_diff_side *side,
						    const struct trace_request_list *requests,
						    struct jw_err *e);
/* All of a kind are unknown in RUN, also those that come later. */
void trace_diff_side_unknown(struct trace_diff_side *side, size_t run, enum trace_diff_kind kind);
/* To be called once all of RUN is there: methods failed, and no class of exceptions is told, so that these were not
 * recorded (preset:exceptions), and are unknown. */
void trace_diff_side_settle(struct trace_diff_side *side, size_t run);
/* Does any run of SIDE not know KIND at all? */
bool trace_diff_side_lacks(const struct trace_diff_side *side, enum trace_diff_kind kind);
/* The item that is paired as LIKE is, as *OUT; a new one has LIKE's texts, and figures of 0. */
enum jw_status JW_MUST_USE trace_diff_side_put(struct trace_diff_side *side,
					       const struct trace_diff_item *like,
					       struct trace_diff_item **out, struct jw_err *e);
/* The item of SIDE that has the name of LIKE; NULL: none. */
struct trace_diff_item *trace_diff_side_find(const struct trace_diff_side *side,
					     const struct trace_diff_item *like);
void trace_diff_side_close(struct trace_diff_side *side);

/* ---- the comparison ---- */

/* X(NAME, word in JSON) */
#define TRACE_DIFF_VERDICT_LIST(X)                                                         \
	X(SAME, "same")                                                                    \
	X(CHANGED, "changed")                                                              \
	X(NOISE, "noise")                                                                  \
	X(SMALL, "small")       /* a difference of a time that is hardly any of the run */ \
	X(FEW, "few-runs")      /* too few to tell it from noise among so many figures */  \
	X(UNJUDGED, "unjudged") /* too few runs to tell it from noise */                   \
	X(AT_LEAST, "at-least") /* not all calls were recorded */                          \
	X(NOT_KNOWN, "unknown") /* by one of the sides */

enum trace_diff_verdict {
#define TRACE_DIFF_VERDICT_ENUM(name, word) TRACE_DIFF_##name,
	TRACE_DIFF_VERDICT_LIST(TRACE_DIFF_VERDICT_ENUM)
#undef TRACE_DIFF_VERDICT_ENUM
};
const char *trace_diff_verdict_word(enum trace_diff_verdict verdict);

struct trace_diff_figure {
	double a, b;                       /* medians */
	double p;                          /* of the test; TRACE_DIFF_UNKNOWN: it was not asked */
	double corrected;                  /* p, for all that were tested; likewise */
	double asked;                      /* the same of the family that was asked for last */
	double gap;                        /* between the sides, in widths; 0: none */
	struct trace_rank_split splits[2]; /* those that would have been a change; gap 0: none */
	bool large;                        /* so that it might have changed, and has not */
	bool alone;                        /* if it were the only figure, it would have changed */
	enum trace_diff_verdict verdict;
};

struct trace_diff_pair {
	const struct trace_diff_item *a, *b; /* NULL: that side has none */
	const char *
		title; /* the label; of methods of one label with their types (trace/names/titles.h) */
	struct trace_diff_figure figures[TRACE_DIFF_COLUMNS];
	bool changed;  /* any figure has */
	bool unjudged; /* none has, and one that is not judged differs by more than a little */
	bool aside; /* waits of threads that do little else in both sides: how long these wait goes by how
			* long the run took, so that nothing but a gate that names them asks for them */
};

struct trace_diff {
	const struct trace_diff_side *a, *b;
	bool judged;                         /* there are runs enough for the test */
	double least;                        /* p that so many runs can have by their order */
	double a_duration_ns, b_duration_ns; /* medians */
	struct trace_diff_pair *pairs;       /* by kind */
	size_t first[TRACE_DIFF_KINDS + 1];  /* where those of a kind begin, and end */
	size_t all;                          /* pairs; from the last `first` on they are aside */
	size_t changed[TRACE_DIFF_KINDS][TRACE_DIFF_COLUMNS]; /* so many pairs */
	size_t few;    /* pairs of which none has changed, and one has too few runs */
	size_t partly; /* methods that were recorded in part */
	size_t by;     /* the column by which methods are sorted */
};

/* OUT lives in ARENA. Pairs of a kind: what has changed first, then what is not judged, each by the
 * time (of what has none, the count) that changed most. */
enum jw_status JW_MUST_USE trace_diff_compare(const struct trace_diff_side *a,
					      const struct trace_diff_side *b,
					      struct jw_arena *arena, struct trace_diff *out,
					      struct jw_err *e);
/* The methods in the same order, but by COLUMN. */
enum jw_status JW_MUST_USE trace_diff_sort(struct trace_diff *diff, size_t column,
					   struct jw_err *e);

/* N FIGURES, which are put into another order, as a family (diff_many.h): their `asked`. */
enum jw_status JW_MUST_USE trace_diff_family(const struct trace_diff *d,
					     struct trace_diff_figure **figures, size_t n,
					     struct jw_err *e);

/* The item that says what a pair is called: B's, where there is one. */
const struct trace_diff_item *trace_diff_item_of(const struct trace_diff_pair *pair);

#endif
