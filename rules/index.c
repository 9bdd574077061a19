/*
 * index.c: finds the clauses that can concern a class, or a method of it, so that thousands of
 * rules cost about what a few do.
 *
 * A clause is filed under keys that every match must have: an exact class or method name, or a
 * literal piece of a pattern ("Foo" of **Foo*) that must occur in the class name, the entry, the
 * source file, the method name or the descriptor. Of the possible pieces, the one that the fewest
 * clauses share is used. A name is then looked up as a whole, and scanned once for all the pieces
 * in it (literals.c); the lists found are merged, last clause first.
 *
 * The gate is asked before methods and source file are known: it has a filing of its own.
 */
#include <string.h>

#include "base/assert.h"
#include "base/grow.h"
#include "rules/index.h"
#include "rules/literals.h"
#include "rules/match.h"
#include "rules/selector.h"

#include "base/banned.h"

enum { MAX_PIECE = 63, MAX_KEYS = 256 };

/* Where a key is looked for. ORDER: those from DOMAIN_METHOD on need a method. */
enum domain {
	DOMAIN_CLASS,
	DOMAIN_ENTRY,
	DOMAIN_SOURCE,
	DOMAIN_METHOD,
	DOMAIN_DESCRIPTOR,
	DOMAINS,
};

struct key {
	enum domain domain;
	bool whole; /* it is all of the name, not a piece */
	struct jw_span text;
};

struct keys {
	struct key list[MAX_KEYS];
	size_t count; /* 0: nothing is known */
	size_t uses;  /* how many clauses might share them */
};

struct entry {
	struct key key;
	uint64_t hash;
	struct entry *next;
	struct clause_list {
		uint32_t *at; /* falling */
		size_t n, room;
	} clauses;
	uint32_t uses; /* how many clauses could be filed here */
};

struct filing {
	bool methods; /* not the gate's */
	struct entry **buckets;
	size_t mask, entry_count;
	struct entry all;
	struct rules_pieces pieces[DOMAINS];
	struct entry **hits[DOMAINS]; /* by index of the piece */
};

struct rules_index {
	struct filing decide, gate;
	uint32_t *every; /* all clauses, falling */
};

/* ---- keys of a clause ---- */

static const struct {
	bool used, late; /* late: not known at the gate */
	enum domain domain;
} tests[] = {
	[RULES_TEST_CLASS] = { true, false, DOMAIN_CLASS },
	[RULES_TEST_PACKAGE] = { true, false, DOMAIN_CLASS },
	[RULES_TEST_ENTRY] = { true, false, DOMAIN_ENTRY },
	[RULES_TEST_SOURCE] = { true, true, DOMAIN_SOURCE },
	[RULES_TEST_METHOD] = { true, true, DOMAIN_METHOD },
	[RULES_TEST_DESCRIPTOR] = { true, true, DOMAIN_DESCRIPTOR },
	[RULES_TEST_RETURNS] = { true, true, DOMAIN_DESCRIPTOR },
	[RULES_TEST_PARAMS] = { true, true, DOMAIN_DESCRIPTOR },
	[RULES_TEST_ANY_OF] = { true, false, DOMAIN_CLASS },
	[RULES_TEST_SUBTYPE] = { .late = true },
	[RULES_TEST_CLASS_ANNOTATION] = { .late = true },
	[RULES_TEST_METHOD_ANNOTATION] = { .late = true },
	[RULES_TEST_LAMBDA] = { .late = true },
	[RULES_TEST_KIND] = { .late = true },
	[RULES_TEST_MODIFIERS] = { .late = true },
	[RULES_TEST_CODE] = { .late = true },
};

static bool is_used(const struct filing *f, const struct rules_test *t)
{
	return tests[t->kind].used && (f->methods || !tests[t->kind].late);
}

/* The end of a long piece, where names differ most. */
static size_t add_piece(enum domain domain, struct jw_span text, struct key *out)
{
	size_t n = text.n < MAX_PIECE ? text.n : MAX_PIECE;

	*out = (struct key){ domain, false, jw_span_sub(text, text.n - n, n) };
	return n > 0;
}

/* The literal pieces of GLOB: prefix, suffix, the longest inside. */
static size_t glob_keys(const struct rules_glob *glob, enum domain domain, struct key out[3])
{
	size_t n = add_piece(domain, glob->prefix, out);

	if (glob->shape == RULES_GLOB_LITERAL)
		return n;
	n += add_piece(domain, glob->suffix, out + n);
	return n + add_piece(domain, glob->inner, out + n);
}

