/*
 * cmd_init.c: jweave init IN: a starter rules file from the packages of a jar.
 *
 * One rule for each package; where there are more than a reader would read, packages are put
 * together by their first parts. Of a jar with libraries in it, the packages of the application are
 * on and the others are there as comments: those that have another root than the main class, or are
 * in archives inside, or are known to everybody (application.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cfr/desc.h"
#include "cli/application.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/starter.h"
#include "trace/format/fields.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

enum { RULES_MAX = 40, OFF_MAX = 12, DEPTH_MAX = 16 };

struct init {
	struct cli *cli;
	const char **packages; /* of each class, with dots; "" for none */
	size_t count, room;
	const char *last; /* entry of the last class counted */
	/* the packages that are to be off */
	const char **off, **nested; /* nested: of the classes in archives inside */
	size_t off_count, nested_count, nested_room;
};

/* What the rules to be written choose, whatever the packages. */
static const char chooser[] =
	"{\"jweave\":1,\"rules\":[{\"match\":\"**\"}," CLI_STARTER_BORING "]}";

/* Room for one more in the list ITEMS of COUNT. */
static bool make_room(struct cli *cli, const char ***items, size_t count, size_t *room)
{
	if (count < *room)
		return true;
	size_t more = *room ? 2 * *room : 1024;
	const char **list = JW_NEW_ARRAY(&cli->arena, const char *, more);

	if (list && count)
		memcpy(list, *items, count * sizeof(*list));
	if (list) {
		*items = list;
		*room = more;
	}
	return list != NULL;
}

static enum jw_status add_package(struct init *init, struct jw_span name, bool nested,
				  struct jw_err *e)
{
	struct jw_buf text = { 0 };
	const char ***items = nested ? &init->nested : &init->packages;
	size_t *count = nested ? &init->nested_count : &init->count;

	if (!make_room(init->cli, items, *count, nested ? &init->nested_room : &init->room))
		return jw_nomem(e);
	while (name.n && name.p[name.n - 1] != '/')
		name.n--;
	jw_put_dotted(&text, jw_span_sub(name, 0, name.n ? name.n - 1 : 0));
	const char *copy =
		text.failed == JW_OK ? jw_arena_str(&init->cli->arena, jw_buf_span(&text)) : NULL;
	jw_buf_free(&text);
	if (!copy)
		return jw_nomem(e);
	(*items)[(*count)++] = copy;
	return JW_OK;
}

/* Is ENTRY in an archive inside the archive ("lib/a.jar!/p/A.class")? */
static bool is_nested(struct jw_span entry)
{
	for (size_t i = 0; i + 1 < entry.n; i++)
		if (entry.p[i] == '!' && entry.p[i + 1] == '/')
			return true;
	return false;
}

/* A class counts with its first method that the rules to be written would choose. */
static enum jw_status look(void *ctx, const struct rules_class *cls,
			   const struct rules_method *method, uint32_t code_bytes,
			   struct rules_verdict verdict, struct jw_err *e)
{
	struct init *init = ctx;

	(void)method;
	(void)code_bytes;
	if (verdict.why != RULES_WHY_TRACED || jw_span_eq(cls->entry, jw_span_str(init->last)) ||
	    !cfr_desc_class_ok(cls->name)) /* of another name no JVM makes a class */
		return JW_OK;
	bool nested = is_nested(cls->entry);
	init->last = jw_arena_str(&init->cli->arena, cls->entry);
	return init->last ? add_package(init, cls->name, nested, e) : jw_nomem(e);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Length of the first DEPTH parts of PACKAGE. */
static size_t head(const char *package, unsigned depth)
{
	size_t n = 0;

	for (;;) {
		n += strcspn(package + n, ".");
		if (!package[n] || --depth == 0)
			return n;
		n++;
	}
}

/* The end of the run of packages from I that share the first DEPTH parts. *DEEPER: some have more.
 */
static size_t run_end(const struct init *init, size_t i, unsigned depth, bool *deeper)
{
	const char *first = init->packages[i];
	size_t n = head(first, depth);

	*deeper = false;
	while (i < init->count && head(init->packages[i], depth) == n &&
	       strncmp(init->packages[i], first, n) == 0) {
		*deeper = *deeper || init->packages[i][n];
		i++;
	}
	return i;
}

static unsigned choose_depth(const struct init *init, size_t most)
{
	for (unsigned depth = DEPTH_MAX; depth > 1; depth--) {
		size_t runs = 0;
		bool deeper;

		for (size_t i = 0; i < init->count; i = run_end(init, i, depth, &deeper))
			runs++;
		if (runs <= most)
			return depth;
	}
	return 1;
}

/* A rule for each run of packages, after LEAD. */
static void put_rules(struct init *init, size_t most, const char *lead, struct jw_buf *out)
{
	unsigned depth = choose_depth(init, most);
	bool deeper;

	for (size_t i = 0, end; i < init->count; i = end) {
		const char *package = init->packages[i];
		size_t n = head(package, depth);

		end = run_end(init, i, depth, &deeper);
		jw_put_fmt(out, "    %s", lead);
		cli_starter_rule(jw_span(package, n), deeper, out);
		jw_put_fmt(out, ", // %s\n",
			   cli_plural(&init->cli->arena, end - i, "class", "classes"));
	}
}

static void put_file(struct init *init, const char *in, struct jw_buf *out)
{
	const char *name = cli_base_name(&init->cli->arena, in);

	qsort(init->packages, init->count, sizeof(*init->packages), by_text);
	jw_put_str(out, "// Rules for ");
	cli_put_escaped(out, jw_span_str(name ? name : ""));
	jw_put_str(out,
		   ": the last matching rule decides, a top-level exclude always wins.\n"
		   "// See jweave-rules(5), and 'jweave list -r THIS IN' for what they choose.\n"
		   "{\n  \"jweave\": 1,\n  \"exclude\": [],\n  \"rules\": [\n");
	put_rules(init, RULES_MAX, "", out);
	if (init->off && init->off_count) {
		struct init off = { .cli = init->cli,
				    .packages = init->off,
				    .count = init->off_count };

		qsort(off.packages, off.count, sizeof(*off.packages), by_text);
		jw_put_str(out, "    // likely libraries: without the // they are traced, too\n");
		put_rules(&off, OFF_MAX, "// ", out);
	}
	jw_put_str(out, "    " CLI_STARTER_BORING "  ]\n}\n");
}

/* ---- application and libraries ---- */

/* Does one of the COUNT packages OWN have the root of PACKAGE? */
static bool has_sibling(const char *const *own, size_t count, const char *package)
{
	for (size_t i = 0; i < count; i++)
		if (*package && cli_same_root(own[i], package))
			return true;
	return false;
}

/* Moves packages to those that are off: what is not RELATED to the main class, or, without one,
 * what is a known library. When that would be all of them, nothing moves. */
static enum jw_status part_libraries(struct init *init, const char *main_class, struct jw_err *e)
{
	size_t kept = 0, all = init->count + init->nested_count;
	char main[512];
	const char **on = JW_NEW_ARRAY(&init->cli->arena, const char *, all + 1);

