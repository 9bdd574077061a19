/*
 * role.c: see role.h.
 */
#include "trace/calls/role.h"

#include <string.h>

#include "base/bytes.h"

#include "base/banned.h"

const char *trace_role(struct jw_arena *arena, const char *name)
{
	char *role = jw_arena_str(arena, jw_span_str(name)), *to = role;

	for (const char *from = name; role && *from;) {
		size_t digits = strspn(from, "0123456789");

		if (digits) {
			*to++ = '*';
			from += digits;
		} else {
			*to++ = *from++;
		}
	}
	if (role)
		*to = '\0';
	return role;
}
