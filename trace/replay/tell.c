/*
 * tell.c: see tell.h.
 */
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/apart.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/call_events.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/crowd.h"
#include "trace/replay/dispatch.h"
#include "trace/replay/flight.h"
#include "trace/replay/merge.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/states.h"
#include "trace/replay/tell.h"
#include "trace/replay/thread_names.h"
#include "trace/replay/timeline.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/wait_events.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ---- whose it is ---- */

static void place_row(struct trace_pass *p, const struct trace_row *row, struct trace_who *who)
{
	(void)p;
	who->left_out = row->hidden;
	who->row = who->calls = row->hidden ? NULL : row;
}

/* Those without a lane share one row, which their calls are on as they come: all of them are there,
 * each enter and each exit, but nested only within their own thread. */
static void place_virtual(struct trace_pass *p, const struct trace_task *t,
			  const struct trace_virtual *one, struct trace_who *who)
{
	const struct trace_row *row = &p->world->rows[t->first_lane + one->lane];

	who->left_out = row->hidden;
	who->calls = row->hidden ? NULL : row;
	who->row = one->lane ? who->calls : NULL;
}

/* ---- events ---- */

static void event(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		  enum trace_type type, uint64_t value)
{
	if (value > TRACE_MAX_USER_VALUE) /* damage: readers calculate in doubles */
		value = TRACE_MAX_USER_VALUE;
	p->told.output->event(p->told.ctx, row->order, time, type, value);
}

static void frame(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t word)
{
	trace_timeline_take(p, &who->track->timeline, who->calls, time, word);
}

static void shut(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		 const struct trace_closings *closings, uint64_t tick)
{
	trace_timeline_shut(p, &who->track->timeline, who->calls, time, closings, tick);
}

static void flies(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t seen,
		  bool flying)
{
	(void)seen;
	trace_put_event(p, who->row, time, TRACE_TYPE_EXCEPTION, flying);
}

/* ---- waits ---- */

/* The names of what the innermost wait is about. */
static void wait_begins(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			enum jwr_kind kind)
{
	struct trace_wait *wait = &who->track->waits.at[who->track->waits.n - 1];
	const struct trace_task *task = &p->world->tasks[who->place.task];

	(void)time;
	(void)kind;
	if (!who->row)
		return;
	wait->class = wait->object ? trace_class_told(p, task, wait->object) : 0;
	wait->place = who->track->place ? trace_place_told(p, task, who->track->place) : 0;
}

static void waits(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	if (!who->row)
		return;
	trace_wait_events_put(p, who->row, time, &who->track->waits);
	if (p->told.apart)
		trace_apart_waits(p, who->row, time);
}

/* What was read or written, or done to it: all of that when it is over. */
static void io_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		    const struct trace_wait *wait, uint64_t payload)
{
	const struct trace_task *task = &p->world->tasks[who->place.task];
	uint64_t amount = jwr_awaited_amount(payload);
	unsigned what = jwr_await_what(payload);
	bool reads = what == JWR_AWAIT_READ, writes = what == JWR_AWAIT_WRITE;

	if (!who->calls || !wait->channel) /* a wait alone */
		return;
	trace_put_event(p, who->calls, time, TRACE_TYPE_CHANNEL,
			trace_channel_told(p, task, wait->channel));
	if ((reads || writes) && trace_channel_is_counted(&task->rec, wait->channel))
		trace_put_event(p, who->calls, time,
				reads ? TRACE_TYPE_CHANNEL_READ : TRACE_TYPE_CHANNEL_WRITTEN,
				amount);
	trace_put_event(p, who->calls, time, TRACE_TYPE_CHANNEL_NS, time - wait->begin);
}

static void unparks(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		    uint64_t object)
{
	if (object & JWR_OBJECT_THREAD)
		trace_put_event(p, who->row, time, TRACE_TYPE_UNPARK, trace_object_number(object));
}

