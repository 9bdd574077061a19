#include "tests/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static struct tap_test *tests;
static struct tap_test **tests_end = &tests;
static int failed_checks;
static const char *skip_reason;
static uint64_t seed, random_state;

void tap_register(struct tap_test *test)
{
	*tests_end = test;
	tests_end = &test->next;
}

bool tap_ok(bool holds, const char *what, const char *file, int line)
{
	if (!holds) {
		failed_checks++;
		printf("# %s:%d: failed: %s\n", file, line, what);
	}
	return holds;
}

bool tap_is_int(long long got, long long want, const char *what, const char *file, int line)
{
	if (tap_ok(got == want, what, file, line))
		return true;
	printf("#   got %lld, want %lld\n", got, want);
	return false;
}

bool tap_is_str(const char *got, const char *want, const char *what, const char *file, int line)
{
	if (tap_ok(got && want ? strcmp(got, want) == 0 : got == want, what, file, line))
		return true;
	printf("#   got  \"%s\"\n#   want \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
	return false;
}

bool tap_is_span(struct jw_span got, struct jw_span want, const char *what, const char *file,
		 int line)
{
	if (tap_ok(jw_span_eq(got, want), what, file, line))
		return true;
	printf("#   got  \"%.*s\"\n#   want \"%.*s\"\n", (int)got.n, (const char *)got.p,
	       (int)want.n, (const char *)want.p);
	return false;
}

void tap_skip(const char *reason)
{
	skip_reason = reason;
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* splitmix64: small, and the same everywhere */
uint64_t tap_random(void)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint32_t tap_below(uint32_t n)
{
	return n ? (uint32_t)(tap_random() % n) : 0;
}

static bool wanted(const struct tap_test *test, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], test->name) == 0)
			return true;
	return argc < 2;
}

static bool run(const struct tap_test *test, int number)
{
	failed_checks = 0;
	skip_reason = NULL;
	random_state = seed;
	test->run();
	if (failed_checks)
		printf("# repeat with JW_SEED=%" PRIu64 "\n", seed);
	printf("%sok %d - %s%s%s\n", failed_checks ? "not " : "", number, test->name,
	       skip_reason ? " # SKIP " : "", skip_reason ? skip_reason : "");
	fflush(stdout);
	return failed_checks == 0;
}

int main(int argc, char **argv)
{
	const char *given = getenv("JW_SEED");
	int number = 0;
	bool passed = true;

	seed = given ? strtoull(given, NULL, 0) : 20261121;
	for (const struct tap_test *test = tests; test; test = test->next)
		if (wanted(test, argc, argv))
			passed = run(test, ++number) && passed;
	printf("1..%d\n", number);
	return passed ? 0 : 1;
}
