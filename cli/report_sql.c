/*
 * report_sql.c: jweave report --sql: what the statements of SQL took, by their texts.
 *
 * The JSON: { kind: "sql", durationNs, executions, executionsNs, statements: [{ sql (null: unknown), executions, ns,
 * longestNs, prepared }] }
 */
#include "cli/report_sql.h"

#include "base/text.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_shared.h"
#include "cli/report_source.h"
#include "cli/safe_text.h"
#include "trace/statements/statements.h"

#include "base/banned.h"

#define SHOWN      20
#define TEXT_SHOWN 200 /* bytes of a text */

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* TEXT on one line, with single blanks; what is too long ends with "...". */
static void put_text_of(struct cli *cli, const char *text)
{
	struct jw_span rest = jw_span_str(text);
	struct jw_buf line = { 0 };
	bool apart = false; /* a blank comes before what is next */
	uint32_t point;

	while (rest.n && line.n < TEXT_SHOWN) {
		size_t n = jw_utf8_at(rest, &point);

		n = n ? n : 1;
		if (!is_blank((char)*rest.p)) {
			if (apart && line.n)
				jw_put_u1(&line, ' ');
			jw_put_bytes(&line, jw_span_sub(rest, 0, n));
		}
		apart = is_blank((char)*rest.p);
		rest = jw_span_sub(rest, n, rest.n - n);
	}
	if (rest.n)
		jw_put_str(&line, " ...");
	jw_put_u1(&line, 0);
	if (line.failed == JW_OK)
		cli_report_put_name(cli, (const char *)line.p);
	jw_buf_free(&line);
}

static double mean_ms(uint64_t ns, uint64_t count)
{
	return count ? cli_report_ms(ns) / (double)count : 0;
}

static void put_text(struct cli *cli, const struct trace_statement_list *list)
{
	struct jw_arena *a = &cli->arena;
	size_t n = cli_report_top(cli, list->n, SHOWN);
	size_t known = list->n - (list->n && !list->statements[list->n - 1].text);

	cli_put(cli, "%s, %s of SQL in %.3f s, %.3f ms in all\n",
		cli_plural(a, known, "statement", "statements"),
		cli_plural(a, list->count, "execution", "executions"),
		(double)list->duration_ns / 1e9, cli_report_ms(list->ns));
	if (list->n)
		cli_put(cli, "\n%12s %13s %13s %13s %12s  statement\n", "executions", "total ms",
			"mean ms", "longest ms", "prepared");
	for (size_t i = 0; i < n; i++) {
		const struct trace_statement *s = &list->statements[i];

		cli_put(cli, "%12llu %13.3f %13.3f %13.3f %12llu  ", (unsigned long long)s->count,
			cli_report_ms(s->ns), mean_ms(s->ns, s->count),
			cli_report_ms(s->longest_ns), (unsigned long long)s->prepared);
		if (s->text)
			put_text_of(cli, s->text);
		else
			cli_put(cli, "(their text is unknown)");
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, list->n - n);
}

enum jw_status cli_report_sql_json(struct cli *cli, const struct trace_statement_list *list,
				   struct jw_err *e)
{
	struct cli_json json = { 0 };
	size_t most = cli_report_top(cli, list->n, SIZE_MAX);

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "sql");
	cli_json_line_number(&json, "durationNs", list->duration_ns);
	cli_json_line_number(&json, "executions", list->count);
	cli_json_line_number(&json, "executionsNs", list->ns);
	cli_json_list(&json, "statements");
	for (size_t i = 0; i < list->n && i < most; i++) {
		const struct trace_statement *s = &list->statements[i];
		cJSON *one = cli_json_object(&json, NULL, NULL);

		if (s->text)
			cli_json_text(&json, one, "sql", s->text);
		else
			cli_json_null(&json, one, "sql");
		cli_json_number(&json, one, "executions", s->count);
		cli_json_number(&json, one, "ns", s->ns);
		cli_json_number(&json, one, "longestNs", s->longest_ns);
		cli_json_number(&json, one, "prepared", s->prepared);
		cli_json_element(&json, one);
	}
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

enum jw_status cli_report_sql(struct cli *cli, struct jw_err *e)
{
	struct trace_statements *statements = trace_statements_new(&cli->arena);

	if (!statements)
		return jw_nomem(e);
	enum jw_status status =
		cli_report_tell(cli, &trace_statements_output, statements, CLI_REPORT_LAST, e);
	const struct trace_statement_list list = trace_statements_list(statements);
	trace_statements_free(statements);
	if (status != JW_OK)
		return status;
	if (!list.n)
		cli_note(cli, "no statement of SQL is in it: --preset=sql records them");
	else if (!list.statements[0].text)
		cli_warn(cli,
			 "the texts of its statements were not recorded: --preset=sql does that");
	if (cli_given(cli, CLI_OPT_json))
		return cli_report_sql_json(cli, &list, e);
	put_text(cli, &list);
	return JW_OK;
}
