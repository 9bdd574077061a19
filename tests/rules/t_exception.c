/*
 * t_exception.c: rules with `on: exception`: which methods they choose, apart from all others.
 */
#include "tests/rules/kit.h"

#include "base/banned.h"

static struct rules_verdict decide(const struct rules *rules, const char *cls, const char *method,
				   uint32_t bytes)
{
	struct kit_code code = { .facts = { .bytes = bytes } };
	struct rules_class c = kit_class(cls);
	struct rules_method m = kit_method(method, "()V", 1, &code);

	return rules_decide_exceptions(rules, &c, &m);
}

TEST(they_are_a_set_of_their_own)
{
	struct rules *r =
		kit_rules("{'jweave':1,'exclude':['com.acme.gen.**'],'rules':["
			  "{'id':'e','on':'exception','match':'com.acme.**'},"
			  "{'id':'m','action':'skip','match':'com.acme.**'},"
			  "{'id':'s','on':'exception','action':'skip','match':'**#dull'}]}");
	struct rules_class jdk = kit_class("java/lang/String"), other = kit_class("org/else/A");

	if (!r)
		return;
	is_int(decide(r, "com/acme/A", "run", 100).why, RULES_WHY_TRACED);
	is_int(decide(r, "com/acme/A", "run", 100).rule, 0);
	is_int(decide(r, "com/acme/A", "get", 5).why, RULES_WHY_TRACED); /* no guard */
	is_int(decide(r, "com/acme/A", "dull", 100).why, RULES_WHY_SKIPPED);
	is_int(decide(r, "com/acme/gen/A", "run", 100).why, RULES_WHY_EXCLUDED);
	is_int(decide(r, "com/acme/A", "<init>", 100).why, RULES_WHY_UNMATCHED);
	is_int(decide(r, "org/else/A", "run", 100).why, RULES_WHY_UNMATCHED);
	is_int(decide(r, "java/lang/String", "run", 100).why, RULES_WHY_JDK);
	is_int(kit_why(r, "com/acme/A", "run", "()V"), RULES_WHY_SKIPPED);
	ok(rules_has_exceptions(r, &other));
	ok(!rules_has_exceptions(r, &jdk));
	rules_free(r);
}

TEST(methods_without_a_body_throw_nothing)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'on':'exception','match':'**'}]}");
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class("a/B");
	struct rules_method m = kit_method("m", "()V", 0x101, &code);

	m.has_code = false;
	is_int(rules_decide_exceptions(r, &c, &m).why, RULES_WHY_NO_CODE);
	rules_free(r);
}

TEST(one_that_is_switched_off_is_not_there)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'on':'exception','match':'**',"
				    "'enabled':false},{'match':'a.**'}]}");
	struct rules_class c = kit_class("a/B");

	ok(!rules_has_exceptions(r, &c));
	is_int(decide(r, "a/B", "m", 100).why, RULES_WHY_UNMATCHED);
	is_int(kit_why(r, "a/B", "m", "()V"), RULES_WHY_TRACED);
	rules_free(r);
}

TEST(the_preset_chooses_every_kind)
{
	struct rules *r = kit_rules("{'jweave':1,'include':['preset:exceptions']}");
	static const char *const names[] = { "m", "<init>", "<clinit>", "lambda$m$0",
					     "access$000" };

	for (size_t i = 0; r && i < sizeof names / sizeof *names; i++)
		is_int(decide(r, "a/B", names[i], 9).why, RULES_WHY_TRACED);
	is_int(kit_why(r, "a/B", "m", "()V"), RULES_WHY_UNMATCHED);
	rules_free(r);
}

TEST(supertypes_are_asked_for)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'on':'exception',"
				    "'select':{'subtypeOf':'java.lang.Runnable'}}]}");

	ok(r && rules_needs_supertypes(r));
	rules_free(r);
}
