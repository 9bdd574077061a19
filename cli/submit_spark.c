/*
 * submit_spark.c: Spark. Its jars are in SPARK_HOME/jars; woven ones go in front of them on the
 * class paths of driver and executors, by settings that Spark has for that.
 *
 *     spark-submit [OPTIONS of the user] --conf KEY=VALUE ... APPLICATION [ARGUMENTS]
 *
 * Of two --conf of a key the last one counts, and a file of properties counts only without one; an
 * option of its own (--driver-class-path) goes before both.
 */
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/folder.h"
#include "cli/paths.h"
#include "cli/java.h"
#include "cli/java_launcher.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/submit.h"
#include "cli/submit_words.h"

#include "base/banned.h"

enum { NATIVE_ACCESS_RELEASE = 24 };

static const char *const with_value[] = { "--archives",
					  "--class",
					  "--conf",
					  "-c",
					  "--deploy-mode",
					  "--driver-class-path",
					  "--driver-cores",
					  "--driver-default-class-path",
					  "--driver-java-options",
					  "--driver-library-path",
					  "--driver-memory",
					  "--exclude-packages",
					  "--executor-cores",
					  "--executor-memory",
					  "--files",
					  "--jars",
					  "--keytab",
					  "--kill",
					  "--master",
					  "--name",
					  "--num-executors",
					  "--packages",
					  "--principal",
					  "--properties-file",
					  "--proxy-user",
					  "--py-files",
					  "--queue",
					  "--remote",
					  "--repositories",
					  "--status",
					  "--total-executor-cores",
					  NULL };
static const char *const flags[] = {
	"--help", "-h",        "--supervise",   "--verbose",
	"-v",     "--version", "--usage-error", "--load-spark-defaults",
	NULL
};

/* The command while it is changed. */
struct spark {
	struct submit *s;
	const char *home;
	struct cli_words words;
	size_t end;         /* of the options: settings go there */
	size_t application; /* its word; 0: none */
	const char *deploy_mode, *master;
	const char *file;            /* of properties: the option's, or Spark's own */
	struct cli_words properties; /* what is in it */
};

/* ---- where it is ---- */

static bool has_jars(struct submit *s, const char *home)
{
	const char *jars = home ? jw_arena_fmt(s->arena, "%s/jars", home) : NULL;

	return jars && cli_is_folder(jars);
}

/* The scripts of PyPI's pyspark are in UP/bin; what they start is in a folder of Python's. */
static const char *home_of_python(struct submit *s, const char *up)
{
	static const char *const places[] = { "site-packages", "dist-packages" };
	const char *home = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !home; i++) {
		const char *pattern =
			jw_arena_fmt(s->arena, "%s/lib/python3*/%s/pyspark", up, places[i]);
		glob_t found = { 0 };

		if (pattern && glob(pattern, 0, NULL, &found) == 0) {
			home = jw_arena_str(s->arena, jw_span_str(found.gl_pathv[0]));
			globfree(&found);
		}
	}
	return home;
}

static enum jw_status find_home(struct spark *spark, struct jw_err *e)
{
	struct submit *s = spark->s;
	const char *variable = getenv("SPARK_HOME");
	const char *up = submit_home(s);

	if (variable && *variable)
		spark->home = variable;
	else if (up && has_jars(s, up))
		spark->home = up;
	else
		spark->home = up ? home_of_python(s, up) : NULL;
	if (!has_jars(s, spark->home))
		return jw_fail(e, JW_INPUT,
			       "the jars of Spark are not found from '%s': set SPARK_HOME to the "
			       "folder that has them in jars/",
			       spark->home ? spark->home : s->tool);
	return variable && *variable ? JW_OK : submit_set(s, "SPARK_HOME", spark->home, e);
}

/* ---- the command ---- */

/* Takes the word at I; how many words it takes, 0: the options end before it. */
static size_t take_option(struct spark *spark, size_t i)
{
	const char *word = spark->words.items[i], *next = spark->words.items[i + 1], *value;
	const char *equals = strchr(word, '=');
	bool joined = strncmp(word, "--", 2) == 0 && equals;
	const char *name =
		joined ? jw_arena_str(spark->s->arena, jw_span(word, (size_t)(equals - word)))
		       : word;

	if (!name || (cli_among(flags, name) && !joined))
		return name != NULL;
	if (!cli_among(with_value, name) || (!joined && !next))
		return 0;
	value = joined ? equals + 1 : next;
	if (strcmp(name, "--deploy-mode") == 0)
		spark->deploy_mode = value;
	if (strcmp(name, "--master") == 0)
		spark->master = value;
	if (strcmp(name, "--properties-file") == 0)
		spark->file = value;
	return joined ? 1 : 2;
}

