/*
 * titles.h: what a table calls methods: short, but no two of them the same.
 */
#ifndef JW_TRACE_NAMES_TITLES_H
#define JW_TRACE_NAMES_TITLES_H

#include <stdbool.h>
#include <stddef.h>

struct jw_arena;

struct trace_titled {
	const char *label; /* "Short.name [com.acme.Short.name(types):type File.java:1]" */
	const char *title;
};

/* Sets the title of each of the N in LIST: "Shop.buy"; "Shop.buy(int, String)" where several are called so;
 * "com.acme.Shop.buy(int, java.lang.String)" where they still are. What would tell none apart is left out. In ARENA.
 * False: no memory. */
bool trace_titles(struct trace_titled *list, size_t n, struct jw_arena *arena);

#endif
