/*
 * run_inputs.c: see run_inputs.h. Files are compared by what stat() says of them: arguments may name them by links, or
 * from another folder.
 */
#include "cli/run_inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/open_archives.h"
#include "cli/application.h"
#include "cli/folder.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/safe_text.h"

#include "base/banned.h"

struct archive {
	struct archive *next;
	dev_t device;
	ino_t inode;
};

struct run_inputs {
	struct archive *arguments, *also;
	bool compiler;
	struct cli_words stays[RUN_INPUT_LIBRARY + 1], woven; /* what was asked for */
};

/* How the names of libraries begin that compilers take code out of: of inline functions, or of what their optimiser
 * inlines. */
static const char *const libraries[] = { "kotlin-reflect", "kotlin-script-runtime",
					 "kotlin-stdlib",  "kotlinx-",
					 "scala-library",  "scala-reflect",
					 "scala3-library", "scala_library",
					 "scala_reflect",  NULL };

/* ---- the arguments ---- */

static bool is_among(const struct archive *list, const struct stat *st)
{
	for (; list; list = list->next)
		if (list->device == st->st_dev && list->inode == st->st_ino)
			return true;
	return false;
}

static enum jw_status add(struct run *run, struct archive **list, const char *path,
			  struct jw_err *e)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || is_among(*list, &st))
		return JW_OK;
	struct archive *a = JW_NEW(run->arena, struct archive);
	if (!a)
		return jw_nomem(e);
	*a = (struct archive){ *list, st.st_dev, st.st_ino };
	*list = a;
	return JW_OK;
}

/* PART of an argument: an archive, or the wildcard of a folder. One that is relative may be so to FOLDER, if any. */
static enum jw_status add_part(struct run *run, const char *part, const char *folder,
			       struct jw_err *e)
{
	struct archive **list = &run->inputs->arguments;
	struct cli_words jars = { .arena = run->arena };

	if (cli_ends(part, "/*")) {
		const char *all = jw_arena_str(run->arena, jw_span(part, strlen(part) - 1));

		if (!all)
			return jw_nomem(e);
		JW_TRY(cli_list_folder(all, jw_is_archive, &jars, e));
	} else if (jw_is_archive(part)) {
		JW_TRY(cli_words_add(&jars, part, e));
	}
	for (size_t i = 0; i < jars.count; i++)
		JW_TRY(add(run, list, jars.items[i], e));
	if (!folder || *part == '/' || !jw_is_archive(part))
		return JW_OK;
	const char *beside = jw_arena_fmt(run->arena, "%s/%s", folder, part);
	return beside ? add(run, list, beside, e) : jw_nomem(e);
}

static enum jw_status add_word(struct run *run, const char *word, const char *folder,
			       struct jw_err *e)
{
	JW_TRY(add_part(run, word, folder, e));
	while (*word) {
		size_t n = strcspn(word, "=:,;");
		const char *part = jw_arena_str(run->arena, jw_span(word, n));

		if (!part)
			return jw_nomem(e);
		JW_TRY(add_part(run, part, folder, e));
		word += n + (word[n] != '\0');
	}
	return JW_OK;
}

/* The words of the file PATH, if it is one that can be read; what is in it may be relative to its folder. */
static enum jw_status add_file(struct run *run, const char *path, struct jw_err *e)
{
	struct cli_words words = { .arena = run->arena };
	struct jw_err ignored = { 0 };
	const char *slash = strrchr(path, '/');
	const char *folder =
		slash ? jw_arena_str(run->arena, jw_span(path, (size_t)(slash - path))) : ".";

	if (!folder)
		return jw_nomem(e);
	if (cli_words_file(&words, path, CLI_QUOTING_JAVA, &ignored) == JW_NOMEM)
		return jw_nomem(e);
	for (size_t i = 0; i < words.count; i++)
		JW_TRY(add_word(run, words.items[i], folder, e));
	return JW_OK;
}

