/*
 * text_numbers.h: texts that were captured (classes, strings): one number for equal ones, whichever
 * processes told them, in order of first appearance.
 *
 *     trace_text_numbers_open -> trace_text_number_of ... -> trace_text_numbers_close
 *
 * Cost: a step in a hash table for each text of each process, once; then a binary search.
 */
#ifndef JW_TRACE_REPLAY_TEXT_NUMBERS_H
#define JW_TRACE_REPLAY_TEXT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lookup.h"

struct trace_task;
struct trace_world;

/* {0}: none. */
struct trace_text_numbers {
	const char **at; /* owned; number N is at N - 1; the texts are those of the recordings */
	size_t n, cap;
	struct jw_lookup lookup; /* by hash of the text */
};

/* What a process calls it, and its number among all. */
struct trace_own_text {
	uint64_t own;
	uint32_t number;
};

/* Those of one process, by what it calls them. {0}: none. */
struct trace_own_texts {
	struct trace_own_text *at; /* owned */
	size_t n, cap;
};

/* Numbers the texts of all tasks of WORLD; false: no memory. */
bool trace_text_numbers_open(struct trace_world *world);
void trace_text_numbers_close(struct trace_world *world);

/* The number of "(others)", for texts that a rule does not tell apart; 0: no memory. */
uint32_t trace_text_number_of_others(struct trace_world *world);

/* The number of what TASK calls OWN; 0: null, or TASK has not told it. */
uint32_t trace_text_number_of(const struct trace_task *task, uint64_t own);

#endif
