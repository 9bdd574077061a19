/*
 * counted_roots.h: roots of packages (application.h), and how many classes are below each.
 */
#ifndef JW_CLI_COUNTED_ROOTS_H
#define JW_CLI_COUNTED_ROOTS_H

#include "base/memory.h"
#include "base/status.h"

struct cli_counted_root {
	struct cli_counted_root *next;
	const char *name;
	size_t classes;
};

/* The one of LIST that is called as the N bytes of NAME; NULL: none is. */
struct cli_counted_root *cli_find_root(struct cli_counted_root *list, const char *name, size_t n);
/* CLASSES more classes below the first N characters of NAME. */
enum jw_status JW_MUST_USE cli_add_root(struct jw_arena *arena, struct cli_counted_root **list,
					const char *name, size_t n, size_t classes,
					struct jw_err *e);

/* LIST in an order of these; NULL ends it. NULL: no memory. */
int cli_by_name(const void *a, const void *b);
int cli_by_classes(const void *a, const void *b); /* the most first */
struct cli_counted_root **cli_sorted_roots(struct jw_arena *arena, struct cli_counted_root *list,
					   int (*order)(const void *a, const void *b));

#endif
