/*
 * f_weave.c: any bytes as a class: everything is woven with near branches, and what was well formed
 * comes out well formed, the same each time.
 */
#include <stdint.h>
#include <stdlib.h>

#include "cfr/check.h"
#include "weaver/weave.h"

#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char everything[] =
	"{\"jweave\": 1, \"rules\": [{\"select\": {\"class\": \"**\", \"kind\": [\"method\", "
	"\"constructor\", \"clinit\", \"lambda\", \"accessor\", \"bridge\", \"synthetic\"]}}]}";

static void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct weave_limits limits = { .branch = 150, .code = 65535 };
	static struct rules *rules;
	struct rules_options options = { .jdk = true, .no_guard = true };
	struct weave_class_job job = { .limits = &limits,
				       .runtime = jw_span_str("rt/Probe"),
				       .entry = jw_span_str("T.class") };
	struct weave_class_result result;
	struct jw_span in = jw_span(data, size);
	struct jw_buf out = { 0 }, again = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	if (!rules)
		must(rules_parse(jw_span_str(everything), "rules", &options, &rules, &e) == JW_OK);
	job.rules = rules;
	must(weave_class(&job, in, &arena, &out, &result, &e) == JW_OK);
	if (result.changed) {
		must(weave_class(&job, in, &arena, &again, &result, &e) == JW_OK);
		must(jw_span_eq(jw_buf_span(&out), jw_buf_span(&again)));
		if (cfr_check(in, in, &arena, &e) == JW_OK)
			must(cfr_check(jw_buf_span(&out), in, &arena, &e) == JW_OK);
	}
	jw_buf_free(&out);
	jw_buf_free(&again);
	jw_arena_free(&arena);
	return 0;
}