static enum jw_status read_command(struct spark *spark, struct jw_err *e)
{
	struct submit *s = spark->s;
	size_t n;

	spark->words.arena = s->arena;
	for (const char *const *word = s->words; *word; word++)
		JW_TRY(cli_words_add(&spark->words, *word, e));
	spark->end = s->launcher + 1;
	while (spark->end < spark->words.count && (n = take_option(spark, spark->end)))
		spark->end += n;
	if (spark->end < spark->words.count && spark->words.items[spark->end][0] != '-')
		spark->application = spark->end;
	return JW_OK;
}

/* The last word before the application whose value the option NAME is, or (with KEY) that sets
 * KEY; *VALUE: that. 0: none. */
static size_t find_option(const struct spark *spark, const char *name, const char *key,
			  const char **value)
{
	size_t found = 0;

	for (size_t i = spark->s->launcher + 1; i < spark->end; i++) {
		const char *word = spark->words.items[i], *text = cli_after(word, name);
		size_t at = i;

		if (!text || (*text && *text != '='))
			continue;
		if (*text)
			text++;
		else if (i + 1 < spark->end)
			text = spark->words.items[at = ++i];
		if (key) {
			text = cli_after(text, key);
			if (!text || *text++ != '=')
				continue;
		}
		*value = text;
		found = at;
	}
	return found;
}

static enum jw_status read_properties(struct spark *spark, struct jw_err *e)
{
	struct jw_arena *arena = spark->s->arena;
	const char *folder = getenv("SPARK_CONF_DIR"), *path = spark->file;

	if (!path && folder && *folder)
		path = jw_arena_fmt(arena, "%s/spark-defaults.conf", folder);
	else if (!path)
		path = jw_arena_fmt(arena, "%s/conf/spark-defaults.conf", spark->home);
	spark->properties.arena = arena;
	return path ? submit_properties(path, &spark->properties, e) : jw_nomem(e);
}

/* What KEY is by --conf or the file of properties, or NULL. */
static const char *conf_of(struct spark *spark, const char *key)
{
	const char *value = NULL, *other = NULL;

	size_t longer = find_option(spark, "--conf", key, &value);
	if (find_option(spark, "-c", key, &other) > longer)
		value = other;
	return value ? value : submit_property(&spark->properties, key);
}

/* --conf KEY=VALUE after the options of the user. */
static enum jw_status add_conf(struct spark *spark, const char *key, const char *value,
			       struct jw_err *e)
{
	struct cli_words *w = &spark->words;
	const char *text = value ? jw_arena_fmt(spark->s->arena, "%s=%s", key, value) : NULL;

	JW_TRY(cli_words_add(w, "--conf", e));
	JW_TRY(cli_words_add(w, text, e));
	size_t moved = w->count - 2 - spark->end;
	memmove(w->items + spark->end + 2, w->items + spark->end, moved * sizeof(*w->items));
	w->items[spark->end] = "--conf";
	w->items[spark->end + 1] = text;
	spark->end += 2;
	spark->application += spark->application ? 2 : 0;
	return JW_OK;
}

/* KEY, which the option NAME sets too (or NULL), gets OURS as well: before what it is (FRONT), else
 * after it. */
static enum jw_status merge(struct spark *spark, const char *key, const char *name,
			    const char *ours, bool front, struct jw_err *e)
{
	struct jw_arena *arena = spark->s->arena;
	const char *theirs = NULL, *between = front ? ":" : " ";
	size_t word = name ? find_option(spark, name, NULL, &theirs) : 0;

	if (!word)
		theirs = conf_of(spark, key);
	const char *value = !theirs || !*theirs ? ours
			    : front ? jw_arena_fmt(arena, "%s%s%s", ours, between, theirs)
				    : jw_arena_fmt(arena, "%s%s%s", theirs, between, ours);
	if (!value)
		return jw_nomem(e);
	if (!word)
		return add_conf(spark, key, value, e);
	const char *changed = spark->words.items[word][0] == '-'
				      ? jw_arena_fmt(arena, "%s=%s", name, value)
				      : value;
	if (!changed)
		return jw_nomem(e);
	spark->words.items[word] = changed;
	return JW_OK;
}

/* KEY is VALUE, unless the user has said what it is. */
static enum jw_status set_default(struct spark *spark, const char *key, const char *value,
				  struct jw_err *e)
{
	return conf_of(spark, key) ? JW_OK : add_conf(spark, key, value, e);
}

/* ---- settings ---- */

