/*
 * t_weave_json.c: what a weave did, as JSON.
 */
#include <string.h>

#include "cli/weave_json.h"
#include "tests/tap.h"

#include "base/banned.h"

static struct jw_err e;

static struct rules *rules_of(struct jw_span text)
{
	struct rules *rules = NULL;

	is_int(rules_parse(text, "r", &(struct rules_options){ 0 }, &rules, &e), JW_OK);
	return rules;
}

TEST(every_member)
{
	struct weave_skipped skipped = {
		"a.jar!/X.class", "X", "m()V", WEAVE_SKIP_HUGE, "why", 9, 10
	};
	const char *notes[] = { "one", "\"two\"\x1b" };
	uint64_t matches[] = { 4 };
	struct weave_report r = { .in = "i",
				  .entries = 1,
				  .classes = 2,
				  .woven_classes = 3,
				  .methods = 4,
				  .chosen = 5,
				  .woven = 6,
				  .calls = 7,
				  .creations = 8,
				  .exceptions = 9,
				  .guarded = 10,
				  .in_bytes = 11,
				  .out_bytes = UINT64_MAX,
				  .signature_removed = true,
				  .skipped = &skipped,
				  .skipped_count = 1,
				  .rule_matches = matches,
				  .notes = notes,
				  .note_count = 2 };
	struct rules *rules =
		rules_of(JW_SPAN_LIT("{\"jweave\":1,\"rules\":[{\"id\":\"x\",\"match\":\"**\"}]}"));
	struct jw_buf out = { 0 }, want = { 0 };

	r.skips[WEAVE_SKIP_HUGE] = 1;
	is_int(cli_weave_json(&r, rules, &out, &e), JW_OK);
	jw_put_fmt(&want,
		   "{\n\"format\":1,\"jweave\":\"%s\",\"in\":\"i\",\"out\":null,\"rulesDigest\":\"%"
		   "s\","
		   "\"runtimeClass\":null,\n",
		   JW_VERSION, rules_digest(rules));
	jw_put_str(
		&want,
		"\"entries\":1,\"classes\":2,\"wovenClasses\":3,\"methods\":4,\"chosen\":5,"
		"\"woven\":6,\"calls\":7,\"creations\":8,\"exceptions\":9,\"guarded\":10,"
		"\"inBytes\":11,\"outBytes\":18446744073709551615,\"signatureRemoved\":true,\n"
		"\"rules\":[\n{\"id\":\"x\",\"file\":\"r\",\"line\":1,\"methods\":4}\n],\n"
		"\"skips\":{\"HUGE\":1},\n"
		"\"skipped\":[\n{\"entry\":\"a.jar!/X.class\",\"class\":\"X\",\"method\":\"m()V\","
		"\"reason\":\"HUGE\",");
	jw_put_fmt(&want, "\"text\":\"%s\",", weave_skip_text(WEAVE_SKIP_HUGE));
	jw_put_str(&want, "\"detail\":\"why\",\"size\":9,\"wovenSize\":10}\n],\n"
			  "\"notes\":[\n\"one\",\n\"\\\"two\\\"\\u001b\"\n]\n}\n");
	is_span(jw_buf_span(&out), jw_buf_span(&want));
	jw_buf_free(&out);
	jw_buf_free(&want);
	rules_free(rules);
}

TEST(nothing_to_say)
{
	struct weave_report r = { .in = "i", .out = "o", .runtime_class = "a.P" };
	struct rules *rules = rules_of(JW_SPAN_LIT("{\"jweave\":1}"));
	struct jw_buf out = { 0 };

	is_int(cli_weave_json(&r, rules, &out, &e), JW_OK);
	jw_put_u1(&out, '\0');
	ok(strstr((const char *)out.p, "\"out\":\"o\",") != NULL);
	ok(strstr((const char *)out.p, "\"runtimeClass\":\"a.P\",\n") != NULL);
	ok(strstr((const char *)out.p, "\"signatureRemoved\":false,\n\"rules\":[\n],\n"
				       "\"skips\":{},\n\"skipped\":[\n],\n\"notes\":[\n]\n}\n"));
	jw_buf_free(&out);
	rules_free(rules);
}
