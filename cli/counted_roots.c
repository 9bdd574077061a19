#include "cli/counted_roots.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#include "base/banned.h"

struct cli_counted_root *cli_find_root(struct cli_counted_root *list, const char *name, size_t n)
{
	for (; list; list = list->next)
		if (strncmp(list->name, name, n) == 0 && list->name[n] == '\0')
			return list;
	return NULL;
}

enum jw_status cli_add_root(struct jw_arena *arena, struct cli_counted_root **list,
			    const char *name, size_t n, size_t classes, struct jw_err *e)
{
	struct cli_counted_root *root = cli_find_root(*list, name, n);

	if (!root) {
		root = JW_NEW(arena, struct cli_counted_root);
		const char *copy = jw_arena_str(arena, jw_span(name, n));
		if (!root || !copy)
			return jw_nomem(e);
		*root = (struct cli_counted_root){ *list, copy, 0 };
		*list = root;
	}
	root->classes += classes;
	return JW_OK;
}

int cli_by_name(const void *a, const void *b)
{
	const struct cli_counted_root *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

int cli_by_classes(const void *a, const void *b)
{
	const struct cli_counted_root *const *x = a, *const *y = b;

	if ((*x)->classes != (*y)->classes)
		return (*x)->classes < (*y)->classes ? 1 : -1;
	return cli_by_name(a, b);
}

struct cli_counted_root **cli_sorted_roots(struct jw_arena *arena, struct cli_counted_root *list,
					   int (*order)(const void *a, const void *b))
{
	size_t count = 0;

	for (struct cli_counted_root *r = list; r; r = r->next)
		count++;
	struct cli_counted_root **all = JW_NEW_ARRAY(arena, struct cli_counted_root *, count + 1);
	if (!all)
		return NULL;
	count = 0;
	for (struct cli_counted_root *r = list; r; r = r->next)
		all[count++] = r;
	qsort(all, count, sizeof(struct cli_counted_root *), order);
	return all;
}
