/*
 * t_nearest.c: "did you mean".
 */
#include "base/nearest.h"

#include "tests/tap.h"

#include "base/banned.h"

TEST(nearest_names)
{
	static const char *const names[] = { "match", "select", "onUnmatched" };

	is_str(jw_nearest("macth", names, 3), "match");
	is_str(jw_nearest("onunmatched", names, 3), "onUnmatched");
	is_str(jw_nearest("selects", names, 3), "select");
	ok(jw_nearest("capture", names, 3) == NULL);
	ok(jw_nearest("", names, 0) == NULL);
}

TEST(nearest_names_are_near)
{
	static const char *const names[] = { "--jobs", "--json", "-o", "run" };

	ok(jw_nearest("--bogus", names, 4) == NULL);
	ok(jw_nearest("-x", names, 4) == NULL);
	ok(jw_nearest("prv", names, 4) == NULL);
	is_str(jw_nearest("--jsn", names, 4), "--json");
	is_str(jw_nearest("rnu", names, 4), "run");
}
