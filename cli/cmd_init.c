/*
 * cmd_init.c: jweave init IN: a starter rules file from the packages of a jar.
 *
 * One rule for each package; where there are more than a reader would read, packages are put
 * together by their first parts. Of a jar with libraries in it, the packages of the application are
 * on and the others stand there as comments: those that share nothing with the main class, or lie
 * in archives inside, or are known to everybody.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cfr/desc.h"
#include "cli/cli.h"
#include "trace/text.h"
#include "weaver/class_path.h"

#include "base/banned.h"

enum { RULES_MAX = 40, OFF_MAX = 12, DEPTH_MAX = 16 };

/* Beginnings of packages that an application takes from elsewhere. */
static const char *const libraries[] = {
	"antlr.",
	"ch.qos.logback.",
	"com.fasterxml.",
	"com.google.",
	"com.sun.",
	"com.zaxxer.",
	"groovy.",
	"io.grpc.",
	"io.micrometer.",
	"io.netty.",
	"jakarta.",
	"javassist.",
	"javax.",
	"junit.",
	"kotlin.",
	"kotlinx.",
	"net.bytebuddy.",
	"okhttp3.",
	"okio.",
	"org.antlr.",
	"org.apache.",
	"org.aspectj.",
	"org.bouncycastle.",
	"org.checkerframework.",
	"org.codehaus.",
	"org.eclipse.",
	"org.glassfish.",
	"org.h2.",
	"org.hamcrest.",
	"org.hibernate.",
	"org.jboss.",
	"org.joda.",
	"org.json.",
	"org.junit.",
	"org.mockito.",
	"org.objectweb.asm.",
	"org.postgresql.",
	"org.slf4j.",
	"org.springframework.",
	"org.w3c.",
	"org.xml.",
	"org.yaml.",
	"reactor.",
	"scala.",
};

struct init {
	struct cli *cli;
	const char **packages; /* of each class, with dots; "" for none */
	size_t count, room;
	const char *last; /* entry of the last class counted */
	bool own_only;    /* archives inside an archive are libraries */
	/* `jweave init`: the packages that are to be off */
	const char **off, **nested; /* nested: of the classes in archives inside */
	size_t off_count, nested_count, nested_room;
};

#define BORING                                                                       \
	"{ \"id\": \"boring\", \"action\": \"skip\", \"onUnmatched\": \"ignore\",\n" \
	"      \"match\": [\"**#get*()\", \"**#is*()\", \"**#hashCode()\", "         \
	"\"**#equals(java.lang.Object)\", \"**#toString()\"] }\n"

/* What the rules to be written choose, whatever the packages. */
static const char chooser[] = "{\"jweave\":1,\"rules\":[{\"match\":\"**\"}," BORING "]}";

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

/* Does ENTRY lie in an archive inside the archive ("lib/a.jar!/p/A.class")? */
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
	if (init->own_only && nested)
		return JW_OK;
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

/* PACKAGE as part of a pattern. What patterns, JSON or terminals take for something else, or cannot
 * say, is any character there. */
static void put_pattern(struct jw_buf *out, struct jw_span package)
{
	for (size_t pos = 0; pos < package.n;) {
		uint32_t c = trace_utf8_next(package, &pos);
		bool odd = !rules_is_literal(c) || cli_harmful(c) || c == TRACE_REPLACEMENT;

		jw_put_utf8(out, odd ? '?' : c);
	}
}

/* Can PACKAGE be the id of a rule, and is none of another one ("rule-7": the seventh, when it has
 * no id)? */
static bool is_id(struct jw_span package)
{
	if (package.n == 0 || jw_span_eq_str(package, "unnamed") ||
	    jw_span_eq_str(package, "boring"))
		return false;
	for (size_t i = 0; i < package.n; i++) {
		uint8_t c = package.p[i];

		if (i == 0 ? !isalpha(c) : !isalnum(c) && c != '_' && c != '.')
			return false;
	}
	return true;
}

/* For PACKAGE, and (DEEPER) those below it. */
static void put_rule(struct jw_span package, bool deeper, struct jw_buf *out)
{
	const char *all = package.n == 0 ? "*" : deeper ? ".**" : ".*";

	jw_put_str(out, "{ ");
	if (package.n == 0 || is_id(package)) {
		jw_put_str(out, "\"id\": \"");
		jw_put_bytes(out, package.n ? package : JW_SPAN_LIT("unnamed"));
		jw_put_str(out, "\", ");
	}
	jw_put_str(out, "\"match\": \"");
	put_pattern(out, package);
	jw_put_fmt(out, "%s\" }", all);
}

