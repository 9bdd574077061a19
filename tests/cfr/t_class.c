/* t_class.c: class files as an index; attributes; the walk over annotations. */
#include "cfr/annot.h"
#include "cfr/class.h"
#include "tests/cfr/kit.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_buf bytes;
static struct jw_err e;
static const struct kit plain = { .code = { (const uint8_t *)"\xb1", 1 } };

static enum jw_status open_class(struct jw_span s, struct cfr_class *cls)
{
	jw_arena_free(&arena);
	return cfr_class_open(s, &arena, cls, &e);
}

TEST(class_opens)
{
	struct cfr_class cls;
	struct jw_span s = kit_class(&bytes, &plain);

	is_int(open_class(s, &cls), JW_OK);
	is_span(cls.name, JW_SPAN_LIT("T"));
	is_span(cls.super, JW_SPAN_LIT("java/lang/Object"));
	is_int(cls.major, 52);
	is_int(cls.method_count, 1);
	is_int(cls.field_count, 0);
	is_span(cls.methods[0].name, JW_SPAN_LIT("m"));
	is_int(cls.methods[0].code.n, 13);
	is_int(cls.methods_at, cls.header_end + 2);
	ok(cls.methods[0].bytes.p == s.p + cls.methods_at + 2);
	ok(cls.methods[0].bytes.p + cls.methods[0].bytes.n + 2 == s.p + s.n);
	cfr_class_close(&cls);
}

TEST(class_peek_reads_the_head)
{
	struct cfr_class cls;
	struct jw_span s = kit_class(&bytes, &plain);

	is_int(cfr_class_peek(s, &arena, &cls, &e), JW_OK);
	is_span(cls.name, JW_SPAN_LIT("T"));
	is_int(cls.header_end, cls.pool.end + 8);
	ok(!cls.methods);
	/* what follows the head is not looked at */
	is_int(cfr_class_peek(jw_span_sub(s, 0, cls.header_end), &arena, &cls, &e), JW_OK);
	is_int(cfr_class_peek(jw_span_sub(s, 0, cls.header_end - 1), &arena, &cls, &e), JW_INPUT);
}

TEST(class_cut_anywhere_is_an_error)
{
	struct cfr_class cls;
	struct jw_span s = kit_class(&bytes, &plain);

	for (size_t n = 0; n < s.n; n++)
		is_int(open_class(jw_span_sub(s, 0, n), &cls), JW_INPUT);
	jw_put_u1(&bytes, 0);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_INPUT);
	ok(jw_span_starts(jw_span_str(e.text), JW_SPAN_LIT("1 byte after the end of the class")));
}

static void refuses(size_t offset_from_head, uint16_t value, const char *text)
{
	struct cfr_class cls;

	kit_class(&bytes, &plain);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_OK);
	jw_patch_u2(&bytes, cls.pool.end + offset_from_head, value);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_INPUT);
	is_str(e.text, text);
}

TEST(class_refuses_what_is_damaged)
{
	struct cfr_class cls;

	refuses(2, KIT_CODE, "this_class: constant 7 is not a Class");
	refuses(2, 0, "this_class: constant 0 is not a Class");
	refuses(4, KIT_LONG + 1, "super_class: constant 12 is not a Class");
	/* from here: fields_count */
	refuses(8, 65535, "65535 fields do not fit into the 31 bytes left");
	refuses(10, 5, "5 methods do not fit into the 29 bytes left");
	refuses(14, KIT_T, "method 0: no name or descriptor at offset 191");
	kit_class(&bytes, &plain);
	jw_patch_u2(&bytes, 6, 44);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_INPUT);
	is_str(e.text, "class-file version 44 is below 45");
	jw_patch_u4(&bytes, 0, 0xcafed00d);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_INPUT);
	is_str(e.text, "not a class file: it does not start with cafebabe");
	is_int(open_class(jw_span("\xca\xfe\xba\xbe\0\0", 6), &cls), JW_INPUT);
	is_str(e.text, "not a class file: it ends after 6 bytes");
}

TEST(class_of_any_newer_version_opens)
{
	struct cfr_class cls;
	struct kit k = plain;

	for (unsigned major = 45; major < 75; major++) {
		k.major = (uint16_t)major;
		is_int(open_class(kit_class(&bytes, &k), &cls), JW_OK);
		is_int(cls.major, major);
	}
}

/* Two Code attributes in one method. */
TEST(class_refuses_a_second_code)
{
	struct cfr_class cls;
	struct jw_buf twice = { 0 };

	kit_class(&bytes, &plain);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_OK);
	size_t attrs = cls.methods_at + 8, end = bytes.n - 2;
	jw_put_bytes(&twice, jw_span_sub(jw_buf_span(&bytes), 0, attrs));
	jw_put_u2(&twice, 2);
	for (int i = 0; i < 2; i++)
		jw_put_bytes(&twice, jw_span_sub(jw_buf_span(&bytes), attrs + 2, end - attrs - 2));
	jw_put_u2(&twice, 0);
	is_int(open_class(jw_buf_span(&twice), &cls), JW_INPUT);
	ok(jw_span_ends(jw_span_str(e.text), JW_SPAN_LIT("a second Code")));
	jw_buf_free(&twice);
}

