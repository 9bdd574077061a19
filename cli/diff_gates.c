/*
 * diff_gates.c: --fail-on of `jweave diff`.
 *
 *     GATE:    METRIC [ '(' PATTERN ')' ] OP NUMBER [ UNIT ]  |  new-exceptions [ '(' PATTERN ')' ]
 *     METRIC:  a column of methods: calls, exceptions, self, total, cpu, mean, longest, p50, p90,
 *             p99, p99.9; or of another list, as in the JSON: waits.waited, requests.p99
 *     OP:      > >= < <= !=
 *     UNIT:    % of what A has; of times ns, us, ms or s
 *
 * It is asked of each method that PATTERN, a match line of the rules, selects; of all else PATTERN is
 * a glob over names, as that of --thread. What is the same, or
 * within noise, never fails; nor does what was recorded only in part. What cannot be told from
 * noise, since there are too few runs, does. What is noise is decided among the figures that the gate asks for, however many
 * others there are: a build that names one method is told of that one.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/diff.h"
#include "cli/inputs.h"

#include "base/banned.h"

#define NEW_EXCEPTIONS TRACE_DIFF_COLUMNS

static const struct trace_diff_column *columns(const struct cli_gate *g)
{
	return trace_diff_kinds[g->kind].columns;
}

/* ---- reading ---- */

static enum jw_status wrong(const char *text, struct jw_err *e, const char *what)
{
	return jw_fail(e, JW_USAGE, "--fail-on '%s': %s (see 'jweave help diff')", text, what);
}

static enum jw_status no_such_metric(struct cli_gate *g, struct jw_span word, struct jw_err *e)
{
	struct jw_buf known = { 0 };
	bool methods = g->kind == TRACE_DIFF_METHOD;

	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && columns(g)[c].word; c++)
		jw_put_fmt(&known, "%s%s%s%s", c ? ", " : "",
			   methods ? "" : trace_diff_kinds[g->kind].list, methods ? "" : ".",
			   columns(g)[c].word);
	if (methods)
		jw_put_str(&known, ", new-exceptions");
	for (unsigned kind = TRACE_DIFF_METHOD + 1; methods && kind < TRACE_DIFF_KINDS; kind++)
		jw_put_fmt(&known, ", %s.%s", trace_diff_kinds[kind].list,
			   trace_diff_kinds[kind].columns[0].word);
	enum jw_status status = jw_fail(
		e, JW_USAGE, "--fail-on '%s': it begins with one of %.*s, not '%.*s'", g->text,
		(int)known.n, (const char *)known.p, (int)word.n, (const char *)word.p);

	jw_buf_free(&known);
	return status;
}

/* "waits.waited": of which list the metric is. Returns what follows; of methods that is all of WORD. */
static struct jw_span take_kind(struct cli_gate *g, struct jw_span word)
{
	for (unsigned kind = 0; kind < TRACE_DIFF_KINDS; kind++) {
		size_t n = strlen(trace_diff_kinds[kind].list);

		if (word.n <= n || word.p[n] != '.' ||
		    !jw_span_starts(word, jw_span_str(trace_diff_kinds[kind].list)))
			continue;
		g->kind = (enum trace_diff_kind)kind;
		return jw_span_sub(word, n + 1, word.n - n - 1);
	}
	return word;
}

static enum jw_status take_metric(struct cli_gate *g, struct jw_span word, struct jw_err *e)
{
	struct jw_span metric = take_kind(g, word);

	g->column = NEW_EXCEPTIONS;
	if (jw_span_eq_str(word, "new-exceptions"))
		return JW_OK;
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && columns(g)[c].word; c++) {
		g->column = c;
		if (jw_span_eq_str(metric, columns(g)[c].word))
			return JW_OK;
	}
	return no_such_metric(g, word, e);
}

/* TEXT begins with '(': what is inside, up to the one that closes it; *REST is what follows. */
static bool take_inside(const char *text, struct jw_span *inside, const char **rest)
{
	int depth = 0;

	for (const char *p = text; *p; p++) {
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (depth == 0) {
			*inside = jw_span(text + 1, (size_t)(p - text - 1));
			*rest = p + 1;
			return true;
		}
	}
	return false;
}

static enum jw_status take_glob(struct cli_gate *g, struct jw_span glob, struct jw_err *e)
{
	if (!glob.n)
		return wrong(g->text, e, "the pattern is empty");
	g->glob = jw_mem_zalloc(glob.n + 1, 1);
	if (!g->glob)
		return jw_nomem(e);
	memcpy(g->glob, glob.p, glob.n);
	return JW_OK;
}

static enum jw_status take_pattern(struct cli_gate *g, struct jw_span pattern, struct jw_err *e)
{
	if (g->kind != TRACE_DIFF_METHOD)
		return take_glob(g, pattern, e);
	struct jw_arena arena = { 0 };
	struct rules *rules = NULL;
	const char *text = jw_arena_str(&arena, pattern);
	enum jw_status status = JW_OK;

