/*
 * run_choose.c: what `jweave run` traces when no rules are given: the application, wherever it is.
 *
 * The paths of the command are looked through by names alone: each jar, folder and jar inside a jar
 * is a unit, and knows how many classes it has below each root (application.h). Of these roots are
 * the application's
 *
 *   - that of the main class, in whatever unit it is, and though everybody knows it as a library
 *   - in folders of classes (and BOOT-INF/classes, WEB-INF/classes): all that are no library's
 *   - in the jar that has the main class, when it brings no libraries along, or has relocated them: likewise
 *   - in jars of the same name and version (kafka_2.13-3.7.0.jar, kafka-clients-3.7.0.jar):
 *     likewise, and those of a library that is called so (org.apache.kafka)
 *   - in what is on no path of the command (run_application.h): likewise
 *
 * What was relocated below one of these is none of them: a rule of its own leaves it out.
 *
 * Where there is no main class, or it only starts what others wrote (a test runner): what folders
 * have, else jars, that is no library's.
 */
#include "cli/run_choose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/application.h"
#include "cli/counted_roots.h"
#include "cli/paths.h"
#include "cli/run_path.h"
#include "cli/run_weave.h"
#include "cli/run_web.h"
#include "cli/safe_text.h"
#include "cli/starter.h"
#include "cli/words.h"
#include "weaver/archive/entries.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

enum { THIN_ROOTS = 8, LEFT_SAID = 4, PACKAGE_MAX = 512 };

struct unit {
	struct unit *next;
	const char *name; /* of the file */
	bool folder, nested, has_main;
	bool given;        /* it is the application's, on no path of the command */
	unsigned projects; /* that a build has put into it, by META-INF/maven */
	struct cli_counted_root *roots;
};

struct run_choice {
	struct run *run;
	struct unit *units, **last;
	struct unit *jar, *classes,
		*inner;               /* what is looked through; its BOOT-INF/classes; in it */
	const char *inside;           /* the name of `inner` */
	const char *main, *main_file; /* package, and path of the class; NULL: none */
	const char *launcher; /* the package of a main class that only starts others, or NULL */
	struct unit *main_unit;
	struct cli_counted_root *chosen;
	bool given,
		in_web; /* what is looked at is the application's, a part of a web application */
};

/* ---- units ---- */

static struct unit *new_unit(struct run_choice *c, const char *path, bool folder, bool nested)
{
	struct unit *unit = JW_NEW(c->run->arena, struct unit);
	const char *name = cli_base_name(c->run->arena, path);

	if (!unit || !name)
		return NULL;
	*unit = (struct unit){ .name = name,
			       .folder = folder,
			       .nested = nested || c->in_web,
			       .given = c->given && !nested };
	*c->last = unit;
	c->last = &unit->next;
	return unit;
}

/* FILE, the path of a class, is in UNIT. */
static enum jw_status take_class(struct run_choice *c, struct unit *unit, struct jw_span file,
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
static struct unit *unit_of(struct run_choice *c, struct jw_span inside, struct jw_span *name)
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
	const struct jw_span meta = JW_SPAN_LIT("META-INF/"),
			     maven = JW_SPAN_LIT("META-INF/maven/");
	struct run_choice *c = ctx;
	struct unit *unit = unit_of(c, inside, &name);

	if (!unit)
		return jw_nomem(e);
	if (jw_span_starts(name, maven) && jw_span_ends(name, JW_SPAN_LIT("/pom.properties")))
		unit->projects++;
	if (!jw_span_ends(name, JW_SPAN_LIT(".class")) || jw_span_starts(name, meta))
		return JW_OK;
	return take_class(c, unit, name, e);
}

