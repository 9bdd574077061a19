/* Options of the recorder: the table, its order of precedence, and names with %. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "runtime-jni/recorder/baked_read.h"
#include "runtime-jni/recorder/config.h"
#include "tests/tap.h"

#include "base/banned.h"

static char said[512];
static int says;

static void hear(const char *line)
{
	snprintf(said, sizeof(said), "%s", line);
	says++;
}

static const char *properties[8][2];

static char *property(void *ctx, const char *name, struct jw_arena *arena)
{
	(void)ctx;
	for (size_t i = 0; i < 8 && properties[i][0]; i++)
		if (!strcmp(properties[i][0], name))
			return jw_arena_str(arena, jw_span_str(properties[i][1]));
	return NULL;
}

static const struct rt_config_source source = { .property = property, .say = hear };

static void forget(void)
{
	static const char *const variables[] = {
		"JWEAVE_OUTPUT", "JWEAVE_TMP",     "JWEAVE_MAX_SIZE", "JWEAVE_CONVERT",
		"JWEAVE_KEEP",   "JWEAVE_SUMMARY", "JWEAVE_START",    "JWEAVE_CONTROL",
		"JWEAVE_MODE",   "JWEAVE_FFM",     "JWEAVE_EVENTS",   "JWEAVE_ALLOC",
		"JWEAVE_JOB",    "JWEAVE_ROLE"
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	memset(properties, 0, sizeof(properties));
	said[0] = '\0';
	says = 0;
}

TEST(defaults)
{
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	ok(rt_config_read(&source, &arena, &c));
	is_str(c.output, "trace-%h-%p");
	is_str(c.tmp, "");
	is_str(c.job, "");
	ok(!c.events_said);
	is_int(c.max_size, 2ll << 30);
	is_int(c.convert, RT_CHOICE_AUTO);
	is_int(c.keep, RT_CHOICE_AUTO);
	ok(c.summary);
	is_int(says, 0);
	jw_arena_free(&arena);
}

TEST(environment_then_property)
{
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	setenv("JWEAVE_OUTPUT", "env", 1);
	setenv("JWEAVE_TMP", "/env/tmp", 1);
	setenv("JWEAVE_KEEP", "1", 1);
	setenv("JWEAVE_SUMMARY", "", 1); /* empty is not set */
	properties[0][0] = "jweave.output";
	properties[0][1] = "prop";
	properties[1][0] = "jweave.convert";
	properties[1][1] = "off";
	ok(rt_config_read(&source, &arena, &c));
	setenv("JWEAVE_TMP", "/changed", 1);
	is_str(c.output, "prop");
	is_str(c.tmp, "/env/tmp");
	is_int(c.convert, RT_CHOICE_OFF);
	is_int(c.keep, RT_CHOICE_ON);
	ok(c.summary);
	jw_arena_free(&arena);
}

TEST(a_list_of_events_adds_to_the_default)
{
	static const struct {
		const char *list, *same;
	} lists[] = {
		{ "default", "gc,monitor,park,sleep,io" },
		{ "default,net", "gc,monitor,park,sleep,io,net" },
		{ "file,default", "gc,monitor,park,sleep,io,file" },
		{ "none", "" },
	};
	uint64_t events = 0, same = 1;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		ok(jw_setting_read(JW_SETTING_EVENTS, lists[i].list, &events));
		ok(jw_setting_read(JW_SETTING_EVENTS, lists[i].same, &same));
		is_int(events, same);
	}
	ok(!jw_setting_read(JW_SETTING_EVENTS, "default,none", &events));
	ok(!jw_setting_read(JW_SETTING_EVENTS, "defaults", &events));
}