/* A rule for each run of packages, behind LEAD. */
static void put_rules(struct init *init, size_t most, const char *lead, struct jw_buf *out)
{
	unsigned depth = choose_depth(init, most);
	bool deeper;

	for (size_t i = 0, end; i < init->count; i = end) {
		const char *package = init->packages[i];
		size_t n = head(package, depth);

		end = run_end(init, i, depth, &deeper);
		jw_put_fmt(out, "    %s", lead);
		put_rule(jw_span(package, n), deeper, out);
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
	jw_put_str(out, "    " BORING "  ]\n}\n");
}

/* ---- without a command: for `jweave run` ---- */

/* Of the packages from START on, those that share their first two parts with MAIN_CLASS; all of
 * them, when none does. */
static void keep_related(struct init *init, size_t start, const char *main_class)
{
	const char *dot = main_class ? strrchr(main_class, '.') : NULL;
	char *package = dot ? jw_arena_str(&init->cli->arena,
					   jw_span(main_class, (size_t)(dot - main_class)))
			    : NULL;
	size_t n = package ? head(package, 2) : 0, kept = start;

	for (size_t i = start; n && i < init->count; i++)
		if (head(init->packages[i], 2) == n && strncmp(init->packages[i], package, n) == 0)
			init->packages[kept++] = init->packages[i];
	if (kept > start)
		init->count = kept;
}

enum jw_status cli_starter_rules(struct cli *cli, const char *const *inputs, size_t count,
				 const char *main_class, struct jw_buf *out, struct jw_err *e)
{
	struct init init = { .cli = cli, .last = "", .own_only = true };
	struct rules *rules = NULL;
	enum jw_status status = rules_parse(jw_span_str(chooser), "run", NULL, &rules, e);

	for (size_t i = 0; status == JW_OK && i < count; i++) {
		size_t start = init.count;

		status = cli_scan(cli, inputs[i], rules, look, &init, e);
		if (!cli_is_folder(inputs[i]))
			keep_related(&init, start, main_class);
	}
	rules_free(rules);
	JW_TRY(status);
	if (init.count == 0)
		return jw_fail(e, JW_INPUT, "no method worth a rule");
	put_file(&init, inputs[0], out);
	return jw_buf_finish(out, "the rules", e);
}

/* ---- application and libraries ---- */

static bool is_library(const char *package)
{
	size_t n = strlen(package);

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		size_t m = strlen(libraries[i]);

		if (strncmp(package, libraries[i], m) == 0 ||
		    (n == m - 1 && strncmp(package, libraries[i], n) == 0))
			return true;
	}
	return false;
}

/* Does PACKAGE share the first two parts with that of MAIN_CLASS? */
static bool is_related(const char *package, const char *main_class)
{
	const char *dot = strrchr(main_class, '.');
	size_t n = dot ? head(main_class, 2) : 0;

	if (dot && main_class + n > dot)
		n = (size_t)(dot - main_class);
	return dot ? head(package, 2) == n && strncmp(package, main_class, n) == 0 : !*package;
}

/* Does one of the COUNT packages OWN share the first two parts with PACKAGE? */
static bool has_sibling(const char *const *own, size_t count, const char *package)
{
	size_t n = head(package, 2);

	for (size_t i = 0; i < count; i++)
		if (n && head(own[i], 2) == n && strncmp(own[i], package, n) == 0)
			return true;
	return false;
}

/* Moves packages to those that are off: what is not RELATED to the main class, or, without one,
 * what is a known library. When that would be all of them, nothing moves. */
static enum jw_status part_libraries(struct init *init, const char *main_class, struct jw_err *e)
{
	size_t kept = 0, all = init->count + init->nested_count;
	const char **on = JW_NEW_ARRAY(&init->cli->arena, const char *, all + 1);

	init->off = JW_NEW_ARRAY(&init->cli->arena, const char *, all + 1);
	if (!on || !init->off)
		return jw_nomem(e);
	if (init->count == 0) { /* an ear: what it holds is the application */
		init->packages = init->nested;
		init->count = init->nested_count;
		init->nested_count = 0;
	}
	for (size_t i = 0; i < init->count; i++) {
		const char *package = init->packages[i];

		if (main_class ? is_related(package, main_class) : !is_library(package))
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
	return facts.main_class;
}

/* ---- the command ---- */

static enum jw_status write_file(struct cli *cli, const char *path, struct jw_span text,
				 struct jw_err *e)
{
	struct jw_out out = { 0 };

	if (cli_exists(path))
		return jw_fail(e, JW_USAGE, "'%s' exists: choose another name", path);
	JW_TRY(jw_out_open(path, 0666, &out, e));
	enum jw_status status = jw_out_write(&out, text, e);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	jw_out_abort(&out);
	if (status == JW_OK && !cli_quiet(cli))
		cli_note(cli, "wrote '%s'", path);
	return status;
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
