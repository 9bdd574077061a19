/*
 * t_titles.c: what tables call methods (trace/names/titles.h): short, and no two the same if labels tell.
 */
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/names/titles.h"

#include "base/banned.h"

static const struct {
	const char *label, *title;
} methods[] = {
	{ "Shop.buy [acme.Shop.buy(int):void Shop.java:1]", "Shop.buy(int)" },
	{ "Shop.buy [acme.Shop.buy(int, java.lang.String[], acme.Till$Slip):void Shop.java:9]",
	  "Shop.buy(int, String[], Till$Slip)" },
	{ "Shop.buy [acme.Shop.buy():int Shop.java:12]", "Shop.buy()" },
	{ "Shop.sell [acme.Shop.sell(java.util.List):int Shop.java:20]",
	  "acme.Shop.sell(java.util.List)" },
	{ "Shop.sell [acme.Shop.sell(acme.List):int Shop.java:21]", "acme.Shop.sell(acme.List)" },
	{ "Shop.open [acme.Shop.open(int):void Shop.java:30]", "Shop.open" },
	{ "Bank.open [acme.Bank.open(int):void]", "acme.Bank.open(int)" },
	{ "Bank.open [other.Bank.open(int):void]", "other.Bank.open(int)" },
	/* the same, twice, as of two archives: nothing would tell them apart */
	{ "Twin.run [acme.Twin.run(int):void Twin.java:1]", "Twin.run" },
	{ "Twin.run [acme.Twin.run(int):void Twin.java:1]", "Twin.run" },
	/* by what they return alone, as a bridge method has it */
	{ "Shop.copy [acme.Shop.copy():java.lang.Object Shop.java:1]", "Shop.copy" },
	{ "Shop.copy [acme.Shop.copy():acme.Shop Shop.java:1]", "Shop.copy" },
	/* what does not tell stays as it is */
	{ "unknown 0x12", "unknown 0x12" },
	{ "Cut.off", "Cut.off" },
	{ "Cut.off [acme.Cut.off(java.lang.Str", "Cut.off" },
	{ "Cut.off [acme.Cut.off", "Cut.off" },
	{ " [(", "" },
	{ "", "" },
};
enum { COUNT = sizeof(methods) / sizeof(methods[0]) };

static void fill(struct trace_titled *m)
{
	for (size_t i = 0; i < COUNT; i++)
		m[i] = (struct trace_titled){ .label = methods[i].label };
}

TEST(titles)
{
	struct trace_titled m[COUNT];
	struct jw_arena arena = { 0 };

	fill(m);
	ok(trace_titles(m, COUNT, &arena));
	for (size_t i = 0; i < COUNT; i++)
		is_str(m[i].title, methods[i].title);
	ok(trace_titles(m, 0, &arena));
	jw_arena_free(&arena);
}

TEST(no_memory)
{
	bool failed = true;

	for (long n = 0; failed; n++) {
		struct trace_titled m[COUNT];
		struct jw_arena arena = { .block = 16 };

		fill(m);
		(void)jw_mem_fail_after(n);
		bool done = trace_titles(m, COUNT, &arena);

		failed = jw_mem_fail_after(-1);
		ok(done != failed);
		for (size_t i = 0; done && i < COUNT; i++)
			ok(m[i].title != NULL);
		jw_arena_free(&arena);
	}
}
