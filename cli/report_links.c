/*
 * report_links.c: messages between threads and processes (`"link"` of rules) in `jweave report`.
 */
#include "cli/cli.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_shared.h"

#include "base/banned.h"

void cli_report_put_links(struct cli *cli, const struct trace_report *r)
{
	if (r->link_count)
		cli_put(cli, "\n%10s %12s %12s %14s %12s  link\n", "messages", "backward",
			"only sent", "only received", "without key");
	for (size_t i = 0; i < r->link_count; i++) {
		const struct trace_link_count *l = &r->links[i];

		cli_put(cli, "%10llu %12llu %12llu %14llu %12llu  ", (unsigned long long)l->matched,
			(unsigned long long)l->backward, (unsigned long long)l->sent,
			(unsigned long long)l->received, (unsigned long long)l->unknown);
		cli_report_put_name(cli, l->name);
		cli_put(cli, "\n");
	}
}

void cli_report_add_links(struct cli_json *json, const struct trace_report *r)
{
	cli_json_list(json, "links");
	for (size_t i = 0; i < r->link_count; i++) {
		const struct trace_link_count *l = &r->links[i];
		cJSON *link = cli_json_object(json, NULL, NULL);

		cli_json_text(json, link, "name", l->name);
		cli_json_number(json, link, "messages", l->matched);
		cli_json_number(json, link, "backward", l->backward);
		cli_json_number(json, link, "onlySent", l->sent);
		cli_json_number(json, link, "onlyReceived", l->received);
		cli_json_number(json, link, "withoutKey", l->unknown);
		cli_json_element(json, link);
	}
	cli_json_list_end(json);
}
