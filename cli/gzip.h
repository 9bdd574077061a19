/*
 * gzip.h: gzip, both ways, a piece at a time: zlib behind the interfaces of trace/.
 *
 * Here and not there, since trace/ is part of the runtime, which needs libc alone.
 */
#ifndef JW_CLI_GZIP_H
#define JW_CLI_GZIP_H

#include "trace/paraver.h"

struct cli_gzip;

/* A writer of one gzip member, to be freed; NULL: no memory. */
struct cli_gzip *cli_gzip_new(void);
void cli_gzip_free(struct cli_gzip *gzip);
/* Makes the .prv of a job a .prv.gz; lives as long as GZIP. */
struct trace_pack cli_gzip_pack(struct cli_gzip *gzip);

#endif
