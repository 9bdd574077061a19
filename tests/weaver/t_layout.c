/*
 * t_layout.c: where the layout puts things: switches, wide branches, islands, limits.
 */
#include "tests/weaver/make.h"

#include "base/banned.h"

static const struct weave_limits near = { .branch = 150, .code = 65535, .compiled = 0 };

/* Is there a probe at PC of the new code, with METHOD ("enter") as its name? */
static bool is_probe(const struct woven *w, uint32_t pc, const char *method)
{
	struct cfr_insn insn = { 0 };
	struct cfr_ref ref;

	if (pc + PROBE > w->code.code.n || w->code.code.p[pc] != LDC2_W)
		return false;
	insn = cfr_insn_at(&w->code, pc + 3);
	return cfr_pool_ref(&w->cls.pool, cfr_insn_index(&w->code, &insn), &ref) &&
	       jw_span_eq_str(ref.owner, "rt/Probe") && jw_span_eq_str(ref.name, method) &&
	       jw_span_eq_str(ref.descriptor, "(J)V");
}

TEST(enter_once_though_the_code_branches_to_0)
{
	struct jw_buf code = { 0 };
	struct woven w;

	/* 0: iconst_0; ifeq +6 (7); goto -4 (0); 7: return */
	OPS(&code, ICONST_0, IFEQ, 0, 6, GOTO, 0xff, 0xfc, RETURN);
	weave_made(&(struct make){ .max_stack = 1, .code = jw_buf_span(&code) }, NULL, &w);
	ok(is_probe(&w, 0, "enter"));
	is_int(cfr_insn_at(&w.code, 6 + 4).target, 6); /* after the enter probe */
	is_int(cfr_insn_at(&w.code, 6 + 1).target, 13);
	ok(is_probe(&w, 13, "exit"));
	is_int(w.code.code.p[19], RETURN);
	ok(is_probe(&w, 20, "fail"));
	is_int(w.code.code.p[26], ATHROW);
	is_int(w.code.code.n, 27);
	is_int(w.code.max_stack, 3);
	is_int(w.code.handler_count, 1);
	is_int(cfr_code_handler(&w.code, 0).start_pc, 6);
	is_int(cfr_code_handler(&w.code, 0).end_pc, 13);
	is_int(cfr_code_handler(&w.code, 0).handler_pc, 20);
	is_int(cfr_code_handler(&w.code, 0).catch_type, 0);
	woven_free(&w);
	jw_buf_free(&code);
}

/* Ranges may end with the code (JVMS 4.7.3); what is appended there is not theirs. */
TEST(a_handler_up_to_the_end_covers_no_tail)
{
	/* aconst_null, arraylength, pop */
	static const uint8_t body[] = { 0x01, 0xbe, 0x57, RETURN };
	static const uint8_t handler[] = { 0, 0, 0, 4, 0, 2, 0, 0 };
	struct cfr_handler h;
	struct woven w;

	weave_made(&(struct make){ .max_stack = 1,
				   .code = jw_span(body, sizeof(body)),
				   .handlers = jw_span(handler, sizeof(handler)) },
		   NULL, &w);
	h = cfr_code_handler(&w.code, 0);
	is_int(w.code.code.p[h.end_pc - 1], RETURN);
	ok(h.end_pc < w.code.code.n);
	woven_free(&w);
}

TEST(a_lone_return_needs_no_handler)
{
	static const uint8_t code[] = { RETURN };
	struct woven w;

	weave_made(&(struct make){ .code = jw_span(code, 1) }, NULL, &w);
	is_int(w.code.code.n, 2 * PROBE + 1);
	is_int(w.code.handler_count, 0);
	is_int(w.code.max_stack, 2);
	woven_free(&w);
}

