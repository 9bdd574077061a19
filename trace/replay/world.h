/*
 * world.h: all that a conversion works on, and the contract of this room: recordings are tasks,
 * their threads rows, hosts nodes.
 *
 *   recordings -> tasks, rows (world.c)     one task a process, one row a thread
 *   row -> stream.c  -> records in time     one buffer a row, while it lives
 *       -> merge.c    -> by time            order.c, which sorts what is due together
 *       -> dispatch.c -> whose it is        virtual threads own lanes, rows of theirs: virtual_lanes.c
 *       -> timeline.c -> balanced frames    one stack a thread
 *
 *     trace_world_open -> trace_find -> trace_world_show -> trace_tell -> trace_world_close
 *     trace_world_open_sums -> trace_world_close      of summaries
 *
 * Two passes over all records (pass.h): the first finds what changes states, and learns how many
 * lanes there will be; the second tells what happened. Cost of opening: every recording is read
 * once, front to back.
 */
#ifndef JW_TRACE_REPLAY_WORLD_H
#define JW_TRACE_REPLAY_WORLD_H

#include "base/lookup.h"
#include "trace/names/role.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_links.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/between.h"
#include "trace/replay/changes.h"
#include "trace/replay/edges.h"
#include "trace/replay/spool.h"
#include "trace/replay/text_numbers.h"
#include "trace/replay/virtual_lanes.h"

struct trace_map;
struct trace_naming;
struct trace_job;
struct trace_line;
struct trace_owners;
struct trace_strangers;

/* As many as Paraver counts, in 16 bits. */
#define TRACE_MAX_ROWS 65535

struct trace_pause {
	uint64_t begin, end;
};

struct trace_task {
	struct trace_recording rec;
	int64_t shift; /* added to its monotonic ns: ns of the trace, from 1 on */
	double drift;  /* and this, times the ns since */
	int64_t drift_from;
	struct trace_task *leader;   /* the first that reads the same clock; NULL: unknown */
	uint64_t end;                /* the latest instant it knows of */
	uint32_t node;               /* from 0 */
	uint32_t number;             /* from 1 */
	struct trace_role role;      /* its application, too */
	uint32_t in_application;     /* from 1 */
	size_t rows, first_row;      /* of threads; those of lanes come after all of them */
	const struct trace_row *jvm; /* what the JVM itself did; NULL: nothing */
	size_t shown;                /* rows that the trace has, lanes among them */
	size_t first_lane;           /* the row of those without a lane; lane N is N after it */
	uint32_t lane_cap;           /* 0: no record that changes a state */
	struct trace_virtuals virtuals;
	struct jw_lookup
		objects; /* places of its rows of threads, by what jwr_thread_object() says */
	struct trace_changes *lanes; /* owned; lane_cap + 1 of them, at 0 those without a lane */
	struct trace_pause *pauses;  /* owned; in time, apart */
	size_t pause_count, pause_cap;
	bool in_pause;
	struct trace_gap *gaps; /* owned; where recording was paused, in time, apart */
	size_t gap_count;
	struct trace_edge *edges; /* owned; in time */
	size_t edge_count;
	struct trace_naming *namings; /* owned; in time; of the second pass */
	size_t naming_count;
	struct trace_own_texts texts;
	bool partial;           /* calls may have begun where nothing was recorded */
	bool closes;            /* or where their methods were closed */
	bool gives_unseen;      /* or calls that give monitors back were */
	uint64_t virtual_total; /* virtual threads that logged */
};

struct trace_row {
	struct trace_task *task;
	const struct trace_thread *thread; /* NULL: a row of virtual threads */
	struct trace_changes *changes;     /* own_changes, or the task's */
	struct trace_changes own_changes;  /* owned */
	const char *name;
	uint32_t lane;    /* from 1; 0 without a thread: those that have none */
	uint32_t order;   /* among all that are shown */
	bool hidden;      /* a carrier that logged nothing of its own */
	bool of_vm;       /* a thread of the VM, which has no code in Java of its own (world.c) */
	bool shared;      /* a lane that several virtual threads own, one after another */
	uint64_t java_id; /* of the virtual thread that owns the lane alone; else 0 */
	uint64_t start, end; /* its life: start 0: before the trace */
	struct trace_gap
		*blanks; /* owned; where its records are missing (blanks.h), in time, apart */
	size_t blank_count, blank_cap;
	uint32_t number; /* in its task, from 1 */
	struct {
		uint64_t *at; /* owned */
		size_t n, room;
	} seen; /* of a thread: when it was seen to have what others wait for, in time (find.c) */
};

struct trace_world {
	struct trace_spool spool; /* of changes of states, and of arrows */
	struct trace_arrow_list arrows;
	struct trace_owners *owners; /* owned; of what is waited for to the end: arrow_owners.h */
	struct trace_progress progress;
	struct trace_task *tasks; /* owned */
	size_t task_count;
	struct trace_row *rows; /* threads in order of task and uid, then lanes; owned */
	size_t row_count, rows_left_out;
	size_t thread_rows;       /* the first of them */
	struct trace_row **shown; /* in order of task and number; owned array */
	size_t shown_count;
	uint64_t thread_count;           /* of Java, virtual ones too */
	struct trace_text_numbers texts; /* that were captured */
	const char **nodes;              /* names of hosts; owned array */
	size_t node_count;
	const bool *leave_out; /* of the job; NULL: nothing */
	size_t leave_out_n, left_out;
	struct trace_socket_bytes sockets;
	struct trace_messages_told messages;     /* between clocks, before these were moved */
	const struct trace_strangers *strangers; /* NULL: none are known */
	struct trace_link_counts links;          /* of the first reading */
	uint64_t end;                            /* the last time of the trace */
	uint64_t events;                         /* records to read */
	uint64_t states;                         /* of them: what the first reading takes */
	int64_t wall_start;                      /* ns since 1970, of time 0 */
	struct jw_arena arena;                   /* of roles */
};

/* LINES: how far clocks are to be moved, by task (align.h); NULL: not at all. */
enum jw_status JW_MUST_USE trace_world_open(const struct trace_job *job,
					    const struct trace_line *lines,
					    struct trace_world *world, struct trace_notes *notes,
					    struct jw_err *e);
/* Once the first pass (find.h) has gone over all records: which rows there are. */
enum jw_status JW_MUST_USE trace_world_show(struct trace_world *world, struct trace_notes *notes,
					    struct jw_err *e);
/* Recordings that are summaries: tasks alone, no rows, no reading. */
enum jw_status JW_MUST_USE trace_world_open_sums(const struct trace_job *job,
						 struct trace_world *world,
						 struct trace_notes *notes, struct jw_err *e);
void trace_world_close(struct trace_world *world);

/* The row of the thread OBJECT (jwr_thread_object()) of T, no virtual one; NULL: it has none. Of several the first. */
struct trace_row *trace_thread_row(const struct trace_world *world, const struct trace_task *t,
				   uint64_t object);

/* Was the method ID closed, in any of the processes, before its end? */
bool trace_was_closed(const struct trace_world *world, uint64_t id);

#endif
