/*
 * cmd_run.h: what `jweave run` is made of: cmd_run.c (the whole run), run_weave.c (one class path
 * entry into the cache), run_path.c (class paths, manifests, module paths), run_choose.c (what is
 * the application), run_settings.c (options), run_launch.c (scripts), run_told.c (what the program
 * tells), run_after.c (what is said when it has ended).
 *
 * What moves and what stays. A woven copy lies in the cache, under its own name (automatic modules
 * take theirs from it). Everything that the rules do not touch stays where it is.
 *     jar       its copy takes its place on the path; `-jar` stays `-jar`, so that the manifest's
 *               Launcher-Agent-Class, Add-Opens, SplashScreen-Image and the like hold
 *     manifest  a Class-Path is relative to the jar: the copy gets it as absolute file URLs, of
 *               woven copies where there are some; a jar that only names woven ones is copied too
 *     folder    the woven classes alone, in a folder in front of the original: resources and
 *               whatever else is read from there is what it is now
 *     module    a copy in front of the module path's entry (a jar, an exploded module, or a folder
 *               of them): the first module of a name is the one
 */
#ifndef JW_CLI_CMD_RUN_H
#define JW_CLI_CMD_RUN_H

#include "cli/cache.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/java.h"
#include "cli/learnt.h"

struct run_seen; /* a jar that was looked at */

/* What the program has told of its traces. */
struct run_told {
	bool java; /* a java was started by way of this run (run_launch.c) */
	size_t traces;
	uint64_t calls, inside_ns;
	const char *name; /* of the last one */
};

/* What is woven of all that the command has on its paths. */
struct run_sums {
	struct weave_report report; /* the counts alone */
	size_t places, earlier;     /* jars and folders; of them, woven by an earlier run */
	const char *shown;          /* the last of them */
};

struct run {
	struct cli *cli;
	struct jw_arena *arena;
	struct cli_java java;
	struct cli_cache cache;
	struct rules *rules; /* NULL while the default rules are looked for */
	uint64_t rules_hash; /* of all that the weaving of an entry depends on, but the entry */
	struct run_seen *seen;
	const char *types;        /* where rules with subtypeOf find types: a class path, or NULL */
	bool woven;               /* something that it runs is */
	struct weave_report made; /* of what was woven last, the counts; 0: nothing was */
	struct run_sums sums;
	const char *place; /* a folder of this run, gone when it ends; NULL: none */
	const char *told_file;
	const char *outer; /* that of a run which has started this one, or NULL */
	bool launched;     /* a java of ours is where the command looks for one */
	struct run_told told;
	struct cli_learnt learnt;
	bool leave_out_learnt; /* by the default rules */
	struct run_choice *choice; /* of the default rules (run_choose.c); NULL: none was made */
	const char *moving;        /* the Class-Path of the jar that is moved now */
};

/* ---- run_learnt.c ---- */

/* Finds what is known of the program; the cache is open. */
enum jw_status JW_MUST_USE run_learnt_open(struct run *run, struct jw_err *e);
/* A program whose methods nobody has chosen is traced within a share of its CPU time. */
enum jw_status JW_MUST_USE run_budget(struct run *run, struct jw_err *e);
/* Takes LINE, which the program told of a closed method; it stays in the arena. */
void run_learnt_take(struct run *run, char *line);
/* Keeps what is new for the next run. */
void run_learnt_save(struct run *run);

/* ---- run_settings.c ---- */

/* Sets the variables that options ask for; JW_USAGE: a value is none. Names what is unknown. */
enum jw_status JW_MUST_USE run_settings(struct run *run, struct jw_err *e);
/* Is OPTION one that sets a variable? */
bool run_is_setting(enum cli_option_id option);
/* Are --enable and --disable about rules that there are? */
enum jw_status JW_MUST_USE run_check_switches(struct run *run, struct jw_err *e);

/* ---- run_choose.c ---- */

/* Writes rules for what is the application's of all that the command has on its paths, into TEXT;
 * JW_INPUT: there is nothing. */
