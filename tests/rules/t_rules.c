/*
 * t_rules.c: whole sets: order, excludes, defaults of kinds, the guard, select keys, groups, the
 * gate, explain, digest, lint, presets, suggestions.
 */
#include "tests/rules/kit.h"

#include "base/banned.h"

#define RULES(list) "{'jweave':1,'rules':[" list "]}"

static struct rules_verdict decide(const struct rules *rules, const char *cls, const char *method,
				   uint16_t access, struct kit_code *code)
{
	struct rules_class c = kit_class(cls);
	struct rules_method m = kit_method(method, "()V", access, code);

	return rules_decide(rules, &c, &m);
}

TEST(the_last_matching_rule_decides)
{
	struct rules *r = kit_rules(RULES("{'match':'a.**'},{'match':'a.b.**','action':'skip'},"
					  "{'id':'again','match':'a.b.C#f'}"));
	struct kit_code code = KIT_BODY;

	if (!r)
		return;
	is_int(rules_count(r), 3);
	is_int(decide(r, "a/X", "f", 1, &code).rule, 0);
	is_int(decide(r, "a/b/X", "f", 1, &code).why, RULES_WHY_SKIPPED);
	is_int(decide(r, "a/b/X", "f", 1, &code).rule, 1);
	is_int(decide(r, "a/b/C", "f", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "a/b/C", "f", 1, &code).rule, 2);
	is_int(decide(r, "a/b/C", "g", 1, &code).rule, 1);
	is_int(decide(r, "x/Y", "f", 1, &code).why, RULES_WHY_UNMATCHED);
	is_int(decide(r, "x/Y", "f", 1, &code).rule, RULES_NONE);
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
	is_int(decide(r, "a/gen/X", "f", 1, &code).why, RULES_WHY_EXCLUDED);
	is_int(decide(r, "a/gen/X", "<init>", 1, &code).why, RULES_WHY_EXCLUDED);
	is_int(decide(r, "a/B", "no", 1, &code).why, RULES_WHY_EXCLUDED);
	is_int(decide(r, "a/Yes", "no", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "a/B", "f", 1, &code).why, RULES_WHY_TRACED);
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
	is_int(decide(r, "java/lang/String", "f", 1, &code).why, RULES_WHY_JDK);
	is_int(decide(r, "jdk/X", "f", 1, &code).why, RULES_WHY_JDK);
	is_int(decide(r, "sun/misc/X", "f", 1, &code).why, RULES_WHY_JDK);
	is_int(decide(r, "javax/X", "f", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(jdk, "java/lang/String", "f", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(jdk, "jweave/rt/x123/R", "f", 1, &code).why, RULES_WHY_RUNTIME);
	c.access = 0x8000;
	ok(!rules_may_choose(r, &c));
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
			decide(r, cases[i].cls, cases[i].method, cases[i].access, &code);

		if (!is_int(v.why, cases[i].why))
			tap_note("%s.%s %x", cases[i].cls, cases[i].method, cases[i].access);
	}
	rules_free(r);
	is_int(rules_method_kind(JW_SPAN_LIT("<init>"), 0x1001), RULES_KIND_CONSTRUCTOR);
	is_int(rules_method_kind(JW_SPAN_LIT("lambda$x"), 1), RULES_KIND_METHOD);
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
	is_int(decide(r, "a/B", "get", 1, &code).why, RULES_WHY_GUARDED);
	is_int(decide(r, "a/B", "get", 1, &code).rule, 0);
	is_int(decide(open, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "b/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "c/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "d/D", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "d/E", "get", 1, &code).why, RULES_WHY_GUARDED);
	is_int(decide(r, "e/E", "get", 1, &code).why, RULES_WHY_GUARDED);
	code.facts.bytes = 33;
	is_int(decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.facts.has_call = true;
	is_int(decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.facts.has_loop = true;
	is_int(decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.facts.has_monitor = true;
	is_int(decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	code = tiny;
	code.unreadable = true;
	is_int(decide(r, "a/B", "get", 1, &code).why, RULES_WHY_TRACED);
	is_int(decide(r, "c/B", "get", 1, &code).why, RULES_WHY_UNMATCHED);
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
	is_int(decide(r, "b/B", "f", 1, &code).why, RULES_WHY_SKIPPED);
	is_int(decide(r, "x/B", "f", 1, &code).why, RULES_WHY_UNMATCHED);
	is_int(code.asked, 0);
	is_int(decide(r, "a/B", "f", 1, &code).why, RULES_WHY_UNMATCHED);
	is_int(code.asked, 1);
	code.facts.has_loop = true;
	is_int(decide(r, "a/B", "f", 1, &code).rule, 1);
	rules_free(r);
}

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

		if (r && !ok(rules_may_choose(r, &c) == cases[i].may))
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

static void keep_finding(void *ctx, const char *finding)
{
	char *text = ctx;

	snprintf(text + strlen(text), 2048 - strlen(text), "%s\n", finding);
}

static void lint_is(const char *json, bool no_guard, const char *want)
{
	struct rules *r = kit_rules_with(json, &(struct rules_options){ .no_guard = no_guard });
	char text[2048] = "";
	size_t lines = 0, n = r ? rules_lint(r, keep_finding, text) : 0;

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	is_int(lines, n);
	if (!ok(*want ? strstr(text, want) != NULL : !*text))
		tap_note("%s: %s, want %s", json, text, want);
	rules_free(r);
}

static void keep_hint(void *ctx, const char *place, const char *said, const char *meant)
{
	char *text = ctx;

	snprintf(text + strlen(text), 2048 - strlen(text), "%s: %s -> %s\n", place, said, meant);
}

/* A file of one rule for LINE: what that may have meant, NULL for nothing. */
static void hint_is(const char *line, const char *meant)
{
	char json[512], text[2048] = "", want[512] = "";

	snprintf(json, sizeof json, RULES("{'match':'%s'}"), line);
	struct rules *r = kit_rules(json);
	if (meant)
		snprintf(want, sizeof want, "t.json:1:31: %s -> %s\n", line, meant);
	if (r)
		rules_hints(r, keep_hint, text);
	is_str(text, want);
	rules_free(r);
}

TEST(hints)
{
	hint_is("com.acme.Foo.bar", "com.acme.Foo#bar");
	hint_is("public static com.acme.Foo$Bar.baz:void", "public static com.acme.Foo$Bar#baz:void");
	hint_is("**.run", "**#run");
	hint_is("com.acme.*.run", "com.acme.*#run");
	hint_is("Foo.bar", "Foo#bar");
	hint_is("run", "**#run");
	hint_is("final run", "final **#run");
	hint_is("com.acme.tool", "com.acme.tool.**");
	hint_is("com.acme", "com.acme.**");
	hint_is("com.acme.Foo", NULL);
	hint_is("com.acme.Foo#bar", NULL);
	hint_is("com.acme.Foo$bar", NULL);
	hint_is("com.acme.**", NULL);
	hint_is("com.acme.too*", NULL);
	hint_is("com.acme.Foo.get*", NULL);
	hint_is("com.acme.t??l", NULL);
	hint_is("com.acme._foo", NULL);
	hint_is("**", NULL);
}

TEST(hints_of_all_lines)
{
	char text[2048] = "";
	struct rules *r = kit_rules("{'jweave':1,'exclude':['a.B.c','a.B'],'rules':["
				    "{'match':['a.B#c','a.B.d','a.b']},"
				    "{'on':'call','match':'a.B.e','within':'a.B.f'},"
				    "{'on':'new','match':'a.b.c'},"
				    "{'select':{'class':'a.b'}}]}");

	rules_hints(r, keep_hint, text);
	is_str(text, "t.json:1:24: a.B.c -> a.B#c\n"
		     "t.json:1:66: a.B.d -> a.B#d\n"
		     "t.json:1:74: a.b -> a.b.**\n"
		     "t.json:1:103: a.B.e -> a.B#e\n"
		     "t.json:1:120: a.B.f -> a.B#f\n");
	text[0] = '\0';
	rules_hints_of(r, 1, keep_hint, text);
	is_str(text, "t.json:1:103: a.B.e -> a.B#e\nt.json:1:120: a.B.f -> a.B#f\n");
	rules_free(r);
}

TEST(findings)
{
	lint_is(RULES("{'match':'a.**'}"), false, "");
	lint_is(RULES("{'match':'a.b.*#f'},{'match':'a.**'}"), false,
		"t.json:1: rule \"rule-1\" never decides: the later rule \"rule-2\" (t.json:1)");
	lint_is(RULES("{'match':'a.b.*#<init>'},{'match':'a.**'}"), false, "");
	lint_is(RULES("{'match':'a.b.*#<init>'},{'match':'a.**','action':'skip'}"), false,
		"never decides");
	lint_is(RULES("{'match':['a.B','c.D']},{'match':'a.**'}"), false, "");
	lint_is("{'jweave':1,'exclude':['a.**'],'rules':[{'match':'a.B'}]}", false,
		"can choose nothing: an exclude covers it");
	lint_is(RULES("{'match':'java.util.**'}"), false, "left out without --jdk");
	lint_is(RULES("{'match':'jweave.rt.**'}"), false, "own runtime");
	lint_is(RULES("{'match':'abstract a.**'}"), false, "no body");
	lint_is(RULES("{'match':'!abstract a.**'}"), false, "");
	lint_is(RULES("{'match':'a.**#f(String)'}"), false, "the type String has no package");
	lint_is(RULES("{'match':'a.**#f(java.lang.String,int)'}"), false, "");
	lint_is(RULES("{'match':'**'}"), true, "--no-guard");
	lint_is(RULES("{'match':'**'}"), false, "");
	lint_is(RULES("{'select':{'class':'a.**','code':{'maxBytes':9}}}"), false, "give minBytes");
	lint_is(RULES("{'id':'s','match':'a.**','action':'skip'},{'match':'b.**'}"), false,
		"skips what no rule before it traces");
	lint_is("{'jweave':1}", false, "t.json:1: no rule traces anything");
}

TEST(presets_are_rules)
{
	size_t n = 0;

	for (const char *name; (name = rules_preset_name(n)); n++) {
		struct jw_err e = { 0 };
		struct rules *r = NULL;

		if (!ok(rules_parse(rules_preset(name), name, NULL, &r, &e) == JW_OK))
			tap_note("%s", e.text);
		rules_free(r);
	}
	is_int(n, 9);
	is_int(rules_preset("nope").n, 0);
}

TEST(presets_that_come_before_the_file)
{
	static const char *const names[] = { "startup", "startup", NULL };
	struct rules_options options = { .presets = names };
	const char *text = "{'jweave':1,'include':'preset:startup','rules':[{'match':'a.B#x'}]}";
	struct rules *r = kit_rules_with(text, &options), *more;
	char digest[17];

	if (!r)
		return;
	is_int(kit_why(r, "a/B", "main", "()V"), RULES_WHY_TRACED);
	is_int(kit_why(r, "a/B", "x", "()V"), RULES_WHY_TRACED);
	is_int(rules_count(r), 3);
	is_str(rules_rule(r, 2)->id, "rule-3");
	is_int(rules_file_count(r), 1);
	snprintf(digest, sizeof(digest), "%s", rules_digest(r));
	rules_free(r);
	more = kit_rules_with("{'jweave':1,'rules':[{'match':'a.B#y'}]}", &options);
	ok(more && strcmp(rules_digest(more), digest) != 0);
	rules_free(more);
}

TEST(a_preset_that_there_is_not)
{
	static const char *const names[] = { "nope", NULL };
	struct rules_options options = { .presets = names };
	struct rules *r = NULL;
	struct jw_err e = { 0 };

	is_int(rules_parse(jw_span_str("{\"jweave\":1}"), "x", &options, &r, &e), JW_RULES);
	is_str(e.text, "there is no preset 'nope'");
}

TEST(preset_trivial_leaves_out_accessors)
{
	struct rules *r =
		kit_rules("{'jweave':1,'include':'preset:trivial','rules':[{'match':'a.**'}]}");
	struct kit_code getter = { .facts = { .bytes = 5 } }, body = KIT_BODY;

	if (!r)
		return;
	is_int(decide(r, "a/B", "getX", 1, &getter).why, RULES_WHY_EXCLUDED);
	is_int(decide(r, "a/B", "getX", 1, &body).why, RULES_WHY_TRACED);
	is_int(kit_why(r, "a/B", "hashCode", "()I"), RULES_WHY_EXCLUDED);
	is_int(kit_why(r, "a/B", "hashCode", "(I)I"), RULES_WHY_TRACED);
	rules_free(r);
}

TEST(preset_startup)
{
	struct rules *r = kit_rules("{'jweave':1,'include':['preset:startup']}");
	struct kit_code body = KIT_BODY;

	if (!r)
		return;
	is_int(kit_why(r, "a/B", "main", "([Ljava/lang/String;)V"), RULES_WHY_TRACED);
	is_int(kit_why(r, "a/B", "main", "()V"), RULES_WHY_TRACED);
	is_int(kit_why(r, "a/B", "main", "(I)V"), RULES_WHY_UNMATCHED);
	is_int(decide(r, "a/B", "<clinit>", 8, &body).why, RULES_WHY_TRACED);
	is_int(decide(r, "a/B", "<init>", 1, &body).why, RULES_WHY_UNMATCHED);
	rules_free(r);
}

TEST(nearest_names)
{
	static const char *const names[] = { "match", "select", "onUnmatched" };

	is_str(rules_nearest("macth", names, 3), "match");
	is_str(rules_nearest("onunmatched", names, 3), "onUnmatched");
	is_str(rules_nearest("selects", names, 3), "select");
	ok(rules_nearest("capture", names, 3) == NULL);
	ok(rules_nearest("", names, 0) == NULL);
}

TEST(nearest_names_are_near)
{
	static const char *const names[] = { "--jobs", "--json", "-o", "run" };

	ok(rules_nearest("--bogus", names, 4) == NULL);
	ok(rules_nearest("-x", names, 4) == NULL);
	ok(rules_nearest("prv", names, 4) == NULL);
	is_str(rules_nearest("--jsn", names, 4), "--json");
	is_str(rules_nearest("rnu", names, 4), "run");
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
