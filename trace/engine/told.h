/*
 * told.h: what captures and waits tell of one task, until all that belongs to it is told.
 *
 *     begin -> take, hold, let_go, wait .. -> over -> take .. -> fold
 *
 * After it is over, values may still come: engines count up a task when it has ended.
 */
#ifndef JW_TRACE_ENGINE_TOLD_H
#define JW_TRACE_ENGINE_TOLD_H

#include "trace/engine/engine.h"
#include "trace/follow/follow.h"

struct trace_told_fact {
	uint64_t value, first; /* HELD: the time; SUM, COUNT: so far */
	uint64_t since;        /* HELD: of the call that is open */
	uint32_t depth;        /* of that call and its thread; 0: none */
	uint32_t lane;
};

struct trace_told_task {
	struct trace_engine_task task;    /* what is known at once */
	uint32_t depth;                   /* of its call; 0: it is over */
	uint64_t known, text, held;       /* bits of facts: told; as texts; a call holds it */
	struct trace_report_split before; /* of its thread */
	struct trace_told_fact facts[TRACE_FACTS_MOST];
	struct trace_task_wait waits[TRACE_TASK_WAITS_MOST];
	uint32_t wait_count;
};

/* The fact in place I has VALUE. */
void trace_told_take(struct trace_told_task *told, size_t i, uint64_t value, bool is_text);
/* A call of thread LANE, as deep as DEPTH, holds fact I from TIME on; nothing inside it does. */
void trace_told_hold(struct trace_told_task *told, size_t i, uint32_t lane, uint32_t depth,
		     uint64_t time);
/* The call of LANE as deep as DEPTH is over at TIME. */
void trace_told_let_go(struct trace_told_task *told, uint32_t lane, uint32_t depth, uint64_t time);
/* The task is over, with whatever calls hold. */
void trace_told_over(struct trace_told_task *told, uint64_t time);
void trace_told_wait(struct trace_told_task *told, const struct trace_followed_wait *wait);
/* What all of it comes to: OUT, whose waits are copied to ARENA. False: no memory. */
bool trace_told_fold(const struct trace_told_task *told, struct jw_arena *arena,
		     struct trace_engine_task *out);

#endif
