#include "weaver/types/types.h"

#include <stdio.h>

#include "base/text.h"
#include "weaver/input/each_class.h"
#include "weaver/types/graph.h"
#include "weaver/types/types_jdk.h"
#include "weaver/types/types_path.h"

#include "base/banned.h"

enum { MISSING_MAX = 20, NOTE_MAX = 1024 };
/* ---- filling ---- */

struct filling {
	struct weave_types *types;
	struct jw_arena scratch;
	bool callees; /* the class path may hold the classes whose methods are called */
};

/* Nodes for the classes whose methods the class BYTES may call. */
static enum jw_status add_callees(struct filling *f, struct jw_span bytes, struct jw_err *e)
{
	struct cfr_class cls;
	struct cfr_ref ref;
	enum jw_status status;

	jw_arena_reset(&f->scratch);
	status = cfr_class_peek(bytes, &f->scratch, &cls, e);
	if (status == JW_NOMEM || status == JW_BUG)
		return status;
	for (uint32_t i = 1; status == JW_OK && i < cls.pool.count; i++) {
		uint8_t tag = cfr_pool_tag(&cls.pool, i);

		if (tag != CFR_CONSTANT_Methodref && tag != CFR_CONSTANT_InterfaceMethodref)
			continue;
		if (cfr_pool_ref(&cls.pool, i, &ref) && !weave_types_node(f->types, ref.owner))
			return jw_nomem(e);
	}
	return JW_OK;
}

static enum jw_status take_class(void *ctx, struct jw_span entry, struct jw_span bytes,
				 struct jw_err *e)
{
	struct filling *f = ctx;

	(void)entry;
	JW_TRY(weave_types_define_class(f->types, bytes, &f->scratch, e));
	return f->callees ? add_callees(f, bytes, e) : JW_OK;
}

enum jw_status weave_types_open(const struct weave_types_job *job, struct weave_types **out,
				struct jw_err *e)
{
	struct filling f = { .types = jw_mem_zalloc(1, sizeof(struct weave_types)),
			     .callees = job->class_path != NULL };
	const struct weave_input in = { .path = job->in,
					.bytes = job->bytes.p ? &job->bytes : NULL,
					.no_limits = job->no_limits };
	enum jw_status status;

	*out = f.types;
	if (!f.types)
		return jw_nomem(e);
	status = weave_each_class_of(&in, take_class, &f, e);
	jw_arena_free(&f.scratch);
	JW_TRY(status);
	if (job->class_path)
		JW_TRY(weave_types_add_path(f.types, job->class_path, job->no_limits, e));
	return weave_types_add_jdk(f.types, e);
}

void weave_types_close(struct weave_types *t)
{
	if (!t)
		return;
	jw_mem_free(t->nodes);
	jw_mem_free(t->buckets);
	jw_buf_free(&t->notes);
	jw_arena_free(&t->arena);
	jw_mem_free(t);
}

/* ---- asking ---- */

/* The nodes seen so far, nearest first: also the queue of those to be looked at. */
struct type_walk {
	const struct weave_types *types;
	rules_take_name *take;
	void *ctx;
	size_t count;
	bool silent;                         /* no question yet: what is missing is not noted */
	uint32_t seen[WEAVE_SUPERTYPES_MAX]; /* last: a walk is begun by walk_for(), which leaves it
					      */
};

static void walk_for(struct type_walk *w, const struct weave_types *types, rules_take_name *take,
		     void *ctx)
{
	w->types = types;
	w->take = take;
	w->ctx = ctx;
	w->count = 0;
	w->silent = false;
}

static void ask(const struct weave_types *types, uint32_t node)
{
	struct weave_type_node *n = &types->nodes[node];

	if (!n->known && n->by) /* what is only called need not be known */
		atomic_store_explicit(&n->asked, true, memory_order_relaxed);
}

static bool visit(struct type_walk *w, uint32_t node)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->seen[i] == node)
			return false;
	}
	if (w->count == WEAVE_SUPERTYPES_MAX)
		return false;
	w->seen[w->count++] = node;
	if (!w->silent)
		ask(w->types, node);
	return w->take(w->ctx, w->types->nodes[node].name);
}

static bool visit_name(struct type_walk *w, struct jw_span name)
{
	uint32_t node = weave_types_find(w->types, name);

	return node ? visit(w, node) : w->take(w->ctx, name);
}

/* The supertypes of all that were seen, nearest first. */
static bool visit_supers(struct type_walk *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct weave_type_node *n = &w->types->nodes[w->seen[i]];

		for (uint32_t k = 0; k < n->super_count; k++) {
			if (visit(w, n->supers[k]))
				return true;
		}
	}
	return false;
}

static bool walk_class(struct type_walk *w, const struct cfr_class *cls)
{
	if (cls->super.n > 0 && visit_name(w, cls->super))
		return true;
	for (uint16_t i = 0; i < cls->interface_count; i++) {
		if (visit_name(w, cfr_class_interface(cls, i)))
			return true;
	}
	return visit_supers(w);
}

struct keeping {
	const struct weave_types *types;
	struct weave_supers *to;
};

