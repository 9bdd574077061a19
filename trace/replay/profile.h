/*
 * profile.h: what a replay has told, in figures, for whoever made it. Cost: a sort of its methods.
 */
#ifndef JW_TRACE_REPLAY_PROFILE_H
#define JW_TRACE_REPLAY_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "trace/replay/between.h"

struct trace_replay;

/* One line of the profile by method. */
struct trace_top_method {
	const char *label; /* the short name, UTF-8 */
	uint64_t calls, exceptional, inclusive_ns, exclusive_ns;
	bool closed; /* while the program ran: it had at least so many calls */
};

/*
 * A closed method that is not worth a second look: a call takes less than TRACE_SMALL_NS of its own, and less than
 * TRACE_WHOLE_NS in all: what takes longer costs little to record, and may be what somebody looks for (a request, a
 * statement). Such methods are told where they made TRACE_SMALL_SHARE of the calls, at least: else leaving them out
 * costs more (all is woven anew) than it saves, and closing them anew costs next to nothing. The costliest, by what was
 * recorded of them, are not told (TRACE_COSTLY, at most half): in the next run they are closed again, so that its report
 * has them among the costliest, as it would not if they were left out.
 */
#define TRACE_SMALL_NS    2000
#define TRACE_WHOLE_NS    50000
#define TRACE_SMALL_SHARE 0.25
#define TRACE_COSTLY      16
struct trace_small_method {
	const char *class_name, *name, *descriptor;
};

/* What the trace holds. Pointers live in the arena given. */
struct trace_summary {
	uint64_t events; /* records read */
	uint64_t calls;  /* enters */
	uint64_t others; /* of these, of call sites: of methods that are not traced by themselves */
	uint64_t inferred; /* exits that no record said */
	uint64_t dropped;  /* exits without an enter */
	uint64_t lost;     /* events that were counted but not recorded */
	uint64_t unnamed;  /* methods without an entry in any map */
	/* in traced methods, of all threads; of each at most its CPU time, where that is known */
	uint64_t inside_ns;
	bool inside_is_cpu; /* of some thread it is that */
	uint32_t threads, methods;
	uint32_t left_out; /* rows, as the job says */
	uint64_t duration_ns;
	struct trace_socket_bytes sockets;
	struct trace_messages_told messages; /* between machines */
	bool clean_end;                      /* every process wrote its end */
	const struct trace_top_method *top;  /* by calls, most first */
	size_t top_count;
	uint32_t closed_methods;
	const char *closed;                     /* a sentence on them; NULL: none were closed */
	const struct trace_small_method *small; /* those of them that are small, if they are many */
	size_t small_count;
	/* Sentences for the user: methods without a name (and what to do), what is damaged or
	 * missing, what the recorder noted. Not lost, inferred, dropped and clean_end: say these
	 * from the figures. */
	const char *const *warnings;
	size_t warning_count;
};

/* Of what REPLAY has told; OUT is in ARENA, its warnings are the replay's notes, of which it adds
 * some. */
enum jw_status JW_MUST_USE trace_profile(const struct trace_replay *replay, struct jw_arena *arena,
					 struct trace_summary *out, struct jw_err *e);

#endif
