/*
 * timeline.c: records of one thread become balanced frames.
 *
 * Paraver pops a frame on every 0 and never notices a mistake, so each enter written gets exactly
 * one exit. An exit is matched by its method: what is above it on the stack ended without a
 * record (an exception inside super(...), a StackOverflowError in a probe) and is closed at the
 * same instant, counted as inferred; an exit whose method is not open is dropped and counted. A row
 * of NULL shows nothing: its frames are counted alone.
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/reader/closings.h"
#include "trace/replay/crowd.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/timeline.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define OPEN_SLOTS    256
#define FIRST_FRAMES  4
#define SHALLOW       32 /* a size that grow() comes by */
#define FIRST_BUDGET  (1 << 20)
#define BUDGET_A_CALL 16
#define MAX_BUDGET    (1 << 24)

static uint32_t *open_slot(struct trace_timeline *t, uint32_t method)
{
	return &t->open[method % OPEN_SLOTS];
}

/* A shallow stack is searched as it is; there may be a million of them. */
static bool start_counting(struct trace_timeline *t)
{
	t->open = jw_mem_zalloc(OPEN_SLOTS, sizeof(*t->open));
	t->budget = FIRST_BUDGET;
	for (uint32_t d = 0; t->open && d < t->depth; d++)
		++*open_slot(t, t->frames[d].method);
	return t->open;
}

/* Room for one frame more. */
static bool grow(struct trace_timeline *t)
{
	if (t->depth < t->cap)
		return true;
	if (t->depth >= SHALLOW && !t->open && !start_counting(t))
		return false;
	uint32_t cap = t->cap + t->cap / 4 + FIRST_FRAMES; /* of thousands of threads */
	struct trace_frame *grown = jw_mem_realloc(t->frames, cap * sizeof(*grown));

	if (!grown)
		return false;
	t->frames = grown;
	t->cap = cap;
	return true;
}

/*
 * The depth just above the latest open frame of METHOD; 0: none. The counters answer most questions
 * without a search; searching in vain spends a budget that calls refill, so that no recording makes
 * this quadratic. Without budget only the top of the stack is searched.
 */
static uint32_t find_open(struct trace_timeline *t, uint32_t method)
{
	if (t->open && *open_slot(t, method) == 0)
		return 0;
	uint32_t bottom = 0;

	if (t->open && t->budget < t->depth && t->depth > 64)
		bottom = t->depth - 64;
	for (uint32_t d = t->depth; d > bottom; d--)
		if (t->frames[d - 1].method == method)
			return d;
	if (t->open)
		t->budget -= t->budget < t->depth ? t->budget : t->depth;
	return 0;
}

static uint16_t bit_of(uint32_t method)
{
	return (uint16_t)(1u << method % 16);
}

/* The bits of the methods that are open. */
static uint16_t open_bits(const struct trace_timeline *t)
{
	if (!t->depth)
		return 0;
	const struct trace_frame *top = &t->frames[t->depth - 1];

	return (uint16_t)(top->below | bit_of(top->method));
}

/* Is ROW that of the threads that have none? */
static bool is_of_crowd(const struct trace_row *row)
{
	return !row->thread && !row->lane;
}

static void enter(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
		  uint64_t time, uint64_t id)
{
	if (t->depth >= TRACE_MAX_DEPTH) {
		t->over++;
		p->counts.too_deep++;
		return;
	}
	uint64_t refused = p->told.methods.refused;
	uint32_t method = trace_methods_number(&p->told.methods, id);

	if (method == TRACE_NO_METHOD || !grow(t)) {
		p->failed |= p->told.methods.refused == refused;
		return;
	}
	if (t->budget < MAX_BUDGET)
		t->budget += BUDGET_A_CALL;
	uint16_t below = open_bits(t);

	t->frames[t->depth] = (struct trace_frame){
		.enter = time,
		.method = method,
		.again = (below & bit_of(method)) && find_open(t, method) != 0,
		.below = below,
	};
	t->depth++;
	if (t->open)
		++*open_slot(t, method);
	p->counts.calls++;
	p->told.methods.m[method].calls++;
	if (row && is_of_crowd(row))
		trace_crowd_enter(p, row, time, method);
	else if (row)
		p->told.output->enter(p->told.ctx, row->order, time, (uint64_t)method + 1);
}

