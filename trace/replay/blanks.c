/*
 * blanks.c: see blanks.h.
 */
#include <string.h>

#include "trace/format/recording.h"
#include "trace/reader/notes.h"
#include "trace/reader/reader.h"
#include "trace/replay/align.h"
#include "trace/replay/blanks.h"
#include "trace/replay/edges.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* Less than that is noise: a record that was not written to its end. */
#define TOLD_NS 1000000

/* What is being looked through: until when records are known, and whether the next one comes after a blank. */
struct look {
	struct trace_row *row;
	uint64_t known;
	uint32_t hint;
	bool blank, failed;
};

/* Nothing is known from after what was known last to TIME. */
static void put(struct look *l, uint64_t time)
{
	struct trace_row *row = l->row;
	uint64_t begin = l->known ? l->known + 1 : 0;

	if (time <= begin || begin >= row->end)
		return;
	struct trace_gap *grown =
		trace_grow(row->blanks, row->blank_count, &row->blank_cap, sizeof(*grown));

	l->failed |= !grown;
	if (!grown)
		return;
	row->blanks = grown;
	grown[row->blank_count++] = (struct trace_gap){ begin, time };
}

/* There is a record at TICK. */
static void know(struct look *l, uint64_t tick)
{
	uint64_t time = trace_time(l->row->task, tick, &l->hint);

	if (l->blank)
		put(l, time);
	l->blank = false;
	l->known = time > l->known ? time : l->known;
}

/* Of a chunk that is not whole each record is looked at. */
static void look_inside(struct look *l, const struct trace_piece *p, uint8_t *buf)
{
	size_t got = trace_piece_read(&l->row->task->rec, p, buf, p->bytes, p->offset);
	bool cut = true;

	for (size_t at = 0; at + sizeof(struct jwr_record) <= got;
	     at += sizeof(struct jwr_record)) {
		struct jwr_record r;

		memcpy(&r, buf + at, sizeof(r));
		if (r.word == JWR_TAKEN_BACK)
			continue;
		if (jwr_word_kind(r.word) != JWR_NONE) {
			know(l, trace_hold(r.tick, p->low, p->high));
			continue;
		}
		l->blank = true;
		cut = false;
	}
	l->blank |= cut; /* all that is there is good: the rest of it is missing */
}

/* Are chunks of REC missing that may have been the last ones of their threads? Who dies leaves holes, too, but
 * windows with what belongs there. */
static bool lacks_ends(const struct trace_recording *rec)
{
	return trace_data_missing(rec->data_told, rec->data_size) || rec->unread_bytes ||
	       rec->bad_chunks || (rec->clean_end && rec->hole_bytes);
}

static void look_through(struct look *l, uint8_t *buf)
{
	const struct trace_recording *rec = &l->row->task->rec;
	const struct trace_thread *th = l->row->thread;
	const struct trace_piece *p = NULL;

	for (size_t i = 0; i < th->piece_count; i++) {
		uint32_t expected = p ? p->seq + 1 : 0;

		p = &rec->pieces[th->piece + i];
		l->blank |= p->seq != expected;
		if (!p->whole && !p->window) {
			look_inside(l, p, buf);
		} else if (p->events) {
			know(l, p->first);
			know(l, p->last);
		}
	}
	if (l->blank || ((!p || !p->window) && lacks_ends(rec)))
		put(l, UINT64_MAX);
}

/* Of the life of ROW. */
static uint64_t blank_ns(const struct trace_row *row)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < row->blank_count; i++) {
		const struct trace_gap *gap = &row->blanks[i];
		uint64_t end = gap->end < row->end ? gap->end : row->end;

		ns += end > gap->begin ? end - gap->begin : 0;
	}
	return ns;
}

/* The blanks of the rows of T, of W. */
static bool place(const struct trace_world *w, const struct trace_task *t, uint8_t *buf,
		  struct trace_notes *notes)
{
	uint64_t ns = 0;
	size_t threads = 0;

	for (size_t i = 0; !t->rec.ring && i < t->rows; i++) {
		struct look l = { .row = &w->rows[t->first_row + i] };

		l.known = l.row->start;
		if (l.row->thread->is_vm)
			continue;
		look_through(&l, buf);
		if (l.failed)
			return false;
		threads += blank_ns(l.row) > 0;
		ns += blank_ns(l.row);
	}
	if (ns >= TOLD_NS)
		trace_note(notes,
			   "%s: records are missing: what %zu %s did is not known for %.3f s in "
			   "all, and shown as not recorded (Tracing Disabled)",
			   t->rec.path, threads, threads == 1 ? "thread" : "threads",
			   (double)ns / 1e9);
	return true;
}

bool trace_blanks_place(struct trace_world *w, struct trace_notes *notes)
{
	uint8_t *buf = jw_mem_alloc(JWR_RECORDS_SIZE);
	bool good = buf;

	for (size_t i = 0; good && i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		good = place(w, t, buf, notes) &&
		       trace_edges_of_blanks(t, &w->rows[t->first_row], t->rows);
	}
	jw_mem_free(buf);
	return good;
}