/* The part PATH of a path, if it is one. */
static enum jw_status look_at(struct run_choice *c, const char *path, struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	enum jw_status status;

	if (!cli_exists(path))
		return JW_OK;
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
			JW_TRY(look_at(c, path, e));
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

		JW_TRY(look_at(c, *parts, e));
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
			JW_TRY(look_at(c, *modules, e));
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

/* A file of an unpacked web application: a class, or a jar, which is like one in a .war. */
static enum jw_status look_at_web(void *ctx, const char *file, struct jw_err *e)
{
	struct run_choice *c = ctx;
	struct jw_span name = jw_span_str(file);

	if (strip_classes(&name))
		return take_class(c, c->classes, name, e);
	const char *path = jw_arena_fmt(c->run->arena, "%s/%s", c->inside, file), *web = c->inside;
	struct unit *classes = c->classes;

	if (!path)
		return jw_nomem(e);
	c->in_web = true;
	JW_TRY(look_at(c, path, e));
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
		JW_TRY(look_at(c, *file, e));
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

static enum jw_status look_at_all(struct run_choice *c, struct jw_err *e)
{
	const struct cli_java *java = &c->run->java;

	JW_TRY(find_main(c, e));
	JW_TRY(look_at_application(c, e));
	if (c->run->application.whole)
		return JW_OK;
	if (java->module_path_text)
		JW_TRY(look_at_modules(c, java->module_path_text, e));
	if (java->mode == CLI_JAVA_JAR)
		return look_at_class_path(c, java->words[java->main], e);
	return java->class_path_text ? look_at_class_path(c, java->class_path_text, e) : JW_OK;
}

/* ---- choosing ---- */

/* The first word of a jar's NAME, and its version ("kafka", "3.7.0"; empty: none). */
static struct jw_span word_of(const char *name)
{
	return jw_span(name, strcspn(name, "-_."));
}

static struct jw_span version_of(const char *name)
{
	for (const char *p = name; (p = strchr(p, '-')); p++) {
		size_t n = strspn(p + 1, ".0123456789");

		while (n && p[n] == '.')
			n--;
		if (n)
			return jw_span(p + 1, n);
	}
	return jw_span(name, 0);
}

/* (Of one jar, what is beside its BOOT-INF/classes is none of them.) */
static bool same_group(const struct unit *a, const struct unit *b)
{
	return strcmp(a->name, b->name) != 0 && jw_span_eq(word_of(a->name), word_of(b->name)) &&
	       jw_span_eq(version_of(a->name), version_of(b->name));
}

/* Is ROOT the name of a library that WORD names ("org.apache.kafka", "kafka")? */
static bool is_called(const char *root, struct jw_span word)
{
	const char *dot = strrchr(root, '.');

	return jw_span_eq_str(word, dot ? dot + 1 : root);
}

/* The roots of UNIT that are no library's, except one called ALSO (may be empty). */
static enum jw_status choose_from(struct run_choice *c, const struct unit *unit,
				  struct jw_span also, struct jw_err *e)
{
	for (const struct cli_counted_root *r = unit->roots; r; r = r->next)
		if (!cli_is_library(r->name) || (also.n && is_called(r->name, also)))
			JW_TRY(cli_add_root(c->run->arena, &c->chosen, r->name, strlen(r->name), 0,
					    e));
	return JW_OK;
}

/* Does the jar UNIT bring no libraries along? There are others for that, and few roots in it. */
static bool is_thin(const struct run_choice *c, const struct unit *unit)
{
	size_t jars = 0, roots = 0;

	for (const struct unit *u = c->units; u; u = u->next)
		jars += u->roots && !u->nested;
	for (const struct cli_counted_root *r = unit->roots; r; r = r->next)
		roots += !cli_is_relocated(r->name);
	return jars > 1 && unit->projects <= 1 && roots <= THIN_ROOTS;
}

/* Has a build relocated the libraries in the jar UNIT? What it has left where it was is its own, then. */
static bool has_relocated(const struct unit *unit)
{
	size_t others = 0, relocated = 0;

	for (const struct cli_counted_root *r = unit->roots; r; r = r->next) {
		relocated += cli_is_relocated(r->name);
		others += !cli_is_library(r->name);
	}
	return relocated && others <= THIN_ROOTS;
}

/* What belongs to the main class, which is in a unit. */
static enum jw_status choose_with_main(struct run_choice *c, struct jw_err *e)
{
	const struct unit *main = c->main_unit;
	struct jw_span none = { 0 };

	JW_TRY(cli_add_root(c->run->arena, &c->chosen, c->main, cli_root(c->main), 0, e));
	for (const struct unit *u = c->units; u; u = u->next) {
		if (u->folder || u->given || (u == main && (is_thin(c, u) || has_relocated(u))))
			JW_TRY(choose_from(c, u, none, e));
		else if (same_group(u, main))
			JW_TRY(choose_from(c, u, word_of(main->name), e));
	}
	return JW_OK;
}

/* Without: the first of these that holds more than libraries; then whatever there is. */
static enum jw_status choose_without_main(struct run_choice *c, struct jw_err *e)
{
	struct jw_span none = { 0 };

	for (int pass = 0; pass < 3; pass++) {
		for (const struct unit *u = c->units; u; u = u->next)
			if (pass == 0 ? u->folder || u->given : pass == 1 ? !u->nested : true)
				JW_TRY(choose_from(c, u, none, e));
		if (c->chosen)
			return JW_OK;
	}
	for (const struct unit *u = c->units; u && !c->chosen; u = u->next)
		for (const struct cli_counted_root *r = u->roots; r; r = r->next)
			if (!c->launcher || !cli_same_root(c->launcher, r->name))
				JW_TRY(cli_add_root(c->run->arena, &c->chosen, r->name,
						    strlen(r->name), 0, e));
	return JW_OK;
}

/* Where no unit has the file of the main class (a module that names none): the unit of its root. */
static void find_main_unit(struct run_choice *c)
{
	for (struct unit *u = c->units; u && !c->main_unit && c->main; u = u->next)
		if (cli_find_root(u->roots, c->main, cli_root(c->main)))
			c->main_unit = u;
}

/* ---- the rules ---- */

/* Would the rule for a root that is chosen choose the relocated ROOT, too? */
static bool is_below_chosen(const struct run_choice *c, const char *root)
{
	if (cli_find_root(c->chosen, root, strlen(root)))
		return false;
	for (const char *dot = root; (dot = strchr(dot, '.')); dot++)
		if (cli_find_root(c->chosen, root, (size_t)(dot - root)))
			return true;
	return false;
}

static enum jw_status put_relocated(const struct run_choice *c, struct jw_buf *text,
				    struct jw_err *e)
{
	struct cli_counted_root *found = NULL, **roots;

	for (const struct unit *u = c->units; u; u = u->next)
		for (const struct cli_counted_root *r = u->roots; r; r = r->next)
			if (cli_is_relocated(r->name) && is_below_chosen(c, r->name))
				JW_TRY(cli_add_root(c->run->arena, &found, r->name, strlen(r->name),
						    0, e));
	if (!found)
		return JW_OK;
	roots = cli_sorted_roots(c->run->arena, found, cli_by_name);
	if (!roots)
		return jw_nomem(e);
	cli_starter_relocated(roots, text);
	jw_put_str(text, ",\n    ");
	return JW_OK;
}

static enum jw_status put_rules(struct run_choice *c, struct jw_buf *text, struct jw_err *e)
{
	struct cli_counted_root **roots = cli_sorted_roots(c->run->arena, c->chosen, cli_by_name);

	if (!roots)
		return jw_nomem(e);
	jw_put_str(text, "{\n  \"jweave\": 1,\n  \"rules\": [\n");
	for (; *roots; roots++) {
		jw_put_str(text, "    ");
		cli_starter_rule(jw_span_str((*roots)->name), cli_root_is_deep((*roots)->name),
				 text);
		jw_put_str(text, ",\n");
	}
	jw_put_str(text, "    " CLI_STARTER_FOREIGN ",\n    ");
	JW_TRY(put_relocated(c, text, e));
	if (c->run->leave_out_learnt) {
		cli_learnt_put(&c->run->learnt, text);
		jw_put_str(text, ",\n    ");
	}
	cli_starter_notify(jw_span(NULL, 0), text);
	jw_put_str(text, ",\n    " CLI_STARTER_BORING "  ]\n}\n");
	return jw_buf_finish(text, "the rules", e);
}

static enum jw_status look(struct run *run, struct run_choice **out, struct jw_err *e)
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

enum jw_status run_choose(struct run *run, struct jw_buf *text, struct jw_err *e)
{
	struct run_choice *c = NULL;

	JW_TRY(look(run, &c, e));
	JW_TRY(c->main_unit ? choose_with_main(c, e) : choose_without_main(c, e));
	if (!c->chosen)
		return jw_fail(e, JW_INPUT, "no method worth a rule");
	run->choice = c;
	return put_rules(c, text, e);
}

bool run_looked_at(struct run *run, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct jw_err ignored = { 0 };

	if (!run->choice && look(run, &run->choice, &ignored) != JW_OK)
		return true;
	for (const struct unit *u = run->choice->units; u; u = u->next)
		if (strcmp(u->name, name) == 0)
			return true;
	return false;
}

bool run_would_choose(struct run *run, const char *path)
{
	struct run_choice c = { .run = run, .last = &c.units };
	struct jw_err ignored = { 0 };

	if (!run->choice || !run->choice->chosen || look_at(&c, path, &ignored) != JW_OK)
		return false;
	for (const struct unit *u = c.units; u; u = u->next)
		for (const struct cli_counted_root *r = u->roots; r; r = r->next)
			if (cli_find_root(run->choice->chosen, r->name, strlen(r->name)))
				return true;
	return false;
}

/* ---- what is left ---- */

/* By the rules of -r: is a class of this root, of any name, not chosen? */
static bool is_left(const struct run_choice *c, const char *root)
{
	struct jw_buf name = { 0 };

	if (c->chosen)
		return !cli_find_root(c->chosen, root, strlen(root));
	for (const char *p = root; *p; p++)
		jw_put_u1(&name, (uint8_t)(*p == '.' ? '/' : *p));
	jw_put_str(&name, *root ? "/_" : "_");
	struct rules_class cls = { .name = jw_buf_span(&name), .access = 1 };
	bool left = !name.failed && !rules_may_choose(c->run->rules, &cls);
	jw_buf_free(&name);
	return left;
}

/* What of it the program used: how many classes it had loaded says more than how many there are. */
static struct cli_counted_root *keep_loaded(const struct run *run, struct cli_counted_root *left)
{
	struct cli_counted_root *kept = NULL, *next;

	for (struct cli_counted_root *r = left; r; r = next) {
		const struct cli_counted_root *loaded =
			cli_find_root(run->told.loaded, r->name, strlen(r->name));

		next = r->next;
		if (!loaded)
			continue;
		r->classes = loaded->classes;
		r->next = kept;
		kept = r;
	}
	return kept;
}

/* What a user asks about first: most classes first, what only helps last. */
static int by_interest(const void *a, const void *b)
{
	const struct cli_counted_root *const *x = a, *const *y = b;
	int helps = cli_is_helper((*x)->name) - cli_is_helper((*y)->name);

	return helps ? helps : cli_by_classes(a, b);
}

enum jw_status run_put_left(struct run *run, struct jw_buf *out, const char **pattern,
			    struct jw_err *e)
{
	struct run_choice *c = run->choice;
	struct cli_counted_root *left = NULL;

	if (!c)
		JW_TRY(look(run, &c, e));
	for (const struct unit *u = c->units; u; u = u->next)
		for (const struct cli_counted_root *r = u->roots; r; r = r->next)
			if (is_left(c, r->name))
				JW_TRY(cli_add_root(c->run->arena, &left, r->name, strlen(r->name),
						    r->classes, e));
	if (run->told.loaded)
		left = keep_loaded(run, left);
	struct cli_counted_root **roots = cli_sorted_roots(c->run->arena, left, by_interest);
	if (!roots)
		return jw_nomem(e);
	for (size_t i = 0; roots[i] && i < LEFT_SAID; i++)
		jw_put_fmt(out, "%s%s (%s%s)", i ? ", " : "",
			   *roots[i]->name ? roots[i]->name : "the unnamed package",
			   cli_plural(run->arena, roots[i]->classes, "class", "classes"),
			   run->told.loaded ? " loaded" : "");
	*pattern = NULL;
	if (!roots[0])
		return JW_OK;
	*pattern = *roots[0]->name ? jw_arena_fmt(run->arena, "%s.**", roots[0]->name) : "*";
	return *pattern ? JW_OK : jw_nomem(e);
}
