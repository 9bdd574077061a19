/*
 * world.c: recordings become tasks, in the order of their roles, of one application or of as many
 * as they name; their threads rows; hosts become nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "trace/output.h"
#include "trace/reader/closings.h"
#include "trace/reader/reader.h"
#include "trace/replay/align.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_owners.h"
#include "trace/replay/blanks.h"
#include "trace/replay/edges.h"
#include "trace/replay/job.h"
#include "trace/replay/spool.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ---- lives ---- */

/* The latest instant of a process: its end or stop if it has one, else the last that it was seen
 * alive, and its last records. */
static uint64_t task_end(const struct trace_task *t)
{
	const struct trace_recording *rec = &t->rec;
	uint64_t end = 1;
	uint32_t hint = 0;

	for (size_t i = 0; i < rec->thread_count; i++) {
		uint64_t last = rec->threads[i].events
					? trace_time(t, rec->threads[i].last_tick, &hint)
					: 1;

		end = last > end ? last : end;
	}
	if (rec->stopped || rec->clean_end || rec->alive_tick) {
		uint64_t tick = rec->stopped     ? rec->stop_tick
				: rec->clean_end ? rec->end_tick
						 : rec->alive_tick;
		uint64_t last = trace_time(t, tick, &hint);

		end = last > end ? last : end;
	}
	/* a state that began with the last record (killed in a pause) has to last for something */
	return end + (rec->switches || rec->has_vm);
}

/* Of the threads that were there before recording began one began it; what the others did until
 * their first events is unknown: most of them wait then. */
static bool began_recording(const struct trace_row *row)
{
	const struct trace_recording *rec = &row->task->rec;
	size_t i = 0;

	while (i < rec->thread_count && rec->threads[i].is_vm)
		i++;
	return row->thread->is_vm || row->thread == &rec->threads[i] || !row->thread->events;
}

static void live(struct trace_row *row)
{
	const struct trace_thread *th = row->thread;
	uint32_t hint = 0;
	uint64_t first = UINT64_MAX, last = 0;

	if (th->events) {
		first = trace_time(row->task, th->first_tick, &hint);
		last = trace_time(row->task, th->last_tick, &hint);
	}
	if (th->start_tick) {
		uint64_t start = trace_time(row->task, th->start_tick, &hint);

		row->start = start < first ? start : first;
	} else if (!began_recording(row)) {
		row->start = first;
	} else if (row->task->rec.seen_tick) {
		uint64_t start = trace_time(row->task, row->task->rec.seen_tick, &hint);

		row->start = start < first ? start : first;
	}
	row->start = row->start <= 1 ? 0 : row->start;
	row->end = row->task->end;
	if (th->ended) {
		uint64_t end = trace_time(row->task, th->end_tick, &hint);

		row->end = end < row->end ? end : row->end;
	}
	row->end = last > row->end ? last : row->end;
	if (row->end <= row->start)
		row->end = row->start + 1;
}

/* ---- rows and nodes ---- */

static size_t node_of(struct trace_world *w, const char *host)
{
	const char *name = host[0] ? host : "localhost";

	for (size_t i = 0; i < w->node_count; i++)
		if (strcmp(w->nodes[i], name) == 0)
			return i;
	w->nodes[w->node_count] = name;
	return w->node_count++;
}

/* Threads of HotSpot that call Java: what they are outside of that is waiting, in code that nobody sees. */
static bool is_of_vm(const struct trace_thread *thread)
{
	static const char *const names[] = { "Attach Listener", "DestroyJavaVM",
					     "Notification Thread", "Service Thread",
					     "Signal Dispatcher" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(thread->name, names[i]) == 0)
			return true;
	return false;
}

/* A carrier of virtual threads that logged nothing of its own has no row, nor has a VM that had
 * nothing to say. */
static bool is_hidden(const struct trace_thread *th)
{
	return th->is_vm ? th->events == 0 : th->switches > 0 && th->calls == 0;
}

/* Room for virtual threads: WANTED of each process at one time, or (0) all the rows that threads
 * leave, and half of all if need be. Returns how many rows that may take. */