	if (!text)
		status = jw_nomem(e);
	else if (cli_pattern_has_modifiers(text))
		status = wrong(g->text, e,
			       "a trace knows no modifiers and annotations: name class and method");
	else if (cli_load_pattern(text, &rules, e) != JW_OK)
		status = jw_err_where(e, "--fail-on '%s'", g->text);
	g->rules = rules;
	jw_arena_free(&arena);
	return status;
}

static enum jw_status take_op(struct cli_gate *g, const char **at, struct jw_err *e)
{
	static const struct {
		const char *text;
		enum cli_gate_op op;
	} ops[] = { { ">=", CLI_GATE_FROM },
		    { "<=", CLI_GATE_TO },
		    { "!=", CLI_GATE_OTHER },
		    { ">", CLI_GATE_ABOVE },
		    { "<", CLI_GATE_BELOW } };

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		size_t n = strlen(ops[i].text);

		if (strncmp(*at, ops[i].text, n) != 0)
			continue;
		g->op = ops[i].op;
		*at += n;
		return JW_OK;
	}
	return wrong(g->text, e, "what follows the metric is one of > >= < <= !=");
}

static enum jw_status take_unit(struct cli_gate *g, const char *unit, struct jw_err *e)
{
	static const struct {
		const char *text;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	bool time = trace_diff_is_time(&columns(g)[g->column]);

	g->percent = strcmp(unit, "%") == 0;
	if (g->percent || (!time && !*unit))
		return JW_OK;
	for (size_t i = 0; time && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(unit, units[i].text) == 0) {
			g->number *= units[i].ns;
			return JW_OK;
		}
	}
	return wrong(g->text, e,
		     time ? "after the number of a time comes %, ns, us, ms or s"
			  : "after the number of a count comes % or nothing");
}

enum jw_status cli_gate_parse(const char *text, struct cli_gate *out, struct jw_err *e)
{
	const char *at = text + strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-.");
	struct cli_gate *g = out;
	struct jw_span inside;
	char *end = NULL;

	*g = (struct cli_gate){ .text = text };
	JW_TRY(take_metric(g, jw_span(text, (size_t)(at - text)), e));
	if (*at == '(') {
		if (!take_inside(at, &inside, &at))
			return wrong(text, e, "a ')' is missing");
		JW_TRY(take_pattern(g, inside, e));
	}
	at += strspn(at, " ");
	if (g->column == NEW_EXCEPTIONS)
		return *at ? wrong(text, e, "nothing follows new-exceptions but a (PATTERN)")
			   : JW_OK;
	JW_TRY(take_op(g, &at, e));
	at += strspn(at, " ");
	size_t digits = strspn(at + (*at == '-'), "0123456789.");

	g->number = strtod(at, &end);
	if (digits == 0 || end != at + (*at == '-') + digits)
		return wrong(text, e, "a number such as 10 or 2.5 is missing");
	end += strspn(end, " ");
	return take_unit(g, end, e);
}

enum jw_status cli_gates_take(struct cli *cli, struct cli_gates *out, struct jw_err *e)
{
	size_t n = cli->args.gate_count;

	*out = (struct cli_gates){ .list = JW_NEW_ARRAY(&cli->arena, struct cli_gate, n + 1) };
	if (!out->list)
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++) {
		out->n = i + 1;
		JW_TRY(cli_gate_parse(cli->args.gates[i], &out->list[i], e));
	}
	return JW_OK;
}

void cli_gates_free(struct cli_gates *gates)
{
	for (size_t i = 0; i < gates->n; i++) {
		rules_free((struct rules *)gates->list[i].rules);
		jw_mem_free(gates->list[i].glob);
	}
}

/* ---- deciding ---- */

/* Is PAIR what G is about? Classes of exceptions belong to no method, and are new only where both sides have
 * recorded them: methods that failed tell, too. */
static bool is_about(const struct cli_gate *g, const struct trace_diff_pair *pair)
{
	const struct trace_diff_item *item = trace_diff_item_of(pair);

	return item->kind == g->kind ||
	       (item->kind == TRACE_DIFF_THROWN && g->column == NEW_EXCEPTIONS && !g->rules &&
		pair->figures[0].verdict != TRACE_DIFF_NOT_KNOWN);
}

/* Does the pattern of G select it? */
static bool selects(const struct cli_gate *g, const struct trace_diff_item *item)
{
	if (g->glob)
		return fnmatch(g->glob, item->label, 0) == 0;
	return !g->rules ||
	       cli_pattern_chooses(g->rules, item->class_name, item->name, item->descriptor);
}

bool cli_diff_percent(const struct trace_diff_figure *f, double *percent)
{
	*percent = f->a > 0 ? 100 * (f->b - f->a) / f->a : 0;
	return f->a > 0;
}

