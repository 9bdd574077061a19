/* t_smt.c: StackMapTable: decoding, encoding, moving. */
#include "cfr/smt_put.h"
#include "tests/cfr/kit.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_buf bytes, out;
static struct jw_err e;
static struct cfr_class cls;
static struct cfr_code code;
static struct cfr_smt smt;

enum { NOPS = 400 };

/* Decodes TABLE in a method of 400 nops and a return; a `new` is at 390. */
static enum jw_status decode_in(struct jw_span table, const char *name, const char *descriptor)
{
	static uint8_t body[NOPS + 1];

	body[NOPS] = CFR_OP_return;
	body[390] = CFR_OP_new;
	body[392] = KIT_T;
	struct kit k = { .name = name,
			 .descriptor = descriptor,
			 .access = CFR_ACC_PUBLIC,
			 .code = jw_span(body, sizeof(body)) };
	k.attrs[0].name = table.n ? KIT_SMT : 0;
	k.attrs[0].info = table;
	jw_arena_free(&arena);
	e.text[0] = 0;
	if (cfr_class_open(kit_class(&bytes, &k), &arena, &cls, &e) != JW_OK ||
	    cfr_code_open(&cls, &cls.methods[0], &arena, &code, &e) != JW_OK)
		return JW_BUG;
	return cfr_smt_decode(&cls, &cls.methods[0], &code, &arena, &smt, &e);
}

static enum jw_status decode(struct jw_span table)
{
	return decode_in(table, "m", "(ILT;JD[F)V");
}

TEST(smt_initial_frame)
{
	is_int(decode((struct jw_span){ 0 }), JW_OK);
	is_int(smt.count, 0);
	const struct cfr_frame *f = smt.initial;
	is_int(f->local_count, 6);
	is_int(f->stack_count, 0);
	static const uint8_t want[] = { CFR_VTYPE_OBJECT, CFR_VTYPE_INTEGER, CFR_VTYPE_OBJECT,
					CFR_VTYPE_LONG,   CFR_VTYPE_DOUBLE,  CFR_VTYPE_OBJECT };
	for (size_t i = 0; i < sizeof(want); i++)
		is_int(f->locals[i].tag, want[i]);
	is_int(f->locals[0].data, KIT_T);
	is_int(f->locals[2].data, 0);
	is_int(decode_in((struct jw_span){ 0 }, "<init>", "(F)V"), JW_OK);
	is_int(smt.initial->locals[0].tag, CFR_VTYPE_UNINIT_THIS);
	is_int(smt.initial->locals[1].tag, CFR_VTYPE_FLOAT);
	is_int(decode_in((struct jw_span){ 0 }, "m", "(X)V"), JW_INPUT);
}

static const uint8_t every_form[] = {
	0,
	9,  /* entries */
	63, /* same, pc 63 */
	64,
	CFR_VTYPE_INTEGER, /* same_locals_1, pc 64 */
	247,
	0,
	64,
	CFR_VTYPE_OBJECT,
	0,
	KIT_OBJECT, /* extended, pc 129 */
	250,
	0,
	0, /* chop 1, pc 130 */
	251,
	0,
	64, /* same extended, pc 195 */
	253,
	0,
	4,
	CFR_VTYPE_LONG,
	CFR_VTYPE_TOP, /* append 2, pc 200 */
	252,
	0,
	9,
	CFR_VTYPE_UNINIT,
	1,
	134, /* append 1, pc 210 */
	255,
	0,
	0,
	0,
	1,
	CFR_VTYPE_NULL,
	0,
	2,
	CFR_VTYPE_DOUBLE,
	CFR_VTYPE_FLOAT,
	127,
	CFR_VTYPE_UNINIT,
	1,
	134, /* pc 275 */
};

