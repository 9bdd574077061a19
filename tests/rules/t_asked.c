/*
 * t_asked.c: what is asked of the weaver only when a rule needs it: supertypes and annotations.
 */
#include "tests/rules/kit.h"

#include "base/banned.h"

struct names {
	const char *list[8]; /* NULL ends */
	int asked;
};

static bool each(void *ctx, rules_take_name *take, void *take_ctx)
{
	struct names *names = ctx;

	names->asked++;
	for (size_t i = 0; names->list[i]; i++) {
		if (take(take_ctx, jw_span_str(names->list[i])))
			return true;
	}
	return false;
}

/* Is a.B#f, with these supertypes and annotations, traced by the one rule SELECT? */
static bool traced(const char *select, struct names *supers, struct names *annotations,
		   struct names *of_method)
{
	struct kit_code code = KIT_BODY;
	struct rules_class cls = kit_class("a/B");
	struct rules_method method = kit_method("f", "()V", 1, &code);
	struct jw_arena arena = { 0 };
	struct rules_verdict plain, prepared;
	struct rules *rules;
	char text[512];
	bool open;

	snprintf(text, sizeof text, "{'jweave':1,'rules':[{'select':%s}]}", select);
	rules = kit_rules_with(text, &(struct rules_options){ .no_guard = true });
	if (!rules)
		return false;
	cls.super = JW_SPAN_LIT("a/Super");
	cls.supertypes = supers ? each : NULL;
	cls.ctx = supers ? supers : annotations;
	cls.annotations = annotations ? each : NULL;
	method.annotations = of_method ? each : NULL;
	method.code = NULL;
	method.ctx = of_method;
	plain = rules_decide(rules, &cls, &method);
	open = rules_may_choose(rules, &cls, NULL);
	cls.prepared = rules_class_prepare(rules, &cls, &arena);
	prepared = rules_decide(rules, &cls, &method);
	is_int(prepared.why, plain.why);
	ok(open || plain.why != RULES_WHY_TRACED);
	jw_arena_free(&arena);
	rules_free(rules);
	return plain.why == RULES_WHY_TRACED;
}

TEST(supertypes)
{
	struct names supers = { { "a/B", "a/Super", "java/lang/Thread", "java/lang/Runnable" }, 0 };

	ok(traced("{'subtypeOf':'java.lang.Runnable'}", &supers, NULL, NULL));
	ok(traced("{'subtypeOf':'a.B'}", &supers, NULL, NULL));
	ok(traced("{'subtypeOf':['x.Y','java.**']}", &supers, NULL, NULL));
	ok(traced("{'subtypeOf':'re:java[.]lang[.]T.*'}", &supers, NULL, NULL));
	ok(traced("{'subtypeOf':'!x.*'}", &supers, NULL, NULL));
	ok(traced("{'not':{'subtypeOf':'x.*'}}", &supers, NULL, NULL));
	ok(!traced("{'subtypeOf':'java.lang.Run'}", &supers, NULL, NULL));
	ok(!traced("{'subtypeOf':['java.**','!java.lang.Thread']}", &supers, NULL, NULL));
	ok(!traced("{'anyOf':[{'subtypeOf':'x.Y'},'x.**']}", &supers, NULL, NULL));
}

TEST(without_a_hierarchy)
{
	ok(traced("{'subtypeOf':'a.B'}", NULL, NULL, NULL));
	ok(traced("{'subtypeOf':'a.Super'}", NULL, NULL, NULL));
	ok(!traced("{'subtypeOf':'java.lang.Thread'}", NULL, NULL, NULL));
}

