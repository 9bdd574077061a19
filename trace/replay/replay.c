/*
 * replay.c: see replay.h.
 */
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/reader/notes.h"
#include "trace/relay.h"
#include "trace/replay/align.h"
#include "trace/replay/find.h"
#include "trace/replay/messages.h"
#include "trace/replay/method_names.h"
#include "trace/replay/replay.h"
#include "trace/replay/tell.h"
#include "trace/replay/told_names.h"
#include "trace/select/select.h"

#include "base/banned.h"

/* ---- who takes part ---- */

/* ALONE: there is no other process. */
static void put_process(const struct trace_task *t, uint32_t first, bool alone,
			struct trace_scene_process *out)
{
	uint32_t hint = 0;

	*out = (struct trace_scene_process){
		.application = t->role.of_jobs,
		.number = t->in_application,
		.first = first,
		.threads = (uint32_t)t->shown,
		.host = t->node,
		.pid = t->rec.pid,
		.rank = t->rec.rank,
		.command = t->rec.command,
		.role = t->role.known || !alone ? t->role.name : "",
		.title = t->role.name,
		.job = t->role.application,
		.kind = t->role.kind,
		.begin =
			t->rec.start_point.tick ? trace_time(t, t->rec.start_point.tick, &hint) : 0,
		.end = t->end,
		.reason = t->rec.stopped ? t->rec.stop_reason : t->rec.end_reason,
		.ended = t->rec.clean_end,
		.gone = trace_recording_gone(&t->rec),
		.stopped = t->rec.stopped,
		.has_rank = t->rec.has_rank,
	};
}

static void put_thread(const struct trace_world *w, const struct trace_row *row,
		       struct trace_scene_thread *out)
{
	*out = (struct trace_scene_thread){
		.name = row->name,
		.java_id = row->thread ? row->thread->java_id : row->java_id,
		.process = (uint32_t)(row->task - w->tasks),
		.number = row->number,
		.end = row->thread ? row->end : row->task->end,
		.is_vm = row->thread && row->thread->is_vm,
		.is_virtual = !row->thread,
	};
}

static enum jw_status make_scene(struct trace_replay *r, struct jw_err *e)
{
	const struct trace_world *w = &r->world;
	struct trace_scene_process *processes =
		JW_NEW_ARRAY(&r->arena, struct trace_scene_process, w->task_count);
	struct trace_scene_thread *threads =
		JW_NEW_ARRAY(&r->arena, struct trace_scene_thread, w->shown_count);
	size_t label_count;
	const char *const *labels = trace_map_labels(r->map, &r->arena, &label_count);
	uint32_t first = 0;

	if (!processes || !threads || !labels)
		return jw_nomem(e);
	for (size_t i = 0; i < w->task_count; i++) {
		put_process(&w->tasks[i], first, w->task_count == 1, &processes[i]);
		first += processes[i].threads;
	}
	for (size_t i = 0; i < w->shown_count; i++)
		put_thread(w, w->shown[i], &threads[i]);
	r->scene = (struct trace_scene){
		.end = w->end,
		.wall_start = w->wall_start,
		.processes = processes,
		.threads = threads,
		.hosts = w->nodes,
		.process_count = (uint32_t)w->task_count,
		.thread_count = (uint32_t)w->shown_count,
		.host_count = (uint32_t)w->node_count,
		.labels = labels,
		.label_count = label_count,
	};
	return JW_OK;
}

/* ---- clocks ---- */

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void note_strangers(const struct trace_messages_told *told, struct trace_notes *notes)
{
	if (told->strangers)
		trace_note(
			notes,
			"connections of %llu pair%s of machines have the same ports one after the "
			"other, and no clocks fit the messages on them: they are not taken for the "
			"ends of each other in their order",
			(unsigned long long)told->strangers, told->strangers == 1 ? "" : "s");
}

/* Where no arrow ran backwards, and none does, nothing is wrong. */
static void note_clocks(const struct trace_world *w, struct trace_notes *notes)
{
	const struct trace_messages_told *before = &w->messages;

	if (before->backwards || (before->machines && w->sockets.backwards))
		trace_note(
			notes,
			"the clocks of %llu machines were set by %llu messages between them: of "
			"the arrows %llu ran backwards before, by up to %.3f ms; now %llu do, by "
			"up to %.3f ms",
			(unsigned long long)before->machines, (unsigned long long)before->messages,
			(unsigned long long)before->backwards, ms(before->most_ns),
			(unsigned long long)w->sockets.backwards, ms(w->sockets.most_backwards));
	else if (w->sockets.backwards)
		trace_note(notes,
			   "%llu arrow%s between processes on one clock would run backwards, by up "
			   "to %.3f ms, and %s left out",
			   (unsigned long long)w->sockets.backwards,
			   w->sockets.backwards == 1 ? "" : "s", ms(w->sockets.most_backwards),
			   w->sockets.backwards == 1 ? "is" : "are");
}

/* Not where little is missing, nor what was not read since the connection was closed. */
static void note_sockets(const struct trace_world *w, struct trace_notes *notes)
{
	const struct trace_socket_bytes *s = &w->sockets;
	uint64_t between = trace_bytes_between(s);

	if (s->matched + s->unread < between - between / 100)
		trace_note(notes,
			   "of %llu bytes that recorded ends of connections have written and read "
			   "%.1f %% are matched, and have arrows: 'jweave report' says why not the "
			   "others",
			   (unsigned long long)between,
			   100.0 * (double)s->matched / (double)between);
}