/* A class in a descriptor is written out, a primitive type is a letter. */
static size_t type_keys(const struct rules_type_glob *type, struct key out[3])
{
	const struct rules_glob *name = &type->name;

	if (type->any || name->shape != RULES_GLOB_LITERAL ||
	    !memchr(name->prefix.p, '/', name->prefix.n))
		return 0;
	return add_piece(DOMAIN_DESCRIPTOR, name->prefix, out);
}

/* Alternative keys, at most 3: any one is enough. */
static size_t item_keys(const struct rules_item *item, enum rules_test_kind kind, struct key out[3])
{
	enum domain domain = tests[kind].domain;

	if (item->form == RULES_ITEM_TYPE)
		return type_keys(&item->type, out);
	if (item->form == RULES_ITEM_TEXT)
		return add_piece(domain, item->text, out);
	if (item->form != RULES_ITEM_GLOB)
		return 0;
	if (item->glob.shape == RULES_GLOB_LITERAL &&
	    (kind == RULES_TEST_CLASS || kind == RULES_TEST_METHOD)) {
		out[0] = (struct key){ domain, true, item->glob.prefix };
		return 1;
	}
	return glob_keys(&item->glob, domain, out);
}

/* ---- entries ---- */

static uint64_t key_hash(const struct key *key)
{
	return jw_hash64(key->text, (uint64_t)key->domain * 2 + key->whole + 1);
}

static struct entry *find(const struct filing *f, const struct key *key)
{
	uint64_t hash = key_hash(key);
	struct entry *e = f->buckets[hash & f->mask];

	while (e && (e->hash != hash || e->key.domain != key->domain ||
		     e->key.whole != key->whole || !jw_span_eq(e->key.text, key->text)))
		e = e->next;
	return e;
}

static struct entry *find_or_make(struct jw_arena *arena, struct filing *f, const struct key *key)
{
	struct entry *e = find(f, key), **bucket;

	if (e)
		return e;
	e = JW_NEW(arena, struct entry);
	if (!e)
		return NULL;
	e->key = *key;
	e->hash = key_hash(key);
	bucket = &f->buckets[e->hash & f->mask];
	e->next = *bucket;
	*bucket = e;
	f->entry_count++;
	return e;
}

/* Clauses come last first, so every list is falling. */
static enum jw_status append(struct jw_arena *arena, struct entry *entry, uint32_t clause,
			     struct jw_err *e)
{
	static const struct jw_growth growth = { .what = "clauses", .first = 2 };
	struct clause_list *list = &entry->clauses;

	if (list->n > 0 && list->at[list->n - 1] == clause)
		return JW_OK;
	JW_ASSERT(list->n == 0 || list->at[list->n - 1] > clause);
	JW_TRY(JW_GROW_IN(arena, list, &growth, e));
	list->at[list->n++] = clause;
	return JW_OK;
}

/* ---- filing ---- */

/* Counts a clause for each key that it could be filed under. */
static enum jw_status count_uses(struct jw_arena *arena, struct filing *f,
				 const struct rules_selector *s, struct jw_err *e)
{
	for (const struct rules_test *t = s->tests; t; t = t->next) {
		for (size_t i = 0; is_used(f, t) && i < t->count; i++) {
			const struct rules_item *item = &t->items[i];
			struct key keys[3];
			size_t n = 0;

			if (item->negated)
				continue;
			if (item->form == RULES_ITEM_SELECTOR)
				JW_TRY(count_uses(arena, f, item->selector, e));
			else
				n = item_keys(item, t->kind, keys);
			while (n-- > 0) {
				struct entry *entry = find_or_make(arena, f, &keys[n]);

				if (!entry)
					return jw_nomem(e);
				entry->uses++;
			}
		}
	}
	return JW_OK;
}

static void best_keys(const struct filing *f, const struct rules_selector *s, struct keys *out);

/* Adds the rarest key of ITEM; false when there is none, or no room. */
static bool add_item(const struct filing *f, const struct rules_item *item,
		     enum rules_test_kind kind, struct keys *out)
{
	const struct entry *best = NULL;
	struct key keys[3];

	for (size_t n = item_keys(item, kind, keys); n-- > 0;) {
		const struct entry *entry = find(f, &keys[n]);

		if (!best || entry->uses < best->uses ||
		    (entry->uses == best->uses && entry->key.text.n > best->key.text.n))
			best = entry;
	}
	if (!best || out->count == MAX_KEYS)
		return false;
	out->list[out->count++] = best->key;
	out->uses += best->uses;
	return true;
}