static size_t reserve_lanes(struct trace_world *w, uint32_t wanted)
{
	size_t with = 0, reserved = 0, threads = 0, room = TRACE_MAX_ROWS / 2;

	for (size_t i = 0; i < w->task_count; i++) {
		with += w->tasks[i].rec.switches > 0;
		threads += w->tasks[i].rec.thread_count;
	}
	if (threads < TRACE_MAX_ROWS - room)
		room = TRACE_MAX_ROWS - threads;
	if (!wanted)
		wanted = TRACE_MAX_ROWS;
	for (size_t i = 0; i < w->task_count; i++) {
		size_t most = with ? room / with : 0;

		if (w->tasks[i].rec.switches == 0 || most < 2)
			continue;
		w->tasks[i].lane_cap = wanted < most ? wanted : (uint32_t)most - 1;
		reserved += w->tasks[i].lane_cap + 1;
	}
	return reserved;
}

static void fill_rows(struct trace_world *w, size_t reserved)
{
	size_t at = 0;

	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];
		size_t left = TRACE_MAX_ROWS - at - reserved;

		t->number = (uint32_t)i + 1;
		t->end = task_end(t);
		t->first_row = at;
		/* each task that follows needs a row too */
		left -= left > w->task_count - i - 1 ? w->task_count - i - 1 : left;
		t->rows = t->rec.thread_count < left ? t->rec.thread_count : left;
		w->rows_left_out += t->rec.thread_count - t->rows;
		t->node = (uint32_t)node_of(w, t->rec.host);
		for (size_t j = 0; j < t->rows; j++) {
			struct trace_row *row = &w->rows[at++];

			*row = (struct trace_row){ .task = t, .thread = &t->rec.threads[j] };
			row->name = row->thread->is_vm ? "JVM" : row->thread->name;
			row->changes = &row->own_changes;
			row->own_changes.spool = &w->spool;
			row->hidden = is_hidden(row->thread);
			row->of_vm = is_of_vm(row->thread);
			if (row->thread->is_vm && row->thread->events)
				t->jvm = row;
			live(row);
			w->end = row->end > w->end ? row->end : w->end;
			w->events += row->thread->events;
			w->states += row->thread->states;
		}
		w->end = t->end > w->end ? t->end : w->end;
	}
	w->row_count = w->thread_rows = at;
}

/* ---- what is shown, once the first reading has counted lanes ---- */

static void show(struct trace_world *w, struct trace_row *row)
{
	row->hidden = false;
	row->number = (uint32_t)++row->task->shown;
	row->order = (uint32_t)w->shown_count;
	w->shown[w->shown_count++] = row;
}

static bool name_lane(struct trace_task *t, struct trace_row *row)
{
	const struct trace_lane_use *lane = &t->virtuals.lanes[row->lane];
	const struct trace_named *own =
		lane->owners ? trace_virtual_named(&t->rec, lane->first_id) : NULL;

	row->shared = lane->owners > 1;
	row->java_id = lane->owners == 1 ? lane->first_id : 0;
	if (row->lane == 0)
		row->name = "virtual (more)";
	else if (!own)
		row->name = jw_arena_fmt(&t->rec.arena, "virtual %u", row->lane);
	else if (row->shared)
		row->name = jw_arena_fmt(&t->rec.arena, "%s (+%llu)", own->name,
					 (unsigned long long)lane->owners - 1);
	else
		row->name = own->name;
	return row->name;
}

/* The rows of virtual threads of T. */
static bool add_lanes(struct trace_world *w, struct trace_task *t)
{
	bool named = true;

	t->first_lane = w->row_count;
	for (uint32_t lane = 0; t->lane_cap && lane <= t->virtuals.used; lane++) {
		struct trace_row *row = &w->rows[w->row_count++];

		*row = (struct trace_row){
			.task = t, .lane = lane, .changes = &t->lanes[lane], .hidden = true
		};
		named &= name_lane(t, row);
		if (lane)
			show(w, row);
	}
	if (t->virtuals.without)
		show(w, &w->rows[t->first_lane]);
	return named;
}

static void show_threads(struct trace_world *w, const struct trace_task *t, bool vm)
{
	for (size_t i = 0; i < t->rows; i++) {
		struct trace_row *row = &w->rows[t->first_row + i];

		if (row->hidden || row->thread->is_vm != vm)
			continue;
		show(w, row);
		w->thread_count += !vm;
	}
}

