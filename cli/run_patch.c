/*
 * run_patch.c: see run_patch.h.
 *
 * The value of --patch-module is MODULE=PLACE:PLACE..; the first place that has a class is the one, and packages that
 * only a place has are the module's, too: so that of the runtime's class is. A copy of a folder is its woven classes
 * alone, before the folder, as on a class path; that of a jar takes its place.
 */
#include "cli/run_patch.h"

#include <string.h>

#include "base/java_options.h"
#include "cli/folder.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/run_classes.h"
#include "cli/run_weave.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

#define OPTION "--patch-module"

/* One option: the index of the word with its value, which begins after SKIP characters. */
struct patch {
	size_t word, skip;
};

/* The next option at *AT or later of the words before END; false: none. */
static bool next_patch(const char *const *words, size_t end, size_t *at, struct patch *out)
{
	while (*at < end) {
		const char *word = words[*at];
		size_t value = *at + 1;

		*at += jw_java_takes_word(jw_span_str(word)) ? 2 : 1;
		if (strcmp(word, OPTION) == 0 && value < end) {
			*out = (struct patch){ value, 0 };
			return true;
		}
		if (cli_after(word, OPTION "=")) {
			*out = (struct patch){ value - 1, strlen(OPTION "=") };
			return true;
		}
	}
	return false;
}

static enum jw_status split(struct jw_arena *arena, const char *value, struct cli_words *places,
			    struct jw_err *e)
{
	const char *text = strchr(value, '=');

	while (text && *text) {
		text++;
		size_t n = strcspn(text, ":");

		if (n)
			JW_TRY(cli_words_add(places, jw_arena_str(arena, jw_span(text, n)), e));
		text += n;
	}
	return JW_OK;
}

/* The runtime has no place in modules of the JDK: what is there may run before a library can be loaded. */
static bool is_of_jdk(const char *value)
{
	return cli_after(value, "java.") || cli_after(value, "jdk.");
}

static enum jw_status places_of(const struct run *run, const char *const *words, size_t begin,
				size_t end, struct cli_words *places, struct jw_err *e)
{
	struct patch patch;

	while (next_patch(words, end, &begin, &patch)) {
		const char *value = words[patch.word] + patch.skip;

		if (!is_of_jdk(value))
			JW_TRY(split(run->arena, value, places, e));
	}
	return JW_OK;
}

enum jw_status run_patch_places(const struct run *run, struct cli_words *places, struct jw_err *e)
{
	const struct cli_java *java = &run->java;

	JW_TRY(places_of(run, java->words, java->launcher + 1, java->main, places, e));
	return places_of(run, java->variables.items, 0, java->variables.count, places, e);
}

/* The places of VALUE, woven, joined in *OUT; *FIRST is the first that the rules choose from, or NULL. */
static enum jw_status weave_places(struct run *run, const char *value, const char **out,
				   const char **first, struct jw_err *e)
{
	struct cli_words places = { .arena = run->arena };
	size_t name = strcspn(value, "=");

	JW_TRY(split(run->arena, value, &places, e));
	*first = NULL;
	*out = jw_arena_str(run->arena, jw_span(value, name));
	for (size_t i = 0; i < places.count && *out; i++) {
		const char *place = places.items[i], *made = NULL;
		bool folder = cli_is_folder(place);

		if (folder)
			JW_TRY(run_weave_folder(run, place, &made, e));
		else if (cli_exists(place))
			JW_TRY(run_weave_jar(run, place, &made, e));
		if (made && !*first)
			*first = place;
		*out = jw_arena_fmt(run->arena, "%s%c%s%s%s", *out, i ? ':' : '=', made ? made : "",
				    made && folder ? ":" : "", made && !folder ? "" : place);
	}
	return *out ? JW_OK : jw_nomem(e);
}

/* A place of VALUE that was not woven for it by hand (jweave weave --jdk); NULL: there is none. */
static enum jw_status find_plain(struct run *run, const char *value, const char **plain,
				 struct jw_err *e)
{
	struct cli_words places = { .arena = run->arena };

	*plain = NULL;
	JW_TRY(split(run->arena, value, &places, e));
	for (size_t i = 0; i < places.count && !*plain; i++) {
		struct jw_span mark = { 0 };

		if (cli_exists(places.items[i]) &&
		    (weave_info(places.items[i], run->arena, &mark, NULL) != JW_OK || !mark.n))
			*plain = places.items[i];
	}
	return JW_OK;
}

static enum jw_status note_jdk(struct run *run, const char *value, struct jw_err *e)
{
	const char *plain;

	JW_TRY(find_plain(run, value, &plain, e));
	if (plain)
		cli_note(run->cli,
			 "'%s' is put into the module '%.*s' of the JDK (" OPTION
			 "), and runs without tracing: weave it with 'jweave weave --jdk'",
			 plain, (int)strcspn(value, "="), value);
	return JW_OK;
}

static enum jw_status patch_command(struct run *run, const char **modules, struct jw_err *e)
{
	struct cli_java *java = &run->java;
	size_t at = java->launcher + 1;
	struct patch patch;

	while (next_patch(java->words, java->main, &at, &patch)) {
		const char *word = java->words[patch.word], *value = word + patch.skip;
		const char *woven, *first;
		int name = (int)strcspn(value, "=");

		if (is_of_jdk(value)) {
			JW_TRY(note_jdk(run, value, e));
			continue;
		}
		JW_TRY(weave_places(run, value, &woven, &first, e));
		if (!first)
			continue;
		java->words[patch.word] =
			jw_arena_fmt(run->arena, "%.*s%s", (int)patch.skip, word, woven);
		*modules = jw_arena_fmt(run->arena, "%s,%.*s", *modules, name, value);
		if (!java->words[patch.word] || !*modules)
			return jw_nomem(e);
	}
	return JW_OK;
}

/* The JVM takes one such option for each module: none in the command can replace that of a variable. */
static enum jw_status note_variables(struct run *run, struct jw_err *e)
{
	const struct cli_words *words = &run->java.variables;
	const char *woven, *first;
	struct patch patch;

	for (size_t at = 0; next_patch(words->items, words->count, &at, &patch);) {
		const char *value = words->items[patch.word] + patch.skip;

		if (is_of_jdk(value)) {
			JW_TRY(note_jdk(run, value, e));
			continue;
		}
		JW_TRY(weave_places(run, value, &woven, &first, e));
		if (first)
			cli_note(run->cli,
				 "'%s' runs without tracing: a variable of the environment has the "
				 "option " OPTION " that names it; give it in the command",
				 first);
	}
	return JW_OK;
}

enum jw_status run_patch(struct run *run, const char **modules, struct jw_err *e)
{
	*modules = "";
	JW_TRY(patch_command(run, modules, e));
	return note_variables(run, e);
}
