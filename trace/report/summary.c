/*
 * summary.c: see summary.h. Ticks become time by the rate of the whole recording.
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/reader/clock.h"
#include "trace/reader/reader.h"
#include "trace/reader/tally.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/method_names.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/parks.h"
#include "trace/replay/replay.h"
#include "trace/replay/waits.h"
#include "trace/report/object_classes.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/stalls.h"
#include "trace/report/summary.h"
#include "trace/report/thread_activity.h"

#include "base/banned.h"

#define VIRTUALS "virtual threads"

struct taking {
	struct trace_pass *pass;
	struct trace_reading *reading;
	const struct trace_task *task;
	double rate; /* ns a tick */
	uint32_t lane;
};

static uint64_t ns_of(const struct taking *t, uint64_t ticks)
{
	double ns = (double)ticks * t->rate + 0.5;

	return ns < (double)TRACE_MAX_NS ? (uint64_t)ns
					 : TRACE_MAX_NS; /* damaged ones may be any */
}

static double rate_of(const struct trace_recording *rec)
{
	uint64_t first = rec->start_point.tick, last = rec->last_tick;
	uint32_t hint = 0;

	if (rec->end_tick > last)
		last = rec->end_tick;
	if (rec->ns_ticks || last <= first)
		return rec->ns_ticks ? 1 : rec->clock.rate;
	int64_t from = trace_clock_ns(&rec->clock, first, &hint);

	return (double)(trace_clock_ns(&rec->clock, last, &hint) - from) / (double)(last - first);
}

/* ---- kinds of rows ---- */

/* Bytes are captures: a summary has none. */
static bool take_operation(struct taking *t, const struct trace_sum *from, uint64_t id)
{
	const struct trace_method *m = trace_map_telling(t->pass->map, id);
	const struct jw_operation *op = m ? m->about.operation : NULL;
	struct trace_sum *to;

	if (op) {
		size_t index = trace_operation_index(op->type, op->number);

		to = index == SIZE_MAX ? NULL
				       : trace_tally_at(&t->reading->operations, t->lane, index);
		if (!to)
			return index == SIZE_MAX;
		to->count += from->count;
		to->ns += ns_of(t, from->ns);
	}
	if (!m || !m->call || (!op && m->state < 0))
		return true;
	uint32_t site = trace_methods_number(&t->pass->told.sites, id);

	to = trace_tally_at(&t->reading->sites, (uint64_t)site + 1, t->lane);
	if (!to || site == TRACE_NO_METHOD)
		return false;
	to->count += from->count;
	to->exceptional += from->exceptional;
	to->ns += ns_of(t, from->ns);
	return true;
}

static bool take_method(struct taking *t, const struct trace_sum *from)
{
	struct trace_reading *r = t->reading;
	uint64_t id = jwr_word_payload(from->b);
	bool site = t->pass->map && (id & JWR_SITE_BIT);
	uint32_t n = trace_methods_number(&t->pass->told.methods,
					  site ? trace_map_same(t->pass->map, id) : id);

	if (n == TRACE_NO_METHOD || trace_methods_number(&r->methods, (uint64_t)n + 1) != n)
		return false;
	struct trace_stat *m = &r->methods.m[n];
	struct trace_lane_method *here = trace_lane_method(&r->lanes[t->lane].methods, n);
	uint64_t own = ns_of(t, from->own_ns), longest = ns_of(t, from->longest);

	if (!here)
		return false;
	m->calls += from->count;
	m->inclusive_ns += ns_of(t, from->ns);
	m->exclusive_ns += own;
	m->longest_ns = longest > m->longest_ns ? longest : m->longest_ns;
	m->exceptional += from->exceptional;
	here->count += from->count;
	here->exceptional += from->exceptional;
	here->ns += ns_of(t, from->ns);
	here->own_ns += own;
	r->lanes[t->lane].calls += from->count;
	r->lanes[t->lane].inside_ns += own;
	r->calls += from->count;
	return take_operation(t, from, id);
}

static bool take_wait(struct taking *t, const struct trace_sum *from, uint64_t value)
{
	uint64_t object = trace_object_number(jwr_word_payload(from->b));
	uint32_t class = object ? trace_class_told(t->pass, t->task, jwr_word_payload(from->b)) : 0;
	struct trace_sum *to =
		trace_tally_at(&t->reading->waits, t->lane, object * TRACE_WAIT_KINDS + value);

	if (!to)
		return false;
	if (class)
		trace_note_class(t->reading, t->lane, object, class);
	to->count += from->count;
	to->ns += ns_of(t, from->ns);
	return true;
}

