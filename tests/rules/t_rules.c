/*
 * t_rules.c: whole sets: order, excludes, defaults of kinds, the guard, includes, the gate, explain,
 * digest.
 */
#include "rules/explain.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

#define RULES(list) "{'jweave':1,'rules':[" list "]}"

TEST(the_last_matching_rule_decides)
{
	struct rules *r = kit_rules(RULES("{'match':'a.**'},{'match':'a.b.**','action':'skip'},"
					  "{'id':'again','match':'a.b.C#f'}"));
	struct kit_code code = KIT_BODY;

	if (!r)
		return;
	is_int(rules_count(r), 3);
	is_int(kit_decide(r, "a/X", "f", 1, &code).rule, 0);
	is_int(kit_decide(r, "a/b/X", "f", 1, &code).why, RULES_WHY_SKIPPED);
	is_int(kit_decide(r, "a/b/X", "f", 1, &code).rule, 1);
	is_int(kit_decide(r, "a/b/C", "f", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "a/b/C", "f", 1, &code).rule, 2);
	is_int(kit_decide(r, "a/b/C", "g", 1, &code).rule, 1);
	is_int(kit_decide(r, "x/Y", "f", 1, &code).why, RULES_WHY_UNMATCHED);
	is_int(kit_decide(r, "x/Y", "f", 1, &code).rule, RULES_NONE);
	is_str(rules_rule(r, 0)->id, "rule-1");
	is_str(rules_rule(r, 2)->id, "again");
	ok(rules_rule(r, 3) == NULL);
	rules_free(r);
}

TEST(an_exclude_always_wins)
{
	struct rules *r =
		kit_rules("{'jweave':1,'exclude':['a.gen.**',{'method':'no','not':'a.Yes'}],"
			  "'rules':[{'match':'a.**'},{'match':'a.gen.X#f'},"
			  "{'select':{'class':'a.gen.**','kind':['constructor']}}]}");
	struct kit_code code = KIT_BODY;

	if (!r)
		return;
	is_int(kit_decide(r, "a/gen/X", "f", 1, &code).why, RULES_WHY_EXCLUDED);
	is_int(kit_decide(r, "a/gen/X", "<init>", 1, &code).why, RULES_WHY_EXCLUDED);
	is_int(kit_decide(r, "a/B", "no", 1, &code).why, RULES_WHY_EXCLUDED);
	is_int(kit_decide(r, "a/Yes", "no", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "a/B", "f", 1, &code).why, RULES_WHY_TRACED);
	rules_free(r);
}