TEST(smt_decodes_every_form)
{
	static const struct {
		uint16_t pc, locals, stack;
	} want[] = { { 63, 6, 0 },  { 64, 6, 1 },  { 129, 6, 1 }, { 130, 5, 0 }, { 195, 5, 0 },
		     { 200, 7, 0 }, { 210, 8, 0 }, { 211, 1, 2 }, { 275, 1, 1 } };

	is_int(decode(jw_span(every_form, sizeof(every_form))), JW_OK);
	is_int(smt.count, 9);
	for (uint32_t i = 0; i < smt.count; i++) {
		is_int(smt.frames[i].pc, want[i].pc);
		is_int(smt.frames[i].local_count, want[i].locals);
		is_int(smt.frames[i].stack_count, want[i].stack);
	}
	is_int(smt.frames[6].locals[7].tag, CFR_VTYPE_UNINIT);
	is_int(smt.frames[6].locals[7].data, 390);
	is_int(smt.frames[7].stack[1].tag, CFR_VTYPE_FLOAT);
	/* and back */
	jw_buf_clear(&out);
	cfr_smt_put(&out, smt.initial, smt.frames, smt.count);
	is_span(jw_buf_span(&out), jw_span(every_form, sizeof(every_form)));
}

TEST(smt_resolves_parameters)
{
	is_int(decode(jw_span(every_form, sizeof(every_form))), JW_OK);
	is_int(cfr_smt_resolve(&cls, &cls.methods[0], &smt, &e), JW_OK);
	is_int(smt.initial->locals[2].data, KIT_T);
	is_int(smt.frames[0].locals[2].data, KIT_T);
	is_int(smt.frames[6].locals[2].data, KIT_T);
	is_int(smt.initial->locals[5].data, KIT_COUNT + 1); /* [F was not in the pool */
	is_int(smt.frames[0].locals[5].data, KIT_COUNT + 1);
	cfr_class_close(&cls);
}

