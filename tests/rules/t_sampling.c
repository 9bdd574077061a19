/*
 * t_sampling.c: rules that record less than all calls: what they say, their numbers, what is baked in.
 */
#include <string.h>

#include "base/baked.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

static void spares(const struct rules *r, size_t rule, struct rules_sampling want)
{
	const struct rules_sampling *got = &rules_rule(r, rule)->sampling;

	is_int(got->every, want.every);
	is_int(got->max_depth, want.max_depth);
	is_int((long long)got->min_ns, (long long)want.min_ns);
}

TEST(what_rules_spare)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'rules':[{'match':'a.**'},{'match':'a.**','sample':{'every':100}},"
		"{'match':'a.**','maxDepth':3,'minDuration':'1.5ms'},"
		"{'match':'a.**','sample':{'every':1},'minDuration':'0ns'}]}");

	spares(r, 0, (struct rules_sampling){ 0 });
	spares(r, 1, (struct rules_sampling){ .every = 100 });
	spares(r, 2, (struct rules_sampling){ .max_depth = 3, .min_ns = 1500000 });
	spares(r, 3, (struct rules_sampling){ 0 });
	ok(!rules_samples(&rules_rule(r, 3)->sampling));
	rules_free(r);
}

TEST(numbers_go_to_those_that_spare)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'runtime':{'keep':true},'rules':[{'match':'a.**'},"
		"{'id':'x','match':'a.**','sample':{'every':7}},"
		"{'id':'off','match':'a.**','maxDepth':1,'enabled':false},"
		"{'id':'y.z','on':'call','match':'a.B#c','maxDepth':2,'minDuration':'3us'}]}");

	is_int((long long)rules_how(r, NULL, NULL, 0, true), 0);
	is_int((long long)rules_how(r, NULL, NULL, 1, false), 2);
	is_int((long long)rules_how(r, NULL, NULL, 1, true), 2 | JW_HOW_CAPTURES);
	is_int((long long)rules_how(r, NULL, NULL, 3, false), 3);
	is_str((const char *)rules_baked(r).p,
	       "jweave-baked\t1\nkeep\t1\nrule\toff\t0\t1\t0\toff\nrule\tx\t7\t0\t0\t-\nrule\ty."
	       "z\t0\t2\t3000\t-\n");
	is_str(rules_baked_key(r), "runtime");
	rules_free(r);
}

TEST(the_key_that_needs_a_place)
{
	static const struct {
		const char *keys, *want;
	} cases[] = { { "'sample':{'every':2},'maxDepth':1", "sample" },
		      { "'maxDepth':1,'minDuration':'1s'", "maxDepth" },
		      { "'minDuration':'1s'", "minDuration" } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[160];

		snprintf(text, sizeof text, "{'jweave':1,'rules':[{'match':'a.**',%s}]}",
			 cases[i].keys);
		struct rules *r = kit_rules(text);
		is_str(rules_baked_key(r), cases[i].want);
		rules_free(r);
	}
}

TEST(defaults_yield_to_what_needs_all_calls)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'defaults':{'sample':{'every':10}},'rules':[{'match':'a.**'},"
		"{'match':'a.**','maxDepth':2,'sample':{'every':1}},{'match':'b.**','action':'skip'"
		"},"
		"{'match':'a.L#lock','event':{'type':'lock','value':'lock'}}]}");

	spares(r, 0, (struct rules_sampling){ .every = 10 });
	spares(r, 1, (struct rules_sampling){ .max_depth = 2 });
	spares(r, 2, (struct rules_sampling){ 0 });
	spares(r, 3, (struct rules_sampling){ 0 });
	ok(rules_rule(r, 3)->operation != NULL);
	rules_free(r);
}

TEST(the_rules_own_word_counts_above_the_operation_of_defaults)
{
	struct rules *r =
		kit_rules("{'jweave':1,'defaults':{'event':{'type':'lock','value':'lock'}},"
			  "'rules':[{'match':'a.**','sample':{'every':10}}]}");

	spares(r, 0, (struct rules_sampling){ .every = 10 });
	ok(rules_rule(r, 0)->operation == NULL);
	is_int((long long)rules_rule(r, 0)->capture_count, 0);
	rules_free(r);
}

TEST(no_operation_is_taken_over)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'rules':[{'match':'a.L#lock','event':{'type':'lock','value':'lock'}},"
		"{'match':'a.**'},{'match':'a.**','sample':{'every':10}}]}");
	struct kit_code body = KIT_BODY;
	struct rules_class cls = kit_class("a/L");
	struct rules_method m = kit_method("lock", "()V", 1, &body);

	is_int((long long)rules_operation_rule(r, &cls, &m, NULL, 1), 0);
	is_int((long long)rules_operation_rule(r, &cls, &m, NULL, 2), 2);
	rules_free(r);
}

