/*
 * world_int.h: what the conversion to Paraver works on; for the files of this room alone.
 *
 *   recordings -> tasks, rows (world.c)     one task a process, one row a thread
 *   row -> stream.c  -> records in time     one buffer a row, while it lives
 *       -> merge.c    -> by time            order.c, which sorts what is due together
 *       -> dispatch.c -> whose it is        virtual threads own lanes, rows of theirs: virtual_lanes.c
 *       -> timeline.c -> balanced frames    one stack a thread
 *       -> prv.c      -> lines -> sink.c
 *
 * Two readings: the first takes only what changes states, and learns how many lanes there will be
 * (states.c); the second writes. Both merge in one order, so that they agree.
 *
 *   spool.c: changes of states, on disk where they are many
 *   method_numbers.c: dense ids             profile.c
 *   label.c, pcf.c, row.c: names
 */
#ifndef JW_TRACE_WORLD_INT_H
#define JW_TRACE_WORLD_INT_H

#include "base/file.h"
#include "trace/format/methodmap.h"
#include "trace/names/event_types.h"
#include "trace/names/label_int.h"
#include "trace/paraver/paraver.h"
#include "trace/reader/reader.h"
#include "trace/reader/tally.h"
#include "trace/replay/heap_int.h"
#include "trace/replay/inside_int.h"
#include "trace/replay/order_int.h"
#include "trace/replay/spool_int.h"

/* ---- world.c ---- */

struct trace_waiter;

/* What a row does, from 0 on: Not created, then these changes. */
struct trace_changes {
	struct trace_spool *spool;
	struct trace_list list;   /* see states.c */
	uint64_t time, next_time; /* of the latest in the list, and of one that may be taken back */
	uint8_t state, next_state;
	bool has_next;
};

struct trace_pause {
	uint64_t begin, end;
};

/* Frames of a thread. */
struct trace_frame {
	uint64_t enter, inner_ns; /* inner: of the calls it made */
	uint32_t method;
	bool again; /* the method was on the stack already: its time is counted there */
	bool stale; /* its method was closed since: it ends when it is the innermost */
};

struct trace_timeline {
	struct trace_frame *frames; /* owned */
	uint32_t *open; /* owned; how many frames are open, by hash of the method; NULL: shallow */
	uint32_t depth, cap;
	uint32_t over;   /* enters beyond TRACE_MAX_DEPTH: counted, not shown */
	uint64_t budget; /* steps that searching in vain may still cost */
	bool partial;    /* calls may have begun where nothing was recorded */
	bool closes;     /* or where their methods were closed */
};

/* What a thread waits for: a small stack, the innermost last. */
#define TRACE_WAITS 4
struct trace_waits {
	struct trace_wait {
		uint64_t object;
		struct trace_waiter *waiter; /* arrows.c */
		uint32_t class, place;       /* as they are shown; 0: unknown */
		uint8_t value;               /* of the type "Java monitor" */
	} at[TRACE_WAITS];
	uint32_t over; /* beyond that: counted, not shown */
	uint8_t n;
};

/* The exceptions that a thread has met last, one of them maybe on its way: flight.c. */
#define TRACE_MET 64
struct trace_flight {
	uint64_t seen;        /* when a record told of the latest last */
	uint32_t depth;       /* frames that were open then; of the second reading */
	bool flying;          /* nothing but its flight has been seen since */
	uint8_t latest, next; /* places in `met`; where the next new one goes */
	struct trace_met {
		uint64_t object; /* 0: none */
		bool landed;     /* caught since it was thrown last */
	} met[TRACE_MET];
};

/* A thread of Java, virtual or not, while it is read. */
struct trace_track {
	struct trace_timeline timeline;
	struct trace_waits waits;
	struct trace_insides insides;
	struct trace_flight *flight; /* owned; NULL: no exception so far */
	bool created;                /* the latest record is of an array: its length comes next */
	uint32_t place; /* where it stands, told by the latest record: it waits next; 0: unknown */
	uint32_t event; /* type of an event of the program's own, whose value comes next; 0: none */
};

/* Where something happened. In the first reading it is not known yet which rows there will be. */
struct trace_place {
	uint32_t task; /* its place among the world's */
	uint32_t row;  /* among the world's; or a lane of the task; or nowhere */
};
#define TRACE_LANE_BIT (UINT32_C(1) << 31)
#define TRACE_NOWHERE  UINT32_MAX

