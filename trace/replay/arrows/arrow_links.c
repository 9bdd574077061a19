/*
 * arrow_links.c: see arrow_links.h.
 *
 *     slots     ends that wait, by their keys and which end; in a slot in the order in which they came
 *     oldest    all of them, in that order
 */
#include <string.h>

#include "base/grow.h"
#include "base/text.h"
#include "trace/format/methodmap.h"
#include "trace/output.h"
#include "trace/replay/align.h"
#include "trace/replay/arrows/arrow_links.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/inside.h"
#include "trace/replay/text_numbers.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_WAITING 262144
#define FIRST_SLOTS  256
#define WHOLE_TEXT   80 /* characters: a text as long as this may have been cut */

struct key {
	uint64_t part[JW_LINK_PARTS];
	uint32_t name; /* place among the counts */
};

/* An end that has no other one yet. */
struct waiting {
	struct waiting *before, *after; /* in its slot */
	struct waiting *older, *newer;
	struct key key;
	enum jw_link_end end;
	bool matched; /* of BOTH: it was received */
	struct trace_point point;
};

struct slot {
	struct waiting *first, *last;
};

struct trace_links {
	struct trace_world *world;
	struct slot *slots; /* owned, with what waits */
	size_t mask, n;
	struct waiting *oldest, *newest;
	bool failed; /* no memory */
};

/* ---- what waits ---- */

/* What waits for KEY as one END: what comes looks among those of the other end alone, however many
 * of its own there are. */
