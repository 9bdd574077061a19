/*
 * alike.h: warnings that are alike, so that a job of thousands of processes does not fill the screen with one sentence.
 *
 *     waits? -> (told, if not) ... -> next, until there is none       at any time, again
 *
 * Two are alike when they say the same, numbers aside, of recordings: "a.jwr: 3 chunks are missing" and
 * "b.jwr: 12 chunks are missing". The first three of a kind are told; of the others the next one, with how many there are
 * more. What says nothing of a recording never waits.
 */
#ifndef JW_CLI_ALIKE_H
#define JW_CLI_ALIKE_H

#include "base/memory.h"

enum { CLI_ALIKE_TOLD = 3, CLI_ALIKE_KINDS = 32 /* what is of more kinds is told */ };

struct cli_alike {
	struct cli_alike_kind {
		/* of this kind, the first that waits, or else the first; in the arena */
		const char *text;
		size_t told, waiting;
	} kinds[CLI_ALIKE_KINDS];
	size_t n, waiting; /* of all kinds */
};

/* Does TEXT wait, as so many are alike? Without memory it does not. */
bool cli_alike_waits(struct cli_alike *alike, struct jw_arena *arena, const char *text);
/* Takes a kind of which some wait: the first of them as TEXT, with how many there are MORE. False: there is none. */
bool cli_alike_next(struct cli_alike *alike, const char **text, size_t *more);

#endif
