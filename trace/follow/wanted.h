/*
 * wanted.h: names of those numbers alone that an output wants to show.
 *
 *     want, want, ... -> take, take, ... -> text .. -> free      before names are told; while; after
 */
#ifndef JW_TRACE_FOLLOW_WANTED_H
#define JW_TRACE_FOLLOW_WANTED_H

#include "base/lookup.h"
#include "base/memory.h"
#include "trace/output.h"
#include "trace/report/report.h"

struct trace_followed_wait;

struct trace_wanted_name {
	uint64_t key;
	const char *text; /* in the arena; NULL: not told yet */
};

struct trace_wanted {
	struct jw_arena *arena;
	struct trace_wanted_name *at; /* owned */
	size_t n, cap;
	struct jw_lookup lookup;
	const char **titles; /* of methods, by place, once one was asked for; in the arena */
	bool failed;         /* no memory */
};

/* What NAME is of. */
enum trace_name_kind trace_wanted_kind(const struct trace_wanted_name *name);
uint64_t trace_wanted_number(const struct trace_wanted_name *name);
/* The place of a name in the list; its length: it was not wanted. */
size_t trace_wanted_place(const struct trace_wanted *wanted, enum trace_name_kind what,
			  uint64_t number);

/* NUMBER 0 is nothing. */
void trace_want(struct trace_wanted *wanted, enum trace_name_kind what, uint64_t number);
/* As `name` of struct trace_output. */
void trace_wanted_take(struct trace_wanted *wanted, enum trace_name_kind what, uint64_t number,
		       struct jw_span label);
/* NULL: it has no name, or was not wanted. A class as Java writes it. */
const char *trace_wanted_text(const struct trace_wanted *wanted, enum trace_name_kind what,
			      uint64_t number);
/* What tables call a method (titles.h): short, and told apart from the others that were wanted; "" of none. After
 * names were told. NULL: no memory. */
const char *trace_wanted_method(struct trace_wanted *wanted, uint64_t number);
/* The name of the thread in place AT of SCENE. NULL: no memory. */
const char *trace_wanted_thread(struct trace_wanted *wanted, const struct trace_scene *scene,
				uint32_t at);
/* That of its process; "" where there is no other. NULL: no memory. */
const char *trace_wanted_process(struct trace_wanted *wanted, const struct trace_scene *scene,
				 uint32_t at);
/* All names that WAIT has; then where it was, and for what (counts and times are the caller's).
 * False: no memory. */
void trace_want_wait(struct trace_wanted *wanted, const struct trace_followed_wait *wait);
bool trace_wanted_wait(struct trace_wanted *wanted, const struct trace_followed_wait *wait,
		       struct trace_report_stall *out);
void trace_wanted_free(struct trace_wanted *wanted);

#endif