static void pop(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
		uint64_t time, bool failed)
{
	const struct trace_frame *f = &t->frames[--t->depth];
	struct trace_stat *m = &p->told.methods.m[f->method];
	uint64_t ns = time - f->enter;

	if (t->open)
		--*open_slot(t, f->method);
	m->exclusive_ns += ns > f->inner_ns ? ns - f->inner_ns : 0;
	if (!f->again)
		m->inclusive_ns += ns;
	if (t->depth)
		t->frames[t->depth - 1].inner_ns += ns;
	else
		t->inside_ns += ns;
	if (row && is_of_crowd(row))
		trace_crowd_leave(p, row, time, f->method, failed);
	else if (row)
		p->told.output->leave(p->told.ctx, row->order, time, failed);
}

/* Of what is stale nobody knows the end: it was not before that of the calls that it made. */
static void pop_stale(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
		      uint64_t time)
{
	for (; t->depth && t->frames[t->depth - 1].stale; p->counts.shut++)
		pop(p, t, row, time, false);
}

static void leave(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
		  uint64_t time, uint64_t id, bool exceptional)
{
	if (t->over) { /* the exit of an enter that was not shown */
		t->over--;
		return;
	}
	uint32_t found = t->depth;

	if (found == 0 || p->told.methods.m[t->frames[found - 1].method].id != id) {
		uint32_t method =
			found ? trace_methods_known(&p->told.methods, id) : TRACE_NO_METHOD;

		found = method == TRACE_NO_METHOD ? 0 : find_open(t, method);
	}
	if (found == 0) {
		if (t->partial)
			p->counts.headless++;
		else if (!t->closes) /* else that is as it should be: a detail began within it */
			p->counts.dropped++;
		return;
	}
	for (; t->depth > found; p->counts.inferred++)
		pop(p, t, row, time, false);
	p->told.methods.m[t->frames[found - 1].method].exceptional += exceptional;
	pop(p, t, row, time, exceptional);
	pop_stale(p, t, row, time);
}

/* Calls end down to the one that has as many of its method around it, itself among them, as the DEPTH
 * with PAYLOAD says. */
static void keep(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
		 uint64_t time, uint64_t payload)
{
	const struct trace_stat *m = p->told.methods.m;
	uint64_t open = 0;

	if (t->over || (t->open && t->budget < t->depth))
		return;
	t->budget -= t->open ? t->depth : 0;
	for (uint32_t d = 0; d < t->depth; d++)
		open += jwr_depth_is_of(payload, m[t->frames[d].method].id);
	for (; open > payload >> 32; p->counts.inferred++) {
		open -= jwr_depth_is_of(payload, m[t->frames[t->depth - 1].method].id);
		pop(p, t, row, time, true);
	}
}

/* The id in WORD, as it is shown. Only call sites share one. */
static uint64_t shown_id(const struct trace_pass *p, uint64_t word)
{
	uint64_t id = jwr_word_payload(word);

	return p->map && (id & JWR_SITE_BIT) ? trace_map_same(p->map, id) : id;
}

bool trace_timeline_knows(const struct trace_pass *p, uint64_t word)
{
	return jwr_word_kind(word) != JWR_ENTER ||
	       trace_methods_known(&p->told.methods, shown_id(p, word)) != TRACE_NO_METHOD;
}

void trace_timeline_take(struct trace_pass *p, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time, uint64_t word)
{
	switch (jwr_word_kind(word)) {
	case JWR_ENTER:
		enter(p, t, row, time, shown_id(p, word));
		break;
	case JWR_EXIT:
		leave(p, t, row, time, shown_id(p, word), false);
		break;
	case JWR_FAIL:
		leave(p, t, row, time, shown_id(p, word), true);
		break;
	case JWR_DEPTH:
		keep(p, t, row, time, jwr_word_payload(word));
		break;
	default: /* no business of frames */
		break;
	}
}

void trace_timeline_cut(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
			uint64_t time)
{
	p->counts.cut += t->depth;
	t->over = 0;
	while (t->depth)
		pop(p, t, row, time, false);
}

void trace_timeline_shut(struct trace_pass *p, struct trace_timeline *t,
			 const struct trace_row *row, uint64_t time,
			 const struct trace_closings *closings, uint64_t tick)
{
	for (uint32_t d = 0; d < t->depth; d++) {
		uint64_t id = p->told.methods.m[t->frames[d].method].id;

		t->frames[d].stale |= trace_closings_has(closings, id, tick);
	}
	pop_stale(p, t, row, time);
}

void trace_timeline_end(struct trace_pass *p, struct trace_timeline *t, const struct trace_row *row,
			uint64_t time)
{
	for (; t->depth; p->counts.inferred++)
		pop(p, t, row, time, false);
}

void trace_timeline_free(struct trace_timeline *t)
{
	jw_mem_free(t->frames);
	jw_mem_free(t->open);
	*t = (struct trace_timeline){ 0 };
}
