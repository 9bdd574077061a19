/*
 * report_tree.c: jweave report --tree and --callers: see report_calls.h.
 *
 * The JSON: { kind: "tree", callers, durationNs, calls, totalNs, nodes, foldedCalls, nodeLimit, shown,
 *   tree: [{ id, parent, [threads,] [name, full,] [folded,] calls, [exceptional,] totalNs, selfNs,
 *            total: { running, .. }, self: { likewise } }] }
 */
#include <stdio.h>
#include <string.h>

#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_calls.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "cli/terminal.h"
#include "trace/calls/rows.h"

#include "base/banned.h"

#define ROWS_SHOWN  40
#define LEAST       1.0 /* percent */
#define INDENT_MOST 15  /* levels; what is deeper has its level in figures */

struct printer {
	struct cli *cli;
	const struct trace_report *report;
	const struct trace_tree *tree;
	const char *callers; /* the pattern; NULL: it is the tree */
	uint64_t all_ns;     /* of all roots */
	double percent;      /* below it is folded */
	size_t most;         /* nodes at most */
	struct cli_json json;
};

/* ---- text ---- */

static double share(const struct printer *p, uint64_t ns)
{
	return p->all_ns ? 100 * (double)ns / (double)p->all_ns : 0;
}

/* BY: and that it is a caller. */
static void put_indent(struct cli *cli, uint32_t level, bool by)
{
	uint32_t shown = level < INDENT_MOST ? level : INDENT_MOST;

	if (level > INDENT_MOST)
		cli_put(cli, "%*s%u: ", (int)(2 * shown), "", level);
	else
		cli_put(cli, "%*s", (int)(2 * shown), "");
	if (by && level)
		cli_put(cli, "by ");
}

static void put_row(struct printer *p, const struct trace_tree_row *row)
{
	struct cli *cli = p->cli;
	uint64_t self = trace_tree_ns(row->self), total = trace_tree_ns(row->total);

	cli_put(cli, "%12llu", (unsigned long long)row->calls);
	if (p->report->exceptions_known)
		cli_put(cli, " %11llu", (unsigned long long)row->failed);
	cli_put(cli, " %13.3f %7.1f %13.3f %13.3f  ", cli_report_ms(total), share(p, total),
		cli_report_ms(self), cli_report_ms(row->self[TRACE_REPORT_RUNNING]));
	put_indent(cli, row->level, p->callers && row->node != TRACE_TREE_NONE);
	if (row->chain)
		cli_put(cli, "... %zu levels, each nearly all in the next", row->chain);
	else if (row->node == TRACE_TREE_NONE)
		cli_put(cli, "(%zu more)", row->folded);
	else if (p->tree->at[row->node].method == TRACE_TREE_FOLDED)
		cli_put(cli, p->callers ? "(callers further away)" : "(calls that are folded)");
	else
		cli_put_method_cut(cli, p->report->methods[p->tree->at[row->node].method].title);
	cli_put(cli, "\n");
}

static void put_head(const struct printer *p)
{
	cli_put(p->cli, "\n%12s%s %13s %7s %13s %13s  ", "calls",
		p->report->exceptions_known ? "  exceptions" : "", "total ms", "total %", "self ms",
		"running ms");
}

static void put_rows(struct printer *p, const char *role, const struct trace_tree_rows *rows)
{
	cli_put_bold(p->cli, true);
	put_head(p);
	cli_put(p->cli, p->callers ? "method, and who calls it" : "method, and what it calls");
	if (role) {
		cli_put(p->cli, ", in threads ");
		cli_report_put_name(p->cli, *role ? role : "without a name");
	}
	cli_put_bold(p->cli, false);
	cli_put(p->cli, "\n");
	for (size_t i = 0; i < rows->n; i++)
		put_row(p, &rows->at[i]);
	if (rows->shown < rows->all)
		cli_put(p->cli,
			"  the longest %zu of %zu ways to a method (--top=N, "
			"--threshold=PERCENT)\n",
			rows->shown, rows->all);
}

static void put_notes(const struct printer *p)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < p->tree->n; i++)
		if (p->tree->at[i].method == TRACE_TREE_FOLDED)
			calls += p->tree->at[i].calls;
	if (calls && !p->callers)
		cli_put(p->cli,
			"  there are more than %u ways to a method: %s of others are folded below "
			"their callers\n",
			(unsigned)TRACE_TREE_LIMIT,
			cli_plural(&p->cli->arena, calls, "call", "calls"));
}

/* ---- JSON ---- */

static void put_node(struct printer *p, const struct trace_tree_row *row, const char *role)
{
	struct cli_json *json = &p->json;
	cJSON *part = cli_json_object(json, NULL, NULL);
	uint32_t method =
		row->node == TRACE_TREE_NONE ? TRACE_TREE_FOLDED : p->tree->at[row->node].method;

	if (row->node == TRACE_TREE_NONE)
		cli_json_null(json, part, "id");
	else
		cli_json_number(json, part, "id", row->node);
	if (row->parent == TRACE_TREE_NONE)
		cli_json_null(json, part, "parent");
	else
		cli_json_number(json, part, "parent", row->parent);
	if (method == TRACE_TREE_ROOT)
		cli_json_text(json, part, "threads", role);
	else if (method != TRACE_TREE_FOLDED)
		cli_report_json_label(json, part, p->report->methods[method].label);
	else
		cli_json_bool(json, part, "folded", true);
	cli_json_number(json, part, "calls", row->calls);
	if (p->report->exceptions_known)
		cli_json_number(json, part, "exceptional", row->failed);
	cli_json_number(json, part, "totalNs", trace_tree_ns(row->total));
	cli_json_number(json, part, "selfNs", trace_tree_ns(row->self));
	cli_report_json_times(json, part, "total", row->total);
	cli_report_json_times(json, part, "self", row->self);
	cli_json_element(json, part);
}