TEST(class_walks_attributes)
{
	struct cfr_class cls;
	struct cfr_attr attr;
	struct kit k = plain;
	struct cfr_code code;

	k.attrs[0].name = KIT_LINES;
	k.attrs[0].info = KIT_BYTES(0, 1, 0, 0, 0, 7);
	k.attrs[1].name = KIT_VARS;
	k.attrs[1].info = KIT_BYTES(0, 0);
	is_int(open_class(kit_class(&bytes, &k), &cls), JW_OK);
	is_int(cfr_code_open(&cls, &cls.methods[0], &arena, &code, &e), JW_OK);
	is_int(code.attrs.count, 2);
	struct cfr_attr_iter it = cfr_attrs_iter(&cls, &code.attrs);
	ok(cfr_attr_next(&it, &attr));
	is_span(attr.name, JW_SPAN_LIT("LineNumberTable"));
	is_int(jw_span_u2(cls.bytes, attr.at), KIT_LINES);
	is_int(attr.info.n, 6);
	ok(cfr_attr_next(&it, &attr));
	is_int(jw_span_u2(cls.bytes, attr.at), KIT_VARS);
	ok(!cfr_attr_next(&it, &attr));
	ok(cfr_attrs_find(&cls, &code.attrs, "LocalVariableTable", &attr));
	ok(!cfr_attrs_find(&cls, &code.attrs, "StackMapTable", &attr));
}

/* A file that claims much must not cost much. */
TEST(class_claims_cost_no_memory)
{
	struct cfr_class cls;
	struct jw_span small = KIT_BYTES(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0xff, 0xff, 1, 0, 0);

	is_int(open_class(small, &cls), JW_INPUT);
	ok(arena.total < 1024);
	kit_class(&bytes, &plain);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_OK);
	jw_patch_u2(&bytes, cls.methods_at, 65535);
	is_int(open_class(jw_buf_span(&bytes), &cls), JW_INPUT);
	ok(arena.total < 1024);
}

/* An annotation of DEPTH arrays around an int. */
static bool skips(uint32_t depth)
{
	struct jw_buf b = { 0 };

	for (uint32_t i = 0; i < depth; i++) {
		jw_put_u1(&b, '[');
		jw_put_u2(&b, 1);
	}
	jw_put_u1(&b, 'I');
	jw_put_u2(&b, 1);
	struct jw_cur cur = jw_cur(jw_buf_span(&b));
	bool good = cfr_annot_skip_value(&cur) && jw_cur_left(&cur) == 0;
	jw_buf_free(&b);
	return good;
}

TEST(annotations_nest_to_a_limit)
{
	ok(skips(0) && skips(99) && skips(100));
	ok(!skips(101) && !skips(50000));
}

TEST(type_annotations_come_apart)
{
	struct jw_cur cur = jw_cur(KIT_BYTES(0x40, 0, 1, 0, 1, 0, 2, 0, 3, 1, 3, 0, 0, 9, 0, 0,
					     0x47, 0, 5, 1, 0, 0, 9, 0, 1, 0, 8, 'e', 0, 1, 0, 2,
					     0x13, 0, 0, 9, 0, 1, 0, 8, '@', 0, 9, 0, 0));
	struct cfr_type_annot a = { 0 };

	ok(cfr_type_annot_next(&cur, &a));
	is_int(a.target_type, CFR_TARGET_LOCALVAR);
	is_int(a.target.n, 8);
	is_int(a.path.n, 3);
	is_int(a.annotation.n, 4);
	ok(a.target.p + a.target.n == a.path.p && a.path.p + a.path.n == a.annotation.p);
	ok(cfr_type_annot_next(&cur, &a));
	is_str(cfr_target_name(a.target_type), "CAST");
	is_int(a.target.n, 3);
	is_int(a.annotation.n, 11);
	ok(cfr_type_annot_next(&cur, &a));
	is_int(a.target.n, 0);
	is_int(jw_cur_left(&cur), 0);
	ok(!cfr_type_annot_next(&cur, &a));
	cur = jw_cur(KIT_BYTES(0x4c, 0, 0, 0, 0, 0, 0));
	ok(!cfr_type_annot_next(&cur, &a) && !jw_cur_ok(&cur));
	ok(!cfr_target_name(0x18) && !cfr_target_name(0xff));
	cur = jw_cur(KIT_BYTES('?', 0, 0));
	ok(!cfr_annot_skip_value(&cur));
}
