/*
 * t_monitors.c: probes at monitors: where they are, what covers them, and which methods are left,
 * since HotSpot would not compile them.
 */
#include "tests/weaver/everything.h"
#include "tests/weaver/make.h"

#include "base/banned.h"

/* m(Object): CODE with HANDLERS, 8 bytes each, weaving monitors alone. */
static void weave_monitors(struct jw_span code, struct jw_span handlers, struct woven *w)
{
	struct make m = { .descriptor = "(Ljava/lang/Object;)V",
			  .max_stack = 2,
			  .max_locals = 3,
			  .code = code,
			  .handlers = handlers };
	struct rules *rules = make_rules(MONITORS_ALONE);
	struct jw_span s;

	*w = (struct woven){ .limits = weave_default_limits };
	w->in = make_class(&m);
	ok(weave_bytes(jw_buf_span(&w->in), rules, w) == JW_OK);
	rules_free(rules);
	w->method = w->result.method_count ? &w->result.methods[0] : NULL;
	s = jw_buf_span(w->result.changed ? &w->out : &w->in);
	ok(cfr_check(s, jw_buf_span(&w->in), &w->arena, &w->e) == JW_OK);
	if (!ok(cfr_class_open(s, &w->arena, &w->cls, &w->e) == JW_OK &&
		cfr_code_open(&w->cls, &w->cls.methods[0], &w->arena, &w->code, &w->e) == JW_OK))
		exit(1);
}

/* synchronized (o) { 1 / 0; } as javac has it */
static const uint8_t javac_code[] = {
	0x2a, 0x59, 0x4c, 0xc2,       /* 0: aload_0, dup, astore_1, monitorenter */
	0x04, 0x03, 0x6c, 0x57,       /* 4: iconst_1, iconst_0, idiv, pop */
	0x2b, 0xc3, 0xa7, 0x00, 0x08, /* 8: aload_1, monitorexit, goto 18 */
	0x4d, 0x2b, 0xc3, 0x2c, 0xbf, /* 13: astore_2, aload_1, monitorexit, aload_2, athrow */
	0xb1,                         /* 18: return */
};
static const uint8_t javac_handlers[] = { 0, 4, 0, 10, 0, 13, 0, 0, 0, 13, 0, 16, 0, 13, 0, 0 };

/* Does entry I cover probes before a monitorexit, and lead to what releases local 1? */
static void covers_exit(const struct woven *w, uint16_t i)
{
	static const uint8_t give_back[] = { 0x19, 1, 0xc3,
					     0xbf }; /* aload 1, monitorexit, athrow */
	struct cfr_handler h = cfr_code_handler(&w->code, i);

	is_int(w->code.code.p[h.end_pc], 0xc3);
	is_int(h.catch_type, 0);
	is_span(jw_span_sub(w->code.code, h.handler_pc, sizeof(give_back)),
		jw_span(give_back, sizeof(give_back)));
}

TEST(probes_stand_where_monitors_are_given_back)
{
	struct cfr_handler h;
	struct woven w;

	weave_monitors(jw_span(javac_code, sizeof(javac_code)),
		       jw_span(javac_handlers, sizeof(javac_handlers)), &w);
	is_int(w.result.sites_woven, 3);
	is_int(w.result.woven, 0);
	/* one for each site, and the two of the program; no copies: nothing is around it */
	is_int(w.code.handler_count, 5);
	h = cfr_code_handler(&w.code, 0); /* monitorenter alone */
	is_int(w.code.code.p[h.start_pc], 0xc2);
	is_int(h.end_pc, h.start_pc + 1);
	covers_exit(&w, 1);
	covers_exit(&w, 2);
	/* the program's begins after monitorenter, before the probe that says that it is over */
	is_int(cfr_code_handler(&w.code, 3).start_pc, h.end_pc);
	is_span(w.result.sites[0].name, JW_SPAN_LIT("monitorenter"));
	is_span(w.result.sites[2].name, JW_SPAN_LIT("monitorexit"));
	woven_free(&w);
}

TEST(an_exit_that_nothing_covers_is_covered)
{
	static const uint8_t handlers[] = { 0, 4, 0, 8, 0, 13, 0, 0 }; /* as scalac has it */
	struct woven w;

	weave_monitors(jw_span(javac_code, sizeof(javac_code)), jw_span(handlers, sizeof(handlers)),
		       &w);
	is_int(w.result.sites_woven, 3);
	is_int(w.code.handler_count, 4);
	covers_exit(&w, 1);
	covers_exit(&w, 2);
	woven_free(&w);
}

