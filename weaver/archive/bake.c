/*
 * bake.c: what is put into the runtime class that an archive carries, in the places of constants
 * which the build left there: what the rules say about the run time (base/baked.h), and the base of
 * the archive's numbers (numbers.c).
 */
#include <string.h>

#include "base/baked.h"
#include "cfr/pool.h"
#include "trace/format/recording.h"
#include "weaver/archive/archive_int.h"
#include "weaver/archive/runtime_image.h"

#include "base/banned.h"

bool weave_carries_class(const struct weave_archive_job *job)
{
	return job->runtime == WEAVE_RUNTIME_EMBED ||
	       (job->runtime == WEAVE_RUNTIME_CLASSPATH && rules_baked(job->rules).n > 0);
}

enum jw_status weave_check_baked(const struct weave_archive_job *job, bool archive,
				 struct jw_err *e)
{
	if (rules_baked(job->rules).n == 0)
		return JW_OK;
	if (!archive)
		return jw_fail(e, JW_RULES,
			       "a single class cannot carry what the rules say about the run time "
			       "(%s): weave its folder or archive",
			       rules_baked_key(job->rules));
	if (job->runtime == WEAVE_RUNTIME_NONE)
		return jw_fail(
			e, JW_RULES,
			"--runtime=none leaves no place for what the rules say about the run "
			"time (%s): weave with --runtime=embed or classpath",
			rules_baked_key(job->rules));
	return JW_OK;
}

/* What the class of JOB's output is told; empty: nothing. */
static void put_text(const struct weave_archive_job *job, struct jw_buf *out)
{
	struct jw_span head = JW_SPAN_LIT(JW_BAKED_HEAD), text = rules_baked(job->rules);

	if (text.n == 0)
		return;
	jw_put_bytes(out, head);
	if (job->runtime == WEAVE_RUNTIME_CLASSPATH)
		jw_put_str(out, "library\tclasspath\n");
	jw_put_bytes(out, jw_span_sub(text, head.n, text.n));
}

enum jw_status weave_bake_unit(const struct weave_unit *unit, struct jw_buf *class_file,
			       struct jw_err *e)
{
	struct jw_buf text = { 0 };

	if (unit->first_number)
		JW_TRY(weave_bake_number_base(class_file, jwr_number_base(unit->number_space), e));
	if (!weave_carries_class(unit->job))
		return JW_OK;
	put_text(unit->job, &text);
	enum jw_status status = jw_buf_finish(&text, "what is baked in", e);
	if (status == JW_OK)
		status = weave_bake(class_file, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

/* Where FOUND stands in ALL, at AT; false: nowhere. */
static bool find_place(struct jw_span all, struct jw_span found, size_t *at)
{
	*at = 0;
	while (*at + found.n <= all.n && !jw_span_eq(jw_span_sub(all, *at, found.n), found))
		++*at;
	return *at + found.n <= all.n;
}

enum jw_status weave_bake_number_base(struct jw_buf *class_file, uint64_t base, struct jw_err *e)
{
	/* IDS of Probe.java and Numbered.java: tag, value */
	static const uint8_t place[] = {
		CFR_CONSTANT_Long, 'j', 'w', 'e', 'a', 'v', 'e', '1', '0'
	};
	size_t at;

	if (!find_place(jw_buf_span(class_file), jw_span(place, sizeof(place)), &at))
		return jw_bug(e, "the runtime class has no place for the base of its numbers");
	jw_patch_u4(class_file, at + 1, (uint32_t)(base >> 32));
	jw_patch_u4(class_file, at + 5, (uint32_t)base);
	return JW_OK;
}

enum jw_status weave_bake(struct jw_buf *class_file, struct jw_span text, struct jw_err *e)
{
	/* the constant as it stands in the file: tag, length, text */
	static const uint8_t place[] = "\001\000\016" JW_BAKED_PLACE;
	_Static_assert(sizeof JW_BAKED_PLACE - 1 == 016, "the length above");
	struct jw_span all = jw_buf_span(class_file), found = { place, sizeof(place) - 1 };
	struct jw_buf out = { 0 };
	size_t at;

	if (text.n == 0)
		return JW_OK;
	if (!find_place(all, found, &at) || text.n > JW_BAKED_MAX)
		return jw_bug(e, "the runtime class has no place for what is baked in");
	jw_put_bytes(&out, jw_span_sub(all, 0, at));
	jw_put_u1(&out, CFR_CONSTANT_Utf8);
	jw_put_u2(&out, text.n);
	jw_put_bytes(&out, text);
	jw_put_bytes(&out, jw_span_sub(all, at + found.n, all.n));
	enum jw_status status = jw_buf_finish(&out, "runtime class", e);
	if (status == JW_OK) {
		jw_buf_clear(class_file);
		jw_put_bytes(class_file, jw_buf_span(&out));
		status = jw_buf_finish(class_file, "runtime class", e);
	}
	jw_buf_free(&out);
	return status;
}