/* Shows only those of the rows shown that the job does not leave out, and one of each process. */
static void leave_out_rows(struct trace_world *w)
{
	size_t n = w->shown_count < w->leave_out_n ? w->shown_count : w->leave_out_n;

	w->shown_count = 0;
	for (size_t i = 0; i < w->task_count; i++)
		w->tasks[i].shown = 0;
	for (size_t i = 0; i < n; i++) {
		struct trace_row *row = w->shown[i];
		bool is_vm = row->thread && row->thread->is_vm; /* it has the pauses */
		bool last_chance = i + 1 == n || w->shown[i + 1]->task != row->task;

		w->left_out += row->hidden =
			w->leave_out[i] && !is_vm && !(last_chance && row->task->shown == 0);
		if (!row->hidden)
			show(w, row); /* never later than what is read */
	}
}

/* Threads first, as they appeared; then lanes, then the VM. */
static bool show_rows(struct trace_world *w)
{
	bool named = true;

	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		show_threads(w, t, false);
		named &= add_lanes(w, t);
		show_threads(w, t, true);
		if (t->shown == 0)
			show(w, &w->rows[t->first_row]);
		w->thread_count += t->virtuals.total;
		trace_virtuals_close(&t->virtuals);
	}
	if (w->leave_out)
		leave_out_rows(w);
	return named;
}

/* Puts the tasks in the order of their roles. */
static enum jw_status order_by_role(struct trace_world *w, struct jw_err *e)
{
	struct trace_role *roles = JW_NEW_ARRAY(&w->arena, struct trace_role, w->task_count + 1);
	struct trace_task *sorted = jw_mem_zalloc(w->task_count + 1, sizeof(*sorted));
	enum jw_status status = roles && sorted ? JW_OK : jw_nomem(e);

	for (size_t i = 0; status == JW_OK && i < w->task_count; i++)
		status = trace_role_of(&w->tasks[i].rec, &w->arena, &roles[i], e);
	if (status == JW_OK)
		status = trace_roles_settle(roles, w->task_count, &w->arena, e);
	for (size_t i = 0; status == JW_OK && i < w->task_count; i++) {
		bool first = !i || roles[i].of_jobs != roles[i - 1].of_jobs;

		sorted[i] = w->tasks[roles[i].at];
		sorted[i].role = roles[i];
		sorted[i].in_application = first ? 1 : sorted[i - 1].in_application + 1;
	}
	if (status == JW_OK)
		memcpy(w->tasks, sorted, w->task_count * sizeof(*sorted));
	jw_mem_free(sorted);
	return status;
}

/* Files that a recording has, two or three; the part of all that may be open which these may be. */
#define FILES_EACH 3
#define PART       3

/* How many files of recordings stay open: of others each is opened for each of its reads, which
 * costs more than reading it does. */
static size_t open_at_once(const struct trace_job *job)
{
	return jw_files_at_once(PART * (FILES_EACH * job->recording_count + 16)) / PART;
}

/* How many files stay open of REC, at most MOST. */
static size_t rest_beyond(struct trace_recording *rec, size_t most)
{
	size_t n = rec->file_count + (rec->windows_fd >= 0);

	if (n <= most)
		return n;
	trace_recording_rest(rec);
	return 0;
}

/* Reading all of it for the index is an eighth of the work. */
#define OPENING 0.125

/* What the recordings take; they are opened one by one, each a part of the opening. */
static void begin_progress(const struct trace_job *job, struct trace_world *w)
{
	w->progress = (struct trace_progress){ .tell = job->progress, .ctx = job->progress_ctx };
	for (size_t i = 0; job->progress && i < job->recording_count; i++)
		w->progress.all += (double)trace_recording_size(job->recordings[i]);
}

/* Was REC paused when it ended, and never before? Then it holds nothing, or what came before that. */
static bool stayed_paused(const struct trace_recording *rec)
{
	return rec->gap_count == 1 && rec->gaps[0].end == UINT64_MAX;
}

