/*
 * tell_flaws.c: see tell_flaws.h.
 */
#include "trace/reader/tell_flaws.h"

#include "trace/reader/notes.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define REMARKS 20 /* of the recorder's notes, shown */

static void tell_counts(const struct trace_recording *rec, struct trace_notes *notes)
{
	uint64_t wild =
		rec->clock.dropped; /* a few are threads that lost their processor just then */
	const struct trace_fact facts[] = {
		{ trace_data_missing(rec->data_told, rec->data_size), NULL,
		  "bytes are missing at the end of its data, 16 for each event" },
		{ rec->bad_lines, "damaged line of meta was left out",
		  "damaged lines of meta were left out" },
		{ rec->bad_chunks, "chunk with a damaged header was left out",
		  "chunks with a damaged header were left out" },
		{ rec->unread_bytes,
		  "of its bytes could not be read: a bad disk, or the file became shorter",
		  "of its bytes could not be read: a bad disk, or the file became shorter" },
		{ rec->cut_chunks, "chunk is not whole: what is there was taken",
		  "chunks are not whole: what is there was taken" },
		{ rec->double_chunks, "chunk is there twice: it was taken once",
		  "chunks are there twice: each was taken once" },
		{ rec->missing_chunks, "chunk is missing, of up to 4096 events",
		  "chunks are missing, of up to 4096 events each" },
		{ rec->bad_windows, "window with a damaged header: what it holds was taken",
		  "windows with a damaged header: what they hold was taken" },
		{ rec->odds.cut, TRACE_TOLD_CUT },
		{ rec->odds.headless, TRACE_TOLD_HEADLESS },
		{ rec->odds.lone, TRACE_TOLD_LONE },
		{ rec->odds.deep, "call nested too deep: it is counted, its time is its caller's",
		  "calls nested too deep: they are counted, their time is their caller's" },
		{ wild > rec->points.n / 20 ? wild : 0,
		  "clock point contradicts the others and was left out",
		  "clock points contradict the others and were left out" },
		{ rec->clock.steps,
		  "jump of the tick counter against the clock of the system: times are by the "
		  "latter",
		  "jumps of the tick counter against the clock of the system: times are by the "
		  "latter" },
	};

	trace_note_facts(notes, rec->path, facts, sizeof(facts) / sizeof(*facts));
}

/* A process that died before its first full window: all clock points lie close together, and what
 * noise they have grows with the distance. */
static bool only_seen_at_start(const struct trace_recording *rec)
{
	uint64_t last = 0;

	for (size_t i = 0; i < rec->thread_count; i++)
		last = rec->threads[i].last_tick > last ? rec->threads[i].last_tick : last;
	return !rec->ns_ticks && rec->clock.count == 1 && last > rec->clock.knots[0].tick &&
	       (double)(last - rec->clock.knots[0].tick) * rec->clock.rate >
		       100.0 * TRACE_CLOCK_GAP_NS;
}

void trace_recording_tell(const struct trace_recording *rec, struct trace_notes *notes)
{
	if (!rec->has_meta)
		trace_note(notes, "%s: its 'meta' is missing: threads have no names", rec->path);
	else if (!rec->pid)
		trace_note(notes, "%s: " TRACE_TOLD_NO_PROCESS, rec->path);
	else if (rec->cut_meta)
		trace_note(notes,
			   "%s: its 'meta' is too large (limit is %zu bytes): what comes after is "
			   "left out, the names of later threads with it",
			   rec->path, trace_meta_limit);
	tell_counts(rec, notes);
	if (!rec->clock.rate_known && !rec->ns_ticks && rec->events)
		trace_note(notes,
			   "%s: the rate of its clock is unknown: one tick is shown as one ns",
			   rec->path);
	else if (only_seen_at_start(rec))
		trace_note(notes,
			   "%s: its clock was compared with the time only at the start: durations "
			   "may be off by a few per mille",
			   rec->path);
	if (rec->overwritten)
		trace_note(notes,
			   "%s: a flight recorder: %llu older %s, made room for what came later",
			   rec->path, (unsigned long long)rec->overwritten,
			   rec->overwritten == 1 ? "chunk, of up to 4096 events"
						 : "chunks, of up to 4096 events each");
	if (rec->overwritten_threads)
		trace_note(notes, "%s: a flight recorder: nothing is left of %llu %s", rec->path,
			   (unsigned long long)rec->overwritten_threads,
			   rec->overwritten_threads == 1 ? "thread" : "threads");
	if (rec->stopped)
		trace_note(notes, "%s: recording stopped before the program did: %s", rec->path,
			   rec->stop_reason);
	if (!rec->clean_end && rec->windows_fd < 0)
		trace_note(notes, "%s: the last events of its threads are missing: %s", rec->path,
			   rec->anonymous ? "they were kept in memory"
					  : "there is no file of windows");
	if (rec->short_waits_ns)
		trace_note(notes,
			   "%s: waits inside the JDK below %g us have no place and no arrow, from "
			   "some moment on (JWEAVE_BUDGET)",
			   rec->path, (double)rec->short_waits_ns / 1e3);
	for (size_t i = 0; i < rec->remark_count && i < REMARKS; i++)
		trace_note(notes, "%s: %s", rec->path, rec->remarks[i]);
}
