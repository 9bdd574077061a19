/*
 * run_path.c: class paths and module paths for `jweave run`: which entries they have, and the same
 * paths with woven copies in their places.
 */
#include "cli/run_path.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/folder.h"
#include "cli/java_launcher.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/run_classes.h"
#include "cli/run_inputs.h"
#include "cli/run_overlay.h"
#include "cli/run_signed.h"
#include "cli/run_weave.h"
#include "cli/safe_text.h"
#include "cli/words.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

struct run_seen {
	struct run_seen *next;
	const char *path, *result; /* result: NULL while it is looked at, or when it stays */
};

/* The jars of a wildcard, in the order of the folder, as the launcher takes them. */
static enum jw_status add_wildcard(struct cli_words *l, const char *part, struct jw_err *e)
{
	size_t n = strlen(part) - 1, before = l->count;
	const char *folder = n ? jw_arena_str(l->arena, jw_span(part, n)) : "";
	const struct dirent *entry;
	enum jw_status status = JW_OK;

	if (!folder)
		return jw_nomem(e);
	DIR *dir = opendir(*folder ? folder : ".");
	while (dir && status == JW_OK && (entry = readdir(dir)))
		if (cli_ends(entry->d_name, ".jar") || cli_ends(entry->d_name, ".JAR"))
			status = cli_words_add(
				l, jw_arena_fmt(l->arena, "%s%s", folder, entry->d_name), e);
	if (dir)
		closedir(dir);
	return status == JW_OK && l->count == before ? cli_words_add(l, part, e) : status;
}

enum jw_status run_split(struct run *run, const char *text, const char ***parts, struct jw_err *e)
{
	struct cli_words l = { .arena = run->arena };

	for (;; text++) {
		size_t n = strcspn(text, ":");
		const char *part = n ? jw_arena_str(run->arena, jw_span(text, n)) : ".";

		if (!part)
			return jw_nomem(e);
		if (strcmp(part, "*") == 0 || cli_ends(part, "/*"))
			JW_TRY(add_wildcard(&l, part, e));
		else
			JW_TRY(cli_words_add(&l, part, e));
		text += n;
		if (!*text) {
			*parts = cli_words_all(&l);
			return JW_OK;
		}
	}
}

/* ---- URLs of a manifest ---- */

static void put_url(struct jw_buf *out, const char *path, bool folder)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";

	if (out->n)
		jw_put_u1(out, ' ');
	jw_put_str(out, "file://");
	for (const char *c = path; *c; c++) {
		if (strchr(plain, *c))
			jw_put_u1(out, (uint8_t)*c);
		else
			jw_put_fmt(out, "%%%02X", (unsigned)(uint8_t)*c);
	}
	if (folder && !cli_ends(path, "/"))
		jw_put_u1(out, '/');
}

const char *run_file_of(struct jw_arena *arena, const char *folder, const char *word)
{
	struct jw_buf text = { 0 };
	size_t scheme = strcspn(word, ":/?#");

	if (word[scheme] == ':') {
		if (scheme != 4 || strncmp(word, "file", 4) != 0)
			return NULL;
		word += 5;
		if (strncmp(word, "//", 2) == 0)
			word += 2 + strcspn(word + 2, "/");
	}
	if (*word != '/')
		jw_put_fmt(&text, "%s/", folder);
	for (; *word; word++) {
		int high = *word == '%' ? jw_hex_digit(word[1]) : -1;
		int low = high >= 0 ? jw_hex_digit(word[2]) : -1;

		jw_put_u1(&text, low >= 0 ? (uint8_t)(high * 16 + low) : (uint8_t)*word);
		word += low >= 0 ? 2 : 0;
	}
	const char *path = text.failed == JW_OK ? jw_arena_str(arena, jw_buf_span(&text)) : NULL;
	jw_buf_free(&text);
	return path;
}

/* ---- jars ---- */

/* One word of the Class-Path of a jar in FOLDER, absolute and woven, into OUT. */
static enum jw_status put_word(struct run *run, const char *folder, const char *word,
			       struct jw_buf *out, bool *changed, struct jw_err *e)
{
	const char *path = run_file_of(run->arena, folder, word), *made = NULL;

