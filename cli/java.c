#include "cli/java.h"

#include <stdlib.h>
#include <string.h>

#include "base/java_options.h"
#include "cli/java_launcher.h"
#include "cli/paths.h"
#include "cli/words.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

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

static const char *const texts[CLI_JAVA_TEXTS] = {
#define X(id, option) [CLI_JAVA_##id] = option,
	CLI_JAVA_TEXT_LIST(X)
#undef X
};

static bool is_module_path(const char *word)
{
	return strcmp(word, "-p") == 0 || strcmp(word, "--module-path") == 0;
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
	static const char property[] = "-Djava.class.path=";
	const char *word = w->items[at];
	size_t next = at + 1 < w->count ? at + 1 : 0;

	if (cli_among(no_program, word))
		java->mode = CLI_JAVA_OTHER;
	if (cli_java_is_class_path(word)) {
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
	for (int i = 0; i < CLI_JAVA_TEXTS; i++)
		if (cli_after(word, texts[i]))
			java->texts[i] = cli_after(word, texts[i]);
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

static enum jw_status open_file(struct cli_words *w, const char *path, bool *opened,
				struct jw_err *e)
{
	*opened = true;
	return cli_words_file(w, path, CLI_QUOTING_JAVA, e);
}

/* Opens argument files up to the main class, as the launcher does: also in place of a value. "@@x" is "@x". */
static enum jw_status expand(size_t count, const char *const *words, size_t launcher,
			     struct cli_words *w, bool *opened, struct jw_err *e)
{
	bool files = true;

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];

		if (i <= launcher || !files || word[0] != '@' || !word[1])
			JW_TRY(cli_words_add(w, word, e));
		else if (word[1] == '@')
			JW_TRY(cli_words_add(w, word + 1, e));
		else
			JW_TRY(open_file(w, word + 1, opened, e));
		if (i > launcher && files) {
			struct cli_java java = { 0 };

			look(&java, w, launcher + 1);
			files = !java.main && strcmp(word, CLI_JAVA_NO_FILES) != 0;
		}
	}
	return JW_OK;
}

/* The words of VARIABLE (JDK_JAVA_OPTIONS) after an empty one, its argument files opened. Where one cannot be
 * read there are none: the launcher says so, if it is one that reads the variable at all. */
static enum jw_status expand_variable(const char *variable, struct cli_words *w, struct jw_err *e)
{
	struct cli_words raw = { .arena = w->arena };
	bool opened;
	struct jw_err why = { 0 };

	if (!variable)
		return JW_OK;
	JW_TRY(cli_words_add(&raw, "", e));
	JW_TRY(cli_words_read(&raw, jw_span_str(variable), CLI_QUOTING_VARIABLE, e));
	enum jw_status status = expand(raw.count, raw.items, 0, w, &opened, &why);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		w->count = 0;
	return JW_OK;
}

/* The options in FROM, words of a variable, up to what ends them. */
static enum jw_status add_all(struct cli_words *to, const struct cli_words *from, struct jw_err *e)
{
	for (size_t i = 1; i < from->count; i++)
		JW_TRY(cli_words_add(to, from->items[i], e));
	return JW_OK;
}

static const char *value_of(const struct cli_words *w, struct cli_java_value value)
{
	return value.word ? w->items[value.word] + value.skip : NULL;
}

static enum jw_status parse(size_t count, const char *const *words, size_t launcher,
			    struct jw_arena *arena, struct cli_java *out, struct jw_err *e)
{
	struct cli_words w = { .arena = arena }, env = { .arena = arena },
			 tool = { .arena = arena };
	struct cli_java java = { .launcher = launcher }, outer = { 0 }, vm = { 0 };
	const char *variable = variable_of("JDK_JAVA_OPTIONS", java.launcher, words);
	const char *of_vm = variable_of("JAVA_TOOL_OPTIONS", java.launcher, words);

	java.none = java.launcher == count;
	JW_TRY(expand(count, words, java.launcher, &w, &java.has_files, e));
	if (!java.none)
		look(&java, &w, java.launcher + 1);
	JW_TRY(expand_variable(variable, &env, e));
	look(&outer, &env, 1);
	JW_TRY(expand_variable(of_vm, &tool, e));
	look(&vm, &tool, 1);
	java.variables.arena = arena;
	JW_TRY(add_all(&java.variables, &env, e));
	JW_TRY(add_all(&java.variables, &tool, e));
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
	for (int i = 0; i < CLI_JAVA_TEXTS; i++)
		java.texts[i] = java.texts[i]    ? java.texts[i]
				: outer.texts[i] ? outer.texts[i]
						 : vm.texts[i];
	java.early = java.early || may_be_early(variable) || may_be_early(of_vm) ||
		     may_be_early(variable_of("_JAVA_OPTIONS", java.launcher, words));
	if (!java.main)
		java.mode = CLI_JAVA_OTHER;
	*out = java;
	return JW_OK;
}

/* ---- is it one? ---- */

/* Is the main class on CLASS_PATH? In the jars of a wildcard it may be. */
static bool has_main(const char *class_path, const char *main, struct jw_arena *arena)
{
	char *name = jw_arena_fmt(arena, "%s.class", main);

	if (!name)
		return true;
	for (char *c = name; c < name + strlen(main); c++)
		*c = *c == '.' ? '/' : *c;
	for (const char *part = class_path;; part++) {
		size_t n = strcspn(part, ":");
		const char *place = n ? jw_arena_str(arena, jw_span(part, n)) : ".";
		const char *file = place ? jw_arena_fmt(arena, "%s/%s", place, name) : NULL;

		if (!file || jw_span_ends(jw_span_str(place), JW_SPAN_LIT("*")) ||
		    cli_exists(file) || weave_jar_has(place, name))
			return true;
		part += n;
		if (!*part)
			return false;
	}
}

/* Would a launcher find a program by JAVA? */
static bool has_program(const struct cli_java *java, struct jw_arena *arena)
{
	const char *main = java->words[java->main] + java->main_skip;
	const char *class_path = java->class_path_text ? java->class_path_text : ".";

	switch (java->mode) {
	case CLI_JAVA_MODULE:
		return true;
	case CLI_JAVA_CLASS:
		return java->class_path.word || has_main(class_path, main, arena);
	default: /* a jar, a source file */
		return java->main && cli_exists(main);
	}
}

enum jw_status cli_java_parse(size_t count, const char *const *words, struct jw_arena *arena,
			      struct cli_java *out, struct jw_err *e)
{
	bool sure;
	size_t launcher = cli_java_launcher(count, words, arena, &sure);
	struct jw_err why = { 0 };
	struct cli_java java;

	if (sure)
		return parse(count, words, launcher, arena, out, e);
	enum jw_status status = parse(count, words, launcher, arena, &java, &why);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK || !has_program(&java, arena))
		return parse(count, words, count, arena, out, e);
	*out = java;
	return JW_OK;
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
		if (strcmp(java->words[i], CLI_JAVA_NO_FILES) == 0)
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

void cli_java_leave_out(struct cli_java *java, enum cli_java_text which)
{
	size_t at = java->launcher + 1;

	while (at < java->main) {
		if (!cli_after(java->words[at], texts[which])) {
			at += jw_java_takes_word(jw_span_str(java->words[at])) ? 2 : 1;
			continue;
		}
		memmove(&java->words[at], &java->words[at + 1],
			(java->count - at) * sizeof(*java->words)); /* with the NULL */
		java->count--;
		java->main--;
		java->class_path.word -= java->class_path.word > at;
		java->module_path.word -= java->module_path.word > at;
	}
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