static size_t place_of(const struct trace_links *l, const struct key *key, enum jw_link_end end)
{
	uint64_t h = (uint64_t)key->name << 2 | (uint64_t)end;

	for (size_t i = 0; i < JW_LINK_PARTS; i++) {
		h = (h ^ key->part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return (size_t)h & l->mask;
}

static bool same_key(const struct key *a, const struct key *b)
{
	return a->name == b->name && memcmp(a->part, b->part, sizeof(a->part)) == 0;
}

static void append(struct slot *slot, struct waiting *w)
{
	w->before = slot->last;
	w->after = NULL;
	*(slot->last ? &slot->last->after : &slot->first) = w;
	slot->last = w;
}

static bool grow(struct trace_links *l)
{
	size_t count = l->slots ? (l->mask + 1) * 2 : FIRST_SLOTS;

	if (l->slots && l->n <= l->mask)
		return true;
	struct slot *slots = jw_mem_zalloc(count, sizeof(*slots));

	if (!slots)
		return false;
	jw_mem_free(l->slots);
	l->slots = slots;
	l->mask = count - 1;
	for (struct waiting *w = l->oldest; w; w = w->newer)
		append(&l->slots[place_of(l, &w->key, w->end)], w);
	return true;
}

static void take_out(struct trace_links *l, struct waiting *w)
{
	struct slot *slot = &l->slots[place_of(l, &w->key, w->end)];

	*(w->before ? &w->before->after : &slot->first) = w->after;
	*(w->after ? &w->after->before : &slot->last) = w->before;
	*(w->older ? &w->older->newer : &l->oldest) = w->newer;
	*(w->newer ? &w->newer->older : &l->newest) = w->older;
	l->n--;
	jw_mem_free(w);
}

/* W will not have another end. */
static void give_up(struct trace_links *l, struct waiting *w)
{
	struct trace_link_count *count = &l->world->links.at[w->key.name];

	count->sent += w->end == JW_LINK_SEND || (w->end == JW_LINK_BOTH && !w->matched);
	count->received += w->end == JW_LINK_RECEIVE;
	take_out(l, w);
}

static void wait(struct trace_links *l, const struct key *key, enum jw_link_end end, bool matched,
		 const struct trace_point *point)
{
	struct waiting *w = grow(l) ? jw_mem_zalloc(1, sizeof(*w)) : NULL;

	if (!w) {
		l->failed = true;
		return;
	}
	*w = (struct waiting){ .key = *key, .end = end, .matched = matched, .point = *point };
	w->older = l->newest;
	*(l->newest ? &l->newest->newer : &l->oldest) = w;
	l->newest = w;
	append(&l->slots[place_of(l, key, end)], w);
	if (++l->n > MOST_WAITING)
		give_up(l, l->oldest);
}

/* ---- both ends ---- */

static const struct trace_task *task_of(const struct trace_links *l, const struct trace_point *p)
{
	return &l->world->tasks[p->place.task];
}

/* Do both belong to one job, as far as is known? Engines count from 0 in each. */
static bool same_job(const struct trace_links *l, const struct trace_point *a,
		     const struct trace_point *b)
{
	const char *x = task_of(l, a)->role.application, *y = task_of(l, b)->role.application;

	return !x || !y || !*x || !*y || strcmp(x, y) == 0;
}

/* May FROM be where what TO has got was sent? */
static bool may_be(const struct trace_links *l, const struct trace_point *from,
		   const struct trace_point *to)
{
	return from->time <= to->time || !trace_on_one_clock(task_of(l, from), task_of(l, to));
}

static void match(struct trace_links *l, const struct key *key, const struct trace_point *from,
		  const struct trace_point *to)
{
	struct trace_link_count *count = &l->world->links.at[key->name];
	struct trace_point tagged = *from;

	tagged.tag = TRACE_LINK_TAG + key->name + 1;
	count->matched++;
	count->backward += from->time > to->time;
	trace_arrow_put(l->world, &tagged, to);
}

/* The first that waits for POINT, another END of KEY, to be its other one; NULL: none. What waits in
 * vain is given up. */
static struct waiting *other_of(struct trace_links *l, const struct key *key, enum jw_link_end end,
				const struct trace_point *point)
{
	struct waiting *w = l->slots ? l->slots[place_of(l, key, end)].first : NULL, *after;

	for (; w; w = after) {
		after = w->after;
		if (w->end != end || !same_key(&w->key, key) || !same_job(l, &w->point, point))
			continue;
		if (end == JW_LINK_BOTH)
			return w; /* there is one at most in a job */
		bool sent = end == JW_LINK_SEND;

		if (may_be(l, sent ? &w->point : point, sent ? point : &w->point))
			return w;
		if (!sent)
			give_up(l, w); /* later sends are later yet */
	}
	return NULL;
}

static void take_one_way(struct trace_links *l, const struct key *key, enum jw_link_end end,
			 const struct trace_point *point)
{
	bool sends = end == JW_LINK_SEND;
	struct waiting *other = other_of(l, key, sends ? JW_LINK_RECEIVE : JW_LINK_SEND, point);

	if (!other) {
		wait(l, key, end, false, point);
		return;
	}
	match(l, key, sends ? point : &other->point, sends ? &other->point : point);
	take_out(l, other);
}

/* Who had it last has sent it, unless that was this process. */
static void take_either(struct trace_links *l, const struct key *key,
			const struct trace_point *point)
{
	struct waiting *other = other_of(l, key, JW_LINK_BOTH, point);

	if (other &&
	    (other->point.place.task == point->place.task || !may_be(l, &other->point, point)))
		return;
	if (other) {
		match(l, key, &other->point, point);
		take_out(l, other);
	}
	wait(l, key, JW_LINK_BOTH, other != NULL, point);
}

/* ---- keys ---- */

/* The place of NAME among the counts; TRACE_MOST_LINKS: it has none. */
static uint32_t name_of(struct trace_links *l, const char *name)
{
	static const struct jw_growth growing = { 0 };
	struct trace_link_counts *counts = &l->world->links;
	uint32_t at = 0;

	while (at < counts->n && counts->at[at].name != name &&
	       strcmp(counts->at[at].name, name) != 0)
		at++;
	if (at < counts->n || at == TRACE_MOST_LINKS)
		return at;
	if (JW_GROW(counts, &growing, NULL) != JW_OK) {
		l->failed = true;
		return TRACE_MOST_LINKS;
	}
	counts->at[counts->n++] = (struct trace_link_count){ .name = name };
	return at;
}

/* The number of the text OWN of TASK; 0: it is not known, or not whole. */
static uint64_t text_of(const struct trace_links *l, uint32_t task, int64_t own)
{
	uint32_t number = own > 0 ? trace_text_number_of(&l->world->tasks[task], (uint64_t)own) : 0;
	const char *text = number ? l->world->texts.at[number - 1] : "";

	return number && jw_characters(jw_span_str(text)) < WHOLE_TEXT ? number : 0;
}

static bool make_key(const struct trace_links *l, uint32_t task, const struct trace_inside *inside,
		     struct key *key)
{
	const struct trace_map_about *about = &inside->method->about;

	for (uint8_t i = 0; i < about->link->n; i++) {
		bool is_text = jw_capture_is_text(&about->captures[about->link->parts[i]]);

		key->part[i] =
			is_text ? text_of(l, task, inside->key[i]) : (uint64_t)inside->key[i];
		if (is_text && !key->part[i])
			return false;
	}
	return true;
}

void trace_links_take(struct trace_links *l, const struct trace_who *who,
		      const struct trace_inside *inside, uint64_t time)
{
	const struct trace_map_link *link = inside->method->about.link;
	struct key key = { .name = l->failed ? TRACE_MOST_LINKS : name_of(l, link->name) };
	struct trace_point point = { inside->begin, who->place, 0 };

	if (key.name == TRACE_MOST_LINKS)
		return;
	if (!make_key(l, who->place.task, inside, &key)) {
		l->world->links.at[key.name].unknown++;
		return;
	}
	if (link->end == JW_LINK_RECEIVE && link->early < link->n)
		point.time = time;
	if (link->end == JW_LINK_BOTH)
		take_either(l, &key, &point);
	else
		take_one_way(l, &key, link->end, &point);
}

/* ---- all of it ---- */

struct trace_links *trace_links_new(struct trace_world *world)
{
	struct trace_links *l = jw_mem_zalloc(1, sizeof(*l));

	if (l)
		l->world = world;
	return l;
}

bool trace_links_failed(const struct trace_links *l)
{
	return !l || l->failed;
}

void trace_links_free(struct trace_links *l)
{
	while (l && l->oldest)
		give_up(l, l->oldest);
	if (l)
		jw_mem_free(l->slots);
	jw_mem_free(l);
}
