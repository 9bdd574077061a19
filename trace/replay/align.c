/*
 * align.c: the clocks of several processes on one axis.
 *
 *     ticks --clock.c--> monotonic ns of a machine --here--> ns of the trace, from 1 on
 *
 * Processes that read one monotonic clock (the same boot of one kernel, and time namespace) need nothing but
 * the same distance. Others meet on the wall clock: their clock points say where it stood at the beginning
 * and at the end, and between these it is a straight line, so that clocks that drift apart do not
 * here. A wall clock that was set in between is believed at the beginning only. Then they are moved
 * as the messages between them say (messages.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/format/recording.h"
#include "trace/reader/clock.h"
#include "trace/reader/reader.h"
#include "trace/reader/wall.h"
#include "trace/replay/align.h"
#include "trace/replay/bounds.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* Two processes whose clocks agree better than this read the same monotonic clock. */
#define SAME_CLOCK_NS INT64_C(60000000000)
#define MAX_TIME      ((INT64_C(1) << 53) - 2)
#define MAX_DRIFT     1e-3 /* twice what the kernel allows a clock to be slewed */

uint64_t trace_time(const struct trace_task *task, uint64_t tick, uint32_t *hint)
{
	int64_t ns = trace_clock_ns(&task->rec.clock, tick, hint);

	if (task->drift != 0)
		ns += (int64_t)((double)(ns - task->drift_from) * task->drift);
	ns += task->shift;
	/* Paraver keeps times as doubles: 2^53 ns are 104 days */
	return ns < 1 ? 1 : ns > MAX_TIME ? MAX_TIME : (uint64_t)ns;
}

/* After the last knot, so many ticks: those that a double counts, and more than most runs have. */
#define LAST_TICKS (UINT64_C(1) << 44)

struct trace_straight trace_straight_at(const struct trace_task *task, uint32_t hint)
{
	const struct trace_clock *clock = &task->rec.clock;
	const struct trace_knot *k = &clock->knots[hint], *next = k + 1;
	bool last = hint + 1 == clock->count;
	struct trace_straight s = { .from = k->tick,
				    .ticks = last ? LAST_TICKS : next->tick - k->tick,
				    .rate = k->rate,
				    .ns = k->ns + task->shift,
				    .most = MAX_TIME };

	if (!last && next->ns + task->shift < MAX_TIME)
		s.most = next->ns + task->shift;
	if (task->drift != 0 || !((double)s.ticks * s.rate < (double)TRACE_MAX_NS))
		s.ticks = 0;
	return s;
}

/* ---- one process ---- */

static bool has_wall(const struct trace_task *t)
{
	return trace_has_wall(&t->rec.start_point);
}

/* The first tick that REC knows of. */
static uint64_t first_tick(const struct trace_recording *rec)
{
	uint64_t first = UINT64_MAX;

	if (rec->start_point.mono_ns && !rec->ring)
		first = rec->start_point.tick;
	for (size_t i = 0; i < rec->thread_count; i++)
		if (rec->threads[i].events && rec->threads[i].first_tick < first)
			first = rec->threads[i].first_tick;
	return first;
}

static bool same_clock(const struct trace_recording *a, const struct trace_recording *b)
{
	int64_t apart = trace_wall_offset(&a->start_point) - trace_wall_offset(&b->start_point);

	if (apart >= SAME_CLOCK_NS || apart <= -SAME_CLOCK_NS)
		return false;
	if (a->boot.id[0] && b->boot.id[0])
		return trace_is_one_boot(&a->boot, &b->boot);
	return strcmp(a->host, b->host) == 0;
}

/* ---- all processes ---- */

/* The line of the clock of LEADER, seen from all that read it. */
static void draw_line(struct trace_world *w, struct trace_task *leader)
{
	struct trace_instant ends[2] = { { INT64_MAX, 0 }, { INT64_MIN, 0 } };

	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_task *t = &w->tasks[i];
		const struct trace_instant *own = t->rec.wall;

		if (t->leader != leader)
			continue;
		if (own[0].mono < ends[0].mono)
			ends[0] = own[0];
		if (own[1].mono > ends[1].mono)
			ends[1] = own[1];
	}
	double span = (double)(ends[1].mono - ends[0].mono);
	double drift = span > 0 ? (double)(ends[1].offset - ends[0].offset) / span : 0;

	leader->drift = drift <= MAX_DRIFT && drift >= -MAX_DRIFT ? drift : 0;
	leader->drift_from = ends[0].mono;
	leader->shift = ends[0].offset;
}

/* Who reads which clock; how many clocks there are. */
static size_t find_leaders(struct trace_world *w)
{
	size_t clocks = 0;

	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		if (!has_wall(t))
			continue;
		for (size_t j = 0; j < i && !t->leader; j++)
			if (w->tasks[j].leader == &w->tasks[j] &&
			    same_clock(&t->rec, &w->tasks[j].rec))
				t->leader = &w->tasks[j];
		if (!t->leader) {
			t->leader = t;
			clocks++;
		}
	}
	return clocks;
}