TEST(what_is_left_out_before_all)
{
	struct rules *r = kit_rules(RULES("{'match':'**'}")), *jdk;
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class("module-info");
	struct rules_method m = kit_method("f", "()V", 0x401, &code);

	jdk = kit_rules_with(RULES("{'match':'**'}"), &(struct rules_options){ .jdk = true });
	if (!r || !jdk)
		return;
	is_int(kit_decide(r, "java/lang/String", "f", 1, &code).why, RULES_WHY_JDK);
	is_int(kit_decide(r, "jdk/X", "f", 1, &code).why, RULES_WHY_JDK);
	is_int(kit_decide(r, "sun/misc/X", "f", 1, &code).why, RULES_WHY_JDK);
	is_int(kit_decide(r, "javax/X", "f", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(jdk, "java/lang/String", "f", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(jdk, "jweave/rt/x123/R", "f", 1, &code).why, RULES_WHY_RUNTIME);
	c.access = 0x8000;
	ok(!rules_may_choose(r, &c, NULL));
	is_int(rules_decide(r, &c, &m).why, RULES_WHY_UNMATCHED);
	c = kit_class("a/B");
	m.has_code = false;
	is_int(rules_decide(r, &c, &m).why, RULES_WHY_NO_CODE);
	rules_free(r);
	rules_free(jdk);
}

TEST(kinds)
{
	struct rules *r =
		kit_rules(RULES("{'match':'a.**'},"
				"{'select':{'class':'c.**','kind':['constructor','clinit']}},"
				"{'select':{'class':'b.**','kind':'bridge'}},"
				"{'select':{'class':'n.**','method':'*','kind':['constructor']}},"
				"{'select':{'class':'r.**','method':'re:<.*>|f'}},"
				"{'select':{'class':'q.**','method':'re:.*'}},"
				"{'match':'a.Skip','action':'skip'}"));
	static const struct {
		const char *cls, *method;
		uint16_t access;
		enum rules_why why;
	} cases[] = {
		{ "a/B", "f", 1, RULES_WHY_TRACED },
		{ "a/B", "lambda$f$0", 0x100a, RULES_WHY_TRACED },
		{ "a/B", "access$000", 0x1008, RULES_WHY_UNMATCHED },
		{ "a/B", "compareTo", 0x1041, RULES_WHY_UNMATCHED },
		{ "a/B", "$values", 0x100a, RULES_WHY_UNMATCHED },
		{ "a/B", "<init>", 1, RULES_WHY_UNMATCHED },
		{ "a/B", "<clinit>", 8, RULES_WHY_UNMATCHED },
		{ "c/B", "<init>", 1, RULES_WHY_TRACED },
		{ "c/B", "<clinit>", 8, RULES_WHY_TRACED },
		{ "c/B", "f", 1, RULES_WHY_UNMATCHED },
		{ "b/B", "f", 0x1041, RULES_WHY_TRACED },
		{ "b/B", "f", 1, RULES_WHY_UNMATCHED },
		{ "n/B", "<init>", 1, RULES_WHY_TRACED },
		{ "n/B", "<clinit>", 8, RULES_WHY_UNMATCHED },
		{ "r/B", "<init>", 1, RULES_WHY_TRACED },
		{ "r/B", "f", 1, RULES_WHY_TRACED },
		{ "q/B", "f", 1, RULES_WHY_TRACED },
		{ "q/B", "<init>", 1, RULES_WHY_UNMATCHED },
		{ "a/Skip", "<init>", 1, RULES_WHY_SKIPPED },
	};

	for (size_t i = 0; r && i < sizeof cases / sizeof *cases; i++) {
		struct kit_code code = KIT_BODY;
		struct rules_verdict v =
			kit_decide(r, cases[i].cls, cases[i].method, cases[i].access, &code);

		if (!is_int(v.why, cases[i].why))
			tap_note("%s.%s %x", cases[i].cls, cases[i].method, cases[i].access);
	}
	rules_free(r);
	is_int(rules_method_kind(JW_SPAN_LIT("<init>"), 0x1001), RULES_KIND_CONSTRUCTOR);
	is_int(rules_method_kind(JW_SPAN_LIT("lambda$x"), 1), RULES_KIND_METHOD);
}

/* What compilers call what is synthetic. */
TEST(kinds_of_names)
{
	static const struct {
		const char *name;
		enum rules_kind kind;
	} cases[] = {
		{ "lambda$f$0", RULES_KIND_LAMBDA },
		{ "$anonfun$main$1", RULES_KIND_LAMBDA },
		{ "$anonfun$new$12", RULES_KIND_LAMBDA },
		{ "main$$anonfun$1", RULES_KIND_LAMBDA },
		{ "p$T$$$anonfun$orElse$1", RULES_KIND_LAMBDA },
		{ "$anonfun$main$1$adapted", RULES_KIND_SYNTHETIC },
		{ "p$T$$$anonfun$orElse$1$", RULES_KIND_SYNTHETIC },
		{ "$anonfun$", RULES_KIND_SYNTHETIC },
		{ "anonfun$1", RULES_KIND_SYNTHETIC },
		{ "x1", RULES_KIND_SYNTHETIC },
		{ "", RULES_KIND_SYNTHETIC },
		{ "access$000", RULES_KIND_ACCESSOR },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (!is_int(rules_method_kind(jw_span_str(cases[i].name), 0x1009), cases[i].kind))
			tap_note("%s", cases[i].name);
}

TEST(the_guard)
{
	static const char text[] = RULES("{'match':'a.**'},{'match':'b.**#get'},"
					 "{'select':{'class':'c.**','code':{'minBytes':5}}},"
					 "{'match':['d.**','d.D#get()']},"
					 "{'select':{'class':'e.**','not':{'method':'x'}}}");
	struct rules *r = kit_rules(text);
	struct rules *open = kit_rules_with(text, &(struct rules_options){ .no_guard = true });
	struct kit_code tiny = { .facts = { .bytes = 32 } }, code = tiny;

	if (!r || !open)
		return;
	is_int(kit_decide(r, "a/B", "get", 1, &code).why, RULES_WHY_GUARDED);
	is_int(kit_decide(r, "a/B", "get", 1, &code).rule, 0);
	is_int(kit_decide(open, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "b/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "c/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "d/D", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "d/E", "get", 1, &code).why, RULES_WHY_GUARDED);
	is_int(kit_decide(r, "e/E", "get", 1, &code).why, RULES_WHY_GUARDED);
	code.facts.bytes = 33;
	is_int(kit_decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.facts.has_call = true;
	is_int(kit_decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.facts.has_loop = true;
	is_int(kit_decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.facts.has_monitor = true;
	is_int(kit_decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.unreadable = true;
	is_int(kit_decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "c/B", "get", 1, &code).why, RULES_WHY_UNMATCHED);
	rules_free(r);
	rules_free(open);
}

TEST(code_is_asked_for_once_and_only_when_needed)
{
	struct rules *r = kit_rules(RULES("{'select':{'class':'a.**','code':{'minBytes':200}}},"
					  "{'select':{'class':'a.**','code':{'hasLoop':true}}},"
					  "{'match':'b.**','action':'skip'}"));
	struct kit_code code = KIT_BODY;

	if (!r)
		return;
	is_int(kit_decide(r, "b/B", "f", 1, &code).why, RULES_WHY_SKIPPED);
	is_int(kit_decide(r, "x/B", "f", 1, &code).why, RULES_WHY_UNMATCHED);
	is_int(code.asked, 0);
	is_int(kit_decide(r, "a/B", "f", 1, &code).why, RULES_WHY_UNMATCHED);
	is_int(code.asked, 1);
	code.facts.has_loop = true;
	is_int(kit_decide(r, "a/B", "f", 1, &code).rule, 1);
	rules_free(r);
}

TEST(includes_come_first_and_once)
{
	struct jw_err e = { 0 };
	struct rules *r = NULL;

	if (!ok(rules_load("testdata/rules/good/presets.json", NULL, &r, &e) == JW_OK)) {
		tap_note("%s", e.text);
		return;
	}
	is_int(rules_count(r), 4);
	is_str(rules_rule(r, 0)->id, "startup.main");
	is_str(rules_rule(r, 2)->id, "base");
	is_str(rules_rule(r, 3)->id, "rule-4");
	is_int(rules_rule(r, 0)->on_unmatched, RULES_UNMATCHED_IGNORE);
	is_int(rules_rule(r, 3)->on_unmatched, RULES_UNMATCHED_WARN);
	is_str(rules_rule(r, 3)->file, "testdata/rules/good/presets.json");
	is_int(rules_rule(r, 3)->line, 1);
	is_int(rules_file_count(r), 2);
	is_str(rules_file(r, 0), "testdata/rules/good/presets.json");
	ok(strstr(rules_file(r, 1), "parts/base.json") != NULL);
	ok(rules_file(r, 2) == NULL);
	rules_free(r);
}

TEST(labels)
{
	struct rules *r =
		kit_rules("{'jweave':1,'defaults':{'event':{'label':'d {method}'}},"
			  "'rules':[{'match':'a.**'},{'match':'b.**','event':{'label':'own'}}]}");

	if (!r)
		return;
	is_str(rules_rule(r, 0)->label, "d {method}");
	is_str(rules_rule(r, 1)->label, "own");
	rules_free(r);
}

TEST(the_gate)
{
	static const struct {
		const char *rules, *cls;
		bool may;
	} cases[] = {
		{ RULES("{'match':'a.**#f'}"), "a/B", true },
		{ RULES("{'match':'a.**#f'}"), "b/B", false },
		{ RULES("{'match':'**#f'}"), "b/B", true },
		{ RULES("{'match':'a.**'},{'match':'a.b.**','action':'skip'}"), "a/b/C", false },
		{ RULES("{'match':'a.**'},{'match':'a.b.**#f','action':'skip'}"), "a/b/C", true },
		{ RULES("{'match':'a.**','action':'skip'}"), "a/B", false },
		{ RULES("{'select':{'entry':'x/*'}}"), "a/B", false },
		{ RULES("{'select':{'source':'Nope'}}"), "a/B", true },
		{ RULES("{'select':{'classModifiers':'record'}}"), "a/B", true },
		{ RULES("{'select':{'classModifiers':'interface'}}"), "a/B", false },
		{ RULES("{'select':{'not':'a.**'}}"), "a/B", false },
		{ RULES("{'select':{'not':'a.**#f'}}"), "a/B", true },
		{ RULES("{'select':{'anyOf':['b.**','c.**#f']}}"), "a/B", false },
		{ RULES("{'select':{'anyOf':['b.**','a.**#f']}}"), "a/B", true },
		{ "{'jweave':1,'exclude':['a.**'],'rules':[{'match':'**'}]}", "a/B", false },
		{ "{'jweave':1,'exclude':['a.**#f'],'rules':[{'match':'**'}]}", "a/B", true },
		{ RULES("{'match':'**'}"), "java/lang/String", false },
		{ RULES(""), "a/B", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rules *r = kit_rules(cases[i].rules);
		struct rules_class c = kit_class(cases[i].cls);

		if (r && !ok(rules_may_choose(r, &c, NULL) == cases[i].may))
			tap_note("%s on %s", cases[i].rules, cases[i].cls);
		rules_free(r);
	}
}

static void note_match(void *ctx, size_t rule, bool matches)
{
	char *text = ctx;

	text[rule] = matches ? '+' : '-';
}

TEST(explain_asks_every_rule)
{
	struct rules *r = kit_rules(RULES("{'match':'a.**'},{'match':'b.**'},"
					  "{'match':['x.**','a.**#f'],'action':'skip'}"));
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class("a/B");
	struct rules_method m = kit_method("f", "()V", 1, &code);
	char text[8] = "";

	if (!r)
		return;
	is_int(rules_explain(r, &c, &m, note_match, text).why, RULES_WHY_SKIPPED);
	is_str(text, "+-+");
	is_str(rules_why_text(RULES_WHY_SKIPPED), "the last matching rule skips it");
	rules_free(r);
}

static void digest_of(const char *json, bool jdk, char out[17])
{
	struct rules *r = kit_rules_with(json, &(struct rules_options){ .jdk = jdk });

	snprintf(out, 17, "%s", r ? rules_digest(r) : "");
	rules_free(r);
}

TEST(digests)
{
	char a[17], b[17];

	digest_of("{'jweave':1,'rules':[{'match':'a.**','id':'x'}]}", false, a);
	is_int(strlen(a), 16);
	digest_of(
		"// c\n{'x-a':2,'name':'n','rules':[ {'id':'x','description':'d','match':'a.**'} ],"
		"'jweave':1}",
		false, b);
	is_str(b, a);
	digest_of("{'jweave':1,'rules':[{'match':'a.*','id':'x'}]}", false, b);
	ok(strcmp(a, b) != 0);
	digest_of("{'jweave':1,'rules':[{'match':'a.**','id':'x'}]}", true, b);
	ok(strcmp(a, b) != 0);
	digest_of("{'jweave':1,'rules':[{'match':'a.**','id':'x','action':'skip'}]}", false, b);
	ok(strcmp(a, b) != 0);
	digest_of("{'jweave':1,'rules':[{'match':'a'},{'match':'b'}]}", false, a);
	digest_of("{'jweave':1,'rules':[{'match':'b'},{'match':'a'}]}", false, b);
	ok(strcmp(a, b) != 0);
}

TEST(null_and_defaults)
{
	struct rules *r = NULL;

	rules_free(NULL);
	ok(rules_parse(JW_SPAN_LIT("{"), "t", NULL, &r, NULL) == JW_RULES);
	ok(rules_parse(JW_SPAN_LIT("{\"jweave\":1,\"exclude\":[\"a/b\"]}"), "t", NULL, &r, NULL) ==
	   JW_RULES);
	ok(r == NULL);
}
