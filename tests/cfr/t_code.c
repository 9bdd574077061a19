/* t_code.c: Code: validation, reading, facts. */
#include "cfr/code.h"
#include "cfr/code_facts.h"
#include "tests/cfr/kit.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_buf bytes;
static struct jw_err e;
static struct cfr_class cls;
static struct cfr_code code;

static enum jw_status open_kit(const struct kit *k)
{
	struct jw_span s = kit_class(&bytes, k);

	jw_arena_free(&arena);
	e.text[0] = 0;
	if (cfr_class_open(s, &arena, &cls, &e) != JW_OK)
		return JW_BUG;
	return cfr_code_open(&cls, &cls.methods[0], &arena, &code, &e);
}

static enum jw_status open_bytes(struct jw_span s)
{
	return open_kit(&(struct kit){ .stack = 4, .locals = 4, .code = s });
}

#define OPENS(...) is_int(open_bytes(KIT_BYTES(__VA_ARGS__)), JW_OK)
#define REFUSES(message, ...)                                    \
	do {                                                     \
		ok(open_bytes(KIT_BYTES(__VA_ARGS__)) != JW_OK); \
		is_str(e.text, message);                         \
	} while (0)

TEST(code_of_every_plain_instruction_opens)
{
	for (unsigned op = 0; op < 256; op++) {
		uint8_t body[] = { (uint8_t)op, CFR_OP_return };
		enum jw_status status = open_bytes(jw_span(body, 2));
		enum cfr_form form = cfr_op((uint8_t)op)->form;

		if (form == CFR_FORM_NONE)
			is_int(status, JW_OK);
		else if (form == CFR_FORM_UNKNOWN)
			is_int(status, JW_UNSUPPORTED);
		else if (form != CFR_FORM_LOCAL && form != CFR_FORM_S1 && form != CFR_FORM_ATYPE)
			is_int(status, JW_INPUT);
	}
}

TEST(code_wide_forms)
{
	OPENS(196, CFR_OP_iload, 1, 0, 196, CFR_OP_iinc, 0, 3, 0xff, 0xfe, 196, CFR_OP_ret, 0, 1);
	struct cfr_insn insn = cfr_insn_at(&code, 4);
	ok(insn.wide);
	is_int(insn.op, CFR_OP_iinc);
	is_int(insn.length, 6);
	is_int(cfr_insn_local(&code, &insn), 3);
	insn = cfr_insn_at(&code, 0);
	is_int(insn.length, 4);
	is_int(cfr_insn_local(&code, &insn), 256);
	REFUSES("pc 0: wide is cut off, or has operands that cannot be", 196, CFR_OP_iadd, 0, 0);
	REFUSES("pc 0: wide is cut off, or has operands that cannot be", 196, 196, 0, 0, 0, 0);
	REFUSES("pc 0: wide is cut off, or has operands that cannot be", 196);
	REFUSES("pc 0: wide is cut off, or has operands that cannot be", 196, CFR_OP_iinc, 0, 1, 0);
}

TEST(code_locals_and_constants)
{
	OPENS(CFR_OP_lload_2, CFR_OP_astore_3, CFR_OP_iload, 7, CFR_OP_iinc, 5, 1, CFR_OP_ldc,
	      KIT_STRING, CFR_OP_invokestatic, 0, KIT_METHOD, CFR_OP_return);
	static const struct {
		uint32_t pc;
		int local, constant;
	} want[] = { { 0, 2, 0 },           { 1, 3, 0 },           { 2, 7, 0 },  { 4, 5, 0 },
		     { 7, -1, KIT_STRING }, { 9, -1, KIT_METHOD }, { 12, -1, 0 } };

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct cfr_insn insn = cfr_insn_at(&code, want[i].pc);

		is_int(cfr_insn_local(&code, &insn), want[i].local);
		is_int(cfr_insn_index(&code, &insn), want[i].constant);
	}
	ok(!cfr_code_starts(&code, 3) && cfr_code_starts(&code, 12));
	ok(!cfr_code_starts(&code, 13) && !cfr_code_starts(&code, 70000));
}

