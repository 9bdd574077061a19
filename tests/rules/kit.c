#include "tests/rules/kit.h"

#include "base/banned.h"

static bool kit_code_ask(void *ctx, struct rules_code *out)
{
	struct kit_code *code = ctx;

	code->asked++;
	*out = code->facts;
	return !code->unreadable;
}

struct rules_class kit_class(const char *name)
{
	return (struct rules_class){ .name = jw_span_str(name),
				     .super = JW_SPAN_LIT("java/lang/Object"),
				     .source = JW_SPAN_LIT("Some.java"),
				     .entry = JW_SPAN_LIT("lib/some.jar"),
				     .access = 0x21 };
}

struct rules_method kit_method(const char *name, const char *descriptor, uint16_t access,
			       struct kit_code *code)
{
	struct rules_method m = { .name = jw_span_str(name),
				  .descriptor = jw_span_str(descriptor),
				  .access = access,
				  .has_code = true };

	m.kind = rules_method_kind(m.name, access);
	m.code = kit_code_ask;
	m.ctx = code;
	return m;
}

struct rules *kit_rules_with(const char *json, const struct rules_options *options)
{
	struct jw_err e = { 0 };
	struct rules *rules = NULL;
	char text[8192];

	if (!tap_ok(strlen(json) < sizeof text, "the text fits", __FILE__, __LINE__))
		return NULL;
	for (size_t i = 0; i <= strlen(json); i++)
		text[i] = json[i] == '\'' ? '"' : json[i];
	if (rules_parse(jw_span_str(text), "t.json", options, &rules, &e) != JW_OK) {
		tap_note("%s", e.text);
		tap_ok(false, "the rules are accepted", __FILE__, __LINE__);
		return NULL;
	}
	return rules;
}

struct rules *kit_rules(const char *json)
{
	return kit_rules_with(json, NULL);
}

enum rules_why kit_why(const struct rules *rules, const char *cls, const char *method,
		       const char *descriptor)
{
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class(cls);
	struct rules_method m = kit_method(method, descriptor, 1, &code);

	return rules_decide(rules, &c, &m).why;
}

bool kit_matches(const char *pattern, const char *cls, const char *method, const char *descriptor)
{
	char json[512];
	struct rules *rules;
	bool traced;

	snprintf(json, sizeof json, "{'jweave':1,'rules':[{'match':'%s'}]}", pattern);
	rules = kit_rules_with(json, &(struct rules_options){ .jdk = true });
	traced = rules && kit_why(rules, cls, method, descriptor) == RULES_WHY_TRACED;
	rules_free(rules);
	return traced;
}
