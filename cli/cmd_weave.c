/*
 * cmd_weave.c: jweave [OPTIONS] IN RULES OUT, and what both forms share.
 *
 * The line of success counts "wove M of N methods": N are the methods with a body of the classes
 * that some rule may concern (by name, package, entry or access; other classes are not even
 * opened), nested archives included; M those that carry probes now.
 */
#include <string.h>

#include "base/file.h"
#include "cli/cmd_weave.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "rules/hints.h"

#include "base/banned.h"

static enum jw_status usage(struct jw_err *e, const char *what)
{
	return jw_fail(e, JW_USAGE, "%s (see 'jweave help weave')", what);
}

/* ---- begin and end ---- */

static void show_progress(void *ctx, uint64_t done, uint64_t all)
{
	struct cli_weave *w = ctx;

	cli_progress_step(&w->progress, (double)done, (double)all);
}

static void set_options(struct cli_weave *w)
{
	struct cli *cli = w->cli;
	const long *numbers = cli->args.numbers;

	w->limits = weave_default_limits;
	if (cli_given(cli, CLI_OPT_huge))
		w->limits.compiled = 0;
	w->job.rules = w->rules;
	w->job.limits = &w->limits;
	/* ORDER: the words of --runtime, --signed and --on-woven */
	w->job.runtime = (enum weave_runtime_mode)numbers[CLI_OPT_runtime];
	w->job.signatures = (enum weave_signed_mode)numbers[CLI_OPT_signed];
	w->job.on_woven = (enum weave_woven_mode)numbers[CLI_OPT_on_woven];
	w->job.nested = cli_value(cli, CLI_OPT_nested, "all");
	w->job.level = (int)numbers[CLI_OPT_compress];
	w->job.full_map = cli_given(cli, CLI_OPT_full_map);
	w->job.threads = (size_t)numbers[CLI_OPT_jobs];
	w->job.strict = cli_given(cli, CLI_OPT_strict);
	w->job.no_limits = cli_given(cli, CLI_OPT_no_limits);
	w->job.class_path = cli_value(cli, CLI_OPT_classpath, NULL);
	w->job.progress = show_progress;
	w->job.progress_ctx = w;
}

enum jw_status cli_weave_begin(struct cli_weave *w, struct jw_err *e)
{
	JW_TRY(cli_load_rules(w->cli, w->rules_path, &w->rules, e));
	w->used = JW_NEW_ARRAY(&w->cli->arena, bool, rules_count(w->rules) + 1);
	if (!w->used)
		return jw_nomem(e);
	set_options(w);
	return cli_side_open(w, e);
}

void cli_weave_end(struct cli_weave *w)
{
	jw_out_abort(&w->report);
	jw_out_abort(&w->depfile);
	jw_buf_free(&w->reports);
	rules_free(w->rules);
}

/* ---- rules that decide nothing ---- */

static enum jw_status refuse(const struct rules_rule *rule, const char *where, struct jw_err *e)
{
	return jw_fail(e, JW_POLICY,
		       "rule '%s' (%s:%u) decides no method of '%s': nothing was written; "
		       "'jweave explain' shows what matches",
		       rule->id, rule->file, rule->line, where);
}

enum jw_status cli_weave_judge(struct cli_weave *w, const bool *used, const char *where,
			       bool may_refuse, struct jw_err *e)
{
	bool all = cli_given(w->cli, CLI_OPT_fail_on_unmatched);

	for (size_t i = 0; i < rules_count(w->rules); i++) {
		const struct rules_rule *rule = rules_rule(w->rules, i);

		if (used[i] || rule->on_unmatched == RULES_UNMATCHED_IGNORE)
			continue;
		bool refused = all || rule->on_unmatched == RULES_UNMATCHED_ERROR;
		if (refused && !may_refuse)
			continue;
		if (!refused && !cli_quiet(w->cli))
			cli_warn(w->cli, "rule '%s' (%s:%u) decides no method of '%s'", rule->id,
				 rule->file, rule->line, where);
		rules_hints_of(w->rules, i, cli_hint, w->cli);
		if (refused)
			return refuse(rule, where, e);
	}
	return JW_OK;
}

/* ---- what was done, in words ---- */

static void tell_skipped(struct cli_weave *w, const struct weave_skipped *s)
{
	struct jw_buf text = { 0 };
	size_t name = strcspn(s->method, "(");

	jw_put_str(&text, *s->class_name ? s->class_name : s->entry);
	if (*s->method) {
		jw_put_u1(&text, '#');
		cli_put_method(&text, jw_span(s->method, name), jw_span_str(s->method + name));
		jw_put_fmt(&text, " (%u byte%s", s->size, jw_s(s->size));
		if (s->woven_size)
			jw_put_fmt(&text, ", %u when woven", s->woven_size);
		jw_put_str(&text, ")");
	}
	jw_put_fmt(&text, ": %s%s%s", weave_skip_text(s->skip), *s->detail ? ": " : "", s->detail);
	if (text.failed == JW_OK)
		cli_detail(w->cli, "not woven: %.*s", (int)text.n, (const char *)text.p);
	jw_buf_free(&text);
}

