/*
 * t_select.c: the keys of `select`, one by one; groups.
 */
#include "tests/rules/kit.h"

#include "base/banned.h"

#define RULES(list) "{'jweave':1,'rules':[" list "]}"

static bool selects(const char *select, const struct rules_class *c, const struct rules_method *m)
{
	char json[1024];
	struct rules *r;
	bool yes;

	snprintf(json, sizeof json, RULES("{'select':%s}"), select);
	r = kit_rules(json);
	yes = r && rules_decide(r, c, m).why == RULES_WHY_TRACED;
	rules_free(r);
	return yes;
}

/* On a/b/Foo: public static synchronized long run(int, String[]). */
static const struct {
	const char *select;
	bool yes;
} select_cases[] = {
	{ "{'class':['x.**','a.**']}", true },
	{ "{'class':['a.**','!a.b.*']}", false },
	{ "{'class':'!x.**'}", true },
	{ "{'class':'re:a\\\\.b\\\\.F(o)+'}", true },
	{ "{'class':'re:b\\\\.Foo'}", false },
	{ "{'class':'!re:.*Foo'}", false },
	{ "{'package':'a.b'}", true },
	{ "{'package':'a'}", false },
	{ "{'package':'a.**'}", true },
	{ "{'package':'re:a\\\\.b'}", true },
	{ "{'source':'*.java'}", true },
	{ "{'source':'*.kt'}", false },
	{ "{'source':'re:Some[.]java'}", true },
	{ "{'entry':'lib/*'}", true },
	{ "{'entry':'WEB-INF/**'}", false },
	{ "{'method':'run'}", true },
	{ "{'method':['!run','*']}", false },
	{ "{'method':'re:r[tu]n'}", true },
	{ "{'params':['int','..']}", true },
	{ "{'params':['int']}", false },
	{ "{'params':[]}", false },
	{ "{'params':['*','*']}", true },
	{ "{'returns':'long'}", true },
	{ "{'returns':['!long']}", false },
	{ "{'returns':'re:l.*'}", true },
	{ "{'returns':'re:ong'}", false },
	{ "{'descriptor':'(I[Ljava/lang/String;)J'}", true },
	{ "{'descriptor':'(I)J'}", false },
	{ "{'descriptor':'re:.*;.J'}", true },
	{ "{'modifiers':['public']}", true },
	{ "{'modifiers':['private','static']}", true },
	{ "{'modifiers':['!static','public']}", false },
	{ "{'modifiers':'package'}", false },
	{ "{'modifiers':'synchronized'}", true },
	{ "{'classModifiers':'public'}", true },
	{ "{'classModifiers':['interface','enum']}", false },
	{ "{'classModifiers':'!record'}", true },
	{ "{'classModifiers':'record'}", false },
	{ "{'kind':'method'}", true },
	{ "{'kind':['lambda']}", false },
	{ "{'code':{'minBytes':100,'maxBytes':100,'minLines':10}}", true },
	{ "{'code':{'minBytes':101}}", false },
	{ "{'code':{'maxBytes':99}}", false },
	{ "{'code':{'minLines':11}}", false },
	{ "{'code':{'hasCall':true,'hasLoop':false}}", true },
	{ "{'code':{'hasCall':false}}", false },
	{ "{'code':{'hasLoop':true}}", false },
	{ "{'anyOf':['x.**','a.**#run']}", true },
	{ "{'anyOf':['x.**',{'method':'runs'}]}", false },
	{ "{'not':'a.**#run(..):long'}", false },
	{ "{'not':{'not':'a.**'}}", true },
	{ "{'class':'a.**','method':'x'}", false },
	{ "{'class':'a.**','x-note':'free','method':'run'}", true },
};

TEST(select_keys)
{
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class("a/b/Foo");
	struct rules_method m = kit_method("run", "(I[Ljava/lang/String;)J", 0x29, &code);

	for (size_t i = 0; i < sizeof select_cases / sizeof *select_cases; i++) {
		if (!ok(selects(select_cases[i].select, &c, &m) == select_cases[i].yes))
			tap_note("%s", select_cases[i].select);
	}
	c.super = JW_SPAN_LIT("java/lang/Record");
	ok(selects("{'classModifiers':'record'}", &c, &m));
	m.access = 0;
	ok(selects("{'modifiers':'package'}", &c, &m));
	c.name = JW_SPAN_LIT("Foo");
	ok(selects("{'package':'**'}", &c, &m));
}

TEST(damaged_descriptors_match_nothing)
{
	static const char *const damaged[] = { "", "(", "(I", "(Ljava", "([", "I", "(Q)V", ")" };
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class("a/B");

	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		struct rules_method m = kit_method("f", damaged[i], 1, &code);

		if (!ok(!selects("{'params':['int']}", &c, &m)))
			tap_note("%s", damaged[i]);
		ok(!selects("{'returns':'int','params':['..']}", &c, &m));
	}
}

TEST(groups)
{
	struct rules *r =
		kit_rules("{'jweave':1,'groups':{'app':'a.**','not-gen':{'group':'app',"
			  "'not':'a.gen.**'},'both':{'group':['app','!gen']},'gen':'a.gen.**'},"
			  "'rules':[{'select':{'group':'not-gen','method':'f'}},"
			  "{'select':{'group':'both','method':'g'}}]}");

	if (!r)
		return;
	is_int(kit_why(r, "a/B", "f", "()V"), RULES_WHY_TRACED);
	is_int(kit_why(r, "a/gen/B", "f", "()V"), RULES_WHY_UNMATCHED);
	is_int(kit_why(r, "a/B", "g", "()V"), RULES_WHY_TRACED);
	is_int(kit_why(r, "a/gen/B", "g", "()V"), RULES_WHY_UNMATCHED);
	is_int(kit_why(r, "b/B", "f", "()V"), RULES_WHY_UNMATCHED);
	rules_free(r);
}