/* The first instant of T on the axis, which may be before its beginning. */
static int64_t first_time(const struct trace_task *t)
{
	uint32_t hint = 0;
	int64_t ns = trace_clock_ns(&t->rec.clock, first_tick(&t->rec), &hint);

	return ns + t->shift + (int64_t)((double)(ns - t->drift_from) * t->drift);
}

/* Time X of T becomes X + LINE at X: where its line began it is moved by so much, and its drift is
 * that of both lines. */
static void move_clock(struct trace_task *t, const struct trace_line *line)
{
	double base = (double)(t->drift_from + t->shift);

	t->shift += (int64_t)trace_line_at(line, base);
	t->drift += line->rate + line->rate * t->drift;
}

/* The tick of T at time X of the axis, as it is. */
static uint64_t tick_at(const struct trace_task *t, double x)
{
	const struct trace_clock *c = &t->rec.clock;
	double from = (double)t->drift_from;
	double ns = from + (x - (double)t->shift - from) / (1 + t->drift);
	uint32_t at = 0;

	while (at + 1 < c->count && (double)c->knots[at + 1].ns <= ns)
		at++;
	double ticks = (ns - (double)c->knots[at].ns) / c->knots[at].rate;

	return ticks > 0 ? c->knots[at].tick + (uint64_t)ticks : c->knots[0].tick;
}

static int by_tick(const void *a, const void *b)
{
	const struct trace_knot *x = a, *y = b;

	return x->tick < y->tick ? -1 : x->tick > y->tick;
}

/* Its clock gets a knot for each of its own and each bend of LINE: then it says times of the axis. */
static bool bend_clock(struct trace_task *t, const struct trace_line *line)
{
	struct trace_clock *c = &t->rec.clock;
	size_t n = c->count + line->n, kept = 0;
	struct trace_knot *knots = jw_mem_zalloc(n, sizeof(*knots));
	double rate = c->knots[c->count - 1].rate * (1 + t->drift);
	uint32_t hint = 0;

	if (!knots)
		return false;
	memcpy(knots, c->knots, c->count * sizeof(*knots));
	for (size_t i = 0; i < line->n; i++)
		knots[c->count + i].tick = tick_at(t, line->bends[i].x);
	qsort(knots, n, sizeof(*knots), by_tick);
	for (size_t i = 0; i < n; i++) {
		int64_t mono = trace_clock_ns(c, knots[i].tick, &hint);
		double ns = (double)(mono + t->shift) + (double)(mono - t->drift_from) * t->drift;

		ns += trace_line_at(line, ns);
		if (kept &&
		    (knots[i].tick == knots[kept - 1].tick || (int64_t)ns <= knots[kept - 1].ns))
			continue;
		knots[kept++] = (struct trace_knot){ knots[i].tick, (int64_t)ns, rate };
	}
	for (size_t i = 0; i + 1 < kept; i++)
		knots[i].rate = (double)(knots[i + 1].ns - knots[i].ns) /
				(double)(knots[i + 1].tick - knots[i].tick);
	jw_mem_free(c->knots);
	c->knots = knots;
	c->count = (uint32_t)kept;
	t->shift = t->drift_from = 0;
	t->drift = 0;
	return true;
}

/* Moves all clocks by LINES, and the axis to the earliest. False: no memory. */
static bool move_clocks(struct trace_world *w, const struct trace_line *lines)
{
	int64_t origin = INT64_MAX;

	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		if (!t->leader)
			continue;
		if (!lines[i].n)
			move_clock(t, &lines[i]);
		else if (!bend_clock(t, &lines[i]))
			return false;
		origin = first_time(t) < origin ? first_time(t) : origin;
	}
	for (size_t i = 0; origin != INT64_MAX && i < w->task_count; i++)
		w->tasks[i].shift += w->tasks[i].leader ? 1 - origin : 0;
	w->wall_start += origin == INT64_MAX ? 0 : origin - 1;
	return true;
}

bool trace_align(struct trace_world *w, const struct trace_line *lines)
{
	size_t clocks = find_leaders(w);
	int64_t origin = INT64_MAX;

	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];
		uint32_t hint = 0;

		if (!t->leader) {
			int64_t ns = trace_clock_ns(&t->rec.clock, first_tick(&t->rec), &hint);

			t->shift = -ns;
			continue;
		}
		if (t->leader == t && clocks == 1) /* durations are the monotonic clock's */
			t->shift = trace_wall_offset(&t->rec.start_point);
		else if (t->leader == t)
			draw_line(w, t);
		t->shift = t->leader->shift;
		t->drift = t->leader->drift;
		t->drift_from = t->leader->drift_from;
		origin = first_time(t) < origin ? first_time(t) : origin;
	}
	for (size_t i = 0; i < w->task_count; i++)
		w->tasks[i].shift += w->tasks[i].leader ? 1 - origin : 1;
	w->wall_start = clocks ? origin - 1 : 0;
	return !lines || move_clocks(w, lines);
}

bool trace_on_one_clock(const struct trace_task *a, const struct trace_task *b)
{
	return a == b || (a->leader && a->leader == b->leader);
}
