/*
 * selection.c: see selection.h.
 */
#include <string.h>

#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/selection.h"
#include "cli/trace_files.h"
#include "trace/paraver/prv_source.h"

#include "base/banned.h"

/* ---- options ---- */

static bool chooses(void *ctx, const char *class_name, const char *name, const char *descriptor)
{
	return cli_pattern_chooses(ctx, class_name, name, descriptor);
}

static enum jw_status take_pattern(const struct cli *cli, enum cli_option_id id,
				   struct rules **rules, struct trace_chooser *chooser,
				   const struct trace_chooser **out, struct jw_err *e)
{
	const char *pattern = cli_value(cli, id, NULL);

	if (!pattern)
		return JW_OK;
	if (cli_pattern_has_modifiers(pattern))
		return jw_fail(
			e, JW_USAGE,
			"--%s '%s': a trace knows no modifiers and annotations: name class and "
			"method, as in 'com.acme.Shop#pay'",
			cli_options[id].name, pattern);
	if (cli_load_pattern(pattern, rules, e) != JW_OK)
		return jw_err_where(e, "--%s", cli_options[id].name);
	*chooser = (struct trace_chooser){ chooses, *rules, pattern };
	*out = chooser;
	return JW_OK;
}

static enum jw_status take_moment(const struct cli *cli, enum cli_option_id id,
				  struct trace_moment *out, struct jw_err *e)
{
	const char *text = cli_value(cli, id, NULL);

	if (!text || trace_moment_parse(text, out))
		return JW_OK;
	return jw_fail(e, JW_USAGE,
		       "option '--%s' takes a time since the beginning (2.5, 300ms, 40us) or a "
		       "share (25%%), not '%s'",
		       cli_options[id].name, text);
}

static enum jw_status take_range(const struct cli *cli, struct trace_range *out, struct jw_err *e)
{
	*out = (struct trace_range){ 0 };
	JW_TRY(take_moment(cli, CLI_OPT_from, &out->from, e));
	return take_moment(cli, CLI_OPT_to, &out->to, e);
}

static enum jw_status take_duration(const struct cli *cli, uint64_t *out, struct jw_err *e)
{
	const char *text = cli_value(cli, CLI_OPT_min_duration, NULL);
	struct trace_moment moment = { 0 };

	if (!text)
		return JW_OK;
	if (!trace_moment_parse(text, &moment) || moment.is_share || moment.ns == 0)
		return jw_fail(e, JW_USAGE,
			       "option '--min-duration' takes a time above 0 (5ms, 40us, 2.5), not "
			       "'%s'",
			       text);
	*out = moment.ns;
	return JW_OK;
}

enum jw_status cli_selection_take(const struct cli *cli, bool methods, struct cli_selection *out,
				  struct jw_err *e)
{
	struct trace_selection *w = &out->wanted;

	*out = (struct cli_selection){ 0 };
	JW_TRY(take_range(cli, &w->range, e));
	JW_TRY(take_pattern(cli, CLI_OPT_around, &out->around_rules, &out->around, &w->around, e));
	if (methods)
		JW_TRY(take_pattern(cli, CLI_OPT_method, &out->method_rules, &out->methods,
				    &w->methods, e));
	if (w->around && (w->range.from.given || w->range.to.given))
		return jw_fail(e, JW_USAGE,
			       "--around is a range of its own: leave out --from and --to, or "
			       "--around");
	w->thread = cli_value(cli, CLI_OPT_thread, NULL);
	w->process = cli_value(cli, CLI_OPT_process, NULL);
	w->max_depth = (uint32_t)cli->args.numbers[CLI_OPT_max_depth];
	return take_duration(cli, &w->min_ns, e);
}

bool cli_selects(const struct cli *cli)
{
	static const enum cli_option_id ids[] = { CLI_OPT_from,         CLI_OPT_to,
						  CLI_OPT_around,       CLI_OPT_thread,
						  CLI_OPT_process,      CLI_OPT_method,
						  CLI_OPT_min_duration, CLI_OPT_max_depth };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (cli_given(cli, ids[i]))
			return true;
	return false;
}

enum jw_status cli_selection_begin(struct cli_selection *s, struct jw_err *e)
{
	if (!trace_selects(&s->wanted))
		return JW_OK;
	s->select = trace_select_new(&s->wanted);
	return s->select ? JW_OK : jw_nomem(e);
}

void cli_selection_free(struct cli_selection *s)
{
	trace_select_free(s->select);
	rules_free(s->around_rules);
	rules_free(s->method_rules);
}

/* ---- the first reading of a .prv ---- */

static enum jw_status begin(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	(void)pcf;
	(void)e;
	trace_prv_source_row(ctx, row);
	return JW_OK;
}

static enum jw_status take(void *ctx, struct jw_span piece, struct jw_err *e)
{
	return trace_prv_source_feed(ctx, piece, e);
}

static enum jw_status finish(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	return trace_prv_source_finish(ctx, pcf, row, e);
}

enum jw_status cli_selection_look(struct cli *cli, struct cli_selection *s, const char *path,
				  struct jw_err *e)
{
	if (!s->select || !trace_select_looks(s->select, false))
		return JW_OK;
	struct trace_prv_source *source = trace_prv_source_new(&trace_look_output, s->select, NULL);
	const struct cli_trace_reader reader = {
		.doing = "looking",
		.begin = begin,
		.take = take,
		.finish = finish,
		.ctx = source,
	};
	enum jw_status status = source ? cli_read_trace(cli, path, &reader, e) : jw_nomem(e);

	trace_prv_source_free(source);
	return status;
}

/* ---- what came out ---- */

void cli_selection_tell(struct cli *cli, const struct cli_selection *s)
{
	struct trace_selected told = { 0 };

	if (s->select)
		told = trace_select_told(s->select);
	if ((told.before || told.after) && cli->args.command != CLI_CMD_report) /* it says so */
		cli_note(cli,
			 "of %s %llu began before the range and %llu went on after it: of them the "
			 "part inside counts",
			 cli_plural(&cli->arena, told.calls, "call", "calls"),
			 (unsigned long long)told.before, (unsigned long long)told.after);
	if (told.arrows_cut)
		cli_note(cli, "%s left out: an end is not in the range",
			 cli_plural(&cli->arena, told.arrows_cut, "arrow is", "arrows are"));
}
