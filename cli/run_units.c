/*
 * run_units.c: see run_units.h.
 */
#include "cli/run_units.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/application.h"
#include "cli/paths.h"
#include "cli/run_classes.h"
#include "cli/run_inputs.h"
#include "cli/run_patch.h"
#include "cli/run_path.h"
#include "cli/run_weave.h"
#include "cli/run_web.h"
#include "cli/safe_text.h"
#include "weaver/archive/entries.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

enum { PACKAGE_MAX = 512 };

/* ---- units ---- */

static struct run_unit *new_unit(struct run_choice *c, const char *path, bool folder, bool nested)
{
	struct run_unit *unit = JW_NEW(c->run->arena, struct run_unit);
	const char *name = cli_base_name(c->run->arena, path);

	if (!unit || !name)
		return NULL;
	*unit = (struct run_unit){ .name = name,
				   .folder = folder,
				   .nested = nested || c->in_web,
				   .given = c->given && !nested,
				   .input = c->input };
	*c->last = unit;
	c->last = &unit->next;
	return unit;
}

/* FILE, the path of a class, is in UNIT. */
static enum jw_status take_class(struct run_choice *c, struct run_unit *unit, struct jw_span file,
				 struct jw_err *e)
{
	char package[PACKAGE_MAX];
	size_t n = file.n;

	if (!c->main_unit && c->main_file && jw_span_eq_str(file, c->main_file)) {
		c->main_unit = unit;
		unit->has_main = true;
	}
	while (n && file.p[n - 1] != '/')
		n--;
	n -= n > 0;
	if (n >= sizeof(package) || jw_span_eq_str(file, "module-info.class"))
		return JW_OK;
	for (size_t i = 0; i < n; i++)
		package[i] = (char)(file.p[i] == '/' ? '.' : file.p[i]);
	package[n] = '\0';
	if (strlen(package) != n) /* no JVM has such a package */
		return JW_OK;
	return cli_add_root(c->run->arena, &unit->roots, package, cli_root(package), 1, e);
}

static enum jw_status take_file(void *ctx, const char *file, struct jw_err *e)
{
	struct run_choice *c = ctx;

	return take_class(c, c->jar, jw_span_str(file), e);
}

/* Where the classes of the application are in an archive that also has others. */
static bool strip_classes(struct jw_span *name)
{
	static const char *const folders[] = { "BOOT-INF/classes/", "WEB-INF/classes/" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t n = strlen(folders[i]);

		if (jw_span_starts(*name, jw_span_str(folders[i]))) {
			*name = jw_span_sub(*name, n, name->n - n);
			return true;
		}
	}
	return false;
}

/* The unit that an entry NAME of INSIDE belongs to. */
static struct run_unit *unit_of(struct run_choice *c, struct jw_span inside, struct jw_span *name)
{
	if (inside.n) {
		if (!c->inside || !jw_span_eq_str(inside, c->inside)) {
			c->inside = jw_arena_str(c->run->arena, inside);
			c->inner = c->inside ? new_unit(c, c->inside, false, true) : NULL;
		}
		return c->inner;
	}
	if (!strip_classes(name))
		return c->jar;
	if (!c->classes)
		c->classes = new_unit(c, c->jar->name, true, false);
	return c->classes;
}

static enum jw_status take_entry(void *ctx, struct jw_span inside, struct jw_span name,
				 struct jw_err *e)
{
	const struct jw_span meta = JW_SPAN_LIT("META-INF/");
	struct run_choice *c = ctx;
	struct run_unit *unit = unit_of(c, inside, &name);

	if (!unit)
		return jw_nomem(e);
	unit->projects += cli_maven_group(name).n > 0;
	if (!jw_span_ends(name, JW_SPAN_LIT(".class")) || jw_span_starts(name, meta))
		return JW_OK;
	return take_class(c, unit, name, e);
}

enum jw_status run_look_at(struct run_choice *c, const char *path, struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	enum jw_status status;
	enum run_input kind;

	if (!cli_exists(path))
		return JW_OK;
	JW_TRY(run_input(c->run, path, &kind, e));
	c->input = kind != RUN_INPUT_NONE;
	c->classes = c->inner = NULL;
	c->inside = NULL;
	c->jar = new_unit(c, path, cli_is_folder(path), false);
	if (!c->jar)
		return jw_nomem(e);
	if (c->jar->folder)
		status = run_folder_classes(c->run, path, take_file, c, &ignored);
	else
		status = weave_jar_entries(path, take_entry, c, &ignored);
	return status == JW_NOMEM ? jw_nomem(e) : JW_OK; /* others speak where it is woven */
}

static enum jw_status look_at_manifest(struct run_choice *c, const char *jar, const char *text,
				       struct jw_err *e)
{
	char folder[PATH_MAX];

	if (!realpath(jar, folder))
		return JW_OK;
	*strrchr(folder, '/') = '\0';
	for (size_t n; *text; text += n + (text[n] != '\0')) {
		n = strcspn(text, " \t");
		const char *word = jw_arena_str(c->run->arena, jw_span(text, n));

		if (!word)
			return jw_nomem(e);
		const char *path = n ? run_file_of(c->run->arena, folder, word) : NULL;
		if (path)
			JW_TRY(run_look_at(c, path, e));
	}
	return JW_OK;
}

static enum jw_status look_at_class_path(struct run_choice *c, const char *text, struct jw_err *e)
{
	const char **parts;

