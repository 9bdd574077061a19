/*
 * quantity.c: sizes and durations as people write them: "64MiB", "1.5ms".
 */
#include <stdbool.h>
#include <string.h>

#include "rules/quantity.h"

#include "base/banned.h"

struct unit {
	const char *name;
	uint64_t worth;
};

/* The digits at *TEXT times WORTH; *TEXT moves past them. False: none, or too many. */
static bool whole(const char **text, uint64_t worth, uint64_t *out)
{
	const char *p = *text;
	uint64_t n = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		if (n > (UINT64_MAX - digit) / 10)
			return false;
		n = 10 * n + digit;
	}
	if (p == *text || n > UINT64_MAX / worth)
		return false;
	*text = p;
	*out = n * worth;
	return true;
}

/* The unit after the number in TEXT; NULL: none of UNITS. */
static const struct unit *unit_of(const char *text, const struct unit *units)
{
	const char *name = text + strspn(text, "0123456789.");

	while (units->name && strcmp(units->name, name) != 0)
		units++;
	return units->name ? units : NULL;
}

const char *rules_size(const char *text, uint64_t *bytes)
{
	enum { KI = 10, MI = 20, GI = 30, TI = 40 };
	static const struct unit units[] = {
		{ "", 1 },     { "B", 1 },
#define UNIT(letter, bits)                                                        \
	{ letter, UINT64_C(1) << (bits) }, { letter "B", UINT64_C(1) << (bits) }, \
		{ letter "i", UINT64_C(1) << (bits) }, { letter "iB", UINT64_C(1) << (bits) }
		UNIT("K", KI), UNIT("M", MI), UNIT("G", GI), UNIT("T", TI),
#undef UNIT
		{ NULL, 0 },
	};
	const struct unit *unit = unit_of(text, units);

	return whole(&text, unit ? unit->worth : 1, bytes) && unit && strcmp(text, unit->name) == 0
		       ? NULL
		       : text;
}

const char *rules_duration(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { NULL, 0 },
	};
	const struct unit *unit = unit_of(text, units);
	uint64_t worth = unit ? unit->worth : 1;

	if (!whole(&text, worth, ns))
		return text;
	if (*text == '.') {
		if (text[1] < '0' || text[1] > '9')
			return text;
		for (text++; *text >= '0' && *text <= '9'; text++) {
			worth /= 10;
			*ns += worth * (uint64_t)(*text - '0');
		}
	}
	return unit && strcmp(text, unit->name) == 0 ? NULL : text;
}
