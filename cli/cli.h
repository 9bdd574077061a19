/*
 * cli.h: the command line: the only room that prints, and that ends the process.
 *
 *     main.c        streams and signals.c, then cli_main()
 *     commands.def  every command; options.def: every option. Help, completion and parser are
 *                   loops over these two tables
 *     args.c        words -> struct cli_args; argfile.c, words.c: @FILE
 *     out.c         results to stdout, messages to stderr; escapes, colours, progress
 *     help.c        the help texts
 *     cmd_NAME.c    one file for each command
 *     safe_text.c   Java names and JSON strings; weave_outputs.c: files beside the result
 *
 * A command returns a status like any function. What it left in the error is printed once, as one
 * line "jweave: error: ..."; an empty error text means that the command has already told.
 * Results go to stdout through cli_put*(), messages to stderr.
 */
#ifndef JW_CLI_CLI_H
#define JW_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "rules/rules.h"
#include "weaver/archive/archive.h"

/* ---- the tables ---- */

enum cli_command_id {
#define CLI_COMMAND(id, least, most, operands, summary, help, example) CLI_CMD_##id,
#include "cli/commands.def"
	CLI_CMD_COUNT
};

enum cli_option_id {
#define CLI_OPTION(id, letter, name, arg, kind, low, high, commands, help) CLI_OPT_##id,
#include "cli/options.def"
	CLI_OPT_COUNT
};

#define CLI_EVERY UINT32_MAX

enum cli_kind {
	CLI_FLAG,
	CLI_MAYBE, /* a text, in the same word or not at all (then it is "") */
	CLI_TEXT,
	CLI_FILE,
	CLI_LIST,
	CLI_PRESETS,
	CLI_NUMBER,
	CLI_CHOICE,
	CLI_SWITCH
};

struct cli_option {
	const char *name, *arg, *help; /* long name without the dashes */
	enum cli_kind kind;
	long low, high;
	uint32_t commands; /* bit per cli_command_id */
	char letter;       /* 0: none */
};

struct cli;
struct cli_command {
	const char *name, *operands, *summary, *help, *example;
	size_t least, most; /* operands */
	enum jw_status (*run)(struct cli *cli, struct jw_err *e);
};

/* cli_run_NAME(): what each command does, in cmd_NAME.c. */
#define CLI_COMMAND(id, least, most, operands, summary, help, example) \
	enum jw_status cli_run_##id(struct cli *cli, struct jw_err *e);
#include "cli/commands.def"

extern const struct cli_option cli_options[CLI_OPT_COUNT];
extern const struct cli_command cli_commands[CLI_CMD_COUNT];

/* The command of this name, or CLI_CMD_COUNT. */
enum cli_command_id cli_command_find(const char *name);
/* Does OPTION belong to the command ID? */
bool cli_option_takes(const struct cli_option *option, enum cli_command_id id);

/* ---- the words of one call, understood ---- */

struct cli_args {
	enum cli_command_id command;       /* CLI_CMD_COUNT: none was named */
	const char *values[CLI_OPT_COUNT]; /* NULL: not given; "" for flags */
	long numbers[CLI_OPT_COUNT]; /* count of a flag, value of a number, index of a choice */
	const char **maps;           /* of --map */
	size_t map_count;
	const char **presets; /* of --preset */
	size_t preset_count;
	const char **operands; /* NULL ends them */
	size_t operand_count;
};

/* Understands COUNT words (the program's name not among them). JW_USAGE with what to type instead.
 * Strings live in ARENA or in WORDS. */
enum jw_status JW_MUST_USE cli_parse(size_t count, const char *const *words, struct jw_arena *arena,
				     struct cli_args *out, struct jw_err *e);

/* Replaces each @FILE (before "--") by the words in FILE; "@@x" stands for the word "@x". */
enum jw_status JW_MUST_USE cli_expand(size_t count, const char *const *words,
				      struct jw_arena *arena, size_t *out_count,
				      const char *const **out, struct jw_err *e);

/* ---- one run ---- */

struct cli {
	struct cli_args args;
	struct jw_arena arena; /* the session's */
	struct jw_buf out;     /* results that wait for stdout */
	enum jw_status out_failed;
	int out_errno;
	bool color, progress_allowed, progress_shown;
	int exit_status; /* of a command that ends with another's: `run` */
};

/* Does everything; returns the exit status. */
int cli_main(size_t count, const char *const *words);

/* Was the option given (a flag, or with a value)? Its value, or FALLBACK. */
bool cli_given(const struct cli *cli, enum cli_option_id id);
const char *cli_value(const struct cli *cli, enum cli_option_id id, const char *fallback);
bool cli_quiet(const struct cli *cli);
bool cli_verbose(const struct cli *cli);
/* --jobs, else as many threads as there are processors. */
size_t cli_threads(const struct cli *cli);

/* ---- results (stdout) ---- */

void cli_put(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3);
void cli_put_span(struct cli *cli, struct jw_span s); /* as it is */
/* Sends what waits. JW_IO when stdout did not take it: now or before. */
enum jw_status JW_MUST_USE cli_flush(struct cli *cli, struct jw_err *e);

