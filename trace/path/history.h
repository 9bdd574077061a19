/*
 * history.h: how each thread came to where it is: a tree of what was done one after another, whose
 * leaves are the threads. A thread that another one lets go on has that one's history from then on,
 * and its own is forgotten.
 *
 *     add, add, ... -> close -> share ..      at the end of a branch; what is closed stays as it is
 *
 *     main  |--- a ---+-- b --|               b and c have a in common
 *     w     |         +-- c ----|
 *
 * Memory: what no thread came from is freed. Above TRACE_HISTORY_NODES nodes those that follow each
 * other, and are short, become one: sums stay as they are, the order inside is lost. Where branches
 * part they stay, and waits for connections that may turn out to be ended by somebody, so there are at
 * most three times as many as threads in the end.
 */
#ifndef JW_TRACE_PATH_HISTORY_H
#define JW_TRACE_PATH_HISTORY_H

#include "base/lookup.h"
#include "base/memory.h"
#include "trace/report/report.h"

#define TRACE_HISTORY_NODES 65536
#define TRACE_HISTORY_ITEMS (UINT32_C(1) << 20)

/* What is done on a path: what a thread does, and going on after another one has let it. */
enum {
	TRACE_PATH_HAND_OVER = TRACE_REPORT_TIMES,
	TRACE_PATH_TIMES,
};

/* Who did what, where. */
struct trace_path_key {
	uint32_t thread, method; /* method: 0: outside of all */
	uint32_t about;          /* what it waited for; 0: nothing */
	uint32_t what;           /* enum trace_report_time, or TRACE_PATH_HAND_OVER */
};

struct trace_path_item {
	struct trace_path_key key;
	uint64_t ns;
};

/* Times by key. {0}: empty. */
struct trace_path_bag {
	struct trace_path_item *at; /* owned */
	size_t n, cap;
	struct jw_lookup lookup; /* where there are many */
};

/* False: no memory. */
bool trace_path_bag_add(struct trace_path_bag *bag, const struct trace_path_key *key, uint64_t ns);
void trace_path_bag_clear(struct trace_path_bag *bag);
void trace_path_bag_free(struct trace_path_bag *bag);

enum trace_path_kind {
	TRACE_PATH_RUNS,  /* the thread does what its items say */
	TRACE_PATH_WAITS, /* for something that nobody is known to have ended */
	TRACE_PATH_GOES_ON,
	TRACE_PATH_MIXED, /* several, also of other threads: only the sums are known */
};

struct trace_path_node {
	struct trace_path_node *before;
	uint64_t begin, end;
	uint64_t
		idle; /* ns of all the way here in which who was on it had nothing to do, as far as was known then */
	uint64_t number;               /* in the order in which they are made, from 1 */
	struct trace_path_item *items; /* owned */
	uint32_t n, refs, thread, seen;
	enum trace_path_kind kind;
};

/* Where a thread is. */
struct trace_path_branch {
	struct trace_path_node *node; /* a reference; NULL: nothing has happened yet */
	uint64_t since;               /* `tail` is from here on */
	struct trace_path_bag tail;
};

struct trace_history {
	size_t nodes, items;
	uint64_t made;                 /* the number of the last node */
	size_t node_limit, item_limit; /* 0: not set yet */
	uint64_t grain;                /* shorter neighbours have become one; 0: none */
	uint32_t walk;
	bool failed; /* no memory */
};

/* What BRANCH, of THREAD, has done until TIME becomes a node, if it is anything. */
void trace_history_close(struct trace_history *h, struct trace_path_branch *branch, uint32_t thread,
			 uint64_t time, enum trace_path_kind kind);
/* One more reference to NODE, which may be NULL. */
struct trace_path_node *trace_history_share(struct trace_path_node *node);
/* NODE, which is a wait and nothing else, turns out to have been ended at SENT by who had come to BY
 * then, when MADE was the last node: all that came from it came from there, by a hand-over. False: SENT
 * is not within it, or (in a trace that somebody wrote) BY may come from NODE itself. */
bool trace_history_end_wait(struct trace_history *h, struct trace_path_node *node,
			    struct trace_path_node *by, uint64_t made, uint64_t sent);
/* How a thread came to NODE, had it come to BY until SINCE, which is later than few nodes before NODE: nodes of their own,
 * with a reference. Of one that began earlier each item has its part. NULL: no memory. */
struct trace_path_node *trace_history_since(struct trace_history *h,
					    const struct trace_path_node *node,
					    struct trace_path_node *by, uint64_t since);
/* NODE, which goes on at TIME, until then: a reference; of its items each has its part. NULL: no memory. */
struct trace_path_node *trace_history_until(struct trace_history *h, struct trace_path_node *node,
					    uint64_t time);
/* What was before the end of NODE is what led to BEFORE, which ends there and is no child of it, and whose reference this
 * takes: NODE is empty. */
void trace_history_begin_after(struct trace_history *h, struct trace_path_node *node,
			       struct trace_path_node *before);
/* All that came to NODE, which is after TIME, begins at TIME: what is older goes. No other branch is used any more. */
void trace_history_begin(struct trace_history *h, struct trace_path_node *node, uint64_t time);
void trace_history_release(struct trace_history *h, struct trace_path_node *node);
/* Is there so much that nodes should become one? */
bool trace_history_is_full(const struct trace_history *h);
/* For the node of each branch, after new_walk(): makes one of neighbours that are shorter than the
 * grain, which that raises. Again until it is smaller, or the grain is that of the run. */
bool trace_history_is_smaller(struct trace_history *h);
void trace_history_new_walk(struct trace_history *h);
void trace_history_fold(struct trace_history *h, struct trace_path_node *node);

#endif
