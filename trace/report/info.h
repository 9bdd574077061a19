/*
 * info.h: what a recording or a trace holds, for people: no conversion, no method maps.
 */
#ifndef JW_TRACE_INFO_H
#define JW_TRACE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

struct trace_thread_info {
	const char *name; /* as recorded: may hold any character; "" when unknown */
	uint64_t events, lost;
	uint64_t calls;            /* of a summary, which has no events */
	uint64_t start_ns, end_ns; /* since the recording began; its first and last instant */
	uint32_t uid;
	bool is_daemon, is_virtual, ended;
};

struct trace_recording_info {
	const char *host, *command, *java, *vm, *cwd; /* "" when unknown */
	const char *end_reason, *stop_reason;
	const char *role; /* what the process is in a job, as names/role.h says; "": unknown */
	uint64_t pid, rank;
	uint64_t events, lost;
	uint64_t bytes; /* of records and their headers on disk */
	uint64_t chunks, live_windows;
	uint64_t duration_ns;    /* up to the last known instant */
	uint64_t began_wall_ns;  /* epoch; 0: unknown */
	uint64_t virtual_count;  /* virtual threads that have logged */
	uint64_t pauses;         /* of the garbage collector */
	uint64_t calls, methods; /* of a summary */
	uint64_t closings;       /* of methods, to keep within a budget */
	bool is_summary;
	bool has_rank, clean_end, stopped;
	const struct trace_thread_info *threads;
	size_t thread_count;
	size_t threads_all;      /* without the JVM itself */
	const char *const *maps; /* where method maps may be, as recorded */
	size_t map_count;
	const char *const *taps; /* natives of the JDK that told of waits */
	size_t tap_count;
	const char *const *warnings; /* damage, notes of the recorder */
	size_t warning_count;
};

/* Does PATH look like a recording: a folder with a 'meta' or 'data' in it? */
bool trace_is_recording(const char *path);

/* Reads the recording PATH; text lives in ARENA. */
enum jw_status JW_MUST_USE trace_recording_info(const char *path, struct jw_arena *arena,
						struct trace_recording_info *out, struct jw_err *e);

/* Reads of the recording PATH only what it says of itself, no records: host, command, java, vm,
 * cwd, pid, began_wall_ns, closings, is_summary, clean_end. It may be of any size. No meta: JW_INPUT. */
enum jw_status JW_MUST_USE trace_recording_origin(const char *path, struct jw_arena *arena,
						  struct trace_recording_info *out,
						  struct jw_err *e);

struct trace_prv_info {
	const char *date; /* as in the header */
	uint64_t end_ns;
	uint64_t states, events, comms; /* lines of each kind */
	uint64_t pairs;                 /* type:value pairs of all event lines */
	uint64_t calls;                 /* enters of user functions */
	uint64_t bytes;
	uint32_t nodes, tasks, threads;  /* threads: without rows called JVM */
	const char *const *thread_names; /* of the .row, as many as it has; may be fewer */
	size_t thread_name_count;
	uint64_t functions; /* named in the .pcf */
};

/* Reads a trace PATH (.prv) and, where they are, the .row and .pcf beside it. No trace: JW_INPUT.
 */
enum jw_status JW_MUST_USE trace_prv_info(const char *path, struct jw_arena *arena,
					  struct trace_prv_info *out, struct jw_err *e);

#endif
