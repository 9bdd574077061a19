#include "tests/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"

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

bool tap_has_text(const char *text, const char *part, bool wanted, const char *file, int line)
{
	bool has = text && strstr(text, part);

	if (tap_ok(text && has == wanted, wanted ? "has this text" : "does not have this text",
		   file, line))
		return true;
	printf("#   %s\n", part);
	return false;
}

/* ---- assertions ---- */

static int assert_pipe = -1; /* of the process that is to break one */

static void assert_failed(const char *condition, const char *file, int line)
{
	if (assert_pipe >= 0) {
		ssize_t written = write(assert_pipe, condition, strlen(condition));

		_exit(written > 0 ? 0 : 1);
	}
	printf("# %s:%d: assertion failed: %s\n", file, line, condition);
	fflush(stdout);
	abort();
}

const char *tap_failed_assert(void (*break_it)(void *ctx), void *ctx)
{
	static char condition[256];
	int ends[2];
	size_t n = 0;

	fflush(stdout);
	if (pipe(ends) != 0)
		return NULL;
	pid_t child = fork();
	if (child == 0) {
		assert_pipe = ends[1];
		break_it(ctx);
		_exit(0);
	}
	close(ends[1]);
	for (ssize_t got = 1; got > 0 && n < sizeof condition - 1; n += (size_t)got) {
		got = read(ends[0], condition + n, sizeof condition - 1 - n);
		if (got < 0)
			break;
	}
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	condition[n] = '\0';
	return n ? condition : NULL;
}

bool tap_fails_assert(void (*break_it)(void *ctx), void *ctx, const char *text, const char *file,
		      int line)
{
	const char *got = tap_failed_assert(break_it, ctx);

	if (tap_ok(got && strstr(got, text), "an assertion fails", file, line))
		return true;
	printf("#   got  \"%s\"\n#   want \"...%s...\"\n", got ? got : "(none)", text);
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

	jw_assert_hook = assert_failed;
	seed = given ? strtoull(given, NULL, 0) : 20261121;
	for (const struct tap_test *test = tests; test; test = test->next)
		if (wanted(test, argc, argv))
			passed = run(test, ++number) && passed;
	printf("1..%d\n", number);
	return passed ? 0 : 1;
}
