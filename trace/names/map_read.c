/*
 * map_read.c: reads method maps and finds methods by id.
 *
 * The text of a table is copied once and cut up in place: fields become C strings where they stand,
 * escapes undone. A method costs its text and 120 bytes.
 */
#include <string.h>

#include "base/grow.h"
#include "base/lookup.h"
#include "trace/format/fields.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/names/map_captures.h"
#include "trace/names/map_place.h"
#include "trace/names/map_sampling.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define KEPT_COLLISIONS 32
#define TELLING_BITS    (UINT32_C(1) << 15)

struct trace_map {
	struct jw_arena arena;
	struct trace_method *methods; /* owned */
	size_t n, cap;
	struct jw_lookup by_id;
	struct jw_lookup by_callee; /* the first call of each method called */
	/* by hash of the id: one of these may tell something */
	uint64_t telling[TELLING_BITS / 64];
	bool telling_methods, of_sums;
	struct trace_map_place *places;
	size_t collisions;
	const char *collided[KEPT_COLLISIONS];
};

struct trace_map *trace_map_new(void)
{
	return jw_mem_zalloc(1, sizeof(struct trace_map));
}

void trace_map_of_sums(struct trace_map *map)
{
	map->of_sums = true;
}

void trace_map_free(struct trace_map *map)
{
	if (!map)
		return;
	jw_arena_free(&map->arena);
	jw_mem_free(map->methods);
	jw_lookup_free(&map->by_id);
	jw_lookup_free(&map->by_callee);
	jw_mem_free(map);
}

const struct trace_map_place *trace_map_places(const struct trace_map *map)
{
	return map->places;
}

bool trace_map_is_alone(const struct trace_map *map)
{
	for (const struct trace_map_place *p = map->places; p; p = p->next)
		if (!p->path)
			return true;
	return false;
}

/* ---- lookup ---- */

const struct trace_method *trace_map_find(const struct trace_map *map, uint64_t id)
{
	for (struct jw_lookup_walk w = jw_lookup_walk(&map->by_id, jw_hash_id(id));
	     jw_lookup_next(&w);) {
		if (map->methods[w.place].id == id)
			return &map->methods[w.place];
	}
	return NULL;
}

uint64_t trace_map_same(const struct trace_map *map, uint64_t id)
{
	const struct trace_method *m = trace_map_find(map, id);

	return m ? m->same : id;
}

static uint32_t telling_bit(uint64_t id)
{
	return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) % TELLING_BITS;
}

static bool tells(const struct trace_method *m)
{
	return m->state >= 0 || m->about.operation || m->about.capture_count;
}

static void note_telling(struct trace_map *map, const struct trace_method *m)
{
	uint32_t bit = telling_bit(m->id);

	if (!tells(m))
		return;
	map->telling[bit / 64] |= UINT64_C(1) << bit % 64;
	map->telling_methods |= !m->call;
}

const struct trace_method *trace_map_telling(const struct trace_map *map, uint64_t id)
{
	uint32_t bit = telling_bit(id);

	if (!map || !(map->telling[bit / 64] >> bit % 64 & 1))
		return NULL;
	const struct trace_method *m = trace_map_find(map, id);

	return m && tells(m) ? m : NULL;
}

bool trace_map_has_telling_methods(const struct trace_map *map)
{
	return map && map->telling_methods;
}

/* ---- labels of captures ---- */

struct labels {
	const char **at; /* owned */
	size_t n, room;
	struct jw_lookup lookup;
};

static bool add_label(struct labels *l, const char *label)
{
	static const struct jw_growth growth = { NULL, 0, 0 };
	uint32_t hash = (uint32_t)jw_hash64(jw_span_str(label), 0);
	struct jw_lookup_walk w = jw_lookup_walk(&l->lookup, hash);

	while (jw_lookup_next(&w))
		if (strcmp(l->at[w.place], label) == 0)
			return true;
	if (JW_GROW(l, &growth, NULL) != JW_OK || !jw_lookup_add(&l->lookup, hash, l->n))
		return false;
	l->at[l->n++] = label;
	return true;
}

