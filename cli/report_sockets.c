/*
 * report_sockets.c: in `jweave report`, how much of what crossed sockets is known from both ends, so
 * that arrows lead from who wrote it to who read it; and why not the rest.
 */
#include "cli/cli.h"
#include "cli/out.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "cli/selection.h"

#include "base/banned.h"

static const struct {
	const char *word, *text;
} reasons[] = {
#define REASON(name, word, text) { word, text },
	TRACE_UNMATCHED_LIST(REASON)
#undef REASON
};

static bool has_any(const struct trace_socket_bytes *s)
{
	bool any = s->matched || s->backwards;

	for (int i = 0; i < TRACE_UNMATCHED_COUNT; i++)
		any |= s->unmatched[i] > 0;
	return any;
}

static void put_bytes(struct cli *cli, uint64_t bytes, uint64_t of, uint64_t ends)
{
	cli_put(cli, "%14llu", (unsigned long long)bytes);
	if (of)
		cli_put(cli, " %8.1f", 100.0 * (double)bytes / (double)of);
	else
		cli_put(cli, " %8s", "");
	if (ends)
		cli_put(cli, " %8llu  ", (unsigned long long)ends);
	else
		cli_put(cli, " %8s  ", "");
}

void cli_report_put_sockets(struct cli *cli, const struct trace_report *r)
{
	const struct trace_socket_bytes *s = &r->sockets;
	uint64_t between = trace_bytes_between(s);

	if (!has_any(s))
		return;
	cli_put(cli, "\n%14s %8s %8s  of sockets, both ways%s\n", "bytes", "%", "ends",
		cli_selects(cli) ? " (of the whole run, whatever is selected)" : "");
	if (between) {
		put_bytes(cli, s->matched, between, 0);
		cli_put(cli, "written by one recorded end and read by the other\n");
	}
	for (int i = 0; i < TRACE_UNMATCHED_COUNT; i++) {
		if (!s->unmatched[i])
			continue;
		put_bytes(cli, s->unmatched[i], i < TRACE_UNMATCHED_FIRST_ALONE ? between : 0,
			  s->ends[i]);
		cli_put(cli, "%s\n", reasons[i].text);
	}
	if (s->backwards)
		cli_put(cli, "left out: %s that would run backwards, by up to %.3f ms\n",
			cli_plural(&cli->arena, s->backwards, "arrow", "arrows"),
			cli_report_ms(s->most_backwards));
	if (r->messages.machines)
		cli_put(cli, "the clocks of %s were set by %s between them\n",
			cli_plural(&cli->arena, r->messages.machines, "machine", "machines"),
			cli_plural(&cli->arena, r->messages.messages, "message", "messages"));
}

static void put_json(struct cli_json *json, const struct trace_socket_bytes *s)
{
	cJSON *line = cli_json_object(json, NULL, NULL);
	cJSON *sockets = cli_json_object(json, line, "sockets");
	cJSON *unmatched;

	cli_json_number(json, sockets, "between", trace_bytes_between(s));
	cli_json_number(json, sockets, "matched", s->matched);
	unmatched = cli_json_object(json, sockets, "unmatched");
	for (int i = 0; i < TRACE_UNMATCHED_COUNT; i++) {
		cJSON *one = cli_json_object(json, unmatched, reasons[i].word);

		cli_json_number(json, one, "bytes", s->unmatched[i]);
		cli_json_number(json, one, "ends", s->ends[i]);
	}
	cli_json_number(json, sockets, "backwards", s->backwards);
	cli_json_number(json, sockets, "backwardsNs", s->most_backwards);
	cli_json_line(json, line);
}

void cli_report_json_sockets(struct cli_json *json, const struct trace_socket_bytes *sockets,
			     const struct trace_messages_told *messages)
{
	if (has_any(sockets))
		put_json(json, sockets);
	if (!messages->machines)
		return;
	cJSON *line = cli_json_object(json, NULL, NULL);
	cJSON *clocks = cli_json_object(json, line, "clocks");

	cli_json_number(json, clocks, "machines", messages->machines);
	cli_json_number(json, clocks, "messages", messages->messages);
	cli_json_number(json, clocks, "backwardsBefore", messages->backwards);
	cli_json_number(json, clocks, "backwardsBeforeNs", messages->most_ns);
	cli_json_line(json, line);
}