TEST(around_it_what_holds_fewer)
{
	/* a catch of anything around all of it, which begins with none held */
	static const uint8_t handlers[] = { 0, 4,  0, 10, 0, 13, 0, 0,  0, 13, 0, 16,
					    0, 13, 0, 0,  0, 0,  0, 18, 0, 18, 0, 0 };
	struct woven w;

	weave_monitors(jw_span(javac_code, sizeof(javac_code)), jw_span(handlers, sizeof(handlers)),
		       &w);
	is_int(w.result.sites_woven, 3);
	/* three sites, three of the program's, and the outer one over each of the three tails */
	is_int(w.code.handler_count, 9);
	for (uint16_t i = 6; i < 9; i++)
		is_int(w.code.code.p[cfr_code_handler(&w.code, i).handler_pc], 0xb1);
	woven_free(&w);
}

static void is_left(struct jw_span code, struct jw_span handlers, const char *detail)
{
	struct woven w;

	weave_monitors(code, handlers, &w);
	ok(!w.result.changed);
	is_int(woven_skip(&w), WEAVE_SKIP_MONITORS);
	is_str(w.method->detail, detail);
	is_int(w.result.sites_woven, 0);
	woven_free(&w);
}

enum { DIVISIONS = 1900, DIVISION = 4 };

/* javac's block, and then many divisions under COUNT handlers of a class. */
static void weave_many(uint16_t count, struct woven *w)
{
	static const uint8_t divide[DIVISION] = { 0x04, 0x04, 0x6c, 0x57 };
	struct jw_buf code = { 0 }, handlers = { 0 };
	const size_t at = sizeof(javac_code) - 1, end = at + DIVISIONS * DIVISION;

	jw_put_bytes(&code, jw_span(javac_code, at));
	for (int i = 0; i < DIVISIONS; i++)
		jw_put_bytes(&code, jw_span(divide, sizeof(divide)));
	jw_put_u1(&code, 0xb1);
	jw_put_bytes(&handlers, jw_span(javac_handlers, sizeof(javac_handlers)));
	for (uint16_t i = 0; i < count; i++) {
		jw_put_u2(&handlers, at), jw_put_u2(&handlers, end);
		jw_put_u2(&handlers, end), jw_put_u2(&handlers, MAKE_OBJECT);
	}
	weave_monitors(jw_buf_span(&code), jw_buf_span(&handlers), w);
	jw_buf_free(&code);
	jw_buf_free(&handlers);
}

TEST(many_handlers_over_many_instructions)
{
	struct woven w;

	weave_many(8800, &w);
	is_int(w.result.sites_woven, 3);
	woven_free(&w);
	weave_many(8850, &w);
	ok(!w.result.changed);
	is_int(woven_skip(&w), WEAVE_SKIP_MONITORS);
	ok(w.method &&
	   strcmp(w.method->detail, "too many instructions under 8852 exception handlers") == 0);
	woven_free(&w);
}

TEST(what_hotspot_would_not_compile_is_left)
{
	static const uint8_t late[] = { 0, 6, 0, 10, 0, 13, 0, 0, 0, 13, 0, 16, 0, 13, 0, 0 };
	/* aload_0, ifnull 6, aload_0, monitorenter; 6: return */
	static const uint8_t meets[] = { 0x2a, 0xc6, 0, 5, 0x2a, 0xc2, 0xb1 };
	/* aload_0, monitorexit, return */
	static const uint8_t none_held[] = { 0x2a, 0xc3, 0xb1 };
	/* aload_0, monitorenter, jsr 6, return; 6: astore_1, ret 1 */
	static const uint8_t subroutine[] = { 0x2a, 0xc2, 0xa8, 0, 4, 0xb1, 0x4c, 0xa9, 1 };
	uint8_t code[sizeof(javac_code)];

	/* the handler begins two instructions late: the probe after monitorenter is not covered */
	is_left(jw_span(javac_code, sizeof(javac_code)), jw_span(late, sizeof(late)),
		"pc 3: what is released is not known, or a probe would not be covered");
	is_left(jw_span(meets, sizeof(meets)), (struct jw_span){ 0 },
		"not every way releases the monitors that it holds");
	is_left(jw_span(none_held, sizeof(none_held)), (struct jw_span){ 0 },
		"not every way releases the monitors that it holds");
	is_left(jw_span(subroutine, sizeof(subroutine)), (struct jw_span){ 0 },
		"not every way releases the monitors that it holds");
	/* what is given back comes from somewhere else: aload_1, nop, monitorexit */
	memcpy(code, javac_code, sizeof(code));
	code[7] = 0x2b, code[8] = 0x00;
	is_left(jw_span(code, sizeof(code)), jw_span(javac_handlers, sizeof(javac_handlers)),
		"pc 9: what is released is not known, or a probe would not be covered");
}
