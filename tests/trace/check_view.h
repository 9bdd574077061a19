/*
 * check_view.h: a decoder of what a page is made of (trace/view/view.h), which holds it against its
 * report: for t_view.c and the fuzz targets.
 *
 *     struct check_view v = { 0 };
 *     view = trace_view_new(&v.sink)                after check_view_begin(&v, bytes of all lines)
 *     ... trace_view_output hears a run ...
 *     check_view_end(&v, &report)                   what is wrong, NULL: nothing
 *     check_view_free(&v)
 */
#ifndef JW_TESTS_TRACE_CHECK_VIEW_H
#define JW_TESTS_TRACE_CHECK_VIEW_H

#include "base/bytes.h"
#include "trace/report/report.h"
#include "trace/view/view.h"

struct check_view_section {
	char name[32];
	struct jw_buf bytes; /* owned */
};

struct check_view {
	struct trace_view_sink sink;
	struct check_view_section *sections; /* owned */
	size_t n;
	/* found by check_view_end() */
	uint64_t calls; /* of all rows, with those on levels that are not kept */
	uint64_t spans; /* of calls */
	uint64_t sums;  /* of them */
	uint64_t least; /* ns: from so long on calls are there one by one */
	uint64_t states_ns, pauses_ns;
	uint64_t arrows;  /* that are there */
	uint64_t longest; /* ns of the longest call of all */
};

void check_view_begin(struct check_view *v, size_t bytes);
const char *check_view_end(struct check_view *v, const struct trace_report *report);
/* The bytes of section NAME; empty: there is none. */
struct jw_span check_view_bytes(const struct check_view *v, const char *name);
void check_view_free(struct check_view *v);

/* For fuzz targets: what a page is made of, of the recording at PATH or of a trace, is well formed, or
 * the trace is refused with a message; with as much room as a page has, and with very little. */
void check_view_of_recording(const char *path);
void check_view_of_prv(struct jw_span prv, struct jw_span pcf, struct jw_span row);

#endif