static enum jw_status find_arguments(struct run *run, struct jw_err *e)
{
	const struct cli_java *java = &run->java;

	for (size_t i = java->main + 1; i < java->count; i++) {
		const char *word = java->words[i];

		JW_TRY(add_word(run, word, NULL, e));
		if (*word == '@')
			JW_TRY(add_file(run, word + 1, e));
	}
	return JW_OK;
}

static enum jw_status open_inputs(struct run *run, struct jw_err *e)
{
	const char *main = run->main_class;
	struct cli_words none = { .arena = run->arena };

	run->inputs = JW_NEW(run->arena, struct run_inputs);
	if (!run->inputs)
		return jw_nomem(e);
	*run->inputs = (struct run_inputs){ .compiler = main && cli_is_compiler(main),
					    .stays = { none, none, none },
					    .woven = none };
	for (const char **file = run->application.files; file && *file; file++)
		JW_TRY(add(run, &run->inputs->also, *file, e));
	return main && cli_is_launcher(main) ? JW_OK : find_arguments(run, e);
}

/* ---- an archive ---- */

static bool is_library(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (const char *const *l = libraries; *l; l++)
		if (cli_after(name, *l))
			return true;
	return false;
}

enum jw_status run_input(struct run *run, const char *path, enum run_input *kind, struct jw_err *e)
{
	struct stat st;

	if (!run->inputs)
		JW_TRY(open_inputs(run, e));
	*kind = RUN_INPUT_NONE;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || is_among(run->inputs->also, &st))
		return JW_OK;
	if (run->inputs->compiler && is_library(path))
		*kind = RUN_INPUT_LIBRARY;
	else if (is_among(run->inputs->arguments, &st))
		*kind = RUN_INPUT_ARGUMENT;
	return JW_OK;
}

enum jw_status run_input_stays(struct run *run, const char *path, bool *stays, struct jw_err *e)
{
	enum run_input kind;

	JW_TRY(run_input(run, path, &kind, e));
	*stays = kind == RUN_INPUT_LIBRARY ||
		 (kind == RUN_INPUT_ARGUMENT && !cli_given(run->cli, CLI_OPT_rules));
	if (kind == RUN_INPUT_NONE)
		return JW_OK;
	return cli_words_add(*stays ? &run->inputs->stays[kind] : &run->inputs->woven, path, e);
}

/* ---- what is said ---- */

/* Of the archives LIST those that the rules choose of, as "'a.jar'", "'a.jar' and 2 more"; NULL: of none. */
static const char *which(struct run *run, const struct cli_words *list,
			 bool (*chooses)(struct run *run, const char *path))
{
	const char *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!chooses(run, list->items[i]))
			continue;
		first = count++ ? first : list->items[i];
	}
	if (count > 1)
		return jw_arena_fmt(run->arena, "'%s' and %zu more", first, count - 1);
	return count ? jw_arena_fmt(run->arena, "'%s'", first) : NULL;
}

bool run_inputs_tell(struct run *run, bool (*chooses)(struct run *run, const char *path))
{
	const struct run_inputs *inputs = run->inputs;

	if (!inputs)
		return false;
	const char *arguments = which(run, &inputs->stays[RUN_INPUT_ARGUMENT], chooses);
	const char *language = which(run, &inputs->stays[RUN_INPUT_LIBRARY], chooses);
	const char *woven = which(run, &inputs->woven, chooses);
	if (arguments)
		cli_note(run->cli,
			 "what the program has among its arguments stays as it is, since it may "
			 "take code out of it: %s (to trace it all the same: -r RULES, or --also)",
			 arguments);
	if (language)
		cli_note(run->cli,
			 "what a compiler takes code out of stays as it is: %s (to trace it all "
			 "the same: --also)",
			 language);
	if (woven)
		cli_note(run->cli,
			 "what the program has among its arguments is traced by the rules of -r: "
			 "%s (if it takes code out of that, it is woven code)",
			 woven);
	return arguments || language;
}
