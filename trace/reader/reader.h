/*
 * reader.h: opens a recording (recording.h has the format), whatever has become of it.
 *
 * Opening reads `data` once, front to back, and keeps an index: 64 bytes for each chunk of 64 KiB,
 * a line for each thread, the clock. Records are read again by streams (stream.h), thread by
 * thread. Damage never stops the reader: what is missing or wrong is left out and named in the
 * notes.
 *
 *     meta    -> facts, threads, clock points          missing: threads are numbered; too large: cut
 *     windows -> pieces of what was alive at the end   missing; stale ones are dropped
 *     data    -> pieces, clock points                  holes, cut and doubled chunks
 *
 * In this order: what a process writes while it is read then leaves no gap (windows.c).
 *
 * A summary has no records: its tables are added up at once (sums_read.c).
 */
#ifndef JW_TRACE_READER_H
#define JW_TRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "trace/format/recording.h"
#include "trace/format/tick.h"
#include "trace/reader/channels.h"
#include "trace/reader/clock.h"
#include "trace/reader/closings.h"
#include "trace/reader/holders.h"
#include "trace/reader/notes.h"
#include "trace/reader/tally.h"
#include "trace/reader/wall.h"

/* ---- how far long work is: told as bytes of recordings ---- */

struct trace_progress {
	void (*tell)(void *ctx, double done, double all); /* NULL: nobody asks */
	void *ctx;
	double all;      /* bytes of all recordings */
	double from, to; /* the part of the work that goes on, of 0..1 */
};

/* SHARE (0..1) of the part that goes on is done. P may be NULL. */
static inline void trace_progress_at(const struct trace_progress *p, double share)
{
	if (p && p->tell)
		p->tell(p->ctx, (p->from + share * (p->to - p->from)) * p->all, p->all);
}

/* ---- a recording ---- */

/* Consecutive records of one thread: a chunk, or the live part of a window. */
struct trace_piece {
	uint64_t offset;      /* of the first record in its file */
	uint64_t low, high;   /* its ticks are held between these: what the chunk's header says */
	uint64_t first, last; /* ticks of its first record and of its latest, held so */
	uint32_t uid, seq;
	uint32_t bytes; /* of records that are there */
	/* How many of them ... Thousands of recordings have millions of pieces: no more than it takes. */
	uint16_t events; /* say something */
	uint16_t calls;  /* are enters and exits of the thread itself, no virtual thread's */
	uint16_t states; /* are neither enter nor exit of a method */
	uint16_t switches;
	uint16_t file; /* of the recording's data files */
	bool window;
	bool whole; /* nothing of it is missing */
};

struct trace_thread {
	uint64_t start_tick; /* 0: alive before recording began, or unknown */
	uint64_t end_tick;
	uint64_t first_tick, last_tick; /* of its records */
	uint64_t events, lost;
	uint64_t calls, states, switches; /* as in pieces */
	uint64_t tid, java_id;
	uint64_t cpu_ns; /* 0: unknown */
	uint64_t meta_lost, window_lost;
	const char *name; /* that it had longest; "" when unknown; may hold any character */
	size_t alias, alias_count; /* its names, among the recording's; 0: it kept the one */
	size_t piece, piece_count;
	uint32_t uid;
	bool described; /* has a line in meta */
	bool ended;     /* end_tick is known */
	bool is_daemon, is_virtual;
	bool is_vm;    /* the VM itself */
	bool is_sums;  /* of a summary: virtual threads, all together */
	bool is_crowd; /* no thread: what those have lost that there was no room for */
};

/* A name that a thread had at TICK. */
struct trace_alias {
	uint64_t tick;
	const char *name;
	uint32_t uid, line; /* line: in the order of meta */
};

/* What has a number in records and a name in `meta`. */
struct trace_named {
	uint64_t id;
	const char *name;
};

