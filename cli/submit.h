/*
 * submit.h: one `jweave submit`: what an engine (Spark, Hadoop, Flink) starts, on this host and on
 * others, runs on woven copies of the engine's own jars, and records into one folder.
 *
 *     cmd_submit.c        the whole: rules, the folder of the job, the command, what is said
 *     submit_words.c      words of a command: options, values that are merged
 *     submit_spark.c      the engines: which jars, and which settings
 *     submit_hadoop.c
 *     submit_flink.c
 *
 * The command stays the user's: settings are added to it, or to its environment. What a setting is
 * already, by the command or by a file of the engine, stays in force; where two cannot both be,
 * the user's is the one.
 */
#ifndef JW_CLI_SUBMIT_H
#define JW_CLI_SUBMIT_H

#include "cli/run.h"
#include "cli/words.h"

struct submit;

struct submit_engine {
	const char *name, *preset;
	const char *const *tools; /* commands that start it, NULL at the end */
	/* Weaves, and adds what the engine has to be told. JW_INPUT: its home is not found. */
	enum jw_status (*prepare)(struct submit *s, struct jw_err *e);
};

extern const struct submit_engine submit_spark, submit_hadoop, submit_flink;

struct submit {
	struct cli *cli;
	struct jw_arena *arena;
	struct run run; /* what weaves into the cache (run_weave.h) */
	const struct submit_engine *engine;
	const char *tool;         /* "spark-submit" */
	size_t launcher;          /* its place in `words` */
	const char *const *words; /* the command, NULL at the end */
	struct cli_words env;     /* "NAME=VALUE": what the command has in its environment, too */
	const char *job;          /* absolute: the folder of the recordings */
	bool made;                /* it was not there before */
	const char *temporary;    /* a folder that goes when the command has ended, or NULL */
	bool goes_on;             /* what the command starts, when it has ended */
};

/* ---- for the engines ---- */

/* Weaves each of JARS (NULL ends) that the rules choose something in; copies of those into WOVEN. */
enum jw_status JW_MUST_USE submit_weave(struct submit *s, const char *const *jars,
					struct cli_words *woven, struct jw_err *e);
/* The jar PATH of the application, where the rules choose something in it: its copy, else PATH. */
enum jw_status JW_MUST_USE submit_application(struct submit *s, const char *path, const char **out,
					      struct jw_err *e);

/* NAME=VALUE into the environment of the command. */
enum jw_status JW_MUST_USE submit_set(struct submit *s, const char *name, const char *value,
				      struct jw_err *e);
/* Calls EACH with every variable of the recorder that is set, for processes that do not inherit
 * them. */
typedef enum jw_status submit_variable(void *ctx, const char *name, const char *value,
				       struct jw_err *e);
enum jw_status JW_MUST_USE submit_variables(submit_variable *each, void *ctx, struct jw_err *e);

/* The folder that the tool is in, its links followed, without its last part: "HOME" of
 * HOME/bin/tool; NULL: there is no such command. */
const char *submit_home(struct submit *s);

#endif
