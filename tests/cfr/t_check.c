/* t_check.c: what the checker lets pass and what it does not. */
#include "cfr/check.h"
#include "base/file.h"
#include "cfr/smt.h"
#include "tests/cfr/kit.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_buf bytes, before;
static struct jw_err e;

static enum jw_status check(const struct kit *k)
{
	jw_arena_free(&arena);
	e.text[0] = 0;
	return cfr_check(kit_class(&bytes, k), (struct jw_span){ 0 }, &arena, &e);
}

/* The message after "class T: method mDESC: ". */
static const char *reason(void)
{
	const char *at = e.text;

	for (int colons = 0; *at && colons < 2; at++)
		colons += at[0] == ':' && at[1] == ' ';
	return *at ? at + 1 : e.text;
}

#define BODY(s, l, ...)                                                     \
	(struct kit)                                                        \
	{                                                                   \
		.stack = (s), .locals = (l), .code = KIT_BYTES(__VA_ARGS__) \
	}
#define PASSES(...) is_int(check(&BODY(__VA_ARGS__)), JW_OK)
#define FAILS(message, ...)                                  \
	do {                                                 \
		is_int(check(&BODY(__VA_ARGS__)), JW_INPUT); \
		is_str(reason(), message);                   \
	} while (0)

TEST(check_depth)
{
	PASSES(2, 0, 4, 4, CFR_OP_iadd, CFR_OP_pop, CFR_OP_return);
	FAILS("pc 1: stack depth 2, max_stack is 1", 1, 0, 4, 4, CFR_OP_iadd, CFR_OP_pop,
	      CFR_OP_return);
	FAILS("pc 1: iadd takes 2 from a stack of 1", 2, 0, 4, CFR_OP_iadd, CFR_OP_return);
	FAILS("pc 0: stack depth 2, max_stack is 1", 1, 0, CFR_OP_lconst_0, CFR_OP_pop2,
	      CFR_OP_return);
	PASSES(2, 0, CFR_OP_getstatic, 0, KIT_FIELD, CFR_OP_putstatic, 0, KIT_FIELD,
	       CFR_OP_invokestatic, 0, KIT_METHOD, CFR_OP_return);
	FAILS("pc 0: putstatic takes 1 from a stack of 0", 2, 0, CFR_OP_putstatic, 0, KIT_FIELD,
	      CFR_OP_return);
	FAILS("pc 0: invokespecial takes 1 from a stack of 0", 2, 0, CFR_OP_invokespecial, 0,
	      KIT_METHOD, CFR_OP_return);
	PASSES(2, 0, 4, 4, CFR_OP_multianewarray, 0, KIT_T, 2, CFR_OP_pop, CFR_OP_return);
	FAILS("pc 1: multianewarray takes 2 from a stack of 1", 2, 0, 4, CFR_OP_multianewarray, 0,
	      KIT_T, 2, CFR_OP_pop, CFR_OP_return);
	FAILS("pc 1: multianewarray of 0 dimensions", 2, 0, 4, CFR_OP_multianewarray, 0, KIT_T, 0,
	      CFR_OP_pop, CFR_OP_return);
	FAILS("control runs past the end of the code", 2, 0, 0);
}

TEST(check_locals)
{
	PASSES(2, 3, CFR_OP_lload_1, CFR_OP_lstore, 1, CFR_OP_iinc, 2, 1, CFR_OP_return);
	FAILS("pc 0: local 1, max_locals is 2", 2, 2, CFR_OP_lload_1, CFR_OP_pop2, CFR_OP_return);
	FAILS("pc 0: local 2, max_locals is 2", 2, 2, CFR_OP_iinc, 2, 1, CFR_OP_return);
	FAILS("pc 0: local 255, max_locals is 255", 2, 255, CFR_OP_iload, 255, CFR_OP_pop,
	      CFR_OP_return);
	struct kit k = BODY(0, 1, CFR_OP_return);
	k.descriptor = "(J)V";
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "pc 0: frame of 2 locals, max_locals is 1");
	k.descriptor = "(X)V";
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "damaged descriptor");
}

static struct kit with_attr(struct kit k, uint16_t name, struct jw_span info)
{
	k.attrs[0].name = name;
	k.attrs[0].info = info;
	return k;
}