/* Whose a record is: its track, its row in the trace (NULL: none, or the first reading), the row
 * where its calls and events stand, which goes without its states where others share it, and what
 * gathers its states (NULL: it has no row). */
struct trace_who {
	struct trace_place place;
	uint64_t id; /* of the thread, in Java */
	struct trace_track *track;
	const struct trace_row *row, *calls;
	struct trace_changes *changes;
};

struct trace_virtual {
	uint64_t id;
	uint64_t began;  /* when it was seen first */
	bool told_start; /* there is an arrow to that */
	uint32_t lane;   /* from 1; 0: it has none */
	struct trace_track track;
};

struct trace_lane_use {
	struct trace_virtual *owner;
	uint64_t first_id, owners; /* how many so far, and who was the first */
};

#define TRACE_FREE_WORDS 17
struct trace_virtuals {
	struct trace_virtual **slots;         /* owned, with what it holds: hash table by id */
	struct trace_lane_use *lanes;         /* owned; from 1 */
	uint64_t *free;                       /* owned; a bit for a lane given back */
	uint64_t some_free[TRACE_FREE_WORDS]; /* a bit for each word of `free` that has one */
	size_t mask, n;
	uint32_t cap, used;      /* lanes: how many, and how many have had an owner */
	uint64_t total, without; /* all so far; of them without a lane */
	uint64_t more;           /* without a lane, alive */
	uint64_t changes;        /* raised when one is gone */
};

/* An instant at which calls that are open may be so no more: all of them, where recording was
 * paused, or those of methods that were closed by this tick. */
struct trace_edge {
	uint64_t time, tick;
	bool closes;
};

struct trace_task {
	struct trace_recording rec;
	int64_t shift; /* added to its monotonic ns: ns of the trace, from 1 on */
	double drift;  /* and this, times the ns since */
	int64_t drift_from;
	struct trace_task *leader; /* the first that reads the same clock; NULL: unknown */
	uint64_t end;              /* the latest instant it knows of */
	uint32_t node;             /* from 0 */
	uint32_t number;           /* from 1 */
	size_t rows, first_row;    /* of threads; those of lanes lie behind all of them */
	size_t shown;              /* rows that the trace has, lanes among them */
	size_t first_lane;         /* the row of those without a lane; lane N stands N behind it */
	uint32_t lane_cap;         /* 0: no record that changes a state */
	struct trace_virtuals virtuals;
	struct trace_changes *lanes; /* owned; lane_cap + 1 of them, at 0 those without a lane */
	struct trace_pause *pauses;  /* owned; in time, apart */
	size_t pause_count, pause_cap;
	bool in_pause;
	struct trace_gap *gaps; /* owned; where recording was paused, in time, apart */
	size_t gap_count;
	struct trace_edge *edges; /* owned; in time */
	size_t edge_count;
	struct trace_naming *namings; /* owned; in time; of the second reading */
	size_t naming_count;
	bool partial;           /* calls may have begun where nothing was recorded */
	bool closes;            /* or where their methods were closed */
	uint64_t virtual_total; /* virtual threads that logged */
};

struct trace_row {
	struct trace_task *task;
	const struct trace_thread *thread; /* NULL: a row of virtual threads */
	struct trace_changes *changes;     /* own_changes, or the task's */
	struct trace_changes own_changes;  /* owned */
	const char *name;
	uint32_t lane;       /* from 1; 0 without a thread: those that have none */
	uint32_t order;      /* among all that are shown */
	bool hidden;         /* a carrier that logged nothing of its own */
	bool shared;         /* a lane that several virtual threads own, one after another */
	uint64_t start, end; /* its life: start 0: before the trace */
	uint32_t number;     /* in its task, from 1 */
	uint32_t cpu;        /* global, from 1; 0: no resources */
};

/* Arrows that were found: arrow_list.c. */
struct trace_arrow {
	uint64_t send, receive;
	struct trace_place from, to;
	uint32_t tag;
};

/* Arrows that were sorted together. */
struct trace_arrow_run {
	struct trace_list list;
	struct trace_list_at at;
	struct trace_arrow next;
};

