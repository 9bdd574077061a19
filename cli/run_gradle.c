/*
 * run_gradle.c: a script for Gradle, and a java that only says what it was started with.
 *
 * Before each task of tests comes one that asks `jweave run` to start that java with the class path
 * of the tests. So copies of what is on it are in the cache, and the tests run on those:
 *
 *     PLACE/weave                   jweave run OPTIONS -- all that it is told
 *     PLACE/gradle/jweave.gradle    gradle -I this: for all projects of the build
 *     PLACE/gradle/java             into the file $JW_WORDS: "A ARGUMENT", "E VARIABLE=VALUE"
 *     PLACE/gradle/NAME/bin/java    a copy, beside the "release" of the JDK that runs the tests
 *     PLACE/gradle/NAME/words       what it said
 *
 * The Gradle plugin (share/gradle-plugin) does the same.
 */
#include "cli/run_gradle.h"

#include "base/carried.h"
#include "base/file.h"
#include "cli/folder.h"
#include "cli/out.h"
#include "cli/run_path.h"

#include "base/banned.h"

JW_CARRY(cli_run_gradle, "share/run/jweave.gradle");
JW_CARRY(cli_run_java, "share/run/java");

enum jw_status run_gradle(struct run *run, size_t at, const char *const **words, struct jw_err *e)
{
	const char *folder = jw_arena_fmt(run->arena, "%s/gradle", run->place);
	const char *path = jw_arena_fmt(run->arena, "%s/gradle/jweave.gradle", run->place);
	const char *java = jw_arena_fmt(run->arena, "%s/gradle/java", run->place);
	const char **made = JW_NEW_ARRAY(run->arena, const char *, run->java.count + 3);

	if (!folder || !path || !java || !made)
		return jw_nomem(e);
	JW_TRY(cli_new_folder(folder, e));
	JW_TRY(cli_write_file(path, 0600, JW_CARRIED(cli_run_gradle), e));
	JW_TRY(cli_write_file(java, 0700, JW_CARRIED(cli_run_java), e));
	size_t n = 0;
	for (size_t i = 0; i < run->java.count; i++) {
		made[n++] = run->java.words[i];
		if (i == at) {
			made[n++] = "-I";
			made[n++] = path;
		}
	}
	made[n] = NULL;
	*words = made;
	return JW_OK;
}