/* In the id of a place: a virtual thread that parks there sleeps. */
#define TRACE_SLEEPS (UINT64_C(1) << 32)
/* Likewise: a thread that parks there puts something into a queue. */
#define TRACE_PUTS (UINT64_C(1) << 33)
/* Likewise: one that waits there waits for the end of a thread. */
#define TRACE_JOINS (UINT64_C(1) << 34)
/* In the id of a virtual thread's name, while meta is read: it had it at its end. */
#define TRACE_LAST_NAME (UINT64_C(1) << 63)

/* What events of the program's own are called. */
#define TRACE_NO_VALUE UINT64_MAX
/* In place of a type: texts of captures, by their numbers. */
#define TRACE_TEXT_TYPE 0
struct trace_event_label {
	uint64_t value; /* TRACE_NO_VALUE: the type itself */
	uint32_t type;
	const char *text;
};

/* Recording was paused; `end` is UINT64_MAX where it never went on. */
struct trace_gap {
	uint64_t begin, end; /* ticks; in struct trace_task: times */
};

struct trace_data_file {
	uint64_t number;  /* 0: data */
	uint64_t settled; /* up to here it was whole when it was indexed */
	int fd;
};

struct trace_recording {
	const char *path;
	struct jw_arena arena;
	const char *host, *command, *java, *vm, *cwd, *windows_path; /* "" when unknown */
	const char *main; /* what was started: main class or jar, and arguments; "" when unknown */
	const char *job, *application, *role; /* of its job (recording.h); "": none */
	const char *end_reason, *stop_reason;
	const char *clock_name; /* what its ticks count; "" when unknown */
	struct trace_boot boot; /* during which it was made; id "" when unknown */
	uint64_t pid, rank;
	uint64_t ranks; /* how many there are of; 0: unknown */
	uint64_t meta_size;
	bool has_vm;   /* a thread that is the VM itself */
	bool cut_meta; /* only the first lines of it were read */
	bool has_meta, has_rank, anonymous, clean_end, stopped, ns_ticks;
	uint64_t end_tick, stop_tick;
	uint64_t alive_tick; /* the last at which the process says that it lives; 0: it never did */
	struct jwr_clock_point start_point; /* the first of meta; all zero without one */

	const char **maps,
		**remarks;       /* places of method maps; what the recorder noted. Owned arrays */
	const char **taps;       /* natives of the JDK that tell; owned array */
	uint64_t short_waits_ns; /* shorter waits were left out in the end; 0: none were */
	size_t map_count, map_cap, remark_count, remark_cap, tap_count, tap_cap;

	struct trace_event_label *labels; /* owned array */
	size_t label_count, label_cap;
	struct trace_gap *gaps; /* in time, apart; owned array */
	size_t gap_count, gap_cap;
	struct trace_closings closings; /* methods that were closed while it was made */
	double budget;                  /* the share that recording was to take; 0: any */
	struct trace_thread *threads;   /* by uid; owned */
	size_t thread_count, thread_cap;
	struct trace_alias *aliases; /* of threads that were renamed: by uid, in time; owned */
	size_t alias_count, alias_cap;
	struct trace_named *virtuals; /* virtual threads, by id, each with its last name; owned */
	size_t virtual_count, virtual_cap;
	struct trace_named *classes; /* of objects, by hash, as they appeared; owned */
	size_t class_count, class_cap;
	struct trace_named *places; /* where threads waited, as they appeared; owned */
	size_t place_count, place_cap;
	struct trace_channel *channels; /* that it reads and writes, by number; owned */
	size_t channel_count, channel_cap;
	struct trace_holder *holders; /* who had monitors that were waited for; owned */
	size_t holder_count, holder_cap;
	uint64_t net_namespace; /* 0: unknown */
	uint64_t cpu_ns; /* of the process, when that was told last; 0: never, or at the beginning
			    alone */
	bool cpu_begun;  /* it was */
	struct trace_piece *pieces; /* by uid and seq; owned */
	size_t piece_count, piece_cap;

