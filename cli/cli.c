/*
 * cli.c: see cli.h.
 */
#include "cli/cli.h"

#include "base/parallel.h"

#include "base/banned.h"

bool cli_given(const struct cli *cli, enum cli_option_id id)
{
	return cli->args.values[id] != NULL;
}

const char *cli_value(const struct cli *cli, enum cli_option_id id, const char *fallback)
{
	return cli->args.values[id] ? cli->args.values[id] : fallback;
}

bool cli_quiet(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_quiet);
}

size_t cli_threads(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_jobs) ? (size_t)cli->args.numbers[CLI_OPT_jobs]
					    : jw_processors();
}

bool cli_verbose(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_verbose) && !cli_quiet(cli);
}
