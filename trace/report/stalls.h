/*
 * stalls.h: where threads have waited, and for what; call sites.
 *
 *     begins -> told; left      while the trace is read
 *     put                       once all have their names
 */
#ifndef JW_TRACE_REPORT_STALLS_H
#define JW_TRACE_REPORT_STALLS_H

#include "trace/report/reading.h"

/* Names of call sites, or of places, as a .pcf has them: values from 1. */
struct trace_site_names {
	struct trace_site_name {
		const char *callee, *caller, *source, *operation;
		uint32_t line;
	} * list; /* owned */
	size_t n, cap;
};

/* A wait of lane AT for a monitor begins; it has taken until TIME. */
void trace_stall_begins(struct trace_reading *r, uint32_t at);
void trace_stall_told(struct trace_reading *r, uint32_t at, uint64_t time);
/* CALL, which was the innermost of lane AT, has been left at TIME: what it has waited by itself. */
void trace_stall_left(struct trace_reading *r, uint32_t at, const struct trace_call_more *call,
		      uint64_t time);
/* Waits of lane AT for OBJECT by HOW (enum trace_wait_kind), of which count, ns and longest of SUM
 * are known; false: no memory. */
bool trace_stall_summed(struct trace_reading *r, uint32_t at, uint64_t object, uint64_t how,
			const struct trace_sum *sum);
/* "Callee in Caller (File.java:1) [operation]", or without the parts before and after; false: no
 * memory. */
bool trace_site_read(struct jw_arena *arena, struct jw_span label, struct trace_site_name *out);

struct trace_stall_names {
	struct trace_site_names sites, places;
	const char *const *classes; /* by value - 1 */
	size_t class_count;
	const struct trace_channel_names *channels;
};
/* The lists of OUT, whose methods and threads are there; false: no memory. */
bool trace_put_stalls(const struct trace_reading *r, const struct trace_stall_names *names,
		      struct jw_arena *arena, struct trace_report *out);
bool trace_put_sites(const struct trace_reading *r, const struct trace_site_names *names,
		     struct jw_arena *arena, struct trace_report *out);

#endif
