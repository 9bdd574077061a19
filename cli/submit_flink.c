/*
 * submit_flink.c: Flink. Its scripts take the jars of a folder, FLINK_LIB_DIR, and the settings of
 * another, FLINK_CONF_DIR; both are made for this job, of links and of copies:
 *
 *     JOB/.flink-XXXXXX/lib/     woven jars, links to the others
 *                       conf/    links, and the file of settings with one more line
 *
 * Processes on other hosts, that the scripts start by ssh, have neither.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/folder.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/submit.h"
#include "cli/submit_words.h"

#include "base/banned.h"

enum { SETTINGS_MAX = 16 << 20 };

/* Of releases before 1.19, and since. */
static const char *const settings_names[] = { "flink-conf.yaml", "config.yaml", NULL };

/* Native transports move bytes that nobody in Java sees. */
#define TRANSPORT "taskmanager.network.netty.transport"

static enum jw_status make_link(struct submit *s, const char *folder, const char *to,
				struct jw_err *e)
{
	const char *name = cli_base_name(s->arena, to);
	const char *at = name ? jw_arena_fmt(s->arena, "%s/%s", folder, name) : NULL;

	if (!at)
		return jw_nomem(e);
	return symlink(to, at) == 0 ? JW_OK : jw_fail_errno(e, errno, "cannot make '%s'", at);
}

/* ---- lib/ ---- */

/* FOLDER, with WOVEN in the places of the jars in FROM that have their names. */
static enum jw_status make_lib(struct submit *s, const char *from, const char *folder,
			       const struct cli_words *woven, struct jw_err *e)
{
	struct cli_words names = { .arena = s->arena };

	JW_TRY(cli_new_folder(folder, e));
	for (size_t i = 0; i < woven->count; i++) {
		JW_TRY(cli_words_add(&names, cli_base_name(s->arena, woven->items[i]), e));
		JW_TRY(make_link(s, folder, woven->items[i], e));
	}
	JW_TRY(cli_link_all(s->arena, from, folder, cli_words_all(&names), e));
	return submit_set(s, "FLINK_LIB_DIR", folder, e);
}

/* ---- conf/ ---- */

/* The file NAME of settings in FROM with ours, unless it says them itself. */
static enum jw_status write_settings(struct submit *s, const char *from, const char *folder,
				     const char *name, struct jw_err *e)
{
	const char *theirs = jw_arena_fmt(s->arena, "%s/%s", from, name);
	const char *path = jw_arena_fmt(s->arena, "%s/%s", folder, name);
	struct jw_buf out = { 0 };
	struct jw_file file = { 0 };

	if (!theirs || !path)
		return jw_nomem(e);
	if (!cli_exists(theirs))
		return JW_OK;
	JW_TRY(jw_file_open(theirs, SETTINGS_MAX, &file, e));
	jw_put_bytes(&out, file.bytes);
	const char *text = jw_arena_str(s->arena, file.bytes);
	jw_file_close(&file);
	if (text && !strstr(text, TRANSPORT))
		jw_put_str(&out, "\n" TRANSPORT ": nio\n");
	enum jw_status status = text ? jw_buf_finish(&out, name, e) : jw_nomem(e);
	if (status == JW_OK)
		status = cli_write_file(path, 0600, jw_buf_span(&out), e);
	jw_buf_free(&out);
	return status;
}

static enum jw_status make_conf(struct submit *s, const char *from, const char *folder,
				struct jw_err *e)
{
	if (!cli_is_folder(from))
		return JW_OK; /* Flink says that its settings are missing */
	JW_TRY(cli_new_folder(folder, e));
	JW_TRY(cli_link_all(s->arena, from, folder, settings_names, e));
	for (size_t i = 0; settings_names[i]; i++)
		JW_TRY(write_settings(s, from, folder, settings_names[i], e));
	return submit_set(s, "FLINK_CONF_DIR", folder, e);
}

/* ---- */

static const char *folder_of(struct submit *s, const char *variable, const char *home,
			     const char *name)
{
	const char *value = getenv(variable);

	return value && *value ? value : jw_arena_fmt(s->arena, "%s/%s", home, name);
}

/* Tools that end when what they have started runs. */
static const char *const starters[] = { "start-cluster.sh",  "jobmanager.sh",   "taskmanager.sh",
					"standalone-job.sh", "yarn-session.sh", NULL };

static enum jw_status prepare(struct submit *s, struct jw_err *e)
{
	struct cli_words jars = { .arena = s->arena }, woven = { .arena = s->arena };
	const char *home = submit_home(s);

	if (!home)
		return jw_fail(e, JW_INPUT, "cannot find '%s'", s->words[s->launcher]);
	const char *lib = folder_of(s, "FLINK_LIB_DIR", home, "lib");
	const char *conf = folder_of(s, "FLINK_CONF_DIR", home, "conf");
	char *folder = jw_arena_fmt(s->arena, "%s/.flink-XXXXXX", s->job);
	if (!lib || !conf || !folder)
		return jw_nomem(e);
	JW_TRY(cli_list_folder(lib, cli_is_jar, &jars, e));
	if (!jars.count)
		return jw_fail(e, JW_INPUT, "the jars of Flink are not in '%s'", lib);
	JW_TRY(submit_weave(s, cli_words_all(&jars), &woven, e));
	if (!woven.count)
		return JW_OK;
	if (!mkdtemp(folder))
		return jw_fail_errno(e, errno, "cannot make '%s'", folder);
	s->goes_on = cli_among(starters, s->tool);
	if (!s->goes_on)
		s->temporary = folder;
	JW_TRY(make_lib(s, lib, jw_arena_fmt(s->arena, "%s/lib", folder), &woven, e));
	return make_conf(s, conf, jw_arena_fmt(s->arena, "%s/conf", folder), e);
}

static const char *const tools[] = { "flink",
				     "start-cluster.sh",
				     "jobmanager.sh",
				     "taskmanager.sh",
				     "standalone-job.sh",
				     "yarn-session.sh",
				     "sql-client.sh",
				     NULL };

const struct submit_engine submit_flink = { "Flink", "flink", tools, prepare };
