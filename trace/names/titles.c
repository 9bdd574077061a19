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

/* Sets OUT to a title of what LABEL tells; NULL: it does not tell. False: no memory. */
typedef bool title_fn(struct jw_arena *arena, const char *label, const char **out);

/* "com.acme.Short.name(int, java.lang.String)" */
static bool full_title(struct jw_arena *arena, const char *label, const char **out)
{
	const char *full = full_of(label), *close = full ? strchr(full, ')') : NULL;

	*out = close ? jw_arena_str(arena, jw_span(full, (size_t)(close + 1 - full))) : NULL;
	return !close || *out;
}

/* "Short.name(int, String)": the short name with the types of the full one, without their packages. */
static bool typed_title(struct jw_arena *arena, const char *label, const char **out)
{
	const char *full = full_of(label), *at = full ? strchr(full, '(') : NULL;
	struct jw_buf title = { 0 };

	*out = NULL;
	if (!at || !strchr(at, ')'))
		return true;
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
		*out = jw_arena_str(arena, jw_buf_span(&title));
	jw_buf_free(&title);
	return *out;
}

static int by_title(const void *a, const void *b)
{
	const struct trace_titled *const *x = a, *const *y = b;

	return strcmp((*x)->title, (*y)->title);
}

/* The N in LIST have one title: they get another, of LONGER, if their labels tell and that tells any of them apart. */
static bool tell_these_apart(struct trace_titled **list, size_t n, title_fn *longer,
			     struct jw_arena *arena)
{
	const char *first = NULL, *title = NULL;
	bool several = false, good = n < 2 || longer(arena, list[0]->label, &first);

	for (size_t i = 1; good && i < n && !several; i++) {
		good = longer(arena, list[i]->label, &title);
		several = (first && title) ? strcmp(first, title) != 0 : first != title;
	}
	for (size_t i = 0; good && several && i < n; i++) {
		good = longer(arena, list[i]->label, &title);
		list[i]->title = title ? title : list[i]->title;
	}
	return good;
}

/* Those of the N in LIST that have one title. */
static bool tell_apart(struct trace_titled **list, size_t n, title_fn *longer,
		       struct jw_arena *arena)
{
	bool good = true;

	if (n > 1)
		qsort(list, n, sizeof(struct trace_titled *), by_title);
	for (size_t i = 0, end; good && i < n; i = end) {
		for (end = i + 1; end < n && by_title(&list[i], &list[end]) == 0;)
			end++;
		good = tell_these_apart(&list[i], end - i, longer, arena);
	}
	return good;
}

bool trace_titles(struct trace_titled *titles, size_t n, struct jw_arena *arena)
{
	struct trace_titled **list = jw_mem_zalloc(n + 1, sizeof(struct trace_titled *));
	bool good = list;

	for (size_t i = 0; good && i < n; i++) {
		list[i] = &titles[i];
		titles[i].title = short_title(arena, titles[i].label);
		good = titles[i].title;
	}
	good = good && tell_apart(list, n, typed_title, arena) &&
	       tell_apart(list, n, full_title, arena);
	jw_mem_free(list);
	return good;
}
