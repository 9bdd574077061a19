/*
 * diff.h: what the parts of `jweave diff` share.
 *
 *     diff_inputs.c    an operand becomes a side: a recording, a trace, a folder of runs, a baseline
 *     diff_baseline.c  a side as a file, and back
 *     diff_gates.c     --fail-on
 *     diff_text.c, diff_json.c
 */
#ifndef JW_CLI_DIFF_H
#define JW_CLI_DIFF_H

#include "cli/cli.h"
#include "trace/diff/diff.h"

/* ---- sides ---- */

/* The runs at PATH, or what --save wrote there (NAME.json); OUT is to be closed in any case. Warnings are told. */
enum jw_status JW_MUST_USE cli_diff_side(struct cli *cli, const char *path,
					 struct trace_diff_side *out, struct jw_err *e);
/* The one run of the recordings or the trace at PATHS, of which REPORT and REQUESTS have been made. */
enum jw_status JW_MUST_USE cli_diff_shown(struct cli *cli, const char *const *paths, size_t count,
					  const struct trace_report *report,
					  const struct trace_request_list *requests,
					  struct trace_diff_side *out, struct jw_err *e);
/* The same of PATH, which --save wrote, whatever its name. */
enum jw_status JW_MUST_USE cli_diff_baseline(struct cli *cli, const char *path,
					     struct trace_diff_side *out, struct jw_err *e);

/* ---- baselines ---- */

/* Begins the text of every baseline. */
#define CLI_BASELINE_BEGIN "{\n\"kind\":\"jweave-baseline\","

/* Writes SIDE to the file PATH, which is new, or was a baseline. */
enum jw_status JW_MUST_USE cli_baseline_save(const char *path, const struct trace_diff_side *side,
					     struct jw_err *e);
/* The text of SIDE; JW_LIMIT: it is so large that it could not be read again. */
enum jw_status JW_MUST_USE cli_baseline_put(struct jw_buf *out, const struct trace_diff_side *side,
					    struct jw_err *e);
/* The side in TEXT, in ARENA; JW_INPUT with NAME, line and column. OUT is to be closed in any case.
 */
enum jw_status JW_MUST_USE cli_baseline_read(struct jw_span text, const char *name,
					     struct jw_arena *arena, struct trace_diff_side *out,
					     struct jw_err *e);

/* ---- gates ---- */

struct cli_gate_line {
	const struct trace_diff_pair *pair;
	size_t column;
};

enum cli_gate_op { CLI_GATE_ABOVE, CLI_GATE_FROM, CLI_GATE_BELOW, CLI_GATE_TO, CLI_GATE_OTHER };

struct cli_gate {
	const char *text;
	enum trace_diff_kind kind; /* what it is about */
	size_t column;             /* of KIND; TRACE_DIFF_COLUMNS: new-exceptions */
	const struct rules *rules; /* of its pattern of methods, owned; NULL: it has none */
	char *glob;                /* of the names of all else, likewise */
	enum cli_gate_op op;
	double number;
	bool percent;
	/* filled by cli_gates_decide() */
	struct cli_gate_line *lines;    /* that it fails on */
	size_t line_count, asked, open; /* pairs that it is about; that cannot decide */
	bool idle;                      /* it names what neither A nor B has */
	bool failed;                    /* on a line; with --fail-on-unmatched, being idle */
};

struct cli_gates {
	struct cli_gate *list;
	size_t n;
	bool failed;
};

/* What --fail-on says; JW_USAGE: it is wrong. To be freed in any case. */
enum jw_status JW_MUST_USE cli_gates_take(struct cli *cli, struct cli_gates *out, struct jw_err *e);
enum jw_status JW_MUST_USE cli_gate_parse(const char *text, struct cli_gate *out, struct jw_err *e);
enum jw_status JW_MUST_USE cli_gates_decide(struct cli *cli, struct cli_gates *gates,
					    const struct trace_diff *diff, struct jw_err *e);
void cli_gates_free(struct cli_gates *gates);

/* ---- what is told ---- */

struct cli_diff {
	const char *a_name, *b_name;
	struct trace_diff diff;
	struct cli_gates gates;
};

void cli_diff_text(struct cli *cli, const struct cli_diff *d);
enum jw_status JW_MUST_USE cli_diff_json(struct cli *cli, const struct cli_diff *d,
					 struct jw_err *e);

/* In percent of A; false: A is 0. */
bool cli_diff_percent(const struct trace_diff_figure *f, double *percent);

#endif
