/*
 * run_signed.c: see run_signed.h. Jars that share a package are one group, known by one of them.
 */
#include "cli/run_signed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/out.h"
#include "cli/run_overlay.h"
#include "cli/run_weave.h"
#include "cli/safe_text.h"
#include "weaver/archive/entries.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

struct run_signed {
	struct run_signed *next;
	const char *path, *copy;
	const uint64_t *packages; /* hashes */
	size_t count;
	struct run_signed
		*group; /* itself; or a jar on the way to the one by which the group is known */
	bool broken;    /* a jar of this group is woven */
};

/* ---- what is there ---- */

static enum jw_status take_package(void *ctx, struct jw_span inside, struct jw_span name,
				   struct jw_err *e)
{
	struct jw_buf *packages = ctx;
	size_t n = name.n;

	(void)e;
	if (inside.n || !jw_span_ends(name, JW_SPAN_LIT(".class")))
		return JW_OK;
	while (n && name.p[n - 1] != '/')
		n--;
	uint64_t hash = jw_hash64(jw_span_sub(name, 0, n), 0), last = 0;
	if (packages->n)
		memcpy(&last, packages->p + packages->n - sizeof(last), sizeof(last));
	if (!packages->n || last != hash) /* mostly one after the other */
		jw_put_bytes(packages, jw_span(&hash, sizeof(hash)));
	return JW_OK;
}

static enum jw_status read_packages(struct run *run, struct run_signed *s, struct jw_err *e)
{
	struct jw_buf list = { 0 };
	struct jw_err ignored = { 0 };

	/* what cannot be read has been said where it was to be woven */
	enum jw_status status = weave_jar_entries(s->path, take_package, &list, &ignored);
	s->count = status != JW_OK || list.failed ? 0 : list.n / sizeof(*s->packages);
	uint64_t *all = JW_NEW_ARRAY(run->arena, uint64_t, s->count + 1);
	if (all && s->count)
		memcpy(all, list.p, s->count * sizeof(*all));
	s->packages = all;
	jw_buf_free(&list);
	return all ? JW_OK : jw_nomem(e);
}

static struct run_signed *find(const struct run *run, const char *path)
{
	struct run_signed *s = run->signed_jars;

	while (s && strcmp(s->path, path) != 0)
		s = s->next;
	return s;
}

enum jw_status run_signed_take(struct run *run, const char *path, const char *copy,
			       struct jw_err *e)
{
	struct weave_jar_facts facts = { 0 };
	struct jw_err ignored = { 0 };

	if (find(run, path) || weave_jar_facts(path, run->arena, &facts, &ignored) != JW_OK ||
	    !facts.is_signed)
		return JW_OK;
	struct run_signed *s = JW_NEW(run->arena, struct run_signed);
	if (!s)
		return jw_nomem(e);
	*s = (struct run_signed){
		.next = run->signed_jars, .path = path, .copy = copy, .group = s, .broken = copy
	};
	run->signed_jars = s;
	return read_packages(run, s, e);
}

const char *run_signed_copy(const struct run *run, const char *path)
{
	const struct run_signed *s = find(run, path);

	return s ? s->copy : NULL;
}

/* ---- groups ---- */

struct in_package {
	uint64_t package;
	struct run_signed *jar;
};

static int by_package(const void *a, const void *b)
{
	const struct in_package *x = a, *y = b;

	return x->package < y->package ? -1 : x->package > y->package;
}

static struct run_signed *group_of(struct run_signed *s)
{
	while (s->group != s) {
		s->group = s->group->group;
		s = s->group;
	}
	return s;
}

static void join(struct run_signed *a, struct run_signed *b)
{
	a = group_of(a);
	b = group_of(b);
	a->broken = a->broken || b->broken;
	b->group = a;
}

static enum jw_status join_all(struct run *run, struct jw_err *e)
{
	size_t count = 0, n = 0;

	for (const struct run_signed *s = run->signed_jars; s; s = s->next)
		count += s->count;
	struct in_package *all = JW_NEW_ARRAY(run->arena, struct in_package, count + 1);
	if (!all)
		return jw_nomem(e);
	for (struct run_signed *s = run->signed_jars; s; s = s->next)
		for (size_t i = 0; i < s->count; i++)
			all[n++] = (struct in_package){ s->packages[i], s };
	qsort(all, n, sizeof(*all), by_package);
	for (size_t i = 1; i < n; i++)
		if (all[i].package == all[i - 1].package)
			join(all[i - 1].jar, all[i].jar);
	return JW_OK;
}

/* ---- copies ---- */

static enum jw_status make_unsigned(struct run *run, const char *path, const char *temp,
				    const char *name, struct jw_err *e)
{
	const char *out = jw_arena_fmt(run->arena, "%s/%s", temp, name);

	return out ? weave_jar_unsign(path, out, e) : jw_nomem(e);
}

/* Is the copy of S that of another one, too: the same jar by another path? */
static bool has_copy(const struct run *run, const struct run_signed *s)
{
	for (const struct run_signed *o = run->signed_jars; o; o = o->next)
		if (o != s && o->copy && strcmp(o->copy, s->copy) == 0)
			return true;
	return false;
}

static enum jw_status hash_unsigned(struct run *run, const char *path, uint64_t *hash,
				    struct jw_err *e)
{
	(void)run;
	run_hash_text("unsigned", hash);
	return run_hash_file(path, hash, e);
}

static enum jw_status unsign(struct run *run, struct run_signed *s, bool *again, struct jw_err *e)
{
	const char *name = cli_base_name(run->arena, s->path);
	struct stat st;

	if (!name)
		return jw_nomem(e);
	bool there = stat(s->path, &st) == 0;
	JW_TRY(run_find_or_make(run, s->path, name, hash_unsigned, make_unsigned, &s->copy, e));
	if (!s->copy)
		return JW_OK;
	run->sums.unsigned_jars += !has_copy(run, s);
	if (run->overlay)
		return run_overlay_add(run, s->path, there ? &st : NULL, s->copy, e);
	*again = true;
	return JW_OK;
}

enum jw_status run_signed_settle(struct run *run, bool *again, struct jw_err *e)
{
	*again = false;
	JW_TRY(join_all(run, e));
	for (struct run_signed *s = run->signed_jars; s; s = s->next)
		if (!s->copy && group_of(s)->broken)
			JW_TRY(unsign(run, s, again, e));
	return JW_OK;
}

void run_signed_tell(const struct run *run, bool first)
{
	const struct run_sums *sums = &run->sums;

	if (!first)
		return;
	if (sums->unsigned_jars == 1)
		cli_note(run->cli,
			 "the signature of '%s' was removed, since woven classes do not match it",
			 sums->unsigned_jar);
	else if (sums->unsigned_jars)
		cli_note(run->cli,
			 "the signatures of %zu jars were removed, since woven classes do not "
			 "match them",
			 sums->unsigned_jars);
}
