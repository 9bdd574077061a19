/*
 * run_embedded.c: see run_embedded.h.
 */
#include "cli/run_embedded.h"
#include "cli/java_launcher.h"

#include <stddef.h>
#include <string.h>

#include "base/file.h"
#include "base/java_options.h"
#include "cli/out.h"
#include "cli/packaged.h"
#include "cli/paths.h"
#include "cli/safe_text.h"

#include "base/banned.h"

/* ---- jpackage ---- */

/* PROGRAM is a path without links, of a file in a folder bin. */
static enum jw_status by_jpackage(struct run *run, const char *program, struct cli_words *w,
				  struct jw_err *e)
{
	const char *name = strrchr(program, '/');
	struct jw_span root = jw_span(program, (size_t)(name - program) - strlen("/bin"));
	const char *folder = jw_arena_str(run->arena, root);
	const char *cfg =
		folder ? jw_arena_fmt(run->arena, "%s/lib/app%s.cfg", folder, name) : NULL;
	struct jw_file file = { 0 };

	if (!cfg)
		return jw_nomem(e);
	if (!cli_exists(cfg))
		return JW_OK;
	JW_TRY(jw_file_open(cfg, CLI_PACKAGED_MAX, &file, e));
	enum jw_status status = cli_packaged_words(file.bytes, folder, program, w, e);
	jw_file_close(&file);
	return status;
}

static bool in_bin(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash && slash - program >= (ptrdiff_t)strlen("/bin") &&
	       strncmp(slash - strlen("/bin"), "/bin", strlen("/bin")) == 0;
}

/* ---- jsvc, by its manual page ---- */

/* No JVM runs the program. */
static const char *const no_program[] = { "-check", "-stop", NULL };

static enum jw_status by_jsvc(struct run *run, const char *program, struct cli_words *w,
			      struct jw_err *e)
{
	static const char *const own[] = { "-cwd",   "-errfile", "-home",    "-java-home",
					   "-jvm",   "-outfile", "-pidfile", "-procname",
					   "-umask", "-user",    "-wait",    NULL };
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
	const char *command = run->cli->args.operands[0];
	const char *name = cli_base_name(run->arena, command);
	bool jsvc = name && strcmp(name, "jsvc") == 0;
	const char *program = jsvc || run->java.none ? cli_java_find(command, run->arena) : NULL;
	struct cli_words w = { .arena = run->arena };

	if (!program)
		return JW_OK;
	if (jsvc)
		JW_TRY(by_jsvc(run, program, &w, e));
	else if (in_bin(program))
		JW_TRY(by_jpackage(run, program, &w, e));
	if (!w.count)
		return JW_OK;
	JW_TRY(cli_java_parse_words(w.count, w.items, run->arena, &run->java, e));
	if (cli_java_option(&run->java, no_program))
		run->java.mode = CLI_JAVA_OTHER;
	run->embedded = program;
	return JW_OK;
}

void run_embedded_tell(const struct run *run)
{
	cli_warn(run->cli,
		 "'%s' is a JVM itself: folders of classes, modules and copies of its jars cannot "
		 "be given to it, and run without tracing",
		 run->embedded);
}