TEST(tracing_is_on_or_off_by_the_words_of_a_flag)
{
	static const char *const words[] = { "0",    "1",    "off", "On", "FALSE",
					     "true", "True", "no",  "yes" };
	static const char *const wrong[] = { "", "maybe", "offf", "falsehood", "2", NULL };
	bool on;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		on = !strchr("1OTty", words[i][0]);
		ok(jw_setting_tracing(words[i], &on));
		is_int(on, strchr("1OTty", words[i][0]) != NULL);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		on = i % 2;
		ok(!jw_setting_tracing(wrong[i], &on));
		is_int(on, i % 2);
	}
}

TEST(a_wrong_value_is_told_with_what_a_right_one_is)
{
	static const char *const wrong[][2] = {
		{ "JWEAVE_MAX_SIZE", "bytes, or with K, M, G, T" },
		{ "JWEAVE_ALLOC", "bytes, or with K, M, G" },
		{ "JWEAVE_CONVERT", "auto, on or off" },
		{ "JWEAVE_FFM", "auto, on or off" },
		{ "JWEAVE_EVENTS",
		  "none, or default, gc, monitor, alloc, park, sleep, io, net, file and "
		  "process with commas between" },
		{ "JWEAVE_KEEP", "auto, on or off" },
		{ "JWEAVE_SUMMARY", "1 or 0" },
		{ "JWEAVE_CONTROL", "1 or 0" },
		{ "JWEAVE_START", "running or paused" },
		{ "JWEAVE_MODE", "stream, flight-recorder or summary" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct jw_arena arena = { 0 };
		struct rt_config c;
		char want[160];

		forget();
		setenv(wrong[i][0], "odd", 1);
		ok(rt_config_read(&source, &arena, &c));
		snprintf(want, sizeof(want), "%s is 'odd', which is not %s: ignored", wrong[i][0],
			 wrong[i][1]);
		is_str(said, want);
		is_int(says, 1);
		jw_arena_free(&arena);
	}
	forget();
}

TEST(wrong_values_are_named_and_the_next_is_used)
{
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	setenv("JWEAVE_CONVERT", "on", 1);
	properties[0][0] = "jweave.convert";
	properties[0][1] = "sometimes";
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.convert, RT_CHOICE_ON);
	is_str(said, "jweave.convert is 'sometimes', which is not auto, on or off: ignored");
	is_int(says, 1);
	setenv("JWEAVE_MAX_SIZE", "2 GB", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.max_size, 2ll << 30);
	is_int(says, 3);
	jw_arena_free(&arena);
}

/* ---- names that nobody knows ---- */

static void more_properties(void (*take)(void *ctx, const char *name), void *ctx)
{
	take(ctx, "java.home");
	take(ctx, "jweave"); /* off and on */
	take(ctx, "jweave.lib");
	take(ctx, "jweave.run");
	take(ctx, "jweave.max_size");
	take(ctx, "jweave.maxsize");
}

