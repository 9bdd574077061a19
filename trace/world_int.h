/*
 * world_int.h: what the conversion to Paraver works on; for the files of this room alone.
 *
 *   recordings -> tasks, rows (world.c)     one task a process, one row a thread
 *   row -> stream.c  -> records in time     one buffer a row, while it lives
 *       -> timeline.c -> balanced frames    one stack a row
 *       -> merge.c    -> by time            a heap of rows
 *       -> prv.c      -> lines
 *   methods.c: dense ids, profile           label.c, pcf.c, row.c: names
 */
#ifndef JW_TRACE_WORLD_INT_H
#define JW_TRACE_WORLD_INT_H

#include "base/file.h"
#include "trace/methodmap.h"
#include "trace/paraver.h"
#include "trace/reader.h"

/* Paraver counts threads in 16 bits, and crashes on CPU 65535. */
#define TRACE_MAX_ROWS 65535
#define TRACE_MAX_CPUS 65534
/* Types of events, as Extrae numbers them. */
#define TRACE_USER_FUNCTION 60000019
/* States, as Extrae numbers them. */
#define TRACE_RUNNING     1
#define TRACE_NOT_CREATED 2

/* ---- world.c ---- */

struct trace_task {
	struct trace_recording rec;
	int64_t shift;   /* added to its monotonic ns: ns of the trace, from 1 on */
	uint64_t end;    /* the latest instant it knows of */
	uint32_t node;   /* from 0 */
	uint32_t number; /* from 1 */
	size_t rows, first_row;
};

struct trace_row {
	const struct trace_task *task;
	const struct trace_thread *thread;
	uint64_t start, end; /* its life: start 0: before the trace */
	uint32_t number;     /* in its task, from 1 */
	uint32_t cpu;        /* global, from 1; 0: no resources */
};

struct trace_world {
	struct trace_task *tasks; /* owned */
	size_t task_count;
	struct trace_row *rows; /* in order of task and thread; owned */
	size_t row_count, rows_left_out;
	const char **nodes; /* names of hosts; owned array */
	uint32_t *node_cpus;
	size_t node_count;
	bool resources;     /* one CPU a row, else CPU 0 everywhere */
	uint64_t end;       /* the last time of the trace */
	uint64_t events;    /* records to read */
	int64_t wall_start; /* epoch seconds of time 1 */
};

enum jw_status JW_MUST_USE trace_world_open(const struct trace_paraver_job *job,
					    struct trace_world *world, struct trace_notes *notes,
					    struct jw_err *e);
void trace_world_close(struct trace_world *world);

/* Time of the trace of TICK of TASK, at least 1. */
uint64_t trace_time(const struct trace_task *task, uint64_t tick, uint32_t *hint);

/* ---- stream.c ---- */

struct trace_stream {
	const struct trace_row *row;
	struct jwr_record *buf; /* owned */
	uint32_t at, n, cap;
	uint32_t done; /* bytes of the piece that were read */
	uint32_t hint;
	size_t piece; /* within the thread's */
	uint64_t low, high;
	uint64_t time; /* of the latest record: never falls */
	bool failed;   /* no memory */
	bool shrunk;   /* the file gave less than it had */
};

void trace_stream_init(struct trace_stream *s, const struct trace_row *row, uint32_t cap);
/* The next record that says something: its time in s->time, its word in *WORD; false at the end. */
bool trace_stream_next(struct trace_stream *s, uint64_t *word);
/* The time of the first record, without reading it; false: there is none. */
bool trace_stream_first(struct trace_stream *s, uint64_t *time);
void trace_stream_close(struct trace_stream *s);

/* ---- methods.c ---- */

struct trace_stat {
	uint64_t id, calls, exceptional, inclusive_ns, exclusive_ns;
};

/* Methods in order of first appearance; number I has dense id I + 1. */
struct trace_methods {
	struct trace_stat *m; /* owned */
	size_t n, cap;
	uint32_t *slots; /* owned; hash table of numbers + 1 */
	size_t mask;
	uint64_t refused; /* more methods than TRACE_MAX_METHODS */
};

