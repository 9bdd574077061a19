/*
 * find_path.c: see find_path.h.
 */
#include "tests/trace/find_path.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"
#include "trace/paraver/prv_source.h"

#include "base/banned.h"

struct jw_arena path_arena;
struct trace_path_list path_list;
static struct jw_err err;

static const char rows[] = "LEVEL THREAD SIZE 3\nmain\na\nb\n";
static const char names[] =
	"EVENT_TYPE\n0    60000019    User function\nVALUES\n0   End\n"
	"1   Main.run [x.Main.run():void]\n2   A.work [x.A.work():void]\n"
	"3   B.work [x.B.work():void]\n4   Lock.hold [x.Lock.hold():void]\n"
	"5   Thread.join [java.lang.Thread.join():void]\n\n"
	"EVENT_TYPE\n0    48100021    Java monitor, where it is waited for\nVALUES\n"
	"1   B.work (B.java:10)\n\n"
	"EVENT_TYPE\n0    48100023    Java call site\nVALUES\n"
	"1   Thread.join in Main.run (Main.java:5) (thread/join)\n";

static enum jw_status find(const char *prv, const struct trace_path_call *call, bool life)
{
	jw_arena_free(&path_arena);
	err = (struct jw_err){ 0 };
	struct trace_path *path = trace_path_new(call, &path_arena);
	if (path && life)
		trace_path_of_life(path);
	struct trace_prv_source *source =
		path ? trace_prv_source_new(&trace_path_output, path, NULL) : NULL;
	enum jw_status status = source ? JW_OK : jw_nomem(&err);

	if (status == JW_OK)
		status = trace_prv_source_feed(source, jw_span_str(prv), &err);
	if (status == JW_OK)
		status = trace_prv_source_finish(source, jw_span_str(names), jw_span_str(rows),
						 &err);
	path_list = status == JW_OK ? trace_path_list(path) : (struct trace_path_list){ 0 };
	trace_prv_source_free(source);
	trace_path_free(path);
	return status;
}

enum jw_status find_path(const char *prv, const struct trace_path_call *call)
{
	return find(prv, call, false);
}

enum jw_status find_path_of_life(const char *prv)
{
	return find(prv, NULL, true);
}

void is_whole(void)
{
	uint64_t by = 0, methods = 0, threads = 0, waits = 0, time = path_list.begin;

	for (size_t i = 0; i < TRACE_PATH_TIMES; i++)
		by += path_list.by[i];
	for (size_t i = 0; i < path_list.method_count; i++)
		methods += path_list.methods[i].ns;
	for (size_t i = 0; i < path_list.thread_count; i++)
		threads += path_list.threads[i].ns;
	for (size_t i = 0; i < path_list.wait_count; i++)
		waits += path_list.waits[i].wait.ns;
	for (size_t i = 0; i < path_list.segment_count; i++) {
		is_int(path_list.segments[i].begin, time);
		time = path_list.segments[i].end;
	}
	is_int(time, path_list.end);
	is_int(by, path_list.end - path_list.begin);
	is_int(methods, by);
	is_int(threads, by);
	is_int(waits, path_list.by[TRACE_REPORT_BLOCKED] + path_list.by[TRACE_REPORT_WAITING] +
			      path_list.by[TRACE_REPORT_FOR_WORK]);
}

const char *path_text(void)
{
	static char text[1000];
	static const char *const kinds[] = { "runs", "waits", "goes on", "mixed" };
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < path_list.segment_count; i++) {
		const struct trace_path_segment *s = &path_list.segments[i];

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %llu-%llu %s %s",
				      i ? ", " : "", s->thread, (unsigned long long)s->begin,
				      (unsigned long long)s->end, kinds[s->kind], s->method);
	}
	return text;
}

uint64_t ns_of_method(const char *name)
{
	for (size_t i = 0; i < path_list.method_count; i++)
		if (strcmp(path_list.methods[i].name, name) == 0)
			return path_list.methods[i].ns;
	return 0;
}

uint64_t ns_of_thread(const char *name)
{
	for (size_t i = 0; i < path_list.thread_count; i++)
		if (strcmp(path_list.threads[i].name, name) == 0)
			return path_list.threads[i].ns;
	return 0;
}
