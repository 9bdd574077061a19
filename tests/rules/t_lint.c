/*
 * t_lint.c: findings and hints about rules that are right in form.
 */
#include "rules/hints.h"
#include "rules/lint.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

#define RULES(list) "{'jweave':1,'rules':[" list "]}"
#define EVENT       "{'match':'a.B#f','event':{'type':'io','value':'read'}},"

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
	hint_is("public static com.acme.Foo$Bar.baz:void",
		"public static com.acme.Foo$Bar#baz:void");
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
	lint_is(RULES("{'match':'a.B#f'},{'match':'a.**','enabled':true}"), false, "");
	lint_is(RULES("{'match':'a.B#f'},{'match':'a.**','enabled':false}"), false, "");
	lint_is(RULES(EVENT "{'match':'a.**'}"), false, "");
	lint_is(RULES(EVENT "{'match':'a.**','action':'skip'}"), false, "never decides");
	lint_is(RULES(EVENT "{'match':'a.**','maxDepth':3}"), false, "never decides");
	lint_is(RULES(EVENT "{'match':'a.**','event':{'type':'io','value':'write'}}"), false,
		"never decides");
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