#define TRACE_MAX_METHODS (UINT32_C(1) << 24)
#define TRACE_NO_METHOD   UINT32_MAX

/* The number of method ID, a new one if need be; TRACE_NO_METHOD: no memory, or too many. */
uint32_t trace_methods_number(struct trace_methods *methods, uint64_t id);
/* The number of method ID if it has one. */
uint32_t trace_methods_known(const struct trace_methods *methods, uint64_t id);
void trace_methods_free(struct trace_methods *methods);

/* ---- prv.c ---- */

struct trace_prv {
	struct jw_out *out;
	const struct trace_pack *pack; /* NULL: none */
	struct jw_err *e;
	enum jw_status status;       /* the first failure */
	const struct trace_row *row; /* whose event line is open */
	uint64_t time;
	uint32_t pairs;
	uint64_t last; /* the time of the latest record: they never fall */
	size_t n;
	char *buf; /* owned */
};

enum jw_status JW_MUST_USE trace_prv_open(struct trace_prv *prv, struct jw_out *out,
					  const struct trace_pack *pack,
					  const struct trace_world *world, struct jw_err *e);
void trace_prv_state(struct trace_prv *prv, const struct trace_row *row, uint64_t begin,
		     uint64_t end, uint32_t state);
void trace_prv_event(struct trace_prv *prv, const struct trace_row *row, uint64_t time,
		     uint32_t type, uint64_t value);
/* Writes out what is left; the first failure of all. */
enum jw_status JW_MUST_USE trace_prv_finish(struct trace_prv *prv);
void trace_prv_close(struct trace_prv *prv);

/* ---- timeline.c ---- */

struct trace_frame {
	uint64_t enter, inner_ns; /* inner: of the calls it made */
	uint32_t method;
	bool again; /* the method was on the stack already: its time is counted there */
};

struct trace_timeline {
	struct trace_frame *frames; /* owned */
	uint32_t *open;             /* owned; how many frames are open, by hash of the method */
	uint32_t depth, cap;
	uint32_t over;   /* enters beyond TRACE_MAX_DEPTH: counted, not shown */
	uint64_t budget; /* steps that searching in vain may still cost */
};

/* Ten times as deep as a JVM gets with its usual stacks; a frame takes 24 bytes. */
#define TRACE_MAX_DEPTH (UINT32_C(1) << 20)

struct trace_counts {
	uint64_t events, calls, inferred, dropped, strange, too_deep;
};

/* Where the frames of all rows go. */
struct trace_frames {
	struct trace_methods methods;
	struct trace_counts counts;
	struct trace_prv *prv;
	bool failed; /* no memory */
};

/* What record WORD at TIME means for the frames of ROW. */
void trace_timeline_take(struct trace_frames *to, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time, uint64_t word);
/* Closes what is open. */
void trace_timeline_end(struct trace_frames *to, struct trace_timeline *t,
			const struct trace_row *row, uint64_t time);
void trace_timeline_free(struct trace_timeline *t);

/* ---- merge.c ---- */

enum jw_status JW_MUST_USE trace_merge(const struct trace_world *world, struct trace_frames *to,
				       const struct trace_paraver_job *job,
				       struct trace_notes *notes, struct jw_err *e);

/* ---- label.c ---- */

#define TRACE_MAX_LABEL 250

/* Appends "Short.name [long.form(types):type File.java:1]"; METHOD NULL: "unknown 0xID". */
void trace_put_label(struct jw_buf *out, const struct trace_method *method, uint64_t id);
/* The short part alone. */
void trace_put_short_label(struct jw_buf *out, const struct trace_method *method, uint64_t id);
/* Text on one line: control characters become spaces, ends are trimmed, at most MAX bytes, cut
 * between characters with "..." behind. */
void trace_put_name(struct jw_buf *out, struct jw_span text, size_t max);

/* ---- pcf.c, row.c ---- */

void trace_put_pcf(struct jw_buf *out, const struct trace_methods *methods,
		   const struct trace_map *map);
void trace_put_rows(struct jw_buf *out, const struct trace_world *world);

#endif
