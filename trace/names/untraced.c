/*
 * untraced.c: see untraced.h.
 */
#include "trace/names/untraced.h"

#include <fnmatch.h>
#include <string.h>

#include "base/bytes.h"

#include "base/banned.h"

/* What is after the last dot of the N bytes at TEXT, in ARENA. */
static const char *last_part(struct jw_arena *arena, const char *text, size_t n)
{
	size_t from = n;

	while (from > 0 && text[from - 1] != '.')
		from--;
	return jw_arena_str(arena, jw_span(text + from, n - from));
}

/* Does GLOB_CLASS, of N bytes, choose the class of METHOD, which ends at DOT, and GLOB_NAME its name? */
static bool is_like(struct jw_arena *arena, const char *glob_class, size_t n, const char *glob_name,
		    const char *method, const char *dot)
{
	const char *class = last_part(arena, glob_class, n);
	const char *short_name = jw_arena_str(arena, jw_span(method, (size_t)(dot - method)));

	return class && short_name && fnmatch(class, short_name, 0) == 0 &&
	       fnmatch(glob_name, dot + 1, 0) == 0;
}

bool trace_untraced_is(const char *pattern, const char *method)
{
	struct jw_arena arena = { 0 };
	const char *dot = strrchr(method, '.');
	const char *glob = jw_arena_str(&arena, jw_span(pattern, strcspn(pattern, "(")));
	const char *hash = glob ? strchr(glob, '#') : NULL,
		   *last = glob ? strrchr(glob, '.') : NULL;
	bool is = false;

	if (glob && dot && hash)
		is = is_like(&arena, glob, (size_t)(hash - glob), hash + 1, method, dot);
	else if (glob && dot)
		is = is_like(&arena, glob, strlen(glob), "*", method, dot) ||
		     (last && is_like(&arena, glob, (size_t)(last - glob), last + 1, method, dot));
	jw_arena_free(&arena);
	return is;
}

const char *trace_untraced(struct jw_arena *arena, const char *pattern, struct jw_span label)
{
	struct jw_arena own = { 0 }; /* most places are of no use */
	const char *text = jw_arena_str(&own, label);
	const char *in = text ? strstr(text, " in ") : NULL;
	const char *from = in ? in + strlen(" in ") : text;
	struct jw_span method = jw_span(from, from ? strcspn(from, " ,") : 0);
	const char *name = jw_arena_str(&own, method);
	bool is = name && trace_untraced_is(pattern, name);

	name = is ? jw_arena_str(arena, method) : NULL;
	jw_arena_free(&own);
	return name;
}