const char *const *trace_map_labels(const struct trace_map *map, struct jw_arena *arena, size_t *n)
{
	struct labels l = { 0 };
	bool whole = true;

	for (size_t i = 0; i < map->n; i++) {
		const struct trace_map_about *about = &map->methods[i].about;

		for (size_t k = 0; k < about->capture_count && whole; k++)
			if (*about->captures[k].label)
				whole = add_label(&l, about->captures[k].label);
	}
	const char **out = whole ? JW_NEW_ARRAY(arena, const char *, l.n + 1) : NULL;

	for (size_t i = 0; out && i < l.n; i++)
		out[i] = l.at[i];
	*n = l.n;
	jw_mem_free(l.at);
	jw_lookup_free(&l.lookup);
	return out;
}

size_t trace_map_count(const struct trace_map *map)
{
	return map->n;
}

size_t trace_map_collisions(const struct trace_map *map)
{
	return map->collisions;
}

const char *trace_map_collision(const struct trace_map *map, size_t i)
{
	return i < map->collisions && i < KEPT_COLLISIONS ? map->collided[i] : NULL;
}

static bool same_method(const struct trace_method *a, const struct trace_method *b)
{
	return a->call == b->call && strcmp(a->class_name, b->class_name) == 0 &&
	       strcmp(a->name, b->name) == 0 && strcmp(a->descriptor, b->descriptor) == 0 &&
	       strcmp(a->in_class, b->in_class) == 0;
}

static enum jw_status collide(struct trace_map *map, const struct trace_method *a,
			      const struct trace_method *b, struct jw_err *e)
{
	size_t at = map->collisions++;

	if (at >= KEPT_COLLISIONS)
		return JW_OK;
	map->collided[at] = jw_arena_fmt(&map->arena, "%.200s.%.100s%.100s and %.200s.%.100s%.100s",
					 a->class_name, a->name, a->descriptor, b->class_name,
					 b->name, b->descriptor);
	return map->collided[at] ? JW_OK : jw_nomem(e);
}

/* ---- methods called ---- */

static uint32_t callee_hash(const struct trace_method *m)
{
	uint64_t h = jw_hash64(jw_span_str(m->class_name), 0);

	h = jw_hash64(jw_span_str(m->name), h);
	h = jw_hash64(jw_span_str(m->descriptor), h);
	h = jw_hash64(jw_span_str(m->label), h);
	return (uint32_t)(h ^ h >> 32);
}

static bool same_callee(const struct trace_method *a, const struct trace_method *b)
{
	return strcmp(a->class_name, b->class_name) == 0 && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->descriptor, b->descriptor) == 0 && strcmp(a->label, b->label) == 0 &&
	       trace_map_same_sampling(a->sampling,
				       b->sampling); /* else "1 of 100" would be said of all */
}

/* The call that has just been added is shown as the first of what it calls. */
static bool join_callee(struct trace_map *map)
{
	struct trace_method *m = &map->methods[map->n - 1];
	uint32_t hash = callee_hash(m);

	for (struct jw_lookup_walk w = jw_lookup_walk(&map->by_callee, hash); jw_lookup_next(&w);) {
		if (!same_callee(&map->methods[w.place], m))
			continue;
		m->same = map->methods[w.place].id;
		return true;
	}
	return jw_lookup_add(&map->by_callee, hash, map->n - 1);
}

static enum jw_status add_method(struct trace_map *map, const struct trace_method *m,
				 struct jw_err *e)
{
	const struct trace_method *known = trace_map_find(map, m->id);

