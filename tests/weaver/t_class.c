/*
 * t_class.c: a class as a whole: what is copied, what the result says, pools and tables that are
 * full, memory that runs out, input that is no class.
 */
#include "tests/weaver/make.h"

#include "trace/format/methodmap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

static const uint8_t code[] = { ARRAYLENGTH, RETURN };

static struct make plain(void)
{
	return (struct make){ .major = 52, .code = jw_span(code, sizeof(code)) };
}

/* Weaves the class M by the rules of TEXT, without looking at what comes out. */
static void weave_by(const struct make *m, const char *text, struct woven *w)
{
	struct rules *rules = make_rules(text);

	*w = (struct woven){ .limits = weave_default_limits };
	w->in = make_class(m);
	w->status = weave_bytes(jw_buf_span(&w->in), rules, w);
	is_int(w->status, JW_OK);
	rules_free(rules);
}

TEST(the_result_names_the_method)
{
	struct make m = plain();
	struct woven w;
	static const uint8_t lines[] = { 0, 2, 0, 1, 0, 9, 0, 0, 0, 8 };

	m.attr = "LineNumberTable";
	m.info = jw_span(lines, sizeof(lines));
	weave_made(&m, NULL, &w);
	is_span(w.result.name, JW_SPAN_LIT("T"));
	is_int(w.result.total, 1);
	is_int(w.result.method_count, 1);
	is_int(w.result.woven, 1);
	ok(w.result.class_hash == trace_class_hash(JW_SPAN_LIT("T"), 0));
	is_span(w.method->name, JW_SPAN_LIT("m"));
	is_span(w.method->descriptor, JW_SPAN_LIT("()V"));
	is_int(w.method->line, 8);
	is_int(w.method->size, 2);
	is_int(w.method->woven_size, w.code.code.n);
	is_int(w.method->index, 0);
	woven_free(&w);
}

TEST(the_probes_push_the_id_of_the_method)
{
	struct make m = plain();
	struct jw_span id;
	struct woven w;
	uint64_t want;

	weave_made(&m, NULL, &w);
	want = jwr_method_id(trace_class_hash(JW_SPAN_LIT("T"), 0), 0);
	id = cfr_pool_entry(&w.cls.pool, jw_span_u2(w.code.code, 1));
	is_int(jw_span_u4(id, 0), want >> 32);
	is_int(jw_span_u4(id, 4), want & 0xffffffffu);
	woven_free(&w);
}

TEST(nothing_chosen_nothing_changed)
{
	static const char other[] = "{\"jweave\": 1, \"rules\": [{\"match\": \"com.acme.**\"}]}";
	static const char skip[] = "{\"jweave\": 1, \"rules\": [{\"match\": \"T#other()\"}]}";
	struct make m = plain();
	struct woven w;

	weave_by(&m, other, &w);
	ok(!w.result.changed);
	is_int(w.result.method_count, 0);
	woven_free(&w);
	weave_by(&m, skip, &w);
	ok(!w.result.changed);
	is_int(w.result.method_count, 0);
	is_int(w.result.total, 1);
	woven_free(&w);
}

TEST(all_but_the_pool_and_the_code_is_copied)
{
	struct make m = plain();
	struct jw_span in, out;
	struct cfr_class cls;
	struct woven w;

	weave_made(&m, NULL, &w);
	in = jw_buf_span(&w.in);
	out = jw_buf_span(&w.out);
	is_int(cfr_class_open(in, &w.arena, &cls, &w.e), JW_OK);
	is_span(jw_span_sub(out, 0, cls.pool.start), jw_span_sub(in, 0, cls.pool.start));
	/* old constants never move */
	is_span(jw_span_sub(out, cls.pool.start + 2, cls.pool.end - cls.pool.start - 2),
		jw_span_sub(in, cls.pool.start + 2, cls.pool.end - cls.pool.start - 2));
	/* from the pool up to the length of Code */
	is_span(jw_span_sub(out, w.cls.pool.end, 22), jw_span_sub(in, cls.pool.end, 22));
	cfr_class_close(&cls);
	woven_free(&w);
}

