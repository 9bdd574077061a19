/*
 * waits.c: what threads wait for as JVM TI tells it (monitors to enter, and Object.wait()), and as
 * natives of the JDK tell it (park, sleep).
 *
 *     first reading    a state from the wait's begin to its end; arrows (arrows.c)
 *     second reading   events: the kind of wait and its object, 0 at its end
 *
 * Of all that happens to a row within one instant a state shows only what holds behind it. So do
 * the events: they are written once the instant is over. A wait that begins and ends in one (ticks
 * that stand still, as damage makes them) is in neither. Where recording was paused rows are in no
 * wait, either.
 */
#include "trace/format/recording.h"
#include "trace/names/event_types.h"
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/parks.h"
#include "trace/replay/replay.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* Values of the type "Java monitor", and behind them those of "Java wait". */
enum { NO_WAIT, CONTENDED, WAITING, PARKED, FOR_WORK, SLEEPING };
const uint32_t trace_wait_states[] = {
	TRACE_RUNNING,         TRACE_BLOCKED,  TRACE_SYNCHRONIZATION,
	TRACE_SYNCHRONIZATION, TRACE_FOR_WORK, TRACE_SYNCHRONIZATION
};

/* The wait that records of each kind begin or end. */
static const struct {
	uint8_t value;
	bool begins;
} kinds[] = {
	[JWR_CONTENDED] = { CONTENDED, true }, [JWR_ENTERED] = { CONTENDED, false },
	[JWR_WAIT] = { WAITING, true },        [JWR_WAITED] = { WAITING, false },
	[JWR_EXPIRED] = { WAITING, false },    [JWR_PARK] = { PARKED, true },
	[JWR_PARKED] = { PARKED, false },      [JWR_AWAIT] = { SLEEPING, true },
	[JWR_AWAITED] = { SLEEPING, false },
};

/* Does what ends a wait of VALUE end one that is shown as OTHER? */
static bool is_same(uint8_t other, uint8_t value)
{
	return (other == FOR_WORK ? PARKED : other) == value;
}

/* ---- events ---- */

bool trace_waits_open(struct trace_shown_waits *all, size_t rows)
{
	*all = (struct trace_shown_waits){
		.rows = jw_mem_zalloc(rows + 1, sizeof(*all->rows)),
		.due = jw_mem_zalloc(rows + 1, sizeof(*all->due)),
	};
	return all->rows && all->due;
}

void trace_waits_free(struct trace_shown_waits *all)
{
	jw_mem_free(all->rows);
	jw_mem_free(all->due);
	*all = (struct trace_shown_waits){ 0 };
}