static void wakes(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t number)
{
	trace_put_event(p, who->row, time, TRACE_TYPE_WAKE, number);
}

static void interrupts(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t object)
{
	trace_put_event(p, who->row, time, TRACE_TYPE_INTERRUPT, trace_object_number(object));
}

static void starts(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		   uint64_t object)
{
	trace_put_event(p, who->row, time, TRACE_TYPE_START, trace_object_number(object));
}

/* The row of the thread OBJECT (jwr_thread_object()) of T; NULL: it has none that is shown. */
static const struct trace_row *row_of_thread(const struct trace_world *w,
					     const struct trace_task *t, uint64_t object)
{
	const struct trace_virtual *one =
		trace_virtuals_find(&t->virtuals, object & ~JWR_OBJECT_THREAD);
	const struct trace_row *row = one && one->lane ? &w->rows[t->first_lane + one->lane] : NULL;

	if (!row)
		row = trace_thread_row(w, t, object);
	return row && !row->hidden ? row : NULL;
}

/* The innermost wait of WHO is for what ROW has. */
static void note_holder(struct trace_pass *p, const struct trace_who *who,
			const struct trace_row *row)
{
	struct trace_told *told = &p->told;
	const struct trace_waits *waits = &who->track->waits;

	if (!who->row || !waits->n)
		return;
	const struct trace_wait *last = &waits->at[waits->n - 1];

	if (!told->locked)
		told->locked = jw_mem_zalloc(p->world->shown_count, sizeof(*told->locked));
	p->failed |= !told->locked;
	if (told->locked)
		told->locked[who->row->order] = (struct trace_locked){
			.begin = last->begin,
			.object = last->object,
			.by = row->order + 1,
			.joins = last->value == TRACE_WAIT_OBJECT,
		};
}

/* Who has what WHO waits for in WAIT; NULL: that is not known. */
static struct trace_locked *locked_of(const struct trace_pass *p, const struct trace_who *who,
				      const struct trace_wait *wait)
{
	struct trace_locked *locked =
		p->told.locked && who->row ? &p->told.locked[who->row->order] : NULL;

	return locked && locked->by && locked->begin == wait->begin ? locked : NULL;
}

static void tell_holder(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			const struct trace_row *holder)
{
	note_holder(p, who, holder);
	if (p->told.apart) /* what it waits for itself until then; it may be told no more before its turn */
		trace_wait_events_of(p, holder, trace_key(time));
	trace_put_event(p, who->row, time, TRACE_TYPE_HOLDER, (uint64_t)holder->order + 1);
}

static void held(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t object)
{
	const struct trace_world *w = p->world;
	const struct trace_row *row =
		object ? row_of_thread(w, &w->tasks[who->place.task], object) : NULL;

	if (!object)
		trace_put_event(p, who->row, time, TRACE_TYPE_HOLDER, 0);
	if (row)
		tell_holder(p, who, time, row);
}

/* The row of the thread for whose end WHO waits in WAIT (Thread.join; not of a virtual one); NULL: for something else. */
static const struct trace_row *joined_by(const struct trace_pass *p, const struct trace_who *who,
					 const struct trace_wait *wait)
{
	const struct trace_task *task = &p->world->tasks[who->place.task];
	const struct trace_named *place =
		wait->value == TRACE_WAIT_OBJECT && wait->object & JWR_OBJECT_THREAD && wait->at
			? trace_place_named(task, wait->at)
			: NULL;

	return place && place->id & TRACE_JOINS ? row_of_thread(p->world, task, wait->object)
						: NULL;
}

/* Who has what WHO waits for in WAIT, as woven code has said, or is the thread for whose end it waits. */
static void tell_owner_of(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			  const struct trace_wait *wait)
{
	const struct trace_row *joined = joined_by(p, who, wait);
	const struct trace_row *owner =
		wait->value == TRACE_WAIT_ENTER ? trace_monitor_owner(p->world, who, wait) : joined;

	if (owner && (owner != who->row || joined))
		tell_holder(p, who, time, owner);
}

