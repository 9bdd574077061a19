/*
 * t_creation.c: rules with `on: new`: objects and arrays by their class.
 */
#include "tests/rules/kit.h"

#include "base/banned.h"

static struct rules_verdict decide(const struct rules *rules, const char *owner, const char *type,
				   const char *in)
{
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class(in);
	struct rules_method m = kit_method("m", "()V", 1, &code);
	struct rules_callee made = { .owner = jw_span_str(owner),
				     .name = JW_SPAN_LIT("new"),
				     .descriptor = jw_span_str(type),
				     .made = true };

	return rules_decide_creation(rules, &c, &m, &made);
}

/* Why, of OWNER and TYPE made in a/B by the one rule that says SELECT. */
static enum rules_why why(const char *select, const char *owner, const char *type)
{
	char json[512];
	struct rules *r;
	enum rules_why w = RULES_WHY_UNMATCHED;

	snprintf(json, sizeof json, "{'jweave':1,'rules':[{'on':'new',%s}]}", select);
	r = kit_rules(json);
	if (r)
		w = decide(r, owner, type, "a/B").why;
	rules_free(r);
	return w;
}

TEST(of_arrays_the_class_is_that_of_the_elements)
{
	is_int(why("'match':'com.acme.**'", "com/acme/A", "()Lcom/acme/A;"), RULES_WHY_TRACED);
	is_int(why("'match':'com.acme.**'", "com/acme/A", "()[[Lcom/acme/A;"), RULES_WHY_TRACED);
	is_int(why("'match':'int'", "int", "()[I"), RULES_WHY_TRACED);
	is_int(why("'match':'com.acme.**'", "int", "()[I"), RULES_WHY_UNMATCHED);
}

TEST(returns_is_the_type_itself)
{
	is_int(why("'match':'**:int[]'", "int", "()[I"), RULES_WHY_TRACED);
	is_int(why("'match':'**:int[]'", "int", "()[[I"), RULES_WHY_UNMATCHED);
	is_int(why("'match':'**:*[]'", "a/B", "()[La/B;"), RULES_WHY_TRACED);
	is_int(why("'match':'**:*[]'", "a/B", "()La/B;"), RULES_WHY_UNMATCHED);
	is_int(why("'select':{'returns':'!*[]'}", "a/B", "()La/B;"), RULES_WHY_TRACED);
	is_int(why("'select':{'returns':'!*[]'}", "int", "()[I"), RULES_WHY_UNMATCHED);
}

TEST(the_last_one_decides_within_its_code)
{
	struct rules *r = kit_rules("{'jweave':1,'exclude':['gen.**'],'rules':["
				    "{'on':'new','match':'**','within':'a.**'},"
				    "{'on':'new','action':'skip','match':'java.**'},"
				    "{'on':'call','match':'**'}]}");
	struct rules_class any = kit_class("a/B"), jdk = kit_class("java/lang/A");

	if (!r)
		return;
	is_int(decide(r, "x/Y", "()Lx/Y;", "a/B").why, RULES_WHY_TRACED);
	is_int(decide(r, "x/Y", "()Lx/Y;", "b/B").why, RULES_WHY_UNMATCHED);
	is_int(decide(r, "java/lang/String", "()Ljava/lang/String;", "a/B").why, RULES_WHY_SKIPPED);
	is_int(decide(r, "x/Y", "()Lx/Y;", "java/B").why, RULES_WHY_JDK);
	is_int(decide(r, "java/X", "()Ljava/X;", "gen/B").why, RULES_WHY_EXCLUDED);
	ok(rules_has_creations(r, &any));
	ok(!rules_has_creations(r, &jdk));
	rules_free(r);
}

TEST(without_a_rule_there_is_nothing_to_ask)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'match':'a.**'}]}");
	struct rules_class c = kit_class("a/B");

	ok(!rules_has_creations(r, &c));
	is_int(decide(r, "a/B", "()La/B;", "a/B").why, RULES_WHY_UNMATCHED);
	rules_free(r);
}
