/*
 * path_tell.c: the lists of a path: its sums by method, thread and wait, and its segments.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/path/path_int.h"

#include "base/banned.h"

/* ---- names ---- */

static uint64_t method_of(const struct trace_path *p, uint32_t number)
{
	return number ? p->methods.m[number - 1].id : 0;
}

void trace_path_want(struct trace_path *p)
{
	trace_want(&p->names, TRACE_NAME_ROW, p->last);
	for (const struct trace_path_node *n = p->lanes[p->last].branch.node; n; n = n->before) {
		trace_want(&p->names, TRACE_NAME_ROW, n->thread);
		for (uint32_t i = 0; i < n->n; i++) {
			const struct trace_path_key *k = &n->items[i].key;

			trace_want(&p->names, TRACE_NAME_ROW, k->thread);
			trace_want(&p->names, TRACE_NAME_METHOD, method_of(p, k->method));
			if (k->about)
				trace_want_wait(&p->names, &p->abouts.at[k->about - 1]);
		}
	}
}

static bool name_thread(struct trace_path *p, uint32_t at, const char **name, const char **process,
			uint32_t *task, uint32_t *number)
{
	const struct trace_scene *scene = p->follow.scene;

	*name = trace_wanted_thread(&p->names, scene, at);
	*process = trace_wanted_process(&p->names, scene, at);
	*task = scene->processes[scene->threads[at].process].number;
	*number = scene->threads[at].number;
	return *name && *process;
}

/* ---- sums ---- */

