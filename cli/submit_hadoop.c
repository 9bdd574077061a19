/*
 * submit_hadoop.c: Hadoop MapReduce. The command itself runs on woven copies (HADOOP_CLASSPATH); the
 * processes of the job, on any host, get them with the job: Hadoop copies the files of `tmpjars` to
 * each, and the class path begins with them.
 *
 * Programs need not understand -D, so the settings are where every program reads some: in a folder
 * of configuration of this job alone, which has links to all that the user's has:
 *
 *     JOB/.hadoop-conf-XXXXXX/mapred-site.xml     the user's, and ours
 *                             yarn-site.xml
 *                             ...                 links
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/folder.h"
#include "cli/hadoop_xml.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/run_path.h"
#include "cli/safe_text.h"
#include "cli/submit.h"
#include "cli/submit_words.h"

#include "base/banned.h"

enum { CLASS_PATH_MAX = 1 << 20, SITE_MAX = 16 << 20, SITES = 2 };

/* What the class paths are where no file says (yarn-default.xml, mapred-default.xml). */
#define YARN_CLASS_PATH                                                                        \
	"$HADOOP_CONF_DIR,$HADOOP_COMMON_HOME/share/hadoop/common/*,"                          \
	"$HADOOP_COMMON_HOME/share/hadoop/common/lib/*,$HADOOP_HDFS_HOME/share/hadoop/hdfs/*," \
	"$HADOOP_HDFS_HOME/share/hadoop/hdfs/lib/*,$HADOOP_YARN_HOME/share/hadoop/yarn/*,"     \
	"$HADOOP_YARN_HOME/share/hadoop/yarn/lib/*"
#define MAPRED_CLASS_PATH                                                                          \
	"$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/" \
	"lib/*"

/* In the order in which a job reads them. Ours are at the end of both: of a property that is in
 * several places the last one counts. */
static const char *const site_names[SITES + 1] = { "mapred-site.xml", "yarn-site.xml" };

/* What processes of the job read: KEY, after what it is already, or before. */
struct setting {
	const char *key, *instead, *fallback; /* `instead` is read where the user has no `key` */
	bool front;
	enum { ENVIRONMENT, JARS, PATHS } what;
};
static const struct setting settings[] = {
	{ "mapreduce.map.env", "mapred.child.env", NULL, false, ENVIRONMENT },
	{ "mapreduce.reduce.env", "mapred.child.env", NULL, false, ENVIRONMENT },
	{ "yarn.app.mapreduce.am.env", NULL, NULL, false, ENVIRONMENT },
	{ "tmpjars", NULL, NULL, true, JARS },
	{ "mapreduce.application.classpath", NULL, MAPRED_CLASS_PATH, true, PATHS },
	{ "yarn.application.classpath", NULL, YARN_CLASS_PATH, true, PATHS },
};
enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

struct hadoop {
	struct submit *s;
	struct cli_words words;
	const char *conf;         /* the user's folder of configuration, or NULL */
	size_t conf_word;         /* of --config; 0: none */
	const char *sites[SITES]; /* what is in it, "" where there is none */
	struct cli_words woven;
	const char *ours[PATHS + 1]; /* for each `what` */
	struct jw_buf more;          /* properties: ours */
};

/* ---- where it is ---- */

static bool has_sites(struct submit *s, const char *folder)
{
	const char *path = jw_arena_fmt(s->arena, "%s/core-site.xml", folder);

	return path && cli_is_folder(folder) && cli_exists(path);
}

/* The class path of the command, as it says it itself; the folder of configuration is on it. */
static enum jw_status read_class_path(struct hadoop *h, struct cli_words *jars, struct jw_err *e)
{
	struct submit *s = h->s;
	const char *const question[] = { s->words[s->launcher], "classpath", NULL };
	const char **parts = NULL;
	struct jw_buf text = { 0 };

	enum jw_status status = cli_child_read(question, CLASS_PATH_MAX, &text, e);
	const char *path = NULL;
	if (status == JW_OK) {
		while (text.n && strchr(" \r\n", text.p[text.n - 1]))
			text.n--;
		path = jw_arena_str(s->arena, jw_buf_span(&text));
	}
	jw_buf_free(&text);
	JW_TRY(status);
	if (!path)
		return jw_nomem(e);
	JW_TRY(run_split(&s->run, path, &parts, e));
	for (; *parts; parts++) {
		if (!h->conf && has_sites(s, *parts))
			h->conf = *parts;
		if (cli_ends(*parts, ".jar") && cli_exists(*parts))
			JW_TRY(cli_words_add(jars, *parts, e));
	}
	return JW_OK;
}

/* ---- the user's settings ---- */

static enum jw_status read_site(struct hadoop *h, unsigned site, struct jw_err *e)
{
	const char *path = jw_arena_fmt(h->s->arena, "%s/%s", h->conf, site_names[site]);
	struct jw_file file = { 0 };