TEST(a_pool_that_is_nearly_full)
{
	/* what a first method adds: its id (2), the runtime's class (2), (J)V, three probes (3
	 * each), Throwable (2), StackMapTable */
	enum { ADDED = 2 + 2 + 1 + 9 + 2 + 1 };

	for (uint32_t spare = ADDED - 3; spare <= ADDED + 1; spare++) {
		struct make m = plain();
		struct woven w;

		m.fill = 65535 - MAKE_FREE - spare;
		weave_made(&m, NULL, &w);
		is_int(woven_skip(&w), spare < ADDED ? WEAVE_SKIP_POOL_FULL : WEAVE_SKIP_NOT);
		is_int(w.result.changed, spare >= ADDED);
		woven_free(&w);
	}
}

TEST(an_exception_table_that_is_full)
{
	for (uint32_t count = 65534; count <= 65535; count++) {
		struct make m = plain();
		struct jw_buf handlers = { 0 };
		struct woven w;

		for (uint32_t i = 0; i < count; i++)
			jw_put_u8(&handlers, (uint64_t)1 << 32 | 1 << 16); /* 0..1 -> 1, any */
		m.major = 49;
		m.max_stack = 1;
		m.handlers = jw_buf_span(&handlers);
		weave_made(&m, NULL, &w);
		is_int(woven_skip(&w), count == 65534 ? WEAVE_SKIP_NOT : WEAVE_SKIP_HANDLERS_FULL);
		woven_free(&w);
		jw_buf_free(&handlers);
	}
}

TEST(an_operand_stack_that_is_full)
{
	for (uint32_t stack = 65533; stack <= 65534; stack++) {
		struct make m = plain();
		struct woven w;

		m.max_stack = (uint16_t)stack;
		weave_made(&m, NULL, &w);
		is_int(woven_skip(&w), stack == 65533 ? WEAVE_SKIP_NOT : WEAVE_SKIP_TOO_LARGE);
		if (stack > 65533)
			is_str(w.method->detail, "operand stack of 65536 slots");
		woven_free(&w);
	}
}

/* Any allocation may fail: an error then, and nothing lost or leaked. */
TEST(memory_runs_out_anywhere)
{
	static const uint8_t branches[] = { ICONST_0, IFEQ, 0, 6, GOTO, 0, 150, RETURN };
	struct rules *rules = make_rules(NULL);
	struct jw_buf body = { 0 }, in;
	long n = 0;

	jw_put_bytes(&body, jw_span(branches, sizeof(branches)));
	jw_put_zeros(&body, 300);
	OPS(&body, RETURN);
	in = make_class(&(struct make){ .max_stack = 1, .code = jw_buf_span(&body) });
	for (;; n++) {
		struct woven w = { .limits = { .branch = 100, .code = 65535 } };
		enum jw_status status;

		jw_mem_fail_after(n);
		status = weave_bytes(jw_buf_span(&in), rules, &w);
		bool failed = jw_mem_fail_after(-1);
		if (failed)
			is_int(status, JW_NOMEM);
		else
			is_int(status, JW_OK);
		jw_buf_free(&w.out);
		jw_arena_free(&w.arena);
		if (!failed || n > 1000)
			break;
	}
	ok(n > 5 && n < 1000);
	jw_buf_free(&body);
	jw_buf_free(&in);
	rules_free(rules);
}

TEST(what_is_no_class_is_left)
{
	struct rules *rules = make_rules(NULL);
	struct make m = plain();
	struct jw_buf in = make_class(&m);

	for (size_t n = 0; n < in.n; n++) {
		struct woven w = { .limits = weave_default_limits };

		is_int(weave_bytes(jw_span_sub(jw_buf_span(&in), 0, n), rules, &w), JW_OK);
		is_int(w.result.skip, WEAVE_SKIP_CLASS);
		ok(w.result.detail != NULL && !w.result.changed);
		jw_buf_free(&w.out);
		jw_arena_free(&w.arena);
	}
	jw_patch_u2(&in, 6, 9999);
	in.p[10] = 99; /* an unknown constant, in a version of the future */
	struct woven w = { .limits = weave_default_limits };
	is_int(weave_bytes(jw_buf_span(&in), rules, &w), JW_OK);
	is_int(w.result.skip, WEAVE_SKIP_VERSION);
	jw_buf_free(&w.out);
	jw_arena_free(&w.arena);
	jw_buf_free(&in);
	rules_free(rules);
}