/* What the line of success says of methods that stay as they are: " (7 trivial ones left out, see
 * --no-guard; 3 skipped, see -v)". */
static const char *put_beside(struct cli_weave *w, const struct weave_report *r)
{
	struct jw_arena *arena = &w->cli->arena;
	const char *guarded = "", *skipped = "";

	if (r->guarded)
		guarded = jw_arena_fmt(arena, "%llu trivial %s left out, see --no-guard",
				       (unsigned long long)r->guarded,
				       r->guarded == 1 ? "one" : "ones");
	if (r->skipped_count)
		skipped = jw_arena_fmt(arena, "%zu skipped%s", r->skipped_count,
				       cli_verbose(w->cli) ? "" : ", see -v");
	if (!guarded || !skipped || (!*guarded && !*skipped))
		return "";
	return jw_arena_fmt(arena, " (%s%s%s)", guarded, *guarded && *skipped ? "; " : "", skipped);
}

const char *cli_weave_others(struct jw_arena *arena, const struct weave_report *r)
{
	const char *calls = "", *made = "", *exceptions = "", *text;

	if (r->calls)
		calls = jw_arena_fmt(arena, " and %s",
				     cli_plural(arena, r->calls, "call", "calls"));
	if (r->creations)
		made = jw_arena_fmt(arena, " and %s of new objects",
				    cli_plural(arena, r->creations, "place", "places"));
	if (r->exceptions)
		exceptions = jw_arena_fmt(arena, " and the exceptions of %llu",
					  (unsigned long long)r->exceptions);
	text = calls && made && exceptions ? jw_arena_fmt(arena, "%s%s%s", calls, made, exceptions)
					   : NULL;
	return text ? text : "";
}

static const char *line_of_success(struct cli_weave *w, const struct weave_report *r)
{
	struct jw_arena *arena = &w->cli->arena;
	const char *to = r->out, *text, *beside = put_beside(w, r);

	if (!to)
		to = "nothing written (dry run)";
	text = jw_arena_fmt(
		arena, "%s %llu of %s%s in %s%s -> %s", r->out ? "wove" : "would weave",
		(unsigned long long)r->woven, cli_plural(arena, r->methods, "method", "methods"),
		cli_weave_others(arena, r), cli_plural(arena, r->woven_classes, "class", "classes"),
		beside ? beside : "", to);
	return text ? text : "";
}

void cli_weave_tell(struct cli_weave *w, const struct weave_report *r)
{
	struct cli *cli = w->cli;
	struct jw_buf line = { 0 };

	for (size_t i = 0; i < r->note_count; i++)
		cli_note(cli, "%s", r->notes[i]);
	for (size_t i = 0; i < r->skipped_count; i++)
		tell_skipped(w, &r->skipped[i]);
	if (r->classes == 0 && r->note_count == 0)
		cli_note(cli, "'%s' holds no class files", r->in);
	if (cli_quiet(cli) || cli_given(cli, CLI_OPT_json))
		return;
	if (r->out && strcmp(r->out, "-") == 0) { /* stdout is the archive's */
		cli_note(cli, "%s", line_of_success(w, r));
		return;
	}
	cli_put_escaped(&line, jw_span_str(line_of_success(w, r)));
	jw_put_u1(&line, '\n');
	cli_put_span(cli, jw_buf_span(&line));
	jw_buf_free(&line);
}

/* ---- one input ---- */

enum jw_status cli_weave_one(struct cli_weave *w, const char *in, const char *out, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct weave_report report = { 0 };

	w->job.in = in;
	w->job.out = out;
	w->progress = cli_progress_begin(w->cli, "weaving", true);
	enum jw_status status = weave_archive(&w->job, &arena, &report, e);
	cli_progress_end(&w->progress);
	if (status == JW_OK) {
		for (size_t i = 0; i < rules_count(w->rules); i++)
			w->used[i] |= report.rule_used && report.rule_used[i];
		if (!w->job.before_commit)
			status = cli_side_add(w, &report, e);
		cli_weave_tell(w, &report);
	}
	jw_arena_free(&arena);
	return status;
}

/* All is woven, nothing is in its place yet. */
static enum jw_status before_commit(void *ctx, const struct weave_report *report, struct jw_err *e)
{
	struct cli_weave *w = ctx;