static bool keep(void *ctx, struct jw_span name)
{
	struct keeping *k = ctx;
	struct weave_supers *s = k->to;

	s->too_many = s->count == WEAVE_SUPERS_KEPT;
	if (s->too_many)
		return true;
	s->nodes[s->count] = weave_types_find(k->types, name);
	s->names[s->count++] = name;
	return false;
}

static void find_supers(const struct weave_types *types, const struct cfr_class *cls,
			struct weave_supers *kept)
{
	struct keeping k = { types, kept };
	struct type_walk w;

	walk_for(&w, types, keep, &k);
	w.silent = true;
	(void)walk_class(&w, cls);
	kept->found = true;
}

bool weave_types_each(const struct weave_types *types, const struct cfr_class *cls,
		      struct weave_supers *kept, rules_take_name *take, void *ctx)
{
	if (take(ctx, cls->name))
		return true;
	if (!kept->found)
		find_supers(types, cls, kept);
	if (kept->too_many) {
		struct type_walk w;

		walk_for(&w, types, take, ctx);
		return walk_class(&w, cls);
	}
	for (uint32_t i = 0; i < kept->count; i++) {
		if (kept->nodes[i])
			ask(types, kept->nodes[i]);
		if (take(ctx, kept->names[i]))
			return true;
	}
	return false;
}

bool weave_types_each_of(const struct weave_types *types, struct jw_span name,
			 rules_take_name *take, void *ctx)
{
	struct type_walk w;

	walk_for(&w, types, take, ctx);
	return visit_name(&w, name) || visit_supers(&w);
}

/* ---- the way up ---- */

/* Nodes in the order of their distance, each with the place of the one that led to it. */
struct way {
	uint32_t node[WEAVE_SUPERTYPES_MAX], from[WEAVE_SUPERTYPES_MAX];
	uint32_t count;
};

static void go(struct way *w, uint32_t node, uint32_t from)
{
	for (uint32_t i = 0; i < w->count; i++) {
		if (w->node[i] == node)
			return;
	}
	if (w->count == WEAVE_SUPERTYPES_MAX)
		return;
	w->node[w->count] = node;
	w->from[w->count++] = from;
}

/* Names the way to place AT: what led there first. */
static void tell(const struct weave_types *types, const struct way *w, uint32_t at,
		 rules_take_name *take, void *ctx)
{
	uint32_t places[WEAVE_SUPERTYPES_MAX], n = 0;

	for (; at > 0; at = w->from[at])
		places[n++] = at;
	(void)take(ctx, types->nodes[w->node[0]].name);
	while (n > 0)
		(void)take(ctx, types->nodes[w->node[places[--n]]].name);
}

bool weave_types_path(const struct weave_types *types, struct jw_span from, struct jw_span to,
		      rules_take_name *take, void *ctx)
{
	uint32_t start = weave_types_find(types, from), end = weave_types_find(types, to);
	struct way w;

	if (!start || !end)
		return false;
	w.count = 0;
	go(&w, start, 0);
	for (uint32_t i = 0; i < w.count; i++) {
		const struct weave_type_node *n = &types->nodes[w.node[i]];

		if (w.node[i] == end) {
			tell(types, &w, i, take, ctx);
			return true;
		}
		for (uint32_t k = 0; k < n->super_count; k++)
			go(&w, n->supers[k], i);
	}
	return false;
}

/* ---- notes ---- */

static void put_name(char *out, size_t size, struct jw_span name)
{
	snprintf(out, size, "%.*s", (int)name.n, (const char *)name.p);
	jw_dotted(out);
}

static enum jw_status note_missing(const struct weave_types *t, const struct weave_type_node *n,
				   enum jw_status (*each)(void *, const char *, struct jw_err *),
				   void *ctx, struct jw_err *e)
{
	char text[NOTE_MAX], name[NOTE_MAX / 4], by[NOTE_MAX / 4];

	put_name(name, sizeof name, n->name);
	put_name(by, sizeof by, t->nodes[n->by].name);
	snprintf(text, sizeof text,
		 "'%s', a supertype of '%s', was not found: subtypeOf may miss classes "
		 "(name its jar with -cp)",
		 name, by);
	return each(ctx, text, e);
}

enum jw_status weave_types_notes(const struct weave_types *t,
				 enum jw_status (*each)(void *ctx, const char *note,
							struct jw_err *e),
				 void *ctx, struct jw_err *e)
{
	const char *const *notes = (const char *const *)(const void *)t->notes.p;
	size_t missing = 0;
	char text[NOTE_MAX];

	for (size_t i = 0; i < t->notes.n / sizeof *notes; i++)
		JW_TRY(each(ctx, notes[i], e));
	for (uint32_t i = 1; i < t->count; i++) {
		if (!atomic_load_explicit(&t->nodes[i].asked, memory_order_relaxed))
			continue;
		if (missing++ < MISSING_MAX)
			JW_TRY(note_missing(t, &t->nodes[i], each, ctx, e));
	}
	if (missing <= MISSING_MAX)
		return JW_OK;
	snprintf(text, sizeof text, "%zu more supertype%s not found", missing - MISSING_MAX,
		 missing - MISSING_MAX == 1 ? " was" : "s were");
	return each(ctx, text, e);
}
