/*
 * run_choose.c: what `jweave run` traces when no rules are given: the application, wherever it is.
 *
 * The paths of the command are looked through (run_units.h). Of the roots of packages there are the application's
 *
 *   - that of the main class, in whatever unit it is, and though everybody knows it as a library
 *   - in folders of classes (and BOOT-INF/classes, WEB-INF/classes): all that are no library's
 *   - in the jar that has the main class, when it brings no libraries along, or has relocated them: likewise
 *   - in jars of the same name and version (kafka_2.13-3.7.0.jar, kafka-clients-3.7.0.jar):
 *     likewise, and those of a library that is called so (org.apache.kafka)
 *   - in what is on no path of the command (run_application.h): likewise
 *
 * Nothing is chosen from what the program reads as a file, too (run_inputs.h). What was relocated below one of these is none of them: a rule of its own leaves it out.
 *
 * Where there is no main class, or it only starts what others wrote (a test runner): what folders
 * have, else jars, that is no library's; folders that have nothing else are of somebody who works on a library.
 */
#include "cli/run_choose.h"

#include <string.h>

#include "cli/application.h"
#include "cli/counted_roots.h"
#include "cli/learnt.h"
#include "cli/out.h"
#include "cli/run_units.h"
#include "cli/safe_text.h"
#include "cli/starter.h"
#include "trace/format/fields.h"

#include "base/banned.h"

enum { THIN_ROOTS = 8, LEFT_SAID = 4 };

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
static bool same_group(const struct run_unit *a, const struct run_unit *b)
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
static enum jw_status choose_from(struct run_choice *c, const struct run_unit *unit,
				  struct jw_span also, struct jw_err *e)
{
	for (const struct cli_counted_root *r = unit->roots; r; r = r->next)
		if (!cli_is_library(r->name) || (also.n && is_called(r->name, also)))
			JW_TRY(cli_add_root(c->run->arena, &c->chosen, r->name, strlen(r->name), 0,
					    e));
	return JW_OK;
}

/* Does the jar UNIT bring no libraries along? There are others for that, and few roots in it. */
static bool is_thin(const struct run_choice *c, const struct run_unit *unit)
{
	size_t jars = 0, roots = 0;

	for (const struct run_unit *u = c->units; u; u = u->next)
		jars += u->roots && !u->nested;
	for (const struct cli_counted_root *r = unit->roots; r; r = r->next)
		roots += !cli_is_relocated(r->name);
	return jars > 1 && unit->projects <= 1 && roots <= THIN_ROOTS;
}

/* Has a build relocated the libraries in the jar UNIT? What it has left where it was is its own, then. */
static bool has_relocated(const struct run_unit *unit)
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
	const struct run_unit *main = c->main_unit;
	struct jw_span none = { 0 };

	JW_TRY(cli_add_root(c->run->arena, &c->chosen, c->main, cli_root(c->main), 0, e));
	for (const struct run_unit *u = c->units; u; u = u->next) {
		if (u->input)
			continue;
		if (u->folder || u->given || (u == main && (is_thin(c, u) || has_relocated(u))))
			JW_TRY(choose_from(c, u, none, e));
		else if (same_group(u, main))
			JW_TRY(choose_from(c, u, word_of(main->name), e));
	}
	return JW_OK;
}

/* The roots of UNIT, libraries or not, but for that of what starts others. */
static enum jw_status choose_all_from(struct run_choice *c, const struct run_unit *unit,
				      struct jw_err *e)
{
	for (const struct cli_counted_root *r = unit->roots; r; r = r->next)
		if (!c->launcher || !cli_same_root(c->launcher, r->name))
			JW_TRY(cli_add_root(c->run->arena, &c->chosen, r->name, strlen(r->name), 0,
					    e));
	return JW_OK;
}

/* Where to look where there is no main class, in turn, until something is found: FOLDERS of classes, and what is given (one
 * works on these), or jars, NESTED ones, too; for LIBRARIES, too; in the FIRST that has any. */
static const struct place {
	bool folders, nested, libraries, first;
} places[] = {
	{ .folders = true },
	{ .folders = true, .libraries = true },
	{ .nested = false },
	{ .nested = true },
	{ .nested = true, .libraries = true, .first = true },
};

static bool is_at(const struct run_unit *unit, const struct place *place)
{
	if (unit->input)
		return false;
	if (place->folders)
		return unit->folder || unit->given;
	return place->nested || !unit->nested;
}

static enum jw_status choose_at(struct run_choice *c, const struct place *place, struct jw_err *e)
{
	struct jw_span none = { 0 };

	for (const struct run_unit *u = c->units; u && !(place->first && c->chosen); u = u->next)
		if (is_at(u, place))
			JW_TRY(place->libraries ? choose_all_from(c, u, e)
						: choose_from(c, u, none, e));
	return JW_OK;
}

static enum jw_status choose_without_main(struct run_choice *c, struct jw_err *e)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !c->chosen; i++)
		JW_TRY(choose_at(c, &places[i], e));
	return JW_OK;
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

	for (const struct run_unit *u = c->units; u; u = u->next)
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

enum jw_status run_choose(struct run *run, struct jw_buf *text, struct jw_err *e)
{
	struct run_choice *c = NULL;

	JW_TRY(run_look(run, &c, e));
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

	if (!run->choice && run_look(run, &run->choice, &ignored) != JW_OK)
		return true;
	for (const struct run_unit *u = run->choice->units; u; u = u->next)
		if (strcmp(u->name, name) == 0)
			return true;
	return false;
}

bool run_would_choose(struct run *run, const char *path)
{
	struct run_choice c = { .run = run, .last = &c.units };
	struct jw_err ignored = { 0 };

	if (!run->choice || !run->choice->chosen || run_look_at(&c, path, &ignored) != JW_OK)
		return false;
	for (const struct run_unit *u = c.units; u; u = u->next)
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
	bool left = !name.failed && !rules_may_choose(c->run->rules, &cls, NULL);
	jw_buf_free(&name);
	return left;
}

bool run_may_choose(struct run *run, const char *path)
{
	struct run_choice c = { .run = run, .last = &c.units };
	struct jw_err ignored = { 0 };

	c.chosen = run->choice ? run->choice->chosen : NULL;
	if (run_look_at(&c, path, &ignored) != JW_OK)
		return false;
	for (const struct run_unit *u = c.units; u; u = u->next)
		for (const struct cli_counted_root *r = u->roots; r; r = r->next)
			if (!is_left(&c, r->name))
				return true;
	return false;
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
		JW_TRY(run_look(run, &c, e));
	for (const struct run_unit *u = c->units; u; u = u->next)
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

/* (A message is one line.) */
void run_tell_rules(struct cli *cli, struct jw_span text)
{
	cli_detail(cli, "default rules:");
	while (text.n) {
		struct jw_span line = trace_line(&text);

		cli_detail(cli, "%.*s", (int)line.n, (const char *)line.p);
	}
}
