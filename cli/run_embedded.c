/*
 * run_embedded.c: see run_embedded.h.
 *
 * jpackage makes ROOT/bin/NAME, and ROOT/lib/app/NAME.cfg, which says what NAME runs:
 *
 *     [Application]
 *     app.classpath=$APPDIR/shop.jar          one line for each part
 *     app.mainclass=acme.Shop                 or app.mainjar, app.mainmodule
 *     [JavaOptions]
 *     java-options=-Xmx1g                     one line for each word
 *
 * (jdk.jpackage.internal.CfgFile.) jsvc takes options of java and some of its own, and a class (its manual page).
 */
#include "cli/run_embedded.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/java_options.h"
#include "cli/safe_text.h"
#include "cli/out.h"
#include "cli/paths.h"

#include "base/banned.h"

#define CFG_MAX ((size_t)1 << 20)

/* ---- jpackage ---- */

struct packaged {
	struct jw_arena *arena;
	const char *root; /* of the application, without links */
	struct cli_words options;
	const char *class_path, *main_class, *main_jar, *main_module;
};

/* VALUE of a line, with the folders that it names by variables. */
static const char *expanded(const struct packaged *p, struct jw_span value)
{
	static const struct {
		const char *name, *folder;
	} variables[] = { { "$APPDIR", "/lib/app" }, { "$BINDIR", "/bin" }, { "$ROOTDIR", "" } };
	const char *text = jw_arena_str(p->arena, value);

	for (size_t i = 0; text && i < sizeof(variables) / sizeof(*variables); i++) {
		const char *at = strstr(text, variables[i].name);

		if (at)
			text = jw_arena_fmt(p->arena, "%.*s%s%s%s", (int)(at - text), text, p->root,
					    variables[i].folder, at + strlen(variables[i].name));
	}
	return text;
}

static enum jw_status take_line(struct packaged *p, struct jw_span line, struct jw_err *e)
{
	const struct {
		const char *key, **value;
	} keys[] = { { "app.classpath=", NULL },
		     { "app.mainclass=", &p->main_class },
		     { "app.mainjar=", &p->main_jar },
		     { "app.mainmodule=", &p->main_module },
		     { "java-options=", NULL } };
	size_t i = 0, count = sizeof(keys) / sizeof(*keys);

	while (i < count && !jw_span_starts(line, jw_span_str(keys[i].key)))
		i++;
	if (i == count)
		return JW_OK;
	size_t skip = strlen(keys[i].key);
	const char *value = expanded(p, jw_span_sub(line, skip, line.n - skip));
	if (!value)
		return jw_nomem(e);
	if (keys[i].value)
		*keys[i].value = value;
	else if (i > 0)
		return cli_words_add(&p->options, value, e);
	else
		p->class_path = p->class_path
					? jw_arena_fmt(p->arena, "%s:%s", p->class_path, value)
					: value;
	return JW_OK;
}

static enum jw_status read_cfg(struct packaged *p, const char *path, struct jw_err *e)
{
	struct jw_file file = { 0 };
	enum jw_status status = jw_file_open(path, CFG_MAX, &file, e);

	struct jw_span text = file.bytes;
	while (status == JW_OK && text.n) {
		const uint8_t *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n, line = n;

		while (line && text.p[line - 1] == '\r')
			line--;
		status = take_line(p, jw_span_sub(text, 0, line), e);
		n += end != NULL;
		text = jw_span_sub(text, n, text.n - n);
	}
	jw_file_close(&file);
	return status;
}

/* The words by which java starts it; none: the file does not say what it runs. */
static enum jw_status put_packaged(const struct packaged *p, const char *program,
				   struct cli_words *w, struct jw_err *e)
{
	const char *main = p->main_jar ? p->main_jar : p->main_class;

	if (!p->main_module && !main)
		return JW_OK;
	JW_TRY(cli_words_add(w, program, e));
	for (size_t i = 0; i < p->options.count; i++)
		JW_TRY(cli_words_add(w, p->options.items[i], e));
	if (p->class_path && !p->main_jar) {
		JW_TRY(cli_words_add(w, "-cp", e));
		JW_TRY(cli_words_add(w, p->class_path, e));
	}
	if (p->main_module || p->main_jar)
		JW_TRY(cli_words_add(w, p->main_module ? "-m" : "-jar", e));
	return cli_words_add(w, p->main_module ? p->main_module : main, e);
}

/* PROGRAM is a path without links. */
static enum jw_status by_jpackage(struct run *run, const char *program, struct cli_words *w,
				  struct jw_err *e)
{
	const char *name = strrchr(program, '/');
	size_t root = (size_t)(name - program) - strlen("/bin");
	struct packaged p = { .arena = run->arena, .options = { .arena = run->arena } };

	p.root = jw_arena_str(run->arena, jw_span(program, root));
	const char *cfg = p.root ? jw_arena_fmt(run->arena, "%s/lib/app%s.cfg", p.root, name) : NULL;
	if (!cfg)
		return jw_nomem(e);
	if (!cli_exists(cfg))
		return JW_OK;
	JW_TRY(read_cfg(&p, cfg, e));
	return put_packaged(&p, program, w, e);
}

static bool in_bin(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash && slash - program >= (ptrdiff_t)strlen("/bin") &&
	       strncmp(slash - strlen("/bin"), "/bin", strlen("/bin")) == 0;
}

/* ---- jsvc ---- */

/* No JVM runs the program. */
static const char *const no_program[] = { "-check", "-stop", NULL };

static enum jw_status by_jsvc(struct run *run, const char *program, struct cli_words *w,
			      struct jw_err *e)
{
	static const char *const own[] = { "-cwd",     "-errfile",  "-home",     "-java-home",
					   "-jvm",     "-outfile",  "-pidfile",  "-procname",
					   "-umask",   "-user",     "-wait",     NULL };
	const char *const *words = run->cli->args.operands;
	size_t i = 1;

	JW_TRY(cli_words_add(w, program, e));
	for (; words[i] && words[i][0] == '-'; i++) {
		if (cli_among(own, words[i])) {
			i += words[i + 1] != NULL;
			continue;
		}
		JW_TRY(cli_words_add(w, words[i], e));
		if (words[i + 1] && jw_java_takes_word(jw_span_str(words[i])))
			JW_TRY(cli_words_add(w, words[++i], e));
	}
	for (; words[i]; i++)
		JW_TRY(cli_words_add(w, words[i], e));
	return JW_OK;
}

/* ---- both ---- */

enum jw_status run_embedded(struct run *run, struct jw_err *e)
{
	const char *program = cli_java_find(run->cli->args.operands[0], run->arena);
	const char *name = program ? cli_base_name(run->arena, program) : NULL;
	struct cli_words w = { .arena = run->arena };

	if (!name)
		return JW_OK;
	if (strcmp(name, "jsvc") == 0)
		JW_TRY(by_jsvc(run, program, &w, e));
	else if (run->java.none && in_bin(program))
		JW_TRY(by_jpackage(run, program, &w, e));
	if (!w.count)
		return JW_OK;
	JW_TRY(cli_java_parse_words(w.count, w.items, run->arena, &run->java, e));
	if (cli_java_option(&run->java, no_program))
		run->java.mode = CLI_JAVA_OTHER;
	run->embedded = program;
	return JW_OK;
}

void run_embedded_tell(const struct run *run, const char *class_path, const char *module_path,
		       const char *jar)
{
	if (class_path || module_path || jar)
		cli_warn(run->cli,
			 "'%s' is a JVM itself: folders of classes, modules and copies of its jars "
			 "cannot be given to it, and run without tracing",
			 run->embedded);
}
