/*
 * titles.h: what a table calls a method: short, but no two of a report the same.
 */
#ifndef JW_TRACE_REPORT_TITLES_H
#define JW_TRACE_REPORT_TITLES_H

#include <stdbool.h>
#include <stddef.h>

struct jw_arena;
struct trace_report_method;

/* Sets the title of each of the N METHODS, which have their labels: "Shop.buy"; "Shop.buy(int, String)" where
 * several are called so; "com.acme.Shop.buy(int, java.lang.String)" where they still are. In ARENA.
 * False: no memory. */
bool trace_report_titles(struct trace_report_method *methods, size_t n, struct jw_arena *arena);

#endif