TEST(a_variable_that_nobody_knows_is_named)
{
	static const char *const cases[][2] = {
		{ "JWEAVE_KEP", "JWEAVE_KEP is unknown: did you mean JWEAVE_KEEP?" },
		{ "JWEAVE_MAXSIZE", "JWEAVE_MAXSIZE is unknown: did you mean JWEAVE_MAX_SIZE?" },
		{ "JWEAVE_CASH_SIZE",
		  "JWEAVE_CASH_SIZE is unknown: did you mean JWEAVE_CACHE_SIZE?" },
		{ "JWEAVE_COLOUR",
		  "JWEAVE_COLOUR is unknown: 'jweave help runtime' has those that there are" },
		{ "JWEAVE_A_NAME_THAT_IS_LONGER_THAN_ANY_OTHER_OF_THEM_AND_THAN_WHAT_IS_SHOWN",
		  "JWEAVE_A_NAME_THAT_IS_LONGER_THAN_ANY_OTHER_OF_THEM_AND_THAN_WH is unknown: "
		  "'jweave help runtime' has those that there are" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jw_arena arena = { 0 };
		struct rt_config c;

		forget();
		setenv(cases[i][0], "1", 1);
		ok(rt_config_read(&source, &arena, &c));
		is_str(said, cases[i][1]);
		is_int(says, 1);
		setenv("JWEAVE_RUN", "/dev/null", 1); /* `jweave run` has said it */
		ok(rt_config_read(&source, &arena, &c));
		is_int(says, 1);
		unsetenv("JWEAVE_RUN");
		unsetenv(cases[i][0]);
		jw_arena_free(&arena);
	}
	forget();
}

TEST(names_that_others_read_are_known)
{
	static const char *const names[] = { "JWEAVE", "JWEAVE_LIB", "JWEAVE_CACHE_SIZE", "JWEAVER",
					     "jweave" };
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		setenv(names[i], "on", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(says, 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	jw_arena_free(&arena);
}

TEST(a_property_that_nobody_knows_is_named)
{
	struct rt_config_source more = source;
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	more.each_property = more_properties;
	ok(rt_config_read(&more, &arena, &c));
	is_str(said, "jweave.maxsize is unknown: did you mean jweave.max_size?");
	is_int(says, 1);
	jw_arena_free(&arena);
}

TEST(no_memory_is_said)
{
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	setenv("JWEAVE_OUTPUT", "x", 1);
	jw_mem_fail_after(0);
	ok(!rt_config_read(&source, &arena, &c));
	ok(jw_mem_fail_after(-1));
	jw_arena_free(&arena);
}

TEST(allocations)
{
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.events & RT_EVENTS_ALLOC, 0);
	setenv("JWEAVE_EVENTS", "none", 1);
	setenv("JWEAVE_ALLOC", "64K", 1);
	setenv("JWEAVE_MODE", "flight-recorder", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.events, RT_EVENTS_ALLOC);
	is_int(c.alloc, 65536);
	is_int(c.max_size, RT_FLIGHT_SIZE); /* another size was given */
	forget();
	setenv("JWEAVE_EVENTS", "alloc,gc", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.events, RT_EVENTS_ALLOC | RT_EVENTS_GC);
	is_int(c.alloc, RT_ALLOC_BYTES);
	jw_arena_free(&arena);
}

#define DEFAULT_EVENTS \
	(RT_EVENTS_GC | RT_EVENTS_MONITOR | RT_EVENTS_PARK | RT_EVENTS_SLEEP | RT_EVENTS_IO)

TEST(events)
{
	static const struct {
		const char *text;
		unsigned events, says;
	} cases[] = { { "gc", RT_EVENTS_GC, 0 },
		      { "monitor", RT_EVENTS_MONITOR, 0 },
		      { "monitor,gc", RT_EVENTS_GC | RT_EVENTS_MONITOR, 0 },
		      { "none", 0, 0 },
		      { "alloc", RT_EVENTS_ALLOC, 0 },
		      { "sleep,park", RT_EVENTS_PARK | RT_EVENTS_SLEEP, 0 },
		      { "gc,gc", RT_EVENTS_GC, 0 },
		      { "", DEFAULT_EVENTS, 0 },
		      { "gc,none", DEFAULT_EVENTS, 1 },
		      { "gc,,monitor", DEFAULT_EVENTS, 1 },
		      { "monitors", DEFAULT_EVENTS, 1 },
		      { "monitor-and-much-more", DEFAULT_EVENTS, 1 } };
	struct jw_arena arena = { 0 };
	struct rt_config c;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		forget();
		setenv("JWEAVE_EVENTS", cases[i].text, 1);
		ok(rt_config_read(&source, &arena, &c));
		if (!is_int(c.events, cases[i].events) || !is_int(says, cases[i].says))
			tap_note("events '%s'", cases[i].text);
	}
	jw_arena_free(&arena);
}

TEST(sizes)
{
	static const struct {
		const char *text;
		uint64_t bytes; /* 1: refused */
	} cases[] = { { "65536", 65536 },
		      { "64K", 65536 },
		      { "2g", 2ull << 30 },
		      { "3M", 3ull << 20 },
		      { "1T", 1ull << 40 },
		      { "0", UINT64_MAX },
		      { "", 1 },
		      { "G", 1 },
		      { "-1", 1 },
		      { "1GB", 1 },
		      { "1.5G", 1 },
		      { "16777216T", 1 },
		      { "16777215T", 16777215ull << 40 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t got = 1;
		bool good = jw_setting_size(cases[i].text, &got);

		if (!ok(good == (cases[i].bytes != 1)) || !ok(got == cases[i].bytes))
			tap_note("size '%s'", cases[i].text);
	}
}

TEST(names)
{
	struct jw_arena arena = { 0 };

	is_str(rt_expand_name("t-%h-%p", "node", 42, &arena), "t-node-42");
	is_str(rt_expand_name("%%p %x %", "node", 42, &arena), "%p %x %");
	is_str(rt_expand_name("", "node", 42, &arena), "");
	jw_arena_free(&arena);
}

TEST(a_word_or_a_flag)
{
	static const struct {
		const char *text;
		enum rt_choice want;
	} cases[] = { { "auto", RT_CHOICE_AUTO }, { "on", RT_CHOICE_ON }, { "off", RT_CHOICE_OFF },
		      { "1", RT_CHOICE_ON },      { "0", RT_CHOICE_OFF }, { "no", RT_CHOICE_OFF } };
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.ffm, RT_CHOICE_AUTO);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setenv("JWEAVE_FFM", cases[i].text, 1);
		ok(rt_config_read(&source, &arena, &c));
		is_int(c.ffm, cases[i].want);
		is_int(says, 0);
	}
	setenv("JWEAVE_FFM", "2", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_str(said, "JWEAVE_FFM is '2', which is not auto, on or off: ignored");
	forget();
	jw_arena_free(&arena);
}

TEST(a_flight_recorder_is_small_unless_told)
{
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	setenv("JWEAVE_MODE", "flight-recorder", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.mode, RT_MODE_FLIGHT);
	is_int(c.max_size, 64 << 20);
	setenv("JWEAVE_MAX_SIZE", "2G", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.max_size, 2ll << 30);
	setenv("JWEAVE_MODE", "paper", 1);
	ok(rt_config_read(&source, &arena, &c));
	is_int(c.mode, RT_MODE_STREAM);
	is_str(said,
	       "JWEAVE_MODE is 'paper', which is not stream, flight-recorder or summary: ignored");
	forget();
	jw_arena_free(&arena);
}

/* ---- what is baked in ---- */

static const char baked_text[] = "jweave-baked\t1\n"
				 "library\tclasspath\n"
				 "output\ttr\\xc3\\xa9\\x5c-%p\n"
				 "mode\tflight-recorder\n"
				 "max_size\t1048576\n"
				 "keep\t1\n"
				 "events\tnone\n";

TEST(baked_comes_last)
{
	struct rt_config_source baked = source;
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	baked.baked = jw_span_str(baked_text);
	ok(rt_config_read(&baked, &arena, &c));
	is_str(c.output, "tr\xc3\xa9\\-%p");
	is_int(c.mode, RT_MODE_FLIGHT);
	is_int(c.max_size, 1 << 20);
	is_int(c.keep, RT_CHOICE_ON);
	is_int(c.events, 0);
	ok(c.summary); /* unsaid */
	setenv("JWEAVE_MODE", "stream", 1);
	setenv("JWEAVE_KEEP", "0", 1);
	properties[0][0] = "jweave.max_size";
	properties[0][1] = "3K";
	ok(rt_config_read(&baked, &arena, &c));
	is_int(c.mode, RT_MODE_STREAM);
	is_int(c.keep, RT_CHOICE_OFF);
	is_int(c.max_size, 3072);
	is_int(says, 0);
	forget();
	jw_arena_free(&arena);
}

TEST(a_wrong_baked_value_is_named)
{
	struct rt_config_source baked = source;
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	baked.baked = jw_span_str("jweave-baked\t1\nmode\tpaper\n");
	ok(rt_config_read(&baked, &arena, &c));
	is_int(c.mode, RT_MODE_STREAM);
	is_str(said, "mode is 'paper', which is not stream, flight-recorder or summary: ignored");
	forget();
	jw_arena_free(&arena);
}

TEST(what_is_not_ours_is_not_read)
{
	static const char *const others[] = { "",
					      "@jweave-baked@",
					      "jweave-baked\t2\nkeep\t1\n",
					      "jweave-baked\t1",
					      "jweave-baked\t1\n\n\t\nkeep",
					      "jweave-baked\t1\nkeep\t\n" };
	struct rt_config_source baked = source;
	struct jw_arena arena = { 0 };
	struct rt_config c;

	forget();
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		baked.baked = jw_span_str(others[i]);
		ok(rt_config_read(&baked, &arena, &c));
		is_int(c.keep, RT_CHOICE_AUTO);
	}
	is_int(says, 0);
	jw_arena_free(&arena);
}