/* SWITCH after NOPS nops, with two keys; each case returns a constant of its own. */
static void make_switch(struct jw_buf *code, uint32_t nops, bool table)
{
	uint32_t at = nops + 1, pad = 3 - at % 4, size = 1 + pad + (table ? 20 : 24);

	jw_put_zeros(code, nops);
	OPS(code, ICONST_1, table ? TABLESWITCH : LOOKUPSWITCH);
	jw_put_zeros(code, pad);
	jw_put_u4(code, size); /* default: the first case */
	if (table) {
		jw_put_u4(code, 7);
		jw_put_u4(code, 8);
		jw_put_u4(code, size + 2);
		jw_put_u4(code, size + 4);
	} else {
		jw_put_u4(code, 2);
		jw_put_u4(code, 7);
		jw_put_u4(code, size + 2);
		jw_put_u4(code, 9);
		jw_put_u4(code, size + 4);
	}
	for (uint8_t i = 0; i < 3; i++)
		OPS(code, (uint8_t)(ICONST_1 + i), IRETURN);
}

static void try_switch(uint32_t nops, bool table)
{
	struct jw_buf code = { 0 };
	struct cfr_insn insn;
	struct cfr_switch sw;
	struct woven w;

	make_switch(&code, nops, table);
	weave_made(
		&(struct make){ .descriptor = "()I", .max_stack = 1, .code = jw_buf_span(&code) },
		NULL, &w);
	insn = cfr_insn_at(&w.code, PROBE + nops + 1);
	is_int(insn.op, table ? TABLESWITCH : LOOKUPSWITCH);
	sw = cfr_switch_at(&w.code, &insn);
	is_int(sw.count, 2);
	is_int(w.code.code.p[sw.default_target], ICONST_1);
	is_int(w.code.code.p[cfr_switch_target(&sw, 0)], ICONST_1 + 1);
	is_int(w.code.code.p[cfr_switch_target(&sw, 1)], ICONST_1 + 2);
	if (table)
		is_int(sw.low, 7);
	else
		is_int(jw_span_u4(sw.cases, 8), 9);
	woven_free(&w);
	jw_buf_free(&code);
}

TEST(switches_are_padded_where_they_lie)
{
	for (uint32_t nops = 0; nops < 4; nops++) {
		try_switch(nops, true);
		try_switch(nops, false);
	}
}

/* [op forward] nops [return]: the opcode that comes out, when DISTANCE bytes are between. */
static int forward(uint8_t op, uint32_t distance)
{
	struct jw_buf code = { 0 };
	struct woven w;
	int got;

	OPS(&code, op, (uint8_t)(distance >> 8), (uint8_t)distance);
	jw_put_zeros(&code, distance - 3);
	if (op == JSR)
		OPS(&code, POP);
	OPS(&code, RETURN);
	weave_made(&(struct make){ .max_stack = 1, .code = jw_buf_span(&code) }, &near, &w);
	got = w.code.code.p[PROBE];
	ok(cfr_insn_at(&w.code, PROBE).target >= 0);
	is_int(w.code.code.p[cfr_insn_at(&w.code, PROBE).target], op == JSR ? POP : LDC2_W);
	woven_free(&w);
	jw_buf_free(&code);
	return got;
}

TEST(forward_branches_widen_behind_the_limit)
{
	is_int(forward(GOTO, 149), GOTO);
	is_int(forward(GOTO, 150), GOTO);
	is_int(forward(GOTO, 151), GOTO_W);
	is_int(forward(JSR, 150), JSR);
	is_int(forward(JSR, 151), JSR_W);
}

static int backward(uint32_t distance)
{
	struct jw_buf code = { 0 };
	struct woven w;
	int got;

	jw_put_zeros(&code, distance);
	OPS(&code, GOTO, (uint8_t)(-(int32_t)distance >> 8), (uint8_t) - (int32_t)distance);
	weave_made(&(struct make){ .code = jw_buf_span(&code) }, &near, &w);
	got = w.code.code.p[PROBE + distance];
	is_int(cfr_insn_at(&w.code, PROBE + distance).target, PROBE);
	woven_free(&w);
	jw_buf_free(&code);
	return got;
}

TEST(backward_branches_reach_one_byte_farther)
{
	is_int(backward(150), GOTO);
	is_int(backward(151), GOTO);
	is_int(backward(152), GOTO_W);
}