static bool add_inner(const struct filing *f, const struct rules_item *item, struct keys *out)
{
	struct keys inner;

	best_keys(f, item->selector, &inner);
	if (inner.count == 0 || out->count + inner.count > MAX_KEYS)
		return false;
	memcpy(out->list + out->count, inner.list, inner.count * sizeof *inner.list);
	out->count += inner.count;
	out->uses += inner.uses;
	return true;
}

/* The keys of the positive items, if each has one. All of `params` must hold: one key is enough. */
static void test_keys(const struct filing *f, const struct rules_test *t, struct keys *out)
{
	out->count = out->uses = 0;
	for (size_t i = 0; i < t->count; i++) {
		const struct rules_item *item = &t->items[i];
		bool good;

		if (item->negated)
			continue;
		good = item->form == RULES_ITEM_SELECTOR ? add_inner(f, item, out)
							 : add_item(f, item, t->kind, out);
		if (good && t->kind == RULES_TEST_PARAMS)
			return;
		if (!good && t->kind != RULES_TEST_PARAMS) {
			out->count = 0;
			return;
		}
	}
}

/* One test of an AND is enough: the one whose keys are the rarest. */
static void best_keys(const struct filing *f, const struct rules_selector *s, struct keys *out)
{
	struct keys keys;

	out->count = 0;
	for (const struct rules_test *t = s->tests; t; t = t->next) {
		if (!is_used(f, t))
			continue;
		test_keys(f, t, &keys);
		if (keys.count > 0 && (out->count == 0 || keys.uses < out->uses))
			memcpy(out, &keys, sizeof keys);
	}
}

struct making {
	struct jw_arena *arena;
	const struct rules_clauses *list;
};

static enum jw_status file_clause(const struct making *m, struct filing *f, uint32_t clause,
				  struct jw_err *e)
{
	struct keys keys;

	best_keys(f, m->list->at[clause].selector, &keys);
	if (keys.count == 0)
		return append(m->arena, &f->all, clause, e);
	for (size_t i = 0; i < keys.count; i++)
		JW_TRY(append(m->arena, find(f, &keys.list[i]), clause, e));
	return JW_OK;
}

/* The pieces of DOMAIN that clauses are filed under. */
static enum jw_status build_pieces(struct jw_arena *arena, struct filing *f, enum domain domain,
				   struct jw_err *e)
{
	struct jw_span *texts = JW_NEW_ARRAY(arena, struct jw_span, f->entry_count + 1);
	struct entry **hits = JW_NEW_ARRAY(arena, struct entry *, f->entry_count + 1);
	size_t n = 0;

	if (!texts || !hits)
		return jw_nomem(e);
	for (size_t i = 0; i <= f->mask; i++) {
		for (struct entry *entry = f->buckets[i]; entry; entry = entry->next) {
			if (entry->clauses.n == 0 || entry->key.whole ||
			    entry->key.domain != domain)
				continue;
			texts[n] = entry->key.text;
			hits[n++] = entry;
		}
	}
	f->hits[domain] = hits;
	return rules_pieces_build(texts, n, arena, &f->pieces[domain], e);
}

/* A clause that skips decides at the gate only when it asks for nothing but the class. */
static bool is_idle(const struct filing *f, const struct rules_clause *clause)
{
	bool asks = false;

	for (const struct rules_test *t = clause->selector->tests; t; t = t->next)
		asks = asks || tests[t->kind].late;
	return !f->methods && clause->skip && asks;
}

static enum jw_status build(const struct making *m, struct filing *f, struct jw_err *e)
{
	const struct rules_clauses *list = m->list;
	size_t buckets = 64;

	while (buckets < list->n * 2)
		buckets *= 2;
	f->buckets = JW_NEW_ARRAY(m->arena, struct entry *, buckets);
	if (!f->buckets)
		return jw_nomem(e);
	f->mask = buckets - 1;
	for (size_t i = 0; i < list->n; i++)
		JW_TRY(count_uses(m->arena, f, list->at[i].selector, e));
	for (size_t i = list->n; i-- > 0;) {
		if (!is_idle(f, &list->at[i]))
			JW_TRY(file_clause(m, f, (uint32_t)i, e));
	}
	for (enum domain d = 0; d < DOMAINS; d++)
		JW_TRY(build_pieces(m->arena, f, d, e));
	return JW_OK;
}