struct trace_arrow_list {
	struct trace_arrow *fresh;    /* owned; in any order, so far */
	struct trace_arrow_run *runs; /* owned */
	struct trace_heap heap;       /* of runs, by the sending of their next */
	size_t fresh_n, fresh_cap, run_n, run_cap;
	uint64_t count, backwards;
	bool failed; /* no memory */
};

struct trace_world {
	struct trace_spool spool; /* of changes of states, and of arrows */
	struct trace_arrow_list arrows;
	struct trace_progress progress;
	struct trace_task *tasks; /* owned */
	size_t task_count;
	struct trace_row *rows; /* threads in order of task and uid, then lanes; owned */
	size_t row_count, rows_left_out;
	size_t thread_rows;       /* the first of them */
	struct trace_row **shown; /* in order of task and number; owned array */
	size_t shown_count;
	uint64_t thread_count; /* of Java, virtual ones too */
	const char **nodes;    /* names of hosts; owned array */
	uint32_t *node_cpus;
	size_t node_count;
	bool resources;        /* one CPU a row, else CPU 0 everywhere */
	const bool *leave_out; /* of the job; NULL: nothing */
	size_t leave_out_n, left_out;
	uint64_t end;       /* the last time of the trace */
	uint64_t events;    /* records to read */
	uint64_t states;    /* of them: what the first reading takes */
	int64_t wall_start; /* epoch seconds of time 1 */
};

enum jw_status JW_MUST_USE trace_world_open(const struct trace_paraver_job *job,
					    struct trace_world *world, struct trace_notes *notes,
					    struct jw_err *e);
/* The first reading: from then on it is known what is shown, and what each row does. */
enum jw_status JW_MUST_USE trace_world_read(struct trace_world *world, const struct trace_map *map,
					    struct trace_notes *notes, struct jw_err *e);
/* Recordings that are summaries: tasks alone, no rows, no reading. */
enum jw_status JW_MUST_USE trace_world_open_sums(const struct trace_paraver_job *job,
						 struct trace_world *world,
						 struct trace_notes *notes, struct jw_err *e);
void trace_world_close(struct trace_world *world);

/* Was the method ID closed, in any of the processes, before its end? */
bool trace_was_closed(const struct trace_world *world, uint64_t id);

/* ---- align.c ---- */

/* Lays all clocks on one axis, so that the earliest instant is time 1. A process that knows no wall
 * clock begins there too. */
void trace_align(struct trace_world *world);
/* Time of the trace of TICK of TASK, at least 1. */
uint64_t trace_time(const struct trace_task *task, uint64_t tick, uint32_t *hint);

/* ---- edges.c ---- */

/* Fills in the gaps and edges of T; false: no memory. */
bool trace_edges_place(struct trace_task *t);

/* ---- stream.c ---- */

struct trace_stream {
	const struct trace_row *row;
	struct jwr_record *buf; /* owned */
	uint32_t at, n, cap;
	uint32_t done; /* bytes of the piece that were read */
	uint32_t hint;
	size_t piece; /* within the thread's */
	uint64_t low, high;
	uint64_t tick; /* the highest so far */
	uint64_t time; /* of the latest record: never falls */
	bool failed;   /* no memory */
	bool shrunk;   /* the file gave less than it had */
	bool states_only, fresh;
	bool flight;                   /* an exception is in flight: what comes next ends it */
	bool whole;                    /* no piece is passed over */
	const struct trace_map *map;   /* may be NULL */
	bool begins;                   /* the latest record is the first of its piece */
	const struct trace_edge *edge; /* it is no record, but this; else NULL */
	bool started;
	size_t next_edge, detail; /* of the task's */
};

void trace_stream_init(struct trace_stream *s, const struct trace_row *row, uint32_t cap,
		       bool states_only, const struct trace_map *map);
/* The next record that says something: its time in s->time, its word in *WORD; false at the end. In
 * between, s->edge: what was open before may be so no more. */
bool trace_stream_next(struct trace_stream *s, uint64_t *word);
/* The time of the first record, without reading it; false: there is none. */
bool trace_stream_first(struct trace_stream *s, uint64_t *time);
void trace_stream_close(struct trace_stream *s);

/* ---- method_numbers.c ---- */

