/*
 * t_skips.c: why methods stay as they are, in the words of the report.
 */
#include "tests/weaver/everything.h"
#include "tests/weaver/make.h"

#include "base/banned.h"

enum {
	ACONST_NULL = 1,
	ALOAD_1 = 43,
	ALOAD_2,
	ASTORE_0 = 75,
	ASTORE_1,
	ASTORE_2,
	DUP = 89,
	MONITORENTER = 194,
	MONITOREXIT
};

/* M, woven by the rules in TEXT (NULL: whatever there is) within LIMITS, stays for REASON, with
 * DETAIL. */
static void is_left(const char *text, const struct make *m, const struct weave_limits *limits,
		    enum weave_skip reason, const char *detail)
{
	struct rules *rules = make_rules(text);
	struct woven w = { .limits = limits ? *limits : weave_default_limits };

	w.in = make_class(m);
	is_int(weave_bytes(jw_buf_span(&w.in), rules, &w), JW_OK);
	rules_free(rules);
	ok(!w.result.changed);
	if (ok(w.result.method_count == 1)) {
		is_str(weave_skip_name(w.result.methods[0].skip), weave_skip_name(reason));
		is_str(w.result.methods[0].detail, detail);
	}
	jw_buf_free(&w.in);
	jw_buf_free(&w.out);
	jw_arena_free(&w.arena);
}

/* ---- what no JVM loads ---- */

TEST(a_method_whose_head_is_wrong)
{
	static const uint8_t code[] = { RETURN };
	struct make m = { .descriptor = "()W", .code = jw_span(code, sizeof(code)) };

	is_left(NULL, &m, NULL, WEAVE_SKIP_BROKEN, "its descriptor is damaged");
	m.descriptor = "()V";
	m.access = CFR_ACC_STATIC | CFR_ACC_NATIVE;
	is_left(NULL, &m, NULL, WEAVE_SKIP_BROKEN, "it is abstract or native, and has code");
}

/* ---- constructors ---- */

static void constructor_is_left(struct jw_span code, uint16_t max_locals, const char *detail)
{
	struct make m = { .major = 52,
			  .access = CFR_ACC_PUBLIC,
			  .name = "<init>",
			  .max_stack = 1,
			  .max_locals = max_locals,
			  .code = code };

	is_left(NULL, &m, NULL, WEAVE_SKIP_CONSTRUCTOR, detail);
}

TEST(a_constructor_without_the_frame_that_it_needs)
{
	static const uint8_t code[] = { GOTO, 0, 3, ALOAD_0, INVOKESPECIAL, 0, MAKE_INIT, RETURN };

	constructor_is_left(jw_span(code, sizeof(code)), 1, "pc 3: a frame is missing");
}

TEST(a_constructor_that_loses_this)
{
	static const uint8_t code[] = { ACONST_NULL, ASTORE_0, ALOAD_0, POP, RETURN };
	static const uint8_t without[] = { RETURN };

	constructor_is_left(jw_span(code, sizeof(code)), 1, "pc 2: local 0 does not hold it");
	constructor_is_left(jw_span(without, sizeof(without)), 0, "pc 0: local 0 does not hold it");
}

TEST(a_constructor_that_takes_what_is_not_there)
{
	static const uint8_t code[] = { NOP, POP, ALOAD_0, INVOKESPECIAL, 0, MAKE_INIT, RETURN };

	constructor_is_left(jw_span(code, sizeof(code)), 1, "pc 1: the stack does not add up");
}

/* ---- monitors: what their probes leave on the stack and in locals ---- */

