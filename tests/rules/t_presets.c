/*
 * t_presets.c: the rules files that come with jweave.
 */
#include "rules/presets.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

/* A preset says in one short line what it is for. */
static void is_line(const char *name)
{
	struct jw_arena arena = { 0 };
	struct jw_span line = { 0 };
	struct jw_err e = { 0 };

	if (!ok(rules_preset_line(name, &arena, &line, &e) == JW_OK && line.n > 10 && line.n <= 66))
		tap_note("%s: %zu bytes, %s", name, line.n, e.text);
	jw_arena_free(&arena);
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
		is_line(name);
	}
	is_int(n, 17);
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
	is_int(rules_file_count(r), 0); /* from memory, all of it */
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
	is_int(kit_decide(r, "a/B", "getX", 1, &getter).why, RULES_WHY_EXCLUDED);
	is_int(kit_decide(r, "a/B", "getX", 1, &body).why, RULES_WHY_TRACED);
	is_int(kit_why(r, "a/B", "hashCode", "()I"), RULES_WHY_EXCLUDED);
	is_int(kit_why(r, "a/B", "hashCode", "(I)I"), RULES_WHY_TRACED);
	rules_free(r);
}

TEST(preset_small_leaves_out_what_hardly_does_anything)
{
	struct rules *r =
		kit_rules("{'jweave':1,'include':'preset:small','rules':[{'match':'a.**'}]}");
	struct kit_code calls = { .facts = { .bytes = 32, .has_call = true } },
			longer = { .facts = { .bytes = 33, .has_call = true } },
			loop = { .facts = { .bytes = 20, .has_call = true, .has_loop = true } };

	if (!r)
		return;
	is_int(kit_decide(r, "a/B", "next", 1, &calls).why, RULES_WHY_EXCLUDED);
	is_int(kit_decide(r, "a/B", "next", 1, &longer).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "a/B", "next", 1, &loop).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "a/B", "next", 0x21, &calls).why, RULES_WHY_TRACED); /* synchronized */
	is_int(kit_decide(r, "a/B", "main", 9, &calls).why, RULES_WHY_TRACED);
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
	is_int(kit_decide(r, "a/B", "<clinit>", 8, &body).why, RULES_WHY_TRACED);
	is_int(kit_decide(r, "a/B", "<init>", 1, &body).why, RULES_WHY_UNMATCHED);
	rules_free(r);
}
