/*
 * idents.c: see idents.h. Of two classes with the same hash the later one gets a salt, and the unit is
 * woven again.
 */
#include "weaver/archive/idents.h"

#include <stdlib.h>

#include "base/banned.h"

enum { RUNS_MAX = 64 };

struct numbered {
	struct weave_ident ident;
	size_t number; /* in the order of the archive */
};

static int by_hash(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	if (x->ident.hash != y->ident.hash)
		return x->ident.hash < y->ident.hash ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static enum jw_status add_salt(struct weave_unit *unit, struct jw_span name, struct jw_err *e)
{
	unit->collided = true;
	for (struct weave_salt *s = unit->salts; s; s = s->next) {
		if (!jw_span_eq(s->name, name))
			continue;
		s->salt++;
		return JW_OK;
	}
	struct weave_salt *salt = JW_NEW(unit->arena, struct weave_salt);
	const char *copy = jw_arena_str(unit->arena, name);
	if (!salt || !copy)
		return jw_nomem(e);
	*salt = (struct weave_salt){ unit->salts, jw_span(copy, name.n), 1 };
	unit->salts = salt;
	return JW_OK;
}

enum jw_status weave_begin_run(struct weave_unit *unit, int *runs, struct jw_err *e)
{
	if (++*runs > RUNS_MAX)
		return jw_bug(e, "the hashes of classes still collide after many runs");
	unit->collided = false;
	return JW_OK;
}

enum jw_status weave_check_idents(struct weave_unit *unit, struct weave_tally *t, struct jw_err *e)
{
	const struct weave_ident *idents = (const struct weave_ident *)(const void *)t->idents.p;
	size_t count = t->idents.n / sizeof(*idents);
	enum jw_status status = JW_OK;

	struct numbered *sorted = jw_mem_zalloc(count + 1, sizeof(*sorted));
	if (!sorted)
		return jw_nomem(e);
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct numbered){ idents[i], i + 1 };
	if (unit->first_number)
		sorted[count++].ident = (struct weave_ident){ unit->number_space, unit->own };
	qsort(sorted, count, sizeof(*sorted), by_hash);
	/* the first class of a hash keeps it; those of another name get another hash */
	for (size_t i = 1, first = 0; i < count && status == JW_OK; i++) {
		const struct weave_ident *kept = &sorted[first].ident, *next = &sorted[i].ident;

		if (next->hash != kept->hash)
			first = i;
		else if (!jw_span_eq(next->name, kept->name))
			status = add_salt(unit, next->name, e);
	}
	jw_mem_free(sorted);
	return status;
}