	if (!path)
		return jw_nomem(e);
	h->sites[site] = "";
	if (!cli_exists(path))
		return JW_OK;
	JW_TRY(jw_file_open(path, SITE_MAX, &file, e));
	h->sites[site] = jw_arena_str(h->s->arena, file.bytes);
	jw_file_close(&file);
	return h->sites[site] ? JW_OK : jw_nomem(e);
}

/* The word that says "KEY=VALUE" after -D (or in it); *SKIP: where VALUE begins. 0: none. */
static size_t find_word(const struct hadoop *h, const char *key, size_t *skip)
{
	size_t found = 0;

	for (size_t i = h->s->launcher + 1; i < h->words.count; i++) {
		const char *word = h->words.items[i], *text = cli_after(word, "-D");

		if (text && !*text && i + 1 < h->words.count)
			word = text = h->words.items[++i];
		const char *rest = text ? cli_after(text, key) : NULL;
		if (!rest || *rest != '=')
			continue;
		found = i;
		*skip = (size_t)(rest + 1 - word);
	}
	return found;
}

/* -libjars LIST is `tmpjars`, by another name. */
static size_t find_libjars(const struct hadoop *h)
{
	for (size_t i = h->s->launcher + 1; i + 1 < h->words.count; i++)
		if (strcmp(h->words.items[i], "-libjars") == 0)
			return i + 1;
	return 0;
}

static const char *value_of(const struct hadoop *h, const char *key)
{
	const char *found = NULL;
	size_t skip = 0, word = find_word(h, key, &skip);

	if (word)
		return h->words.items[word] + skip;
	for (size_t i = 0; i < SITES; i++) {
		const char *value = hadoop_xml_value(h->s->arena, h->sites[i], key);

		found = value ? value : found;
	}
	return found;
}

/* ---- ours ---- */

static enum jw_status add_variable(void *ctx, const char *name, const char *value, struct jw_err *e)
{
	static const char *const keys[] = { "mapreduce.map.env", "mapreduce.reduce.env",
					    "yarn.app.mapreduce.am.env" };
	struct hadoop *h = ctx;

	if (strchr(value, ',')) { /* a list has no way to say it */
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			const char *key = jw_arena_fmt(h->s->arena, "%s.%s", keys[i], name);

			if (!key)
				return jw_nomem(e);
			hadoop_xml_put(&h->more, key, value);
		}
		return JW_OK;
	}
	const char *old = h->ours[ENVIRONMENT];
	h->ours[ENVIRONMENT] =
		jw_arena_fmt(h->s->arena, "%s%s%s=%s", old ? old : "", old ? "," : "", name, value);
	return h->ours[ENVIRONMENT] ? JW_OK : jw_nomem(e);
}

static enum jw_status make_ours(struct hadoop *h, struct jw_err *e)
{
	struct jw_arena *arena = h->s->arena;
	struct cli_words urls = { .arena = arena }, paths = { .arena = arena };

	JW_TRY(submit_variables(add_variable, h, e));
	for (size_t i = 0; i < h->woven.count; i++) {
		const char *jar = h->woven.items[i], *name = cli_base_name(arena, jar);

		if (!name)
			return jw_nomem(e);
		JW_TRY(cli_words_add(&urls, jw_arena_fmt(arena, "file://%s", jar), e));
		JW_TRY(cli_words_add(&paths, jw_arena_fmt(arena, "$PWD/%s", name), e));
	}
	/* each by its name in the container, not all in a folder there */
	hadoop_xml_put(&h->more, "mapreduce.client.libjars.wildcard", "false");
	h->ours[JARS] = submit_join(arena, urls.items, ",", NULL);
	h->ours[PATHS] = submit_join(arena, paths.items, ",", NULL);
	return h->ours[JARS] && h->ours[PATHS] ? JW_OK : jw_nomem(e);
}

/* Makes one setting: in the user's word, where there is one, else in `more`. */
static enum jw_status merge(struct hadoop *h, const struct setting *set, struct jw_err *e)
{
	struct jw_arena *arena = h->s->arena;
	const char *ours = h->ours[set->what], *theirs;
	size_t skip = 0, word = find_word(h, set->key, &skip);

	if (set->what == JARS && find_libjars(h)) {
		word = find_libjars(h);
		skip = 0;
	}
	theirs = word ? h->words.items[word] + skip : value_of(h, set->key);
	if (!theirs && set->instead)
		theirs = value_of(h, set->instead);
	if (!theirs || !*theirs)
		theirs = set->fallback ? set->fallback : "";
	const char *between = *theirs ? "," : "";
	const char *value = set->front ? jw_arena_fmt(arena, "%s%s%s", ours, between, theirs)
				       : jw_arena_fmt(arena, "%s%s%s", theirs, between, ours);
	if (!value)
		return jw_nomem(e);
	if (!word) {
		hadoop_xml_put(&h->more, set->key, value);
		return JW_OK;
	}
	h->words.items[word] =
		jw_arena_fmt(arena, "%.*s%s", (int)skip, h->words.items[word], value);
	return h->words.items[word] ? JW_OK : jw_nomem(e);
}

