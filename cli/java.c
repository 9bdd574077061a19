#include "cli/java.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/java_options.h"
#include "cli/words.h"

#include "base/banned.h"

enum { RELEASE_MAX = 1 << 20 };

#define NO_FILES "--disable-@files"

/* ---- options ---- */

/* Options that end the launcher's work: no program runs. */
static const char *const no_program[] = { "-version",
					  "--version",
					  "-help",
					  "--help",
					  "-h",
					  "-?",
					  "-X",
					  "--help-extra",
					  "--list-modules",
					  "-d",
					  "--describe-module",
					  "--validate-modules",
					  "--source",
					  NULL };

static bool is_class_path(const char *word)
{
	static const char *const names[] = { "-cp", "-classpath", "--class-path", NULL };

	return cli_among(names, word);
}

static bool is_module_path(const char *word)
{
	return strcmp(word, "-p") == 0 || strcmp(word, "--module-path") == 0;
}

/* "java", "/opt/jdk/bin/java", "java17", "java-17", "javaw". */
static bool is_named_java(const char *word)
{
	const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
	const char *rest = cli_after(name, "java");

	return rest && (strcmp(rest, "w") == 0 || !rest[strspn(rest, "-.0123456789")]);
}

/* The word that is the launcher; COUNT: there is none. */
static size_t find_launcher(size_t count, const char *const *words)
{
	for (size_t i = 0; i < count; i++) {
		if (is_named_java(words[i]))
			return i;
		if (is_class_path(words[i]) || cli_after(words[i], "--class-path=") ||
		    cli_after(words[i], "--module-path=") || strcmp(words[i], "-jar") == 0)
			return 0;
	}
	return count;
}

/* The value of the variable NAME for the launcher: "env NAME=VALUE java", else the environment's.
 */
static const char *variable_of(const char *name, size_t launcher, const char *const *words)
{
	size_t n = strlen(name);

	for (size_t i = launcher; i-- > 1;)
		if (strncmp(words[i], name, n) == 0 && words[i][n] == '=')
			return words[i] + n + 1;
	return getenv(name);
}

/* By which code runs before the launcher reads a manifest. Of a variable of the JVM's, whether one is
 * anywhere in it is enough: nothing but a warning depends on it. */
static const char *const early[] = { "-javaagent:",
				     "-agentlib:",
				     "-agentpath:",
				     "-Xbootclasspath",
				     "-Djava.system.class.loader=",
				     "-XX:Flags=",
				     "-XX:VMOptionsFile=" };

static bool is_early(const char *word)
{
	for (size_t i = 0; i < sizeof(early) / sizeof(*early); i++)
		if (cli_after(word, early[i]))
			return true;
	return false;
}

static bool may_be_early(const char *text)
{
	for (size_t i = 0; text && i < sizeof(early) / sizeof(*early); i++)
		if (strstr(text, early[i]))
			return true;
	return text && strchr(text, '@'); /* a file of more */
}

/* The option at AT of W; returns the index after it and its value. */
static size_t take_option(struct cli_java *java, const struct cli_words *w, size_t at)
{
	static const char output[] = "-Djweave.output=", job[] = "-Djweave.job=",
			  aot[] = "-XX:AOTCache=", property[] = "-Djava.class.path=";
	const char *word = w->items[at];
	size_t next = at + 1 < w->count ? at + 1 : 0;

	if (cli_among(no_program, word))
		java->mode = CLI_JAVA_OTHER;
	if (is_class_path(word)) {
		java->class_path = (struct cli_java_value){ next, 0 };
		return at + 2;
	}
	if (cli_after(word, "--class-path="))
		java->class_path = (struct cli_java_value){ at, strlen("--class-path=") };
	if (is_module_path(word)) {
		java->module_path = (struct cli_java_value){ next, 0 };
		return at + 2;
	}
	if (cli_after(word, "--module-path="))
		java->module_path = (struct cli_java_value){ at, strlen("--module-path=") };
	if (cli_after(word, property)) /* what the launcher makes of -cp: the last of both counts */
		java->class_path = (struct cli_java_value){ at, strlen(property) };
	if (cli_after(word, output))
		java->output = cli_after(word, output);
	if (cli_after(word, job))
		java->job = cli_after(word, job);
	if (cli_after(word, aot))
		java->aot_cache = cli_after(word, aot);
	java->early = java->early || is_early(word);
	if (strcmp(word, "-jar") == 0 && java->mode == CLI_JAVA_CLASS)
		java->mode = CLI_JAVA_JAR;
	return at + (jw_java_takes_word(jw_span_str(word)) ? 2 : 1);
}