static bool keep_strangers(const struct trace_strangers *strangers, struct trace_world *w)
{
	struct trace_strangers *own = JW_NEW(&w->arena, struct trace_strangers);

	if (!own)
		return false;
	*own = *strangers;
	own->pairs = JW_NEW_ARRAY(&w->arena, struct trace_clock_pair, strangers->n);
	if (own->pairs)
		memcpy(own->pairs, strangers->pairs, strangers->n * sizeof(*own->pairs));
	w->strangers = own;
	return own->pairs;
}

/* Where several machines have sent messages, what these say of their clocks is known once all was
 * read; then it is opened again. */
static enum jw_status open_world(const struct trace_job *job, struct trace_notes *notes,
				 struct trace_world *w, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct trace_notes same = { .arena = &arena };
	struct trace_clock_fixes fixes;

	JW_TRY(trace_world_open(job, NULL, w, notes, e));
	enum jw_status status = trace_messages_find(w, &fixes, e);

	if (status == JW_OK && fixes.lines) {
		struct trace_job again = *job;
		const struct trace_progress progress = w->progress;

		again.progress = NULL;
		trace_world_close(w);
		status = trace_world_open(&again, fixes.lines, w, &same, e);
		w->progress = progress;
		w->messages = fixes.told;
		if (status == JW_OK && fixes.strangers.n && !keep_strangers(&fixes.strangers, w))
			status = jw_nomem(e);
	}
	trace_clock_fixes_free(&fixes);
	trace_notes_free(&same);
	jw_arena_free(&arena);
	return status;
}

/* ---- all of it ---- */

enum jw_status trace_replay_open(const struct trace_job *job, struct trace_notes *notes,
				 struct trace_replay *r, struct jw_err *e)
{
	*r = (struct trace_replay){ .job = job, .notes = notes };
	r->pass.told.methods.limit = job->methods;
	JW_TRY(open_world(job, notes, &r->world, e));
	r->map = trace_map_new();
	if (!r->map)
		return jw_nomem(e);
	JW_TRY(trace_world_find_maps(&r->world, job, r->map, notes, e));
	JW_TRY(trace_find(&r->world, r->map, e));
	note_strangers(&r->world.messages, notes);
	note_clocks(&r->world, notes);
	note_sockets(&r->world, notes);
	JW_TRY(trace_world_show(&r->world, notes, e));
	return make_scene(r, e);
}

enum jw_status trace_replay_end(struct trace_replay *r, const struct trace_output *output,
				void *ctx, struct jw_err *e)
{
	struct trace_names names;

	if (output->over)
		output->over(ctx, r->scene.end);
	JW_TRY(trace_methods_name(&r->pass.told.methods, r->map, e));
	JW_TRY(trace_told_names(&r->pass, &r->arena, &names, e));
	if (output->name)
		JW_TRY(trace_told_labels(&names, &r->scene, output, ctx, e));
	return output->end(ctx, &names, e);
}

static enum jw_status tell_all(struct trace_replay *r, const struct trace_output *output, void *ctx,
			       struct jw_err *e)
{
	JW_TRY(output->begin(ctx, &r->scene, e));
	JW_TRY(trace_tell(&r->world, r->map, output, ctx, &r->pass, r->notes, e));
	return trace_replay_end(r, output, ctx, e);
}

/* The first reading of a selection: of a replay of its own, whose notes the second one has, too. */
static enum jw_status look(const struct trace_job *job, struct jw_err *e)
{
	struct trace_job alone = *job;
	struct jw_arena arena = { 0 };
	struct trace_notes notes = { .arena = &arena };
	struct trace_replay r = { 0 };

	alone.select = NULL;
	enum jw_status status = trace_replay_open(&alone, &notes, &r, e);

	if (status == JW_OK)
		status = tell_all(&r, &trace_look_output, job->select, e);
	trace_replay_close(&r);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
	return status;
}

enum trace_apart trace_replay_apart(const struct trace_replay *r, enum trace_apart how)
{
	enum { FEW_THREADS = 16 };

	return r->scene.thread_count <= FEW_THREADS ? TRACE_IN_ORDER : how;
}

static enum jw_status tell_selected(struct trace_replay *r, const struct trace_output *output,
				    void *ctx, struct jw_err *e)
{
	struct trace_select *select = r->job->select;

	r->pass.apart = select ? TRACE_IN_ORDER : r->apart;
	if (!select)
		return tell_all(r, output, ctx, e);
	if (trace_select_looks(select, true))
		JW_TRY(look(r->job, e));
	trace_select_to(select, output, ctx);
	return tell_all(r, &trace_select_output, select, e);
}

/* Finds out what happened while OUTPUT does something with it. */
static enum jw_status tell_relay(struct trace_replay *r, const struct trace_output *output,
				 void *ctx, struct jw_err *e)
{
	struct trace_relay *relay = trace_relay_new(output, ctx);
	enum jw_status status =
		relay ? tell_selected(r, &trace_relay_output, relay, e) : jw_nomem(e);

	trace_relay_free(relay);
	return status;
}

enum jw_status trace_replay_tell(struct trace_replay *r, const struct trace_output *output,
				 void *ctx, struct jw_err *e)
{
	/* (an output that hears threads apart makes less of a call than handing it over takes) */
	return r->job->threads > 1 && r->apart != TRACE_APART ? tell_relay(r, output, ctx, e)
							      : tell_selected(r, output, ctx, e);
}

void trace_replay_close(struct trace_replay *r)
{
	trace_map_free(r->map);
	trace_methods_free(&r->pass.parks);
	trace_told_free(&r->pass.told);
	trace_world_close(&r->world);
	jw_arena_free(&r->arena);
	*r = (struct trace_replay){ 0 };
}
