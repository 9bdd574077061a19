#include "cli/java_launcher.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/zip.h"
#include "cli/child.h"
#include "cli/safe_text.h"
#include "cli/words.h"

#include "base/banned.h"

enum { RELEASE_MAX = 1 << 20, VERSION_MAX = 4096 };

/* ---- the file ---- */

/* COMMAND as execvp() finds it, links resolved, into PATH. */
static bool find_command(const char *command, char path[PATH_MAX], struct jw_arena *arena)
{
	const char *folders = getenv("PATH");

	if (strchr(command, '/'))
		return realpath(command, path) != NULL;
	while (folders && *folders) {
		size_t n = strcspn(folders, ":");
		const char *full =
			jw_arena_fmt(arena, "%.*s%s%s", (int)n, folders, n ? "/" : "", command);

		if (full && access(full, X_OK) == 0)
			return realpath(full, path) != NULL;
		folders += n + (folders[n] == ':');
	}
	return false;
}

const char *cli_java_find(const char *command, struct jw_arena *arena)
{
	char path[PATH_MAX];

	return find_command(command, path, arena) ? jw_arena_str(arena, jw_span_str(path)) : NULL;
}

/* What follows KEY in the `release` file beside COMMAND, up to the end of the file; NULL: it has none. */
static const char *said_of_release(const char *command, const char *key, struct jw_arena *arena)
{
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };
	char path[PATH_MAX];

	if (!find_command(command, path, arena))
		return NULL;
	for (int up = 0; up < 2; up++) { /* JDK/bin/java */
		char *slash = strrchr(path, '/');

		if (!slash)
			return NULL;
		*slash = '\0';
	}
	const char *name = jw_arena_fmt(arena, "%s/release", path);
	if (!name || jw_file_open(name, RELEASE_MAX, &file, &ignored) != JW_OK)
		return NULL;
	const char *text = jw_arena_str(arena, file.bytes);
	const char *at = text ? strstr(text, key) : NULL;
	jw_file_close(&file);
	return at ? at + strlen(key) : NULL;
}

/* Is PATH a file that begins with MARK? */
static bool begins(const char *path, const char *mark)
{
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };

	if (jw_file_open(path, 0, &file, &ignored) != JW_OK)
		return false;
	bool found = jw_span_starts(file.bytes, jw_span_str(mark));
	jw_file_close(&file);
	return found;
}

/* The version that COMMAND prints, as JDK 9 and later do: "openjdk 25.0.1 2025-10-21". Empty: none. */
static const char *printed_version(const char *command, struct jw_arena *arena)
{
	const char *const words[] = { command, "--version", NULL };
	struct jw_buf out = { 0 };
	struct jw_err ignored = { 0 };
	const char *text = NULL;

	if (cli_child_read(words, VERSION_MAX, &out, &ignored) == JW_OK)
		text = jw_arena_str(arena, jw_buf_span(&out));
	jw_buf_free(&out);
	const char *blank = text ? strchr(text, ' ') : NULL;
	return blank ? blank + 1 : "";
}

/* The JDK of a script (a wrapper, the shim of a version manager) is known to it alone. It is asked once. */
static const char *asked_version(const char *command, struct jw_arena *arena)
{
	static char known[16];
	static uint64_t known_of;
	uint64_t of = jw_hash64(jw_span_str(command), 0);
	char path[PATH_MAX];

	if (of != known_of) {
		bool script = find_command(command, path, arena) && begins(path, "#!");

		snprintf(known, sizeof(known), "%s", script ? printed_version(path, arena) : "");
		known_of = of;
	}
	return known;
}

unsigned cli_java_release(const char *command, struct jw_arena *arena)
{
	const char *text = said_of_release(command, "JAVA_VERSION=\"", arena);
	unsigned release = (unsigned)strtoul(text ? text : asked_version(command, arena), NULL, 10);

	return release == 1 ? 8 : release; /* "1.8.0_392" */
}

bool cli_java_has_module(const char *command, struct jw_span module, struct jw_arena *arena)
{
	const char *text = said_of_release(command, "MODULES=\"", arena);

	while (text && *text && *text != '"' && *text != '\n') {
		size_t n = strcspn(text, " \"\n");

		if (jw_span_eq(jw_span(text, n), module))
			return true;
		text += n + (text[n] == ' ');
	}
	return false;
}

/* ---- what comes before it ---- */

