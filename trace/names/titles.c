/*
 * titles.c: see titles.h.
 *
 * A label is "Short.name [com.acme.Short.name(types):type File.java:1]"; without brackets it is a name
 * alone, or was too long for a trace.
 */
#include "trace/names/titles.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

#include "base/banned.h"

static const char *full_of(const char *label)
{
	const char *open = strstr(label, " [");

	return open ? open + 2 : NULL;
}

static char *short_title(struct jw_arena *arena, const char *label)
{
	const char *open = strstr(label, " [");

	return jw_arena_str(arena, jw_span(label, open ? (size_t)(open - label) : strlen(label)));
}

/* "com.acme.Short.name(int, java.lang.String)"; NULL: the label does not tell. */
static char *full_title(struct jw_arena *arena, const char *label)
{
	const char *full = full_of(label), *close = full ? strchr(full, ')') : NULL;

	return close ? jw_arena_str(arena, jw_span(full, (size_t)(close + 1 - full))) : NULL;
}

/* "Short.name(int, String)": the short name with the types of the full one, without their packages. */
static char *typed_title(struct jw_arena *arena, const char *label)
{
	const char *full = full_of(label), *at = full ? strchr(full, '(') : NULL;
	struct jw_buf title = { 0 };
	char *out = NULL;

	if (!at || !strchr(at, ')'))
		return NULL;
	jw_put_bytes(&title, jw_span(label, (size_t)(full - 2 - label)));
	while (*at != ')') { /* at "(", "," or a space, which comes before a type */
		size_t n = strcspn(at + 1, "), "), from = n;

		jw_put_u1(&title, (uint8_t)*at++);
		while (from && at[from - 1] != '.')
			from--;
		jw_put_bytes(&title, jw_span(at + from, n - from));
		at += n;
	}
	jw_put_u1(&title, ')');
	if (!title.failed)
		out = jw_arena_str(arena, jw_buf_span(&title));
	jw_buf_free(&title);
	return out;
}

static int by_title(const void *a, const void *b)
{
	const struct trace_titled *const *x = a, *const *y = b;

	return strcmp((*x)->title, (*y)->title);
}

typedef char *title_fn(struct jw_arena *arena, const char *label);

/* The N in LIST have one title: they get another, of LONGER, if their labels tell and that tells any of them apart. */
static void tell_these_apart(struct trace_titled **list, size_t n, title_fn *longer,
			     struct jw_arena *arena)
{
	const char *first = longer(arena, list[0]->label);
	bool several = false;

	for (size_t i = 1; i < n && !several; i++) {
		const char *other = longer(arena, list[i]->label);

		several = (first && other) ? strcmp(first, other) != 0 : first != other;
	}
	for (size_t i = 0; several && i < n; i++) {
		const char *title = longer(arena, list[i]->label);

		list[i]->title = title ? title : list[i]->title;
	}
}

/* Those of the N in LIST that have one title. */
static void tell_apart(struct trace_titled **list, size_t n, title_fn *longer,
		       struct jw_arena *arena)
{
	if (n > 1)
		qsort(list, n, sizeof(struct trace_titled *), by_title);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && by_title(&list[i], &list[end]) == 0;)
			end++;
		tell_these_apart(&list[i], end - i, longer, arena);
	}
}

bool trace_titles(struct trace_titled *titles, size_t n, struct jw_arena *arena)
{
	struct trace_titled **list = jw_mem_zalloc(n + 1, sizeof(struct trace_titled *));

	for (size_t i = 0; list && i < n; i++) {
		list[i] = &titles[i];
		titles[i].title = short_title(arena, titles[i].label);
		if (!titles[i].title) {
			jw_mem_free(list);
			return false;
		}
	}
	if (!list)
		return false;
	tell_apart(list, n, typed_title, arena);
	tell_apart(list, n, full_title, arena);
	jw_mem_free(list);
	return true;
}
