/*
 * rows.h: a tree of calls as lines to show: the largest nodes, the others folded.
 *
 *     Main.main
 *       Main.load
 *         Io.read
 *         (2 folded)        what Main.load calls beside it
 *       Main.save
 *
 * With `chains`, TRACE_TREE_CHAIN nodes or more of which each passes nearly all of its time on to one other are one
 * line, between the node above them and the last that they lead to.
 *
 * Callers come before what they call, and the largest total first. Nothing is lost by folding: the line
 * of what is folded has its calls, with all inside, and times; that of a chain the calls and the total of its first
 * node, and as `self` what all of them and what they call beside took.
 */
#ifndef JW_TRACE_CALLS_ROWS_H
#define JW_TRACE_CALLS_ROWS_H

#include "base/status.h"
#include "trace/calls/tree.h"

#define TRACE_TREE_CHAIN  4
#define TRACE_TREE_PASSED 99 /* % */

struct trace_tree_row {
	uint32_t node;   /* TRACE_TREE_NONE: what is folded of the node that this line is below */
	uint32_t level;  /* of the root's children: 0 */
	uint32_t parent; /* a node */
	size_t folded;   /* nodes */
	size_t chain;    /* nodes, of which NODE is the last; 0: it is NODE alone */
	uint64_t calls, failed, self[TRACE_TREE_TIMES], total[TRACE_TREE_TIMES];
};

struct trace_tree_rows {
	struct trace_tree_row *at; /* in the arena */
	size_t n, room;
	size_t shown, all; /* nodes */
};

/* The nodes below ROOT whose total is LEAST_NS at least, MOST of them at most, beside those in CHAINS. TREE has its
 * totals. */
enum jw_status JW_MUST_USE trace_tree_rows(const struct trace_tree *tree, uint32_t root,
					   uint64_t least_ns, size_t most, bool chains,
					   struct jw_arena *arena, struct trace_tree_rows *out,
					   struct jw_err *e);

#endif
