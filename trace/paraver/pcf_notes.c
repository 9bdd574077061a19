/*
 * pcf_notes.c: see pcf_notes.h.
 */
#include "trace/paraver/pcf_notes.h"

#include <string.h>

#include "trace/names/label.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/pcf_types.h"
#include "trace/reader/notes.h"
#include "trace/replay/deadlocks.h"
#include "trace/replay/profile.h"

#include "base/banned.h"

#define MOST 100 /* of thousands of recordings each may lack something */

struct notes {
	struct trace_pcf pcf;
	size_t n;
};

static void put_note(struct notes *notes, const char *text)
{
	struct jw_buf *out = notes->pcf.out;

	if (notes->n == MOST)
		return;
	if (notes->n++ == 0) {
		trace_pcf_type(&notes->pcf, TRACE_PRV_NOTES,
			       JW_SPAN_LIT("Java trace, what it lacks"));
		jw_put_str(out, "VALUES\n0      End\n");
	}
	jw_put_fmt(out, "%-6zu ", notes->n);
	trace_put_listed(out, jw_span_str(text));
	jw_put_str(out, "\n");
}

void trace_put_pcf_notes(struct jw_buf *out, const struct trace_summary *s, struct jw_arena *arena)
{
	struct notes notes = { .pcf.out = out };
	struct trace_notes lost = { .arena = arena };
	const struct trace_fact fact = { s->lost, TRACE_TOLD_LOST };

	trace_note_facts(&lost, NULL, &fact, 1);
	for (size_t i = 0; i < s->warning_count; i++) /* deadlocks are found in the trace, too */
		if (strncmp(s->warnings[i], TRACE_DEADLOCK, strlen(TRACE_DEADLOCK)) != 0)
			put_note(&notes, s->warnings[i]);
	for (size_t i = 0; i < lost.n; i++)
		put_note(&notes, lost.text[i]);
	if (!s->clean_end)
		put_note(&notes,
			 "the program did not end normally, or was still running: the trace ends "
			 "where it was last seen");
	if (notes.n)
		jw_put_str(out, "\n\n");
	trace_notes_free(&lost);
	trace_pcf_free(&notes.pcf);
}