static bool holds(const struct cli_gate *g, const struct trace_diff_figure *f)
{
	double change = f->b - f->a;

	if (g->percent && !cli_diff_percent(f, &change))
		change = f->b > 0 ? 1e300 : 0; /* from nothing to something: beyond all limits */
	switch (g->op) {
	case CLI_GATE_ABOVE:
		return change > g->number;
	case CLI_GATE_FROM:
		return change >= g->number;
	case CLI_GATE_BELOW:
		return change < g->number;
	case CLI_GATE_TO:
		return change <= g->number;
	case CLI_GATE_OTHER:
		return change != g->number;
	}
	return false;
}

/* Of all runs of SIDE together. */
static double sum(const struct trace_diff_side *side, const struct trace_diff_item *item, size_t c)
{
	double all = 0;

	for (size_t run = 0; item && run < side->runs; run++)
		all += item->values[run * TRACE_DIFF_COLUMNS + c];
	return all;
}

/* The column of exceptions of PAIR: of a class, those that were thrown. */
static size_t fails_of(const struct trace_diff_pair *pair)
{
	return trace_diff_item_of(pair)->kind == TRACE_DIFF_METHOD ? TRACE_DIFF_FAILS : 0;
}

/* A gate about nothing passes whatever happens: that is hardly what was meant, but of any waits, and pauses, which
 * should not be there. */
static bool is_idle(const struct cli_gate *g)
{
	bool named = g->rules || g->glob || (g->kind > TRACE_DIFF_WAIT && g->kind != TRACE_DIFF_GC);

	return named && g->asked == 0;
}

/* Is G about PAIR? Waits of threads that do little else it has to name. */
static bool asks_for(const struct cli_gate *g, const struct trace_diff_pair *pair)
{
	return is_about(g, pair) && (!pair->aside || g->glob) &&
	       selects(g, trace_diff_item_of(pair));
}

static size_t column_of(const struct cli_gate *g, const struct trace_diff_pair *pair)
{
	return g->column == NEW_EXCEPTIONS ? fails_of(pair) : g->column;
}

enum answer { PASSES, FAILS, OPEN };

static enum answer ask(const struct cli_gate *g, const struct trace_diff *d,
		       const struct trace_diff_pair *pair)
{
	bool news = g->column == NEW_EXCEPTIONS;
	size_t c = column_of(g, pair);
	const struct trace_diff_figure *f = &pair->figures[c];

	switch (f->verdict) {
	case TRACE_DIFF_AT_LEAST:
	case TRACE_DIFF_NOT_KNOWN:
		return OPEN;
	case TRACE_DIFF_SAME:
		return PASSES;
	case TRACE_DIFF_NOISE:
	case TRACE_DIFF_FEW:
	case TRACE_DIFF_SMALL:
		if (!news && !(f->alone && f->asked < TRACE_DIFF_SURE))
			return PASSES;
		break;
	case TRACE_DIFF_CHANGED:
	case TRACE_DIFF_UNJUDGED:
		break;
	}
	if (news) /* in one run is enough, where no run had it before */
		return sum(d->a, pair->a, c) == 0 && sum(d->b, pair->b, c) > 0 ? FAILS : PASSES;
	return holds(g, f) ? FAILS : PASSES;
}

static enum jw_status decide(struct cli *cli, struct cli_gate *g, const struct trace_diff *d,
			     struct jw_err *e)
{
	struct trace_diff_figure **family =
		JW_NEW_ARRAY(&cli->arena, struct trace_diff_figure *, d->all + 1);

	g->lines = JW_NEW_ARRAY(&cli->arena, struct cli_gate_line, d->all + 1);
	if (!g->lines || !family)
		return jw_nomem(e);
	for (size_t i = 0; i < d->all; i++)
		if (asks_for(g, &d->pairs[i]))
			family[g->asked++] = &d->pairs[i].figures[column_of(g, &d->pairs[i])];
	JW_TRY(trace_diff_family(d, family, g->asked, e));
	for (size_t i = 0; i < d->all; i++) {
		const struct trace_diff_pair *pair = &d->pairs[i];

		if (!asks_for(g, pair))
			continue;
		enum answer answer = ask(g, d, pair);

		g->open += answer == OPEN;
		if (answer == FAILS)
			g->lines[g->line_count++] =
				(struct cli_gate_line){ pair, column_of(g, pair) };
	}
	g->idle = is_idle(g);
	g->failed = g->line_count > 0 || (g->idle && cli_given(cli, CLI_OPT_fail_on_unmatched));
	return JW_OK;
}

enum jw_status cli_gates_decide(struct cli *cli, struct cli_gates *gates,
				const struct trace_diff *diff, struct jw_err *e)
{
	for (size_t i = 0; i < gates->n; i++) {
		JW_TRY(decide(cli, &gates->list[i], diff, e));
		gates->failed |= gates->list[i].failed;
	}
	return JW_OK;
}