/* The shortest form on both sides of each limit. */
TEST(smt_put_takes_the_shortest_form)
{
	static const struct cfr_vtype types[] = { { CFR_VTYPE_INTEGER, 0 },
						  { CFR_VTYPE_FLOAT, 0 },
						  { CFR_VTYPE_NULL, 0 },
						  { CFR_VTYPE_LONG, 0 },
						  { CFR_VTYPE_TOP, 0 } };
	static const struct {
		uint16_t before, locals, stack;
		uint32_t delta;
		uint8_t tag, bytes;
	} cases[] = { { 1, 1, 0, 0, 0, 1 },    { 1, 1, 0, 62, 62, 1 },     { 1, 1, 0, 63, 63, 1 },
		      { 1, 1, 0, 64, 251, 3 }, { 1, 1, 1, 0, 64, 2 },      { 1, 1, 1, 63, 127, 2 },
		      { 1, 1, 1, 64, 247, 4 }, { 1, 1, 1, 65535, 247, 4 }, { 0, 1, 0, 1, 252, 4 },
		      { 0, 3, 0, 1, 254, 6 },  { 0, 4, 0, 1, 255, 11 },    { 3, 2, 0, 1, 250, 3 },
		      { 3, 0, 0, 1, 248, 3 },  { 4, 0, 0, 1, 255, 7 },     { 1, 1, 2, 1, 255, 10 },
		      { 1, 2, 1, 1, 255, 10 }, { 2, 1, 1, 1, 255, 9 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cfr_frame before = { 0, cases[i].before, 0, types, NULL };
		struct cfr_frame frame = { 0, cases[i].locals, cases[i].stack, types, types };

		jw_buf_clear(&out);
		cfr_smt_put_frame(&out, &before, &frame, cases[i].delta);
		is_int(out.p[0], cases[i].tag);
		is_int(out.n, cases[i].bytes);
	}
	struct cfr_frame changed = { 0, 1, 0, types + 1, NULL }, frame = { 0, 1, 0, types, NULL };
	jw_buf_clear(&out);
	cfr_smt_put_frame(&out, &changed, &frame, 0);
	is_int(out.p[0], 255);
	jw_buf_clear(&out);
	cfr_smt_put_frame(&out, NULL, &changed, 3);
	is_span(jw_buf_span(&out), KIT_BYTES(255, 0, 3, 0, 1, CFR_VTYPE_FLOAT, 0, 0));
	jw_buf_clear(&out);
	cfr_smt_put_frame(&out, &changed, &changed, 65536);
	is_int(out.failed, JW_LIMIT);
}

static uint32_t shift(const void *ctx, uint32_t pc)
{
	return pc + *(const uint32_t *)ctx;
}

static uint32_t twice(const void *ctx, uint32_t pc)
{
	(void)ctx;
	return 2 * pc;
}

static uint32_t never(const void *ctx, uint32_t pc)
{
	(void)ctx;
	(void)pc;
	return UINT32_MAX;
}

static uint32_t zero(const void *ctx, uint32_t pc)
{
	(void)ctx;
	(void)pc;
	return 0;
}

static enum jw_status move(struct jw_span table, cfr_pc_map *frame_pc, cfr_pc_map *new_pc,
			   uint32_t by, uint32_t *last, uint16_t *entries)
{
	jw_buf_clear(&out);
	e.text[0] = 0;
	return cfr_smt_move(table, &out, &(struct cfr_pc_maps){ frame_pc, new_pc, &by }, last,
			    entries, &e);
}

TEST(smt_move_rewrites_deltas)
{
	struct jw_span all = jw_span(every_form, sizeof(every_form));
	uint32_t last = 0;
	uint16_t entries = 0;

	is_int(move(all, shift, shift, 0, &last, &entries), JW_OK);
	is_span(jw_buf_span(&out), all);
	is_int(last, 275);
	is_int(entries, 9);
	/* only the first delta changes, and grows a form: 63 -> 64; `new` moves too */
	is_int(move(all, shift, shift, 1, &last, &entries), JW_OK);
	is_span(jw_span_sub(jw_buf_span(&out), 0, 6), KIT_BYTES(0, 9, 251, 0, 64, 64));
	is_int(jw_span_u2(jw_buf_span(&out), out.n - 2), 391);
	is_int(move(KIT_BYTES(0, 2, 63, 31), twice, shift, 0, &last, &entries), JW_OK);
	is_span(jw_buf_span(&out), KIT_BYTES(0, 2, 251, 0, 126, 63));
	is_int(move(KIT_BYTES(0, 2, 127, 1, 96, 1), twice, shift, 0, &last, &entries), JW_OK);
	is_span(jw_buf_span(&out), KIT_BYTES(0, 2, 247, 0, 126, 1, 247, 0, 65, 1) /* 63 -> 96 */);
	is_int(move(KIT_BYTES(0, 0), twice, shift, 0, &last, &entries), JW_OK);
	is_int(entries, 0);
	is_int(last, 0);
}

TEST(smt_move_refuses)
{
	uint32_t last = 0;
	uint16_t entries = 0;
	struct jw_span all = jw_span(every_form, sizeof(every_form));

	for (size_t n = 0; n < all.n; n++)
		is_int(move(jw_span_sub(all, 0, n), shift, shift, 0, &last, &entries), JW_INPUT);
	is_int(move(all, never, shift, 0, &last, &entries), JW_INPUT);
	is_str(e.text, "StackMapTable entry 0: pc 63 is not an instruction");
	is_int(move(all, shift, never, 0, &last, &entries), JW_INPUT);
	is_str(e.text, "StackMapTable entry 6: Uninitialized names no instruction");
	is_int(move(all, zero, shift, 0, &last, &entries), JW_BUG);
	is_int(move(KIT_BYTES(0, 1, 128), shift, shift, 0, &last, &entries), JW_UNSUPPORTED);
	is_int(move(KIT_BYTES(0, 1, 246), shift, shift, 0, &last, &entries), JW_UNSUPPORTED);
	is_int(move(KIT_BYTES(0, 1, 64, 9), shift, shift, 0, &last, &entries), JW_UNSUPPORTED);
	is_int(move(KIT_BYTES(0, 1, 0, 0), shift, shift, 0, &last, &entries), JW_INPUT);
	is_int(move(KIT_BYTES(0, 2, 251, 255, 255, 0), shift, shift, 0, &last, &entries), JW_INPUT);
}

static void refuses(struct jw_span table, enum jw_status status, const char *text)
{
	is_int(decode(table), status);
	is_str(e.text, text);
}

TEST(smt_decode_refuses)
{
	struct jw_span all = jw_span(every_form, sizeof(every_form));

	for (size_t n = 1; n < all.n; n++)
		is_int(decode(jw_span_sub(all, 0, n)), JW_INPUT);
	refuses(KIT_BYTES(0, 1, 0, 0), JW_INPUT, "StackMapTable: 1 byte after its last entry");
	refuses(KIT_BYTES(255, 255, 0, 0), JW_INPUT, "65535 entries do not fit into 4 bytes");
	refuses(KIT_BYTES(0, 1, 128), JW_UNSUPPORTED,
		"StackMapTable entry 0: unknown frame form 128");
	refuses(KIT_BYTES(0, 1, 246), JW_UNSUPPORTED,
		"StackMapTable entry 0: unknown frame form 246");
	refuses(KIT_BYTES(0, 1, 64, 9), JW_UNSUPPORTED,
		"StackMapTable entry 0: unknown verification type 9");
	refuses(KIT_BYTES(0, 1, 251, 1, 145), JW_INPUT,
		"StackMapTable entry 0: pc 401 is not an instruction");
	refuses(KIT_BYTES(0, 1, 251, 1, 135), JW_INPUT,
		"StackMapTable entry 0: pc 391 is not an instruction");
	refuses(KIT_BYTES(0, 1, 64, 7, 0, KIT_CODE), JW_INPUT,
		"StackMapTable entry 0: constant 7 is not a Class");
	refuses(KIT_BYTES(0, 1, 64, 8, 0, 0), JW_INPUT,
		"StackMapTable entry 0: Uninitialized(0) is not a new instruction");
	refuses(KIT_BYTES(0, 3, 248, 0, 0, 248, 0, 0, 250, 0, 0), JW_INPUT,
		"StackMapTable entry 2: chop of 1 locals out of 0");
	refuses(KIT_BYTES(0, 1, 255, 0, 0, 0, 0), JW_INPUT, /* the count of its stack is missing */
		"StackMapTable entry 0: the table ends inside an entry");
	refuses(KIT_BYTES(0, 1, 255, 0, 0, 255, 255, 0, 0), JW_INPUT,
		"StackMapTable entry 0: the table ends inside an entry");
}

/* Appends that build up without end are stopped: memory grows by squares. */
TEST(smt_decode_is_bounded)
{
	struct jw_buf table = { 0 };
	uint8_t *body = jw_mem_zalloc(65535, 1);

	body[65534] = CFR_OP_return;
	jw_put_u2(&table, 20000);
	for (int i = 0; i < 20000; i++) {
		jw_put_u1(&table, 254);
		jw_put_u2(&table, 0);
		jw_put_zeros(&table, 3);
	}
	struct kit k = { .locals = 65535, .code = jw_span(body, 65535) };
	k.attrs[0].name = KIT_SMT;
	k.attrs[0].info = jw_buf_span(&table);
	jw_arena_free(&arena);
	is_int(cfr_class_open(kit_class(&bytes, &k), &arena, &cls, &e), JW_OK);
	is_int(cfr_code_open(&cls, &cls.methods[0], &arena, &code, &e), JW_OK);
	is_int(cfr_smt_decode(&cls, &cls.methods[0], &code, &arena, &smt, &e), JW_LIMIT);
	ok(arena.total < 40u << 20);
	jw_arena_free(&arena);
	jw_mem_free(body);
	jw_buf_free(&table);
}

TEST(what_only_a_caller_can_get_wrong)
{
	struct cfr_member method = { .name = JW_SPAN_LIT("m"), .descriptor = JW_SPAN_LIT("(I") };
	struct cfr_frame frame;
	uint16_t entries = 0;
	uint32_t last = 0;

	is_int(decode(jw_span(NULL, 0)), JW_OK);
	is_int(cfr_smt_initial(&cls, &method, &arena, &frame, &e), JW_INPUT);
	is_str(e.text, "damaged method descriptor");
	/* moved without being decoded: a byte after its only entry */
	is_int(move(KIT_BYTES(0, 1, 5, 9), shift, shift, 0, &last, &entries), JW_INPUT);
	is_str(e.text, "StackMapTable of 4 bytes: not what it says");
}