TEST(check_returns)
{
	static const struct {
		const char *descriptor;
		uint8_t push, op;
	} rows[] = {
		{ "()Z", CFR_OP_iconst_0, CFR_OP_ireturn },
		{ "()J", CFR_OP_lconst_0, CFR_OP_lreturn },
		{ "()F", CFR_OP_fconst_0, CFR_OP_freturn },
		{ "()D", CFR_OP_dconst_0, CFR_OP_dreturn },
		{ "()[I", CFR_OP_aconst_null, CFR_OP_areturn },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kit k = BODY(2, 0, rows[i].push, rows[i].op);

		FAILS("pc 1: ireturn in a method whose type asks for return", 1, 0, CFR_OP_iconst_0,
		      CFR_OP_ireturn);
		k.descriptor = rows[i].descriptor;
		is_int(check(&k), JW_OK);
		k.descriptor = i ? "()I" : "()V";
		is_int(check(&k), JW_INPUT);
	}
}

TEST(check_frames)
{
	/* 0 iconst_1 1 ifeq 5 4 nop 5 return */
	struct kit k = BODY(1, 1, 4, CFR_OP_ifeq, 0, 4, 0, CFR_OP_return), f;

	is_int(check(&k), JW_INPUT);
	is_str(reason(), "pc 5: reached by a branch, and has no frame");
	k.major = 50; /* the old verifier takes over */
	is_int(check(&k), JW_OK);
	k.major = 51;
	f = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 5));
	is_int(check(&f), JW_OK);
	f = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 69, CFR_VTYPE_INTEGER));
	is_int(check(&f), JW_INPUT);
	is_str(reason(), "pc 5: stack depth 0, elsewhere 1");
	f = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 69, CFR_VTYPE_LONG));
	is_int(check(&f), JW_INPUT);
	is_str(reason(), "pc 5: frame of stack depth 2, max_stack is 1");
	f = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 253, 0, 5, 1, 1));
	is_int(check(&f), JW_INPUT);
	is_str(reason(), "pc 5: frame of 2 locals, max_locals is 1");
	f = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 5));
	f.attrs[1] = f.attrs[0];
	is_int(check(&f), JW_INPUT);
	is_str(reason(), "2 StackMapTables");
	f = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 200));
	is_int(check(&f), JW_UNSUPPORTED);
	FAILS("pc 1: nothing falls into it, and it has no frame", 1, 1, CFR_OP_return,
	      CFR_OP_return);
}

TEST(check_handlers)
{
	static const uint8_t entry[] = { 0, 0, 0, 1, 0, 1, 0, 0 };
	/* 0 return 1 athrow */
	struct kit k = BODY(1, 0, CFR_OP_return, CFR_OP_athrow);

	k.handlers = jw_span(entry, 8);
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "pc 1: reached by a branch, and has no frame");
	struct kit good = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 65, 7, 0, KIT_OBJECT));
	is_int(check(&good), JW_OK);
	struct kit deep =
		with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 255, 0, 1, 0, 0, 0, 2, 1, 7, 0, KIT_OBJECT));
	deep.stack = 2;
	is_int(check(&deep), JW_INPUT);
	is_str(reason(), "pc 1: stack depth 1, elsewhere 2");
	k.stack = 0;
	k.major = 49;
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "max_stack is 0, and there are handlers");
}

/* jsr and ret: class file 48. 0 jsr 4; 3 return; 4 astore_0; 5 ret 0. Dead code after it is left. */
TEST(check_subroutines)
{
	struct kit k = BODY(1, 1, CFR_OP_jsr, 0, 4, CFR_OP_return, CFR_OP_astore_0, CFR_OP_ret, 0,
			    CFR_OP_iadd, CFR_OP_return);

	k.major = 48;
	is_int(check(&k), JW_OK);
	k.stack = 0;
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "pc 0: stack depth 1, max_stack is 0");
}

/* 0 iconst_1; 1 lookupswitch, both ways to 20; 20 return */
TEST(check_switch_reaches_its_targets)
{
	struct kit k = BODY(1, 0, 4, CFR_OP_lookupswitch, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 7,
			    0, 0, 0, 19, CFR_OP_return);

	is_int(check(&k), JW_INPUT);
	is_str(reason(), "pc 20: reached by a branch, and has no frame");
	k = with_attr(k, KIT_SMT, KIT_BYTES(0, 1, 20));
	is_int(check(&k), JW_OK);
	k.attrs[0].info = KIT_BYTES(0, 1, 84, CFR_VTYPE_INTEGER);
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "pc 20: stack depth 0, elsewhere 1");
}

