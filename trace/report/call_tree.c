/*
 * call_tree.c: see call_tree.h.
 */
#include "trace/report/call_tree.h"

#include <string.h>

#include "trace/calls/role.h"

#include "base/banned.h"

_Static_assert(TRACE_TREE_TIMES == TRACE_REPORT_TIMES, "a node has each of the times of a report");

/* ---- roles ---- */

struct roles {
	struct jw_arena *arena;
	const char **names; /* of the roots; in the arena */
	uint32_t n;
	struct jw_lookup lookup;
};

static uint32_t hash_text(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

/* The number of the role of a thread with NAME; UINT32_MAX: no memory. */
static uint32_t role_of(struct roles *roles, const char *name)
{
	const char *role = trace_role(roles->arena, name);
	struct jw_lookup_walk w;

	if (!role)
		return UINT32_MAX;
	for (w = jw_lookup_walk(&roles->lookup, hash_text(role)); jw_lookup_next(&w);)
		if (strcmp(roles->names[w.place], role) == 0)
			return w.place;
	if (!jw_lookup_add(&roles->lookup, hash_text(role), roles->n))
		return UINT32_MAX;
	roles->names[roles->n] = role;
	return roles->n++;
}

/* Room for COUNT roles. */
static bool open_roles(struct roles *roles, struct jw_arena *arena, size_t count)
{
	*roles = (struct roles){ .arena = arena };
	roles->names = JW_NEW_ARRAY(arena, const char *, count + 1);
	return roles->names != NULL;
}

/* ---- while it is read ---- */

/* Roots are made as their roles appear, so they have the same numbers. */
static bool open_by_role(struct trace_reading *r, struct roles *roles)
{
	const struct trace_scene *scene = r->scene;

	for (uint32_t i = 0; i < scene->thread_count; i++) {
		uint32_t role = role_of(roles, scene->threads[i].name);

		if (role == UINT32_MAX || (role >= r->tree.n && trace_tree_root(&r->tree) != role))
			return false;
		r->lanes[i].root = role;
	}
	return true;
}

/* A .prv names all of its threads or none, later. */
bool trace_call_tree_open(struct trace_reading *r)
{
	const struct trace_scene *scene = r->scene;
	uint32_t n = scene->thread_count;
	struct jw_arena arena = { 0 };
	struct roles roles;

	r->tree_roots = n == 0                    ? TRACE_ROOT_ALL
			: scene->threads[0].name  ? TRACE_ROOT_ROLE
			: n <= TRACE_TREE_THREADS ? TRACE_ROOT_THREAD
						  : TRACE_ROOT_ALL;
	if (r->tree_roots == TRACE_ROOT_ROLE) {
		bool made = open_roles(&roles, &arena, n) && open_by_role(r, &roles);

		jw_lookup_free(&roles.lookup);
		jw_arena_free(&arena);
		return made;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool new = i == 0 || r->tree_roots == TRACE_ROOT_THREAD;

		if (new &&trace_tree_root(&r->tree) != i)
			return false;
		r->lanes[i].root = r->tree_roots == TRACE_ROOT_THREAD ? i : 0;
	}
	return true;
}

/* ---- once all is told ---- */

static bool keep(struct trace_tree *tree, struct roles *roles, struct jw_arena *arena,
		 struct trace_report_tree *out)
{
	struct trace_tree_node *nodes = JW_NEW_ARRAY(arena, struct trace_tree_node, tree->n + 1);

	if (!nodes)
		return false;
	trace_tree_sum(tree);
	if (tree->n)
		memcpy(nodes, tree->at, tree->n * sizeof(*nodes));
	*out = (struct trace_report_tree){
		.tree = { .at = nodes, .n = tree->n, .roots = tree->roots, .folded = tree->folded },
		.roles = roles->names
	};
	return true;
}

/* R's tree, in which each thread has a root, by role. */
static bool merge_threads(struct trace_reading *r, const char *const *names, struct roles *roles,
			  struct trace_tree *out)
{
	uint32_t *to = jw_mem_zalloc(r->tree.n + 1, sizeof(*to));
	bool made = to != NULL;

	for (uint32_t i = 0; made && i < r->tree.roots; i++) {
		to[i] = role_of(roles, names[i]);
		made = to[i] != UINT32_MAX && (to[i] < out->n || trace_tree_root(out) == to[i]);
	}
	made = made && trace_tree_merge(out, &r->tree, to);
	jw_mem_free(to);
	return made;
}

static bool finish(struct trace_reading *r, const char *const *names, struct roles *roles,
		   struct jw_arena *arena, struct trace_report_tree *out)
{
	struct trace_tree merged = { 0 };
	bool made = true;

	switch (r->tree_roots) {
	case TRACE_ROOT_ALL:
		roles->names[0] = "all threads";
		break;
	case TRACE_ROOT_ROLE:
		for (uint32_t i = 0; made && i < r->scene->thread_count; i++)
			made = role_of(roles, r->scene->threads[i].name) != UINT32_MAX;
		break;
	case TRACE_ROOT_THREAD:
		made = merge_threads(r, names, roles, &merged);
		trace_tree_free(&r->tree);
		r->tree = merged;
		break;
	}
	return made && keep(&r->tree, roles, arena, out);
}

bool trace_call_tree_finish(struct trace_reading *r, const char *const *names,
			    struct jw_arena *arena, struct trace_report_tree *out)
{
	struct roles roles;
	bool made = open_roles(&roles, arena, r->scene->thread_count) &&
		    finish(r, names, &roles, arena, out);

	jw_lookup_free(&roles.lookup);
	trace_tree_free(&r->tree);
	return made;
}

bool trace_report_tree_all(const struct trace_report_tree *tree, struct trace_tree *out)
{
	uint32_t *to = jw_mem_zalloc(tree->tree.n + 1, sizeof(*to)); /* all roots: the first */
	bool made = to && trace_tree_root(out) == 0 && trace_tree_merge(out, &tree->tree, to);

	if (made)
		trace_tree_sum(out);
	jw_mem_free(to);
	return made;
}