TEST(archives_agree_or_not)
{
	struct jw_span a = jw_span_str("jweave-baked\t1\nkeep\t1\n");

	ok(rt_baked_same(a, a));
	ok(rt_baked_same(jw_span_str("@jweave-baked@"), jw_span_str("")));
	ok(!rt_baked_same(a, jw_span_str("jweave-baked\t1\nkeep\t0\n")));
	ok(!rt_baked_same(a, jw_span_str("")));
}

/* ---- switches ---- */

static const char rules_text[] = "jweave-baked\t1\nkeep\t1\nrule\ta.b\t7\t3\t1000\ton\n"
				 "rule\tc\t0\t0\t0\toff\nrule\td\t2\t0\t0\t-\n";

TEST(rules_are_read)
{
	struct jw_span text = jw_span_str(rules_text);
	struct jw_arena arena = { 0 };
	struct rt_baked_rule r = { 0 };

	ok(rt_baked_next(&text, &arena, &r));
	is_str(r.id, "a.b");
	is_int(r.sampling.every, 7);
	is_int(r.sampling.max_depth, 3);
	is_int((long long)r.sampling.min_ns, 1000);
	ok(r.has_switch && r.on);
	ok(rt_baked_next(&text, &arena, &r) && r.has_switch && !r.on);
	ok(rt_baked_next(&text, &arena, &r) && !r.has_switch && r.sampling.every == 2);
	ok(!rt_baked_next(&text, &arena, &r));
	jw_arena_free(&arena);
}

TEST(rules_are_switched)
{
	struct rt_baked_rule on = { .id = "a", .has_switch = true, .on = true };
	struct rt_baked_rule off = { .id = "b", .has_switch = true };

	ok(rt_baked_is_on(&on, "", "") && !rt_baked_is_on(&off, "", ""));
	ok(!rt_baked_is_on(&on, "", "x,a") && rt_baked_is_on(&off, "x, b,y", ""));
	ok(!rt_baked_is_on(&off, "b", "b")); /* off wins */
	ok(rt_baked_is_on(&on, "", "aa,A, ,") && !rt_baked_is_on(&off, "bb,,", ""));
}

TEST(unknown_rules_are_found)
{
	const char *list = "c, d,,a.b,zork ,a";
	struct jw_span text = jw_span_str(rules_text), id = rt_baked_unknown(&list, text);

	ok(jw_span_eq_str(id, "d")); /* it has no switch */
	id = rt_baked_unknown(&list, text);
	ok(jw_span_eq_str(id, "zork"));
	id = rt_baked_unknown(&list, text);
	ok(jw_span_eq_str(id, "a"));
	is_int((long long)rt_baked_unknown(&list, text).n, 0);
}
