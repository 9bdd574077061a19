/*
 * f_weave.c: any bytes as a class: everything, with every call and capture, is woven with near
 * branches, with and without numbers, and what was well formed comes out well formed, the same each
 * time.
 */
#include <stdint.h>
#include <stdlib.h>

#include "cfr/check.h"
#include "tests/cfr/mutate_class.h"
#include "tests/fuzz.h"
#include "tests/weaver/everything.h"
#include "weaver/class/class_weave.h"

#include "base/banned.h"

JW_MUTATES_BY(mutate_class)

static void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

/* A class, and whether the checker takes it: its own flaws forgiven, or without any. */
struct input {
	struct jw_span bytes;
	bool forgiven, flawless;
};

static struct input look(struct jw_span bytes)
{
	struct jw_span nothing = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };
	struct input in = { .bytes = bytes };

	in.forgiven = cfr_check(bytes, bytes, &arena, &e) == JW_OK;
	in.flawless = cfr_check(bytes, nothing, &arena, &e) == JW_OK;
	jw_arena_free(&arena);
	return in;
}

static void weave(const struct input *in, const struct rules *rules)
{
	static const struct weave_limits limits = { .branch = 150, .code = 65535 };
	struct weave_class_job job = { .rules = rules,
				       .limits = &limits,
				       .runtime = jw_span_str("rt/Probe"),
				       .entry = jw_span_str("T.class"),
				       .boots = true };
	struct jw_span nothing = { 0 };
	struct weave_class_result result;
	struct jw_buf out = { 0 }, again = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	if (in->bytes.n % 2)
		job.numbers =
			(struct weave_numbers){ 32760, 20, UINT64_C(7), jw_span_str("rt/Own") };
	must(weave_class(&job, in->bytes, &arena, &out, &result, &e) == JW_OK);
	if (result.changed) {
		must(weave_class(&job, in->bytes, &arena, &again, &result, &e) == JW_OK);
		must(jw_span_eq(jw_buf_span(&out), jw_buf_span(&again)));
		if (in->forgiven)
			must(cfr_check(jw_buf_span(&out), in->bytes, &arena, &e) == JW_OK);
		if (in->flawless)
			must(cfr_check(jw_buf_span(&out), nothing, &arena, &e) == JW_OK);
	}
	jw_buf_free(&out);
	jw_buf_free(&again);
	jw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const texts[] = { METHODS_AND_CALLS(""),
					     CALLS_ALONE(""),
					     METHODS_AND_CALLS(EVERY_CAPTURE),
					     CALLS_ALONE(EVERY_CAPTURE),
					     MONITORS_ALONE,
					     EVERYTHING(""),
					     SPARED("\"sample\": {\"every\": 10}"),
					     SPARED("\"minDuration\": \"1ms\""),
					     EVERY_PRESET };
	static struct rules *rules[sizeof(texts) / sizeof(texts[0])];
	struct rules_options options = { .jdk = true, .no_guard = true };
	struct input in = look(jw_span(data, size));
	struct jw_err e = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!rules[i])
			must(rules_parse(jw_span_str(texts[i]), "rules", &options, &rules[i], &e) ==
			     JW_OK);
		weave(&in, rules[i]);
	}
	return 0;
}
