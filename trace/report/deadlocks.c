/*
 * deadlocks.c: see deadlocks.h.
 */
#include "trace/report/deadlocks.h"

#include "base/memory.h"
#include "trace/reader/notes.h"
#include "trace/report/object_classes.h"

#include "base/banned.h"

#define SHOWN 8 /* threads of one */

/* The lane after AT, which has what AT waits for to the end; lane_count: there is none. */
static uint32_t next_of(const struct trace_reading *r, uint32_t at)
{
	const struct trace_locked *locked = &r->lanes[at].locked;
	uint32_t next = locked->by ? locked->by - 1 : r->lane_count;

	/* who goes on, too, has waited for less than that */
	return next < r->lane_count && r->lanes[next].locked.by &&
			       r->lanes[next].locked.end == locked->end
		       ? next
		       : r->lane_count;
}

static void put_thread(struct jw_buf *out, const struct trace_report_thread *t)
{
	jw_put_fmt(out, "%s%s%s", t->name, *t->process ? " of " : "", t->process);
}

/* "a waits for x.Lock@1f, which b has" */
static void put_wait(struct jw_buf *out, const struct trace_reading *r, uint32_t at,
		     const struct trace_stall_names *names, const struct trace_report *report)
{
	uint64_t object = r->lanes[at].locked.object;
	uint64_t class = trace_class_value(r, r->lanes[at].task, object);

	put_thread(out, &report->threads[at]);
	jw_put_fmt(out, " waits for %s@%llx, which ",
		   class - 1 < names->class_count ? names->classes[class - 1] : "an object",
		   (unsigned long long)(object & TRACE_OBJECT_IDENTITY));
	put_thread(out, &report->threads[next_of(r, at)]);
	jw_put_str(out, " has");
}

static void note(const struct trace_reading *r, uint32_t first,
		 const struct trace_stall_names *names, const struct trace_report *report,
		 struct trace_notes *notes)
{
	struct jw_buf text = { 0 };
	uint32_t at = first, n = 0;

	do {
		if (n++ < SHOWN) {
			jw_put_str(&text, n > 1 ? "; " : "");
			put_wait(&text, r, at, names, report);
		}
		at = next_of(r, at);
	} while (at != first);
	if (n > SHOWN)
		jw_put_fmt(&text, " and so on: %u threads", n);
	jw_put_u1(&text, 0);
	notes->failed |= text.failed != JW_OK;
	if (!text.failed)
		trace_note(notes, "deadlock: %s", (const char *)text.p);
	jw_buf_free(&text);
}

bool trace_put_deadlocks(const struct trace_reading *r, const struct trace_stall_names *names,
			 struct jw_arena *arena, struct trace_report *out)
{
	struct trace_notes notes = { .arena = arena };
	/* by lane: 1 + from where it was come by first */
	uint32_t *from = jw_mem_zalloc((size_t)r->lane_count + 1, sizeof(*from));

	for (uint32_t i = 0; from && i < r->lane_count; i++) {
		uint32_t at = i;

		for (; at < r->lane_count && !from[at]; at = next_of(r, at))
			from[at] = i + 1;
		if (at < r->lane_count && from[at] == i + 1)
			note(r, at, names, out, &notes);
	}
	out->deadlocks = trace_notes_list(&notes, arena);
	out->deadlock_count = out->deadlocks ? notes.n : 0;
	bool good = from && out->deadlocks;

	trace_notes_free(&notes);
	jw_mem_free(from);
	return good;
}