	if (known)
		return same_method(known, m) ? JW_OK : collide(map, known, m, e);
	struct trace_method *grown = trace_grow(map->methods, map->n, &map->cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(e);
	map->methods = grown;
	if (!jw_lookup_add(&map->by_id, jw_hash_id(m->id), map->n))
		return jw_nomem(e);
	grown[map->n++] = *m;
	grown[map->n - 1].same = m->id;
	note_telling(map, m);
	return m->call && !join_callee(map) ? jw_nomem(e) : JW_OK;
}

/* ---- text ---- */

/* The table that is being read: TEXT is our copy, a zero byte after it. */
struct table {
	struct trace_map *map;
	const char *origin;
	char *at, *end;
	size_t line;
	uint64_t salt, class_hash;
	const char *class_name, *source; /* NULL before the first class */
	const char *path;                /* where its classes lie, or NULL */
	struct trace_map_place *place;   /* NULL before the first line r */
	struct trace_map_sampling_rule *sampling;
	struct trace_map_held *held; /* of lines h */
	struct trace_map_rule_link *links;
	struct jw_err *e;
};

/* those of a call site before its captures, and as many captures as a rule can have */
#define MAX_FIELDS (12 + JW_CAPTURES)

struct line {
	char *field[MAX_FIELDS];
	size_t n;
};

static int hex(char c)
{
	uint64_t v;

	return trace_hex(jw_span(&c, 1), 15, &v) ? (int)v : -1;
}

/* Undoes \xHH in place. */
static void unescape(char *s)
{
	char *to = strchr(s, '\\');

	for (char *from = to; from && *from;) {
		int high = from[0] == '\\' && from[1] == 'x' ? hex(from[2]) : -1;
		int low = high >= 0 ? hex(from[3]) : -1;

		if (low >= 0) {
			*to++ = (char)(high << 4 | low ? high << 4 | low : ' ');
			from += 4;
		} else {
			*to++ = *from++;
		}
		*to = '\0';
	}
}

/* Cuts the next line into fields. */
static void next_line(struct table *t, struct line *l)
{
	char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));

	end = end ? end : t->end;
	*end = '\0';
	l->n = 0;
	for (char *p = t->at; l->n < MAX_FIELDS;) {
		char *tab = memchr(p, '\t', (size_t)(end - p));

		l->field[l->n++] = p;
		if (tab)
			*tab = '\0';
		unescape(p);
		if (!tab)
			break;
		p = tab + 1;
	}
	t->at = end < t->end ? end + 1 : t->end;
	t->line++;
}

static enum jw_status damaged(const struct table *t, const char *what)
{
	return jw_fail(t->e, JW_INPUT, "%s:%zu: damaged method map: %s", t->origin, t->line, what);
}

static enum jw_status take_class(struct table *t, const struct line *l)
{
	if (l->n < 3 || !trace_hex(jw_span_str(l->field[1]), JWR_CLASS_MASK, &t->class_hash))
		return damaged(t, "a class is \"c HASH NAME SOURCE\"");
	t->class_name = l->field[2];
	t->source = l->n > 3 ? l->field[3] : "";
	return JW_OK;
}

/* The part of *REST up to the next colon, or all of it; *REST is what follows. NULL: nothing is
 * left. */
static char *part(char **rest)
{
	char *at = *rest, *colon = at ? strchr(at, ':') : NULL;

	if (colon)
		*colon++ = '\0';
	*rest = colon;
	return at;
}

