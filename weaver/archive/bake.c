/*
 * bake.c: see bake.h. The build has left constants in the class as places for this: for what the rules
 * say about the run time (base/baked.h), and for the base of the archive's numbers (numbers.c).
 */
#include "weaver/archive/bake.h"

#include "base/baked.h"
#include "cfr/pool.h"

#include "base/banned.h"

/* *AT: where FOUND is in ALL; false: nowhere. */
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
	/* the constant as it is in the file: tag, length, text */
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
