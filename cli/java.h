/*
 * java.h: the command line of the `java` launcher, understood as far as `jweave run` rewrites it.
 *
 * Words keep their order; the argument files among them (@FILE before the main class) are opened,
 * so that every option is a word of its own. The last of several class paths counts, as it does for
 * the launcher, also when it is given as the property that the launcher makes of it. JDK_JAVA_OPTIONS (with
 * argument files, too) and CLASSPATH are read, where the command says nothing itself; of JAVA_TOOL_OPTIONS, which
 * the JVM reads, only `texts`.
 *
 * Which word is the launcher: java_launcher.h. Where that depends on what follows it, it is one where it would
 * find a program.
 */
#ifndef JW_CLI_JAVA_H
#define JW_CLI_JAVA_H

#include "base/memory.h"
#include "cli/words.h"

#define CLI_JAVA_NO_FILES "--disable-@files" /* no argument file is opened after it */

enum cli_java_mode { CLI_JAVA_CLASS, CLI_JAVA_JAR, CLI_JAVA_MODULE, CLI_JAVA_OTHER };

/* Options that are only asked for. What follows them; the last one counts. */
#define CLI_JAVA_TEXT_LIST(X)                           \
	X(OUTPUT, "-Djweave.output=")                   \
	X(JOB, "-Djweave.job=")                         \
	X(AOT_CACHE, "-XX:AOTCache=")                   \
	X(AOT_WRITTEN, "-XX:AOTCacheOutput=")           \
	X(ARCHIVE, "-XX:SharedArchiveFile=")            \
	X(ARCHIVE_WRITTEN, "-XX:ArchiveClassesAtExit=") \
	X(ARCHIVE_KEPT, "-XX:+AutoCreateSharedArchive") \
	X(NATIVE, "--illegal-native-access=")

enum cli_java_text {
#define X(id, option) CLI_JAVA_##id,
	CLI_JAVA_TEXT_LIST(X)
#undef X
		CLI_JAVA_TEXTS
};

/* The value of an option: words[word] after its first `skip` characters; word 0: not given. */
struct cli_java_value {
	size_t word, skip;
};

struct cli_java {
	const char **words; /* words[0] is the command; NULL ends */
	size_t count, launcher;
	bool none; /* no launcher: a script, or another program, about which nothing is known */
	enum cli_java_mode mode; /* OTHER: -version, --list-modules, a source file... */
	size_t main;             /* word of the main class, the jar, or the module; 0: none */
	size_t main_skip;        /* "--module=" comes before it */
	struct cli_java_value class_path, module_path;
	const char *class_path_text, *module_path_text; /* also from the environment; or NULL */
	const char *texts[CLI_JAVA_TEXTS]; /* also from the environment; NULL: not given */
	struct cli_words variables;        /* of JDK_JAVA_OPTIONS and JAVA_TOOL_OPTIONS */
	bool has_files;                    /* argument files of the command were opened */
	bool early; /* by its options or the environment, code of the user's may run before main() */
};

/* Understands COUNT words. Where an argument file cannot be read, what cli_words_file() says. Never
 * fails for what it does not know: that is the launcher's to judge. */
enum jw_status JW_MUST_USE cli_java_parse(size_t count, const char *const *words,
					  struct jw_arena *arena, struct cli_java *out,
					  struct jw_err *e);

/* The same, of words of which the first one is the launcher, whatever it is called. */
enum jw_status JW_MUST_USE cli_java_parse_words(size_t count, const char *const *words,
						struct jw_arena *arena, struct cli_java *out,
						struct jw_err *e);

/* The option that is one of WORDS (NULL at their end); NULL: none is. */
const char *cli_java_option(const struct cli_java *java, const char *const *words);

/* Leaves the options WHICH out of the words. */
void cli_java_leave_out(struct cli_java *java, enum cli_java_text which);

/* The words with NEW_CLASS_PATH and NEW_MODULE_PATH (NULL: as they are), the main jar NEW_JAR (or NULL), and
 * more options EXTRA, NULL at the end, after the launcher; NULL ends them. NULL: no memory. */
const char **cli_java_rewrite(const struct cli_java *java, const char *new_class_path,
			      const char *new_module_path, const char *new_jar,
			      const char *const *extra, struct jw_arena *arena);

#endif
