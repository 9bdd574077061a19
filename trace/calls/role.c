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

/* Threads without a name (names/said_names.h) are numbered by whoever shows them: they have no number of their own. */
static bool is_unnamed(const char *name)
{
	static const char word[] = "unnamed ";
	size_t n = sizeof(word) - 1, digits;

	if (strncmp(name, word, n) != 0)
		return false;
	digits = strspn(name + n, "0123456789");
	return digits && !name[n + digits];
}

const char *trace_role(struct jw_arena *arena, const char *name)
{
	if (is_unnamed(name))
		return "unnamed";
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