	init->off = JW_NEW_ARRAY(&init->cli->arena, const char *, all + 1);
	if (!on || !init->off)
		return jw_nomem(e);
	cli_package_of(main_class ? main_class : "", main, sizeof(main));
	if (init->count == 0) { /* an ear: what it holds is the application */
		init->packages = init->nested;
		init->count = init->nested_count;
		init->nested_count = 0;
	}
	for (size_t i = 0; i < init->count; i++) {
		const char *package = init->packages[i];

		if (main_class ? cli_same_root(package, main) : !cli_is_library(package))
			on[kept++] = package;
		else
			init->off[init->off_count++] = package;
	}
	if (kept == 0 && main_class) { /* it says nothing */
		init->off_count = 0;
		return part_libraries(init, NULL, e);
	}
	if (kept == 0) {
		init->off_count = 0;
		memcpy(on, init->packages, init->count * sizeof(*on));
		kept = init->count;
	}
	init->packages = on;
	init->count = kept;
	for (size_t i = 0; i < init->nested_count; i++) {
		if (has_sibling(on, kept, init->nested[i]))
			on[init->count++] = init->nested[i];
		else
			init->off[init->off_count++] = init->nested[i];
	}
	return JW_OK;
}

/* What the manifest of IN calls the main class, or NULL. */
static const char *main_class_of(struct cli *cli, const char *in)
{
	struct weave_jar_facts facts = { 0 };
	struct jw_err ignored = { 0 };

	if (strcmp(in, "-") == 0 || cli_is_folder(in) ||
	    weave_jar_facts(in, &cli->arena, &facts, &ignored) != JW_OK)
		return NULL;
	return facts.main_class && cli_is_launcher(facts.main_class) ? NULL : facts.main_class;
}

/* ---- the command ---- */

static enum jw_status write_file(struct cli *cli, const char *path, struct jw_span text,
				 struct jw_err *e)
{
	if (cli_is_taken(path))
		return jw_fail(e, JW_USAGE, "'%s' exists: choose another name", path);
	JW_TRY(cli_write_file(path, 0666, text, e));
	if (!cli_quiet(cli))
		cli_note(cli, "wrote '%s'", path);
	return JW_OK;
}

enum jw_status cli_run_init(struct cli *cli, struct jw_err *e)
{
	struct init init = { .cli = cli, .last = "" };
	struct rules *rules = NULL;
	struct jw_buf out = { 0 };
	const char *in = cli->args.operands[0], *path = cli_value(cli, CLI_OPT_output, "-");

	JW_TRY(rules_parse(jw_span_str(chooser), "init", NULL, &rules, e));
	enum jw_status status = cli_scan(cli, in, rules, look, &init, e);
	rules_free(rules);
	JW_TRY(status);
	if (init.count + init.nested_count == 0)
		return jw_fail(e, JW_INPUT,
			       "'%s' holds no method worth a rule (JDK classes and trivial bodies "
			       "are left out)",
			       in);
	JW_TRY(part_libraries(&init, main_class_of(cli, in), e));
	put_file(&init, in, &out);
	status = jw_buf_finish(&out, "the rules", e);
	if (status == JW_OK && strcmp(path, "-") == 0)
		cli_put_span(cli, jw_buf_span(&out));
	else if (status == JW_OK)
		status = write_file(cli, path, jw_buf_span(&out), e);
	jw_buf_free(&out);
	return status;
}
