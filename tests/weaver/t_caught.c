/*
 * t_caught.c: landings of handlers, shown exceptions, and probes after what makes objects.
 */
#include "tests/weaver/everything.h"
#include "tests/weaver/make.h"

#include "base/banned.h"

enum { ACONST_NULL = 1, DUP = 89, NEWARRAY = 188, INVOKESTATIC = 184 };
enum { CODE_END = 8, HANDLER = 5, INT = 10 };

/* Weaves M by the rules in TEXT; what comes out is checked and opened into W. */
static void weave_by(const char *text, const struct make *m, struct woven *w)
{
	struct rules *rules = make_rules(text);

	*w = (struct woven){ .limits = weave_default_limits };
	w->in = make_class(m);
	w->status = weave_bytes(jw_buf_span(&w->in), rules, w);
	rules_free(rules);
	ok(w->status == JW_OK);
	w->method = w->result.method_count ? &w->result.methods[0] : NULL;
	struct jw_span s = jw_buf_span(w->result.changed ? &w->out : &w->in);
	ok(cfr_check(s, jw_buf_span(&w->in), &w->arena, &w->e) == JW_OK);
	ok(cfr_class_open(s, &w->arena, &w->cls, &w->e) == JW_OK);
	ok(cfr_code_open(&w->cls, &w->cls.methods[0], &w->arena, &w->code, &w->e) == JW_OK);
}

/*
 * A handler that is also branched to, and is in its own range:
 *
 *     0 aconst_null   1 goto 5   4 nop   5 pop   6 aconst_null   7 athrow
 *     0..8 -> 5 Object    0..8 -> 5 any
 */
static const uint8_t looping[] = { ACONST_NULL, GOTO, 0, 4, NOP, POP, ACONST_NULL, ATHROW };
static const uint8_t both[] = { 0, 0, 0, CODE_END, 0, HANDLER, 0, MAKE_OBJECT,
				0, 0, 0, CODE_END, 0, HANDLER, 0, 0 };

static struct make make_looping(uint16_t major)
{
	return (struct make){ .major = major,
			      .max_stack = 1,
			      .code = { looping, sizeof(looping) },
			      .handlers = { both, sizeof(both) } };
}

TEST(a_handler_gets_a_landing_and_branches_do_not_come_by)
{
	struct make m = make_looping(0);
	struct woven w;

	weave_by(EXCEPTIONS_ALONE(""), &m, &w);
	is_int(w.result.exceptions, 1);
	is_int(w.result.woven, 0);
	struct cfr_handler typed = cfr_code_handler(&w.code, 0);
	struct cfr_handler any = cfr_code_handler(&w.code, 1);
	const uint8_t *code = w.code.code.p;
	struct cfr_insn branch = cfr_insn_at(&w.code, 1);

	is_int(any.handler_pc, HANDLER);
	is_int(branch.target, HANDLER);
	is_int(code[typed.handler_pc], DUP);
	is_int(code[typed.handler_pc + 1], INVOKESTATIC);
	is_int(code[typed.handler_pc + 4], GOTO_W);
	is_int(cfr_insn_at(&w.code, typed.handler_pc + 4u).target, HANDLER);
	/* before the athrow */
	is_int(code[7], DUP);
	is_int(code[8], INVOKESTATIC);
	is_int(code[11], ATHROW);
	woven_free(&w);
}

TEST(a_landing_is_covered_as_its_handler_and_first_by_it)
{
	struct make m = make_looping(0);
	struct woven w;

	weave_by(EXCEPTIONS_ALONE(""), &m, &w);
	is_int(w.code.handler_count, 5);
	struct cfr_handler landing = cfr_code_handler(&w.code, 0);
	struct cfr_handler first = cfr_code_handler(&w.code, 2);
	struct cfr_handler again = cfr_code_handler(&w.code, 3);
	struct cfr_handler any = cfr_code_handler(&w.code, 4);

	is_int(first.start_pc, landing.handler_pc);
	is_int(first.end_pc, landing.handler_pc + 9);
	is_int(first.handler_pc, HANDLER); /* not by the landing again */
	is_int(first.catch_type, MAKE_OBJECT);
	is_int(again.handler_pc, landing.handler_pc);
	is_int(any.handler_pc, HANDLER);
	is_int(any.catch_type, 0);
	woven_free(&w);
}

TEST(without_the_frame_of_a_handler_the_method_stays)
{
	struct make m = make_looping(51);
	struct woven w;

	weave_by(EXCEPTIONS_ALONE(""), &m, &w);
	ok(!w.result.changed);
	is_int(woven_skip(&w), WEAVE_SKIP_FRAMES);
	is_str(w.method->detail, "pc 5: the frame of a handler is missing");
	woven_free(&w);
}

TEST(what_throws_and_catches_nothing_is_not_woven_for_it)
{
	static const uint8_t code[] = { RETURN };
	struct make m = { .code = { code, sizeof(code) } };
	struct woven w;

	weave_by(EXCEPTIONS_ALONE(""), &m, &w);
	ok(!w.result.changed);
	is_int(w.result.exceptions, 0);
	is_int(w.result.method_count, 0);
	woven_free(&w);
}

TEST(what_is_made_is_recorded_behind_the_instruction)
{
	static const uint8_t code[] = { NEW,      0,   MAKE_OBJECT, POP,   ICONST_1,
					NEWARRAY, INT, POP,         RETURN };
	struct make m = { .max_stack = 1, .code = { code, sizeof(code) } };
	struct woven w;

	weave_by(NEW_ALONE(""), &m, &w);
	is_int(w.result.creations, 2);
	is_int(w.result.sites_woven, 0);
	is_int(w.result.site_count, 2);
	ok(w.result.sites[0].made && w.result.sites[1].made);
	ok(jw_span_eq_str(w.result.sites[0].owner, "java/lang/Object"));
	ok(jw_span_eq_str(w.result.sites[1].owner, "int[]"));
	is_int(w.result.sites[1].index, WEAVE_FIRST_SITE + 1);
	is_int(w.code.code.p[3], LDC2_W);
	is_int(w.code.code.p[6], INVOKESTATIC);
	is_int(w.code.code.p[9], POP);
	is_int(w.code.code.p[13], LDC2_W); /* after newarray; then the length */
	is_int(w.code.code.p[19], DUP);
	is_int(w.code.code.p[20], ARRAYLENGTH);
	is_int(w.code.code.p[25], POP);
	is_int(w.code.max_stack, 3);
	woven_free(&w);
}

TEST(memory_runs_out_anywhere)
{
	struct make m = make_looping(0);
	struct rules *rules = make_rules(EVERYTHING(""));
	struct jw_buf in = make_class(&m);
	bool failed = true;
	long n = 0;

	for (; failed && n < 1000; n++) {
		struct woven w = { .limits = weave_default_limits };
		enum jw_status status;

		jw_mem_fail_after(n);
		status = weave_bytes(jw_buf_span(&in), rules, &w);
		failed = jw_mem_fail_after(-1);
		is_int(status, failed ? JW_NOMEM : JW_OK);
		jw_buf_free(&w.out);
		jw_arena_free(&w.arena);
	}
	ok(n > 3 && !failed);
	jw_buf_free(&in);
	rules_free(rules);
}