/* A debug table that is wrong, and one that is right. */
static void table(uint16_t name, struct jw_span good, struct jw_span bad, const char *text)
{
	struct kit k = BODY(0, 1, 17, 0, 0, 87, CFR_OP_return), g, b;

	k.stack = 1;
	g = with_attr(k, name, good);
	is_int(check(&g), JW_OK);
	b = with_attr(k, name, bad);
	is_int(check(&b), JW_INPUT);
	is_str(reason(), text);
	/* it was so before: allowed, also where the method has changed */
	jw_buf_clear(&before);
	jw_put_bytes(&before, kit_class(&bytes, &b));
	b.stack = 9;
	is_int(cfr_check(kit_class(&bytes, &b), jw_buf_span(&before), &arena, &e), JW_OK);
	/* the original was right */
	jw_buf_clear(&before);
	jw_put_bytes(&before, kit_class(&bytes, &g));
	is_int(cfr_check(kit_class(&bytes, &b), jw_buf_span(&before), &arena, &e), JW_INPUT);
}

TEST(check_debug_tables)
{
	table(KIT_LINES, KIT_BYTES(0, 2, 0, 4, 0, 1, 0, 0, 0, 0), KIT_BYTES(0, 1, 0, 1, 0, 1),
	      "LineNumberTable entry 0: its pc is not an instruction");
	table(KIT_LINES, KIT_BYTES(0, 0), KIT_BYTES(0, 0, 1),
	      "LineNumberTable entry 0: not as long as it says");
	table(KIT_VARS, KIT_BYTES(0, 1, 0, 0, 0, 5, 0, KIT_I, 0, KIT_I, 0, 0),
	      KIT_BYTES(0, 1, 0, 0, 0, 2, 0, KIT_I, 0, KIT_I, 0, 0),
	      "LocalVariableTable entry 0: its range is not made of instructions");
	table(KIT_VARS, KIT_BYTES(0, 1, 0, 3, 0, 1, 0, KIT_I, 0, KIT_I, 0, 0),
	      KIT_BYTES(0, 1, 0, 3, 0, 3, 0, KIT_I, 0, KIT_I, 0, 0),
	      "LocalVariableTable entry 0: its range is not made of instructions");
	table(KIT_VARS, KIT_BYTES(0, 0), KIT_BYTES(0, 1, 0, 0, 0, 5, 0, KIT_I, 0, KIT_I, 0, 1),
	      "LocalVariableTable entry 0: its local is above max_locals");
	table(KIT_VARS, KIT_BYTES(0, 0), KIT_BYTES(0, 1, 0, 0, 0, 5, 0, KIT_T, 0, KIT_I, 0, 0),
	      "LocalVariableTable entry 0: no name or no type");
	table(KIT_VARS, KIT_BYTES(0, 0), KIT_BYTES(0, 1, 0, 0, 0, 5, 0),
	      "LocalVariableTable entry 0: cut off");
	table(KIT_TYPES, KIT_BYTES(0, 1, 0x44, 0, 3, 0, 0, KIT_I, 0, 0),
	      KIT_BYTES(0, 1, 0x44, 0, 2, 0, 0, KIT_I, 0, 0),
	      "RuntimeVisibleTypeAnnotations entry 0: its pc is not an instruction");
	table(KIT_TYPES, KIT_BYTES(0, 1, 0x40, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, KIT_I, 0, 0),
	      KIT_BYTES(0, 1, 0x40, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, KIT_I, 0, 0),
	      "RuntimeVisibleTypeAnnotations entry 0: its range is not made of instructions");
	table(KIT_TYPES, KIT_BYTES(0, 0), KIT_BYTES(0, 1, 0x42, 0, 0, 0, 0, KIT_I, 0, 0),
	      "RuntimeVisibleTypeAnnotations entry 0: its exception table entry does not exist");
	table(KIT_TYPES, KIT_BYTES(0, 0), KIT_BYTES(0, 1, 0x99, 0, 0, 0, 0, KIT_I, 0, 0),
	      "RuntimeVisibleTypeAnnotations entry 0: cut off, or of an unknown kind");
}

