#define _GNU_SOURCE /* memmem */
#include "cli/run_archives.h"

#include <string.h>

#include "base/file.h"
#include "cli/java_launcher.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "trace/format/fields.h"

#include "base/banned.h"

#define LOG_NAME "archives" /* in the folder of the run */

enum {
	LOG_RELEASE = 11, /* from it on -Xlog takes this form, and ... */
	AOT_RELEASE = 24, /* ... the word "aot" */
	LOG_MAX = 1 << 20
};

/* By which the VM does not start where an archive is not the one of its cache: then it has to say why. */
static const char *const strict[] = { "-Xshare:on", "-XX:AOTMode=on", NULL };

const char *run_archives_strict(const struct run *run)
{
	return cli_java_option(&run->java, strict);
}

/* What this run would write: options, and what they make. */
static const struct {
	enum cli_java_text option;
	const char *what;
} written[] = {
	{ CLI_JAVA_ARCHIVE_WRITTEN, "archive of classes" },
	{ CLI_JAVA_AOT_WRITTEN, "AOT cache" },
};

/* Was PATH, such an archive or cache, made by a run of woven classes? They call a class of the runtime. */
static bool is_of_woven(const char *path)
{
	static const char runtime[] = "jweave/";
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };

	if (jw_file_open(path, 0, &file, &ignored) != JW_OK)
		return false;
	bool found = memmem(file.bytes.p, file.bytes.n, runtime, strlen(runtime)) != NULL;
	jw_file_close(&file);
	return found;
}

/* One that was made without jweave stays as it is: the next run without would have no use for it. */
static void keep_written(struct run *run)
{
	struct cli_java *java = &run->java;

	for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++) {
		const char *path = java->texts[written[i].option];

		if (!path || is_of_woven(path))
			continue;
		if (cli_exists(path)) {
			cli_java_leave_out(java, written[i].option);
			cli_note(
				run->cli,
				"the %s '%s' was made without jweave and stays as it is, since one "
				"of woven classes is of use to traced runs alone: to make one of "
				"those, name another file",
				written[i].what, path);
		} else {
			cli_note(run->cli,
				 "the %s '%s' will be one of woven classes: it is of use to traced "
				 "runs "
				 "alone",
				 written[i].what, path);
		}
	}
}

/* An archive that the JVM makes anew wherever it does not fit would be made anew at each change between runs with
 * jweave and without. */
static enum jw_status leave_kept(struct run *run, struct cli_words *options, struct jw_err *e)
{
	struct cli_java *java = &run->java;
	const char *path = java->texts[CLI_JAVA_ARCHIVE];

	if (!java->texts[CLI_JAVA_ARCHIVE_KEPT])
		return JW_OK;
	cli_java_leave_out(java, CLI_JAVA_ARCHIVE_KEPT);
	cli_java_leave_out(java, CLI_JAVA_ARCHIVE);
	java->texts[CLI_JAVA_ARCHIVE] = NULL;
	cli_note(run->cli,
		 "the archive of classes '%s', which -XX:+AutoCreateSharedArchive keeps, is of the "
		 "program as it is without jweave: this run neither reads nor writes it",
		 path ? path : "");
	/* where the environment has them */
	return cli_words_add(options, "-XX:-AutoCreateSharedArchive", e);
}

static unsigned release(const struct run *run)
{
	return cli_java_release(run->java.words[run->java.launcher], run->arena);
}

enum jw_status run_archives(struct run *run, struct cli_words *options, struct jw_err *e)
{
	const struct cli_java *java = &run->java;

	keep_written(run);
	JW_TRY(leave_kept(run, options, e));
	/* "%p" and the like would be filled in */
	if ((!java->texts[CLI_JAVA_ARCHIVE] && !java->texts[CLI_JAVA_AOT_CACHE]) ||
	    run_archives_strict(run) || release(run) < LOG_RELEASE || !run->place ||
	    strpbrk(run->place, "%\""))
		return JW_OK;
	const char *aot = release(run) < AOT_RELEASE ? "" : ",aot*=";
	JW_TRY(cli_words_add(
		options,
		jw_arena_fmt(run->arena, "-Xlog:cds*=off%s%s:stdout", aot, *aot ? "off" : ""), e));
	return cli_words_add(options,
			     jw_arena_fmt(run->arena,
					  "-Xlog:cds*=warning%s%s:file=\"%s/" LOG_NAME
					  "\":none:filecount=0",
					  aot, *aot ? "warning" : "", run->place),
			     e);
}

/* What the JVM has said first of its archives; "": nothing. */
static const char *said(struct run *run)
{
	const char *path = run->place ? jw_arena_fmt(run->arena, "%s/" LOG_NAME, run->place) : NULL;
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };

	if (!path || jw_file_open(path, LOG_MAX, &file, &ignored) != JW_OK)
		return "";
	struct jw_span rest = file.bytes;
	const char *line = jw_arena_str(run->arena, trace_line(&rest));
	jw_file_close(&file);
	return line ? line : "";
}

bool run_archives_tell(struct run *run)
{
	const char *archive = run->java.texts[CLI_JAVA_ARCHIVE];
	const char *cache = run->java.texts[CLI_JAVA_AOT_CACHE];
	const char *line = run->woven ? said(run) : "";

	if (*line) {
		cli_note(run->cli,
			 "of its %s '%s' the VM says: %s (one that was made without jweave serves "
			 "no "
			 "traced run: make one with 'jweave run', too)",
			 cache ? "AOT cache" : "archive of classes", cache ? cache : archive, line);
		return false;
	}
	/* HotSpot 25 compares neither names nor bytes of archives with those of a cache */
	if (!run->woven || !cache || is_of_woven(cache) ||
	    (run->told.traces && release(run) < AOT_RELEASE))
		return false;
	if (!run->told.traces)
		cli_note(run->cli,
			 "there is no trace: if the AOT cache '%s' was made without jweave, the VM "
			 "ran the classes that are in it; make one with 'jweave run', too",
			 cache);
	else
		cli_note(
			run->cli,
			"calls of classes that are in the AOT cache '%s' are missing, since it was "
			"made without jweave: the VM runs them as they are there; make one with "
			"'jweave run', too",
			cache);
	return true;
}
