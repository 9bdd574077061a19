/*
 * index.c: which clauses can concern a class, or a method of it, at all: so that thousands of rules
 * cost about what a few do.
 *
 * A clause is filed under keys that every match must have: the exact class name, the exact method
 * name, or the folder that the class name starts with ("com/acme/"); without any, under ALL. Asked
 * about a method, the lists of its keys (one of each folder above it) are merged, last clause
 * first. The gate knows no method name yet: it has a filing of its own, by class alone.
 */
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum { MAX_FOLDERS = 30, MAX_LENGTH = 63 };

struct entry {
	struct key key;
	uint64_t hash;
	struct entry *next;
	uint32_t *clauses; /* falling */
	uint32_t count, room;
	uint32_t uses; /* how many clauses could be filed here */
};

struct filing {
	struct entry **buckets;
	size_t mask;
	struct entry all;
	uint64_t suffixes, prefixes; /* bit n: keys of n bytes are in use */
};

struct index {
	struct filing decide, gate;
};

/* ---- keys of a clause ---- */

static struct jw_span folder_of(struct jw_span prefix)
{
	size_t n = 0, folders = 0;

	for (size_t i = 0; i < prefix.n && folders < MAX_FOLDERS; i++) {
		if (prefix.p[i] == '/') {
			n = i + 1;
			folders++;
		}
	}
	return jw_span_sub(prefix, 0, n);
}

static bool add_key(struct keys *keys, enum key_kind kind, struct jw_span text)
{
	if (keys->count == RULES_MAX_KEYS)
		return false;
	keys->list[keys->count++] = (struct key){ kind, text };
	return true;
}

static bool class_key(const struct rules_glob *glob, enum test_kind kind, struct keys *keys)
{
	struct jw_span folder = folder_of(glob->prefix), suffix = glob->suffix;
	size_t n = suffix.n < MAX_LENGTH ? suffix.n : MAX_LENGTH;

	if (kind == TEST_CLASS && glob->shape == RULES_GLOB_LITERAL)
		return add_key(keys, KEY_CLASS, glob->prefix);
	if (kind == TEST_CLASS && n > 0)
		return add_key(keys, KEY_SUFFIX, jw_span_sub(suffix, suffix.n - n, n));
	return folder.n > 0 && add_key(keys, KEY_FOLDER, folder);
}

static bool item_key(const struct item *item, enum test_kind kind, struct keys *keys)
{
	struct jw_span prefix = jw_span_sub(item->glob.prefix, 0, MAX_LENGTH);

	if (item->form != ITEM_GLOB)
		return false;
	if (kind != TEST_METHOD)
		return class_key(&item->glob, kind, keys);
	if (item->exact)
		return add_key(keys, KEY_METHOD, item->glob.prefix);
	return prefix.n > 0 && add_key(keys, KEY_METHOD_PREFIX, prefix);
}

/* The keys of a test: those of its positive items, if every one has some. */
static void test_keys(const struct test *test, bool methods, struct keys *out)
{
	out->count = 0;
	for (size_t i = 0; i < test->count; i++) {
		const struct item *item = &test->items[i];
		struct keys inner;
		bool good;

		if (item->negated)
			continue;
		if (item->form == ITEM_SELECTOR) {
			rules_keys(item->selector, methods, &inner);
			good = inner.count > 0;
			for (size_t k = 0; good && k < inner.count; k++)
				good = add_key(out, inner.list[k].kind, inner.list[k].text);
		} else {
			good = item_key(item, test->kind, out);
		}
		if (!good) {
			out->count = 0;
			return;
		}
	}
}

static enum key_kind worst(const struct keys *keys)
{
	enum key_kind kind = keys->count ? KEY_CLASS : KEY_ALL;

	for (size_t i = 0; i < keys->count; i++) {
		if (keys->list[i].kind < kind)
			kind = keys->list[i].kind;
	}
	return kind;
}

static bool is_useful(const struct test *t, bool methods)
{
	return t->kind == TEST_CLASS || t->kind == TEST_PACKAGE || t->kind == TEST_ANY_OF ||
	       (methods && t->kind == TEST_METHOD);
}

