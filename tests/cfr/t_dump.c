/* t_dump.c: the dump of what is not well formed, and of names that are not fit to print. */
#include <string.h>

#include "cfr/dump.h"
#include "cfr/smt.h"
#include "tests/cfr/kit.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_buf bytes, out;

/* The dump of the class that K describes, as a C string. */
static const char *text_of(const struct kit *k)
{
	struct jw_err e = { 0 };

	jw_buf_clear(&out);
	jw_arena_free(&arena);
	is_int(cfr_dump(kit_class(&bytes, k), &arena, &out, &e), JW_OK);
	jw_put_u1(&out, 0);
	return out.p ? (const char *)out.p : "";
}

static void shows(const struct kit *k, const char *part)
{
	const char *text = text_of(k);

	if (!ok(strstr(text, part) != NULL))
		tap_note("no \"%s\" in:\n%s", part, text);
}

TEST(dump_escapes_names)
{
	struct kit k = { .code = KIT_BYTES(CFR_OP_return) };

	k.name = "a\nb\x1b[31m\"\\\x7f";
	shows(&k, "method a\\x0ab\\x1b[31m\\\"\\\\\\x7f ()V\n");
	k.name = "\xc3\xa9\xe2\x82\xac"; /* valid: as they are */
	shows(&k, "method \xc3\xa9\xe2\x82\xac ()V\n");
	k.name = "\xc0\x80\xc2\x9b\xed\xa0\x80\xe2\x80\xae\xff\xc3"; /* NUL, CSI, surrogate, bidi */
	shows(&k, "method \\xc0\\x80\\xc2\\x9b\\xed\\xa0\\x80\\xe2\\x80\\xae\\xff\\xc3 ()V\n");
}

TEST(dump_cuts_long_names)
{
	char name[2001];
	struct kit k = { .name = name, .code = KIT_BYTES(CFR_OP_return) };

	memset(name, 'x', 2000);
	name[2000] = 0;
	shows(&k, "xxx...(2000 bytes) ()V\n");
	ok(strlen(text_of(&k)) < 6000);
}

TEST(dump_shows_instructions)
{
	struct kit k = { .stack = 1,
			 .locals = 1,
			 .code = KIT_BYTES(CFR_OP_bipush, 0xff, CFR_OP_sipush, 0x80, 0, CFR_OP_iinc,
					   1, 0xfe, 196, CFR_OP_iinc, 1, 0, 0xff, 0,
					   CFR_OP_newarray, 10, CFR_OP_jsr, 0, 3,
					   CFR_OP_multianewarray, 0, KIT_T, 2, CFR_OP_ldc,
					   KIT_STRING, CFR_OP_ldc2_w, 0, KIT_LONG) };

	k.handlers = KIT_BYTES(0, 0, 0, 2, 0, 2, 0, 0);
	shows(&k, "    0 bipush -1\n    2 sipush -32768\n    5 iinc 1 -2\n"
		  "    8 wide iinc 256 -256\n    14 newarray int\n    16 jsr 19\n"
		  "    19 multianewarray #2 Class T 2\n    23 ldc #19 String \"I\"\n"
		  "    25 ldc2_w #11 long 42\n    handlers\n      0..2 -> 2 any\n");
	k.handlers.n = 0;
	k.code = KIT_BYTES(CFR_OP_tableswitch, 0, 0, 0, 0, 0, 0, 20, 255, 255, 255, 255, 255, 255,
			   255, 255, 0, 0, 0, 0, CFR_OP_return);
	shows(&k, "    0 tableswitch\n        -1 -> 0\n        default -> 20\n    20 return\n");
}

