/*
 * role.c: see role.h.
 */
#include "trace/calls/role.h"

#include <ctype.h>
#include <string.h>

#include "base/bytes.h"

#include "base/banned.h"

/* How long is the number, or the UUID (as Kafka's clients have one in the names of their threads), at FROM? 0: there is none. */
static size_t number_at(const char *from)
{
	static const char uuid[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t n = 0;

	while (uuid[n] == '-' ? from[n] == '-' : uuid[n] && isxdigit((unsigned char)from[n]))
		n++;
	return uuid[n] ? strspn(from, "0123456789") : n;
}

const char *trace_role(struct jw_arena *arena, const char *name)
{
	char *role = jw_arena_str(arena, jw_span_str(name)), *to = role;

	for (const char *from = name; role && *from;) {
		size_t number = number_at(from);

		if (number) {
			*to++ = '*';
			from += number;
		} else {
			*to++ = *from++;
		}
	}
	if (role)
		*to = '\0';
	return role;
}