/* Any one test of an AND will do: the one whose keys are the rarest. */
void rules_keys(const struct selector *selector, bool methods, struct keys *out)
{
	struct keys keys;

	out->count = 0;
	for (const struct test *t = selector->tests; t; t = t->next) {
		if (!is_useful(t, methods))
			continue;
		test_keys(t, methods, &keys);
		if (worst(&keys) > worst(out))
			memcpy(out, &keys, sizeof keys);
	}
}

/* ---- filing ---- */

static uint64_t key_hash(enum key_kind kind, struct jw_span text)
{
	return jw_hash64(text, (uint64_t)kind);
}

static struct entry *find(const struct filing *f, enum key_kind kind, struct jw_span text)
{
	uint64_t hash = key_hash(kind, text);
	struct entry *e = f->buckets[hash & f->mask];

	while (e && (e->hash != hash || e->key.kind != kind || !jw_span_eq(e->key.text, text)))
		e = e->next;
	return e;
}

static struct entry *find_or_make(struct rules *set, struct filing *f, const struct key *key)
{
	struct entry *e = find(f, key->kind, key->text), **bucket;

	if (e)
		return e;
	e = JW_NEW(&set->arena, struct entry);
	if (!e)
		return NULL;
	e->key = *key;
	e->hash = key_hash(key->kind, key->text);
	bucket = &f->buckets[e->hash & f->mask];
	e->next = *bucket;
	*bucket = e;
	return e;
}

/* Clauses come last first, so that lists fall by themselves. */
static bool append(struct jw_arena *arena, struct entry *e, uint32_t clause)
{
	if (e->count > 0 && e->clauses[e->count - 1] == clause)
		return true;
	if (e->count == e->room) {
		uint32_t room = e->room ? e->room * 2 : 2;
		uint32_t *more = JW_NEW_ARRAY(arena, uint32_t, room);

		if (!more)
			return false;
		if (e->count)
			memcpy(more, e->clauses, e->count * sizeof *more);
		e->clauses = more;
		e->room = room;
	}
	e->clauses[e->count++] = clause;
	return true;
}

/* Counts a clause for each key that it could be filed under. */
static enum jw_status count_uses(struct rules *set, struct filing *f, const struct selector *s,
				 bool methods, struct jw_err *e)
{
	struct keys keys;

	for (const struct test *t = s->tests; t; t = t->next) {
		if (!is_useful(t, methods))
			continue;
		test_keys(t, methods, &keys);
		for (size_t i = 0; i < keys.count; i++) {
			struct entry *entry = find_or_make(set, f, &keys.list[i]);

			if (!entry)
				return jw_nomem(e);
			entry->uses++;
		}
	}
	return JW_OK;
}

/* Of the tests of a selector, all of which must hold, the one whose keys are the rarest. */
static void rarest_keys(const struct filing *f, const struct selector *s, bool methods,
			struct keys *out)
{
	size_t least = SIZE_MAX;
	struct keys keys;

	out->count = 0;
	for (const struct test *t = s->tests; t; t = t->next) {
		size_t uses = 0;

		if (!is_useful(t, methods))
			continue;
		test_keys(t, methods, &keys);
		for (size_t i = 0; i < keys.count; i++)
			uses += find(f, keys.list[i].kind, keys.list[i].text)->uses;
		if (keys.count > 0 && uses < least) {
			least = uses;
			memcpy(out, &keys, sizeof keys);
		}
	}
}

static enum jw_status file_clause(struct rules *set, struct filing *f, uint32_t clause,
				  bool methods, struct jw_err *e)
{
	struct keys keys;

	rarest_keys(f, set->clauses[clause].selector, methods, &keys);
	if (keys.count == 0)
		return append(&set->arena, &f->all, clause) ? JW_OK : jw_nomem(e);
	for (size_t i = 0; i < keys.count; i++) {
		const struct key *key = &keys.list[i];

		if (!append(&set->arena, find(f, key->kind, key->text), clause))
			return jw_nomem(e);
		if (key->kind == KEY_SUFFIX)
			f->suffixes |= (uint64_t)1 << key->text.n;
		if (key->kind == KEY_METHOD_PREFIX)
			f->prefixes |= (uint64_t)1 << key->text.n;
	}
	return JW_OK;
}