struct trace_stat {
	uint64_t id, calls, exceptional, inclusive_ns, exclusive_ns, longest_ns;
};

/* Methods in order of first appearance; number I has dense id I + 1. */
struct trace_methods {
	struct trace_stat *m; /* owned */
	size_t n, cap;
	uint32_t *slots; /* owned; hash table of numbers + 1 */
	size_t mask;
	uint32_t limit;   /* at most so many; 0: TRACE_MAX_METHODS */
	uint64_t refused; /* calls of more */
};

#define TRACE_MAX_METHODS (UINT32_C(1) << 24)
#define TRACE_NO_METHOD   UINT32_MAX

/* The number of method ID, a new one if need be; TRACE_NO_METHOD: no memory, or too many. */
uint32_t trace_methods_number(struct trace_methods *methods, uint64_t id);
/* The number of method ID if it has one. */
uint32_t trace_methods_known(const struct trace_methods *methods, uint64_t id);
void trace_methods_free(struct trace_methods *methods);

/* ---- prv.c ---- */

struct trace_sink;

/* A number, or more, as it was written the last time. */
struct trace_prv_text {
	uint64_t of;
	char text[23];
	uint8_t n; /* 0: not yet */
};

#define TRACE_PRV_TYPES 64

struct trace_prv {
	struct trace_sink *sink;     /* owned */
	struct trace_prv_text *rows; /* owned; by order: "cpu:1:task:thread" */
	/* a time's digits but six, of ends of states for themselves */
	struct trace_prv_text high, end_high;
	struct trace_prv_text
		types[TRACE_PRV_TYPES]; /* of events; those that lie together do here */
	struct jw_err *e;
	enum jw_status status;       /* the first failure */
	const struct trace_row *row; /* whose event line is open */
	uint64_t time;
	uint32_t pairs;
	uint64_t last; /* the time of the latest record: they never fall */
	size_t n;
	char *buf; /* the sink's block */
};

enum jw_status JW_MUST_USE trace_prv_open(struct trace_prv *prv, struct jw_out *out,
					  const struct trace_paraver_job *job,
					  const struct trace_world *world, struct jw_err *e);
void trace_prv_state(struct trace_prv *prv, const struct trace_row *row, uint64_t begin,
		     uint64_t end, uint32_t state);
void trace_prv_event(struct trace_prv *prv, const struct trace_row *row, uint64_t time,
		     uint32_t type, uint64_t value);
void trace_prv_arrow(struct trace_prv *prv, const struct trace_row *from, uint64_t send,
		     const struct trace_row *to, uint64_t receive, uint32_t tag);
/* Writes out what is left; the first failure of all. */
enum jw_status JW_MUST_USE trace_prv_finish(struct trace_prv *prv);
void trace_prv_close(struct trace_prv *prv);

/* ---- timeline.c ---- */

/* Ten times as deep as a JVM gets with its usual stacks; a frame takes 24 bytes. */
#define TRACE_MAX_DEPTH (UINT32_C(1) << 20)

/* Classes (or places) that events name, in order of first appearance: class_numbers.c. */
struct trace_classes {
	struct trace_methods keys;  /* of process and identity hash; `calls`: the number, from 1 */
	struct trace_methods names; /* by their hash */
	const char **texts;         /* owned array, as `names` */
	size_t cap;
};

struct trace_counts {
	uint64_t events, calls, inferred, dropped, strange, too_deep;
	uint64_t cut, headless; /* calls that a pause cut short; exits of calls that began where
				 * nothing was recorded */
	uint64_t shut;          /* calls that were open when their method was closed */
};

/* The wait that each row is in, as its events say, and as they have to say once the instant is
 * over: waits.c. */
struct trace_shown_waits {
	struct trace_shown_wait {
		struct trace_wait now, shown; /* without their waiters, which may be gone */
		bool due;
	} * rows;                     /* owned; by order */
	const struct trace_row **due; /* owned array */
	size_t due_n;
	uint64_t time; /* the instant */
};

/* At TIME a row, number ROW of the world's, has a name: its place among the recording's. */
struct trace_naming {
	uint64_t time;
	uint32_t row, alias;
};

