/*
 * view_put.c: what is gathered becomes sections (view.h).
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "trace/view/view_int.h"

#include "base/banned.h"

/* Rows share a section until it has so many bytes: a browser unpacks what it shows. */
#define SECTION_BYTES ((size_t)512 << 10)

static enum jw_status send(const struct trace_view *v, const char *name, struct jw_buf *bytes,
			   struct jw_err *e)
{
	JW_TRY(jw_buf_finish(bytes, "part of the page", e));
	JW_TRY(v->sink->section(v->sink->to, name, jw_buf_span(bytes), e));
	jw_buf_clear(bytes);
	return JW_OK;
}

/* ---- rows ---- */

static uint64_t spans_of(const struct trace_view_row *row)
{
	uint64_t n = row->states.n;

	for (size_t i = 0; i < row->level_n; i++)
		n += row->levels[i].n;
	return n;
}

static enum jw_status send_rows(const struct trace_view *v, struct jw_buf *bytes, uint32_t number,
				struct jw_err *e)
{
	char name[24];

	(void)snprintf(name, sizeof(name), "rows.%u", number);
	return send(v, name, bytes, e);
}

/* All rows, and what the index has to say of them. */
static enum jw_status put_rows(const struct trace_view *v, struct jw_buf *index,
			       struct jw_buf *bytes, struct jw_err *e)
{
	uint32_t section = 0;

	trace_view_put(index, v->scene->thread_count);
	for (uint32_t i = 0; i < v->scene->thread_count; i++) {
		const struct trace_view_row *row = &v->rows[i];
		const struct trace_scene_thread *th = &v->scene->threads[i];

		trace_view_put(index, th->process);
		trace_view_put(index, (th->is_vm ? 1u : 0) | (th->is_virtual ? 2u : 0));
		trace_view_put(index, section);
		trace_view_put(index, bytes->n);
		trace_view_put(index, row->level_n + 1);
		trace_view_put(index, spans_of(row));
		trace_view_put_track(bytes, &row->states);
		for (size_t k = 0; k < row->level_n; k++)
			trace_view_put_track(bytes, &row->levels[k]);
		if (bytes->n >= SECTION_BYTES)
			JW_TRY(send_rows(v, bytes, section++, e));
	}
	return bytes->n ? send_rows(v, bytes, section, e) : JW_OK;
}

static void put_text(struct jw_buf *out, const char *text)
{
	struct jw_span span = jw_span_str(text ? text : "");

	trace_view_put(out, span.n);
	jw_put_bytes(out, span);
}

static void put_processes(const struct trace_view *v, struct jw_buf *index)
{
	trace_view_put(index, v->scene->process_count);
	for (uint32_t i = 0; i < v->scene->process_count; i++) {
		const struct trace_scene_process *p = &v->scene->processes[i];
		const struct trace_view_process *got = &v->processes[i];

		trace_view_put(index, p->pid);
		trace_view_put(index, p->has_rank ? p->rank + 1 : 0);
		put_text(index, p->role);
		put_text(index, p->host < v->scene->host_count ? v->scene->hosts[p->host] : NULL);
		put_text(index, p->job);
		trace_view_put(index, got->begin > got->end ? 0 : got->begin);
		trace_view_put(index, got->end);
		trace_view_put(index, got->cpu_ns);
		trace_view_put_track(index, &got->pauses);
	}
	trace_view_put(index, v->nested);
}

/* ---- the longest calls ---- */

static int longer(const void *a, const void *b)
{
	const struct trace_view_call *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void put_longest(const struct trace_view *v, struct jw_buf *out)
{
	trace_view_put(out, v->methods.n);
	for (size_t i = 0; i < v->methods.n; i++) {
		struct trace_view_longest none = { 0 },
					  l = i < v->longest_cap ? v->longest[i] : none;

		qsort(l.calls, l.n, sizeof(*l.calls), longer);
		trace_view_put(out, l.n);
		for (uint32_t k = 0; k < l.n; k++) {
			trace_view_put(out, l.calls[k].row);
			trace_view_put(out, l.calls[k].level);
			trace_view_put(out, l.calls[k].begin);
			trace_view_put(out, l.calls[k].ns);
		}
	}
}

/* ---- all of it ---- */

static enum jw_status put(const struct trace_view *v, const struct trace_names *names,
			  struct jw_buf *index, struct jw_buf *bytes, struct jw_err *e)
{
	trace_view_put(index, TRACE_VIEW_VERSION);
	trace_view_put(index, v->end);
	trace_view_put(index, v->least);
	trace_view_put(index, v->most_levels);
	trace_view_put(index, v->deeper);
	JW_TRY(put_rows(v, index, bytes, e));
	put_processes(v, index);
	JW_TRY(send(v, "index", index, e));
	trace_view_put_arrows(bytes, v->arrow_all, v->arrows, v->arrow_n);
	JW_TRY(send(v, "arrows", bytes, e));
	put_longest(v, bytes);
	JW_TRY(send(v, "longest", bytes, e));
	trace_view_said_put(&v->said, names, v->arrows, v->arrow_n, bytes);
	JW_TRY(send(v, "said", bytes, e));
	if (!v->contexts.all)
		return JW_OK;
	trace_view_contexts_put(&v->contexts, bytes);
	return send(v, "contexts", bytes, e);
}

enum jw_status trace_view_put_all(const struct trace_view *v, const struct trace_names *names,
				  struct jw_err *e)
{
	struct jw_buf index = { 0 }, bytes = { 0 };
	enum jw_status status = put(v, names, &index, &bytes, e);

	jw_buf_free(&index);
	jw_buf_free(&bytes);
	return status;
}