static void put_root(struct printer *p, uint32_t root, const char *role)
{
	const struct trace_tree_node *n = &p->tree->at[root];
	struct trace_tree_row row = {
		.node = root, .parent = TRACE_TREE_NONE, .calls = n->calls, .failed = n->failed
	};

	memcpy(row.self, n->self, sizeof(row.self));
	memcpy(row.total, n->total, sizeof(row.total));
	put_node(p, &row, role);
}

static void put_json_head(struct printer *p)
{
	struct cli_json *json = &p->json;
	uint64_t folded = 0;

	for (size_t i = 0; i < p->tree->n; i++)
		if (p->tree->at[i].method == TRACE_TREE_FOLDED)
			folded += p->tree->at[i].calls;
	cli_json_open(json, p->cli, '{');
	cli_json_line_text(json, "kind", "tree");
	if (p->callers)
		cli_json_line_text(json, "callers", p->callers);
	cli_json_line_bool(json, "exceptionsKnown", p->report->exceptions_known);
	cli_json_line_number(json, "durationNs", p->report->duration_ns);
	cli_json_line_number(json, "calls", p->report->calls);
	cli_json_line_number(json, "totalNs", p->all_ns);
	cli_json_line_number(json, "nodes", p->tree->n - p->tree->roots - p->tree->folded);
	cli_json_line_number(json, "nodeLimit", TRACE_TREE_LIMIT);
	cli_json_line_number(json, "foldedCalls", folded);
	cli_json_list(json, "tree");
}

/* ---- both ---- */

static enum jw_status put_tree(struct printer *p, uint32_t root, const char *role, struct jw_err *e)
{
	struct trace_tree_rows rows;
	double least = (double)p->all_ns * p->percent / 100;

	JW_TRY(trace_tree_rows(p->tree, root, (uint64_t)least + (least > 0), p->most,
			       !p->json.cli && !p->callers && p->percent >= LEAST, &p->cli->arena,
			       &rows, e));
	if (!p->json.cli) {
		put_rows(p, role, &rows);
		return JW_OK;
	}
	put_root(p, root, role ? role : "");
	for (size_t i = 0; i < rows.n; i++)
		put_node(p, &rows.at[i], NULL);
	return JW_OK;
}

/* ROLES: of the roots; NULL: there is one, of all threads. */
static enum jw_status put_all(struct printer *p, const char *const *roles, struct jw_err *e)
{
	bool json = cli_given(p->cli, CLI_OPT_json);

	for (uint32_t i = 0; i < p->tree->roots; i++)
		p->all_ns += trace_tree_ns(p->tree->at[i].total);
	if (json)
		put_json_head(p);
	for (uint32_t i = 0; i < p->tree->roots; i++)
		if (p->tree->at[i].first != TRACE_TREE_NONE)
			JW_TRY(put_tree(p, i, roles ? roles[i] : NULL, e));
	if (!json) {
		put_notes(p);
		return JW_OK;
	}
	cli_json_list_end(&p->json);
	return cli_json_close(&p->json, e);
}

static enum jw_status take_options(struct printer *p, struct jw_err *e)
{
	struct cli *cli = p->cli;
	bool json = cli_given(cli, CLI_OPT_json);

	p->most = cli_report_top(cli, SIZE_MAX, json ? SIZE_MAX : ROWS_SHOWN);
	p->percent = json ? 0 : LEAST;
	return cli_given(cli, CLI_OPT_threshold)
		       ? cli_take_percent(cli, CLI_OPT_threshold, 0, 100, &p->percent, e)
		       : JW_OK;
}

static enum jw_status put_callers(struct printer *p, const struct trace_tree *all,
				  const bool *chosen, struct jw_err *e)
{
	struct trace_tree turned = { 0 };
	bool made = trace_tree_callers(all, chosen, p->report->method_count, &turned);

	p->tree = &turned;
	enum jw_status status = made ? put_all(p, NULL, e) : jw_nomem(e);

	p->tree = all;
	trace_tree_free(&turned);
	return status;
}

enum jw_status cli_report_tree(struct cli *cli, const struct trace_report *report,
			       const bool *chosen, struct jw_err *e)
{
	struct printer p = { .cli = cli,
			     .report = report,
			     .callers = chosen ? cli_value(cli, CLI_OPT_callers, "") : NULL };
	struct trace_tree all = { 0 };

	JW_TRY(take_options(&p, e));
	if (cli_given(cli, CLI_OPT_by_thread) && !chosen) {
		p.tree = &report->tree.tree;
		return put_all(&p, report->tree.roles, e);
	}
	enum jw_status status = trace_report_tree_all(&report->tree, &all) ? JW_OK : jw_nomem(e);

	p.tree = &all;
	if (status == JW_OK)
		status = chosen ? put_callers(&p, &all, chosen, e) : put_all(&p, NULL, e);
	trace_tree_free(&all);
	return status;
}
