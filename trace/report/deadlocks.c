/*
 * deadlocks.c: see deadlocks.h.
 */
#include "trace/report/deadlocks.h"

#include "base/memory.h"
#include "trace/reader/notes.h"
#include "trace/report/object_classes.h"

#include "base/banned.h"

struct lanes {
	const struct trace_reading *r;
	const struct trace_stall_names *names;
	const struct trace_report *report;
};

static const struct trace_locked *locked(const void *ctx, uint32_t at)
{
	const struct lanes *lanes = ctx;

	return &lanes->r->lanes[at].locked;
}

static void put_thread(const void *ctx, uint32_t at, struct jw_buf *out)
{
	const struct lanes *lanes = ctx;
	const struct trace_report_thread *t = &lanes->report->threads[at];

	jw_put_fmt(out, "%s%s%s", t->name, *t->process ? " of " : "", t->process);
}

static const char *class_of(const void *ctx, uint32_t at, uint64_t object)
{
	const struct lanes *lanes = ctx;
	uint64_t class = trace_class_value(lanes->r, lanes->r->lanes[at].task, object);

	return class - 1 < lanes->names->class_count ? lanes->names->classes[class - 1] : NULL;
}

bool trace_put_deadlocks(const struct trace_reading *r, const struct trace_stall_names *names,
			 struct jw_arena *arena, struct trace_report *out)
{
	struct trace_notes notes = { .arena = arena };
	const struct lanes lanes = { r, names, out };
	const struct trace_lockers threads = { r->lane_count, &lanes, locked, put_thread,
					       class_of };
	bool good = trace_note_deadlocks(&threads, &notes);

	out->deadlocks = trace_notes_list(&notes, arena);
	out->deadlock_count = out->deadlocks ? notes.n : 0;
	good &= out->deadlocks != NULL;
	trace_notes_free(&notes);
	return good;
}