/* Is the word at AT the module option? Then its value is the main module. */
static bool take_module(struct cli_java *java, const struct cli_words *w, size_t at)
{
	const char *word = w->items[at];
	bool next = strcmp(word, "-m") == 0 || strcmp(word, "--module") == 0;

	if (!next && !cli_after(word, "--module="))
		return false;
	java->mode = CLI_JAVA_MODULE;
	java->main = !next ? at : at + 1 < w->count ? at + 1 : 0;
	java->main_skip = next ? 0 : strlen("--module=");
	return true;
}

static void look(struct cli_java *java, const struct cli_words *w, size_t at)
{
	while (at < w->count && !java->main) {
		if (w->items[at][0] != '-') {
			java->main = at;
			if (java->mode == CLI_JAVA_CLASS &&
			    jw_span_ends(jw_span_str(w->items[at]), JW_SPAN_LIT(".java")))
				java->mode = CLI_JAVA_OTHER;
		} else if (!take_module(java, w, at)) {
			at = take_option(java, w, at);
		} else {
			return;
		}
	}
}

/* Opens argument files up to the main class, as the launcher does: also in place of a value. "@@x" is "@x". */
static enum jw_status expand(size_t count, const char *const *words, size_t launcher,
			     struct cli_words *w, struct jw_err *e)
{
	bool files = true;

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];

		if (i <= launcher || !files || word[0] != '@' || !word[1])
			JW_TRY(cli_words_add(w, word, e));
		else if (word[1] == '@')
			JW_TRY(cli_words_add(w, word + 1, e));
		else
			JW_TRY(cli_words_file(w, word + 1, CLI_QUOTING_JAVA, e));
		if (i > launcher && files) {
			struct cli_java java = { 0 };

			look(&java, w, launcher + 1);
			files = !java.main && strcmp(word, NO_FILES) != 0;
		}
	}
	return JW_OK;
}

/* The words of VARIABLE (JDK_JAVA_OPTIONS) after an empty one, its argument files opened. Where one cannot be
 * read there are none: the launcher says so, if it is one that reads the variable at all. */
static enum jw_status expand_variable(const char *variable, struct cli_words *w, struct jw_err *e)
{
	struct cli_words raw = { .arena = w->arena };
	struct jw_err why = { 0 };

	if (!variable)
		return JW_OK;
	JW_TRY(cli_words_add(&raw, "", e));
	JW_TRY(cli_words_read(&raw, jw_span_str(variable), CLI_QUOTING_VARIABLE, e));
	enum jw_status status = expand(raw.count, raw.items, 0, w, &why);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		w->count = 0;
	return JW_OK;
}

static const char *value_of(const struct cli_words *w, struct cli_java_value value)
{
	return value.word ? w->items[value.word] + value.skip : NULL;
}

static enum jw_status parse(size_t count, const char *const *words, size_t launcher,
			    struct jw_arena *arena, struct cli_java *out, struct jw_err *e)
{
	struct cli_words w = { .arena = arena }, env = { .arena = arena };
	struct cli_java java = { .launcher = launcher }, outer = { 0 };
	const char *variable = variable_of("JDK_JAVA_OPTIONS", java.launcher, words);

	java.none = java.launcher == count;
	JW_TRY(expand(count, words, java.launcher, &w, e));
	if (!java.none)
		look(&java, &w, java.launcher + 1);
	JW_TRY(expand_variable(variable, &env, e));
	look(&outer, &env, 1);
	java.words = w.items;
	java.count = w.count;
	java.class_path_text = value_of(&w, java.class_path);
	if (!java.class_path_text)
		java.class_path_text = value_of(&env, outer.class_path);
	if (!java.class_path_text && java.mode == CLI_JAVA_CLASS)
		java.class_path_text = variable_of("CLASSPATH", java.launcher, words);
	java.module_path_text = value_of(&w, java.module_path);
	if (!java.module_path_text)
		java.module_path_text = value_of(&env, outer.module_path);
	if (!java.output)
		java.output = outer.output;
	if (!java.job)
		java.job = outer.job;
	if (!java.aot_cache)
		java.aot_cache = outer.aot_cache;
	java.early = java.early || may_be_early(variable) ||
		     may_be_early(variable_of("JAVA_TOOL_OPTIONS", java.launcher, words)) ||
		     may_be_early(variable_of("_JAVA_OPTIONS", java.launcher, words));
	if (!java.main)
		java.mode = CLI_JAVA_OTHER;
	*out = java;
	return JW_OK;
}

enum jw_status cli_java_parse(size_t count, const char *const *words, struct jw_arena *arena,
			      struct cli_java *out, struct jw_err *e)
{
	return parse(count, words, find_launcher(count, words), arena, out, e);
}