TEST(code_constants_are_of_their_kind)
{
	REFUSES("pc 0: ldc of constant 11, which is of the wrong kind", CFR_OP_ldc, KIT_LONG);
	REFUSES("pc 0: ldc2_w of constant 12, which is of the wrong kind", CFR_OP_ldc2_w, 0,
		KIT_LONG + 1);
	REFUSES("pc 0: getstatic of constant 10, which is of the wrong kind", CFR_OP_getstatic, 0,
		KIT_METHOD);
	REFUSES("pc 0: invokevirtual of constant 18, which is of the wrong kind",
		CFR_OP_invokevirtual, 0, KIT_FIELD);
	REFUSES("pc 0: invokeinterface of constant 10, which is of the wrong kind",
		CFR_OP_invokeinterface, 0, KIT_METHOD, 1, 0);
	REFUSES("pc 0: invokedynamic of constant 65535, which is of the wrong kind",
		CFR_OP_invokedynamic, 255, 255, 0, 0);
	REFUSES("pc 0: new of constant 0, which is of the wrong kind", CFR_OP_new, 0, 0);
	OPENS(CFR_OP_ldc2_w, 0, KIT_LONG, CFR_OP_new, 0, KIT_T, CFR_OP_multianewarray, 0, KIT_T, 2,
	      CFR_OP_putfield, 0, KIT_FIELD, CFR_OP_invokespecial, 0, KIT_METHOD);
}

TEST(code_branches_land_on_instructions)
{
	OPENS(CFR_OP_goto, 0, 3, CFR_OP_return);
	is_int(cfr_insn_at(&code, 0).target, 3);
	OPENS(CFR_OP_nop, CFR_OP_goto_w, 0xff, 0xff, 0xff, 0xff);
	is_int(cfr_insn_at(&code, 1).target, 0);
	is_int(cfr_insn_at(&code, 0).target, -1);
	REFUSES("pc 0: branch to 4 leaves the code", CFR_OP_goto, 0, 4, CFR_OP_return);
	REFUSES("pc 0: branch to -1 leaves the code", CFR_OP_ifeq, 0xff, 0xff, CFR_OP_return);
	REFUSES("pc 1: a branch goes there, into an instruction", CFR_OP_goto, 0, 1);
	REFUSES("pc 0: branch to 2147483647 leaves the code", CFR_OP_jsr_w, 0x7f, 0xff, 0xff, 0xff);
	REFUSES("pc 1: branch to -2147483647 leaves the code", CFR_OP_nop, CFR_OP_goto_w, 0x80, 0,
		0, 0);
}