/* Where the frames of all rows go. */
struct trace_frames {
	struct trace_methods methods;
	struct trace_counts counts;
	struct trace_prv *prv;       /* NULL: the first reading */
	const struct trace_map *map; /* NULL: calls of one method stay apart */
	struct trace_classes classes, places;
	struct trace_classes names; /* of threads that were renamed */
	struct trace_methods sites;         /* of calls that wait or do something, by their ids */
	struct trace_methods seen;          /* events of the programs' own: see user_events.c */
	const struct jw_capture **captured; /* owned array; those that were shown, one a type */
	size_t captured_n, captured_cap;
	unsigned types;              /* of enum trace_type that were written, a bit each */
	unsigned operations;         /* of enum jw_operation_type, likewise */
	struct trace_arrows *arrows; /* the first reading: where they are looked for */
	struct trace_methods owners; /* of lanes with several: names, by task and its `virtuals` */
	struct trace_shown_waits waits; /* the second reading */
	bool failed;                    /* no memory */
};

/* What an enter or exit WORD at TIME means for the frames of ROW (NULL: shown nowhere). */
void trace_timeline_take(struct trace_frames *to, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time, uint64_t word);
/* Closes what is open: there may be more to come, whose enters nobody has seen. */
void trace_timeline_cut(struct trace_frames *to, struct trace_timeline *t,
			const struct trace_row *row, uint64_t time);
/* The methods of CLOSINGS were closed by TICK: what is open of them ends, each call as soon as it
 * is the innermost. */
void trace_timeline_shut(struct trace_frames *to, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time,
			 const struct trace_closings *closings, uint64_t tick);
/* Closes what is open. */
void trace_timeline_end(struct trace_frames *to, struct trace_timeline *t,
			const struct trace_row *row, uint64_t time);
void trace_timeline_free(struct trace_timeline *t);

/* ---- calls.c ---- */

/* An enter or exit WORD of WHO: frames, and what the call or method tells. */
void trace_calls_take(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		      uint64_t word);
/* An OBJECT or VALUE. */
void trace_calls_capture(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			 uint64_t word);
/* ---- remote_calls.c ---- */

/* Is ONE, of which all is told that is captured before the call, a call of an object of this
 * process, where its rule takes it for a remote one? REC: of its process. */
bool trace_is_local_call(const struct trace_recording *rec, const struct trace_inside *one);
/* Is ONE, in the thread of ROW, a method of a remote object that no remote call has called? */
bool trace_serves_nobody(const struct trace_row *row, const struct trace_inside *one);

/* As trace_timeline_shut(). */
void trace_calls_shut(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		      const struct trace_closings *closings, uint64_t tick);
/* Closes what is open. */
void trace_calls_end(struct trace_frames *to, const struct trace_who *who, uint64_t time);
void trace_track_free(struct trace_track *track);
/* The state of WHO from TIME on, as its waits and calls say (the first reading). */
void trace_show_state(const struct trace_who *who, uint64_t time);

/* Does it say nothing of where its thread is: a capture, an allocation? */
static inline bool trace_is_capture(enum jwr_kind kind)
{
	return kind == JWR_OBJECT || kind == JWR_VALUE || kind == JWR_ALLOC;
}

/* ---- flight.c ---- */

/* A THROWN or CAUGHT of WHO. */
void trace_flight_take(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		       uint64_t word);
/* Around every record of WHO that means something for it: of kind KIND. */
void trace_flight_before(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			 enum jwr_kind kind);
void trace_flight_behind(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			 enum jwr_kind kind);
/* What comes is not known to belong to what was. */
void trace_flight_end(struct trace_frames *to, const struct trace_who *who, uint64_t time);

/* ---- class_numbers.c ---- */

/* A CREATED of WHO, or the length of its array. */
void trace_created(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		   uint64_t word);

/* The value that shows a class (NAME lives as long as the trace); 0: no memory. */
uint32_t trace_class_of_name(struct trace_frames *to, const char *name);
/* The same for the class of OBJECT, a number of TASK's recording. */
uint32_t trace_class_of_object(struct trace_frames *to, const struct trace_task *task,
			       uint64_t object);
