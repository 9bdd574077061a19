/*
 * t_roles_shown.c: processes in a .prv and its .row, by what they are in their job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/trace/check_prv.h"
#include "tests/trace/make_recording.h"
#include "trace/reader/reader.h"
#include "trace/report/info.h"
#include "trace/report/job_folder.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_summary sum;
static struct jw_err err;

/* The .row BASE.row from its applications on. */
static void is_row(const char *base, const char *want)
{
	char *text = make_slurp(make_path("%s.row", base));

	is_str(text ? strstr(text, "LEVEL APPL") : NULL, want);
	free(text);
}

/* A process of MAIN on HOST, with LINE more in its meta. */
static const char *process(const char *name, const char *host, unsigned pid, const char *main,
			   const char *line)
{
	static char paths[8][512];
	static unsigned used;
	struct make m = make_begin(name);

	make_meta(&m, "host|%s\npid|%u\nmain|%s\n%s", host, pid, main, line);
	make_meta(&m, "thread|1|0|0|1|1|-|main");
	make_event(&m, 1, MAKE_START + 10, JWR_ENTER, 256);
	make_event(&m, 1, MAKE_START + 20, JWR_EXIT, 256);
	make_finish(&m, true);
	snprintf(paths[used % 8], sizeof(paths[0]), "%s", m.path);
	return paths[used++ % 8];
}

#define BACKEND "org.apache.spark.executor.CoarseGrainedExecutorBackend --executor-id "

TEST(tasks_are_called_and_ordered_by_their_roles)
{
	const char *paths[] = {
		process("e10", "a", 1, BACKEND "10 --app-id app-1", "note|x"),
		process("e2", "b", 2, BACKEND "2 --app-id app-1", "note|x"),
		process("d", "a", 3, "org.apache.spark.deploy.SparkSubmit --class x", "note|x"),
		process("w", "a", 4, "org.apache.spark.deploy.worker.Worker spark://a", "note|x"),
		process("w2", "b", 4, "org.apache.spark.deploy.worker.Worker spark://a", "note|x"),
	};

	is_int(make_convert(paths, 5, "roles", NULL, &arena, &sum, &err), JW_OK);
	is_row("roles", "LEVEL APPL SIZE 1\napp-1\n\nLEVEL TASK SIZE 5\ndriver\nexecutor 2\n"
			"executor 10\nWorker 4@a\nWorker 4@b\n\nLEVEL THREAD SIZE 5\nmain\nmain\n"
			"main\nmain\nmain\n");
	is_int(make_validate("roles"), 0);
}

TEST(each_application_is_one)
{
	const char *paths[] = {
		process("b0", "a", 1, BACKEND "0", "application|app-b"),
		process("a1", "a", 2, BACKEND "1", "application|app-a"),
		process("x", "a", 3, "tool.jar", "note|x"),
		process("bd", "a", 4, "org.apache.spark.deploy.SparkSubmit", "application|app-b"),
	};

	is_int(make_convert(paths, 4, "apps", NULL, &arena, &sum, &err), JW_OK);
	is_row("apps",
	       "LEVEL APPL SIZE 3\napp-b\napp-a\nAPPLICATION 3\n\nLEVEL TASK SIZE 4\ndriver\n"
	       "executor 0\nexecutor 1\ntool.jar\n\nLEVEL THREAD SIZE 4\nmain\nmain\nmain\n"
	       "main\n");
	is_int(make_validate("apps"), 0);
	char *prv = make_slurp(make_path("apps.prv"));
	if (!ok(prv != NULL))
		return;
	ok(strstr(prv, "_ns:1(4):3:2(1:1,1:1),1(1:1),1(1:1),0\n1:"));
	ok(strstr(prv, "\n2:3:2:1:1:"));
	ok(strstr(prv, "\n2:4:3:1:1:"));
	free(prv);
}

TEST(what_a_recording_says_of_itself)
{
	const char *path = process("facts", "a", 7, "x.Main", "job|/shared/R");
	struct trace_recording rec;

	is_int(trace_recording_facts(path, &rec, &err), JW_OK);
	is_str(rec.main, "x.Main");
	is_str(rec.job, "/shared/R");
	is_int(rec.pid, 7);
	is_int(rec.file_count, 0);
	trace_recording_close(&rec);
	is_int(trace_recording_facts(make_path("nowhere.jwr"), &rec, &err), JW_INPUT);
	is_str(err.text, "no recording: it has no 'meta' that could be read");
	trace_recording_close(&rec);

	struct trace_recording_info whole = { 0 }, origin = { 0 };
	is_int(trace_recording_info(path, &arena, &whole, &err), JW_OK);
	ok(whole.thread_count > 0);
	is_int(trace_recording_origin(path, &arena, &origin, &err), JW_OK);
	is_int(origin.thread_count, 0);
	is_int(origin.pid, 7);
	is_str(origin.host, whole.host);
	is_str(origin.command, whole.command);
	is_int(origin.began_wall_ns, whole.began_wall_ns);
	ok(!origin.is_summary);
	is_int(trace_recording_origin(make_path("nowhere.jwr"), &arena, &origin, &err), JW_INPUT);

	struct trace_job_listing listing;
	is_int(trace_job_list(make_path("nowhere"), &arena, &listing, &err), JW_IO);
	ok(strstr(err.text, "cannot read the folder '"));
	ok(!trace_has_recordings(make_path("nowhere")));
	ok(trace_has_recordings(make_folder()));
}
