/*
 * tasks.c: tasks of an engine as slices (perfetto.h): each on a track of its thread, with its figures
 * and what explains that it took longer. They belong to the sequence of marks; their names and texts
 * are numbered after those.
 */
#include <stdlib.h>

#include "trace/engine/engine.h"
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/perfetto/event.h"
#include "trace/perfetto/perfetto_int.h"
#include "trace/perfetto/waiting.h"

#include "base/banned.h"

#define PIECE ((size_t)256 << 10)

struct putting {
	struct trace_perfetto *w;
	struct jw_buf out, text; /* owned; text: of one name */
	uint64_t named;          /* the latest number of a name */
};

static struct trace_engine_list list_of(const struct trace_perfetto *w)
{
	return w->engine ? trace_engine_list(w->engine) : (struct trace_engine_list){ 0 };
}

void trace_pf_mark_tasks(struct trace_perfetto *w)
{
	const struct trace_engine_list list = list_of(w);

	for (size_t i = 0; i < list.n; i++)
		w->lanes[list.tasks[i].thread].has[TRACE_PF_TASKS] = true;
}

/* ---- names ---- */

/* What is in `text` as a name, or a text, of FIELD; returns its number. */
static uint64_t intern(struct putting *p, uint32_t field)
{
	struct jw_buf *out = &p->out;
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, 1);
	size_t interned = trace_pb_open(out, PF_INTERNED);
	size_t name = trace_pb_open(out, field);

	trace_pb_number(out, 1, ++p->named);
	trace_pb_text(out, 2, jw_buf_span(&p->text));
	trace_pb_close(out, name);
	trace_pb_close(out, interned);
	trace_pb_close(out, packet);
	return p->named;
}

static uint64_t intern_name(struct putting *p, const struct trace_engine_task *t)
{
	jw_buf_clear(&p->text);
	jw_put_str(&p->text, "task ");
	trace_put_name(&p->text, jw_span_str(t->id), TRACE_MAX_LABEL / 4);
	if (*t->stage) {
		jw_put_str(&p->text, ", stage ");
		trace_put_name(&p->text, jw_span_str(t->stage), TRACE_MAX_LABEL / 4);
	}
	return intern(p, PF_NAMES);
}

/* Why it took longer; 0: it did not. */
static uint64_t intern_why(struct putting *p, const struct trace_engine_task *t)
{
	struct jw_buf why = { 0 };

	if (!t->straggler)
		return 0;
	for (uint32_t i = 0; i < t->cause_count; i++) {
		jw_put_str(&why, i ? "; " : "");
		trace_cause_put(&why, &t->causes[i]);
	}
	jw_buf_clear(&p->text);
	trace_put_name(&p->text, jw_buf_span(&why), TRACE_MAX_LABEL);
	if (why.failed != JW_OK)
		p->text.failed = why.failed;
	if (p->text.n == 0)
		jw_put_str(&p->text, "unknown");
	jw_buf_free(&why);
	return intern(p, PF_TEXTS);
}

/* ---- slices ---- */

static void note_figures(struct jw_buf *out, const struct trace_engine_task *t)
{
	const uint64_t *ns = t->did.inside.ns;

	if (t->has_partition)
		trace_pf_note(out, "partition", PF_NOTE_UINT, t->partition);
	if (t->has_attempt)
		trace_pf_note(out, "attempt", PF_NOTE_UINT, t->attempt);
	if (t->failed)
		trace_pf_note(out, "failed", PF_NOTE_BOOL, 1);
	if (t->cancelled)
		trace_pf_note(out, "cancelled", PF_NOTE_BOOL, 1);
	if (t->open)
		trace_pf_note(out, "did not end", PF_NOTE_BOOL, 1);
	trace_pf_note(out, "median of the others of its stage, ns", PF_NOTE_UINT, t->median_ns);
	trace_pf_note(out, "running, ns", PF_NOTE_UINT, ns[TRACE_REPORT_RUNNING]);
	trace_pf_note(out, "GC, ns", PF_NOTE_UINT, ns[TRACE_REPORT_GC]);
	trace_pf_note(out, "locks, ns", PF_NOTE_UINT, t->did.lock_ns);
	trace_pf_note(out, "waiting, ns", PF_NOTE_UINT, ns[TRACE_REPORT_WAITING]);
	trace_pf_note(out, "I/O, ns", PF_NOTE_UINT, ns[TRACE_REPORT_IO]);
	trace_pf_note(out, "files, ns", PF_NOTE_UINT, t->did.file_ns);
	for (size_t i = 0; i < TRACE_MEASURES; i++)
		if (t->did.measured >> i & 1)
			trace_pf_note(out, trace_measure_kinds[i].key, PF_NOTE_UINT,
				      t->did.measures[i]);
}

/* At TIME of the clock since boot; NAME 0: the end. */
static void put_event(struct putting *p, const struct trace_engine_task *t, uint64_t time,
		      uint64_t name, uint64_t why)
{
	struct jw_buf *out = &p->out;
	const struct trace_pf_event at = trace_pf_open_event(
		out, time, name ? PF_BEGIN : PF_END, trace_pf_uuid(t->thread, TRACE_PF_TASKS));

	if (name) {
		trace_pb_number(out, PF_EVENT_NAME, name);
		note_figures(out, t);
	}
	if (why)
		trace_pf_note(out, "took longer, because", PF_NOTE_TEXT_NUMBER, why);
	trace_pf_close_event(out, &at);
}

static int by_begin(const void *a, const void *b)
{
	const struct trace_engine_task *x = *(const struct trace_engine_task *const *)a;
	const struct trace_engine_task *y = *(const struct trace_engine_task *const *)b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Those of a thread one after another: where one begins when another ends, the order counts. */
static enum jw_status put_sorted(struct putting *p, const struct trace_engine_task **tasks,
				 size_t n, struct jw_err *e)
{
	qsort(tasks, n, sizeof(struct trace_engine_task *), by_begin);
	for (size_t i = 0; i < n; i++) {
		const struct trace_engine_task *t = tasks[i];
		uint64_t name = intern_name(p, t), why = intern_why(p, t);

		put_event(p, t, t->begin, name, why);
		put_event(p, t, t->begin + t->ns, 0, 0);
		JW_TRY(trace_pf_send(p->w, &p->out, &p->text, PIECE, e));
	}
	return trace_pf_send(p->w, &p->out, &p->text, 0, e);
}

enum jw_status trace_pf_put_tasks(struct trace_perfetto *w, struct jw_err *e)
{
	const struct trace_engine_list list = list_of(w);
	struct putting p = { .w = w, .named = w->marks.n };

	if (!list.n)
		return JW_OK;
	const struct trace_engine_task **tasks =
		jw_mem_zalloc(list.n, sizeof(struct trace_engine_task *));

	if (!tasks)
		return jw_nomem(e);
	for (size_t i = 0; i < list.n; i++)
		tasks[i] = &list.tasks[i];
	enum jw_status status = put_sorted(&p, tasks, list.n, e);

	jw_buf_free(&p.out);
	jw_buf_free(&p.text);
	jw_mem_free(tasks);
	return status;
}

void trace_perfetto_tasks(void *ctx, const struct trace_engine *engine)
{
	struct trace_perfetto *w = ctx;

	w->engine = engine;
}