/* The value that shows TEXT, which lives as long as ALL, among them; 0: no memory. */
uint32_t trace_text_number(struct trace_frames *to, struct trace_classes *all, const char *text);
uint64_t trace_text_hash(const char *text);
/* The values of a type that names what is in ALL. */
void trace_put_texts(struct jw_buf *out, const struct trace_classes *all);
/* The same, where a class without a name is 0: also threads have one. */
uint32_t trace_class_told(struct trace_frames *to, const struct trace_task *task, uint64_t object);
/* The value that shows the place NUMBER of TASK's recording; 0: it has no name. */
uint32_t trace_place_told(struct trace_frames *to, const struct trace_task *task, uint32_t number);
void trace_classes_free(struct trace_classes *classes);

/* ---- states.c ---- */

/* From TIME on the state is STATE. A change at or before the latest one takes its place. */
void trace_changes_put(struct trace_changes *c, uint64_t time, uint32_t state);
/* TIME, or the instant behind the latest change, so that this one shows. */
uint64_t trace_changes_behind(const struct trace_changes *c, uint64_t time);
void trace_changes_finish(struct trace_changes *c);

/* What stands at TIME, in the order of a trace. */
static inline uint64_t trace_key(uint64_t time)
{
	return time * 2;
}

/* A row's state, and where its changes are read. */
struct trace_state {
	const struct trace_row *row;
	uint64_t begin, end, next_time;
	struct trace_list_at at;
	size_t pause, gap;
	uint8_t state, base, next_state;
};

struct trace_states {
	struct trace_state *list; /* owned; one a shown row */
	size_t list_n;
	uint64_t end;
};

/* The states of all shown rows, as the first sources of ORDER. Keys are those of trace_key(), but
 * for the end of a life: one more, behind the events of its instant. */
bool trace_states_open(struct trace_states *all, const struct trace_world *world,
		       struct trace_order *order);
/* What a trace_fill_fn does. */
size_t trace_states_fill(struct trace_states *all, uint32_t of, uint64_t end, size_t most,
			 struct trace_item *out, uint64_t *next);
/* Writes one. */
void trace_states_put(const struct trace_states *all, struct trace_prv *prv,
		      const struct trace_item *item);
void trace_states_close(struct trace_states *all);

/* ---- virtual_lanes.c ---- */

/* With LANES lanes; false: no memory. */
bool trace_virtuals_open(struct trace_virtuals *v, uint32_t lanes);
void trace_virtuals_close(struct trace_virtuals *v);
struct trace_virtual *trace_virtuals_find(const struct trace_virtuals *v, uint64_t id);
/* ID is not there yet; NULL: no memory. */
struct trace_virtual *trace_virtuals_add(struct trace_virtuals *v, uint64_t id);
/* Frees ONE. */
void trace_virtuals_remove(struct trace_virtuals *v, struct trace_virtual *one);

/* ---- waits.c ---- */

/* The state that goes with each value of the type "Java monitor". */
extern const uint32_t trace_wait_states[];

/* For the second reading, of ROWS rows that are shown; false: no memory. */
bool trace_waits_open(struct trace_shown_waits *all, size_t rows);
void trace_waits_free(struct trace_shown_waits *all);
/* A record of WHO about a monitor. */
void trace_waits_take(struct trace_frames *to, const struct trace_world *world,
		      const struct trace_who *who, uint64_t time, uint64_t word);
/* Closes what is open. */
void trace_waits_close(struct trace_frames *to, const struct trace_who *who, uint64_t time);
/* The instant of what is due, waits.time, is over: writes it. */
void trace_waits_show(struct trace_frames *to);

/* ---- dispatch.c ---- */

/* Writes an event of TYPE on ROW, where there is one, in the second reading. */
void trace_put_event(struct trace_frames *to, const struct trace_row *row, uint64_t time,
		     enum trace_type type, uint64_t value);

/* The value that shows an object, not rounded by readers that calculate in doubles: of a thread its
 * id, of any other object its hash and most of its class's. */
static inline uint64_t trace_object_number(uint64_t object)
{
	return object & ((UINT64_C(1) << 53) - 1);
}

