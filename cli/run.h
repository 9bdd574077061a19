/*
 * run.h: one `jweave run`, and its parts: cmd_run.c (the whole run), run_weave.c (one class path
 * entry into the cache), run_classes.c (a folder of classes), run_written.c (what is written there), run_path.c (class paths, manifests, module paths), run_patch.c (patches of modules), run_units.c and run_choose.c (what is
 * the application), run_application.c (that which is on no path), run_inputs.c (archives that the program reads, too), run_overlay.c (copies that are opened in the place
 * of originals), run_settings.c (options), run_signed.c (signed jars), run_fit.c (commands that are too long), run_launch.c (scripts, and what a program
 * starts), run_embedded.c (programs that are a JVM themselves), run_archives.c (what the JVM
 * keeps of classes), run_agent.c (agents that need originals), run_gradle.c (Gradle),
 * run_output.c (where its traces go), run_told.c (what the program tells), run_background.c (what it leaves running), run_after.c
 * (what is said when it has ended).
 *
 * What moves and what stays. A woven copy is in the cache, under its own name (automatic modules
 * take theirs from it). Everything that the rules do not touch stays where it is.
 *     jars      of -jar, of class paths, of servers, and of --also stay where they are; where one
 *               is opened, its copy is (run_overlay.c)
 *     Quarkus   what it has built is woven as a whole, and the copy of all started
 *     else      where no copy can be opened in place, it takes the jar's on the path; `-jar` stays
 *               `-jar`, so that the manifest's Launcher-Agent-Class, Add-Opens, SplashScreen-Image
 *               and the like hold
 *     manifest  a Class-Path is relative to the jar: the copy gets it as absolute file URLs, of
 *               woven copies where there are some; a jar that only names woven ones is copied too
 *     folder    the woven classes alone, in a folder in front of the original: resources and
 *               whatever else is read from there is what it is now
 *     module    a copy in front of the module path's entry (a jar, an exploded module, or a folder
 *               of them): the first module of a name is the one
 */
#ifndef JW_CLI_RUN_H
#define JW_CLI_RUN_H

#include "cli/cache.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/java.h"
#include "cli/learnt.h"
#include "cli/words.h"
#include "weaver/archive/weave_report.h"

struct run_seen;    /* a jar that was looked at */
struct run_folder;  /* a folder of classes (run_written.c) */
struct run_signed;  /* a signed one (run_signed.c) */
struct run_overlay; /* run_overlay.c */
struct run_inputs;  /* run_inputs.c */

/* What is on no path of the command. */
struct run_application {
	const char *whole; /* a folder that is woven as one (Quarkus); NULL: none */
	const char *start; /* the jar in it that the command names */
	/* its jars; else what is opened by class loaders of the program's own; NULL ends */
	const char **files;
	/* likewise: web applications that are folders, folders of classes; NULL ends */
	const char **unpacked;
	bool hosted; /* the main class only starts it */
};

/* What the program has told of its traces. */
struct run_told {
	bool java; /* a java was started by way of this run (run_launch.c) */
	bool said; /* ... of which there is a trace, or it was said why not */
	bool left; /* ... and one that it has started goes on */
	size_t traces;
	uint64_t calls, others, inside_ns; /* others: as in struct trace_summary */
	uint64_t most;                     /* calls of the trace that has most of them */
	const char *name, *line; /* of that one; what told of it, which ends with the name */
	struct cli_words open;   /* archives that it has had open (run_told.c) */
	struct cli_counted_root *loaded; /* of what it has loaded classes; NULL: not known */
};

/* What is woven of all that the command has on its paths. */
struct run_sums {
	struct weave_report report; /* the counts alone */
	size_t places, earlier;     /* jars and folders; of them, woven by an earlier run */
	const char *shown;          /* the last of them */
	size_t unsigned_jars;       /* that have lost a signature, or a jar in them has */
	const char *unsigned_jar;   /* the last of them that is woven */
};

struct run {
	struct cli *cli;
	struct jw_arena *arena;
	struct cli_java java;
	/* the program, a JVM itself, which runs as it is (run_embedded.c); NULL: java */
	const char *embedded;
	struct cli_cache cache;
	struct rules *rules; /* NULL while the default rules are looked for */
	uint64_t rules_hash; /* of all that the weaving of an entry depends on, but the entry */
	struct run_seen *seen;
	struct run_signed *signed_jars;
	struct run_folder *folders;
	const char *main_class; /* by a manifest where the command names a jar; NULL: not known */
	struct run_inputs *inputs; /* NULL: not looked for yet */
	struct run_application application;
	struct run_overlay *overlay; /* NULL: copies take the places of originals on the paths */
	const char *types;        /* where rules with subtypeOf find types: a class path, or NULL */
	bool failed;              /* something on its paths could not be woven, which was said */
	bool woven;               /* something that it runs is */
	bool anywhere;            /* what is woven traces wherever it is run (else: run_wake()) */
	struct weave_report made; /* of what was woven last, the counts; 0: nothing was */
	struct run_sums sums;
	const char *place; /* a folder of this run, gone when it ends; NULL: none */
	const char *told_file;
	const char *outer; /* that of a run which has started this one, or NULL */
	bool launched;     /* a java of ours is where the command looks for one */
	bool launches_all; /* likewise, wherever it looks */
	/* JW_LAUNCH_VARIABLE for the java of a run that another one has launched, or NULL */
	const char *launch;
	struct run_told told;
	struct cli_learnt learnt;
	bool leave_out_learnt;     /* by the default rules */
	struct run_choice *choice; /* of the default rules (run_choose.c); NULL: none was made */
	const char *moving;        /* the Class-Path of the jar that is moved now */
};

/* Says TEXT, the default rules, line by line, with -v. */
void run_tell_rules(struct cli *cli, struct jw_span text);

#endif
