/*
 * t_role.c: what a process is in its job, by its command, its environment and what the user says.
 */
#include <string.h>

#include "tests/tap.h"
#include "trace/names/role.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

static struct jw_arena arena;

static struct trace_role role_of(const char *main, const char *command, const char *said)
{
	struct trace_recording rec = {
		.main = main, .command = command, .role = said, .application = "", .host = "h"
	};
	struct trace_role role = { 0 };

	is_int(trace_role_of(&rec, &arena, &role, NULL), JW_OK);
	return role;
}

TEST(engines)
{
	static const struct {
		const char *main, *name, *application;
		enum trace_role_order order;
	} cases[] = {
		{ "org.apache.spark.deploy.SparkSubmit --class a.B x.jar", "driver", "",
		  TRACE_ROLE_DRIVER },
		{ "org.apache.spark.deploy.SparkSubmit --deploy-mode cluster x.jar", "submit", "",
		  TRACE_ROLE_CLIENT },
		{ "org.apache.spark.executor.CoarseGrainedExecutorBackend --driver-url "
		  "spark://x@h:1 --executor-id 12 --app-id app-2",
		  "executor 12", "app-2", TRACE_ROLE_WORKER },
		{ "org.apache.spark.executor.YarnCoarseGrainedExecutorBackend --executor-id=3",
		  "executor 3", "", TRACE_ROLE_WORKER },
		{ "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend --executor-id "
		  "1",
		  "executor 1", "", TRACE_ROLE_WORKER },
		{ "org.apache.spark.executor.CoarseGrainedExecutorBackend --executor-id",
		  "executor", "", TRACE_ROLE_WORKER },
		{ "org.apache.hadoop.mapred.YarnChild 10.0.0.1 4711 "
		  "attempt_1410901177871_0001_m_000003_0 5",
		  "attempt_1410901177871_0001_m_000003_0", "application_1410901177871_0001",
		  TRACE_ROLE_WORKER },
		{ "org.apache.hadoop.mapreduce.v2.app.MRAppMaster", "AM", "", TRACE_ROLE_MASTER },
		{ "org.apache.hadoop.yarn.server.nodemanager.NodeManager", "NodeManager", "",
		  TRACE_ROLE_SERVICE },
		{ "org.apache.flink.runtime.taskexecutor.TaskManagerRunner -D a=b", "TaskManager",
		  "", TRACE_ROLE_WORKER },
		{ "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
		  "JobManager", "", TRACE_ROLE_MASTER },
		{ "kafka.Kafka server.properties", "Kafka", "", TRACE_ROLE_SERVICE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trace_role r = role_of(cases[i].main, "", "");

		is_str(r.name, cases[i].name);
		is_str(r.application, cases[i].application);
		is_int(r.order, cases[i].order);
		ok(r.known);
	}
	jw_arena_free(&arena);
}

TEST(any_program)
{
	static const char *const cases[][3] = {
		{ "com.acme.Main a b", "", "Main" },
		{ "/opt/x/app.jar a", "", "app.jar" },
		{ "mod/com.acme.Main", "", "Main" },
		{ "", "java -Xmx1g -cp a.jar:b.jar com.acme.Other x", "Other" },
		{ "", "/usr/bin/java -Da=b --add-opens x/y=ALL-UNNAMED -jar lib/tool.jar -v",
		  "tool.jar" },
		{ "", "java -p mods -m com.acme/com.acme.Main x", "Main" },
		{ "", "java @args com.acme.Main", "Main" },
		{ "", "java", "" },
		{ "", "", "" },
		{ "Main", "", "Main" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trace_role r = role_of(cases[i][0], cases[i][1], "");

		is_str(r.name, cases[i][2]);
		is_int(r.order, TRACE_ROLE_OTHER);
		ok(!r.known);
	}
	jw_arena_free(&arena);
}

TEST(what_the_user_says)
{
	struct trace_role r = role_of("com.acme.Main", "", "executor 7");

	is_str(r.name, "executor 7");
	is_int(r.order, TRACE_ROLE_WORKER);
	is_int(r.number, 7);
	r = role_of("org.apache.spark.deploy.SparkSubmit", "", "my driver");
	is_str(r.name, "my driver");
	is_int(r.order, TRACE_ROLE_OTHER);
	ok(r.known);
	jw_arena_free(&arena);
}

TEST(several)
{
	struct trace_role all[6] = {
		role_of("a.Main", "", ""),           role_of("b.Tool", "", ""),
		role_of("", "", "attempt_1_1_m_10"), role_of("", "", "worker 10"),
		role_of("", "", "worker 9"),         role_of("c.Main", "", ""),
	};
	static const char *const want[] = { "a.Main",    "Tool",     "attempt_1_1_m_10",
					    "worker 10", "worker 9", "c.Main" };

	all[0].pid = 1;
	all[5].pid = 2;
	is_int(trace_roles_settle(all, 6, &arena, NULL), JW_OK);
	for (size_t i = 0; i < 6; i++)
		is_str(all[i].name, want[all[i].at]);
	ok(all[0].at == 0 && all[5].at == 5);
	jw_arena_free(&arena);
}

/* Of one name: what they were started with tells them apart, if it does so for all of them. */
TEST(what_they_were_started_with)
{
	static const struct {
		const char *main[3], *want[3];
	} cases[] = {
		{ { "a.Node s1 1000", "a.Node s2 1000", "a.Node client" },
		  { "Node s1", "Node s2", "Node client" } },
		{ { "a.Node -c /etc/a/one.conf", "a.Node -c two.conf", "a.Node -c b/three" },
		  { "Node one.conf", "Node two.conf", "Node three" } },
		/* some of them, at least */
		{ { "a.Node s1", "a.Node s2", "a.Node s1" },
		  { "Node s1 1", "Node s2", "Node s1 3" } },
		{ { "a.Node s x 1", "a.Node c x 1", "a.Node s x 2" },
		  { "Node s 1", "Node c", "Node s 2" } },
		{ { "a.Node s", "a.Node s", "a.Node s" }, { "Node 1", "Node 2", "Node 3" } },
		{ { "a.Node s1", "a.Node s2", "a.Node" }, { "Node 1", "Node 2", "Node 3" } },
		{ { "a.Node 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "a.Node s2", "a.Node s3" },
		  { "Node 1", "Node 2", "Node 3" } },
		{ { "a.Node x/", "a.Node y/", "a.Node z/" }, { "Node 1", "Node 2", "Node 3" } },
		{ { "a.Node 1", "b.Node 2", "c.Tool 3" }, { "a.Node", "b.Node", "Tool" } },
		/* of one class, too */
		{ { "a.Node x", "a.Node y", "b.Node x" }, { "a.Node x", "a.Node y", "b.Node" } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct trace_role all[3];

		for (unsigned k = 0; k < 3; k++) {
			all[k] = role_of(cases[i].main[k], "", "");
			all[k].pid = k + 1;
		}
		is_int(trace_roles_settle(all, 3, &arena, NULL), JW_OK);
		for (size_t k = 0; k < 3; k++)
			is_str(all[k].name, cases[i].want[all[k].at]);
	}
	jw_arena_free(&arena);
}

/* In pid namespaces of their own all are process 2: their numbers tell them apart. A dump is of one
 * process. */
TEST(processes_of_one_pid)
{
	for (unsigned twins = 0; twins < 2; twins++) {
		struct trace_role all[4];
		static const char *const want[2][4] = {
			{ "Node 2", "Node 2", "Node 2", "Node 3" },
			{ "Node 2 #1", "Node 2 #2", "Node 2 #3", "Node 3" },
		};

		for (unsigned k = 0; k < 4; k++) {
			all[k] = role_of("a.Node s", "", "");
			all[k].pid = k == 3 ? 3 : 2;
			all[k].began = twins * k;
		}
		is_int(trace_roles_settle(all, 4, &arena, NULL), JW_OK);
		for (size_t k = 0; k < 4; k++)
			is_str(all[k].name, want[twins][k]);
	}
	jw_arena_free(&arena);
}

/* One of a job: what it is, when it began, of which application. */
static struct trace_role begun(const char *said, uint64_t began, const char *application)
{
	struct trace_role r = role_of("", "", said);

	r.began = began;
	r.application = application;
	return r;
}

/* A driver does not know its application: it is the one that begins next, if that is sure. */
TEST(drivers_of_several_applications)
{
	static const struct {
		const char *what; /* d: a driver; a, b: the executor of application a, b; by time */
		const char *want; /* the same, a driver's application in place of d */
	} cases[] = {
		{ "dadb", "aabb" },   { "dda", "dda" },     { "ddab", "ddab" },
		{ "dabd", "dabd" },   { "dadbd", "aabbd" }, { "adb", "abb" },
		{ "dadab", "aabab" }, { "ddadb", "ddabb" }, { "d", "d" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct trace_role all[8];
		const char *what = cases[i].what;
		size_t n = strlen(what);
		char got[9] = "";

		for (size_t k = 0; k < n; k++)
			all[k] = what[k] == 'd'
					 ? begun("driver", k + 1, "")
					 : begun("executor 1", k + 1, what[k] == 'a' ? "a" : "b");
		is_int(trace_roles_settle(all, n, &arena, NULL), JW_OK);
		for (size_t k = 0; k < n; k++)
			got[all[k].at] = all[k].application[0] ? all[k].application[0] : 'd';
		is_str(got, cases[i].want);
		jw_arena_free(&arena);
	}
}

TEST(ranks)
{
	struct trace_recording rec = { .main = "a.Main",
				       .command = "",
				       .role = "",
				       .application = "",
				       .host = "h",
				       .has_rank = true,
				       .rank = 3,
				       .ranks = 20 };
	struct trace_role r = { 0 };

	is_int(trace_role_of(&rec, &arena, &r, NULL), JW_OK);
	is_str(r.name, "rank 3");
	ok(r.is_rank);
	is_int(r.ranks, 20);
	r = role_of("a.Main", "", "rank 3"); /* who says so may begin at 1 */
	ok(!r.is_rank && r.numbered);
	jw_arena_free(&arena);
}
