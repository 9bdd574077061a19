#include "base/assert.h"

#include "tests/tap.h"

#include "base/banned.h"

static int asked;

static bool ask(bool answer)
{
	asked++;
	return answer;
}

static void break_it(void *ctx)
{
	(void)ctx;
	JW_ASSERT(ask(true));
	JW_ASSERT(ask(false));
}

TEST(assert_is_on_in_tests)
{
	ok(jw_assert_hook);
	asked = 0;
	JW_ASSERT(ask(true));
	is_int(asked, 1);
}

TEST(assert_tells_the_condition)
{
	fails_assert(break_it, NULL, "ask(false)");
}

TEST(assert_off_asks_nothing)
{
	jw_assert_failed *hook = jw_assert_hook;

	jw_assert_hook = NULL;
	asked = 0;
	JW_ASSERT(ask(false));
	jw_assert_hook = hook;
	is_int(asked, 0);
}

static void keep_it(void *ctx)
{
	(void)ctx;
	JW_ASSERT(ask(true));
}

TEST(assert_that_holds_is_no_failure)
{
	ok(!tap_failed_assert(keep_it, NULL));
}