/* What it moves is not known; who had what it waits for is, maybe. */
static void left_open(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      const struct trace_wait *wait)
{
	const struct trace_task *task = &p->world->tasks[who->place.task];

	if (!locked_of(p, who, wait))
		tell_owner_of(p, who, time, wait);
	struct trace_locked *locked = locked_of(p, who, wait);

	if (locked)
		locked->end = time;
	if (who->calls && wait->channel)
		trace_put_event(p, who->calls, time, TRACE_TYPE_CHANNEL,
				trace_channel_told(p, task, wait->channel));
}

/* ---- virtual threads ---- */

/* The value that shows the name NAMED of a virtual thread of T. */
static uint64_t owner_value(struct trace_pass *p, const struct trace_task *t,
			    const struct trace_named *named)
{
	uint64_t key = (uint64_t)t->number << 32 | (uint64_t)(named - t->rec.virtuals);
	uint32_t number = trace_methods_number(&p->told.owners, key);

	p->failed |= number == TRACE_NO_METHOD;
	return (uint64_t)number + 1;
}

/* Who owns the lane of ONE from TIME on: ONE, or nobody where it ends. */
static void tell_owner(struct trace_pass *p, const struct trace_task *t,
		       const struct trace_virtual *one, uint64_t time, bool begins)
{
	const struct trace_row *row = &p->world->rows[t->first_lane + one->lane];

	if (!one->lane || !row->shared)
		return;
	const struct trace_named *named = trace_virtual_named(&t->rec, one->id);

	trace_put_event(p, row, time, TRACE_TYPE_VIRTUAL, begins ? one->id : 0);
	if (named)
		trace_put_event(p, row, time, TRACE_TYPE_VIRTUAL_NAME,
				begins ? owner_value(p, t, named) : 0);
}

static void virtual_begins(struct trace_pass *p, struct trace_task *t, struct trace_virtual *one,
			   const struct trace_who *who, uint64_t time)
{
	(void)who;
	tell_owner(p, t, one, time, true);
}

static void virtual_ends(struct trace_pass *p, struct trace_task *t, struct trace_virtual *one,
			 const struct trace_who *who, uint64_t time)
{
	(void)who;
	tell_owner(p, t, one, time, false);
}

static void without(struct trace_pass *p, struct trace_task *t, uint64_t time)
{
	trace_put_event(p, &p->world->rows[t->first_lane], time, TRACE_TYPE_WITHOUT,
			t->virtuals.more);
}

/* ---- processes ---- */

static void pause_at(struct trace_pass *p, const struct trace_row *row, uint64_t time, bool begins)
{
	trace_put_event(p, row, time, TRACE_TYPE_GC, begins);
}

static void closed(struct trace_pass *p, const struct trace_row *row, uint64_t time, uint64_t id)
{
	uint64_t refused = p->told.methods.refused;
	uint32_t number = trace_methods_number(&p->told.methods, id);

	if (number != TRACE_NO_METHOD)
		trace_put_event(p, row, time, TRACE_TYPE_CLOSED, (uint64_t)number + 1);
	else
		p->failed |= p->told.methods.refused == refused;
}

/* What the thread has used, and with the first of a process what that has. */
static void row_ends(struct trace_pass *p, const struct trace_row *row, uint64_t time)
{
	const struct trace_recording *rec = &row->task->rec;

	if (row->hidden || row->thread->is_vm)
		return;
	if (rec->overwritten || rec->stopped) /* it is of all of the run, of which a part is here */
		return;
	if (row->thread->cpu_ns)
		trace_put_event(p, row, time, TRACE_TYPE_THREAD_CPU, row->thread->cpu_ns);
	if (row->number == 1 && row->task->rec.cpu_ns)
		trace_put_event(p, row, time, TRACE_TYPE_PROCESS_CPU, row->task->rec.cpu_ns);
}