/* PATH holds no event; PAUSED: stayed_paused() said so. */
static enum jw_status no_event(const char *path, bool paused, struct jw_err *e)
{
	if (paused)
		return jw_fail(
			e, JW_INPUT,
			"%s: no event was recorded: recording was paused, and was not started "
			"while the program ran ('jweave ctl PID start' starts it; without "
			"JWEAVE_START=paused it begins with the program)",
			path);
	return jw_fail(e, JW_INPUT, "%s: no event was recorded: did any of the woven methods run?",
		       path);
}

static enum jw_status open_tasks(const struct trace_job *job, struct trace_world *w,
				 struct trace_notes *notes, struct jw_err *e)
{
	size_t open = 0, most = open_at_once(job);
	bool paused = false; /* the first */

	for (size_t i = 0; i < job->recording_count; i++) {
		struct trace_task *t = &w->tasks[w->task_count];

		w->progress.from = w->progress.to;
		w->progress.to = OPENING * (double)(i + 1) / (double)job->recording_count;
		enum jw_status status =
			trace_recording_open(job->recordings[i], &w->progress, &t->rec, notes, e);

		if (status == JW_OK)
			open += rest_beyond(&t->rec, most - open);
		if (status == JW_OK && t->rec.is_summary)
			status = jw_fail(e, JW_INPUT,
					 "\"%s\": a summary (JWEAVE_MODE=summary) has no events to "
					 "make a trace of: 'jweave report' shows its sums; a run "
					 "without JWEAVE_MODE records events",
					 job->recordings[i]);
		if (status == JW_OK && t->rec.thread_count > 0 && w->task_count < TRACE_MAX_ROWS) {
			w->task_count++;
			continue;
		}
		if (status == JW_OK)
			trace_note(notes, "%s: it holds no event, and is not in the trace",
				   job->recordings[i]);
		if (i == 0)
			paused = status == JW_OK && stayed_paused(&t->rec);
		trace_recording_close(&t->rec);
		JW_TRY(status);
	}
	if (w->task_count == 0)
		return no_event(job->recording_count ? job->recordings[0] : "no recording", paused,
				e);
	return JW_OK;
}

static enum jw_status make_rows(struct trace_world *w, size_t reserved, struct jw_err *e)
{
	size_t threads = 0;

	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		threads += t->rec.thread_count;
		if (!trace_edges_place(t))
			return jw_nomem(e);
		if (!t->lane_cap)
			continue;
		t->lanes = jw_mem_zalloc((size_t)t->lane_cap + 1, sizeof(*t->lanes));
		if (!t->lanes)
			return jw_nomem(e);
		t->lanes[0].spool = &w->spool; /* the others: with their first owner */
	}
	size_t rows = (threads < TRACE_MAX_ROWS ? threads : TRACE_MAX_ROWS) + reserved;

	w->rows = jw_mem_zalloc(rows, sizeof(*w->rows));
	w->shown = jw_mem_zalloc(rows, sizeof(struct trace_row *));
	w->nodes = jw_mem_zalloc(w->task_count, sizeof(*w->nodes));
	return w->rows && w->shown && w->nodes ? JW_OK : jw_nomem(e);
}

/* Threads of Java can be found by their objects. False: no memory. */
static bool place_threads(struct trace_world *w)
{
	for (size_t i = 0; i < w->thread_rows; i++) {
		struct trace_task *t = w->rows[i].task;
		uint64_t id = w->rows[i].thread->java_id;

		if (id && !jw_lookup_add(&t->objects, jw_hash_id(jwr_thread_object(id)),
					 i - t->first_row))
			return false;
	}
	return true;
}

/* A world with room for the recordings of JOB, that may be closed. */
static enum jw_status begin_world(const struct trace_job *job, struct trace_world *w,
				  struct jw_err *e)
{
	*w = (struct trace_world){ .tasks = jw_mem_zalloc(job->recording_count + 1,
							  sizeof(*w->tasks)) };
	w->spool.fd = -1;
	return w->tasks ? JW_OK : jw_nomem(e);
}

