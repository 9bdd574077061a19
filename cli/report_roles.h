/*
 * report_roles.h: threads of one process and one role (trace/calls/role.h), for lines that they share.
 */
#ifndef JW_CLI_REPORT_ROLES_H
#define JW_CLI_REPORT_ROLES_H

#include "cli/trace_input.h"

struct cli_in_role {
	const char *role;
	uint32_t task;
	size_t at; /* of the thread in the list */
};

/* The COUNT threads of LIST, those of one role next to each other, in their order; in the arena. NULL: no memory. */
const struct cli_in_role *
cli_report_by_role(struct cli *cli, const struct trace_report_thread *const *list, size_t count);
/* How many of the COUNT at IN are of the role of the first. */
size_t cli_report_of_one_role(const struct cli_in_role *in, size_t count);

#endif
