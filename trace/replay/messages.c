/*
 * messages.c: see messages.h.
 *
 *     clock A  --.-------.-----        bounds[A][B]: each arrow from A to B
 *                 \     /
 *     clock B  ----'---'-------        bounds[B][A]
 *
 * The clock of the first process stays. One after the other is set by its messages to and from all
 * that are set already; next is the one with the narrowest gap between both directions.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/replay/merge.h"
#include "trace/replay/messages.h"
#include "trace/replay/pass.h"
#include "trace/replay/streams.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_CLOCKS 1024 /* machines; of more, the others stay as their wall clocks say */
#define MOST_RATE   1e-3 /* twice what the kernel allows a clock to be slewed */
#define NO_CLOCK    UINT32_MAX

struct messages {
	const struct trace_world *world;
	size_t clocks;
	uint32_t *clock;             /* by task; owned */
	const char **boot;           /* by clock; owned array */
	struct trace_bounds *bounds; /* from clock, to clock; owned */
	struct trace_line *lines;    /* by clock; owned */
	bool *placed;                /* likewise */
	struct trace_messages_told told;
	bool failed; /* no memory */
};

/* ---- clocks ---- */

static bool name_clocks(struct messages *m)
{
	const struct trace_world *w = m->world;

	m->clock = jw_mem_zalloc(w->task_count, sizeof(*m->clock));
	m->boot = jw_mem_zalloc(w->task_count, sizeof(*m->boot));
	for (size_t i = 0; m->clock && m->boot && i < w->task_count; i++) {
		const struct trace_task *t = &w->tasks[i], *leader = t->leader;

		if (leader == t && m->clocks < MOST_CLOCKS) {
			m->boot[m->clocks] = t->rec.boot.id;
			m->clock[i] = (uint32_t)m->clocks++;
		} else {
			m->clock[i] =
				leader && leader != t ? m->clock[leader - w->tasks] : NO_CLOCK;
		}
	}
	return m->clock && m->boot;
}

static bool prepare(struct messages *m)
{
	size_t n = m->clocks;

	m->bounds = jw_mem_zalloc(n * n + 1, sizeof(*m->bounds));
	m->lines = jw_mem_zalloc(n + 1, sizeof(*m->lines));
	m->placed = jw_mem_zalloc(n + 1, sizeof(*m->placed));
	return m->bounds && m->lines && m->placed;
}

static void free_all(struct messages *m)
{
	for (size_t i = 0; m->bounds && i < m->clocks * m->clocks; i++)
		trace_bounds_free(&m->bounds[i]);
	jw_mem_free(m->bounds);
	jw_mem_free(m->lines);
	jw_mem_free(m->placed);
	jw_mem_free(m->boot);
	jw_mem_free(m->clock);
}

static struct trace_bounds *between(const struct messages *m, size_t from, size_t to)
{
	return &m->bounds[from * m->clocks + to];
}

/* ---- what is told of messages ---- */

static void take_message(void *ctx, const struct trace_point *from, const struct trace_point *to,
			 uint64_t bytes)
{
	struct messages *m = ctx;
	uint32_t a = m->clock[from->place.task], b = m->clock[to->place.task];

	(void)bytes;
	if (a == b || a == NO_CLOCK || b == NO_CLOCK ||
	    (m->boot[a][0] && strcmp(m->boot[a], m->boot[b]) == 0))
		return;
	m->told.messages++;
	if (from->time > to->time) {
		uint64_t by = from->time - to->time;

		m->told.backwards++;
		m->told.most_ns = by > m->told.most_ns ? by : m->told.most_ns;
	}
	m->failed |= !trace_bounds_add(between(m, a, b), (double)from->time,
				       (double)to->time - (double)from->time);
}

/* ---- a pass that listens to I/O alone ---- */

static void io_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		    const struct trace_wait *wait, uint64_t payload)
{
	trace_streams_ended(p->streams, who, time, wait, payload);
}

/* It has no map, so that no call means anything. */
static const struct trace_pass_does listens = {
	.states_only = true,
	.io_ends = io_ends,
};

static void listen(struct messages *m, struct trace_world *w, struct trace_streams *streams)
{
	struct trace_pass p = { .does = &listens, .world = w, .streams = streams };

	(void)trace_merge(&p, w->states);
	m->failed |= p.failed;
	trace_methods_free(&p.parks);
}

/* ---- setting clocks ---- */

/* Adds bounds of clock K by its messages with clock I, which is set. */
static void add_bounds(struct messages *m, size_t k, size_t i, struct trace_bounds *above,
		       struct trace_bounds *below)
{
	const struct trace_bounds *there = between(m, k, i), *back = between(m, i, k);
	const struct trace_line *set = &m->lines[i];

