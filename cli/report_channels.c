/*
 * report_channels.c: connections and files in `jweave report`.
 */
#include "cli/cli.h"
#include "cli/out.h"
#include "cli/report_shared.h"

#include "base/banned.h"

#define TOP_SHOWN 20

/* Has anything been read or written? Those come first. */
static bool is_moved(const struct trace_report_channel *c)
{
	return c->moves[TRACE_REPORT_READS].count || c->moves[TRACE_REPORT_WRITES].count;
}

static void put_table(struct cli *cli, const struct trace_report_channel *list, size_t count,
		      const char *head)
{
	while (count && !is_moved(&list[count - 1]))
		count--;
	size_t n = cli_report_top(cli, count, TOP_SHOWN);

	if (n == 0)
		return;
	cli_put(cli, "\n%10s %14s %13s %10s %14s %13s  %s\n", "reads", "bytes read", "ms", "writes",
		"bytes written", "ms", head);
	for (size_t i = 0; i < n; i++) {
		for (int k = TRACE_REPORT_READS; k <= TRACE_REPORT_WRITES; k++) {
			const struct trace_report_share *s = &list[i].moves[k];

			cli_put(cli, "%10llu %14llu %13.3f ", (unsigned long long)s->count,
				(unsigned long long)s->bytes, cli_report_ms(s->ns));
		}
		cli_put(cli, " ");
		cli_report_put_name(cli, list[i].name);
		cli_put(cli, "\n");
	}
	cli_report_put_more(cli, count - n);
}

void cli_report_put_channels(struct cli *cli, const struct trace_report *r)
{
	put_table(cli, r->connections, r->connection_count, "connection");
	put_table(cli, r->files, r->file_count, "file");
}
