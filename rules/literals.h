/*
 * literals.h: finds which of many literal strings occur in a text, in one pass (Aho-Corasick).
 *
 * Cost: a text of N bytes takes at most 2 * N steps, however many strings there are, and one step
 * for each occurrence. One node for every byte of every string; common beginnings share nodes.
 */
#ifndef JW_RULES_LITERALS_H
#define JW_RULES_LITERALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

struct rules_pieces {
	const struct rules_piece_edge *edges; /* a hash table: node and byte -> node */
	size_t mask;
	const struct rules_piece_node *nodes; /* the first is the root; NULL: no strings */
};

/* Compiles COUNT distinct strings, none of them empty. */
enum jw_status JW_MUST_USE rules_pieces_build(const struct jw_span *strings, size_t count,
					      struct jw_arena *arena, struct rules_pieces *out,
					      struct jw_err *e);

/* A walk over the occurrences: for (w = rules_pieces_walk(p, text); rules_pieces_next(&w, &i);) */
struct rules_pieces_walk {
	const struct rules_pieces *pieces;
	struct jw_span text;
	size_t pos;
	uint32_t node, hit;
};
struct rules_pieces_walk rules_pieces_walk(const struct rules_pieces *pieces, struct jw_span text);

/* The index of the next string that occurs; one that occurs twice is found twice. */
bool rules_pieces_next(struct rules_pieces_walk *walk, size_t *index);

#endif
