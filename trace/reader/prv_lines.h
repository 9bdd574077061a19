/*
 * prv_lines.h: the lines of a .prv as Paraver reads them, in pieces of any size.
 *
 *     {.to, .ctx} -> feed() .. feed() -> end() -> free()
 *
 * The listener hears of the header first, then of each record in the order of the file. A line that
 * Paraver would drop is counted and left out. Memory: a line that two pieces share, and a time for
 * each thread.
 */
#ifndef JW_TRACE_PRV_LINES_H
#define JW_TRACE_PRV_LINES_H

#include "trace/reader/prv_head.h"

/* Who hears of the records. A thread is its place among all; times are in ns, and those of a
 * thread's events never fall. False: no memory. */
struct trace_prv_listener {
	/* HEAD lives as long as the lines. */
	bool (*head)(void *ctx, const struct trace_prv_head *head);
	/* BEGIN <= END. */
	bool (*state)(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state);
	/* Each pair of a line. */
	bool (*event)(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value);
	/* From the logical send to the logical receive, between which Paraver draws. */
	bool (*arrow)(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		      uint64_t tag); /* and, from bit 32 on, the size: trace_tag_bytes() */
};

struct trace_prv_lines {
	const struct trace_prv_listener *to;
	void *ctx;
	struct trace_prv_head head;
	bool begun;             /* the header was read */
	uint64_t *times;        /* of each thread's latest event; owned */
	uint64_t last;          /* the latest time of all */
	uint64_t bad, unsorted; /* lines left out; events that were earlier than one before */
	uint64_t late;          /* lines left out: after the end that the header tells */
	struct jw_buf carry;    /* a line whose end has not come yet */
};

/* What is no trace at all is JW_INPUT. */
enum jw_status JW_MUST_USE trace_prv_lines_feed(struct trace_prv_lines *lines, struct jw_span piece,
						struct jw_err *e);
/* Nothing follows: the last line may have no end. */
enum jw_status JW_MUST_USE trace_prv_lines_end(struct trace_prv_lines *lines, struct jw_err *e);
void trace_prv_lines_free(struct trace_prv_lines *lines);

#endif