/* The real limit of the format: a branch that weaving pushes from 32767 to 32768. */
TEST(the_default_limit_is_that_of_the_format)
{
	struct weave_limits limits = weave_default_limits;

	limits.compiled = 0;
	for (uint32_t distance = 32766; distance <= 32768; distance++) {
		struct jw_buf code = { 0 };
		struct woven w;
		uint32_t offset = distance - PROBE; /* of the exit probe in between */

		OPS(&code, GOTO, (uint8_t)(offset >> 8), (uint8_t)offset, RETURN);
		jw_put_zeros(&code, offset - 4);
		OPS(&code, GOTO, 0, 0);
		weave_made(&(struct make){ .code = jw_buf_span(&code) }, &limits, &w);
		is_int(woven_skip(&w), WEAVE_SKIP_NOT);
		is_int(w.code.code.p[PROBE], distance <= 32767 ? GOTO : GOTO_W);
		woven_free(&w);
		jw_buf_free(&code);
	}
}

/*
 * 0: iconst_0; 1: ifeq END; 4: goto MIDDLE; [gap] N nops; MIDDLE: arraylength; END: return
 * with frames when MAJOR has them.
 */
static void make_far_if(struct jw_buf *code, struct jw_buf *frames, uint32_t n)
{
	uint32_t middle = 7 + n, end = middle + 1;

	OPS(code, ICONST_0, IFEQ, (uint8_t)((end - 1) >> 8), (uint8_t)(end - 1));
	OPS(code, GOTO, (uint8_t)((middle - 4) >> 8), (uint8_t)(middle - 4));
	jw_put_zeros(code, n);
	OPS(code, ARRAYLENGTH, RETURN);
	jw_put_u2(frames, 3);
	OPS(frames, 7);                                      /* same_frame: the gap */
	OPS(frames, 251), jw_put_u2(frames, middle - 7 - 1); /* MIDDLE */
	OPS(frames, 0);                                      /* END */
}

static void try_far_if(uint32_t n, uint16_t major, bool island)
{
	struct jw_buf code = { 0 }, frames = { 0 };
	struct cfr_insn branch, hop;
	struct woven w;
	struct make m = { .major = major, .max_stack = 1 };

	make_far_if(&code, &frames, n);
	m.code = jw_buf_span(&code);
	m.attr = major >= 50 ? "StackMapTable" : NULL;
	m.info = jw_buf_span(&frames);
	weave_made(&m, &near, &w);
	is_int(woven_skip(&w), WEAVE_SKIP_NOT);
	branch = cfr_insn_at(&w.code, PROBE + 1);
	is_int(branch.op, IFEQ);
	hop = cfr_insn_at(&w.code, (uint32_t)branch.target);
	is_int(hop.op == GOTO_W, island);
	is_int(is_probe(&w, (uint32_t)(island ? hop.target : branch.target), "exit"), true);
	/* the handler's range is split around the island */
	is_int(w.code.handler_count, island ? 2 : 1);
	if (island) {
		is_int(cfr_code_handler(&w.code, 0).end_pc, branch.target);
		is_int(cfr_code_handler(&w.code, 1).start_pc, branch.target + 5);
	}
	woven_free(&w);
	jw_buf_free(&code);
	jw_buf_free(&frames);
}

TEST(far_conditionals_go_through_islands)
{
	/* ifeq at 1, END at 8 + n: the distance is 7 + n */
	for (uint16_t major = 49; major <= 52; major += 3) {
		try_far_if(142, major, false);
		try_far_if(143, major, false);
		try_far_if(146, major, true);
		try_far_if(200, major, true);
		try_far_if(1000, major, true);
	}
}

TEST(no_gap_within_reach)
{
	struct jw_buf code = { 0 };
	struct woven w;

	OPS(&code, ICONST_0, IFEQ, 1, 0);
	jw_put_zeros(&code, 253);
	OPS(&code, RETURN);
	weave_made(&(struct make){ .max_stack = 1, .code = jw_buf_span(&code) }, &near, &w);
	is_int(woven_skip(&w), WEAVE_SKIP_BRANCH);
	is_str(w.method->detail, "pc 1");
	ok(!w.result.changed);
	is_int(w.result.woven, 0);
	woven_free(&w);
	jw_buf_free(&code);
}