TEST(code_switches)
{
	/* the padding depends on the place */
	for (uint8_t at = 0; at < 4; at++) {
		struct jw_buf b = { 0 };

		jw_put_zeros(&b, at); /* nops */
		jw_put_u1(&b, CFR_OP_tableswitch);
		jw_put_zeros(&b, 3 - at);
		jw_put_u4(&b, 24u - at);
		jw_put_u4(&b, 5);
		jw_put_u4(&b, 6);
		jw_put_u4(&b, 24u - at);
		jw_put_u4(&b, (uint32_t)-at);
		jw_put_u1(&b, CFR_OP_return);
		is_int(open_bytes(jw_buf_span(&b)), JW_OK);
		struct cfr_insn insn = cfr_insn_at(&code, at);
		struct cfr_switch sw = cfr_switch_at(&code, &insn);
		is_int(insn.length, 24 - at);
		ok(sw.table);
		is_int(sw.low, 5);
		is_int(sw.count, 2);
		is_int(sw.default_target, 24);
		is_int(cfr_switch_target(&sw, 0), 24);
		is_int(cfr_switch_target(&sw, 1), 0);
		jw_buf_free(&b);
	}
	OPENS(CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0,
	      0, 0, CFR_OP_return);
	struct cfr_insn insn = cfr_insn_at(&code, 0);
	struct cfr_switch sw = cfr_switch_at(&code, &insn);
	ok(!sw.table);
	is_int(sw.count, 1);
	is_int(cfr_switch_target(&sw, 0), 0);
	OPENS(CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

TEST(code_switches_that_cannot_be)
{
	static const char table[] = "pc 0: tableswitch is cut off, or has operands that cannot be";
	static const char lookup[] =
		"pc 0: lookupswitch is cut off, or has operands that cannot be";

	REFUSES(table, CFR_OP_tableswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
	REFUSES(table, CFR_OP_tableswitch, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 255, 255, 255);
	REFUSES(table, CFR_OP_tableswitch, 0, 0, 0, 0, 0, 0);
	REFUSES(lookup, CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255);
	REFUSES(lookup, CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 1);
	REFUSES("pc 0: lookupswitch keys do not rise", CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
	REFUSES("pc 0: branch to 100 leaves the code", CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 100,
		0, 0, 0, 0);
}

static enum jw_status with_handler(uint16_t start, uint16_t end, uint16_t handler, uint16_t type)
{
	uint8_t entry[8] = { (uint8_t)(start >> 8),
			     (uint8_t)start,
			     (uint8_t)(end >> 8),
			     (uint8_t)end,
			     0,
			     (uint8_t)handler,
			     0,
			     (uint8_t)type };

	/* 0 sipush 3 pop 4 return 5 pop 6 return */
	return open_kit(&(struct kit){ .stack = 1,
				       .code = KIT_BYTES(17, 0, 1, 87, 177, 87, 177),
				       .handlers = jw_span(entry, 8) });
}

TEST(code_exception_table)
{
	is_int(with_handler(0, 3, 5, KIT_OBJECT), JW_OK);
	is_int(cfr_code_handler(&code, 0).handler_pc, 5);
	is_int(cfr_code_handler(&code, 0).catch_type, KIT_OBJECT);
	is_int(with_handler(0, 7, 0, 0), JW_OK); /* an end may be the code's end */
	is_int(with_handler(0, 8, 5, 0), JW_INPUT);
	is_str(e.text, "exception table entry 0: range 0 to 8");
	is_int(with_handler(3, 3, 5, 0), JW_INPUT);
	is_int(with_handler(4, 3, 5, 0), JW_INPUT);
	is_int(with_handler(1, 3, 5, 0), JW_INPUT);
	is_int(with_handler(0, 2, 5, 0), JW_INPUT);
	is_int(with_handler(0, 3, 7, 0), JW_INPUT);
	is_str(e.text, "exception table entry 0: handler 7 is not an instruction");
	is_int(with_handler(0, 3, 2, 0), JW_INPUT);
	is_int(with_handler(0, 3, 5, KIT_CODE), JW_INPUT);
	is_str(e.text, "exception table entry 0: constant 7 is not a Class");
}

static enum jw_status of_length(uint32_t n)
{
	struct jw_buf b = { 0 };

	jw_put_zeros(&b, n - 1);
	jw_put_u1(&b, CFR_OP_return);
	enum jw_status status = open_bytes(jw_buf_span(&b));
	jw_buf_free(&b);
	return status;
}

TEST(code_length_limit)
{
	is_int(of_length(65534), JW_OK);
	is_int(of_length(65535), JW_OK);
	is_int(of_length(65536), JW_INPUT);
	is_str(e.text, "code of 65536 bytes (it must have 1 to 65535, all in its attribute)");
}

TEST(code_attribute_cut_or_longer)
{
	is_int(open_bytes(KIT_BYTES(CFR_OP_return)), JW_OK);
	struct cfr_member m = cls.methods[0];
	struct jw_span whole = m.code;

	for (size_t n = 0; n < whole.n; n++) {
		m.code = jw_span_sub(whole, 0, n);
		ok(cfr_code_open(&cls, &m, &arena, &code, &e) == JW_INPUT);
	}
	/* the class's own attribute count comes after it */
	m.code.n = whole.n + 2;
	is_int(cfr_code_open(&cls, &m, &arena, &code, &e), JW_INPUT);
	is_str(e.text, "2 bytes after the end of Code");
	m.code = (struct jw_span){ 0 };
	is_int(cfr_code_open(&cls, &m, &arena, &code, &e), JW_BUG);
}

TEST(code_of_jdk_1_0_is_not_supported)
{
	struct kit k = { .major = 45, .minor = 2, .code = KIT_BYTES(CFR_OP_return) };

	is_int(open_kit(&k), JW_UNSUPPORTED);
	is_str(e.text, "class file 45.2 has the short Code attribute of JDK 1.0");
	k.minor = 3;
	is_int(open_kit(&k), JW_OK);
}

/* ---- facts ---- */

static struct cfr_code_facts facts_of(const struct kit *k)
{
	struct cfr_code_facts facts = { 0 };

	open_kit(k);
	ok(cfr_code_facts(&cls, &cls.methods[0], &facts));
	return facts;
}

TEST(facts)
{
	struct cfr_code_facts f = facts_of(&(struct kit){ .code = KIT_BYTES(4, 87, 177) });

	is_int(f.bytes, 3);
	ok(!f.has_loop && !f.has_call && !f.has_monitor && f.lines == 0);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(CFR_OP_goto, 0, 0) }).has_loop);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(0, CFR_OP_goto_w, 255, 255, 255, 255) })
		   .has_loop);
	ok(!facts_of(&(struct kit){ .code = KIT_BYTES(CFR_OP_goto, 0, 3, 177) }).has_loop);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0,
						     0, 0) })
		   .has_loop);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(184, 0, KIT_METHOD, 177) }).has_call);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(42, CFR_OP_monitorexit, 177) }).has_monitor);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(42, CFR_OP_athrow) }).throws);
	ok(!f.throws);
	static const uint8_t any[] = { 0, 0, 0, 1, 0, 1, 0, 0 },
			     typed[] = { 0, 0, 0, 1, 0, 1, 0, 1 };
	ok(!facts_of(&(struct kit){ .code = KIT_BYTES(0, 177), .handlers = jw_span(any, 8) })
		    .throws);
	ok(facts_of(&(struct kit){ .code = KIT_BYTES(0, 177), .handlers = jw_span(typed, 8) })
		   .throws);
}