/* synchronized (o) { } as javac has it, after LEAD, in a class that says nothing of its frames. */
static void monitor_is_left(struct jw_span lead, uint16_t max_locals, const char *detail)
{
	static const uint8_t block[] = { ALOAD_0, DUP,         ASTORE_1, MONITORENTER,
					 ALOAD_1, MONITOREXIT, GOTO,     0,
					 8,       ASTORE_2,    ALOAD_1,  MONITOREXIT,
					 ALOAD_2, ATHROW,      RETURN };
	struct jw_buf code = { 0 }, handlers = { 0 };
	struct make m = { .major = 52,
			  .descriptor = "(Ljava/lang/Object;)V",
			  .max_stack = 2,
			  .max_locals = max_locals };

	jw_put_bytes(&code, lead);
	jw_put_bytes(&code, jw_span(block, sizeof(block)));
	for (size_t from = 4; from <= 9; from += 5) {
		jw_put_u2(&handlers, lead.n + from),
			jw_put_u2(&handlers, lead.n + (from == 4 ? 6 : 12));
		jw_put_u2(&handlers, lead.n + 9), jw_put_u2(&handlers, 0);
	}
	m.code = jw_buf_span(&code);
	m.handlers = jw_buf_span(&handlers);
	is_left(MONITORS_ALONE, &m, NULL, WEAVE_SKIP_FRAMES, detail);
	jw_buf_free(&code);
	jw_buf_free(&handlers);
}

TEST(frames_that_do_not_hold_what_the_code_does)
{
	static const uint8_t jump[] = { GOTO, 0, 3 }, pop[] = { POP };

	monitor_is_left(jw_span(jump, sizeof(jump)), 3, "pc 6: a frame is missing");
	monitor_is_left(jw_span(pop, sizeof(pop)), 3, "pc 0: the stack does not add up");
	monitor_is_left(jw_span("", 0), 0, "pc 0: its parameters need more locals than it has");
}

/* No JVM loads it, and it is unknown which of the two is right. */
TEST(two_tables_of_frames)
{
	static const uint8_t code[] = { GOTO, 0, 3, RETURN }, table[] = { 0, 1, 3 };
	struct make m = { .major = 52,
			  .code = jw_span(code, sizeof(code)),
			  .attr = "StackMapTable",
			  .attr_2 = "StackMapTable",
			  .info = jw_span(table, sizeof(table)),
			  .info_2 = jw_span(table, sizeof(table)) };

	is_left(NULL, &m, NULL, WEAVE_SKIP_BROKEN, "2 StackMapTables");
}

/* ---- branches ---- */

static const struct weave_limits near = { .code = 65535, .branch = 150 };

TEST(an_island_without_a_frame_to_copy)
{
	static const uint8_t frames[] = { 0, 1, 7 }; /* the gap alone, after the goto */
	struct jw_buf code = { 0 };
	uint32_t middle = 7 + 200, end = middle + 1;

	OPS(&code, ICONST_0, IFEQ, (uint8_t)((end - 1) >> 8), (uint8_t)(end - 1));
	OPS(&code, GOTO, (uint8_t)((middle - 4) >> 8), (uint8_t)(middle - 4));
	jw_put_zeros(&code, 200);
	OPS(&code, ARRAYLENGTH, RETURN);
	is_left(NULL,
		&(struct make){ .major = 52,
				.max_stack = 1,
				.code = jw_buf_span(&code),
				.attr = "StackMapTable",
				.info = jw_span(frames, sizeof(frames)) },
		&near, WEAVE_SKIP_BRANCH, "pc 208 has no frame for an island to copy");
	jw_buf_free(&code);
}

/* COUNT branches, each of which spans those after it and becomes wide only when all of them are:
 * one in each round. */
static struct jw_buf dominoes(uint32_t count, uint32_t limit)
{
	struct jw_buf code = { 0 };

	/* the last one, at 3 * (COUNT - 1), is too far by itself; one before it by 2 less each */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t far = limit + 1 - 2 * (count - 1 - i);

		OPS(&code, GOTO, (uint8_t)(far >> 8), (uint8_t)far);
	}
	jw_put_zeros(&code, limit + 10);
	OPS(&code, RETURN);
	return code;
}

TEST(dominoes_fall_one_a_round_so_long)
{
	const uint32_t limit = 2000;
	struct weave_limits limits = { .code = 65535, .branch = limit };

	for (uint32_t count = 199; count <= 201; count++) {
		struct jw_buf code = dominoes(count, limit);
		struct make m = { .code = jw_buf_span(&code) };
		struct woven w;

		if (count > 199) {
			is_left(NULL, &m, &limits, WEAVE_SKIP_BRANCH, "the layout does not settle");
		} else {
			weave_made(&m, &limits, &w);
			is_int(woven_skip(&w), WEAVE_SKIP_NOT);
			is_int(w.code.code.p[PROBE], GOTO_W);
			woven_free(&w);
		}
		jw_buf_free(&code);
	}
}