static enum jw_status build(struct rules *set, struct filing *f, bool methods, struct jw_err *e)
{
	size_t buckets = 64;

	while (buckets < set->clause_count * 2)
		buckets *= 2;
	f->buckets = JW_NEW_ARRAY(&set->arena, struct entry *, buckets);
	if (!f->buckets)
		return jw_nomem(e);
	f->mask = buckets - 1;
	for (size_t i = 0; i < set->clause_count; i++)
		JW_TRY(count_uses(set, f, set->clauses[i].selector, methods, e));
	for (size_t i = set->clause_count; i-- > 0;)
		JW_TRY(file_clause(set, f, (uint32_t)i, methods, e));
	return JW_OK;
}

enum jw_status rules_index_build(struct rules *set, struct jw_err *e)
{
	set->index = JW_NEW(&set->arena, struct index);
	if (!set->index)
		return jw_nomem(e);
	JW_TRY(build(set, &set->index->decide, true, e));
	return build(set, &set->index->gate, false, e);
}

/* ---- asking ---- */

static void add_list(struct candidates *out, const struct entry *e)
{
	if (e && e->count > 0)
		out->lists[out->count++] = (struct list){ e->clauses, e->count };
}

static void class_lists(const struct filing *f, struct jw_span name, struct candidates *out)
{
	size_t folders = 0;

	add_list(out, &f->all);
	add_list(out, find(f, KEY_CLASS, name));
	for (size_t i = 0; i < name.n && folders < MAX_FOLDERS; i++) {
		if (name.p[i] == '/') {
			add_list(out, find(f, KEY_FOLDER, jw_span_sub(name, 0, i + 1)));
			folders++;
		}
	}
	for (size_t n = 1; n <= MAX_LENGTH && n <= name.n; n++) {
		if (f->suffixes >> n & 1)
			add_list(out, find(f, KEY_SUFFIX, jw_span_sub(name, name.n - n, n)));
	}
}

static void method_lists(const struct filing *f, struct jw_span name, struct candidates *out)
{
	add_list(out, find(f, KEY_METHOD, name));
	for (size_t n = 1; n <= MAX_LENGTH && n <= name.n; n++) {
		if (f->prefixes >> n & 1)
			add_list(out, find(f, KEY_METHOD_PREFIX, jw_span_sub(name, 0, n)));
	}
}

/* The clauses filed by class whose class part may hold, falling. */
struct rules_prepared {
	struct entry class;
};

void rules_candidates(const struct rules *set, const struct rules_class *cls,
		      const struct jw_span *method, struct candidates *out)
{
	const struct filing *f = method ? &set->index->decide : &set->index->gate;

	out->count = 0;
	if (method && cls->prepared)
		add_list(out, &cls->prepared->class);
	else
		class_lists(f, cls->name, out);
	if (method)
		method_lists(f, *method, out);
}

const struct rules_prepared *rules_class_prepare(const struct rules *rules,
						 const struct rules_class *cls,
						 struct jw_arena *arena)
{
	struct rules_prepared *p = JW_NEW(arena, struct rules_prepared);
	struct eval eval = { .cls = cls };
	struct candidates c = { .count = 0 };
	uint32_t clause;

	class_lists(&rules->index->decide, cls->name, &c);
	while (p && rules_candidates_next(&c, &clause)) {
		if (rules_eval_clause(&rules->clauses[clause], &eval) == ANSWER_NO)
			continue;
		if (!append(arena, &p->class, clause))
			return NULL;
	}
	return p;
}

bool rules_candidates_next(struct candidates *c, uint32_t *clause)
{
	uint32_t best = 0;

	if (c->count == 0)
		return false;
	for (size_t i = 0; i < c->count; i++) {
		if (*c->lists[i].at > best)
			best = *c->lists[i].at;
	}
	for (size_t i = 0; i < c->count;) {
		struct list *l = &c->lists[i];

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