/* ---- the folder of configuration ---- */

/* The site file with ours at its end. */
static enum jw_status write_site(struct hadoop *h, const char *folder, unsigned site,
				 struct jw_err *e)
{
	static const char end[] = "</configuration>";
	const char *text = h->sites[site], *at = NULL;
	struct jw_buf out = { 0 };

	for (const char *p = text; (p = strstr(p, end)); p++)
		at = p;
	if (at)
		jw_put_bytes(&out, jw_span(text, (size_t)(at - text)));
	else
		jw_put_str(&out, "<configuration>\n");
	jw_put_bytes(&out, jw_buf_span(&h->more));
	jw_put_fmt(&out, "%s\n", end);
	const char *path = jw_arena_fmt(h->s->arena, "%s/%s", folder, site_names[site]);
	enum jw_status status = path ? jw_buf_finish(&out, site_names[site], e) : jw_nomem(e);
	if (status == JW_OK)
		status = cli_write_file(path, 0644, jw_buf_span(&out), e);
	jw_buf_free(&out);
	return status;
}

static enum jw_status write_conf(struct hadoop *h, struct jw_err *e)
{
	struct submit *s = h->s;
	char *folder = jw_arena_fmt(s->arena, "%s/.hadoop-conf-XXXXXX", s->job);

	if (!folder)
		return jw_nomem(e);
	if (!mkdtemp(folder))
		return jw_fail_errno(e, errno, "cannot make '%s'", folder);
	s->temporary = folder;
	for (size_t i = 0; i < SETTINGS; i++)
		JW_TRY(merge(h, &settings[i], e));
	for (unsigned i = 0; i < SITES; i++)
		JW_TRY(write_site(h, folder, i, e));
	JW_TRY(cli_link_all(s->arena, h->conf, folder, site_names, e));
	if (h->conf_word)
		h->words.items[h->conf_word] = folder;
	return submit_set(s, "HADOOP_CONF_DIR", folder, e);
}

/* ---- */

static enum jw_status read_command(struct hadoop *h, struct jw_err *e)
{
	struct submit *s = h->s;
	const char *variable = getenv("HADOOP_CONF_DIR");

	h->words.arena = h->woven.arena = s->arena;
	for (const char *const *word = s->words; *word; word++)
		JW_TRY(cli_words_add(&h->words, *word, e));
	for (size_t i = s->launcher + 1; i < h->words.count; i++) {
		const char *word = h->words.items[i], *next = h->words.items[i + 1];

		if (strcmp(word, "--config") == 0 && next)
			h->conf_word = i + 1;
		if (strcmp(word, "jar") == 0 && next) {
			JW_TRY(submit_application(s, next, &h->words.items[i + 1], e));
			break;
		}
	}
	if (h->conf_word)
		h->conf = h->words.items[h->conf_word];
	else if (variable && *variable)
		h->conf = variable;
	return JW_OK;
}

/* The command itself, on this host. */
static enum jw_status set_class_path(struct hadoop *h, struct jw_err *e)
{
	const char *path =
		submit_join(h->s->arena, h->woven.items, ":", getenv("HADOOP_CLASSPATH"));

	JW_TRY(submit_set(h->s, "HADOOP_CLASSPATH", path, e));
	return submit_set(h->s, "HADOOP_USER_CLASSPATH_FIRST", "true", e);
}

static enum jw_status prepare(struct submit *s, struct jw_err *e)
{
	struct hadoop h = { .s = s };
	struct cli_words jars = { .arena = s->arena };

	JW_TRY(read_command(&h, e));
	JW_TRY(read_class_path(&h, &jars, e));
	JW_TRY(submit_weave(s, cli_words_all(&jars), &h.woven, e));
	s->words = cli_words_all(&h.words);
	if (!h.woven.count)
		return JW_OK;
	JW_TRY(set_class_path(&h, e));
	if (!h.conf)
		return JW_OK; /* no cluster: the job runs in the command itself */
	for (unsigned i = 0; i < SITES; i++)
		JW_TRY(read_site(&h, i, e));
	const char *framework = value_of(&h, "mapreduce.framework.name");
	if (!framework || strcmp(framework, "yarn") != 0)
		return JW_OK;
	enum jw_status status = make_ours(&h, e);
	if (status == JW_OK)
		status = write_conf(&h, e);
	jw_buf_free(&h.more);
	s->words = cli_words_all(&h.words);
	return status;
}

static const char *const tools[] = { "hadoop", "yarn", "mapred", NULL };

const struct submit_engine submit_hadoop = { "Hadoop", "hadoop", tools, prepare };