/* A row's thread while it is read. */
struct trace_runner {
	struct trace_stream stream;
	struct trace_track track;
	struct trace_who who;             /* itself */
	struct trace_virtual *runs_found; /* the one of RUNS, while runs_changes holds */
	uint64_t time, word;              /* the record that is taken */
	uint64_t runs; /* the virtual thread that the next records are about; 0: the thread */
	uint64_t runs_changes;
	struct trace_item next;        /* read ahead */
	size_t named;                  /* of a process: how many of its namings were read */
	bool begins;                   /* of the record: as the stream had it */
	const struct trace_edge *edge; /* it is none, but this */
};

/* R, whose stream has its row, stays where it is from now on. */
void trace_runner_begin(const struct trace_frames *to, const struct trace_world *world,
			struct trace_runner *r);
/* What the record R->word of row R at R->time means. */
void trace_take(struct trace_frames *to, struct trace_world *world, struct trace_runner *r);
/* Has R something open that its end has to close, or something to tell at its end? */
bool trace_is_open(const struct trace_runner *r);
/* Closes it, at R->time. */
void trace_take_end(struct trace_frames *to, struct trace_runner *r);
/* What EDGE of TASK is for its virtual threads. */
void trace_take_virtual_edge(struct trace_frames *to, struct trace_world *world,
			     struct trace_task *task, const struct trace_edge *edge);
/* Closes the virtual threads of TASK that never ended. */
void trace_take_virtual_ends(struct trace_frames *to, struct trace_world *world,
			     struct trace_task *task, uint64_t time);

/* ---- thread_names.c ---- */

/* Fills in the namings of T, whose rows are known; false: no memory. */
bool trace_names_place(const struct trace_world *world, struct trace_task *t);
/* Writes one. */
void trace_names_take(struct trace_frames *to, const struct trace_world *world,
		      const struct trace_task *t, const struct trace_naming *naming);

/* ---- merge.c ---- */

/* The first reading: pauses, changes of states, lanes. */
enum jw_status JW_MUST_USE trace_first_reading(struct trace_world *world,
					       const struct trace_map *map, struct jw_err *e);

enum jw_status JW_MUST_USE trace_merge(struct trace_world *world, struct trace_frames *to,
				       struct trace_notes *notes, struct jw_err *e);

/* ---- pcf_types.c ---- */

/* A .pcf that is being written, and its types of events: Paraver finds a type by its label, which
 * has to be the only one. {.out}: none yet. */
struct trace_pcf {
	struct jw_buf *out;
	struct trace_methods types, labels; /* labels by their hashes */
};

/* Begins the block of TYPE; what belongs to it follows, and two empty lines. */
void trace_pcf_type(struct trace_pcf *pcf, uint32_t type, struct jw_span label);
/* Does it stand there? */
bool trace_pcf_has_type(const struct trace_pcf *pcf, uint32_t type);
bool trace_pcf_has_label(const struct trace_pcf *pcf, struct jw_span label);
void trace_pcf_free(struct trace_pcf *pcf);

/* ---- user_events.c ---- */

/* Types of the programs' own are 1 to this. */
#define TRACE_MAX_USER_TYPE  39999999
#define TRACE_MAX_USER_VALUE (UINT64_C(1) << 53)

/* WORD at TIME, of kind JWR_EVENT or JWR_EVENT_VALUE. */
void trace_user_event(struct trace_frames *to, const struct trace_world *w,
		      const struct trace_who *who, uint64_t time, uint64_t word);
/* What the program calls TYPE, or "". */
const char *trace_user_label(const struct trace_world *w, uint32_t type);
/* The types that were SEEN (which it sorts), with the labels that the recordings have: below all
 * other types; one that stands there as a capture's is not written again. */
void trace_put_user_types(struct trace_pcf *pcf, struct trace_methods *seen,
			  const struct trace_world *w);

/* ---- capture_events.c ---- */

/* Writes the capture C, which has a type of its own, in WORD. */
void trace_capture_show(struct trace_frames *to, const struct trace_row *row, uint64_t time,
			const struct jw_capture *c, uint64_t word);
/* The types that were written. */
void trace_put_captured_types(struct trace_pcf *pcf, const struct trace_frames *frames,
			      const struct trace_world *world);

/* ---- pcf.c, row.c ---- */

void trace_put_pcf(struct jw_buf *out, struct trace_frames *frames, const struct trace_world *world,
		   const struct trace_map *map);
void trace_put_rows(struct jw_buf *out, const struct trace_world *world);

#endif