static enum jw_status pass_variable(void *ctx, const char *name, const char *value,
				    struct jw_err *e)
{
	/* the driver of a cluster mode has no environment of ours either */
	static const char *const keys[] = { "spark.executorEnv.", "spark.yarn.appMasterEnv.",
					    "spark.kubernetes.driverEnv." };
	struct spark *spark = ctx;
	const char *mode =
		spark->deploy_mode ? spark->deploy_mode : conf_of(spark, "spark.submit.deployMode");
	size_t count = mode && strcmp(mode, "cluster") == 0 ? 3 : 1;

	for (size_t i = 0; i < count; i++) {
		const char *key = jw_arena_fmt(spark->s->arena, "%s%s", keys[i], name);

		if (!key)
			return jw_nomem(e);
		JW_TRY(set_default(spark, key, value, e));
	}
	return JW_OK;
}

/* Of native transports, the bytes of epoll are seen only where its natives are tapped, those of io_uring never. */
static enum jw_status use_java_sockets(struct spark *spark, struct jw_err *e)
{
	static const char *const keys[] = { "spark.io.mode.default", /* from 4.1 on */
					    "spark.shuffle.io.mode", "spark.rpc.io.mode" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		JW_TRY(set_default(spark, keys[i], "NIO", e));
	return JW_OK;
}

/* The JVM that the scripts start. */
static unsigned java_release(struct submit *s)
{
	const char *home = getenv("JAVA_HOME");
	const char *java = home && *home ? jw_arena_fmt(s->arena, "%s/bin/java", home) : "java";

	return java ? cli_java_release(java, s->arena) : 0;
}

static enum jw_status add_settings(struct spark *spark, const char *woven, struct jw_err *e)
{
	static const char access[] = "--enable-native-access=ALL-UNNAMED";

	JW_TRY(merge(spark, "spark.driver.extraClassPath", "--driver-class-path", woven, true, e));
	JW_TRY(merge(spark, "spark.executor.extraClassPath", NULL, woven, true, e));
	if (java_release(spark->s) >= NATIVE_ACCESS_RELEASE) {
		JW_TRY(merge(spark, "spark.driver.extraJavaOptions", "--driver-java-options",
			     access, false, e));
		JW_TRY(merge(spark, "spark.executor.extraJavaOptions", NULL, access, false, e));
	}
	JW_TRY(use_java_sockets(spark, e));
	return submit_variables(pass_variable, spark, e);
}

/* ---- */

/* Executors of other hosts open the copies by the same paths. */
static void tell_others(struct spark *spark)
{
	const char *master = spark->master ? spark->master : conf_of(spark, "spark.master");

	if (master && strncmp(master, "local", strlen("local")) != 0)
		cli_note(
			spark->s->cli,
			"on other hosts the executors need '%s' and '%s', too: folders on a shared "
			"disk, by XDG_CACHE_HOME and --job",
			spark->s->run.cache.root, spark->s->job);
}

static enum jw_status weave_jars(struct spark *spark, struct cli_words *woven, struct jw_err *e)
{
	struct submit *s = spark->s;
	struct cli_words jars = { .arena = s->arena };
	const char *folder = jw_arena_fmt(s->arena, "%s/jars", spark->home);

	if (!folder)
		return jw_nomem(e);
	JW_TRY(cli_list_folder(folder, cli_is_jar, &jars, e));
	return submit_weave(s, cli_words_all(&jars), woven, e);
}

static enum jw_status prepare(struct submit *s, struct jw_err *e)
{
	struct spark spark = { .s = s };
	struct cli_words woven = { .arena = s->arena };

	JW_TRY(find_home(&spark, e));
	JW_TRY(read_command(&spark, e));
	JW_TRY(read_properties(&spark, e));
	JW_TRY(weave_jars(&spark, &woven, e));
	if (spark.application && cli_ends(spark.words.items[spark.application], ".jar"))
		JW_TRY(submit_application(s, spark.words.items[spark.application],
					  &spark.words.items[spark.application], e));
	s->words = cli_words_all(&spark.words);
	if (!woven.count)
		return JW_OK;
	const char *path = submit_join(s->arena, woven.items, ":", NULL);
	if (!path)
		return jw_nomem(e);
	JW_TRY(add_settings(&spark, path, e));
	s->words = cli_words_all(&spark.words);
	tell_others(&spark);
	return JW_OK;
}

static const char *const tools[] = { "spark-submit", "spark-shell",         "spark-sql", "pyspark",
				     "run-example",  "spark-connect-shell", NULL };

const struct submit_engine submit_spark = { "Spark", "spark", tools, prepare };