	if (!path) {
		jw_put_fmt(out, "%s%s", out->n ? " " : "", word);
		return JW_OK;
	}
	bool is_folder = cli_ends(path, "/");
	if (is_folder && cli_is_folder(path))
		JW_TRY(run_weave_folder(run, path, &made, e));
	else if (!is_folder && cli_exists(path) && !cli_is_folder(path))
		JW_TRY(run_jar(run, path, &made, e));
	if (made)
		put_url(out, made, is_folder);
	if (!made || is_folder)
		put_url(out, path, is_folder);
	*changed = *changed || made;
	return JW_OK;
}

static enum jw_status new_class_path(struct run *run, const char *jar, const char *text,
				     struct jw_buf *out, bool *changed, struct jw_err *e)
{
	char real[PATH_MAX];

	if (!realpath(jar, real))
		return JW_OK;
	*strrchr(real, '/') = '\0';
	while (*text) {
		size_t n = strcspn(text, " \t");
		const char *word = jw_arena_str(run->arena, jw_span(text, n));

		if (!word)
			return jw_nomem(e);
		if (n)
			JW_TRY(put_word(run, real, word, out, changed, e));
		text += n + (text[n] != '\0');
	}
	return JW_OK;
}

/* The jar at PATH has FACTS and a Class-Path: what becomes of it. WOVEN: its copy, or NULL. */
static enum jw_status move(struct run *run, const char *path, const char *woven,
			   const struct weave_jar_facts *facts, const char **out, struct jw_err *e)
{
	struct jw_buf text = { 0 };
	bool changed = false;
	enum jw_status status = new_class_path(run, path, facts->class_path, &text, &changed, e);
	const char *value = NULL;

	if (status == JW_OK)
		status = jw_buf_finish(&text, "Class-Path", e);
	if (status == JW_OK)
		value = jw_arena_str(run->arena, jw_buf_span(&text));
	jw_buf_free(&text);
	JW_TRY(status);
	if (!value)
		return jw_nomem(e);
	*out = woven;
	if (!changed && (!woven || run->overlay))
		return JW_OK; /* all that it names is where it was, as seen from there */
	if (!woven && facts->is_signed) {
		cli_warn(run->cli,
			 "'%s' is signed and stays as it is: what its Class-Path names runs "
			 "without tracing",
			 path);
		return JW_OK;
	}
	return run_move_jar(run, woven ? woven : path, value, out, e);
}

bool run_jar_starts(struct run *run, const char *jar)
{
	if (!cli_exists(jar))
		cli_warn(run->cli, "there is no '%s'", jar);
	else if (cli_java_refuses(jar, run->arena))
		cli_warn(run->cli,
			 "'%s' has bytes after the end of its archive: java starts no such jar",
			 jar);
	else
		return true;
	return false;
}

enum jw_status run_jar(struct run *run, const char *path, const char **out, struct jw_err *e)
{
	struct weave_jar_facts facts = { 0 };
	struct jw_err why = { 0 };
	const char *woven = NULL;
	struct stat st;
	bool stays;

	*out = NULL;
	for (const struct run_seen *s = run->seen; s; s = s->next)
		if (strcmp(s->path, path) == 0) {
			*out = s->result;
			return JW_OK;
		}
	struct run_seen *seen = JW_NEW(run->arena, struct run_seen);
	if (!seen)
		return jw_nomem(e);
	*seen = (struct run_seen){ run->seen, path, NULL };
	run->seen = seen;
	if (weave_jar_facts(path, run->arena, &facts, &why) != JW_OK) {
		if (cli_is_jar(path)) { /* else it need not be one; the program may need neither */
			run->failed = true;
			cli_note(run->cli, "%s; it runs without tracing", why.text);
		}
		return JW_OK;
	}
	bool there = stat(path, &st) == 0;
	JW_TRY(run_input_stays(run, path, &stays, e));
	if (!stays)
		JW_TRY(run_weave_jar(run, path, &woven, e));
	if (facts.is_signed)
		JW_TRY(run_signed_take(run, path, woven, e));
	if (facts.is_signed && !woven)
		woven = run_signed_copy(run, path);
	*out = woven;
	if (facts.class_path)
		JW_TRY(move(run, path, woven, &facts, out, e));
	if (*out && run->overlay) {
		JW_TRY(run_overlay_add(run, path, there ? &st : NULL, *out, e));
		*out = NULL;
	}
	seen->result = *out;
	return JW_OK;
}