enum jw_status JW_MUST_USE run_choose(struct run *run, struct jw_buf *text, struct jw_err *e);
/* Says TEXT, such rules, line by line, with -v (cmd_run.c). */
void run_tell_rules(struct cli *cli, struct jw_span text);
/* Puts the packages that are not traced, most classes first, into OUT: "org.a (12 classes), ..." */
enum jw_status JW_MUST_USE run_put_left(struct run *run, struct jw_buf *out, struct jw_err *e);

/* ---- run_launch.c ---- */

/* The command is no java: has it find ours. */
void run_launch(struct run *run);
/* It has ended: says when it found none. */
void run_launched(struct run *run);

/* ---- run_told.c ---- */

/* Makes the run's folder and asks the program to tell; reads what it has told; removes all. */
void run_told_open(struct run *run);
/* Tells a run that has started this one that a program is started. */
void run_tell_outer(const struct run *run);
void run_told_read(struct run *run);
void run_told_close(struct run *run);

/* ---- run_weave.c ---- */

/* Of the rules, the options and this program. */
enum jw_status JW_MUST_USE run_hash_rules(struct run *run, struct jw_err *e);

/* And of the types in PARTS (NULL ends), for rules that ask for supertypes. */
enum jw_status JW_MUST_USE run_hash_types(struct run *run, const char *const *parts,
					  struct jw_err *e);

/* Weaves the jar PATH (or, with WHOLE, the exploded module) into the cache; *OUT: the copy, or NULL
 * when the rules touch nothing in it. What cannot be woven stays as it is, and is warned of. */
enum jw_status JW_MUST_USE run_weave_jar(struct run *run, const char *path, const char **out,
					 struct jw_err *e);
/* The same for a folder of classes: *OUT is a folder with its classes alone. */
enum jw_status JW_MUST_USE run_weave_folder(struct run *run, const char *path, const char **out,
					    struct jw_err *e);
/* Gives TAKE the path, in the folder PATH, of each class file there. */
typedef enum jw_status run_take_class(void *ctx, const char *file, struct jw_err *e);
enum jw_status JW_MUST_USE run_folder_classes(struct run *run, const char *path,
					      run_take_class *take, void *ctx, struct jw_err *e);
/* JAR (woven or not) with CLASS_PATH in its manifest, in the cache. */
enum jw_status JW_MUST_USE run_move_jar(struct run *run, const char *jar, const char *class_path,
					const char **out, struct jw_err *e);

/* Says in one line what is woven. */
void run_tell_woven(struct run *run);

/* ---- run_path.c ---- */

/* TEXT, a class path, with its wildcards opened: *PARTS ends with NULL. */
enum jw_status JW_MUST_USE run_split(struct run *run, const char *text, const char ***parts,
				     struct jw_err *e);
/* The class path TEXT with woven entries; NULL when it stays as it is. */
enum jw_status JW_MUST_USE run_class_path(struct run *run, const char *text, const char **out,
					  struct jw_err *e);
enum jw_status JW_MUST_USE run_module_path(struct run *run, const char *text, const char **out,
					   struct jw_err *e);
/* The file that WORD of the Class-Path of a jar in FOLDER names; NULL: it is no file's URL. */
const char *run_file_of(struct jw_arena *arena, const char *folder, const char *word);
/* The jar PATH, woven, and what its manifest names; *OUT is NULL when it stays as it is. */
enum jw_status JW_MUST_USE run_jar(struct run *run, const char *path, const char **out,
				   struct jw_err *e);
/* Is PATH a folder that holds a module? Its jars and exploded modules, NULL at the end. */
bool run_is_module(const char *path);
enum jw_status JW_MUST_USE run_modules(struct run *run, const char *path, const char ***out,
				       struct jw_err *e);

/* TEXT as one word of a command of the shell; "" without memory. */
const char *run_quoted(struct jw_arena *arena, const char *text);

/* ---- run_after.c ---- */

/* Says what the runtime could not: converts what a killed program left. */
void run_after(struct run *run, const struct cli_child_end *end, int64_t began);

#endif
