#include "tests/trace/check_trace.h"

#include "base/banned.h"

void check_same(const char *base, const char *other)
{
	static const char *const suffixes[] = { "prv", "pcf", "row" };

	for (size_t i = 0; i < 3; i++) {
		char *a = slurp(base, suffixes[i]), *b = slurp(other, suffixes[i]);

		must(strcmp(a, b) == 0);
		free(a);
		free(b);
	}
}

static void check_shares(const struct trace_report_share *a, size_t a_n,
			 const struct trace_report_share *b, size_t b_n)
{
	must(a_n == b_n);
	for (size_t i = 0; i < a_n; i++)
		must(a[i].of == b[i].of && a[i].count == b[i].count && a[i].ns == b[i].ns);
}

/* What was waited for, and who ended that. */
static void check_waits(const struct trace_report *a, const struct trace_report *b)
{
	must(a->monitor_count == b->monitor_count && a->stall_count == b->stall_count);
	for (size_t i = 0; i < a->monitor_count; i++) {
		const struct trace_report_monitor *x = &a->monitors[i], *y = &b->monitors[i];

		must(x->object == y->object && x->contended.ns == y->contended.ns);
		check_shares(x->owners, x->owner_count, y->owners, y->owner_count);
	}
	for (size_t i = 0; i < a->stall_count; i++) {
		const struct trace_report_stall *x = &a->stalls[i], *y = &b->stalls[i];

		must(x->how == y->how && x->ns == y->ns && x->count == y->count);
		check_shares(x->enders, x->ender_count, y->enders, y->ender_count);
	}
}

void check_report(const struct trace_job *job, const char *base)
{
	struct trace_reading *reading = trace_reading_new(NULL);
	char *prv = slurp(base, "prv"), *pcf = slurp(base, "pcf"), *row = slurp(base, "row");
	struct jw_arena arena = { 0 };
	struct trace_report of_trace, of_recordings;
	struct jw_err e = { 0 };

	must(reading && trace_reading_feed(reading, jw_span_str(prv), &e) == JW_OK);
	must(trace_reading_finish(reading, jw_span_str(pcf), jw_span_str(row), &arena, &of_trace,
				  &e) == JW_OK);
	must(trace_report_recordings(job, &arena, &of_recordings, &e) == JW_OK);
	must(of_trace.duration_ns == of_recordings.duration_ns &&
	     of_trace.calls == of_recordings.calls &&
	     of_trace.pauses.ns == of_recordings.pauses.ns &&
	     of_trace.method_count == of_recordings.method_count &&
	     of_trace.thread_count == of_recordings.thread_count);
	for (size_t i = 0; i < of_trace.method_count; i++) {
		const struct trace_report_method *a = &of_trace.methods[i],
						 *b = &of_recordings.methods[i];

		must(strcmp(a->label, b->label) == 0 && a->calls == b->calls &&
		     a->inclusive_ns == b->inclusive_ns && a->exclusive_ns == b->exclusive_ns);
	}
	for (size_t i = 0; i < of_trace.thread_count; i++)
		must(of_trace.threads[i].life_ns == of_recordings.threads[i].life_ns &&
		     of_trace.threads[i].running_ns == of_recordings.threads[i].running_ns);
	check_waits(&of_trace, &of_recordings);
	trace_reading_free(reading);
	jw_arena_free(&arena);
	free(prv);
	free(pcf);
	free(row);
}
