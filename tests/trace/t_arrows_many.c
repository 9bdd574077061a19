/*
 * t_arrows_many.c: more arrows than are sorted at once.
 *
 * Slow: 5 s, a trace of 34,000 arrows.
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

TEST(many_arrows_stay_in_order)
{
	size_t n = 34000;

	begin("many", 2);
	for (size_t i = 0; i < n; i++) {
		call(2, PARK, 0);
		at_once(1, UNPARK, thread(2));
		ret(2, PARK);
	}
	(void)arrows();
	char *prv = make_slurp(make_path("many.prv"));
	size_t count = 0;

	/* a sanitizer's strstr() measures the whole text at each call */
	const char *end = prv + strlen(prv);
	for (const char *p = prv; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		count += end - p > 3 && memcmp(p, "\n3:", 3) == 0;
	is_int(count, n);
	free(prv);
}
