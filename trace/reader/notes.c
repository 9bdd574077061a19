/*
 * notes.c: see notes.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/reader/notes.h"
#include "base/bytes.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

void trace_note(struct trace_notes *notes, const char *fmt, ...)
{
	char text[512];
	va_list args;
	const char **grown = trace_grow(notes->text, notes->n, &notes->cap, sizeof(*grown));

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	char *copy = grown ? jw_arena_str(notes->arena, jw_span_str(text)) : NULL;

	notes->text = grown ? grown : notes->text;
	if (copy)
		notes->text[notes->n++] = copy;
	else
		notes->failed = true;
}

void trace_note_facts(struct trace_notes *notes, const char *path, const struct trace_fact *facts,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (facts[i].count)
			trace_note(notes, "%s%s%llu %s", path ? path : "", path ? ": " : "",
				   (unsigned long long)facts[i].count,
				   facts[i].count == 1 ? facts[i].one : facts[i].many);
}

const char *const *trace_notes_list(const struct trace_notes *notes, struct jw_arena *arena)
{
	const char **list = notes->failed ? NULL : JW_NEW_ARRAY(arena, const char *, notes->n + 1);

	for (size_t i = 0; list && i < notes->n; i++)
		list[i] = notes->text[i];
	return list;
}

void trace_notes_first(struct trace_notes *notes, size_t from)
{
	for (size_t i = from; i < notes->n; i++) {
		const char *text = notes->text[i];

		memmove(&notes->text[i - from + 1], &notes->text[i - from],
			from * sizeof(*notes->text));
		notes->text[i - from] = text;
	}
}

void trace_notes_free(struct trace_notes *notes)
{
	jw_mem_free(notes->text);
	notes->text = NULL;
	notes->n = notes->cap = 0;
}