/* ---- messages (stderr), one line each, escaped ---- */

void cli_error(struct cli *cli, const char *text);
void cli_warn(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3);
void cli_note(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3);   /* not with -q */
void cli_detail(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3); /* with -v */

/* ---- progress (stderr, on a terminal, after a second) ---- */

struct cli_progress {
	struct cli *cli;
	const char *what;    /* "weaving" */
	double began, drawn; /* seconds on the monotonic clock */
	bool bytes;          /* the amounts are bytes: show a rate */
};
struct cli_progress cli_progress_begin(struct cli *cli, const char *what, bool bytes);
void cli_progress_step(struct cli_progress *p, double done, double all);
void cli_progress_end(struct cli_progress *p);
/* The text of the line, for PASSED seconds. */
void cli_progress_text(struct jw_buf *out, const struct cli_progress *p, double passed, double done,
		       double all);

/* ---- text ---- */

/* Is the character POINT one that a terminal obeys: a control character of C0 or C1, or one that
 * turns the direction of the text around? */
bool cli_harmful(uint32_t point);
/* S with control characters and bytes that are not UTF-8 shown as \xHH. */
void cli_put_escaped(struct jw_buf *out, struct jw_span s);
/* A JSON string, quotes included; bytes that are not UTF-8 become U+FFFD. */
void cli_put_json(struct jw_buf *out, struct jw_span s);
/* The JSON text S of somebody else, on its way to a terminal: as cli_put_json() writes strings. */
void cli_put_json_of(struct jw_buf *out, struct jw_span s);
/* An internal class name (slashes) as Java writes it (dots), escaped. */
void cli_put_class(struct jw_buf *out, struct jw_span internal_name);
/* "step(int, java.lang.String):void", escaped. A damaged descriptor is shown as it is. */
void cli_put_method(struct jw_buf *out, struct jw_span name, struct jw_span descriptor);

/* "java.lang.Thread.sleep(long)"; of an object that is made its type, "int[]". */
void cli_put_callee(struct jw_buf *out, const struct rules_callee *callee);

/* "thread/start", nothing when OP is NULL; "arg0:value" or, where its form depends on the type,
 * "arg0".
 */
void cli_put_operation(struct jw_buf *out, const struct jw_operation *op);
void cli_put_capture(struct jw_buf *out, const struct jw_capture *capture);
/* What a rule does not record: "1 of 100, depth 3, from 1.5ms". Nothing when it records all. */
void cli_put_spared(struct jw_buf *out, const struct rules_sampling *spare);
/* Width of UTF-8 text in columns (one for each code point). */
size_t cli_width(struct jw_span s);
/* "1 method", "2 methods". */
const char *cli_plural(struct jw_arena *arena, uint64_t n, const char *one, const char *many);

/* ---- what commands share ---- */

/* The overview, and the help of a command: WHOLE, or on a screen of 24 by 80. */
void cli_help_all(struct cli *cli, bool whole);
/* What is set at run time, by variables. */
void cli_help_runtime(struct cli *cli);
void cli_help_command(struct cli *cli, enum cli_command_id id, bool whole);
/* " (see 'jweave help COMMAND')", the end of usage errors. */
const char *cli_see(struct jw_arena *arena, enum cli_command_id id);

/* Can every --map that names things be read? A folder may hold none. */
enum jw_status JW_MUST_USE cli_check_maps(const struct cli *cli, struct jw_err *e);

/* Is there a preset of this name? JW_USAGE, with what may be meant, when not. */
enum jw_status JW_MUST_USE cli_check_preset(const char *name, struct jw_err *e);

/* Loads the rules of -r (or PATH: a file, or "preset:NAME"), after those of every --preset, with
 * the options that bear on them. */
enum jw_status JW_MUST_USE cli_load_rules(struct cli *cli, const char *path, struct rules **out,
					  struct jw_err *e);

/* A rules_hint, told as a note. CTX: struct cli. */
void cli_hint(void *ctx, const char *place, const char *said, const char *meant);

/* weave_scan() with the options of CLI; what it notes goes to standard error. */
enum jw_status JW_MUST_USE cli_scan(struct cli *cli, const char *in, const struct rules *rules,
				    weave_each_method *each, void *ctx, struct jw_err *e);
/* The same with the calls in the methods; EACH_CALL may be NULL. */
enum jw_status JW_MUST_USE cli_scan_calls(struct cli *cli, const char *in,
					  const struct rules *rules, weave_each_method *each,
					  weave_each_call *each_call, void *ctx, struct jw_err *e);

/* Does PATH exist? Is it a folder? (Symbolic links are followed.) */
bool cli_exists(const char *path);
bool cli_is_folder(const char *path);
/* The last part of PATH ("/a/b/" -> "b"), in ARENA. */
const char *cli_base_name(struct jw_arena *arena, const char *path);
bool cli_ends(const char *s, const char *suffix);
/* Is it the name of a jar, war, ear or zip? */
bool cli_is_archive_name(const char *name);

#endif