/* A park, or a sleep (which has no OBJECT): how often and how long is known, not where. */
static bool take_stall(struct taking *t, const struct trace_sum *from, uint64_t object,
		       uint64_t value)
{
	const struct trace_sum told = { .count = from->count,
					.ns = ns_of(t, from->ns),
					.longest = ns_of(t, from->longest) };
	uint64_t number = trace_object_number(object);
	uint32_t class = number ? trace_class_told(t->pass, t->task, object) : 0;

	if (class)
		trace_note_class(t->reading, t->lane, number, class);
	return trace_stall_summed(t->reading, t->lane, number, value, &told);
}

static bool take_park(struct taking *t, const struct trace_sum *from, bool busy)
{
	uint64_t object = jwr_word_payload(from->b);
	bool idle = !busy && trace_idles_at(t->pass, t->task, object);

	return take_stall(t, from, object, idle ? TRACE_WAIT_FOR_WORK : TRACE_WAIT_PARK) &&
	       (idle || !object || take_wait(t, from, TRACE_WAIT_PARK));
}

static bool take_alloc(struct taking *t, const struct trace_sum *from)
{
	uint32_t class = trace_class_of_object(t->pass, t->task, jwr_word_payload(from->b));
	struct trace_sum *to = trace_tally_at(&t->reading->allocs, t->lane, class);

	if (!to)
		return false;
	to->count += from->count;
	to->bytes += from->ns;
	return true;
}

static bool take_sum(struct taking *t, const struct trace_sum *from)
{
	struct trace_report_pauses *gc = &t->reading->pauses;
	uint64_t longest = ns_of(t, from->longest);
	uint8_t wait;

	switch (jwr_word_kind(from->b)) {
	case JWR_ENTER:
		return take_method(t, from);
	case JWR_CONTENDED:
		return take_wait(t, from, TRACE_WAIT_ENTER);
	case JWR_WAIT:
		return take_wait(t, from, TRACE_WAIT_OBJECT);
	case JWR_PARK:
	case JWR_PARKED:
		return take_park(t, from, jwr_word_kind(from->b) == JWR_PARK);
	case JWR_AWAIT:
		wait = trace_wait_of_await(jwr_await_what(jwr_word_payload(from->b)));
		return wait == TRACE_NO_WAIT || take_stall(t, from, 0, wait);
	case JWR_GC_BEGIN:
		gc->count += from->count;
		gc->ns += ns_of(t, from->ns);
		gc->longest_ns = longest > gc->longest_ns ? longest : gc->longest_ns;
		t->reading->processes[t->task->number - 1].paused_ns += ns_of(t, from->ns);
		return true;
	case JWR_ALLOC:
		return take_alloc(t, from);
	default: /* of a later version */
		return true;
	}
}

/* ---- threads ---- */

/* Threads are in order of their uids, and so are the lanes of a task. */
static uint32_t lane_of(const struct trace_task *task, uint32_t first, uint64_t uid)
{
	size_t low = 0, high = task->rec.thread_count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (task->rec.threads[mid].uid < uid)
			low = mid + 1;
		else
			high = mid;
	}
	return first + (uint32_t)low;
}

static uint64_t time_of(const struct trace_recording *rec, uint64_t tick)
{
	uint32_t hint = 0;
	int64_t from = trace_clock_ns(&rec->clock, rec->start_point.tick, &hint);
	int64_t ns = trace_clock_ns(&rec->clock, tick, &hint) - from;

	return ns > 0 ? (uint64_t)ns : 0;
}

static uint64_t duration_of(const struct trace_recording *rec)
{
	uint64_t last = rec->stopped ? rec->stop_tick : rec->clean_end ? rec->end_tick : 0;

	return time_of(rec, last > rec->last_tick ? last : rec->last_tick);
}

/* What TH is called; NULL: no memory. */
static const char *name_of(const struct trace_recording *rec, const struct trace_thread *th,
			   struct jw_arena *arena)
{
	struct jw_buf text = { 0 };

	if (th->is_sums)
		jw_put_fmt(&text, VIRTUALS " (%llu, all together)",
			   (unsigned long long)rec->odds.virtuals);
	else
		trace_put_name(&text, jw_span_str(th->name), TRACE_MAX_LABEL);
	if (text.n == 0)
		trace_put_unnamed(&text, (uint32_t)(th - rec->threads) + 1);
	const char *name = text.failed == JW_OK ? jw_arena_str(arena, jw_buf_span(&text)) : NULL;

	jw_buf_free(&text);
	return name;
}

/* Threads of process NUMBER from FIRST on; false: no memory. */
static bool put_threads(const struct trace_recording *rec, uint32_t number,
			struct trace_scene_thread *first, struct jw_arena *arena)
{
	for (uint32_t i = 0; i < rec->thread_count; i++) {
		first[i] = (struct trace_scene_thread){
			.name = name_of(rec, &rec->threads[i], arena),
			.java_id = rec->threads[i].java_id,
			.process = number,
			.number = i + 1,
			.is_vm = rec->threads[i].is_vm,
			.is_virtual = rec->threads[i].is_sums,
		};
		if (!first[i].name)
			return false;
	}
	return true;
}

