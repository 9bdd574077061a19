/*
 * cmd_schema.c: jweave schema: the JSON Schema of rules files, as installed, carried in the binary.
 */

#include "cli/out.h"

#include "base/banned.h"

/* The file is named from the top of the source tree, where compilers are started. */
__asm__(".pushsection .rodata\n"
	".globl cli_schema\n"
	"cli_schema:\n"
	".incbin \"share/jweave-rules-1.schema.json\"\n"
	".globl cli_schema_end\n"
	"cli_schema_end:\n"
	".byte 0\n"
	".popsection\n");
extern const uint8_t cli_schema[], cli_schema_end[];

enum jw_status cli_run_schema(struct cli *cli, struct jw_err *e)
{
	(void)e;
	cli_put_span(cli, jw_span(cli_schema, (size_t)(cli_schema_end - cli_schema)));
	return JW_OK;
}
