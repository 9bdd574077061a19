/*
 * check_trace.h: what a fuzz target asks of traces that it had converted; where something does not
 * hold, it traps.
 *
 *     check_prv("fuzz")              fuzz.prv in the scratch folder is well formed
 *     check_same("fuzz", "again")    two traces are the same
 *     check_report(&job, "fuzz")     the trace tells what the recordings tell
 */
#ifndef JW_TESTS_TRACE_CHECK_TRACE_H
#define JW_TESTS_TRACE_CHECK_TRACE_H

#include "tests/trace/make_recording.h"
#include "trace/report.h"

enum { CHECK_ROWS = 900 };

static void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

/* The numbers of LINE, separated by colons, into V. */
static size_t numbers(char *line, uint64_t *v, size_t max)
{
	size_t n = 0;

	for (char *at = line; n < max; at++) {
		v[n++] = strtoull(at, &at, 10);
		if (*at != ':')
			break;
	}
	return n;
}

static char *slurp(const char *base, const char *suffix)
{
	char *text = make_slurp(make_path("%s.%s", base, suffix));

	must(text && *text && text[strlen(text) - 1] == '\n');
	return text;
}

/* Lines by time, no gap and no overlap of states, no arrow back in time. */
static void check_prv(const char *base)
{
	char *prv = slurp(base, "prv"), *rest = prv, *line;
	uint64_t v[64], last = 0, state_end[CHECK_ROWS] = { 0 };

	must(strncmp(prv, "#Paraver (", 10) == 0);
	for (strsep(&rest, "\n"); (line = strsep(&rest, "\n")) != NULL && *line;) {
		size_t n = numbers(line, v, 64);

		if (*line != '1' && *line != '2' && *line != '3')
			continue; /* the header's list of communicators */
		must(n >= 8);
		must(v[5] >= last); /* lines by time */
		last = v[5];
		if (*line == '1') { /* v[1]: the CPU, of which each row has its own */
			must(v[1] < sizeof(state_end) / sizeof(*state_end));
			must(v[5] == state_end[v[1]] && v[6] >= v[5]); /* no gap, no overlap */
			state_end[v[1]] = v[6];
		} else if (*line == '3') {
			must(n >= 14 && v[5] <= v[6] && v[6] <= v[12] && v[11] <= v[12]);
		}
	}
	free(prv);
}

/* Two traces are the same to the byte. */
static void check_same(const char *base, const char *other)
{
	static const char *const suffixes[] = { "prv", "pcf", "row" };

	for (size_t i = 0; i < 3; i++) {
		char *a = slurp(base, suffixes[i]), *b = slurp(other, suffixes[i]);

		must(strcmp(a, b) == 0);
		free(a);
		free(b);
	}
}

/* The report of the trace BASE is that of the recordings of JOB. */
static void check_report(const struct trace_paraver_job *job, const char *base)
{
	struct trace_reading *reading = trace_reading_new();
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
	trace_reading_free(reading);
	jw_arena_free(&arena);
	free(prv);
	free(pcf);
	free(row);
}

#endif
