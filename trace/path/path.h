/*
 * path.h: the critical path of a run, or of one call: what took the time until its end, backwards.
 *
 *     new -> an output told all of it (output.h) -> list -> free
 *
 * While a thread does something, it is on the path. Where it waited and an arrow ended the wait, the
 * path goes along the arrow, to the thread that let it go on, at the time at which it did; the time
 * from there until it went on is the hand-over. Where no arrow is known, the wait itself is on the
 * path. So the path covers each moment once: its sums are the duration. An item that took no time
 * would end the run earlier by its sum, at most: another path may be as long then.
 *
 *     main    ==run==|..wait for b...........|==run==      the path: main, then b, then main
 *     b          |========run===============/
 *
 * A thread outside of all traced calls may wait without telling: an arrow that comes then counts.
 *
 * A thread that has nothing to do may be asked by who is not seen to: by a connection that is closed, a socket of
 * another library. Who waits for it has asked before that wait, so that of the idle one only what is later counts:
 *
 *     main    ==run==|..wait for b..........|==run==      the path: main, then b, idle and then not, then main
 *     b       ..idle.......|====run=========/
 *
 * A thread may have begun without an arrow, as many virtual ones do. Before its begin what counts did the
 * thread that waits for it (birth.c).
 *
 * A thread that waits for connections may let another one read. Then no arrow ends its wait; but when
 * that one turns out to read what was sent during the wait, the path leads from the wait to who sent.
 *
 * It is found forwards, while the run is told: history.h. Memory does not grow with the run: of a
 * very long one some parts are known by their sums alone (`coarse`).
 */
#ifndef JW_TRACE_PATH_H
#define JW_TRACE_PATH_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/output.h"
#include "trace/path/history.h"
#include "trace/report/report.h"

/* The path to the end of one call. */
struct trace_path_call {
	uint32_t thread; /* its place */
	uint64_t begin, end;
};

/* What took NS in all of the path, by what was done. */
struct trace_path_sum {
	const char *name;      /* of the method, in short, "" outside of all; of the thread */
	const char *process;   /* of a thread; "" if it is alone */
	uint32_t task, number; /* of a thread: from 1 */
	uint64_t ns, by[TRACE_PATH_TIMES];
};

/* A wait on the path, as nobody is known to have ended it. */
struct trace_path_wait {
	struct trace_report_stall wait; /* `count` and `longest_ns` are unknown */
	const char *thread, *process;
	uint32_t task, number;
};

struct trace_path_segment {
	uint64_t begin, end;
	uint32_t place, task, number; /* of the thread; of several, the last one's */
	const char *thread, *process;
	const char *method; /* that took most of it; "" outside of all */
	enum trace_path_kind kind;
};

/* Text is in the arena. */
struct trace_path_list {
	uint64_t begin, end;
	const char *thread, *process; /* in which it ends */
	uint32_t task, number;
	uint64_t by[TRACE_PATH_TIMES];
	uint64_t hops; /* from thread to thread, as far as segments tell */
	const struct trace_path_sum *methods, *threads; /* the most first */
	const struct trace_path_wait *waits;            /* likewise */
	const struct trace_path_segment *segments;      /* by time; they touch */
	size_t method_count, thread_count, wait_count, segment_count;
	/* ns, up to which segments that follow each other were made one; 0: none */
	uint64_t coarse;
};

struct trace_path;

/* CALL: NULL: to the end of the run. NULL: no memory. */
struct trace_path *trace_path_new(const struct trace_path_call *call, struct jw_arena *arena);
/* Of some processes of a job: it begins with their first thread, and ends with the last one. Before it is told. */
void trace_path_of_life(struct trace_path *path);
extern const struct trace_output trace_path_output; /* of a struct trace_path */
/* That of PATH, for who wants to hear it, too. */
struct trace_follow;
struct trace_follow *trace_path_follow(struct trace_path *path);
struct trace_path_list trace_path_list(const struct trace_path *path);
/* NULL may be freed, too. */
void trace_path_free(struct trace_path *path);

#endif