	JW_TRY(run_split(c->run, text, &parts, e));
	for (; *parts; parts++) {
		struct weave_jar_facts facts = { 0 };
		struct jw_err ignored = { 0 };

		JW_TRY(run_look_at(c, *parts, e));
		if (!cli_is_folder(*parts) &&
		    weave_jar_facts(*parts, c->run->arena, &facts, &ignored) == JW_OK &&
		    facts.class_path)
			JW_TRY(look_at_manifest(c, *parts, facts.class_path, e));
	}
	return JW_OK;
}

static enum jw_status look_at_modules(struct run_choice *c, const char *text, struct jw_err *e)
{
	const char **parts, **modules;

	JW_TRY(run_split(c->run, text, &parts, e));
	for (; *parts; parts++) {
		JW_TRY(run_modules(c->run, *parts, &modules, e));
		for (; *modules; modules++)
			JW_TRY(run_look_at(c, *modules, e));
	}
	return JW_OK;
}

/* ---- the main class ---- */

static enum jw_status set_main(struct run_choice *c, const char *class_name, struct jw_err *e)
{
	struct jw_arena *arena = c->run->arena;
	char *file = jw_arena_fmt(arena, "%s.class", class_name), *package;

	if (!file)
		return jw_nomem(e);
	for (size_t i = 0, n = strlen(class_name); i < n; i++)
		if (file[i] == '.')
			file[i] = '/';
	const char *slash = strrchr(file, '/');
	package = jw_arena_str(arena, jw_span(file, slash ? (size_t)(slash - file) : 0));
	if (!package)
		return jw_nomem(e);
	for (char *p = package; *p; p++)
		if (*p == '/')
			*p = '.';
	if (cli_is_launcher(class_name) || c->run->application.hosted) {
		c->launcher = package;
		return JW_OK;
	}
	c->main = package;
	c->main_file = file;
	return JW_OK;
}

/* A module is called by its main package, as a rule: where it names no class, that has to do. */
static enum jw_status find_main(struct run_choice *c, struct jw_err *e)
{
	const struct cli_java *java = &c->run->java;
	const char *main = java->words[java->main] + java->main_skip;
	struct weave_jar_facts facts = { 0 };
	struct jw_err ignored = { 0 };

	if (java->mode == CLI_JAVA_CLASS)
		return set_main(c, main, e);
	if (java->mode == CLI_JAVA_MODULE) {
		const char *slash = strchr(main, '/');

		c->main = slash ? NULL : main;
		return slash ? set_main(c, slash + 1, e) : JW_OK;
	}
	if (weave_jar_facts(main, c->run->arena, &facts, &ignored) == JW_OK && facts.main_class)
		return set_main(c, facts.main_class, e);
	return JW_OK;
}

/* A file of an unpacked web application or of a folder of classes: a class, or a jar, which is like one in a .war. */
static enum jw_status look_at_web(void *ctx, const char *file, struct jw_err *e)
{
	struct run_choice *c = ctx;
	struct jw_span name = jw_span_str(file);

	if (strip_classes(&name) || cli_ends(file, ".class"))
		return take_class(c, c->classes, name, e);
	const char *path = jw_arena_fmt(c->run->arena, "%s/%s", c->inside, file), *web = c->inside;
	struct run_unit *classes = c->classes;

	if (!path)
		return jw_nomem(e);
	c->in_web = true;
	JW_TRY(run_look_at(c, path, e));
	c->in_web = false;
	c->inside = web;
	c->classes = classes;
	return JW_OK;
}

static enum jw_status look_at_application(struct run_choice *c, struct jw_err *e)
{
	const struct run_application *a = &c->run->application;

	c->given = true;
	for (const char **file = a->files; file && *file; file++)
		JW_TRY(run_look_at(c, *file, e));
	c->given = false;
	for (const char **web = a->unpacked; web && *web; web++) {
		c->inside = *web;
		c->classes = new_unit(c, *web, true, false);
		if (!c->classes)
			return jw_nomem(e);
		struct jw_err ignored = { 0 };
		if (run_web_files(c->run, *web, look_at_web, c, &ignored) == JW_NOMEM)
			return jw_nomem(e);
	}
	return JW_OK;
}

static enum jw_status look_at_patches(struct run_choice *c, struct jw_err *e)
{
	struct cli_words places = { .arena = c->run->arena };

	JW_TRY(run_patch_places(c->run, &places, e));
	for (size_t i = 0; i < places.count; i++)
		JW_TRY(run_look_at(c, places.items[i], e));
	return JW_OK;
}

static enum jw_status look_at_all(struct run_choice *c, struct jw_err *e)
{
	const struct cli_java *java = &c->run->java;

	JW_TRY(find_main(c, e));
	JW_TRY(look_at_application(c, e));
	if (c->run->application.whole)
		return JW_OK;
	if (java->module_path_text)
		JW_TRY(look_at_modules(c, java->module_path_text, e));
	JW_TRY(look_at_patches(c, e));
	if (java->mode == CLI_JAVA_JAR)
		return look_at_class_path(c, java->words[java->main], e);
	return java->class_path_text ? look_at_class_path(c, java->class_path_text, e) : JW_OK;
}

/* ---- all of it ---- */

/* Where no unit has the file of the main class (a module that names none): the unit of its root. */
static void find_main_unit(struct run_choice *c)
{
	for (struct run_unit *u = c->units; u && !c->main_unit && c->main; u = u->next)
		if (cli_find_root(u->roots, c->main, cli_root(c->main)))
			c->main_unit = u;
}

enum jw_status run_look(struct run *run, struct run_choice **out, struct jw_err *e)
{
	struct run_choice *c = JW_NEW(run->arena, struct run_choice);

	if (!c)
		return jw_nomem(e);
	*c = (struct run_choice){ .run = run, .last = &c->units };
	JW_TRY(look_at_all(c, e));
	find_main_unit(c);
	*out = c;
	return JW_OK;
}
