/*
 * report_roles.c: see report_roles.h.
 */
#include "cli/report_roles.h"

#include <stdlib.h>
#include <string.h>

#include "trace/calls/role.h"

#include "base/banned.h"

static int by_role(const void *a, const void *b)
{
	const struct cli_in_role *x = a, *y = b;
	int order = strcmp(x->role, y->role);

	if (order)
		return order;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

const struct cli_in_role *
cli_report_by_role(struct cli *cli, const struct trace_report_thread *const *list, size_t count)
{
	struct cli_in_role *in = JW_NEW_ARRAY(&cli->arena, struct cli_in_role, count + 1);

	for (size_t i = 0; in && i < count; i++) {
		in[i] = (struct cli_in_role){ trace_role(&cli->arena, list[i]->name), list[i]->task,
					      i };
		if (!in[i].role)
			return NULL;
	}
	if (in)
		qsort(in, count, sizeof(*in), by_role);
	return in;
}

size_t cli_report_of_one_role(const struct cli_in_role *in, size_t count)
{
	size_t n = 1;

	while (n < count && in[n].task == in->task && strcmp(in[n].role, in->role) == 0)
		n++;
	return n;
}