static void task_ends(struct trace_pass *p, struct trace_task *t, uint64_t time)
{
	if (t->lane_cap)
		trace_take_virtual_ends(p, t, time);
}

/* ---- states and arrows, between the records ---- */

static size_t sources(const struct trace_pass *p)
{
	return p->world->shown_count;
}

static bool open_told(struct trace_pass *p, struct trace_order *order)
{
	for (size_t i = 0; i < p->world->task_count; i++)
		if (!trace_names_place(p->world, &p->world->tasks[i]))
			return false;
	return trace_states_open(&p->told.states, p->world, order) &&
	       (p->apart != TRACE_APART_THREADS || trace_apart_open(p)) &&
	       trace_wait_events_open(&p->told.waits, p->world->shown_count) &&
	       trace_arrows_open(p->world);
}

static size_t fill(struct trace_pass *p, uint32_t of, uint64_t end, size_t most,
		   struct trace_item *out, uint64_t *next)
{
	return trace_states_fill(&p->told.states, of, end, most, out, next);
}

static void take_state(struct trace_pass *p, const struct trace_item *item)
{
	p->told.output->state(p->told.ctx, item->of, item->key / 2, item->word, item->note);
	if (p->told.apart)
		trace_apart_state(p, item->note);
}

/* The key from which on there is something to show again. */
static uint64_t due(const struct trace_pass *p)
{
	uint64_t arrow = trace_arrows_next(p->world);

	if (p->told.waits.due_n)
		return 0;
	return arrow < UINT64_MAX / 2 ? trace_key(arrow) : UINT64_MAX;
}

/* The states that begin with an arrow come before it, records after it. */
static void reaches(struct trace_pass *p, uint64_t key, bool record)
{
	if (p->told.waits.due_n && key > trace_key(p->told.waits.time))
		trace_wait_events_show(p);
	while (trace_arrows_next(p->world) < key / 2 + (record || key % 2))
		trace_arrows_put(p->world, p->told.output, p->told.ctx);
	p->due = due(p);
}

/* The next of its states, unless a wait is to be told. */
static uint64_t row_until(const struct trace_pass *p, const struct trace_row *row)
{
	return p->told.waits.rows[row->order].due ? 0
						  : trace_states_next(&p->told.states, row->order);
}

static bool is_well(struct trace_pass *p)
{
	if (p->told.status == JW_OK)
		p->told.status = p->told.output->check(p->told.ctx, p->told.e);
	return p->told.status == JW_OK;
}

static void ends(struct trace_pass *p)
{
	if (p->apart == TRACE_APART_THREADS)
		trace_apart_end(p);
	trace_wait_events_show(p);
	while (is_well(p) && trace_arrows_next(p->world) != UINT64_MAX)
		trace_arrows_put(p->world, p->told.output, p->told.ctx);
}

static const struct trace_pass_does tells = {
	.open = open_told,
	.sources = sources,
	.fill = fill,
	.take = take_state,
	.reaches = reaches,
	.ends = ends,
	.row_until = row_until,
	.is_known = trace_timeline_knows,
	.is_well = is_well,
	.place_row = place_row,
	.place_virtual = place_virtual,
	.event = event,
	.frame = frame,
	.call_begins = trace_call_begins,
	.call_captures = trace_call_captures,
	.call_ends = trace_call_ends,
	.shut = shut,
	.waits = waits,
	.waits_closed = waits,
	.wait_begins = wait_begins,
	.io_ends = io_ends,
	.left_open = left_open,
	.unparks = unparks,
	.starts = starts,
	.wakes = wakes,
	.interrupts = interrupts,
	.held = held,
	.flies = flies,
	.after = trace_flight_after,
	.virtual_begins = virtual_begins,
	.virtual_ends = virtual_ends,
	.without = without,
	.pause = pause_at,
	.closed = closed,
	.row_ends = row_ends,
	.task_ends = task_ends,
};

/* ---- the pass ---- */

