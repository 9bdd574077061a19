/*
 * graph.h: the graph of types: what fills it (types.c, types_path.c, types_jdk.c) and walks it.
 *
 * Names are nodes, known or not; a known one has its direct supertypes. The first definition of a
 * name counts, so that the order of filling is the order of belief. Filled by one thread; a {0} is an
 * empty graph.
 */
#ifndef JW_WEAVER_GRAPH_H
#define JW_WEAVER_GRAPH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

struct weave_type_node {
	struct jw_span name;
	const uint32_t *supers;
	uint32_t super_count;
	uint32_t next; /* in its bucket; 0: none */
	/* the first node that names it as a supertype; 0: its methods are only called */
	uint32_t by;
	bool known;
	atomic_bool asked; /* a question led here */
};

struct weave_types {
	struct jw_arena arena;
	struct weave_type_node *nodes; /* index 0 means none */
	uint32_t count, room;
	uint32_t *buckets;
	size_t mask;
	struct jw_buf notes; /* const char * each */
};

/* The node of NAME, made when there is none; 0: no memory. */
uint32_t weave_types_node(struct weave_types *t, struct jw_span name);

/* The node of NAME, 0: there is none. */
uint32_t weave_types_find(const struct weave_types *t, struct jw_span name);

/* NAME has COUNT direct SUPERS, unless it is defined already. */
enum jw_status JW_MUST_USE weave_types_define(struct weave_types *t, struct jw_span name,
					      const struct jw_span *supers, size_t count,
					      struct jw_err *e);

/* The same from a class file; one that cannot be read says nothing. */
enum jw_status JW_MUST_USE weave_types_define_class(struct weave_types *t, struct jw_span bytes,
						    struct jw_arena *scratch, struct jw_err *e);

/* A sentence for the user. */
enum jw_status JW_MUST_USE weave_types_note(struct weave_types *t, struct jw_err *e,
					    const char *fmt, ...) JW_PRINTF(3, 4);

#endif