TEST(facts_count_distinct_lines)
{
	struct kit k = { .code = KIT_BYTES(0, 0, 0, 177) };

	k.attrs[0].name = KIT_LINES;
	k.attrs[0].info = KIT_BYTES(0, 3, 0, 0, 1, 0, 0, 1, 0, 9, 0, 2, 1, 0);
	k.attrs[1].name = KIT_LINES;
	k.attrs[1].info = KIT_BYTES(0, 2, 0, 0, 255, 255, 0, 1, 0, 0);
	is_int(facts_of(&k).lines, 4);
	/* a count that is too high reads what is there */
	k.attrs[1].info = KIT_BYTES(0, 9, 0, 0, 0, 9);
	is_int(facts_of(&k).lines, 2);
}

TEST(facts_of_broken_code)
{
	struct cfr_code_facts f;
	struct kit k = { .code = KIT_BYTES(CFR_OP_goto, 0x7f, 0xff, 203) };

	open_kit(&k);
	ok(!cfr_code_facts(&cls, &cls.methods[0], &f));
	struct cfr_member m = cls.methods[0];
	for (size_t n = 0; n < cls.methods[0].code.n; n++) {
		m.code = jw_span_sub(cls.methods[0].code, 0, n);
		ok(!cfr_code_facts(&cls, &m, &f));
	}
	m.code = (struct jw_span){ 0 };
	ok(!cfr_code_facts(&cls, &m, &f));
}
