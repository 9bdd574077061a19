/*
 * t_time.c: times as users write them, and as pictures and reports show them.
 */
#include "tests/tap.h"
#include "trace/draw/draw_text.h"
#include "trace/reader/time_range.h"

#include "base/banned.h"

TEST(moments)
{
	static const struct {
		const char *text;
		uint64_t ns; /* of 10 s */
		bool good;
	} cases[] = {
		{ "2.5", 2500000000, true },
		{ "2.5s", 2500000000, true },
		{ "0", 0, true },
		{ "300ms", 300000000, true },
		{ "0.3ms", 300000, true },
		{ "40us", 40000, true },
		{ "7ns", 7, true },
		{ "7.9ns", 7, true },
		{ "1.0000000019", 1000000001, true },
		{ "25%", 2500000000, true },
		{ "12.5%", 1250000000, true },
		{ "100%", 10000000000, true },
		{ "100.1%", 0, false },
		{ "18446744072", UINT64_C(18446744072000000000), true },
		{ "18446744073", 0, false },
		{ "99999999999999999999", 0, false },
		{ "", 0, false },
		{ "s", 0, false },
		{ "-1", 0, false },
		{ "1.", 0, false },
		{ ".5", 0, false },
		{ "1 s", 0, false },
		{ "1sec", 0, false },
		{ "1m", 0, false },
		{ "1s.", 0, false },
		{ "5%%", 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct trace_moment m = { 0 };
		bool good = trace_moment_parse(cases[i].text, &m);

		tap_note("%s", cases[i].text);
		ok(good == cases[i].good);
		if (!good || !cases[i].good)
			continue;
		uint64_t ns = m.is_share ? (uint64_t)(m.share * 1e10) : m.ns;

		is_int(ns, cases[i].ns);
	}
}

TEST(times_as_text)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "0 ns" },
		{ 7, "7 ns" },
		{ 999, "999 ns" },
		{ 1000, "1 us" },
		{ 1234567, "1.234 ms" },
		{ 12345678, "12.34 ms" },
		{ 120000000, "120 ms" },
		{ 13740000000, "13.74 s" },
		{ 1000000000, "1 s" },
		{ 123456000000, "123.4 s" },
		{ UINT64_MAX, "18446744073 s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jw_buf b = { 0 };

		trace_put_time(&b, cases[i].ns);
		jw_put_u1(&b, 0);
		is_str((const char *)b.p, cases[i].text);
		jw_buf_free(&b);
	}
}