static int by_sum(const void *a, const void *b)
{
	const struct trace_path_sum *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Adds up the items of ALL by what FIELD of a key says, which is below COUNT; *N: how many there are.
 * FIELD: of a thread, else of a method. */
static struct trace_path_sum *sums(struct trace_path *p, const struct trace_path_bag *all,
				   bool threads, size_t count, size_t *n)
{
	struct trace_path_sum *list = JW_NEW_ARRAY(p->arena, struct trace_path_sum, count + 1);
	size_t used = 0;

	for (size_t i = 0; list && i < all->n; i++) {
		const struct trace_path_key *k = &all->at[i].key;
		struct trace_path_sum *sum = &list[threads ? k->thread : k->method];

		sum->ns += all->at[i].ns;
		sum->by[k->what] += all->at[i].ns;
	}
	for (size_t i = 0; list && i < count; i++) {
		if (!list[i].ns)
			continue;
		bool named = threads && name_thread(p, (uint32_t)i, &list[i].name, &list[i].process,
						    &list[i].task, &list[i].number);

		if (!threads) {
			list[i].name = trace_wanted_method(&p->names, method_of(p, (uint32_t)i));
			named = list[i].name;
		}
		if (!named)
			return NULL;
		list[used++] = list[i];
	}
	if (used > 1)
		qsort(list, used, sizeof(*list), by_sum);
	*n = used;
	return list;
}

static int by_wait(const void *a, const void *b)
{
	const struct trace_path_wait *x = a, *y = b;

	if (x->wait.ns != y->wait.ns)
		return x->wait.ns > y->wait.ns ? -1 : 1;
	int order = strcmp(x->wait.method, y->wait.method);

	order = order ? order : strcmp(x->thread, y->thread);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static struct trace_path_wait *waits(struct trace_path *p, const struct trace_path_bag *all,
				     size_t *n)
{
	struct trace_path_wait *list = JW_NEW_ARRAY(p->arena, struct trace_path_wait, all->n + 1);
	size_t used = 0;

	for (size_t i = 0; list && i < all->n; i++) {
		const struct trace_path_key *k = &all->at[i].key;
		struct trace_path_wait *w = &list[used];

		if (!k->about)
			continue;
		if (!trace_wanted_wait(&p->names, &p->abouts.at[k->about - 1], &w->wait) ||
		    !name_thread(p, k->thread, &w->thread, &w->process, &w->task, &w->number))
			return NULL;
		w->wait.ns = all->at[i].ns;
		used++;
	}
	if (used > 1)
		qsort(list, used, sizeof(*list), by_wait);
	*n = used;
	return list;
}

/* ---- segments ---- */

/* The method that took most of NODE. */
static uint64_t main_method(const struct trace_path *p, const struct trace_path_node *node)
{
	const struct trace_path_item *most = node->items;

	for (uint32_t i = 1; i < node->n; i++)
		if (node->items[i].ns > most->ns)
			most = &node->items[i];
	return node->n ? method_of(p, most->key.method) : 0;
}

/* NODE, or the last one before it that took time. */
static const struct trace_path_node *that_took(const struct trace_path_node *node)
{
	while (node && node->begin == node->end)
		node = node->before;
	return node;
}

static const struct trace_path_node *before(const struct trace_path_node *node)
{
	return that_took(node->before);
}

/* A thread that lets another one go on is cut there: that is no matter to who looks at its path. */
static bool is_same(const struct trace_path_node *a, const struct trace_path_node *b)
{
	return a && a->thread == b->thread && a->kind == TRACE_PATH_RUNS && b->kind == a->kind;
}

/* NODE and those before it that are the same. */
static bool put_segment(struct trace_path *p, const struct trace_path_node *node,
			struct trace_path_segment *out, const struct trace_path_node **rest)
{
	const struct trace_path_node *first = node, *longest = node;

	for (; is_same(before(first), first); first = before(first))
		if (before(first)->end - before(first)->begin > longest->end - longest->begin)
			longest = before(first);
	*rest = before(first);
	out->begin = first->begin;
	out->end = node->end;
	out->place = node->thread;
	out->kind = node->kind;
	out->method = trace_wanted_method(&p->names, main_method(p, longest));
	return out->method &&
	       name_thread(p, node->thread, &out->thread, &out->process, &out->task, &out->number);
}

static bool segments(struct trace_path *p, const struct trace_path_node *last)
{
	size_t count = 0, at;

	for (const struct trace_path_node *n = that_took(last); n; n = before(n))
		count += !is_same(before(n), n);
	struct trace_path_segment *list =
		JW_NEW_ARRAY(p->arena, struct trace_path_segment, count + 1);

	if (!list)
		return false;
	at = count;
	for (const struct trace_path_node *n = that_took(last), *rest; n; n = rest) {
		if (!put_segment(p, n, &list[--at], &rest))
			return false;
		p->list.hops += rest && rest->thread != n->thread;
	}
	p->list.segments = list;
	p->list.segment_count = count;
	return true;
}

/* ---- all of it ---- */

static bool add_up(const struct trace_path_node *last, struct trace_path_bag *all)
{
	for (const struct trace_path_node *n = last; n; n = n->before)
		for (uint32_t i = 0; i < n->n; i++)
			if (!trace_path_bag_add(all, &n->items[i].key, n->items[i].ns))
				return false;
	return true;
}

static bool tell(struct trace_path *p, const struct trace_path_bag *all)
{
	struct trace_path_list *l = &p->list;

	l->methods = sums(p, all, false, p->methods.n + 1, &l->method_count);
	l->threads = sums(p, all, true, p->follow.scene->thread_count, &l->thread_count);
	l->waits = waits(p, all, &l->wait_count);
	for (size_t i = 0; i < all->n; i++)
		l->by[all->at[i].key.what] += all->at[i].ns;
	return l->methods && l->threads && l->waits;
}

bool trace_path_tell(struct trace_path *p)
{
	struct trace_path_bag all = { 0 };
	struct trace_path_list *l = &p->list;

	*l = (struct trace_path_list){ .begin = p->begin,
				       .end = p->end,
				       .thread = "",
				       .process = "",
				       .coarse = p->history.grain };
	if (p->follow.thread_count == 0 || p->end <= p->begin)
		return true;
	const struct trace_path_node *last = p->lanes[p->last].branch.node;
	bool good = name_thread(p, p->last, &l->thread, &l->process, &l->task, &l->number) &&
		    add_up(last, &all) && tell(p, &all) && segments(p, last);

	trace_path_bag_free(&all);
	return good;
}
