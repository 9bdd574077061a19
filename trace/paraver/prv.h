/*
 * prv.h: the lines of the .prv.
 *
 *     open -> state, event, arrow, ... in time -> finish -> close
 *
 * Cost: 25 to 30 ns a line; memory: the sink's blocks, and 32 bytes a row.
 */
#ifndef JW_TRACE_PARAVER_PRV_H
#define JW_TRACE_PARAVER_PRV_H

#include "base/out_file.h"
#include "trace/output.h"
#include "trace/paraver/paraver.h"
#include "trace/reader/tally.h"

struct trace_sink;

/* A number, or more, as it was written the last time. */
struct trace_prv_text {
	uint64_t of;
	char text[23];
	uint8_t n; /* 0: not yet */
};

#define TRACE_PRV_KEPT 64
/* As many numbers that are held have labels; one more: there were more. */
#define TRACE_PRV_MOST_HELD 65536

struct trace_prv {
	const struct trace_scene *scene;
	uint32_t *cpus;                 /* owned; by thread, from 1; NULL: no CPUs are told */
	struct trace_sink *sink;        /* owned */
	struct trace_prv_text *threads; /* owned; ":cpu:1:task:thread" */
	/* a time's digits but six, of ends of states for themselves */
	struct trace_prv_text high, end_high;
	struct trace_prv_text types[TRACE_PRV_KEPT]; /* of events, by number */
	struct jw_err *e;
	enum jw_status status; /* the first failure */
	uint32_t thread;       /* whose event line is open */
	uint64_t time;
	uint32_t pairs;
	uint64_t used;           /* of enum trace_prv_type that were written, a bit each */
	unsigned operations;     /* of enum jw_operation_type, likewise */
	struct trace_tally held; /* numbers that were held: type, value; TRACE_PRV_MOST_HELD */
	uint64_t last;           /* the time of the latest record: they never fall */
	size_t n;
	char *buf; /* the sink's block */
};

/* OUT, FILES, SCENE and E live until close(). */
enum jw_status JW_MUST_USE trace_prv_open(struct trace_prv *prv, struct jw_out *out,
					  const struct trace_paraver_files *files,
					  const struct trace_scene *scene, struct jw_err *e);
/* As in struct trace_output; CTX is a struct trace_prv. */
void trace_prv_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state);
void trace_prv_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method);
void trace_prv_leave(void *ctx, uint32_t thread, uint64_t time, bool failed);
void trace_prv_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		     uint64_t value);
void trace_prv_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			 uint64_t number);
void trace_prv_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			uint64_t value);
void trace_prv_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			bool has_outer, uint64_t outer);
void trace_prv_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value);
void trace_prv_arrow(void *ctx, uint32_t from, uint64_t send, uint32_t to, uint64_t receive,
		     uint64_t tag);
enum jw_status JW_MUST_USE trace_prv_check(void *ctx, struct jw_err *e);
/* Writes out what is left; the first failure of all. */
enum jw_status JW_MUST_USE trace_prv_finish(struct trace_prv *prv);
void trace_prv_close(struct trace_prv *prv);

/* How many applications; the processes of each are together. */
uint32_t trace_prv_applications(const struct trace_scene *scene);
/* How many CPUs HOST has, where any are told. */
uint32_t trace_prv_cpus_of(const struct trace_scene *scene, uint32_t host);

#endif