	cli_progress_end(&w->progress);
	if (report->rule_used)
		JW_TRY(cli_weave_judge(w, report->rule_used, report->in, true, e));
	JW_TRY(cli_side_add(w, report, e));
	return cli_side_commit(w, w->deps, e);
}

/* The operand other than RULES that looks like the rules; NULL: none, or RULES does. */
static const char *misplaced_rules(const char *in, const char *rules, const char *out)
{
	if (cli_ends(rules, ".json"))
		return NULL;
	if (cli_ends(in, ".json"))
		return in;
	return out && cli_ends(out, ".json") ? out : NULL;
}

static enum jw_status check_operands(const char *in, const char *rules, const char *out,
				     struct jw_err *e)
{
	const char *misplaced = misplaced_rules(in, rules, out);

	if (strcmp(in, "-") == 0 && strcmp(rules, "-") == 0)
		return usage(e, "IN and RULES cannot both be standard input");
	if (misplaced)
		return jw_fail(e, JW_USAGE,
			       "'%s' looks like the rules file: the order is jweave IN RULES OUT",
			       misplaced);
	if (out && cli_is_folder(out) && !cli_is_folder(in))
		return jw_fail(e, JW_USAGE,
			       "OUT ('%s') is a folder: name a file in it, or weave into it by "
			       "-r RULES -o %s",
			       out, out);
	if (out && strcmp(out, "-") != 0 && jw_same_file(rules, out))
		return jw_fail(e, JW_USAGE, "OUT ('%s') is the rules file: nothing was written",
			       out);
	return JW_OK;
}

/* Where IN, RULES and OUT are: three operands, or -r, or a dry run without OUT. */
static enum jw_status find_operands(struct cli_weave *w, const char **in, const char **out,
				    struct jw_err *e)
{
	struct cli *cli = w->cli;
	size_t count = cli->args.operand_count;
	bool dry = cli_given(cli, CLI_OPT_dry_run);
	const char **operands = cli->args.operands;

	if (count < 2)
		return usage(e,
			     "too few operands: jweave IN RULES OUT, or jweave -r RULES -o OUTDIR "
			     "IN...");
	if (count > 3)
		return jw_fail(
			e, JW_USAGE,
			"too many operands ('%s'): jweave IN RULES OUT; for many inputs, jweave "
			"-r RULES -o OUTDIR IN...",
			operands[3]);
	if (count == 2 && !dry)
		return usage(e, "OUT is missing: jweave IN RULES OUT (or -n for a dry run)");
	*in = operands[0];
	w->rules_path = operands[1];
	*out = dry ? NULL : operands[2];
	return check_operands(*in, w->rules_path, *out, e);
}

static enum jw_status weave_single(struct cli_weave *w, struct jw_err *e)
{
	const char *in = NULL, *out = NULL;

	JW_TRY(find_operands(w, &in, &out, e));
	const char *deps[3] = { out, in, NULL };

	w->deps = out ? deps : NULL;
	JW_TRY(cli_weave_begin(w, e));
	w->job.before_commit = before_commit;
	w->job.before_commit_ctx = w;
	if (out && strcmp(out, "-") == 0) /* keep order on stdout: ours is empty */
		JW_TRY(cli_flush(w->cli, e));
	return cli_weave_one(w, in, out, e);
}

static enum jw_status weave_several(struct cli_weave *w, struct jw_err *e)
{
	struct cli *cli = w->cli;
	const char *folder = cli_value(cli, CLI_OPT_output, NULL);

	if (!cli_given(cli, CLI_OPT_rules))
		return usage(e, "-o OUTDIR needs -r RULES: jweave -r RULES -o OUTDIR IN...");
	if (!folder && !cli_given(cli, CLI_OPT_dry_run))
		return usage(e, "-r RULES needs -o OUTDIR: jweave -r RULES -o OUTDIR IN...");
	if (cli->args.operand_count == 0)
		return usage(e, "no input: jweave -r RULES -o OUTDIR IN...");
	w->rules_path = cli_value(cli, CLI_OPT_rules, NULL);
	return cli_weave_many(w, cli_given(cli, CLI_OPT_dry_run) ? NULL : folder, e);
}

enum jw_status cli_run_weave(struct cli *cli, struct jw_err *e)
{
	struct cli_weave w = { .cli = cli };
	bool several = cli_given(cli, CLI_OPT_rules) || cli_given(cli, CLI_OPT_output);
	enum jw_status status = several ? weave_several(&w, e) : weave_single(&w, e);

	if (status == JW_OK && cli_given(cli, CLI_OPT_json))
		cli_put_span(cli, jw_buf_span(&w.reports));
	cli_weave_end(&w);
	return status;
}