/* Clauses are in the order of their rules, then come the excludes: the last that matches decides. */
static bool in_order(const struct rules_clauses *list)
{
	for (size_t i = 1; i < list->n; i++)
		if (list->at[i - 1].rule > list->at[i].rule) /* RULES_NONE is the largest */
			return false;
	return true;
}

enum jw_status rules_index_build(struct jw_arena *arena, struct rules_clauses *list,
				 struct jw_err *e)
{
	struct rules_index *index = JW_NEW(arena, struct rules_index);
	struct making m = { arena, list };

	JW_ASSERT(in_order(list));
	if (!index)
		return jw_nomem(e);
	list->index = index;
	index->decide.methods = true;
	index->every = JW_NEW_ARRAY(arena, uint32_t, list->n + 1);
	if (!index->every)
		return jw_nomem(e);
	for (size_t i = 0; i < list->n; i++)
		index->every[i] = (uint32_t)(list->n - 1 - i);
	JW_TRY(build(&m, &index->decide, e));
	return build(&m, &index->gate, e);
}

/* ---- asking ---- */

static void add_list(const struct rules_clauses *list, struct rules_candidates *out,
		     const struct entry *e)
{
	if (out->all || !e || e->clauses.n == 0)
		return;
	if (out->count < sizeof out->lists / sizeof *out->lists) {
		out->lists[out->count++] = (struct rules_filed){ e->clauses.at, e->clauses.n };
		return;
	}
	out->all = true;
	out->count = 1;
	out->lists[0] = (struct rules_filed){ list->index->every, list->n };
}

static void add_lists(const struct rules_clauses *list, const struct filing *f, enum domain domain,
		      struct jw_span text, struct rules_candidates *out)
{
	struct rules_pieces_walk walk = rules_pieces_walk(&f->pieces[domain], text);
	size_t piece;

	if (domain == DOMAIN_CLASS || domain == DOMAIN_METHOD)
		add_list(list, out, find(f, &(struct key){ domain, true, text }));
	while (!out->all && rules_pieces_next(&walk, &piece))
		add_list(list, out, f->hits[domain][piece]);
}

static void class_lists(const struct rules_clauses *list, const struct filing *f,
			const struct rules_class *cls, struct rules_candidates *out)
{
	add_list(list, out, &f->all);
	add_lists(list, f, DOMAIN_CLASS, cls->name, out);
	add_lists(list, f, DOMAIN_ENTRY, cls->entry, out);
	if (f->methods)
		add_lists(list, f, DOMAIN_SOURCE, cls->source, out);
}

/* The clauses filed by class whose class part may hold, falling. */
struct rules_prepared {
	const struct rules_clauses *list;
	struct entry class;
};

void rules_candidates_of(const struct rules_clauses *list, const struct rules_class *cls,
			 const struct rules_method *method, struct rules_candidates *out)
{
	const struct filing *f = method ? &list->index->decide : &list->index->gate;

	out->count = 0;
	out->all = false;
	if (method && cls->prepared && cls->prepared->list == list)
		add_list(list, out, &cls->prepared->class);
	else
		class_lists(list, f, cls, out);
	if (!method)
		return;
	add_lists(list, f, DOMAIN_METHOD, method->name, out);
	add_lists(list, f, DOMAIN_DESCRIPTOR, method->descriptor, out);
}

const struct rules_prepared *rules_index_prepare(const struct rules_clauses *list,
						 const struct rules_class *cls,
						 struct jw_arena *arena)
{
	struct rules_prepared *p = JW_NEW(arena, struct rules_prepared);
	struct rules_eval eval = { .cls = cls, .open = true };
	struct rules_candidates c;
	uint32_t clause;

	if (p)
		p->list = list;
	c.count = 0;
	c.all = false;
	class_lists(list, &list->index->decide, cls, &c);
	while (p && rules_candidates_next(&c, &clause)) {
		if (rules_clause_eval(&list->at[clause], &eval) == RULES_NO)
			continue;
		if (append(arena, &p->class, clause, NULL) != JW_OK)
			return NULL;
	}
	return p;
}

bool rules_candidates_next(struct rules_candidates *c, uint32_t *clause)
{
	uint32_t best = 0;

	if (c->count == 0)
		return false;
	for (size_t i = 0; i < c->count; i++) {
		if (*c->lists[i].at > best)
			best = *c->lists[i].at;
	}
	for (size_t i = 0; i < c->count;) {
		struct rules_filed *l = &c->lists[i];

		if (*l->at == best) {
			l->at++;
			if (--l->left == 0) {
				*l = c->lists[--c->count];
				continue;
			}
		}
		i++;
	}
	*clause = best;
	return true;
}