static bool number_part(char **rest, uint32_t *out)
{
	char *text = part(rest);
	uint64_t v = 0;

	if (text && !trace_dec(jw_span_str(text), UINT32_MAX, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

/* "WHAT:AS[:TYPE[:MAX[:LABEL]]]"; false: it is not of this form. */
static bool take_capture(char *text, const struct trace_map_held *held, struct jw_capture *c)
{
	char *rest = text, *what = part(&rest), *as = part(&rest);
	size_t i = 0;

	if (!as || !jw_capture_of(jw_span_str(what), c))
		return false;
	while (jw_capture_as_words[i] && strcmp(jw_capture_as_words[i], as) != 0)
		i++;
	c->as = (enum jw_capture_as)i;
	if (!jw_capture_as_words[i] || !number_part(&rest, &c->type) ||
	    !number_part(&rest, &c->max_values))
		return false;
	c->label = rest ? rest : "";
	c->hold = trace_map_hold_of(held, c);
	return true;
}

/* OPERATION [CAPTURE...] from field FIRST on. An operation that is not known is none: it is of a
 * later version. */
static enum jw_status take_about(struct table *t, const struct line *l, size_t first,
				 const char *rule, struct trace_map_about *out)
{
	char *star = l->n > first ? strchr(l->field[first], '*') : NULL;
	struct jw_capture *list;
	uint64_t size = 0;

	*out = (struct trace_map_about){ 0 };
	if (l->n <= first)
		return JW_OK;
	if (star && !trace_dec(jw_span_str(star + 1), UINT32_MAX, &size))
		return damaged(t, "an operation is \"TYPE/NAME[*SIZE]\"");
	if (star)
		*star = '\0';
	out->operation = jw_operation_find(jw_span_str(l->field[first]));
	out->size = (uint32_t)size;
	if (l->n <= first + 1)
		return JW_OK;
	list = JW_NEW_ARRAY(&t->map->arena, struct jw_capture, l->n - first - 1);
	if (!list)
		return jw_nomem(t->e);
	for (size_t i = first + 1; i < l->n; i++) {
		if (!take_capture(l->field[i], t->held, &list[out->capture_count++]))
			return damaged(t, "a capture is \"WHAT:AS[:TYPE[:MAX[:LABEL]]]\"");
	}
	out->captures = list;
	out->link = trace_map_link_of(&t->map->arena, t->links, rule, out);
	return JW_OK;
}

static enum jw_status take_method(struct table *t, const struct line *l)
{
	uint64_t index, line, access;

	if (!t->class_name)
		return damaged(t, "a method before any class");
	if (l->n < 6 || !trace_dec(jw_span_str(l->field[1]), UINT16_MAX, &index) ||
	    !trace_dec(jw_span_str(l->field[2]), UINT32_MAX, &line) ||
	    !trace_hex(jw_span_str(l->field[3]), UINT16_MAX, &access))
		return damaged(t,
			       "a method is \"m INDEX LINE ACCESS NAME DESCRIPTOR RULE [LABEL]\"");
	struct trace_method m = {
		.id = jwr_method_id(t->class_hash, (uint16_t)index),
		.line = (uint32_t)line,
		.access = (uint16_t)access,
		.class_name = t->class_name,
		.state = -1,
		.in_class = "",
		.in_method = "",
		.in_descriptor = "",
		.source = t->source,
		.name = l->field[4],
		.descriptor = l->field[5],
		.rule = l->n > 6 ? l->field[6] : "",
		.label = l->n > 7 ? l->field[7] : "",
		.sampling = trace_map_sampling_of(t->sampling, l->n > 6 ? l->field[6] : ""),
	};

	JW_TRY(take_about(t, l, 8, m.rule, &m.about));
	return add_method(t->map, &m, t->e);
}

static enum jw_status take_site(struct table *t, const struct line *l)
{
	uint64_t index, line, state = 0;
	bool none = l->n > 3 && strcmp(l->field[3], "-") == 0;

	if (!t->class_name)
		return damaged(t, "a call site before any class");
	if (l->n < 10 || !trace_dec(jw_span_str(l->field[1]), UINT16_MAX, &index) ||
	    !trace_dec(jw_span_str(l->field[2]), UINT32_MAX, &line) ||
	    (!none && !trace_dec(jw_span_str(l->field[3]), INT16_MAX, &state)))
		return damaged(t,
			       "a call site is \"s INDEX LINE STATE OWNER NAME DESCRIPTOR METHOD "
			       "METHODDESCRIPTOR RULE [LABEL]\"");
	struct trace_method m = {
		.id = jwr_method_id(t->class_hash, (uint16_t)index),
		.line = (uint32_t)line,
		.call = true,
		.state = (int16_t)(none ? -1 : (int64_t)state),
		.class_name = trace_class_word(&t->map->arena, l->field[4]),
		.source = t->source,
		.name = l->field[5],
		.descriptor = l->field[6],
		.in_class = t->class_name,
		.in_method = l->field[7],
		.in_descriptor = l->field[8],
		.rule = l->field[9],
		.label = l->n > 10 ? l->field[10] : "",
		.sampling = trace_map_sampling_of(t->sampling, l->field[9]),
	};

	if (!m.class_name)
		return jw_nomem(t->e);
	JW_TRY(take_about(t, l, 11, m.rule, &m.about));
	return add_method(t->map, &m, t->e);
}

static enum jw_status take_rule(struct table *t, const struct line *l)
{
	struct trace_map *map = t->map;

	if (l->n < 2)
		return damaged(t, "a rule is \"r RULE [LABEL]\"");
	if (!t->place)
		t->place = trace_map_place_open(&map->arena, &map->places, t->path, t->salt);
	if (!t->place ||
	    !trace_map_place_rule(&map->arena, t->place, l->field[1], l->n > 2 ? l->field[2] : ""))
		return jw_nomem(t->e);
	return JW_OK;
}

/* A line k or n as it is, before it is cut into fields: it may have more than struct line
 * holds. */
static enum jw_status take_plain_line(struct table *t)
{
	bool numbers = t->at[0] == 'n';
	char *end = memchr(t->at, '\n', (size_t)(t->end - t->at)), *line = t->at + 2;
	enum jw_status status = JW_INPUT;

	end = end ? end : t->end;
	*end = '\0';
	t->at = end < t->end ? end + 1 : t->end;
	t->line++;
	if (t->place)
		status = numbers ? trace_map_place_numbers(&t->map->arena, t->place, line)
				 : trace_map_place_class(&t->map->arena, t->place, line);
	if (status == JW_INPUT)
		return damaged(t,
			       numbers ? "numbers are \"n SPACE CLASS SHARE...\", after the rules"
				       : "a class is \"k HASH INDEX:NUMBER...\", after the rules");
	return status == JW_OK ? JW_OK : jw_nomem(t->e);
}

static enum jw_status take_line(struct table *t, const struct line *l)
{
	if (strcmp(l->field[0], "r") == 0)
		return take_rule(t, l);
	if (strcmp(l->field[0], "m") == 0)
		return take_method(t, l);
	if (strcmp(l->field[0], "s") == 0)
		return take_site(t, l);
	if (strcmp(l->field[0], "c") == 0)
		return take_class(t, l);
	if (strcmp(l->field[0], "l") == 0 &&
	    !trace_map_take_link(&t->map->arena, &t->links, l->field, l->n))
		return damaged(t, "a link is \"l RULE send|receive|both NAME WHAT...\", of 1 to 4 "
				  "captures");
	if (strcmp(l->field[0], "h") == 0 &&
	    !trace_map_take_held(&t->map->arena, &t->held, l->field, l->n))
		return damaged(
			t, "what holds is \"h call|around TYPE...\", at most 16 types in a line");
	if (strcmp(l->field[0], "a") == 0 &&
	    !trace_map_take_sampling(&t->map->arena, &t->sampling, l->field, l->n, t->map->of_sums))
		return damaged(t, "what a rule leaves out is \"a RULE EVERY DEPTH NS\"");
	return JW_OK; /* of a later minor version, or empty */
}

enum jw_status trace_map_add(struct trace_map *map, struct jw_span text, const char *origin,
			     struct jw_err *e)
{
	return trace_map_add_at(map, text, origin, NULL, e);
}

enum jw_status trace_map_add_at(struct trace_map *map, struct jw_span text, const char *origin,
				const char *place, struct jw_err *e)
{
	struct table t = { .map = map, .origin = origin, .path = place, .e = e };
	struct line l;
	uint64_t version;

	t.at = jw_arena_str(&map->arena, text);
	if (!t.at)
		return jw_nomem(e);
	t.end = t.at + text.n;
	next_line(&t, &l);
	if (l.n < 2 || strcmp(l.field[0], "jweave-map") != 0 ||
	    !trace_dec(jw_span_str(l.field[1]), UINT32_MAX, &version))
		return damaged(&t, "its first line is not \"jweave-map<TAB>1\"");
	if (version > 3)
		return jw_fail(
			e, JW_UNSUPPORTED,
			"%s: method map of format %llu is newer than this jweave (it knows 3)",
			origin, (unsigned long long)version);
	if (l.n > 2 && !trace_hex(jw_span_str(l.field[2]), UINT64_MAX, &t.salt))
		return damaged(&t, "its salt is no hexadecimal number");
	while (t.at < t.end) {
		if (t.end - t.at > 2 && (t.at[0] == 'k' || t.at[0] == 'n') && t.at[1] == '\t') {
			JW_TRY(take_plain_line(&t));
			continue;
		}
		next_line(&t, &l);
		JW_TRY(take_line(&t, &l));
	}
	return JW_OK;
}
