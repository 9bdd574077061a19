/*
 * states.c: what each row does, from the beginning of the trace to its end, without a gap.
 *
 * A state is written where it begins, and its line says where it ends: the changes have to be known
 * before, from a first reading (changes.h).
 *
 * Pauses of the garbage collector are kept once a process: whoever is Running in one shows Others.
 * So is where recording was paused: whoever lives then shows Tracing Disabled, as a thread does where its
 * records are missing (blanks.h).
 */
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/changes.h"
#include "trace/replay/order.h"
#include "trace/replay/spool.h"
#include "trace/replay/states.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* The next change; UINT64_MAX: none. */
static void read_change(struct trace_state *s)
{
	struct trace_changes *c = s->row->changes;
	uint64_t v;

	if (!trace_list_get(c->spool, &c->list, &s->at, &v)) {
		s->next_time = UINT64_MAX;
		return;
	}
	s->next_time += v >> TRACE_CHANGE_BITS;
	s->next_state = v & TRACE_CHANGE_MASK;
}

/* Is TIME, which never falls from call to call, in one of the N gaps in LIST? *AT is the first that is not over. */
static bool is_in(const struct trace_gap *list, size_t n, size_t *at, uint64_t time)
{
	while (*at < n && list[*at].end <= time)
		(*at)++;
	return *at < n && list[*at].begin <= time;
}

/* NEXT, or where the gap AT begins or ends after TIME, if that comes first. */
static uint64_t edge_of(const struct trace_gap *list, size_t n, size_t at, uint64_t time,
			uint64_t next)
{
	if (at >= n)
		return next;
	uint64_t edge = list[at].begin > time ? list[at].begin : list[at].end;

	return edge < next ? edge : next;
}

/* The state at TIME, which never falls from call to call. */
static uint8_t state_at(struct trace_state *s, uint64_t time)
{
	const struct trace_task *t = s->row->task;

	while (s->next_time <= time) {
		s->base = s->next_state;
		read_change(s);
	}
	while (s->pause < t->pause_count && t->pauses[s->pause].end <= time)
		s->pause++;
	bool paused = is_in(t->gaps, t->gap_count, &s->gap, time);
	bool blank = is_in(s->row->blanks, s->row->blank_count, &s->blank, time);

	if (s->base != TRACE_NOT_CREATED && (paused || blank))
		return TRACE_DISABLED;
	if (s->base == TRACE_RUNNING && s->pause < t->pause_count &&
	    t->pauses[s->pause].begin <= time)
		return TRACE_OTHERS;
	return s->base;
}

/* The next instant after TIME at which the state may change. */
static uint64_t next_instant(const struct trace_state *s, uint64_t time)
{
	const struct trace_task *t = s->row->task;
	uint64_t next = s->next_time;

	if (s->base == TRACE_RUNNING && s->pause < t->pause_count) {
		const struct trace_pause *p = &t->pauses[s->pause];
		uint64_t edge = p->begin > time ? p->begin : p->end;

		next = edge < next ? edge : next;
	}
	if (s->base == TRACE_NOT_CREATED)
		return next;
	next = edge_of(t->gaps, t->gap_count, s->gap, time, next);
	return edge_of(s->row->blanks, s->row->blank_count, s->blank, time, next);
}

/* Moves S to the state that begins where the one before ended; false: that was the last. */
static bool advance(struct trace_state *s, uint64_t trace_end)
{
	uint64_t time = s->end;

	if (time >= trace_end)
		return false;
	s->begin = time;
	s->state = state_at(s, time);
	do {
		time = next_instant(s, time);
	} while (time < trace_end && state_at(s, time) == s->state);
	s->end = time < trace_end ? time : trace_end;
	return true;
}

/* States come before the events of their instant, but the end of a life is after them. At 0
 * there are no events: those that are not yet created come first. */
static uint64_t key(const struct trace_state *s)
{
	return s->begin * 2 + ((s->state == TRACE_NOT_CREATED) == (s->begin > 0));
}

bool trace_states_open(struct trace_states *all, const struct trace_world *w,
		       struct trace_order *order)
{
	*all = (struct trace_states){
		.list = jw_mem_zalloc(w->shown_count, sizeof(*all->list)),
		.list_n = w->shown_count,
		.end = w->end,
	};
	if (!all->list)
		return false;
	for (size_t i = 0; i < w->shown_count; i++) {
		struct trace_state *s = &all->list[i];

		s->row = w->shown[i];
		s->base = TRACE_NOT_CREATED;
		read_change(s);
		s->over = !advance(s, all->end);
		if (!s->over)
			trace_order_source(order, (uint32_t)i, key(s));
	}
	return true;
}

size_t trace_states_fill(struct trace_states *all, uint32_t of, uint64_t end, size_t most,
			 struct trace_item *out, uint64_t *next)
{
	struct trace_state *s = &all->list[of];
	uint64_t at = key(s);
	size_t n = 0;

	while (n < most && at < end) {
		out[n++] = (struct trace_item){
			.key = at, .word = s->end, .of = of, .note = s->state
		};
		s->over = !advance(s, all->end);
		at = s->over ? TRACE_NO_KEY : key(s);
	}
	*next = at;
	return n;
}

uint64_t trace_states_next(const struct trace_states *all, uint32_t of)
{
	return all->list[of].over ? TRACE_NO_KEY : key(&all->list[of]);
}

void trace_states_close(struct trace_states *all)
{
	for (size_t i = 0; all->list && i < all->list_n; i++)
		trace_list_end(&all->list[i].at);
	jw_mem_free(all->list);
	*all = (struct trace_states){ 0 };
}