TEST(broken_code_is_left)
{
	static const uint8_t into[] = { GOTO, 0, 2, RETURN }, unknown[] = { 0xcb, RETURN };
	struct make m = plain();
	struct woven w;

	m.code = jw_span(into, sizeof(into));
	weave_by(&m, NULL, &w);
	is_int(w.result.methods[0].skip, WEAVE_SKIP_BROKEN);
	woven_free(&w);
	m.code = jw_span(unknown, sizeof(unknown));
	weave_by(&m, NULL, &w);
	is_int(w.result.methods[0].skip, WEAVE_SKIP_OPCODE);
	ok(w.result.methods[0].detail != NULL);
	woven_free(&w);
}

static enum jw_status count_methods(void *ctx, const struct rules_class *cls,
				    const struct rules_method *method, uint32_t code_bytes,
				    struct rules_verdict verdict, struct jw_err *e)
{
	(void)e;
	++*(int *)ctx;
	is_span(cls->name, JW_SPAN_LIT("T"));
	is_span(method->name, JW_SPAN_LIT("m"));
	is_int(code_bytes, sizeof(code));
	is_int(verdict.why, RULES_WHY_TRACED);
	return JW_IO; /* comes back */
}

TEST(scanning_asks_and_weaves_nothing)
{
	struct rules *rules = make_rules(NULL);
	const struct weave_class_job job = { .rules = rules, .entry = JW_SPAN_LIT("T.class") };
	struct make m = plain();
	struct jw_buf in = make_class(&m);
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };
	int seen = 0;

	is_int(weave_scan_class(&job, jw_buf_span(&in), &arena, count_methods, &seen, &e), JW_IO);
	is_int(seen, 1);
	is_int(weave_scan_class(&job, JW_SPAN_LIT("no class"), &arena, count_methods, &seen, &e),
	       JW_OK);
	is_int(seen, 1);
	jw_buf_free(&in);
	jw_arena_free(&arena);
	rules_free(rules);
}

/* Reports are read by programs, too: a name or sentence that changes is a change for them. */
TEST(every_skip_has_a_name_and_a_sentence)
{
	static const struct {
		const char *name, *text;
	} all[] = {
		{ "NOT", "" },
		{ "TOO_LARGE", "the woven code would pass 65535 bytes" },
		{ "HUGE", "the woven code would pass 8000 bytes, beyond which HotSpot never "
			  "compiles (--huge weaves it)" },
		{ "POOL_FULL", "the constant pool would pass 65535 entries" },
		{ "HANDLERS_FULL", "the exception table would pass 65535 entries" },
		{ "BRANCH", "a branch cannot reach its target, and no gap for an island is near" },
		{ "FRAMES", "its StackMapTable has a form that is not known" },
		{ "ATTRIBUTE", "it has an attribute with code positions that is not known" },
		{ "OPCODE", "it has an instruction that is not known" },
		{ "BROKEN", "its code is not well formed" },
		{ "CONSTRUCTOR", "its constructor loses track of the uninitialized this" },
		{ "FINALIZER",
		  "an empty finalize() must stay empty: HotSpot treats the class by it" },
		{ "CALLS",
		  "its class has more call sites or methods than there are ids (32768 of each)" },
		{ "MONITORS", "with probes at its monitors HotSpot would not compile it" },
		{ "CLASS", "the class cannot be read" },
		{ "VERSION", "its class-file version is not known" },
	};

	is_int(WEAVE_SKIP_VERSION + 1, sizeof(all) / sizeof(*all));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		is_str(weave_skip_name((enum weave_skip)i), all[i].name);
		is_str(weave_skip_text((enum weave_skip)i), all[i].text);
	}
}
