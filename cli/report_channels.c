/*
 * report_channels.c: connections and files in `jweave report`.
 */
#include "cli/cli.h"
#include "cli/out.h"
#include "cli/report_shared.h"

#include "base/banned.h"

#define TOP_SHOWN 20

/* Reads and writes with their bytes, and what else waits there: for what is to come, or for a disk. */
static const struct {
	const char *count, *bytes;
} columns[TRACE_REPORT_MOVES] = {
	[TRACE_REPORT_READS] = { "reads", "bytes read" },
	[TRACE_REPORT_WRITES] = { "writes", "bytes written" },
	[TRACE_REPORT_OTHERWISE] = { "others", NULL },
};

/* Nobody has read, written or waited there for any time. */
static bool is_idle(const struct trace_report_channel *c)
{
	return !c->moves[TRACE_REPORT_READS].count && !c->moves[TRACE_REPORT_WRITES].count &&
	       !c->moves[TRACE_REPORT_OTHERWISE].ns;
}

/* Where bytes are not recorded there are waits alone: no column is empty. */
struct shown {
	bool moves[TRACE_REPORT_MOVES];
};

static struct shown shown_of(const struct trace_report_channel *list, size_t n)
{
	struct shown shown = { { false } };

	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < TRACE_REPORT_MOVES; k++)
			shown.moves[k] |= list[i].moves[k].count > 0;
	return shown;
}

static const char *head_of(const struct shown *shown, int k)
{
	bool alone = !shown->moves[TRACE_REPORT_READS] && !shown->moves[TRACE_REPORT_WRITES];

	return alone ? "waits" : columns[k].count;
}

static void put_head(struct cli *cli, const struct shown *shown, const char *what)
{
	cli_put(cli, "\n");
	for (int k = 0; k < TRACE_REPORT_MOVES; k++) {
		if (!shown->moves[k])
			continue;
		cli_put(cli, "%10s ", head_of(shown, k));
		if (columns[k].bytes)
			cli_put(cli, "%14s ", columns[k].bytes);
		cli_put(cli, "%13s ", "ms");
	}
	cli_put(cli, " %s\n", what);
}

static void put_channel(struct cli *cli, const struct shown *shown,
			const struct trace_report_channel *c)
{
	for (int k = 0; k < TRACE_REPORT_MOVES; k++) {
		const struct trace_report_share *s = &c->moves[k];

		if (!shown->moves[k])
			continue;
		cli_put(cli, "%10llu ", (unsigned long long)s->count);
		if (columns[k].bytes)
			cli_put(cli, "%14llu ", (unsigned long long)s->bytes);
		cli_put(cli, "%13.3f ", cli_report_ms(s->ns));
	}
	cli_put(cli, " ");
	cli_report_put_name(cli, c->name);
	cli_put(cli, "\n");
}

/* Returns what the table shows. */
static struct shown put_table(struct cli *cli, const struct trace_report_channel *list,
			      size_t count, const char *head)
{
	while (count && is_idle(&list[count - 1]))
		count--;
	size_t n = cli_report_top(cli, count, TOP_SHOWN);
	struct shown shown = shown_of(list, n);

	if (n == 0)
		return shown;
	put_head(cli, &shown, head);
	for (size_t i = 0; i < n; i++)
		put_channel(cli, &shown, &list[i]);
	cli_report_put_more(cli, count - n);
	return shown;
}

void cli_report_put_channels(struct cli *cli, const struct trace_report *r)
{
	struct shown shown = put_table(cli, r->connections, r->connection_count, "connection");

	/* reads are known where bytes are, and requests only there */
	if (shown.moves[TRACE_REPORT_READS] && shown.moves[TRACE_REPORT_WRITES])
		cli_put(cli, "  how long requests and their answers took: --requests\n");
	(void)put_table(cli, r->files, r->file_count, "file");
}
