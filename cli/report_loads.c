#include "cli/report_loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

bool cli_report_loads(const struct trace_report_stall *s)
{
	return strstr(s->method, "which loads a class");
}

static bool is_read(const struct trace_report_stall *s)
{
	return s->how == TRACE_REPORT_READ && *s->channel && cli_report_loads(s);
}

/* Reads of one jar side by side, as they were. */
static int by_jar(const void *a, const void *b)
{
	const struct trace_report_stall *const *x = a, *const *y = b;
	int order = strcmp((*x)->channel, (*y)->channel);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Of one line: N places, the first of which is *LINE. */
static bool fold(struct trace_report_stall *line, const struct trace_report_stall *const *list,
		 size_t n, struct jw_arena *arena)
{
	*line = *list[0];
	if (n == 1)
		return true;
	for (size_t i = 1; i < n; i++) {
		line->count += list[i]->count;
		line->ns += list[i]->ns;
		if (list[i]->longest_ns > line->longest_ns)
			line->longest_ns = list[i]->longest_ns;
	}
	line->method = jw_arena_fmt(arena, "%zu places, to load classes", n);
	line->source = "";
	line->ender_count = line->caller_count = 0;
	return line->method;
}

/* Puts LINE among the N LINES, which are sorted, before the first that took less. */
static void insert(struct trace_report_stall *lines, size_t n,
		   const struct trace_report_stall *line)
{
	size_t at = 0;

	while (at < n && lines[at].ns >= line->ns)
		at++;
	memmove(&lines[at + 1], &lines[at], (n - at) * sizeof(*lines));
	lines[at] = *line;
}

const struct trace_report_stall *cli_report_fold_loads(const struct trace_report_stall *stalls,
						       size_t *count, struct jw_arena *arena)
{
	struct trace_report_stall *lines =
		JW_NEW_ARRAY(arena, struct trace_report_stall, *count + 1);
	const struct trace_report_stall **reads =
		JW_NEW_ARRAY(arena, const struct trace_report_stall *, *count + 1);
	size_t lines_n = 0, reads_n = 0;

	if (!lines || !reads)
		return NULL;
	for (size_t i = 0; i < *count; i++) {
		if (is_read(&stalls[i]))
			reads[reads_n++] = &stalls[i];
		else
			lines[lines_n++] = stalls[i];
	}
	if (reads_n > 1)
		qsort(reads, reads_n, sizeof(*reads), by_jar);
	for (size_t i = 0, n; i < reads_n; i += n) {
		struct trace_report_stall line;

		for (n = 1;
		     i + n < reads_n && strcmp(reads[i]->channel, reads[i + n]->channel) == 0;)
			n++;
		if (!fold(&line, &reads[i], n, arena))
			return NULL;
		insert(lines, lines_n++, &line);
	}
	*count = lines_n;
	return lines;
}
