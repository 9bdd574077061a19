/*
 * t_runtime.c: what rules say about the run time: the text that is baked in; sizes and durations.
 */
#include <string.h>

#include "rules/quantity.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

static void bakes(const char *text, const char *want)
{
	struct rules *r = kit_rules(text);

	if (!ok(r != NULL))
		return;
	struct jw_span baked = rules_baked(r);

	is_str(baked.n ? (const char *)baked.p : "", want);
	ok((rules_baked_key(r) != NULL) == (*want != 0));
	rules_free(r);
}

TEST(nothing_is_said)
{
	bakes("{'jweave':1,'rules':[{'match':'a.**'}]}", "");
	bakes("{'jweave':1,'runtime':{}}", "");
	bakes("{'jweave':1,'runtime':{'x-note':1,'$c':2}}", "");
}

TEST(every_setting)
{
	bakes("{'jweave':1,'runtime':{'tracing':false,'output':'a "
	      "b','tmp':'/t','job':'/r','mode':'stream',"
	      "'maxSize':'2G','start':'paused','convert':'off','keep':true,'summary':false,"
	      "'control':true,'events':['monitor','gc'],'ffm':'on'}}",
	      "jweave-baked\t1\ntracing\toff\noutput\ta b\ntmp\t/t\njob\t/r\nmode\tstream\n"
	      "max_size\t2147483648\nstart\tpaused\nconvert\toff\nkeep\t1\nsummary\t0\n"
	      "control\t1\nevents\tmonitor,gc\nffm\ton\n");
	bakes("{'jweave':1,'runtime':{'maxSize':4096,'events':[]}}",
	      "jweave-baked\t1\nmax_size\t4096\nevents\tnone\n");
	bakes("{'jweave':1,'runtime':{'events':['default','net']}}",
	      "jweave-baked\t1\nevents\tdefault,net\n");
}

TEST(bytes_that_are_not_plain_are_escaped)
{
	bakes("{'jweave':1,'runtime':{'output':'tr\xc3\xa9\\\\x'}}",
	      "jweave-baked\t1\noutput\ttr\\xc3\\xa9\\x5cx\n");
}

TEST(too_much_is_refused)
{
	static char text[66000];
	struct rules *r = NULL;
	struct jw_err e = { 0 };
	int n = snprintf(text, sizeof text, "{\"jweave\":1,\"runtime\":{\"output\":\"");

	memset(text + n, 'a', 65535);
	snprintf(text + n + 65535, sizeof text - (size_t)n - 65535, "\"}}");
	is_int(rules_parse(jw_span_str(text), "long", NULL, &r, &e), JW_RULES);
	is_str(e.text, "what the rules say about the run time takes 65558 bytes (limit is 65488)");
}

TEST(sizes)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "0", 0 },
		     { "17", 17 },
		     { "17B", 17 },
		     { "3K", 3072 },
		     { "3KB", 3072 },
		     { "3Ki", 3072 },
		     { "3KiB", 3072 },
		     { "5M", 5 << 20 },
		     { "1G", 1 << 30 },
		     { "2TiB", 2ull << 40 },
		     { "18446744073709551615", UINT64_MAX } };
	static const char *const bad[] = { "",
					   "K",
					   "1.5M",
					   "1 M",
					   "-1",
					   "1k",
					   "1MM",
					   "18446744073709551616",
					   "99999999999T",
					   "0x10",
					   "1.",
					   ".1" };
	uint64_t bytes;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(!rules_size(good[i].text, &bytes) && bytes == good[i].bytes);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (!ok(rules_size(bad[i], &bytes)))
			tap_note("%s", bad[i]);
	}
}

TEST(durations)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = { { "0ns", 0 },           { "7ns", 7 },
		     { "10us", 10000 },      { "1.5ms", 1500000 },
		     { "1.5s", 1500000000 }, { "0.25us", 250 },
		     { "1.0009us", 1000 },   { "3600s", 3600000000000 } };
	static const char *const bad[] = { "",
					   "10",
					   "ms",
					   "1.ms",
					   ".5ms",
					   "1.5.5ms",
					   "1 ms",
					   "-1ms",
					   "1m",
					   "1MS",
					   "1e3ns",
					   "99999999999999999999s",
					   "18446744074s" };
	uint64_t ns;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		if (!ok(!rules_duration(good[i].text, &ns) && ns == good[i].ns))
			tap_note("%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (!ok(rules_duration(bad[i], &ns)))
			tap_note("%s", bad[i]);
	}
}
