/*
 * t_spare.c: rules that record less than all calls: what they say, their numbers, what is baked in.
 */
#include <string.h>

#include "base/baked.h"
#include "rules/rules_int.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

static void spares(const struct rules *r, size_t rule, struct rules_spare want)
{
	const struct rules_spare *got = &rules_rule(r, rule)->spare;

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

	spares(r, 0, (struct rules_spare){ 0 });
	spares(r, 1, (struct rules_spare){ .every = 100 });
	spares(r, 2, (struct rules_spare){ .max_depth = 3, .min_ns = 1500000 });
	spares(r, 3, (struct rules_spare){ 0 });
	ok(!rules_spares(&rules_rule(r, 3)->spare));
	rules_free(r);
}

TEST(numbers_go_to_those_that_spare)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'runtime':{'keep':true},'rules':[{'match':'a.**'},"
		"{'id':'x','match':'a.**','sample':{'every':7}},"
		"{'id':'off','match':'a.**','maxDepth':1,'enabled':false},"
		"{'id':'y.z','on':'call','match':'a.B#c','maxDepth':2,'minDuration':'3us'}]}");

	is_int((long long)rules_how(r, 0, true), 0);
	is_int((long long)rules_how(r, 1, false), 1);
	is_int((long long)rules_how(r, 1, true), 1 | JW_HOW_CAPTURES);
	is_int((long long)rules_how(r, 3, false), 2);
	is_str((const char *)rules_baked(r).p,
	       "jweave-baked\t1\nkeep\t1\nrule\tx\t7\t0\t0\nrule\ty.z\t0\t2\t3000\n");
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

	spares(r, 0, (struct rules_spare){ .every = 10 });
	spares(r, 1, (struct rules_spare){ .max_depth = 2 });
	spares(r, 2, (struct rules_spare){ 0 });
	spares(r, 3, (struct rules_spare){ 0 });
	ok(rules_rule(r, 3)->operation != NULL);
	rules_free(r);
}

TEST(the_rules_own_word_counts_above_the_operation_of_defaults)
{
	struct rules *r =
		kit_rules("{'jweave':1,'defaults':{'event':{'type':'lock','value':'lock'}},"
			  "'rules':[{'match':'a.**','sample':{'every':10}}]}");

	spares(r, 0, (struct rules_spare){ .every = 10 });
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