	struct trace_points points;   /* while it is opened, of which this stays: */
	struct trace_instant wall[2]; /* the first and the last */
	uint64_t seen_tick;           /* the first of them; 0: there is none */
	struct trace_clock clock;
	struct trace_data_file *files; /* owned array: data, or data.1, data.2, ... */
	size_t file_count, file_cap;
	int windows_fd; /* -1 without one */
	bool resting;   /* no file is open: each read opens its own */
	bool ring;      /* the oldest chunks of threads are gone: `overwritten` of them */
	uint64_t overwritten;
	uint64_t overwritten_threads; /* with all that they logged */
	uint64_t threads_gone;        /* of these, those that meta no longer names */
	/* as found; as its end said (trace_data_missing()), 0: it did not */
	uint64_t data_size, data_told;
	uint64_t events, lost, switches;
	/* A summary: no pieces, but sums by uid and key (struct jwr_row): count, exceptional, and
	 * in ticks ns, own_ns and longest. */
	bool is_summary;
	struct trace_tally sums;
	struct jwr_odds odds;
	uint32_t sums_uid;  /* of the virtual threads; 0: none */
	uint64_t last_tick; /* of all that is known of */
	uint64_t hole_bytes, unread_bytes, bad_chunks, cut_chunks, double_chunks, missing_chunks,
		stale_windows, live_windows, bad_windows, bad_lines;
};

/* Most bytes of `meta` that are read. Tests lower it. */
extern size_t trace_meta_limit;

/* Opens the folder PATH; OUT is to be closed in the end, also after a failure. No such folder, or
 * nothing of a recording in it: JW_INPUT; a newer format: JW_UNSUPPORTED. PROGRESS: NULL, or whom
 * to tell how much of `data` is read. */
enum jw_status JW_MUST_USE trace_recording_open(const char *path,
						const struct trace_progress *progress,
						struct trace_recording *out,
						struct trace_notes *notes, struct jw_err *e);
void trace_recording_close(struct trace_recording *rec);

/* Closes the files of REC until each is read again: of thousands of recordings all that are open
 * would be too many (ulimit -n). */
void trace_recording_rest(struct trace_recording *rec);

/* Reads what the folder PATH says of itself: its `meta` alone, no records, no files left open. To
 * be closed like the others, also after a failure. No meta: JW_INPUT; the rest as above. */
enum jw_status JW_MUST_USE trace_recording_facts(const char *path, struct trace_recording *out,
						 struct jw_err *e);

/* Is the process of REC, which has no end, gone, as this system knows? False also where it does not: on another
 * host, after another boot. */
bool trace_recording_gone(const struct trace_recording *rec);

/* Bytes of records that are missing of the TOLD ones where THERE are so many: what pads the last chunk is
 * counted, and never written. */
static inline uint64_t trace_data_missing(uint64_t told, uint64_t there)
{
	return told >= there + JWR_ALIGN ? told - there : 0;
}

/* Bytes of the records in the folder PATH; 0 also when there is none. */
uint64_t trace_recording_size(const char *path);

/* The name of the class whose identity hash ends in the 22 bits of NUMBER; NULL: unknown, or more
 * than one. */
const char *trace_class_name(const struct trace_recording *rec, uint64_t number);

/* What the program, or the recorder of a text, calls VALUE of TYPE (TRACE_TEXT_TYPE,
 * TRACE_NO_VALUE: see there); NULL: nothing. */
const char *trace_label_of(const struct trace_recording *rec, uint32_t type, uint64_t value);

/* Which of the recording's `virtuals` is virtual thread ID; NULL: it has no name. */
const struct trace_named *trace_virtual_named(const struct trace_recording *rec, uint64_t id);

/* Holds TICK between LOW and HIGH. */
static inline uint64_t trace_hold(uint64_t tick, uint64_t low, uint64_t high)
{
	return tick < low ? low : tick > high ? high : tick;
}

