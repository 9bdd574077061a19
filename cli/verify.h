/*
 * verify.h: what the parts of `jweave verify` share.
 *
 *     cmd_verify.c        the command; class files well formed
 *     verify_against.c    only the expected changes
 *     zip_reader.h        archives, read by libzip
 *
 * Findings are results: one line each on stdout, counted here. What cannot be read is an error.
 */
#ifndef JW_CLI_VERIFY_H
#define JW_CLI_VERIFY_H

#include "base/zip_work.h"
#include "cli/zip_reader.h"

struct cli_verify {
	struct cli *cli;
	struct jw_zip_limits limits;
	struct jw_zip_work work; /* of all archives in the input, or in both */
	bool no_limits;
	const char *in, *out; /* the files; in: NULL, or what OUT is compared with */
	size_t classes, changed, findings;
};

/* WHAT is wrong with ENTRY ("": none) of WHERE. */
void cli_verify_finding(struct cli_verify *v, struct jw_span where, const char *entry,
			const char *what);

/* N more of KIND. JW_LIMIT: that is too much work for this input. */
enum jw_status JW_MUST_USE cli_verify_count(struct cli_verify *v, enum jw_zip_work_kind kind,
					    uint64_t n, struct jw_err *e);

/* Compares v->out with v->in. */
enum jw_status JW_MUST_USE cli_verify_against(struct cli_verify *v, struct jw_err *e);

#endif
