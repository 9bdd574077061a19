/*
 * messages.c: see messages.h.
 *
 *     clock A  --.-------.-----        link of A and B: bounds by each arrow from A to B,
 *                 \     /              and by each back
 *     clock B  ----'---'-------
 *
 * Where ports are used again, as many connections of two machines are joined in their order, whatever
 * their clocks say. If there is no clock that fits the messages on them, they are not each other's
 * ends: that is done again without (connections.h).
 *
 * The clock of the first process stays. One after the other is set by its messages to and from all
 * that are set already; next is the one with the narrowest gap between both directions.
 */
#include <math.h>
#include <string.h>

#include "base/grow.h"
#include "base/lookup.h"
#include "trace/reader/reader.h"
#include "trace/replay/merge.h"
#include "trace/replay/messages.h"
#include "trace/replay/pass.h"
#include "trace/replay/streams.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_RATE 1e-3 /* twice what the kernel allows a clock to be slewed */
#define CLEAR_NS  1e5  /* no clock of a recording is read as badly as that */
#define NO_CLOCK  UINT32_MAX

/* Two clocks that messages were sent between. */
struct link {
	uint32_t clocks[2]; /* the lower number first */
	struct trace_bounds
		bounds[2]; /* by what the first one sent, and what the other one did; owned */
	struct trace_messages_told told;
};

struct messages {
	const struct trace_world *world;
	size_t clocks;
	uint32_t *clock;   /* by task; owned */
	const char **boot; /* by clock; owned array */
	uint32_t *leader;  /* by clock: the first task that reads it; owned */
	struct {
		struct link *at; /* owned */
		size_t n, room;
	} links;
	struct jw_lookup by_clocks;
	uint32_t *first, *of;     /* links of clock C: of[first[C]] up to of[first[C + 1]]; owned */
	struct trace_line *lines; /* by clock */
	bool *placed;             /* by clock; owned */
	bool failed;              /* no memory */
};

/* ---- clocks ---- */

static bool name_clocks(struct messages *m)
{
	const struct trace_world *w = m->world;

	m->clock = jw_mem_zalloc(w->task_count, sizeof(*m->clock));
	m->boot = jw_mem_zalloc(w->task_count, sizeof(*m->boot));
	m->leader = jw_mem_zalloc(w->task_count, sizeof(*m->leader));
	for (size_t i = 0; m->clock && m->boot && m->leader && i < w->task_count; i++) {
		const struct trace_task *t = &w->tasks[i], *leader = t->leader;

		if (leader == t) {
			m->boot[m->clocks] = t->rec.boot.id;
			m->leader[m->clocks] = (uint32_t)i;
			m->clock[i] = (uint32_t)m->clocks++;
		} else {
			m->clock[i] = leader ? m->clock[leader - w->tasks] : NO_CLOCK;
		}
	}
	return m->clock && m->boot && m->leader;
}

static void free_link(struct link *link)
{
	trace_bounds_free(&link->bounds[0]);
	trace_bounds_free(&link->bounds[1]);
	*link = (struct link){ .clocks = { link->clocks[0], link->clocks[1] } };
}

static void forget_links(struct messages *m)
{
	for (size_t i = 0; i < m->links.n; i++)
		free_link(&m->links.at[i]);
	jw_mem_free(m->links.at);
	memset(&m->links, 0, sizeof(m->links));
	jw_lookup_free(&m->by_clocks);
	m->by_clocks = (struct jw_lookup){ 0 };
}

static void free_all(struct messages *m)
{
	forget_links(m);
	jw_mem_free(m->first);
	jw_mem_free(m->of);
	jw_mem_free(m->placed);
	jw_mem_free(m->boot);
	jw_mem_free(m->leader);
	jw_mem_free(m->clock);
}

/* ---- what is told of messages ---- */

/* The link of LOW and HIGH. NULL: no memory. */
static struct link *link_of(struct messages *m, uint32_t low, uint32_t high)
{
	static const struct jw_growth growth = { "links", 0, 16 };
	uint32_t hash = jw_hash_id((uint64_t)low << 32 | high);
	struct jw_err e = { 0 };

	for (struct jw_lookup_walk walk = jw_lookup_walk(&m->by_clocks, hash);
	     jw_lookup_next(&walk);) {
		struct link *link = &m->links.at[walk.place];

		if (link->clocks[0] == low && link->clocks[1] == high)
			return link;
	}
	if (JW_GROW(&m->links, &growth, &e) != JW_OK ||
	    !jw_lookup_add(&m->by_clocks, hash, m->links.n))
		return NULL;
	m->links.at[m->links.n] = (struct link){ .clocks = { low, high } };
	return &m->links.at[m->links.n++];
}

static void add_told(struct trace_messages_told *to, const struct trace_messages_told *told)
{
	to->messages += told->messages;
	to->backwards += told->backwards;
	to->most_ns = told->most_ns > to->most_ns ? told->most_ns : to->most_ns;
}