static bool make_scene(struct trace_replay *r)
{
	const struct trace_world *w = &r->world;
	struct trace_scene *s = &r->scene;
	size_t all = 0;

	for (size_t i = 0; i < w->task_count; i++)
		all += w->tasks[i].rec.thread_count;
	struct trace_scene_process *processes =
		JW_NEW_ARRAY(&r->arena, struct trace_scene_process, w->task_count + 1);
	struct trace_scene_thread *threads =
		JW_NEW_ARRAY(&r->arena, struct trace_scene_thread, all + 1);

	*s = (struct trace_scene){ .processes = processes,
				   .threads = threads,
				   .process_count = (uint32_t)w->task_count };
	if (!processes || !threads)
		return false;
	for (uint32_t i = 0; i < s->process_count; i++) {
		const struct trace_recording *rec = &w->tasks[i].rec;
		const struct trace_role *role = &w->tasks[i].role;
		uint64_t end = duration_of(rec);

		processes[i] = (struct trace_scene_process){
			.application = role->of_jobs,
			.number = w->tasks[i].in_application,
			.role = role->known || w->task_count > 1 ? role->name : "",
			.job = role->application,
			.kind = role->kind,
			.end = end,
			.reason = rec->stopped ? rec->stop_reason : rec->end_reason,
			.ended = rec->clean_end,
			.gone = trace_recording_gone(rec),
			.stopped = rec->stopped,
			.first = s->thread_count,
			.threads = (uint32_t)rec->thread_count,
			.pid = rec->pid,
			.rank = rec->rank,
			.has_rank = rec->has_rank,
		};
		if (!put_threads(rec, i, threads + s->thread_count, &r->arena))
			return false;
		s->thread_count += processes[i].threads;
		s->end = end > s->end ? end : s->end;
	}
	return true;
}

enum jw_status trace_summary_open(const struct trace_job *job, struct trace_notes *notes,
				  struct trace_replay *r, struct jw_err *e)
{
	*r = (struct trace_replay){ .job = job, .notes = notes };
	r->pass.told.methods.limit = job->methods;
	JW_TRY(trace_world_open_sums(job, &r->world, notes, e));
	r->map = trace_map_new();
	if (!r->map)
		return jw_nomem(e);
	trace_map_of_sums(r->map);
	JW_TRY(trace_world_find_maps(&r->world, job, r->map, notes, e));
	r->pass.map = r->map;
	r->pass.world = &r->world;
	return make_scene(r) ? JW_OK : jw_nomem(e);
}

enum jw_status trace_summary_take(struct trace_replay *r, struct trace_reading *reading,
				  struct jw_err *e)
{
	struct taking t = { .pass = &r->pass, .reading = reading };
	bool taken = trace_reading_begin(reading, &r->scene);

	for (size_t i = 0; taken && i < r->world.task_count; i++) {
		const struct trace_recording *rec = &r->world.tasks[i].rec;

		t.task = &r->world.tasks[i];
		t.rate = rate_of(rec);
		for (size_t k = 0; taken && k < rec->sums.n; k++) {
			t.lane = lane_of(t.task, r->scene.processes[i].first, rec->sums.sums[k].a);
			taken = take_sum(&t, &rec->sums.sums[k]);
		}
	}
	return taken && !reading->failed ? JW_OK : jw_nomem(e);
}

enum jw_status trace_summary_lives(const struct trace_replay *r, struct jw_arena *arena,
				   struct trace_report *out, struct jw_err *e)
{
	const struct trace_world *world = &r->world;
	struct trace_report_thread *threads =
		JW_NEW_ARRAY(arena, struct trace_report_thread, out->thread_count + 1);
	size_t n = 0;

	if (!threads)
		return jw_nomem(e);
	out->threads_all = 0;
	for (size_t i = 0; i < world->task_count; i++) {
		const struct trace_recording *rec = &world->tasks[i].rec;

		for (size_t k = 0; k < rec->thread_count; k++, n++) {
			const struct trace_thread *th = &rec->threads[k];
			uint64_t from = th->start_tick ? time_of(rec, th->start_tick) : 0;
			uint64_t to = th->ended ? time_of(rec, th->end_tick) : duration_of(rec);

			threads[n] = out->threads[n];
			out->threads_all += !th->is_vm;
			threads[n].life_ns = to > from ? to - from : 0;
		}
	}
	out->threads = threads;
	out->state_count = 0;
	out->states_known = out->calls_known = false;
	for (size_t i = 0; i < world->task_count; i++) {
		const struct trace_recording *rec = &world->tasks[i].rec;

		out->threads_all += rec->odds.virtuals - (rec->odds.virtuals > 0);
		out->lost += rec->lost;
	}
	return JW_OK;
}
