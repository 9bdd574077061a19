/*
 * cmd_schema.c: jweave schema: the JSON Schema of rules files, as installed, carried in the binary.
 */

#include "base/carried.h"
#include "cli/out.h"

#include "base/banned.h"

JW_CARRY(cli_schema, "share/jweave-rules-1.schema.json");

enum jw_status cli_run_schema(struct cli *cli, struct jw_err *e)
{
	(void)e;
	cli_put_span(cli, JW_CARRIED(cli_schema));
	return JW_OK;
}