enum jw_status trace_world_open(const struct trace_job *job, const struct trace_line *lines,
				struct trace_world *w, struct trace_notes *notes, struct jw_err *e)
{
	JW_TRY(begin_world(job, w, e));
	w->leave_out = job->leave_out;
	w->leave_out_n = job->leave_out_n;
	JW_TRY(trace_spool_open(&w->spool, job->spill ? job->spill : "", job->memory, e));
	begin_progress(job, w);
	JW_TRY(open_tasks(job, w, notes, e));
	JW_TRY(order_by_role(w, e));
	if (!trace_align(w, lines))
		return jw_nomem(e);
	size_t reserved = reserve_lanes(w, job->lanes);

	JW_TRY(make_rows(w, reserved, e));
	fill_rows(w, reserved);
	if (!place_threads(w) || !trace_blanks_place(w, notes))
		return jw_nomem(e);
	trace_spool_share(&w->spool, w->row_count);
	return trace_text_numbers_open(w) ? JW_OK : jw_nomem(e);
}

enum jw_status trace_world_open_sums(const struct trace_job *job, struct trace_world *w,
				     struct trace_notes *notes, struct jw_err *e)
{
	JW_TRY(begin_world(job, w, e));
	for (size_t i = 0; i < job->recording_count; i++) {
		struct trace_recording *rec = &w->tasks[w->task_count++].rec;

		JW_TRY(trace_recording_open(job->recordings[i], NULL, rec, notes, e));
		trace_recording_rest(rec); /* all of it has been read */
		if (rec->sums.n == 0)
			return no_event(job->recordings[i], stayed_paused(rec), e);
	}
	JW_TRY(order_by_role(w, e));
	for (size_t i = 0; i < w->task_count; i++)
		w->tasks[i].number = (uint32_t)i + 1;
	return JW_OK;
}

enum jw_status trace_world_show(struct trace_world *w, struct trace_notes *notes, struct jw_err *e)
{
	if (!show_rows(w))
		return jw_nomem(e);
	if (w->rows_left_out)
		trace_note(notes,
			   "a Paraver trace holds at most %d threads: %zu more, the last, %s left "
			   "out with all events",
			   TRACE_MAX_ROWS, w->rows_left_out, w->rows_left_out == 1 ? "is" : "are");
	return JW_OK;
}

struct trace_row *trace_thread_row(const struct trace_world *w, const struct trace_task *t,
				   uint64_t object)
{
	struct trace_row *first = NULL;

	for (struct jw_lookup_walk walk = jw_lookup_walk(&t->objects, jw_hash_id(object));
	     jw_lookup_next(&walk);) {
		struct trace_row *row = &w->rows[t->first_row + walk.place];

		if (jwr_thread_object(row->thread->java_id) == object && (!first || row < first))
			first = row;
	}
	return first;
}

bool trace_was_closed(const struct trace_world *w, uint64_t id)
{
	for (size_t i = 0; i < w->task_count; i++)
		if (trace_closings_has(&w->tasks[i].rec.closings, id, UINT64_MAX - 1))
			return true;
	return false;
}

static void close_task(struct trace_task *t)
{
	jw_mem_free(t->gaps);
	jw_mem_free(t->edges);
	jw_mem_free(t->namings);
	trace_virtuals_close(&t->virtuals);
	jw_lookup_free(&t->objects);
	/* lanes have owners in their order: after one that never had any there is none */
	for (uint32_t i = 0; t->lanes && i <= t->lane_cap && t->lanes[i].spool; i++)
		trace_list_free(&t->lanes[i].list);
	jw_mem_free(t->lanes);
	jw_mem_free(t->pauses);
	trace_recording_close(&t->rec);
}

void trace_world_close(struct trace_world *w)
{
	for (size_t i = 0; w->rows && i < w->thread_rows; i++) {
		trace_list_free(&w->rows[i].own_changes.list);
		jw_mem_free(w->rows[i].blanks);
		jw_mem_free(w->rows[i].seen.at);
	}
	trace_text_numbers_close(w);
	for (size_t i = 0; i < w->task_count; i++)
		close_task(&w->tasks[i]);
	jw_mem_free(w->tasks);
	jw_mem_free(w->rows);
	jw_mem_free(w->shown);
	jw_mem_free(w->nodes);
	jw_mem_free(w->links.at);
	trace_arrow_list_free(&w->arrows);
	trace_owners_free(w->owners);
	trace_spool_close(&w->spool);
	jw_arena_free(&w->arena);
	*w = (struct trace_world){ 0 };
}