TEST(annotations)
{
	struct names on = { { "x/Y", "x/Z$In" }, 0 };

	ok(traced("{'classAnnotation':'x.Y'}", NULL, &on, NULL));
	ok(traced("{'classAnnotation':'**$In'}", NULL, &on, NULL));
	ok(!traced("{'classAnnotation':'x.In'}", NULL, &on, NULL));
	ok(!traced("{'classAnnotation':['x.*','!x.Y']}", NULL, &on, NULL));
	ok(!traced("{'classAnnotation':'x.Y'}", NULL, NULL, &on));
	ok(!traced("{'classAnnotation':'x.Y'}", NULL, NULL, NULL));
	ok(traced("{'methodAnnotation':'x.Y'}", NULL, NULL, &on));
	ok(!traced("{'methodAnnotation':'x.Y'}", NULL, &on, NULL));
	ok(traced("{'methodAnnotation':'!x.A'}", NULL, NULL, &on));
	ok(traced("{'anyOf':['@x.Y **#f']}", NULL, NULL, &on));
	ok(!traced("{'anyOf':['@x.Y **']}", NULL, NULL, &on));
	ok(traced("{'anyOf':['@x.Y **']}", NULL, &on, NULL));
	ok(traced("{'anyOf':['public @x.Y @x.Z$In a.*#f()']}", NULL, NULL, &on));
	ok(!traced("{'anyOf':['@x.Y @x.No a.*#f()']}", NULL, NULL, &on));
}

TEST(lambda_expressions)
{
	struct names types = { { "java/lang/Runnable", "x/Late" }, 0 };
	struct kit_code code = KIT_BODY;
	struct rules_class cls = kit_class("a/B");
	struct rules_method method = kit_method("lambda$f$0", "()V", 0x1002, &code);
	static const struct {
		const char *select;
		bool without, with;
	} cases[] = {
		{ "{'lambdaOf':'java.lang.Runnable'}", false, true },
		{ "{'lambdaOf':['java.util.**','x.*']}", false, true },
		{ "{'lambdaOf':['java.**','!x.Late']}", false, false },
		{ "{'lambdaOf':'re:.*Late'}", false, true },
		{ "{'lambdaOf':'!x.Early'}", true, true },
		{ "{'not':{'lambdaOf':'x.Late'},'kind':['lambda']}", true, false },
	};

	method.ctx = &types;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[256];

		snprintf(text, sizeof text, "{'jweave':1,'rules':[{'select':%s}]}",
			 cases[i].select);
		struct rules *rules =
			kit_rules_with(text, &(struct rules_options){ .no_guard = true });

		method.lambda_of = NULL;
		is_int(rules_decide(rules, &cls, &method).why == RULES_WHY_TRACED,
		       cases[i].without);
		method.lambda_of = each;
		is_int(rules_decide(rules, &cls, &method).why == RULES_WHY_TRACED, cases[i].with);
		ok(rules_needs_supertypes(rules));
		rules_free(rules);
	}
}

TEST(asked_only_when_needed)
{
	struct names names = { { "x/Y" }, 0 };
	struct rules *rules = kit_rules("{'jweave':1,'rules':[{'match':'a.**'}]}");

	ok(!rules_needs_supertypes(rules));
	rules_free(rules);
	rules = kit_rules("{'jweave':1,'exclude':[{'anyOf':[{'not':{'subtypeOf':'x.Y'}}]}],"
			  "'rules':[{'match':'a.**'}]}");
	ok(rules_needs_supertypes(rules));
	rules_free(rules);
	traced("{'class':'no.**','subtypeOf':'x.Y'}", &names, NULL, NULL);
	traced("{'class':'no.**','classAnnotation':'x.Y'}", NULL, &names, NULL);
	traced("{'method':'no','methodAnnotation':'x.Y'}", NULL, NULL, &names);
	is_int(names.asked, 0);
	traced("{'methodAnnotation':'x.Y'}", NULL, NULL, &names);
	ok(names.asked > 0);
}

TEST(prepared_for_another_set)
{
	struct rules *all = kit_rules("{'jweave':1,'rules':[{'match':'a.**'}]}");
	struct rules *none = kit_rules("{'jweave':1,'rules':[{'match':'b.**'}]}");
	struct kit_code code = KIT_BODY;
	struct rules_method method = kit_method("f", "()V", 1, &code);
	struct rules_class cls = kit_class("a/B");
	struct jw_arena arena = { 0 };

	cls.prepared = rules_class_prepare(none, &cls, &arena);
	is_int(rules_decide(all, &cls, &method).why, RULES_WHY_TRACED);
	is_int(rules_decide(none, &cls, &method).why, RULES_WHY_UNMATCHED);
	jw_arena_free(&arena);
	rules_free(all);
	rules_free(none);
}