/* Many conditionals of both directions and few gaps: all still go where they went. */
TEST(islands_everywhere)
{
	struct jw_buf code = { 0 };
	struct woven w;
	uint32_t islands = 0;

	/* blocks of 40 bytes: iconst_0; ifeq a random block; nops; goto the next block */
	enum { BLOCKS = 100, SIZE = 40 };
	for (uint32_t i = 0; i < BLOCKS; i++) {
		uint32_t to = tap_below(BLOCKS), at = (uint32_t)code.n;
		uint16_t offset = (uint16_t)(to * SIZE - (at + 1));

		OPS(&code, ICONST_0, IFEQ, (uint8_t)(offset >> 8), (uint8_t)offset);
		jw_put_zeros(&code, SIZE - 4 - 3);
		OPS(&code, GOTO, 0, 3);
	}
	OPS(&code, RETURN);
	weave_made(&(struct make){ .max_stack = 1, .code = jw_buf_span(&code) }, &near, &w);
	is_int(woven_skip(&w), WEAVE_SKIP_NOT);
	for (uint32_t pc = 0, block = 0; pc < w.code.code.n;) {
		struct cfr_insn insn = cfr_insn_at(&w.code, pc);

		if (insn.op == IFEQ) {
			struct cfr_insn hop = cfr_insn_at(&w.code, (uint32_t)insn.target);
			int32_t offset = (int16_t)jw_span_u2(jw_buf_span(&code), block * SIZE + 2);
			uint32_t to = (uint32_t)((int32_t)(block * SIZE + 1) + offset) / SIZE;
			uint32_t at =
				hop.op == GOTO_W ? (uint32_t)hop.target : (uint32_t)insn.target;
			uint32_t before = 0;

			/* the target is the TO-th ifeq's block */
			islands += hop.op == GOTO_W;
			for (uint32_t q = 0; q < at; q += cfr_insn_at(&w.code, q).length)
				before += cfr_insn_at(&w.code, q).op == IFEQ;
			is_int(before, to);
			block++;
		}
		pc += insn.length;
	}
	ok(islands > BLOCKS / 2);
	woven_free(&w);
	jw_buf_free(&code);
}

/* ---- limits ---- */

static enum weave_skip skip_with(uint32_t code_limit, uint32_t compiled, uint32_t nops)
{
	struct weave_limits limits = { .branch = 32767, .code = code_limit, .compiled = compiled };
	struct jw_buf code = { 0 };
	enum weave_skip skip;
	struct woven w;

	jw_put_zeros(&code, nops - 1);
	OPS(&code, ARRAYLENGTH, RETURN);
	weave_made(&(struct make){ .code = jw_buf_span(&code) }, &limits, &w);
	skip = woven_skip(&w);
	woven_free(&w);
	jw_buf_free(&code);
	return skip;
}

TEST(limits_are_met_and_not_passed)
{
	/* 98 nops, what may throw, and a return: 100 + 6 + 6 + 7 */
	is_int(skip_with(120, 0, 99), WEAVE_SKIP_NOT);
	is_int(skip_with(119, 0, 99), WEAVE_SKIP_NOT);
	is_int(skip_with(118, 0, 99), WEAVE_SKIP_TOO_LARGE);
	is_int(skip_with(65535, 119, 99), WEAVE_SKIP_NOT);
	is_int(skip_with(65535, 118, 99), WEAVE_SKIP_HUGE);
	is_int(skip_with(65535, 100, 99), WEAVE_SKIP_HUGE);
	/* never compiled as it is: nothing is lost */
	is_int(skip_with(65535, 99, 99), WEAVE_SKIP_NOT);
	is_int(skip_with(65535, 0, 65535 - 20), WEAVE_SKIP_NOT);
	is_int(skip_with(65535, 0, 65535 - 19), WEAVE_SKIP_TOO_LARGE);
	is_int(skip_with(65535, 8000, 7980), WEAVE_SKIP_NOT);
	is_int(skip_with(65535, 8000, 7981), WEAVE_SKIP_HUGE);
}

TEST(control_that_falls_off_the_end)
{
	static const uint8_t code[] = { NOP };
	struct woven w;

	weave_made(&(struct make){ .code = jw_span(code, 1) }, NULL, &w);
	is_int(woven_skip(&w), WEAVE_SKIP_BROKEN);
	is_str(w.method->detail, "control falls off its end");
	woven_free(&w);
}