enum kind {
	PLAIN,    /* nothing is known of it */
	HANDS_ON, /* starts what follows, with its environment */
	STARTS,   /* starts what follows, perhaps without that */
	MOVES,    /* starts what follows in another folder */
	AWAY,     /* starts what follows where other files are */
	A_TOOL,   /* of the JDK's: takes options of java's, and starts no program */
};

static const struct {
	const char *name;
	enum kind kind;
} known[] = {
	{ "chrt", HANDS_ON },       { "env", HANDS_ON },     { "ionice", HANDS_ON },
	{ "nice", HANDS_ON },       { "nohup", HANDS_ON },   { "numactl", HANDS_ON },
	{ "setsid", HANDS_ON },     { "taskset", HANDS_ON }, { "time", HANDS_ON },
	{ "timeout", HANDS_ON },    { "doas", STARTS },      { "ltrace", STARTS },
	{ "perf", STARTS },         { "prlimit", STARTS },   { "runuser", STARTS },
	{ "setarch", STARTS },      { "setpriv", STARTS },   { "stdbuf", STARTS },
	{ "strace", STARTS },       { "sudo", STARTS },      { "systemd-run", STARTS },
	{ "unshare", STARTS },      { "valgrind", STARTS },  { "apptainer", AWAY },
	{ "bwrap", AWAY },          { "chroot", AWAY },      { "distrobox", AWAY },
	{ "docker", AWAY },         { "firejail", AWAY },    { "flatpak", AWAY },
	{ "kubectl", AWAY },        { "machinectl", AWAY },  { "nerdctl", AWAY },
	{ "nsenter", AWAY },        { "podman", AWAY },      { "proot", AWAY },
	{ "schroot", AWAY },        { "singularity", AWAY }, { "ssh", AWAY },
	{ "systemd-nspawn", AWAY }, { "toolbox", AWAY },     { "jar", A_TOOL },
	{ "javac", A_TOOL },        { "javadoc", A_TOOL },   { "javap", A_TOOL },
	{ "jdeprscan", A_TOOL },    { "jdeps", A_TOOL },     { "jlink", A_TOOL },
	{ "jmod", A_TOOL },         { "jpackage", A_TOOL },  { "jshell", A_TOOL },
};

/* Options of those that hand on a command: by which it is found in another folder, among other files, or those that
 * only have a value, which is no command. */
static const struct {
	const char *command;
	char letter;
	const char *word;
	enum kind kind; /* MOVES, AWAY, PLAIN: has a value */
} options[] = {
	{ "env", 'C', "chdir", MOVES },
	{ "env", 'S', "split-string", MOVES }, /* who knows */
	{ "env", 'u', "unset", PLAIN },
	{ "runuser", 'l', "login", MOVES },
	{ "runuser", 'u', "user", PLAIN },
	{ "runuser", 'g', "group", PLAIN },
	{ "sudo", 'D', "chdir", MOVES },
	{ "sudo", 'R', "chroot", AWAY },
	{ "sudo", 'i', "login", MOVES },
	{ "sudo", 'g', "group", PLAIN },
	{ "sudo", 'h', "host", AWAY },
	{ "sudo", 'p', "prompt", PLAIN },
	{ "sudo", 'u', "user", PLAIN },
	{ "systemd-run", 'H', "host", AWAY },
	{ "systemd-run", 'M', "machine", AWAY },
	{ "systemd-run", 'p', "property", MOVES }, /* RootDirectory= .. */
	{ "systemd-run", 'u', "unit", PLAIN },
	{ "systemd-run", '-', "working-directory", MOVES },
	{ "unshare", 'R', "root", AWAY },
	{ "unshare", 'w', "wd", MOVES },
};

static enum kind kind_of(const char *command, struct jw_arena *arena)
{
	const char *name = cli_base_name(arena, command);

	for (size_t i = 0; name && i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].kind;
	return PLAIN;
}

/* Is the word AT an env that has an option (-i, -u), before LAUNCHER? */
static bool clears(const char *const *words, size_t at, size_t launcher, struct jw_arena *arena)
{
	const char *name = cli_base_name(arena, words[at]);

	if (!name || strcmp(name, "env") != 0)
		return false;
	while (++at < launcher && strchr(words[at], '=') && words[at][0] != '-')
		;
	return at < launcher && words[at][0] == '-';
}

bool cli_java_hands_on(size_t launcher, const char *const *words, struct jw_arena *arena)
{
	if (launcher && kind_of(words[0], arena) != HANDS_ON)
		return false;
	for (size_t i = 0; i < launcher; i++)
		if (kind_of(words[i], arena) == STARTS || clears(words, i, launcher, arena))
			return false;
	return true;
}