/* ---- paths ---- */

static enum jw_status put_part(struct cli_words *l, struct run *run, const char *part,
			       bool *changed, struct jw_err *e)
{
	const char *made = NULL;
	bool folder = cli_is_folder(part);

	if (folder)
		JW_TRY(run_weave_folder(run, part, &made, e));
	else if (cli_exists(part))
		JW_TRY(run_jar(run, part, &made, e));
	*changed = *changed || made;
	if (made)
		JW_TRY(cli_words_add(l, made, e));
	return !made || folder ? cli_words_add(l, part, e) : JW_OK;
}

static enum jw_status join(struct run *run, const struct cli_words *l, const char **out,
			   struct jw_err *e)
{
	struct jw_buf text = { 0 };

	for (size_t i = 0; i < l->count; i++)
		jw_put_fmt(&text, "%s%s", i ? ":" : "", l->items[i]);
	enum jw_status status = jw_buf_finish(&text, "path", e);
	if (status == JW_OK)
		*out = jw_arena_str(run->arena, jw_buf_span(&text));
	jw_buf_free(&text);
	return status == JW_OK && !*out ? jw_nomem(e) : status;
}

enum jw_status run_class_path(struct run *run, const char *text, const char **out, struct jw_err *e)
{
	struct cli_words l = { .arena = run->arena };
	bool changed = false;
	const char **parts = NULL;

	*out = NULL;
	JW_TRY(run_split(run, text, &parts, e));
	for (; parts && *parts; parts++)
		JW_TRY(put_part(&l, run, *parts, &changed, e));
	return changed ? join(run, &l, out, e) : JW_OK;
}

/* ---- modules ---- */

bool run_is_module(const char *path)
{
	char name[PATH_MAX];
	struct jw_buf text = { 0 };

	jw_put_fmt(&text, "%s/module-info.class", path);
	bool fits = text.failed == JW_OK && text.n < sizeof(name);
	if (fits) {
		memcpy(name, text.p, text.n);
		name[text.n] = '\0';
	}
	jw_buf_free(&text);
	return fits && cli_exists(name);
}

static bool is_modular(const char *path)
{
	return cli_is_jar(path) || run_is_module(path);
}

enum jw_status run_modules(struct run *run, const char *path, const char ***out, struct jw_err *e)
{
	struct cli_words l = { .arena = run->arena };

	if (cli_is_folder(path) && !run_is_module(path))
		JW_TRY(cli_list_folder(path, is_modular, &l, e));
	else
		JW_TRY(cli_words_add(&l, path, e));
	*out = cli_words_all(&l);
	return JW_OK;
}

enum jw_status run_module_path(struct run *run, const char *text, const char **out,
			       struct jw_err *e)
{
	struct cli_words l = { .arena = run->arena };
	const char **parts, **modules, *made;
	bool changed = false;

	*out = NULL;
	for (size_t n;; text += n + 1) {
		n = strcspn(text, ":");
		const char *part = n ? jw_arena_str(run->arena, jw_span(text, n)) : ".";
		bool itself = false;

		if (!part)
			return jw_nomem(e);
		JW_TRY(run_modules(run, part, &modules, e));
		for (parts = modules; *parts; parts++) {
			JW_TRY(run_weave_jar(run, *parts, &made, e));
			if (made)
				JW_TRY(cli_words_add(&l, made, e));
			changed = changed || made;
			itself = itself || (made && strcmp(*parts, part) == 0);
		}
		if (!itself)
			JW_TRY(cli_words_add(&l, part, e));
		if (!text[n])
			return changed ? join(run, &l, out, e) : JW_OK;
	}
}
