/*
 * run_application.c: who reads what from where; found before anything is woven.
 */
#include "cli/run_application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/open_archives.h"
#include "cli/application.h"
#include "cli/folder.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/run_classes.h"
#include "cli/run_path.h"
#include "cli/run_weave.h"
#include "cli/run_web.h"
#include "cli/safe_text.h"
#include "cli/words.h"
#include "weaver/archive/entries.h"
#include "weaver/archive/jar_class_path.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

/* A server that has web applications (war) in folders. BASES: words of the command that say below which one, the
 * first that is given ("-Dcatalina.base=/srv/shop"); VARIABLE: of the environment, the folder that has it, by the
 * program's first word, in "servers"; else it is the working directory. */
static const struct server {
	const char *main; /* how its main classes begin */
	const char *bases[4];
	const char *folders[4];
	const char *variable;
} servers[] = {
	{ .main = "org.apache.catalina.startup.",
	  .bases = { "-Dcatalina.base=", "-Dcatalina.home=" },
	  .folders = { "webapps" } },
	{ .main = "org.eclipse.jetty.start.",
	  .bases = { "jetty.base=", "-Djetty.base=" },
	  .folders = { "webapps", "solr-webapp" /* of Solr, which is started so */ } },
	/* what bin/jetty.sh starts with the words that the one above tells it */
	{ .main = "org.eclipse.jetty.xml.XmlConfiguration",
	  .bases = { "-Djetty.base=" },
	  .folders = { "webapps" } },
	{ .main = "org.jboss.modules.",
	  .bases = { "-Djboss.server.base.dir=" },
	  .folders = { "deployments" } },
	/* Open Liberty */
	{ .main = "com.ibm.ws.kernel.boot.",
	  .variable = "WLP_USER_DIR",
	  .folders = { "apps", "dropins" } },
	/* GlassFish and Payara Server unpack a .war once, where it is deployed, and keep it so */
	{ .main = "com.sun.enterprise.glassfish.bootstrap.",
	  .bases = { "-Dcom.sun.aas.instanceRoot=" },
	  .folders = { "applications" } },
	/* these are given them as words of the command, as any other of them may be */
	{ .main = "org.eclipse.jetty.runner." },
	{ .main = "webapp.runner.launch." },
	{ .main = "fish.payara.micro." },
};

static const char *main_class(struct run *run)
{
	const struct cli_java *java = &run->java;
	const char *main = java->words[java->main] + java->main_skip;
	struct weave_jar_facts facts = { 0 };
	struct jw_err ignored = { 0 };

	if (java->mode != CLI_JAVA_JAR)
		return java->mode == CLI_JAVA_CLASS ? main : NULL;
	return weave_jar_facts(main, run->arena, &facts, &ignored) == JW_OK ? facts.main_class
									    : NULL;
}

static const struct server *find_server(struct run *run)
{
	const char *main = run->main_class;

	for (size_t i = 0; main && i < sizeof(servers) / sizeof(*servers); i++)
		if (cli_after(main, servers[i].main))
			return &servers[i];
	return NULL;
}

static const char *base_of(struct run *run, const struct server *server)
{
	for (size_t b = 0; server->bases[b]; b++)
		for (size_t i = run->java.launcher + 1; i < run->java.count; i++) {
			const char *base = cli_after(run->java.words[i], server->bases[b]);

			if (base)
				return base;
		}
	size_t first = run->java.main + 1;
	const char *folder = server->variable ? getenv(server->variable) : NULL;
	if (folder && first < run->java.count)
		return jw_arena_fmt(run->arena, "%s/servers/%s", folder, run->java.words[first]);
	return ".";
}

static bool is_web(const char *path)
{
	return jw_is_archive(path) && !cli_is_jar(path) && cli_exists(path) && !cli_is_folder(path);
}

/* A folder that a server has made of a .war beside it, it makes anew: of the woven one. */
static bool is_unpacked(const char *path)
{
	char packed[4096];
	int n = snprintf(packed, sizeof(packed), "%s.war", path);

	return n > 0 && (size_t)n < sizeof(packed) && !cli_exists(packed) && run_is_web(path);
}

static enum jw_status find_web(struct run *run, const struct server *server, struct cli_words *out,
			       struct cli_words *unpacked, struct jw_err *e)
{
	const char *base = base_of(run, server);

	for (size_t i = 0; server->folders[i]; i++) {
		const char *folder =
			base ? jw_arena_fmt(run->arena, "%s/%s", base, server->folders[i]) : NULL;

		if (!folder)
			return jw_nomem(e);
		JW_TRY(cli_list_folder(folder, is_web, out, e));
		JW_TRY(cli_list_folder(folder, is_unpacked, unpacked, e));
	}
	for (size_t i = run->java.main + 1; i < run->java.count; i++)
		if (is_web(run->java.words[i]))
			JW_TRY(cli_words_add(out, run->java.words[i], e));
	return JW_OK;
}

static enum jw_status see_class(void *ctx, const char *file, struct jw_err *e)
{
	bool *seen = ctx;

	(void)file;
	(void)e;
	*seen = true;
	return JW_OK;
}

/* FOLDER is a web application, or has archives in it or below, or classes. */
static enum jw_status find_in(struct run *run, const char *folder, struct cli_words *files,
			      struct cli_words *unpacked, struct jw_err *e)
{
	size_t before = files->count;
	bool classes = run_is_web(folder);

	if (!classes)
		JW_TRY(cli_list_archives(folder, files, e));
	if (files->count == before && !classes)
		JW_TRY(run_folder_classes(run, folder, see_class, &classes, e));
	if (classes)
		return cli_words_add(unpacked, folder, e);
	return files->count > before
		       ? JW_OK
		       : jw_fail(e, JW_USAGE,
				 "option '--also': the folder '%s' has no jar, war or ear in it or "
				 "below, and no classes",
				 folder);
}

