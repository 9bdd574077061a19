/*
 * tee.h: two outputs (output.h) that hear the same: what is added up and what is shown of a run
 * come out of one reading of it, and agree.
 *
 * The first hears each thing before the second; a failure of either is the failure of both.
 */
#ifndef JW_TRACE_TEE_H
#define JW_TRACE_TEE_H

struct trace_output;

struct trace_tee {
	const struct trace_output *first, *second;
	void *first_ctx, *second_ctx;
};

/* For a struct trace_tee, which lives as long. */
extern const struct trace_output trace_tee_output;

#endif
