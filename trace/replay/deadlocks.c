/*
 * deadlocks.c: see deadlocks.h.
 */
#include "trace/replay/deadlocks.h"

#include "base/memory.h"
#include "trace/output.h"
#include "trace/reader/notes.h"

#include "base/banned.h"

#define SHOWN 8 /* threads of one */

/* Do both last to the end? Threads that ended with their process do so an instant before its virtual ones (world.c). */
static bool end_together(const struct trace_locked *a, const struct trace_locked *b)
{
	uint64_t first = a->end < b->end ? a->end : b->end;

	return a->end - first <= 1 && b->end - first <= 1;
}

/* The thread after AT, which has what AT waits for to the end; `count`: there is none. */
static uint32_t next_of(const struct trace_lockers *t, uint32_t at)
{
	const struct trace_locked *locked = t->locked(t->ctx, at);
	uint32_t next = locked->by && locked->end ? locked->by - 1 : t->count;

	if (next >= t->count)
		return t->count;
	/* who goes on, too, has waited for less than that */
	const struct trace_locked *of_next = t->locked(t->ctx, next);

	return of_next->by && end_together(of_next, locked) ? next : t->count;
}

/* "a waits for x.Lock@1f, which b has" */
static void put_wait(const struct trace_lockers *t, uint32_t at, struct jw_buf *out)
{
	const struct trace_locked *locked = t->locked(t->ctx, at);
	const char *class = t->class_of(t->ctx, at, locked->object);

	t->put_thread(t->ctx, at, out);
	if (locked->joins) {
		jw_put_str(out, " waits for the end of ");
		t->put_thread(t->ctx, next_of(t, at), out);
		return;
	}
	jw_put_fmt(out, " waits for %s@%llx, which ", class ? class : "an object",
		   (unsigned long long)(locked->object & TRACE_OBJECT_IDENTITY));
	t->put_thread(t->ctx, next_of(t, at), out);
	jw_put_str(out, " has");
}

static void note(const struct trace_lockers *t, uint32_t first, struct trace_notes *notes)
{
	struct jw_buf text = { 0 };
	uint32_t at = first, n = 0;

	do {
		if (n++ < SHOWN) {
			jw_put_str(&text, n > 1 ? "; " : "");
			put_wait(t, at, &text);
		}
		at = next_of(t, at);
	} while (at != first);
	if (n > SHOWN)
		jw_put_fmt(&text, " and so on: %u threads", n);
	jw_put_u1(&text, 0);
	notes->failed |= text.failed != JW_OK;
	if (!text.failed)
		trace_note(notes, TRACE_DEADLOCK "%s", (const char *)text.p);
	jw_buf_free(&text);
}

bool trace_note_deadlocks(const struct trace_lockers *t, struct trace_notes *notes)
{
	/* by thread: 1 + from where it was come by first */
	uint32_t *from = jw_mem_zalloc((size_t)t->count + 1, sizeof(*from));

	for (uint32_t i = 0; from && i < t->count; i++) {
		uint32_t at = i;

		for (; at < t->count && !from[at]; at = next_of(t, at))
			from[at] = i + 1;
		if (at < t->count && from[at] == i + 1)
			note(t, at, notes);
	}
	bool good = from;

	jw_mem_free(from);
	return good;
}