/* ---- for the family ---- */

/* An array that grows: room for one more than N of SIZE bytes each; NULL: no memory (P stays). */
void *trace_grow(void *p, size_t n, size_t *cap, size_t size);

/* meta_read.c: reads the text of `meta` into REC (facts, thread lines in order of appearance). */
enum jw_status JW_MUST_USE trace_meta_read(struct jw_span text, struct trace_recording *rec,
					   struct jw_err *e);

/* recording_files.c: opens NAME in FOLDER, the windows of REC, or the tables of a summary beside them.
 * *FD is -1 where there is no such file, and errno says why; what is there and is no regular file is
 * JW_INPUT. */
enum jw_status JW_MUST_USE trace_file_in(const char *folder, const char *name, int *fd,
					 struct jw_err *e);
enum jw_status JW_MUST_USE trace_file_windows(const struct trace_recording *rec, int *fd,
					      struct jw_err *e);
enum jw_status JW_MUST_USE trace_file_tables(const struct trace_recording *rec, int *fd,
					     struct jw_err *e);

/* Reads up to N bytes at OFFSET of the file that P is in; fewer as jw_read_at(). Of a window that was
 * emptied since it was indexed, those of the chunk that it became. */
size_t trace_piece_read(const struct trace_recording *rec, const struct trace_piece *p, void *out,
			size_t n, uint64_t offset);

/* reader.c: the lines of meta, sorted and joined: one entry a thread. */
void trace_threads_join(struct trace_recording *rec);
/* A thread after the others that has no line: no name, and no times. */
enum jw_status JW_MUST_USE trace_thread_add(struct trace_recording *rec, uint32_t uid,
					    struct jw_err *e);

/* sums_read.c: adds up `data`, `windows` and the file of TABLES (-1: none), once threads are known.
 */
enum jw_status JW_MUST_USE trace_sums_scan(struct trace_recording *rec, int tables,
					   struct jw_err *e);

/* Is PATH a recording whose `meta` says that it is a summary? */
bool trace_is_summary(const char *path);

/* windows.c: indexes `windows`, before `data` is opened: see there. */
enum jw_status JW_MUST_USE trace_windows_scan(struct trace_recording *rec, struct jw_err *e);
/* Does the window in FD still hold what P was indexed as? Ask after its records were read. */
bool trace_window_has(int fd, const struct trace_piece *p);

/* pieces.c: indexes `data`, unsorted. */
enum jw_status JW_MUST_USE trace_pieces_scan(struct trace_recording *rec,
					     const struct trace_progress *progress,
					     struct jw_err *e);
/* Looks in FD from FROM on for the chunk that window P became. *RECORDS is where those of it begin. */
bool trace_chunk_find(int fd, uint64_t from, const struct trace_piece *p, uint64_t *records);
/* Sorts the pieces, drops doubles and stale windows. */
void trace_pieces_order(struct trace_recording *rec);
/* What the records of a piece say: how many, from when to when. */
void trace_piece_survey(struct trace_piece *piece, const uint8_t *bytes);
/* Adds a piece; a point of the clocks, if POINT is one; reads one. */
enum jw_status JW_MUST_USE trace_piece_add(struct trace_recording *rec,
					   const struct trace_piece *piece, struct jw_err *e);
enum jw_status JW_MUST_USE trace_piece_point(struct trace_recording *rec,
					     const struct jwr_clock_point *point, struct jw_err *e);
struct jwr_clock_point trace_piece_clock(struct jw_cur *c);
/* Bytes of FD; 0 when that is unknown. */
uint64_t trace_file_size(int fd);
/* The next multiple of STEP at or after POS with written bytes in its reach; SIZE when none is. */
uint64_t trace_next_written(int fd, uint64_t pos, uint64_t size, uint64_t step);

#endif