	for (size_t n = 0; n < there->n; n++) {
		struct trace_bound b = there->list[n];

		m->failed |= !trace_bounds_add(above, b.x, b.y + trace_line_at(set, b.x + b.y));
	}
	for (size_t n = 0; n < back->n; n++) {
		struct trace_bound b = back->list[n];

		m->failed |= !trace_bounds_add(below, b.x + b.y, b.y - trace_line_at(set, b.x));
	}
}

/* A line by messages one way: it is moved (SIGN: 1 back, -1 ahead) until none runs backwards. */
static struct trace_line moved(const struct trace_bounds *bounds, double sign)
{
	double least = 0;

	for (size_t i = 0; i < bounds->n; i++)
		least = bounds->list[i].y < least ? bounds->list[i].y : least;
	return (struct trace_line){ .at = sign * least };
}

/* The line of K by all that are set, or by I alone; how wide the gap between both directions is. */
static double fit(struct messages *m, size_t k, const size_t *one, struct trace_line *out)
{
	struct trace_bounds above = { 0 }, below = { 0 };
	double width = INFINITY;

	for (size_t i = 0; i < m->clocks; i++)
		if (one ? i == *one : m->placed[i])
			add_bounds(m, k, i, &above, &below);
	trace_bounds_settle(&above);
	trace_bounds_settle(&below);
	if (above.n && below.n)
		width = 2 * trace_bounds_fit(&above, &below, MOST_RATE, out);
	else
		*out = above.n ? moved(&above, 1) : moved(&below, -1);
	trace_bounds_free(&above);
	trace_bounds_free(&below);
	return width;
}

static bool are_linked(const struct messages *m, size_t a, size_t b)
{
	return between(m, a, b)->n || between(m, b, a)->n;
}

static void place(struct messages *m, size_t k, double *gap)
{
	struct trace_line line;

	m->placed[k] = true;
	gap[k] = INFINITY;
	for (size_t i = 0; i < m->clocks; i++) {
		if (m->placed[i] || !are_linked(m, i, k))
			continue;
		double width = fit(m, i, &k, &line);

		/* one way is better than none */
		width = isinf(width) ? 1e300 : width;
		gap[i] = width < gap[i] ? width : gap[i];
	}
}

static bool set_clocks(struct messages *m)
{
	double *gap = jw_mem_zalloc(m->clocks + 1, sizeof(*gap));

	if (!gap)
		return false;
	for (size_t i = 0; i < m->clocks; i++)
		gap[i] = INFINITY;
	for (size_t n = 0; n < m->clocks && !m->failed; n++) {
		size_t next = m->clocks;

		for (size_t i = m->clocks; i-- > 0;)
			if (!m->placed[i] && (next == m->clocks || gap[i] <= gap[next]))
				next = i;
		if (!isinf(gap[next]))
			(void)fit(m, next, NULL, &m->lines[next]);
		place(m, next, gap);
	}
	jw_mem_free(gap);
	return !m->failed;
}

/* How many clocks have messages. */
static size_t count_linked(const struct messages *m)
{
	size_t found = 0;

	for (size_t i = 0; i < m->clocks; i++)
		for (size_t k = 0; k < m->clocks; k++)
			if (are_linked(m, i, k)) {
				found++;
				break;
			}
	return found;
}

/* ---- all of it ---- */

static enum jw_status find(struct messages *m, struct trace_world *w, struct trace_streams *streams,
			   struct trace_clock_fixes *out, struct jw_err *e)
{
	if (!prepare(m))
		return jw_nomem(e);
	listen(m, w, streams);
	for (size_t i = 0; i < m->clocks * m->clocks; i++)
		trace_bounds_settle(&m->bounds[i]);
	out->lines = jw_mem_zalloc(w->task_count, sizeof(*out->lines));
	if (!out->lines || m->failed || trace_streams_failed(streams) || !set_clocks(m))
		return jw_nomem(e);
	for (size_t i = 0; i < w->task_count; i++)
		if (m->clock[i] != NO_CLOCK)
			out->lines[i] = m->lines[m->clock[i]];
	m->told.machines = count_linked(m);
	out->told = m->told;
	return JW_OK;
}

enum jw_status trace_messages_find(struct trace_world *w, struct trace_clock_fixes *out,
				   struct jw_err *e)
{
	struct messages m = { .world = w };
	struct trace_socket_bytes bytes;
	enum jw_status status = JW_OK;

	*out = (struct trace_clock_fixes){ 0 };
	if (!name_clocks(&m)) {
		free_all(&m);
		return jw_nomem(e);
	}
	if (m.clocks > 1) {
		struct trace_streams *streams = trace_streams_new(w, take_message, &m);

		if (trace_streams_failed(streams))
			status = jw_nomem(e);
		else if (trace_streams_cross_clocks(streams))
			status = find(&m, w, streams, out, e);
		trace_streams_finish(streams, &bytes);
	}
	free_all(&m);
	return status;
}

void trace_clock_fixes_free(struct trace_clock_fixes *fixes)
{
	jw_mem_free(fixes->lines);
	fixes->lines = NULL;
}
