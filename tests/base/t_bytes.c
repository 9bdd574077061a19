/* Spans, cursors, buffers. */
#include "base/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"

#include "base/banned.h"

static const uint8_t digits[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

/* ---- spans ---- */

TEST(spans_compare)
{
	struct jw_span abc = jw_span_str("abc"), empty = { 0 };

	ok(jw_span_eq(abc, JW_SPAN_LIT("abc")));
	ok(!jw_span_eq(abc, JW_SPAN_LIT("abd")));
	ok(!jw_span_eq(abc, JW_SPAN_LIT("ab")));
	ok(jw_span_eq(empty, jw_span_str("")));
	ok(jw_span_eq_str(abc, "abc"));
	ok(jw_span_starts(abc, jw_span_str("ab")) && jw_span_starts(abc, empty));
	ok(!jw_span_starts(abc, jw_span_str("abcd")));
	ok(jw_span_ends(abc, jw_span_str("bc")) && !jw_span_ends(abc, jw_span_str("ab")));
	ok(!jw_span_ends(empty, abc));
	ok(jw_span_cmp(abc, jw_span_str("abd")) < 0 && jw_span_cmp(abc, jw_span_str("ab")) > 0);
	ok(jw_span_cmp(abc, abc) == 0 && jw_span_cmp(empty, abc) < 0);
}

TEST(parts_of_spans_never_reach_out)
{
	struct jw_span s = { digits, sizeof(digits) };

	is_int(jw_span_sub(s, 2, 3).n, 3);
	ok(jw_span_sub(s, 2, 3).p == digits + 2);
	is_int(jw_span_sub(s, 7, 3).n, 2);
	is_int(jw_span_sub(s, 9, 1).n, 0);
	is_int(jw_span_sub(s, 100, SIZE_MAX).n, 0);
	ok(jw_span_sub((struct jw_span){ 0 }, 5, 5).p == NULL);
	is_int(jw_span_u1(s, 8), 9);
	is_int(jw_span_u2(s, 7), 0x0809);
	is_int(jw_span_u4(s, 5), 0x06070809);
}

/* Ids are made of it, so these values never change: the published FNV-1a ones. */
TEST(the_hash_is_fnv_1a)
{
	ok(jw_hash64(jw_span_str(""), 0) == UINT64_C(0xcbf29ce484222325));
	ok(jw_hash64(jw_span_str("a"), 0) == UINT64_C(0xaf63dc4c8601ec8c));
	ok(jw_hash64(jw_span_str("foobar"), 0) == UINT64_C(0x85944171f73967e8));
	ok(jw_hash64(jw_span_str("a"), 1) != jw_hash64(jw_span_str("a"), 0));
}

/* ---- cursors ---- */

TEST(a_cursor_reads_both_ways)
{
	struct jw_cur c = jw_cur(jw_span(digits, sizeof(digits)));

	is_int(jw_cur_u1(&c), 1);
	is_int(jw_cur_u4(&c), 0x02030405);
	is_int(jw_cur_le2(&c), 0x0706);
	is_int(jw_cur_u2(&c), 0x0809);
	is_int(jw_cur_left(&c), 0);
	ok(jw_cur_ok(&c));
	jw_cur_seek(&c, 0);
	ok(jw_cur_u8(&c) == UINT64_C(0x0102030405060708));
	jw_cur_seek(&c, 1);
	ok(jw_cur_le8(&c) == UINT64_C(0x0908070605040302));
	jw_cur_seek(&c, 0);
	is_int(jw_cur_le4(&c), 0x04030201);
	is_span(jw_cur_take(&c, 2), jw_span(digits + 4, 2));
}

TEST(a_bad_cursor_stays_bad)
{
	struct jw_cur c = jw_cur(jw_span(digits, 3));

	jw_cur_skip(&c, 2);
	is_int(jw_cur_u2(&c), 0);
	ok(!jw_cur_ok(&c));
	is_int(jw_cur_left(&c), 0);
	jw_cur_seek(&c, 0);
	ok(!jw_cur_ok(&c));
	is_int(jw_cur_u1(&c), 0);
	is_int(jw_cur_u8(&c), 0);
	is_int(jw_cur_le8(&c), 0);
	is_int(jw_cur_take(&c, 0).n, 0);
	c = jw_cur(jw_span(digits, 3));
	jw_cur_seek(&c, 4);
	ok(!jw_cur_ok(&c));
	c = jw_cur(jw_span(digits, 3));
	jw_cur_seek(&c, 3);
	ok(jw_cur_ok(&c));
	is_int(jw_cur_take(&c, SIZE_MAX).n, 0);
	ok(!jw_cur_ok(&c));
}

TEST(an_empty_span_is_a_cursor_too)
{
	struct jw_cur c = jw_cur((struct jw_span){ 0 });

	is_int(jw_cur_take(&c, 0).n, 0);
	ok(jw_cur_ok(&c));
	is_int(jw_cur_u1(&c), 0);
	ok(!jw_cur_ok(&c));
}

/* ---- buffers ---- */

TEST(a_buffer_writes_fields)
{
	static const uint8_t want[] = { 0xff, 0xff, 0xfe, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 9,
					0x34, 0x12, 4,    3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1 };
	struct jw_buf b = { 0 };

	jw_put_u1(&b, 255);
	jw_put_u2(&b, 65534);
	jw_put_u4(&b, 0x01020304);
	jw_put_u8(&b, 9);
	jw_put_le2(&b, 0x1234);
	jw_put_le4(&b, 0x01020304);
	jw_put_le8(&b, UINT64_C(0x0102030405060708));
	is_int(jw_buf_finish(&b, "fields", NULL), JW_OK);
	ok(jw_span_eq(jw_buf_span(&b), jw_span(want, sizeof(want))));
	jw_patch_u2(&b, 0, 0x0a0b);
	jw_patch_u4(&b, b.n - 4, 0);
	is_int(b.p[1], 0x0b);
	is_int(b.p[b.n - 5], 5);
	is_int(b.p[b.n - 4], 0);
	is_int(b.failed, JW_OK);
	jw_buf_free(&b);
}

/* X: a write that must fail a buffer at once */
TEST(a_field_that_does_not_fit_fails_the_buffer)
{
	struct jw_err e = { 0 };

	for (int which = 0; which < 7; which++) {
		struct jw_buf b = { 0 };

		jw_put_str(&b, "abcd");
		switch (which) {
		case 0:
			jw_put_u1(&b, 256);
			break;
		case 1:
			jw_put_u2(&b, 65536);
			break;
		case 2:
			jw_put_u4(&b, UINT64_C(1) << 32);
			break;
		case 3:
			jw_put_le2(&b, 65536);
			break;
		case 4:
			jw_put_le4(&b, UINT64_C(1) << 32);
			break;
		case 5:
			jw_patch_u2(&b, 3, 1);
			break;
		default:
			jw_patch_u4(&b, SIZE_MAX, 1);
			break;
		}
		is_int(b.failed, JW_LIMIT);
		jw_put_str(&b, "later writes do nothing");
		is_int(b.n, 4);
		is_int(jw_buf_finish(&b, "it", &e), JW_LIMIT);
		is_str(e.text, "\"it\" does not fit its format");
		jw_buf_clear(&b);
		jw_put_u1(&b, 1);
		is_int(b.failed, JW_OK);
		jw_buf_free(&b);
	}
}

TEST(text_and_numbers)
{
	struct jw_buf b = { 0 };
	const uint64_t numbers[] = { 0, 9, 10, 1234567890, UINT64_MAX };

	for (size_t i = 0; i < 5; i++) {
		jw_put_dec(&b, numbers[i]);
		jw_put_str(&b, " ");
	}
	jw_put_fmt(&b, "%s-%d", "x", -5);
	jw_put_zeros(&b, 2);
	is_span(jw_buf_span(&b), JW_SPAN_LIT("0 9 10 1234567890 18446744073709551615 x--5\0\0"));
	jw_buf_free(&b);
	is_int(b.cap, 0);
}

/* Exactly full is well, one more is not; also through printf, whose ending zero does not count. */
TEST(the_limit_of_a_buffer)
{
	struct jw_buf b = { .max = 5 };

	jw_put_str(&b, "12345");
	is_int(b.failed, JW_OK);
	jw_put_u1(&b, 6);
	is_int(b.failed, JW_LIMIT);
	jw_buf_clear(&b);
	jw_put_fmt(&b, "%05d", 7);
	is_int(b.failed, JW_OK);
	is_span(jw_buf_span(&b), jw_span_str("00007"));
	jw_put_fmt(&b, "x");
	is_int(b.failed, JW_LIMIT);
	jw_buf_free(&b);
}

TEST(a_buffer_grows_over_many_sizes)
{
	struct jw_buf b = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < 3000; i++) {
		size_t more = tap_below(200);

		jw_buf_reserve(&b, more);
		for (size_t k = 0; k < more; k++)
			jw_put_u1(&b, (n + k) & 0xff);
		n += more;
	}
	is_int(b.n, n);
	size_t wrong = 0;
	for (size_t i = 0; i < n; i++)
		wrong += b.p[i] != (i & 0xff);
	is_int(wrong, 0);
	jw_buf_free(&b);
}

TEST(no_memory_fails_the_buffer)
{
	struct jw_buf b = { 0 };
	struct jw_err e = { 0 };

	jw_mem_fail_after(0);
	jw_put_str(&b, "x");
	ok(jw_mem_fail_after(-1));
	is_int(jw_buf_finish(&b, "it", &e), JW_NOMEM);
	is_str(e.text, "out of memory");
	jw_put_str(&b, "y");
	is_int(b.n, 0);
	jw_buf_clear(&b);
	jw_buf_reserve(&b, SIZE_MAX);
	is_int(b.failed, JW_NOMEM);
	jw_buf_clear(&b);
	jw_put_str(&b, "z");
	jw_buf_reserve(&b, SIZE_MAX);
	is_int(b.failed, JW_LIMIT);
	jw_buf_free(&b);
}

TEST(checked_arithmetic)
{
	size_t r = 7;

	ok(jw_add(1, 2, &r) && r == 3);
	ok(!jw_add(SIZE_MAX, 1, &r));
	ok(jw_mul(3, 5, &r) && r == 15);
	ok(!jw_mul(SIZE_MAX / 2, 3, &r));
}