TEST(dump_shows_damage)
{
	struct kit k = { .code = KIT_BYTES(CFR_OP_goto, 0, 9) };

	shows(&k, "Code of 15 bytes (damaged: pc 0: branch to 9 leaves the code)\n");
	k.code = KIT_BYTES(CFR_OP_return);
	k.attrs[0].name = KIT_SMT;
	k.attrs[0].info = KIT_BYTES(0, 1, 200);
	shows(&k, "(damaged: StackMapTable entry 0: unknown frame form 200)\n"
		  "      3 bytes 0001c8\n");
	k.attrs[0].name = KIT_LINES;
	k.attrs[0].info = KIT_BYTES(0, 2, 0, 0, 0, 5);
	shows(&k, "      0: line 5\n      0\n      (damaged: 6 bytes)\n");
	k.attrs[0].info = KIT_BYTES(0, 0, 1, 2);
	shows(&k, "(damaged: 2 of 4 bytes left)\n");
	k.attrs[0].name = KIT_TYPES;
	k.attrs[0].info = KIT_BYTES(0, 1, 0x99, 0, 0);
	shows(&k, "(damaged: 5 bytes)\n");
	k.attrs[0].name = KIT_I;
	k.attrs[0].info = KIT_BYTES(1, 2, 3, 4, 5);
	shows(&k, "    I\n      5 bytes 01020304 05\n");
}

/* Into BUF the Record attribute, or with LEFT of them inside of it. */
static void put_record(struct jw_buf *buf, unsigned left)
{
	struct jw_buf inner = { 0 };

	if (left > 0)
		put_record(&inner, left - 1);
	jw_put_u2(buf, KIT_M); /* the method is called Record */
	jw_put_u4(buf, 8 + (uint32_t)inner.n);
	jw_put_u2(buf, 1);
	jw_put_u2(buf, KIT_I);
	jw_put_u2(buf, KIT_I);
	jw_put_u2(buf, left > 0);
	jw_put_bytes(buf, jw_buf_span(&inner));
	jw_buf_free(&inner);
}

TEST(dump_follows_attributes_in_attributes_so_far)
{
	for (unsigned depth = 5; depth < 10; depth++) {
		struct kit k = { .name = "Record", .code = KIT_BYTES(CFR_OP_return) };
		struct jw_buf record = { 0 };

		put_record(&record, depth);
		k.attrs[0].name = KIT_M;
		k.attrs[0].info = jw_span_sub(jw_buf_span(&record), 6, record.n);
		is_int(strstr(text_of(&k), "(nested too deep)") != NULL, depth > 6);
		jw_buf_free(&record);
	}
}

TEST(dump_has_a_limit)
{
	struct kit k = { .code = KIT_BYTES(CFR_OP_return) };
	size_t most = cfr_dump_limit;

	ok(!strstr(text_of(&k), "(cut:"));
	cfr_dump_limit = 300;
	shows(&k, "(cut: the text passes 300 bytes)\n");
	cfr_dump_limit = most;
}

TEST(dump_shows_frames)
{
	struct kit k = { .descriptor = "(J[ILT;)V",
			 .stack = 4,
			 .locals = 9,
			 .code = KIT_BYTES(CFR_OP_new, 0, KIT_T, 0, CFR_OP_return) };

	k.attrs[0].name = KIT_SMT;
	k.attrs[0].info =
		KIT_BYTES(0, 2, 252, 0, 3, CFR_VTYPE_TOP, 255, 0, 0, 0, 2, CFR_VTYPE_UNINIT, 0, 0,
			  CFR_VTYPE_NULL, 0, 2, CFR_VTYPE_OBJECT, 0, KIT_T, CFR_VTYPE_UNINIT_THIS);
	shows(&k, "      3: locals [long, [I, T, top] stack []\n"
		  "      4: locals [uninitialized(0), null] stack [T, uninitializedThis]\n");
}

TEST(dump_refuses_what_is_no_class)
{
	struct jw_err e = { 0 };

	is_int(cfr_dump(KIT_BYTES(1, 2, 3), &arena, &out, &e), JW_INPUT);
	is_str(e.text, "not a class file: it does not start with cafebabe");
}
