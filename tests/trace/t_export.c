/*
 * t_export.c: every format of export, where memory or room ends: an error with a message, never a
 * crash.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include <string.h>
#include <sys/stat.h>

#include "base/guard.h"
#include "trace/export/export.h"

#include "base/banned.h"

static const char text[] = "#Paraver (01/01/26 at 00:00):5000_ns:1(2):1:2(1:1,1:1)\n"
			   "1:1:1:1:1:0:2000:1\n"
			   "1:2:1:2:1:0:3000:9\n"
			   "3:1:1:1:1:100:100:2:1:2:1:1500:1500:0:101\n"
			   "2:1:1:1:1:200:60000019:1:48110001:1\n"
			   "2:1:1:1:1:210:60000019:2:48101005:1:48110001:2\n"
			   "2:1:1:1:1:300:48101005:0:48110001:1:60000019:0\n"
			   "2:2:1:2:1:400:60000019:2:48101009:3\n"
			   "2:2:1:2:1:500:48101009:0:60000019:0:48200001:77\n"
			   "2:1:1:1:1:4000:48110001:0:60000019:0\n";
static const char pcf[] =
	"STATES\n1 Running\n\nEVENT_TYPE\n0 60000019 Java method\nVALUES\n0 End\n"
	"1 A.a [x.A.a():void A.java:3]\n2 A.b [x.A.b():void A.java:9]\n\n"
	"EVENT_TYPE\n0 48110001 id (48110001)\nVALUES\n0 No longer held\n1 a\n2 b\n\n"
	"EVENT_TYPE\n0 48100014 Java thread name\nVALUES\n1 x\n\n"
	"EVENT_TYPE\n0 48200001 own\nVALUES\n77 seven\n";
static const char row[] =
	"LEVEL NODE SIZE 1\na\n\nLEVEL APPL SIZE 2\nj\nk\n\nLEVEL TASK SIZE 2\nx\ny\n";

static enum jw_status swallow(void *to, struct jw_span bytes, struct jw_err *e)
{
	(void)e;
	*(size_t *)to += bytes.n;
	return JW_OK;
}

static enum jw_status export(const struct trace_export_format *format,
			     const struct trace_destination *to, struct jw_err *e) {
	struct jw_arena arena = { 0 }; struct trace_exported done = { 0 };
	struct trace_export *x = trace_export_new(format, to, NULL);
	enum jw_status status = x ? trace_export_begin(x, jw_span_str(pcf), jw_span_str(row), e)
				  : jw_nomem(e);

	if (status == JW_OK) status = trace_export_feed(x, jw_span_str(text), e);
	if (status == JW_OK) status = trace_export_finish(x, jw_span_str(pcf), jw_span_str(row),
							  &arena, &done, e);
	trace_export_free(x);
	jw_arena_free(&arena);
	return status;
}

/* Memory ends at each place in turn. */
static void starve(const struct trace_export_format *format)
{
	size_t written = 0;
	const char *path = make_path("starved%s", format->suffix);
	const struct trace_destination to = { .write = swallow,
					      .to = &written,
					      .spill = path,
					      .table = format->tables ? "call" : NULL,
					      .path = path };
	long n = 0;

	for (; n < 5000; n++) {
		struct jw_err e = { 0 };

		jw_remove_all(path);
		if (format->form == TRACE_EXPORT_FOLDER && !is_int(mkdir(path, 0700), 0))
			return;
		jw_mem_fail_after(n);
		enum jw_status status = export(format, &to, &e);

		if (!jw_mem_fail_after(-1)) {
			if (!is_int(status, JW_OK))
				tap_note("%s: %s", format->name, e.text);
			break;
		}
		if (status != JW_OK && status != JW_NOMEM)
			tap_note("%s, %ld: %s", format->name, n, e.text);
		/* where memory only serves comfort, going without it is no error */
		if (status != JW_OK && (!is_int(status, JW_NOMEM) || !ok(e.text[0])))
			return;
	}
	ok(n > 10 && n < 5000);
	ok(format->form != TRACE_EXPORT_STREAM || written > 100);
	jw_remove_all(path);
}

/* The scene lives until end(): a format that is freed after whoever told it knows its lanes without. */
static void outlive(const struct trace_export_format *format)
{
	static const char *const hosts[] = { "here" };
	static const struct trace_scene_process process = { .number = 1, .threads = 2 };
	size_t written = 0;
	const char *path = make_path("outlives%s", format->suffix);
	const struct trace_destination to = { .write = swallow,
					      .to = &written,
					      .spill = path,
					      .table = format->tables ? "call" : NULL,
					      .path = path };
	struct trace_scene_thread *threads = jw_mem_zalloc(2, sizeof(*threads));
	struct trace_scene *scene = jw_mem_zalloc(1, sizeof(*scene));
	struct jw_err e = { 0 };

	jw_remove_all(path);
	if (!ok(threads && scene) ||
	    (format->form == TRACE_EXPORT_FOLDER && !is_int(mkdir(path, 0700), 0)))
		return;
	*scene = (struct trace_scene){ .end = 5000,
				       .processes = &process,
				       .threads = threads,
				       .hosts = hosts,
				       .process_count = 1,
				       .thread_count = 2,
				       .host_count = 1 };
	void *ctx = format->make(&to);

	if (ok(ctx) && !is_int(format->output->begin(ctx, scene, &e), JW_OK))
		tap_note("%s: %s", format->name, e.text);
	memset(scene, 0xff, sizeof(*scene));
	jw_mem_free(scene);
	jw_mem_free(threads);
	format->free(ctx);
	jw_remove_all(path);
}

TEST(a_format_outlives_the_scene)
{
	for (const struct trace_export_format *f = trace_export_formats; f->name; f++)
		if (!f->needs)
			outlive(f);
}

TEST(memory_ends_at_every_place)
{
	for (const struct trace_export_format *f = trace_export_formats; f->name; f++)
		if (!f->needs)
			starve(f);
}