/* The kind of the option TEXT of COMMAND (NULL: none that is known). *VALUE: the next word is its value. Long names may
 * be cut short, and a word may have several letters, of which one with a value is the last. */
static enum kind kind_of_option(const char *command, const char *text, bool *value)
{
	bool is_word = text[1] == '-';
	const char *name = is_word ? text + 2 : text + 1;
	size_t n = strcspn(name, "=");

	for (const char *c = name; command && n && (c == name || !is_word) && *c; c++)
		for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
			if (strcmp(options[i].command, command) != 0 ||
			    (is_word ? strncmp(options[i].word, name, n) != 0
				     : options[i].letter != *c))
				continue;
			*value = options[i].kind == PLAIN && !(is_word ? name[n] : c[1]);
			return options[i].kind;
		}
	return PLAIN;
}

/* Is the word AT a script, or one that the command before it (sh, env) starts? The value of an option is none,
 * though a command may be called like it (sudo -u gradle) or it is a file (strace -o out.txt), unless it begins as
 * scripts do (env -i ./start.sh). */
static bool is_script(const char *const *words, size_t at, struct jw_arena *arena)
{
	const char *word = words[at];
	bool is_path = strchr(word, '/') != NULL;
	char path[PATH_MAX];

	if ((is_path || at) && begins(word, "#!"))
		return true;
	if ((at && words[at - 1][0] == '-') || (is_path && access(word, X_OK) != 0))
		return false;
	return find_command(word, path, arena) && begins(path, "") && !begins(path, ELFMAG);
}

/* Where the commands that begin COUNT WORDS start what follows them: PLAIN (here), MOVES or AWAY. */
static enum kind where_started(size_t count, const char *const *words, struct jw_arena *arena)
{
	const char *command = NULL;
	bool value = false;

	for (size_t i = 0; i < count; i++) {
		enum kind kind = PLAIN;

		if (value)
			value = false;
		else if (words[i][0] == '-')
			kind = kind_of_option(command, words[i], &value);
		else if ((kind = kind_of(words[i], arena)) != PLAIN)
			command = cli_base_name(arena, words[i]);
		else if (is_script(words, i, arena))
			return PLAIN; /* what follows are its words */
		if (kind == AWAY || kind == MOVES)
			return kind;
		if (!command)
			return PLAIN;
	}
	return PLAIN;
}

bool cli_java_is_away(size_t count, const char *const *words, struct jw_arena *arena)
{
	return where_started(count, words, arena) == AWAY;
}

/* ---- which word ---- */

bool cli_java_is_class_path(const char *word)
{
	static const char *const names[] = { "-cp", "-classpath", "--class-path", NULL };

	return cli_among(names, word);
}

/* "java", "/opt/jdk/bin/java", "java17", "java-17", "javaw". */
static bool is_named_java(const char *word)
{
	const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
	const char *rest = cli_after(name, "java");

	return rest && (strcmp(rest, "w") == 0 || !rest[strspn(rest, "-.0123456789")]);
}

/* An option that java has, and few others. */
static bool is_of_java(const char *word)
{
	return cli_java_is_class_path(word) || cli_after(word, "--class-path=") ||
	       cli_after(word, "--module-path=") || strcmp(word, "-jar") == 0;
}

size_t cli_java_launcher(size_t count, const char *const *words, struct jw_arena *arena, bool *sure)
{
	enum kind first = count ? kind_of(words[0], arena) : PLAIN;

	*sure = true;
	for (size_t i = 0; i < count; i++) {
		if (is_named_java(words[i])) {
			*sure = i == 0 || first == HANDS_ON || first == STARTS;
			return first == A_TOOL || where_started(i, words, arena) != PLAIN ? count
											  : i;
		}
		if (is_script(words, i, arena))
			return count;
		if (is_of_java(words[i]))
			return first == PLAIN ? 0 : count;
	}
	return count;
}

/* ---- the jar ---- */

bool cli_java_refuses(const char *jar, struct jw_arena *arena)
{
	struct jw_file file = { 0 };
	struct jw_zip zip = { 0 };
	struct jw_err ignored = { 0 };

	if (jw_file_open(jar, 0, &file, &ignored) != JW_OK)
		return false;
	bool refused = jw_zip_open(file.bytes, arena, &zip, &ignored) == JW_OK && zip.trailing;
	jw_file_close(&file);
	return refused;
}
