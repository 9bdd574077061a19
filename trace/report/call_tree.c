/*
 * call_tree.c: see call_tree.h.
 */
#include "trace/report/call_tree.h"

#include <stdlib.h>
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

/* A node, by its place in the tree. */
struct numbered {
	uint32_t method, at;
};

static int by_method(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return x->method < y->method ? -1 : x->method > y->method;
}

/* The children of the node AT to LIST, by their methods. Returns how many. */
static size_t put_children(const struct trace_tree *tree, uint32_t at, struct numbered *list)
{
	size_t n = 0;

	for (uint32_t i = tree->at[at].first; i != TRACE_TREE_NONE; i = tree->at[i].next)
		list[n++] = (struct numbered){ tree->at[i].method, i };
	if (n > 1)
		qsort(list, n, sizeof(*list), by_method);
	return n;
}

/* Copies TREE, whose roots come first, to OUT so that its nodes have the same numbers in whatever order
 * its threads were told: a level after another, children by their methods. LIST: room for all. */
static void put_in_order(const struct trace_tree *tree, struct numbered *list,
			 struct trace_tree_node *out)
{
	size_t n = tree->roots;

	for (size_t i = 0; i < n; i++)
		list[i].at = (uint32_t)i;
	for (size_t i = 0; i < tree->n; i++) {
		uint32_t parent = i < tree->roots ? TRACE_TREE_NONE : out[i].parent;
		uint32_t next = i < tree->roots ? TRACE_TREE_NONE : out[i].next;
		size_t more = put_children(tree, list[i].at, &list[n]);

		out[i] = tree->at[list[i].at];
		out[i].parent = parent;
		out[i].next = next;
		out[i].first = more ? (uint32_t)n : TRACE_TREE_NONE;
		out[i].latest = TRACE_TREE_NONE;
		for (size_t k = n; k < n + more; k++) {
			out[k].parent = (uint32_t)i;
			out[k].next = k + 1 < n + more ? (uint32_t)k + 1 : TRACE_TREE_NONE;
		}
		n += more;
	}
}

static bool keep(struct trace_tree *tree, struct roles *roles, struct jw_arena *arena,
		 struct trace_report_tree *out)
{
	struct trace_tree_node *nodes = JW_NEW_ARRAY(arena, struct trace_tree_node, tree->n + 1);
	struct numbered *list = jw_mem_zalloc(tree->n + 1, sizeof(*list));

	if (!nodes || !list) {
		jw_mem_free(list);
		return false;
	}
	trace_tree_sum(tree);
	put_in_order(tree, list, nodes);
	jw_mem_free(list);
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
