/*
 * notes.h: sentences for the user, collected on the way.
 *
 *     {.arena} -> note, note, ... -> free
 */
#ifndef JW_TRACE_READER_NOTES_H
#define JW_TRACE_READER_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

struct trace_notes {
	struct jw_arena *arena;
	const char **text; /* owned */
	size_t n, cap;
	bool failed; /* no memory for one */
};

/* Adds a sentence, in NOTES->arena; the list itself is freed by trace_notes_free(). Without memory
 * NOTES->failed is set. */
void trace_note(struct trace_notes *notes, const char *fmt, ...) JW_PRINTF(2, 3);
/* Puts those from FROM on, which matter most, before the others. */
void trace_notes_first(struct trace_notes *notes, size_t from);
void trace_notes_free(struct trace_notes *notes);
/* The list in ARENA, which has NOTES->n sentences of NOTES->arena. NULL: no memory for it, or for one of them. */
const char *const *trace_notes_list(const struct trace_notes *notes, struct jw_arena *arena);

/* How often something was, and what is told of it: when it was once, and when more often. */
struct trace_fact {
	uint64_t count;
	const char *one, *many;
};

/* What is told of calls, of events and of sums alike. */
#define TRACE_TOLD_NO_PROCESS "its 'meta' is damaged: it does not say of which process it is"
#define TRACE_TOLD_CUT                                             \
	"call was open where recording was paused: it ends there", \
		"calls were open where recording was paused: they end there"
#define TRACE_TOLD_HEADLESS                                          \
	"exit of a call whose beginning was not recorded, left out", \
		"exits of calls whose beginning was not recorded, left out"
#define TRACE_TOLD_LONE \
	"exit has no enter, and was left out", "exits have no enter, and were left out"

#define TRACE_TOLD_LOST                                          \
	"event was not recorded: the recording is not complete", \
		"events were not recorded: the recording is not complete"

#define TRACE_TOLD_BAD_LINE                                  \
	"line is no record of this trace, and was left out", \
		"lines are no records of this trace, and were left out"
#define TRACE_TOLD_UNSORTED                                   \
	"event is earlier than the one before of its thread", \
		"events are earlier than the one before of their thread"

/* For each of the N FACTS that was, a note "PATH: COUNT TEXT"; without the place when PATH is NULL.
 */
void trace_note_facts(struct trace_notes *notes, const char *path, const struct trace_fact *facts,
		      size_t n);

#endif