/* Was recording paused at TIME? */
static bool in_gap(const struct trace_task *t, uint64_t time)
{
	size_t low = 0, high = t->gap_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->gaps[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->gap_count && t->gaps[low].begin <= time;
}

/* An event of TYPE, which is NOW, where there is something to say, or was BEFORE. */
static void put_change(struct trace_frames *to, const struct trace_row *row, enum trace_type type,
		       uint64_t before, uint64_t now)
{
	if (before || now)
		trace_put_event(to, row, to->waits.time, type, now);
}

static uint64_t monitor_value(const struct trace_wait *w)
{
	return w->value <= WAITING ? w->value : 0;
}

static uint64_t wait_value(const struct trace_wait *w)
{
	return w->value > WAITING ? w->value - WAITING : 0;
}

static void show_due(struct trace_frames *to, const struct trace_row *row)
{
	struct trace_shown_wait *w = &to->waits.rows[row->order];
	uint64_t time = to->waits.time;

	w->due = false;
	if (in_gap(row->task, time))
		w->now = (struct trace_wait){ .value = NO_WAIT };
	if (!w->now.value && !w->shown.value)
		return;
	put_change(to, row, TRACE_TYPE_MONITOR, monitor_value(&w->shown), monitor_value(&w->now));
	put_change(to, row, TRACE_TYPE_WAIT, wait_value(&w->shown), wait_value(&w->now));
	put_change(to, row, TRACE_TYPE_OBJECT, trace_object_number(w->shown.object),
		   trace_object_number(w->now.object));
	put_change(to, row, TRACE_TYPE_MONITOR_CLASS, w->shown.class, w->now.class);
	put_change(to, row, TRACE_TYPE_MONITOR_PLACE, w->shown.place, w->now.place);
	w->shown = w->now;
}

void trace_waits_show(struct trace_frames *to)
{
	for (size_t i = 0; i < to->waits.due_n; i++)
		show_due(to, to->waits.due[i]);
	to->waits.due_n = 0;
}

/* ROW is in the innermost wait of WAITS, or in none, from TIME on. */
static void show_later(struct trace_frames *to, const struct trace_row *row, uint64_t time,
		       const struct trace_waits *waits)
{
	struct trace_shown_wait *w = &to->waits.rows[row->order];

	w->now = waits->n ? waits->at[waits->n - 1] : (struct trace_wait){ .value = NO_WAIT };
	to->waits.time = time;
	if (!w->due)
		to->waits.due[to->waits.due_n++] = row;
	w->due = true;
}

/* ---- records ---- */

static void show(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	if (!to->prv)
		trace_show_state(who, time);
	else if (who->row)
		show_later(to, who->row, time, &who->track->waits);
}

void trace_waits_close(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	struct trace_waits *waits = &who->track->waits;

	if (!waits->n)
		return;
	for (uint8_t i = 0; i < waits->n && to->arrows; i++)
		trace_arrows_wait_abandon(to->arrows, waits->at[i].waiter);
	waits->n = 0;
	waits->over = 0;
	if (to->prv)
		show(to, who, time);
}

/* One wait begins or ends; false: it was not open. */
static bool change_waits(struct trace_waits *waits, uint8_t value, bool begins, uint64_t object)
{
	if (begins) {
		if (waits->n == TRACE_WAITS) {
			waits->over++;
			return false;
		}
		waits->at[waits->n++] = (struct trace_wait){ .object = object, .value = value };
		return true;
	}
	if (waits->over) {
		waits->over--;
		return false;
	}
	for (uint8_t i = waits->n; i-- > 0;) {
		if (is_same(waits->at[i].value, value)) {
			waits->n = i;
			return true;
		}
	}
	return false;
}

/* What WHO waits for by VALUE, the innermost; NULL: nothing, or more than is kept. */
static struct trace_wait *innermost(const struct trace_who *who, uint8_t value)
{
	struct trace_waits *waits = &who->track->waits;
	uint8_t i = waits->n;

	while (i > 0 && waits->at[i - 1].value != value)
		i--;
	return i > 0 && !waits->over ? &waits->at[i - 1] : NULL;
}

/* The innermost Object.wait() of WHO is over: an arrow from who ended it. */
static void wait_is_over(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			 bool expired)
{
	struct trace_wait *wait = innermost(who, WAITING);

	if (!wait)
		return;
	trace_arrows_waited(to->arrows, who, time, wait->object, wait->waiter, expired);
	wait->waiter = NULL;
}

/* The innermost contended enter of WHO is over: an arrow from who gave the monitor back. */
static void enter_is_over(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	struct trace_wait *wait = innermost(who, CONTENDED);

	if (!wait)
		return;
	trace_arrows_entered(to->arrows, who, time, wait->object, wait->waiter);
	wait->waiter = NULL;
}

/* The innermost wait of WHO has just begun: the names of what it is about, for the .prv. */
static void name_wait(struct trace_frames *to, const struct trace_world *w,
		      const struct trace_who *who)
{
	struct trace_wait *wait = &who->track->waits.at[who->track->waits.n - 1];
	const struct trace_task *task = &w->tasks[who->place.task];

	wait->class = wait->object ? trace_class_told(to, task, wait->object) : 0;
	wait->place = who->track->place ? trace_place_told(to, task, who->track->place) : 0;
}

/* What the record WORD says that is waited for; 0: no object. */
static uint64_t object_of(uint64_t word)
{
	return jwr_word_kind(word) == JWR_AWAIT ? 0 : jwr_word_payload(word);
}

void trace_waits_take(struct trace_frames *to, const struct trace_world *w,
		      const struct trace_who *who, uint64_t time, uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);
	struct trace_waits *waits = &who->track->waits;
	uint8_t before = waits->n, value = kinds[kind].value;
	bool begins = kinds[kind].begins;

	if (to->arrows && (kind == JWR_WAITED || kind == JWR_EXPIRED))
		wait_is_over(to, who, time, kind == JWR_EXPIRED);
	if (to->arrows && kind == JWR_ENTERED)
		enter_is_over(to, who, time);
	if (to->arrows && kind == JWR_PARKED)
		trace_arrows_unparked(to->arrows, who, time, innermost(who, FOR_WORK));
	if (kind == JWR_PARK && trace_parks_for_work(to, &w->tasks[who->place.task], who->track,
						     jwr_word_payload(word)))
		value = FOR_WORK;
	if (!change_waits(waits, value, begins, object_of(word)))
		return;
	if (begins && to->prv && who->row)
		name_wait(to, w, who);
	for (uint8_t i = waits->n; i < before; i++) /* inner ones, whose ends were lost */
		trace_arrows_wait_abandon(to->arrows, waits->at[i].waiter);
	show(to, who, time);
	if (to->arrows && kind == JWR_WAIT)
		waits->at[waits->n - 1].waiter =
			trace_arrows_wait(to->arrows, who, time, jwr_word_payload(word));
	if (to->arrows && kind == JWR_CONTENDED)
		waits->at[waits->n - 1].waiter =
			trace_arrows_contends(to->arrows, who, time, jwr_word_payload(word));
}
