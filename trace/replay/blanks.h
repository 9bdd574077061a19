/*
 * blanks.h: where records of a thread are missing, so that nobody knows what it did: in a recording that is
 * damaged or cut.
 *
 *     before its first chunk      if that is not number 0
 *     between two chunks          if a number is left out
 *     inside of a chunk           where it was never written, or is cut
 *     after its last record       if the end of the data is missing: who knows what was there
 *
 * In a flight recorder what is older was overwritten: that is no damage, and is not looked at here.
 */
#ifndef JW_TRACE_REPLAY_BLANKS_H
#define JW_TRACE_REPLAY_BLANKS_H

#include <stdbool.h>

struct trace_notes;
struct trace_world;

/* Fills in the blanks of all rows of threads of W, whose lives are known, and notes of each recording that has some;
 * false: no memory. */
bool trace_blanks_place(struct trace_world *w, struct trace_notes *notes);

#endif
