/*
 * prv.h: the lines of the .prv.
 *
 *     open -> state, event, arrow, ... in time -> finish -> close
 *
 * Cost: 25 to 30 ns a line; memory: the sink's blocks, and 32 bytes a row.
 */
#ifndef JW_TRACE_PARAVER_PRV_H
#define JW_TRACE_PARAVER_PRV_H

#include "base/file.h"

struct trace_paraver_job;
struct trace_row;
struct trace_sink;
struct trace_world;

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

#endif