static void take_message(void *ctx, const struct trace_point *from, const struct trace_point *to,
			 uint64_t bytes)
{
	struct messages *m = ctx;
	uint32_t a = m->clock[from->place.task], b = m->clock[to->place.task];
	uint64_t by = from->time > to->time ? from->time - to->time : 0;
	struct link *link;

	(void)bytes;
	if (a == b || a == NO_CLOCK || b == NO_CLOCK || m->failed)
		return;
	link = a < b ? link_of(m, a, b) : link_of(m, b, a);
	m->failed = !link || !trace_bounds_add(&link->bounds[a > b], (double)from->time,
					       (double)to->time - (double)from->time);
	if (link)
		add_told(&link->told, &(struct trace_messages_told){
					      .messages = 1, .backwards = by > 0, .most_ns = by });
}

/* Time namespaces of one boot meet on one wall clock, which is as good as it can be unless it was
 * set in between: so says a message that runs backwards. */
static bool is_needed(const struct messages *m, const struct link *link)
{
	const char *boot = m->boot[link->clocks[0]];

	return link->told.backwards || !boot[0] || strcmp(boot, m->boot[link->clocks[1]]) != 0;
}

static void settle_links(struct messages *m)
{
	for (size_t i = 0; i < m->links.n; i++) {
		struct link *link = &m->links.at[i];

		if (!is_needed(m, link))
			free_link(link);
		for (int way = 0; way < 2; way++)
			trace_bounds_settle(&link->bounds[way]);
	}
}

/* Which links each clock has. False: no memory. */
static bool sort_links(struct messages *m)
{
	uint32_t *next = jw_mem_zalloc(m->clocks + 2, sizeof(*next));

	m->first = jw_mem_zalloc(m->clocks + 2, sizeof(*m->first));
	m->of = jw_mem_zalloc(2 * m->links.n + 1, sizeof(*m->of));
	if (!next || !m->first || !m->of) {
		jw_mem_free(next);
		return false;
	}
	for (size_t i = 0; i < 2 * m->links.n; i++)
		m->first[m->links.at[i / 2].clocks[i % 2] + 1]++;
	for (size_t c = 0; c < m->clocks; c++)
		next[c + 1] = m->first[c + 1] += m->first[c];
	for (size_t i = 0; i < 2 * m->links.n; i++)
		m->of[next[m->links.at[i / 2].clocks[i % 2]]++] = (uint32_t)(i / 2);
	jw_mem_free(next);
	return true;
}