enum jw_status cli_java_parse_words(size_t count, const char *const *words, struct jw_arena *arena,
				    struct cli_java *out, struct jw_err *e)
{
	return parse(count, words, 0, arena, out, e);
}

/* ---- rewriting ---- */

/* WORD with VALUE after its first SKIP characters. */
static const char *replaced(struct jw_arena *arena, const char *word, size_t skip,
			    const char *value)
{
	return skip ? jw_arena_fmt(arena, "%.*s%s", (int)skip, word, value) : value;
}

/* Does the launcher open the argument file that the word AT names? Not after the main class. */
static bool opens_files(const struct cli_java *java, size_t at)
{
	if (at <= java->launcher || at > java->main)
		return false;
	for (size_t i = java->launcher + 1; i < at; i++)
		if (strcmp(java->words[i], NO_FILES) == 0)
			return false;
	return true;
}

/* WORD, which the launcher is to take as it is. */
static const char *escaped(struct jw_arena *arena, const char *word)
{
	return word[0] == '@' && word[1] ? jw_arena_fmt(arena, "@%s", word) : word;
}

const char *cli_java_option(const struct cli_java *java, const char *const *words)
{
	for (size_t i = java->launcher + 1; i < java->main; i++)
		if (cli_among(words, java->words[i]))
			return java->words[i];
	return NULL;
}

const char **cli_java_rewrite(const struct cli_java *java, const char *new_class_path,
			      const char *new_module_path, const char *new_jar,
			      const char *const *extra, struct jw_arena *arena)
{
	size_t n = 0, extras = 0;

	while (extra[extras])
		extras++;
	const char **words = JW_NEW_ARRAY(arena, const char *, java->count + extras + 5);

	if (!words)
		return NULL;
	while (n <= java->launcher && n < java->count) {
		words[n] = java->words[n];
		n++;
	}
	while (*extra)
		words[n++] = *extra++;
	if (new_class_path && !java->class_path.word) {
		words[n++] = "-cp";
		words[n++] = escaped(arena, new_class_path);
	}
	if (new_module_path && !java->module_path.word) {
		words[n++] = "-p";
		words[n++] = escaped(arena, new_module_path);
	}
	for (size_t i = java->launcher + 1; i < java->count; i++) {
		const char *word = java->words[i];

		if (new_class_path && i == java->class_path.word)
			word = replaced(arena, word, java->class_path.skip, new_class_path);
		else if (new_module_path && i == java->module_path.word)
			word = replaced(arena, word, java->module_path.skip, new_module_path);
		else if (new_jar && i == java->main)
			word = new_jar;
		words[n++] = word && opens_files(java, i) ? escaped(arena, word) : word;
	}
	words[n] = NULL;
	for (size_t i = 0; i < n; i++)
		if (!words[i])
			return NULL;
	return words;
}

/* ---- the JDK ---- */

/* COMMAND as execvp() finds it, links resolved, into PATH. */
static bool find_command(const char *command, char path[PATH_MAX], struct jw_arena *arena)
{
	const char *folders = getenv("PATH");

	if (strchr(command, '/'))
		return realpath(command, path) != NULL;
	while (folders && *folders) {
		size_t n = strcspn(folders, ":");
		const char *full =
			jw_arena_fmt(arena, "%.*s%s%s", (int)n, folders, n ? "/" : "", command);

		if (full && access(full, X_OK) == 0)
			return realpath(full, path) != NULL;
		folders += n + (folders[n] == ':');
	}
	return false;
}

const char *cli_java_find(const char *command, struct jw_arena *arena)
{
	char path[PATH_MAX];

	return find_command(command, path, arena) ? jw_arena_str(arena, jw_span_str(path)) : NULL;
}

unsigned cli_java_release(const char *command, struct jw_arena *arena)
{
	static const char key[] = "JAVA_VERSION=\"";
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };
	char path[PATH_MAX];
	unsigned release = 0;

	if (!find_command(command, path, arena))
		return 0;
	for (int up = 0; up < 2; up++) { /* JDK/bin/java */
		char *slash = strrchr(path, '/');

		if (!slash)
			return 0;
		*slash = '\0';
	}
	const char *name = jw_arena_fmt(arena, "%s/release", path);
	if (!name || jw_file_open(name, RELEASE_MAX, &file, &ignored) != JW_OK)
		return 0;
	const char *text = jw_arena_str(arena, file.bytes);
	const char *at = text ? strstr(text, key) : NULL;
	if (at)
		release = (unsigned)strtoul(at + sizeof(key) - 1, NULL, 10);
	jw_file_close(&file);
	return release == 1 ? 8 : release; /* "1.8.0_392" */
}