static enum jw_status find_also(struct run *run, struct cli_words *files,
				struct cli_words *unpacked, struct jw_err *e)
{
	const char *also = cli_value(run->cli, CLI_OPT_also, NULL), **parts = NULL;

	if (!also)
		return JW_OK;
	JW_TRY(run_split(run, also, &parts, e));
	for (; *parts; parts++) {
		if (!cli_exists(*parts))
			return jw_fail(e, JW_USAGE, "option '--also': there is no '%s'", *parts);
		JW_TRY(cli_is_folder(*parts) ? find_in(run, *parts, files, unpacked, e)
					     : cli_words_add(files, *parts, e));
	}
	return JW_OK;
}

/* ---- Quarkus ---- */

/* NAME is of a project of Maven's: its group begins the names of the jars of it that Quarkus has beside others. */
static enum jw_status take_group(void *ctx, struct jw_span inside, struct jw_span name,
				 struct jw_err *e)
{
	struct jw_span group = cli_maven_group(name);
	struct cli_words *groups = ctx;

	if (inside.n || !group.n)
		return JW_OK;
	const char *prefix =
		jw_arena_fmt(groups->arena, "%.*s.", (int)group.n, (const char *)group.p);
	return prefix ? cli_words_add(groups, prefix, e) : jw_nomem(e);
}

/* Appends those of FOLDER, where all jars are that the application in the jars OWN needs, that are modules of its own
 * project. (One that is assembled of modules has no class itself, as Keycloak.) */
static enum jw_status add_modules(struct run *run, const char *folder, struct cli_words *own,
				  struct jw_err *e)
{
	struct cli_words jars = { .arena = run->arena }, groups = jars;
	const char *all = jw_arena_fmt(run->arena, "%slib/main", folder);
	struct jw_err ignored = { 0 };

	if (!all)
		return jw_nomem(e);
	JW_TRY(cli_list_folder(all, cli_is_jar, &jars, e));
	for (size_t i = 0; i < own->count; i++) /* others speak of one that cannot be read */
		if (weave_jar_entries(own->items[i], take_group, &groups, &ignored) == JW_NOMEM)
			return jw_nomem(e);
	for (size_t i = 0; i < jars.count; i++) {
		const char *name = cli_base_name(run->arena, jars.items[i]);

		if (!name)
			return jw_nomem(e);
		for (size_t k = 0; k < groups.count; k++)
			if (cli_after(name, groups.items[k])) {
				JW_TRY(cli_words_add(own, jars.items[i], e));
				break;
			}
	}
	return JW_OK;
}

/* JAR starts what Quarkus has built: its folder is woven. */
static enum jw_status take_quarkus(struct run *run, const char *jar, struct jw_err *e)
{
	const char *slash = strrchr(jar, '/');

	if (strcmp(slash ? slash + 1 : jar, WEAVE_QUARKUS_START) != 0)
		return JW_OK;
	const char *folder =
		slash ? jw_arena_str(run->arena, jw_span(jar, (size_t)(slash - jar) + 1)) : "./";
	const char *index =
		folder ? jw_arena_fmt(run->arena, "%s" WEAVE_QUARKUS_INDEX, folder) : NULL;
	if (!index)
		return jw_nomem(e);
	if (!cli_exists(index))
		return JW_OK;
	struct cli_words jars = { .arena = run->arena };
	const char *own = jw_arena_fmt(run->arena, "%sapp", folder);
	if (!own)
		return jw_nomem(e);
	JW_TRY(cli_list_folder(own, cli_is_jar, &jars, e));
	JW_TRY(add_modules(run, folder, &jars, e));
	run->application.whole = folder;
	run->application.start = jar;
	run->application.files = cli_words_all(&jars);
	run->application.hosted = true;
	return JW_OK;
}

/* With -jar, or by its main class (Keycloak). */
static enum jw_status find_quarkus(struct run *run, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	const char **parts = NULL;

	if (java->mode == CLI_JAVA_JAR)
		return take_quarkus(run, java->words[java->main], e);
	if (java->mode != CLI_JAVA_CLASS ||
	    !cli_after(java->words[java->main], "io.quarkus.bootstrap.runner."))
		return JW_OK;
	JW_TRY(run_split(run, java->class_path_text, &parts, e));
	for (; *parts && !run->application.whole; parts++)
		JW_TRY(take_quarkus(run, *parts, e));
	return JW_OK;
}

enum jw_status run_application(struct run *run, struct jw_err *e)
{
	struct cli_words files = { .arena = run->arena }, unpacked = files;

	run->application.files = run->application.unpacked = cli_words_all(&files);
	if (run->java.mode == CLI_JAVA_OTHER)
		return JW_OK;
	run->main_class = main_class(run);
	JW_TRY(find_quarkus(run, e));
	if (run->application.whole)
		return JW_OK;
	const struct server *server = find_server(run);
	if (server)
		JW_TRY(find_web(run, server, &files, &unpacked, e));
	run->application.hosted = files.count + unpacked.count > 0;
	JW_TRY(find_also(run, &files, &unpacked, e));
	if (!run->application.hosted && files.count + unpacked.count > 0) {
		/* of a build, which runs what is given in its own JVM? */
		run->application.hosted = run->main_class && cli_is_builder(run->main_class);
	}
	run->application.files = cli_words_all(&files);
	run->application.unpacked = cli_words_all(&unpacked);
	return JW_OK;
}
