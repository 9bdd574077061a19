/*
 * make_recording.h: writes recordings as the recorder does, and as a killed, cut or lying one
 * would.
 *
 *     struct make m = make_begin("NAME");       a folder NAME.jwr under make_folder()
 *     make_thread(&m, 1, 0, "main");            a line in meta
 *     make_event(&m, 1, tick, JWR_ENTER, id);   gathered per thread; full windows become chunks
 *     make_finish(&m, true);                    the rest becomes chunks (true) or live windows
 *
 * One tick is half a nanosecond (2 GHz) unless told otherwise; tick 1,000,000 is the start.
 */
#ifndef JW_TESTS_TRACE_MAKE_RECORDING_H
#define JW_TESTS_TRACE_MAKE_RECORDING_H

#include <ftw.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/paraver/paraver.h"

#define MAKE_START 1000000u

struct make_pending {
	uint32_t uid, seq, n;
	struct jwr_record *r;
};

struct make {
	char path[512];
	FILE *meta, *data, *windows;
	struct make_pending *threads;
	size_t thread_count;
	uint64_t wall_start, mono_start;
	double ns_per_tick;
	double wall_rate; /* of the wall clock against the monotonic one */
	uint64_t last_tick;
	uint64_t lost; /* put into the live windows */
	/* a thread whose last record is a wait that goes on in its window; 0: none */
	uint32_t waits;
	uint32_t window_records; /* a window is full at so many; JWR_RECORDS_SIZE / 16 by default */
};

/* A folder of this process for scratch files, removed at exit. */
const char *make_folder(void);
/* Makes everything in the folder PATH instead, which stays. */
void make_in(const char *path);
/* A path in it: formatted, static. */
const char *make_path(const char *fmt, ...) JW_PRINTF(1, 2);

/* Writes BYTES as the file PATH. */
void make_file(const char *path, struct jw_span bytes);

/* Removes what is at PATH, with all that is in it. */
void make_remove(const char *path);

/* Begins NAME.jwr with a clock, clock point, host "node1" and pid 100 in its meta. */
struct make make_begin(const char *name);
/* Begins it with an empty meta (not even the first line). */
struct make make_begin_bare(const char *name);
/* Of a job in FOLDER: its process NUMBER, executor NUMBER on node HOST; without threads. */
struct make make_executor(const char *folder, uint64_t number, uint64_t host);
/* A line of meta, formatted; "|" stands for TAB. */
void make_meta(struct make *m, const char *fmt, ...) JW_PRINTF(2, 3);
void make_thread(struct make *m, uint32_t uid, uint64_t start_tick, const char *name);
void make_event(struct make *m, uint32_t uid, uint64_t tick, enum jwr_kind kind, uint64_t id);
/* The tick NS after the begin of a recording whose ticks are half ns. */
uint64_t make_tick(uint64_t ns);
/* N calls of one method by thread UID from FIRST ns on, one event every 10 ns. */
void make_calls(struct make *m, uint32_t uid, uint64_t first, uint32_t n);
/* The point of the clocks at TICK. */
struct jwr_clock_point make_point(const struct make *m, uint64_t tick);
/* Makes what thread UID has gathered a chunk. */
void make_chunk(struct make *m, uint32_t uid);
/* Writes a window of thread UID as it is gathered, with SEQ. */
void make_window(struct make *m, uint32_t uid, uint32_t seq);
/* CLEAN: the rest becomes chunks, meta ends with `end`; else live windows. */
void make_finish(struct make *m, bool clean);

/* A method map file in the scratch folder: N methods (hash H, index 0..) of class CLASS. Its path.
 */
const char *make_map(const char *name, uint64_t class_hash, const char *class_name,
		     const char *source, const char *const *methods, size_t n);

/* Replays JOB into the trace BASE of the scratch folder. */
enum jw_status make_convert_job(const struct trace_job *job, const char *base,
				struct jw_arena *arena, struct trace_summary *out,
				struct jw_err *e);

/* Converts the folders PATHS[0..N) to BASE (a name in the scratch folder) with map MAP or NULL. */
enum jw_status make_convert(const char *const *paths, size_t n, const char *base, const char *map,
			    struct jw_arena *arena, struct trace_summary *out, struct jw_err *e);

/* The whole text of a scratch file (malloc'ed, to be freed); NULL when it is not there. */
char *make_slurp(const char *path);

/* Runs the validator on BASE.prv; its exit status. */
int make_validate(const char *base);

#endif