static void note_counts(const struct trace_pass *p, uint64_t shrunk, struct trace_notes *notes)
{
	const struct trace_fact facts[] = {
		{ shrunk, "thread whose records could not be read to their end",
		  "threads whose records could not be read to their end" },
		{ p->counts.cut, TRACE_TOLD_CUT },
		{ p->counts.headless, TRACE_TOLD_HEADLESS },
		{ p->counts.strange, "record of an unknown kind, left out",
		  "records of unknown kinds, left out" },
		{ p->counts.too_deep, "call nested too deep to be shown, left out",
		  "calls nested too deep to be shown, left out" },
		{ p->world->sockets.other_way,
		  "connection without arrows: bytes went another way than by natives that tell",
		  "connections without arrows: bytes went another way than by natives that tell" },
		{ p->world->sockets.missing,
		  "connection without all of its arrows: records are missing",
		  "connections without all of their arrows: records are missing" },
		{ p->told.methods.refused, "call of more methods than a trace can hold, left out",
		  "calls of more methods than a trace can hold, left out" },
	};

	trace_note_facts(notes, NULL, facts, sizeof(facts) / sizeof(*facts));
}

static void note_lanes(const struct trace_world *w, struct trace_notes *notes)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_virtuals *v = &w->tasks[i].virtuals;

		if (v->without)
			trace_note(notes,
				   "%llu of %llu virtual threads found all %u row%s taken: %s on "
				   "the row \"virtual (more)\", where durations mean nothing",
				   (unsigned long long)v->without, (unsigned long long)v->total,
				   v->cap, jw_s(v->cap),
				   v->without == 1 ? "its calls stand"
						   : "their calls stand together");
		if (v->total - v->without > v->used)
			trace_note(notes,
				   "%llu virtual threads have %u row%s, one after another: reports "
				   "count the rows",
				   (unsigned long long)(v->total - v->without), v->used,
				   jw_s(v->used));
	}
}

void trace_told_free(struct trace_told *told)
{
	trace_methods_free(&told->methods);
	trace_classes_free(&told->classes);
	trace_classes_free(&told->places);
	trace_classes_free(&told->channels);
	trace_classes_free(&told->names);
	trace_methods_free(&told->sites);
	trace_methods_free(&told->seen);
	trace_methods_free(&told->owners);
	jw_mem_free(told->captured);
	jw_mem_free(told->locked);
	trace_tally_free(&told->misfits);
	trace_tally_free(&told->kept);
	trace_states_close(&told->states);
	trace_wait_events_free(&told->waits);
	trace_crowds_free(told->crowds, told->crowd_count);
	trace_apart_free(told->apart);
	*told = (struct trace_told){ 0 };
}

/* Are rows shown that virtual threads own? What is on them is read by other rows. */
static bool has_virtual(const struct trace_world *w)
{
	size_t i = 0;

	while (i < w->shown_count && w->shown[i]->thread)
		i++;
	return i < w->shown_count;
}

enum jw_status trace_tell(struct trace_world *w, const struct trace_map *map,
			  const struct trace_output *output, void *ctx, struct trace_pass *p,
			  struct trace_notes *notes, struct jw_err *e)
{
	p->does = &tells;
	p->world = w;
	p->map = map;
	p->told.output = output;
	p->told.ctx = ctx;
	p->told.e = e;
	if (has_virtual(w) && p->apart == TRACE_APART_THREADS)
		p->apart = TRACE_APART_BY_THREAD;
	w->progress.from = w->progress.to;
	w->progress.to = 1;
	uint64_t shrunk = trace_merge(p, w->events);

	trace_states_close(&p->told.states);
	trace_wait_events_free(&p->told.waits);
	trace_methods_free(&p->parks);
	if (p->failed)
		return jw_nomem(e);
	JW_TRY(trace_spool_status(&w->spool, e));
	note_counts(p, shrunk, notes);
	trace_note_misfits(p, notes);
	note_lanes(w, notes);
	return p->told.status;
}