TEST(too_many_rules_are_refused)
{
	static char text[2200000];
	struct rules *r = NULL;
	struct jw_err e = { 0 };
	size_t n = (size_t)snprintf(text, sizeof text,
				    "{\"jweave\":1,\"defaults\":{\"maxDepth\":1},\"rules\":[");

	for (int i = 0; i <= JW_HOW_RULES; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s{\"match\":\"a.B#c%d\"}",
				      i ? ",\n" : "", i);
	snprintf(text + n, sizeof text - n, "]}");
	is_int(rules_parse(jw_span_str(text), "many", NULL, &r, &e), JW_RULES);
	is_str(e.text, "many:65535: too many rules with sample, maxDepth or minDuration (limit is "
		       "65534)");
}

/* ---- switches ---- */

static const char switched[] = "{'jweave':1,'rules':[{'id':'all','match':'a.B#*'},{'id':'no','"
			       "match':'a.B#n*','action':'skip'},"
			       "{'id':'on','match':'a.B#*','enabled':true,'sample':{'every':5}},"
			       "{'id':'off','match':'a.B#n*','enabled':false},{'id':'skip','match':"
			       "'a.B#no','action':'skip'},"
			       "{'id':'late','match':'a.B#no*','enabled':false},"
			       "{'id':'call','on':'call','match':'a.B#m','enabled':true}]}";

static void has(const struct rules *r, const char *name, const char *id, uint64_t how)
{
	struct kit_code body = KIT_BODY;
	struct rules_class cls = kit_class("a/B");
	struct rules_method m = kit_method(name, "()V", 1, &body);
	struct rules_verdict v = rules_decide(r, &cls, &m);

	is_int(v.why, RULES_WHY_TRACED);
	is_str(v.rule == RULES_NONE ? "" : rules_rule(r, v.rule)->id, id);
	ok(rules_may_choose(r, &cls, NULL));
	if (!ok(rules_how(r, &cls, &m, v.rule, false) == how))
		tap_note("%s: %llx", name,
			 (unsigned long long)rules_how(r, &cls, &m, v.rule, false));
}

TEST(methods_have_the_switches_on_the_way_to_what_decides_without)
{
	struct rules *r = kit_rules(switched);

	is_str((const char *)rules_baked(r).p,
	       "jweave-baked\t1\nrule\ton\t5\t0\t0\ton\nrule\toff\t0\t0\t0\toff\n"
	       "rule\tlate\t0\t0\t0\toff\n");
	has(r, "m", "on", UINT64_C(1) << 32);
	has(r, "n", "on", UINT64_C(3) << 32 | JW_HOW_NONE);
	has(r, "nox", "on", UINT64_C(7) << 32 | JW_HOW_NONE);
	has(r, "no", "late", UINT64_C(4) << 32 | JW_HOW_NONE); /* skipped, but for the last */
	ok(!rules_rule(r, 6)->switchable);
	rules_free(r);
}

TEST(what_is_off_decides_nothing_that_others_trace)
{
	struct rules *r =
		kit_rules("{'jweave':1,'rules':[{'id':'x','match':'a.B#m','enabled':false},"
			  "{'id':'y','match':'a.B#m'},"
			  "{'id':'z','match':'a.B#m','enabled':false,'maxDepth':1}]}");

	has(r, "m", "y", UINT64_C(2) << 32);
	rules_free(r);
}

TEST(defaults_give_no_switch)
{
	struct rules *r = kit_rules("{'jweave':1,'defaults':{'enabled':false},'rules':["
				    "{'match':'a.B#m'},{'match':'a.B#n','enabled':true}]}");

	ok(!rules_rule(r, 0)->switchable && rules_rule(r, 1)->switchable);
	has(r, "n", "rule-2", UINT64_C(1) << 32 | JW_HOW_NONE);
	rules_free(r);
}

TEST(switches_are_32)
{
	static char text[4096];
	size_t n = (size_t)snprintf(text, sizeof text, "{'jweave':1,'rules':[");

	for (int i = 0; i < 34; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
				      "%s{'match':'a.B#m%d','enabled':%s}", i ? "," : "", i,
				      i % 2 ? "true" : "false");
	snprintf(text + n, sizeof text - n, "]}");
	struct rules *r = kit_rules(text);
	struct kit_code body = KIT_BODY;
	struct rules_class cls = kit_class("a/B");
	struct rules_method m = kit_method("m32", "()V", 1, &body);

	ok(rules_rule(r, 31)->switchable && !rules_rule(r, 32)->switchable);
	has(r, "m31", "rule-32", UINT64_C(1) << 63 | JW_HOW_NONE);
	is_int(rules_decide(r, &cls, &m).why, RULES_WHY_UNMATCHED); /* off, and nothing else */
	has(r, "m33", "rule-34", 0);
	rules_free(r);
}

TEST(the_guard_holds_for_what_is_off)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'match':'a.**','enabled':false}]}");
	struct kit_code body = { .facts = { .bytes = 5, .lines = 1 } };
	struct rules_class cls = kit_class("a/B");
	struct rules_method m = kit_method("get", "()I", 1, &body);

	is_int(rules_decide(r, &cls, &m).why, RULES_WHY_UNMATCHED);
	has(r, "big", "rule-1", UINT64_C(1) << 32 | JW_HOW_NONE);
	rules_free(r);
}
