/*
 * paraver.h: recordings in, one Paraver trace (.prv .pcf .row) out.
 *
 * A streaming merge by time over the threads' chunks: memory is bounded by the number of threads,
 * never by the number of events. Output appears whole or not at all, .prv last.
 */
#ifndef JW_TRACE_PARAVER_H
#define JW_TRACE_PARAVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"

/* What the bytes of the .prv go through on their way to disk (compression), so that this room,
 * which is part of the runtime too, needs no compressor. */
struct trace_pack {
	const char *suffix; /* behind ".prv" */
	/* Appends to OUT what the block S becomes; may run on several threads at one time. NULL:
	 * blocks stay as they are. */
	enum jw_status (*pack)(void *ctx, struct jw_span s, struct jw_buf *out, struct jw_err *e);
	/* Takes the blocks in their order, never two at one time; NULL: they go to the file. */
	enum jw_status (*write)(void *ctx, struct jw_span s, struct jw_err *e);
	void *ctx;
};

/* Who takes a trace in place of files. */
struct trace_taker {
	/* The next piece of the .prv. */
	enum jw_status (*prv)(void *ctx, struct jw_span piece, struct jw_err *e);
	/* Behind the last of them the texts of .pcf and .row. */
	enum jw_status (*names)(void *ctx, struct jw_span pcf, struct jw_span row,
				struct jw_err *e);
	void *ctx;
};

struct trace_paraver_job {
	const char *const *recordings; /* folders NAME.jwr, one per process */
	size_t recording_count;
	const char *out_base;    /* writes out_base.prv, .pcf, .row */
	const char *const *maps; /* more places of method maps (jar, folder, .map) */
	size_t map_count;
	/* Bytes of changes of states that stay in memory; more go to an unnamed file in the folder
	 * of the output. 0: 16 MiB. */
	size_t memory;
	/* Virtual threads that have a row of their own at one time; 0: as rows allow. */
	uint32_t lanes;
	uint32_t methods; /* at most so many; 0: 16,777,216 */
	/* Rows that are left out, by place among those that the trace would have (the threads of
	 * its report), with all that they did. Each process keeps one. NULL: none. */
	const bool *leave_out;
	size_t leave_out_n;
	const struct trace_pack *pack;   /* NULL: the .prv is plain */
	const struct trace_taker *taker; /* NULL: three files are written */
	size_t threads;                  /* the caller alone (0, 1) or with others; same bytes */
	/* Called now and then: how much of the work is done, as bytes of the recordings (`all` of
	 * them). May be NULL. */
	void (*progress)(void *ctx, double done, double all);
	void *progress_ctx;
};

/* One line of the profile by method. */
struct trace_top_method {
	const char *label; /* the short name, UTF-8 */
	uint64_t calls, exceptional, inclusive_ns, exclusive_ns;
	bool closed; /* while the program ran: it had at least so many calls */
};

/* A closed method that is not worth a second look: a call takes less than TRACE_SMALL_NS of its own. */
#define TRACE_SMALL_NS 2000
struct trace_small_method {
	const char *class_name, *name, *descriptor;
};

/* What the trace holds. Pointers live in the arena given. */
struct trace_summary {
	uint64_t events;   /* records read */
	uint64_t calls;    /* enters */
	uint64_t inferred; /* exits that no record said */
	uint64_t dropped;  /* exits without an enter */
	uint64_t lost;     /* events that were counted but not recorded */
	uint64_t unnamed;  /* methods without an entry in any map */
	uint32_t threads, methods;
	uint32_t left_out; /* rows, as the job says */
	uint64_t duration_ns;
	bool clean_end;                     /* every process wrote its end */
	const struct trace_top_method *top; /* by calls, most first */
	size_t top_count;
	uint32_t closed_methods;
	const char *closed; /* a sentence on them; NULL: none were closed */
	const struct trace_small_method *small; /* those of them that are small */
	size_t small_count;
	/* Sentences for the user: methods without a name (and what to do), what is damaged or
	 * missing, what the recorder noted. Not lost, inferred, dropped and clean_end: say these
	 * from the figures. */
	const char *const *warnings;
	size_t warning_count;
};

/* Converts as JOB says; OUT is in ARENA. JW_INPUT: a recording or map is not usable; JW_IO: it
 * cannot be read, or the trace not written. Nothing is left of a trace that failed. */
enum jw_status JW_MUST_USE trace_to_paraver(const struct trace_paraver_job *job,
					    struct jw_arena *arena, struct trace_summary *out,
					    struct jw_err *e);

#endif
