/*
 * tree.h: a tree of calls: for each way in which a method was reached, what its calls did.
 *
 *     root (threads "main")                 root, child, child, ... -> sum -> free
 *      `-- Main.main      1 call
 *           |-- Main.load     3 calls
 *           |    `-- Io.read     40 calls
 *           `-- Io.read       2 calls       (reached in another way: another node)
 *
 * A node is a method below its caller's node; all threads of a root share its nodes. Children have
 * higher numbers than their parent, so that one loop from the last to the first adds up totals.
 *
 * There are at most `limit` nodes. What would need one more becomes part of the node
 * TRACE_TREE_FOLDED below its caller (each node has one of these at most), with all calls inside.
 *
 * Memory: 160 bytes a node. Cost: a comparison where a method makes the same call again, else a step
 * in a hash table.
 */
#ifndef JW_TRACE_CALLS_TREE_H
#define JW_TRACE_CALLS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/lookup.h"
#include "base/memory.h"

#define TRACE_TREE_LIMIT  100000
#define TRACE_TREE_LEVELS 64 /* of callers; what is further away is folded */
#define TRACE_TREE_NONE   UINT32_MAX

/* In place of the number of a method. */
#define TRACE_TREE_ROOT   UINT32_MAX
#define TRACE_TREE_FOLDED (UINT32_MAX - 1)

/* What a thread does: ORDER: enum trace_report_time (report.h). */
#define TRACE_TREE_TIMES 7

struct trace_tree_node {
	uint32_t method;      /* any number, or TRACE_TREE_ROOT, TRACE_TREE_FOLDED */
	uint32_t parent;      /* TRACE_TREE_NONE: of a root */
	uint32_t first, next; /* its first child; the next of its parent's; TRACE_TREE_NONE: none */
	uint32_t latest;      /* the child that was asked for last, and its method */
	uint32_t latest_method;
	uint64_t calls, failed;           /* failed: ended by an exception */
	uint64_t self[TRACE_TREE_TIMES];  /* ns */
	uint64_t total[TRACE_TREE_TIMES]; /* with all that it called */
};

struct trace_tree {
	struct trace_tree_node *at; /* owned */
	size_t n, room;
	struct jw_lookup lookup; /* by parent and method */
	uint32_t limit;          /* 0: TRACE_TREE_LIMIT */
	bool turned;             /* nodes have the calls and times of those below them already */
	uint32_t roots, folded;  /* nodes that are roots, and TRACE_TREE_FOLDED: not in the limit */
};

/* A new root; TRACE_TREE_NONE: no memory. */
uint32_t trace_tree_root(struct trace_tree *tree);
/* The node of METHOD below PARENT, a new one if need be, or the one that counts in its place;
 * TRACE_TREE_NONE: no memory. */
uint32_t trace_tree_child(struct trace_tree *tree, uint32_t parent, uint32_t method);
/* trace_tree_child() is called soon: what it needs is fetched. */
void trace_tree_fetch(const struct trace_tree *tree, uint32_t parent, uint32_t method);
/* `total` of all nodes. */
void trace_tree_sum(struct trace_tree *tree);
void trace_tree_free(struct trace_tree *tree);

/* Adds all of MORE to INTO. TO has a place for each node of MORE; of its roots, those in INTO that
 * they become are there (TRACE_TREE_NONE: left out), the others are filled in. False: no memory. */
bool trace_tree_merge(struct trace_tree *into, const struct trace_tree *more, uint32_t *to);

/*
 * Who calls: OUT, {0}, gets one root; its children are the methods that CHOSEN (by number, of
 * METHODS) has, below each are those that called it, and so on. Each node has the calls and times
 * of the chosen method that it leads to: `total` where the method is not inside of itself. TREE has
 * its totals. False: no memory.
 */
bool trace_tree_callers(const struct trace_tree *tree, const bool *chosen, size_t methods,
			struct trace_tree *out);

static inline uint64_t trace_tree_ns(const uint64_t times[TRACE_TREE_TIMES])
{
	uint64_t ns = 0;

	for (size_t i = 0; i < TRACE_TREE_TIMES; i++)
		ns += times[i];
	return ns;
}

#endif