/* Link N of clock C, and the other clock of it. */
static const struct link *link_at(const struct messages *m, size_t c, uint32_t n, size_t *other)
{
	const struct link *link = &m->links.at[m->of[n]];

	*other = link->clocks[link->clocks[0] == c];
	return link;
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

/* Adds bounds of clock K by LINK, its messages with a clock that is set: SET. */
static void add_bounds(struct messages *m, const struct link *link, size_t k,
		       const struct trace_line *set, struct trace_bounds *above,
		       struct trace_bounds *below)
{
	const struct trace_bounds *there = &link->bounds[link->clocks[0] != k],
				  *back = &link->bounds[link->clocks[0] == k];

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

/* Where no line fits, one with bends may; else LINE stays. */
static void bend(struct messages *m, const struct trace_bounds *above,
		 const struct trace_bounds *below, struct trace_line *line)
{
	struct trace_line bent;
	double miss;

	m->failed |= !trace_bounds_bend(above, below, MOST_RATE, &bent, &miss);
	if (bent.n)
		*line = bent;
}

/* The line of K by all that are set, or a straight one by ONE alone; how wide the gap between both
 * directions is. */
static double fit(struct messages *m, size_t k, const size_t *one, struct trace_line *out)
{
	struct trace_bounds above = { 0 }, below = { 0 };
	double width = INFINITY;
	size_t i;

	for (uint32_t n = m->first[k]; n < m->first[k + 1]; n++) {
		const struct link *link = link_at(m, k, n, &i);

		if (one ? i == *one : m->placed[i])
			add_bounds(m, link, k, &m->lines[i], &above, &below);
	}
	trace_bounds_settle(&above);
	trace_bounds_settle(&below);
	if (above.n && below.n)
		width = 2 * trace_bounds_fit(&above, &below, MOST_RATE, out);
	else
		*out = above.n ? moved(&above, 1) : moved(&below, -1);
	if (!one && width <= 0)
		bend(m, &above, &below, out);
	trace_bounds_free(&above);
	trace_bounds_free(&below);
	return width;
}

/* Is there no clock that fits what LINK tells of its two? */
static bool contradicts(struct messages *m, const struct link *link)
{
	struct trace_bounds above = { 0 }, below = { 0 };
	struct trace_line line = { 0 };
	double miss = 0;

	add_bounds(m, link, link->clocks[0], &line, &above, &below);
	trace_bounds_settle(&above);
	trace_bounds_settle(&below);
	if (above.n && below.n)
		m->failed |= !trace_bounds_bend(&above, &below, MOST_RATE, &line, &miss);
	jw_mem_free(line.bends);
	trace_bounds_free(&above);
	trace_bounds_free(&below);
	return miss > CLEAR_NS;
}

static void place(struct messages *m, size_t k, double *gap)
{
	struct trace_line line;
	size_t i;

	m->placed[k] = true;
	gap[k] = INFINITY;
	for (uint32_t n = m->first[k]; n < m->first[k + 1]; n++) {
		const struct link *link = link_at(m, k, n, &i);

		if (m->placed[i] || !link->told.messages)
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

/* What was told of all links; of how many clocks. */
static struct trace_messages_told add_up(const struct messages *m)
{
	struct trace_messages_told told = { 0 };

	for (size_t c = 0; c < m->clocks; c++)
		for (uint32_t n = m->first[c]; n < m->first[c + 1]; n++)
			if (m->links.at[m->of[n]].told.messages) {
				told.machines++;
				break;
			}
	for (size_t i = 0; i < m->links.n; i++)
		add_told(&told, &m->links.at[i].told);
	return told;
}

/* ---- all of it ---- */

static enum jw_status set_all(struct messages *m, struct trace_clock_fixes *out, struct jw_err *e)
{
	size_t n = m->world->task_count;

	out->lines = jw_mem_zalloc(n, sizeof(*out->lines));
	out->clocks = m->lines = jw_mem_zalloc(m->clocks + 1, sizeof(*m->lines));
	out->clock_count = m->lines ? m->clocks : 0;
	m->placed = jw_mem_zalloc(m->clocks + 1, sizeof(*m->placed));
	if (!out->lines || !m->lines || !m->placed || !sort_links(m) || !set_clocks(m))
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++)
		if (m->clock[i] != NO_CLOCK)
			out->lines[i] = m->lines[m->clock[i]];
	uint64_t strangers = out->told.strangers;

	out->told = add_up(m);
	out->told.strangers = strangers;
	return JW_OK;
}

/* All messages to links. CROSS: are there any? */
static enum jw_status hear(struct messages *m, struct trace_world *w, bool *cross, struct jw_err *e)
{
	struct trace_streams *streams = trace_streams_new(w, take_message, m);
	struct trace_socket_bytes bytes;
	bool failed = trace_streams_failed(streams);

	*cross = !failed && trace_streams_cross_clocks(streams);
	if (*cross)
		listen(m, w, streams);
	failed |= trace_streams_failed(streams) || m->failed;
	trace_streams_finish(streams, &bytes);
	settle_links(m);
	return failed ? jw_nomem(e) : JW_OK;
}

/* Puts aside which clocks' connections are none of each other's ends, as their messages say. */
static enum jw_status find_strangers(struct messages *m, struct trace_clock_fixes *out,
				     struct jw_err *e)
{
	size_t n = 0;

	out->strangers.pairs = jw_mem_zalloc(m->links.n + 1, sizeof(*out->strangers.pairs));
	if (!out->strangers.pairs)
		return jw_nomem(e);
	for (size_t i = 0; i < m->links.n; i++)
		if (contradicts(m, &m->links.at[i])) {
			const uint32_t *clocks = m->links.at[i].clocks;

			out->strangers.pairs[n++] =
				(struct trace_clock_pair){ m->leader[clocks[0]],
							   m->leader[clocks[1]] };
		}
	trace_strangers_sort(&out->strangers, n);
	return m->failed ? jw_nomem(e) : JW_OK;
}

static enum jw_status find(struct messages *m, struct trace_world *w, struct trace_clock_fixes *out,
			   struct jw_err *e)
{
	bool cross;

	JW_TRY(hear(m, w, &cross, e));
	if (!cross)
		return JW_OK;
	JW_TRY(find_strangers(m, out, e));
	if (out->strangers.n) {
		forget_links(m);
		w->strangers = &out->strangers;
		JW_TRY(hear(m, w, &cross, e));
		out->told.strangers = out->strangers.n;
	}
	return set_all(m, out, e);
}

enum jw_status trace_messages_find(struct trace_world *w, struct trace_clock_fixes *out,
				   struct jw_err *e)
{
	struct messages m = { .world = w };

	*out = (struct trace_clock_fixes){ 0 };
	enum jw_status status = name_clocks(&m) ? JW_OK : jw_nomem(e);

	if (status == JW_OK && m.clocks > 1)
		status = find(&m, w, out, e);
	free_all(&m);
	return status;
}

void trace_clock_fixes_free(struct trace_clock_fixes *fixes)
{
	for (size_t i = 0; i < fixes->clock_count; i++)
		jw_mem_free(fixes->clocks[i].bends);
	jw_mem_free(fixes->clocks);
	jw_mem_free(fixes->strangers.pairs);
	jw_mem_free(fixes->lines);
	*fixes = (struct trace_clock_fixes){ 0 };
}
