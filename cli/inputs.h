/*
 * inputs.h: what commands do with their inputs: rules, method maps, and the methods of an archive.
 */
#ifndef JW_CLI_INPUTS_H
#define JW_CLI_INPUTS_H

#include "cli/cli.h"
#include "cli/paths.h"
#include "weaver/archive/scan.h"

/* JW_USAGE where the option ID, the name of an output, names something that is read: an operand, from number FIRST on,
 * or the rules. */
enum jw_status JW_MUST_USE cli_check_output(const struct cli *cli, enum cli_option_id id,
					    size_t first, struct jw_err *e);

/* Can every --map that names things be read? A folder may hold none; in the place of one that holds woven archives alone, those are
 * named. Before the maps of CLI are taken. */
enum jw_status JW_MUST_USE cli_check_maps(struct cli *cli, struct jw_err *e);

/* Loads the rules of PATH, after those of every --preset, with the options that bear on them. PATH:
 * a file, "preset:NAME", or "match:LINE,LINE" with match lines (jweave-rules(5)). */
enum jw_status JW_MUST_USE cli_load_rules(struct cli *cli, const char *path, struct rules **out,
					  struct jw_err *e);

/* LINES where -r says "match:LINES" and names no file, else NULL. */
const char *cli_rules_matches(const struct cli *cli);
/* Does -r say "preset:NAME", and name no file? */
bool cli_rules_are_preset(const struct cli *cli);
/* Puts LINES, match lines with commas between, as an array of JSON. */
void cli_put_matches(struct jw_buf *out, const char *lines);

/* A match line as rules that choose what it selects, of methods of all kinds; or a method as reports
 * print it, Class.method, with or without its package. JW_USAGE when it is wrong. */
enum jw_status JW_MUST_USE cli_load_pattern(const char *pattern, struct rules **out,
					    struct jw_err *e);

/* Does PATTERN ask for modifiers or annotations? A trace knows neither. */
bool cli_pattern_has_modifiers(const char *pattern);
/* Does the pattern of RULES select this method of a trace? Its class with dots; "": not known, and
 * not selected. */
bool cli_pattern_chooses(const struct rules *rules, const char *class_name, const char *name,
			 const char *descriptor);

/* A rules_hint, told as a note. CTX: struct cli. */
void cli_hint(void *ctx, const char *place, const char *said, const char *meant);

/* weave_scan() with the options of CLI; what it notes goes to standard error. */
enum jw_status JW_MUST_USE cli_scan(struct cli *cli, const char *in, const struct rules *rules,
				    weave_each_method *each, void *ctx, struct jw_err *e);
/* The same with the calls in the methods; EACH_CALL may be NULL. */
enum jw_status JW_MUST_USE cli_scan_calls(struct cli *cli, const char *in,
					  const struct rules *rules, weave_each_method *each,
					  weave_each_call *each_call, void *ctx, struct jw_err *e);

#endif
