/*
 * submit_flink.c: Flink. Its scripts take the jars of a folder, FLINK_LIB_DIR, which is made for this
 * job:
 *
 *     JOB/.flink-XXXXXX/lib/     links to woven jars, and to the others
 *
 * Processes on other hosts, that the scripts start by ssh, do not have it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/folder.h"
#include "cli/safe_text.h"
#include "cli/submit.h"
#include "cli/submit_words.h"

#include "base/banned.h"

static enum jw_status make_link(struct submit *s, const char *folder, const char *to,
				struct jw_err *e)
{
	const char *name = cli_base_name(s->arena, to);
	const char *at = name ? jw_arena_fmt(s->arena, "%s/%s", folder, name) : NULL;

	if (!at)
		return jw_nomem(e);
	return symlink(to, at) == 0 ? JW_OK : jw_fail_errno(e, errno, "cannot make '%s'", at);
}

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

static const char *lib_of(struct submit *s, const char *home)
{
	const char *value = getenv("FLINK_LIB_DIR");

	return value && *value ? value : jw_arena_fmt(s->arena, "%s/lib", home);
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
	const char *lib = lib_of(s, home);
	char *folder = jw_arena_fmt(s->arena, "%s/.flink-XXXXXX", s->job);
	if (!lib || !folder)
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
	return make_lib(s, lib, jw_arena_fmt(s->arena, "%s/lib", folder), &woven, e);
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