TEST(check_forgives_what_was_broken_before)
{
	struct kit k = BODY(1, 0, 4, 4, CFR_OP_return);

	jw_buf_clear(&before);
	jw_put_bytes(&before, kit_class(&bytes, &k));
	is_int(cfr_check(jw_buf_span(&before), jw_buf_span(&before), &arena, &e), JW_OK);
	k.locals = 3; /* changed, and the same part is wrong */
	is_int(cfr_check(kit_class(&bytes, &k), jw_buf_span(&before), &arena, &e), JW_OK);
	k.code = KIT_BYTES(255);
	is_int(cfr_check(kit_class(&bytes, &k), jw_buf_span(&before), &arena, &e), JW_UNSUPPORTED);
	/* the same bytes may hold what is not known */
	jw_buf_clear(&before);
	jw_put_bytes(&before, jw_buf_span(&bytes));
	is_int(cfr_check(jw_buf_span(&bytes), jw_buf_span(&before), &arena, &e), JW_OK);
	/* an original that is no class is of no use */
	is_int(cfr_check(jw_buf_span(&bytes), KIT_BYTES(1, 2, 3), &arena, NULL), JW_UNSUPPORTED);
}

/* K, as it is, but not with another body. */
static void forgives_alone(struct kit k)
{
	jw_buf_clear(&before);
	jw_put_bytes(&before, kit_class(&bytes, &k));
	is_int(check(&k), JW_INPUT);
	is_int(cfr_check(jw_buf_span(&before), jw_buf_span(&before), &arena, &e), JW_OK);
	k.code = KIT_BYTES(CFR_OP_nop, CFR_OP_return);
	is_int(cfr_check(kit_class(&bytes, &k), jw_buf_span(&before), &arena, &e), JW_INPUT);
}

TEST(check_forgives_a_damaged_descriptor_where_nothing_was_changed)
{
	struct kit k = BODY(0, 0, CFR_OP_return);

	k.access = CFR_ACC_STATIC;
	k.descriptor = "()W";
	forgives_alone(k);
	k.descriptor = "()V";
	k.access |= CFR_ACC_NATIVE;
	forgives_alone(k);
}

TEST(check_forgives_each_part_by_itself)
{
	/* nothing to take: the flow is wrong; and a variable's range is */
	struct kit k = BODY(1, 1, CFR_OP_pop, CFR_OP_return);
	struct jw_span variable = KIT_BYTES(0, 1, 0, 9, 0, 1, 0, KIT_I, 0, KIT_I, 0, 0);

	k.attrs[0].name = KIT_VARS;
	k.attrs[0].info = variable;
	jw_buf_clear(&before);
	jw_put_bytes(&before, kit_class(&bytes, &k));
	k.code = KIT_BYTES(CFR_OP_iconst_0, CFR_OP_pop, CFR_OP_return);
	is_int(cfr_check(kit_class(&bytes, &k), jw_buf_span(&before), &arena, &e), JW_OK);
}

TEST(check_bodies)
{
	struct kit k = { .access = CFR_ACC_ABSTRACT };

	is_int(check(&k), JW_OK);
	k.access = CFR_ACC_PUBLIC;
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "no Code attribute");
	k = BODY(0, 0, CFR_OP_return);
	k.access = CFR_ACC_STATIC | CFR_ACC_NATIVE;
	is_int(check(&k), JW_INPUT);
	is_str(reason(), "abstract or native, with a Code attribute");
	/* which <clinit> may be, and HotSpot loads it */
	k.name = "<clinit>";
	is_int(check(&k), JW_OK);
}

TEST(check_passes_what_javac_wrote)
{
	for (size_t i = 0; i < KIT_REAL_COUNT; i++) {
		struct jw_file file;

		is_int(jw_file_open(kit_real[i], 0, &file, &e), JW_OK);
		if (!ok(cfr_check(file.bytes, (struct jw_span){ 0 }, &arena, &e) == JW_OK))
			tap_note("%s: %s", kit_real[i], e.text);
		jw_file_close(&file);
		jw_arena_free(&arena);
	}
}
