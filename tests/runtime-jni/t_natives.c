/* The probe class whose probes are natives: what changes in it, and what is no class. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "runtime-jni/recorder/natives.h"
#include "tests/tap.h"

#include "base/banned.h"

/* A class of no fields and of methods with one attribute each (4 bytes), as NAMES and FLAGS say. */
struct member {
	uint16_t name, flags; /* name: constant number */
};

static struct jw_span make_class(struct jw_buf *b, const struct member *methods, size_t count)
{
	static const char *const texts[] = { "probe", "probe0", "other", "()V", "(J)V", "Code" };

	jw_put_u4(b, 0xcafebabe);
	jw_put_u4(b, 52);
	jw_put_u2(b, 9);
	for (size_t i = 0; i < 6; i++) {
		jw_put_u1(b, 1);
		jw_put_u2(b, strlen(texts[i]));
		jw_put_str(b, texts[i]);
	}
	jw_put_u1(b, 5); /* a long: two numbers */
	jw_put_u8(b, 42);
	jw_put_u2(b, 0x21);
	jw_put_zeros(b, 8); /* this, super, interfaces, fields */
	jw_put_u2(b, count);
	for (size_t i = 0; i < count; i++) {
		jw_put_u2(b, methods[i].flags);
		jw_put_u2(b, methods[i].name);
		jw_put_u2(b, 4);
		jw_put_u2(b, 1);
		jw_put_u2(b, 6);
		jw_put_u4(b, 4);
		jw_put_str(b, "body");
	}
	jw_put_str(b, "the end");
	return jw_buf_span(b);
}

TEST(a_probe_with_a_native_becomes_one)
{
	static const struct member methods[] = { { 1, 0x9 }, { 2, 0x10a }, { 3, 0x9 } };
	struct jw_buf in = { 0 }, out = { 0 };
	struct jw_span class = make_class(&in, methods, 3);

	ok(rt_make_natives(class, &out));
	/* the attribute of the first method is gone (2 + 4 + 4 bytes), its flag set, its count zero
	 */
	is_int(out.n, in.n - 10);
	size_t first = in.n - strlen("the end") - 3 * 18;
	ok(!memcmp(out.p, in.p, first));
	is_int(out.p[first], 0x01);
	is_int(out.p[first + 1], 0x09);
	ok(!memcmp(out.p + first + 2, "\0\1\0\4\0\0", 6));
	ok(!memcmp(out.p + first + 8, in.p + first + 18, in.n - first - 18));
	jw_buf_free(&out);
	jw_buf_free(&in);
}

TEST(no_native_no_change)
{
	static const struct member lone[] = { { 1, 0x9 }, { 3, 0x9 } };
	static const struct member plain[] = { { 1, 0x9 }, { 2, 0x9 } };
	struct jw_buf a = { 0 }, b = { 0 }, out = { 0 };

	ok(!rt_make_natives(make_class(&a, lone, 2), &out));
	ok(!rt_make_natives(make_class(&b, plain, 2), &out));
	jw_buf_free(&a);
	jw_buf_free(&b);
	jw_buf_free(&out);
}

TEST(what_is_cut_or_no_class_is_refused)
{
	static const struct member methods[] = { { 1, 0x9 }, { 2, 0x10a } };
	struct jw_buf in = { 0 }, out = { 0 };
	struct jw_span class = make_class(&in, methods, 2);

	for (size_t n = 0; n < class.n - strlen("the end"); n++) {
		jw_buf_clear(&out);
		ok(!rt_make_natives(jw_span_sub(class, 0, n), &out));
	}
	for (unsigned tag = 0; tag < 256; tag++) {
		jw_buf_clear(&out);
		in.p[10] = (uint8_t)tag; /* the first constant: sizes no longer fit */
		if (tag != 1)
			ok(!rt_make_natives(class, &out));
	}
	jw_buf_free(&in);
	jw_buf_free(&out);
}

TEST(no_memory)
{
	static const struct member methods[] = { { 1, 0x9 }, { 2, 0x10a } };
	struct jw_buf in = { 0 };
	struct jw_span class = make_class(&in, methods, 2);
	bool made = false;

	for (long n = 0; n < 20 && !made; n++) {
		struct jw_buf out = { 0 };

		jw_mem_fail_after(n);
		made = rt_make_natives(class, &out);
		jw_mem_fail_after(-1);
		if (made)
			ok(n > 0);
		jw_buf_free(&out);
	}
	ok(made);
	jw_buf_free(&in);
}
