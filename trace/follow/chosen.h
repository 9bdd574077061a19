/*
 * chosen.h: which methods of a run are chosen by their names. These are known only when all is told,
 * so who wants to know before reads twice: this is the output of the first time.
 *
 *     {.chooses, .said} -> an output told all of it (output.h) -> has .. -> free
 */
#ifndef JW_TRACE_FOLLOW_CHOSEN_H
#define JW_TRACE_FOLLOW_CHOSEN_H

#include "base/memory.h"
#include "trace/output.h"
#include "trace/replay/method_numbers.h"

struct trace_chosen {
	/* CLASS_NAME with dots; "" where they are not known. */
	bool (*chooses)(void *ctx, const char *class_name, const char *name,
			const char *descriptor);
	void *ctx;
	const char *said; /* by the user; NULL: nobody asks for `untraced` */
	const char *
		untraced; /* a method that this may mean and that nobody traced (untraced.h); NULL: none */
	struct jw_arena arena;        /* has that */
	struct trace_methods methods; /* by number */
	size_t named;                 /* methods whose names are known */
	bool failed;                  /* no memory */
};

extern const struct trace_output trace_chosen_output; /* of a struct trace_chosen */
/* Is METHOD, as an output is told it, chosen? CHOSEN is a struct trace_chosen. */
bool trace_chosen_has(const void *chosen, uint64_t method);
void trace_chosen_free(struct trace_chosen *chosen);

#endif
