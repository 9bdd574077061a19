/*
 * t_tables.c: the attributes of Code that hold pcs, moved.
 */
#include "tests/weaver/make.h"

#include "base/banned.h"

/*
 * 0: nop; 1: iconst_0; 2: ifeq 6; 5: return; 6: return, woven:
 * 0: enter; 6: arraylength; 7: iconst_0; 8: ifeq 18; 11: exit; 17: return; 18: exit; 24: return;
 * 25: fail
 */
static const uint8_t code[] = { ARRAYLENGTH, ICONST_0, IFEQ, 0, 4, RETURN, RETURN };
enum { END_OLD = 7, END_NEW = 25 };

/* The info of the attribute NAME after weaving, of an input whose attribute has the U2s given. */
static struct jw_span moved(struct woven *w, const char *name, struct jw_span info)
{
	struct cfr_attr attr = { 0 };
	static const uint8_t handler[] = { 0, 0, 0, 1, 0, 6, 0, 0 };

	weave_made(&(struct make){ .max_stack = 1,
				   .max_locals = 1,
				   .code = jw_span(code, sizeof(code)),
				   .handlers = jw_span(handler, sizeof(handler)),
				   .attr = name,
				   .info = info },
		   NULL, w);
	ok(cfr_attrs_find(&w->cls, &w->code.attrs, name, &attr));
	is_int(attr.info.n, info.n);
	return attr.info;
}

/* A table of N u2s. */
static struct jw_buf u2s(const uint16_t *values, size_t n)
{
	struct jw_buf b = { 0 };

	for (size_t i = 0; i < n; i++)
		jw_put_u2(&b, values[i]);
	return b;
}
#define U2S(...) u2s((const uint16_t[]){ __VA_ARGS__ }, sizeof((uint16_t[]){ __VA_ARGS__ }) / 2)

static void try_table(const char *name, struct jw_buf in, struct jw_buf want)
{
	struct woven w;

	is_span(moved(&w, name, jw_buf_span(&in)), jw_buf_span(&want));
	woven_free(&w);
	jw_buf_free(&in);
	jw_buf_free(&want);
}

TEST(lines_go_to_the_probe_and_0_stays)
{
	try_table("LineNumberTable", U2S(4, 0, 10, 1, 11, 6, 12, 5, 0),
		  U2S(4, 0, 10, 7, 11, 18, 12, 11, 0));
}

TEST(lines_keep_their_order_and_their_zeros)
{
	try_table("LineNumberTable", U2S(4, 6, 0, 1, 65535, 0, 7, 6, 1),
		  U2S(4, 18, 0, 7, 65535, 0, 7, 18, 1));
}

TEST(lines_out_of_range_stay)
{
	try_table("LineNumberTable", U2S(2, 7, 10, 999, 11), U2S(2, 7, 10, 999, 11));
	try_table("LineNumberTable", U2S(2, 1, 10, 1), U2S(2, 1, 10, 1)); /* cut off */
}

TEST(locals_have_both_ends_moved)
{
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "LocalVariableTypeTable" : "LocalVariableTable";

		/* the whole, from an instruction on, up to a probe, nothing */
		try_table(
			name,
			U2S(4, 0, 7, 11, 12, 0, 2, 4, 11, 12, 0, 0, 5, 11, 12, 0, 6, 0, 11, 12, 0),
			U2S(4, 0, END_NEW, 11, 12, 0, 8, 10, 11, 12, 0, 0, 11, 11, 12, 0, 24, 0, 11,
			    12, 0));
		/* out of range: what it meant is unknown */
		try_table(name, U2S(1, 5, 60, 11, 12, 0), U2S(1, 5, 60, 11, 12, 0));
	}
}

TEST(character_ranges_end_inclusively)
{
	try_table("CharacterRangeTable", U2S(2, 0, 6, 0, 1, 0, 2, 3, 2, 5, 0, 1, 0, 2, 3),
		  U2S(2, 0, END_NEW - 1, 0, 1, 0, 2, 3, 8, 17, 0, 1, 0, 2, 3));
}

/* ---- type annotations ---- */

/* COUNT annotations whose bytes TEXT gives, each closed by an empty path and no pairs but one. */
static struct jw_buf annotations(const uint8_t *targets, size_t n, size_t length)
{
	struct jw_buf b = { 0 };

	jw_put_u2(&b, n / length);
	for (size_t i = 0; i < n; i += length) {
		jw_put_bytes(&b, jw_span(targets + i, length));
		jw_put_u1(&b, 1); /* type_path: one step */
		jw_put_u2(&b, 0x0300);
		jw_put_u2(&b, 1); /* type */
		jw_put_u2(&b, 3); /* pairs: an int, an enum, an array of nested annotations */
		jw_put_u2(&b, 1), jw_put_u1(&b, 'I'), jw_put_u2(&b, 1);
		jw_put_u2(&b, 1), jw_put_u1(&b, 'e'), jw_put_u4(&b, 0x00010001);
		jw_put_u2(&b, 1), jw_put_u1(&b, '['), jw_put_u2(&b, 1);
		jw_put_u1(&b, '@'), jw_put_u2(&b, 1), jw_put_u2(&b, 0);
	}
	return b;
}

static void try_annotations(const uint8_t *in, const uint8_t *want, size_t n, size_t length)
{
	struct jw_buf a, b;

	a = annotations(in, n, length);
	b = annotations(want, n, length);
	try_table("RuntimeInvisibleTypeAnnotations", a, b);
	a = annotations(in, n, length);
	b = annotations(want, n, length);
	try_table("RuntimeVisibleTypeAnnotations", a, b);
}
#define TRY_ANNOTATIONS(length, in, want) try_annotations(in, want, sizeof(in), (length))

TEST(type_annotations_of_offsets)
{
	static const uint8_t in[] = { 0x43, 0, 0, 0x44, 0, 2, 0x46, 0, 6, 0x45, 3, 0xe7 };
	static const uint8_t want[] = { 0x43, 0, 6, 0x44, 0, 8, 0x46, 0, 24, 0x45, 3, 0xe7 };

	TRY_ANNOTATIONS(3, in, want);
}

TEST(type_annotations_of_arguments)
{
	static const uint8_t in[] = { 0x47, 0, 1, 9, 0x4b, 0, 5, 9 };
	static const uint8_t want[] = { 0x47, 0, 7, 9, 0x4b, 0, 17, 9 };

	TRY_ANNOTATIONS(4, in, want);
}

TEST(type_annotations_of_locals)
{
	static const uint8_t in[] = { 0x40, 0, 2, 0, 0, 0, 5, 0, 1, 0, 2, 0, 4, 0, 1,
				      0x41, 0, 2, 0, 5, 9, 5, 0, 1, 0, 6, 0, 1, 0, 1 };
	static const uint8_t want[] = { 0x40, 0, 2, 0, 0, 0, 11, 0, 1, 0, 8,  0, 10, 0, 1,
					0x41, 0, 2, 0, 5, 9, 5,  0, 1, 0, 24, 0, 1,  0, 1 };

	TRY_ANNOTATIONS(15, in, want);
}

TEST(type_annotations_without_pcs)
{
	static const uint8_t two[] = { 0x00, 5, 0x16, 5 };
	static const uint8_t three[] = {
		0x10, 0, 5, 0x11, 0, 5, 0x17, 0, 5, 0x42, 0, 0, 0x42, 9, 9
	};
	static const uint8_t one[] = { 0x13, 0x15 };

	TRY_ANNOTATIONS(2, two, two);
	TRY_ANNOTATIONS(3, three, three);
	TRY_ANNOTATIONS(1, one, one);
}

/* The handlers of call sites come first in the exception table (JVMS 4.7.20.1). */
TEST(type_annotations_of_exception_parameters_follow_their_entry)
{
	static const uint8_t calls[] = { 0xbb,      0,    MAKE_OBJECT, 0x59, 0xb7,  0,
					 MAKE_INIT, 0x57, RETURN,      0x57, RETURN };
	static const uint8_t handlers[] = { 0, 0, 0, 8, 0, 9, 0, 0, 0, 3, 0, 4, 0, 9, 0, 0 };
	static const uint8_t targets[] = { 0x42, 0, 0, 0x42, 0, 1, 0x42, 0, 2 };
	static const uint8_t want[] = { 0x42, 0, 1, 0x42, 0, 2, 0x42, 0, 2 };
	struct jw_buf in = annotations(targets, sizeof(targets), 3);
	struct jw_buf out = annotations(want, sizeof(want), 3);
	struct rules *rules = make_rules("{\"jweave\": 1, \"rules\": [{\"on\": \"call\", "
					 "\"match\": \"**#<init>\"}]}");
	struct make m = { .max_stack = 2,
			  .code = jw_span(calls, sizeof(calls)),
			  .handlers = jw_span(handlers, sizeof(handlers)),
			  .attr = "RuntimeVisibleTypeAnnotations",
			  .info = jw_buf_span(&in) };
	struct woven w = { .limits = weave_default_limits };
	struct cfr_attr attr = { 0 };

	w.in = make_class(&m);
	is_int(weave_bytes(jw_buf_span(&w.in), rules, &w), JW_OK);
	is_int(cfr_class_open(jw_buf_span(&w.out), &w.arena, &w.cls, &w.e), JW_OK);
	is_int(cfr_code_open(&w.cls, &w.cls.methods[0], &w.arena, &w.code, &w.e), JW_OK);
	is_int(cfr_code_handler(&w.code, 1).end_pc - cfr_code_handler(&w.code, 1).start_pc, 20);
	ok(cfr_attrs_find(&w.cls, &w.code.attrs, m.attr, &attr));
	is_span(attr.info, jw_buf_span(&out));
	woven_free(&w);
	rules_free(rules);
	jw_buf_free(&in);
	jw_buf_free(&out);
}

TEST(type_annotations_cut_off_stay)
{
	static const uint8_t bytes[] = { 0, 2, 0x44, 0, 2, 0, 0, 1, 0, 0, 0x44, 0 };
	struct jw_span s = jw_span(bytes, sizeof(bytes));
	struct woven w;

	is_span(moved(&w, "RuntimeVisibleTypeAnnotations", s), s);
	woven_free(&w);
}

TEST(type_annotations_nested_too_deep_stay)
{
	struct jw_buf b = { 0 };
	struct woven w;

	jw_put_u2(&b, 1);
	OPS(&b, 0x44, 0, 2, 0);
	jw_put_u2(&b, 1);
	jw_put_u2(&b, 1);
	jw_put_u2(&b, 1);
	for (int i = 0; i < 5000; i++)
		OPS(&b, '[', 0, 1);
	OPS(&b, 'I', 0, 1);
	is_span(moved(&w, "RuntimeVisibleTypeAnnotations", jw_buf_span(&b)), jw_buf_span(&b));
	woven_free(&w);
	jw_buf_free(&b);
}

/* ---- what leaves the method ---- */

static enum weave_skip skip_of(const char *name, struct jw_span info, struct woven *w)
{
	weave_made(&(struct make){ .major = 52,
				   .max_stack = 1,
				   .code = jw_span(code, sizeof(code)),
				   .attr = name,
				   .info = info },
		   NULL, w);
	return woven_skip(w);
}

TEST(attributes_that_are_not_known)
{
	static const uint8_t unknown_kind[] = { 0, 1, 0x60, 0, 0, 0, 0, 0 };
	struct woven w;

	is_int(skip_of("org.acme.Secret", jw_span("", 0), &w), WEAVE_SKIP_ATTRIBUTE);
	is_str(w.method->detail, "org.acme.Secret");
	ok(!w.result.changed);
	woven_free(&w);
	is_int(skip_of("RuntimeVisibleTypeAnnotations", jw_span(unknown_kind, sizeof(unknown_kind)),
		       &w),
	       WEAVE_SKIP_ATTRIBUTE);
	is_str(w.method->detail, "unknown kind of type annotation");
	woven_free(&w);
}

TEST(attributes_without_pcs_are_copied)
{
	struct cfr_attr attr;
	struct woven w;

	is_int(skip_of("Synthetic", jw_span("", 0), &w), WEAVE_SKIP_NOT);
	ok(cfr_attrs_find(&w.cls, &w.code.attrs, "Synthetic", &attr));
	woven_free(&w);
}

TEST(frames_of_cldc_are_dropped)
{
	struct cfr_attr attr;
	struct woven w;

	is_int(skip_of("StackMap", jw_span("\0\0", 2), &w), WEAVE_SKIP_NOT);
	ok(!cfr_attrs_find(&w.cls, &w.code.attrs, "StackMap", &attr));
	woven_free(&w);
}

TEST(frames_that_are_not_known)
{
	static const uint8_t larval[] = { 0, 1, 246, 0, 0 };       /* a form of the future */
	static const uint8_t type[] = { 0, 1, 64 + 6, 9 };         /* a type of the future */
	static const uint8_t nowhere[] = { 0, 1, 3 };              /* inside an instruction */
	static const uint8_t uninit[] = { 0, 1, 64 + 6, 8, 0, 1 }; /* no `new` there */
	static const uint8_t cut[] = { 0, 1, 255, 0 };
	const struct jw_span all[] = { jw_span(larval, 5), jw_span(type, 4), jw_span(nowhere, 3),
				       jw_span(uninit, 6), jw_span(cut, 4) };
	struct woven w;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		is_int(skip_of("StackMapTable", all[i], &w), WEAVE_SKIP_FRAMES);
		ok(w.method->detail != NULL && w.method->detail[0]);
		woven_free(&w);
	}
}

TEST(frames_move_and_the_handler_gets_one)
{
	static const uint8_t table[] = { 0, 1, 6 }; /* same_frame at 6 */
	struct cfr_attr attr = { 0 };
	struct woven w;

	is_int(skip_of("StackMapTable", jw_span(table, 3), &w), WEAVE_SKIP_NOT);
	ok(cfr_attrs_find(&w.cls, &w.code.attrs, "StackMapTable", &attr));
	is_int(attr.info.n, 3 + 10);
	is_int(jw_span_u2(attr.info, 0), 2);
	is_int(jw_span_u1(attr.info, 2), 18);
	is_int(jw_span_u1(attr.info, 3), 255);
	is_int(jw_span_u2(attr.info, 4), END_NEW - 18 - 1);
	is_int(jw_span_u2(attr.info, 6), 0);
	is_int(jw_span_u2(attr.info, 8), 1);
	is_int(jw_span_u1(attr.info, 10), 7);
	is_span(cfr_pool_class(&w.cls.pool, jw_span_u2(attr.info, 11)),
		JW_SPAN_LIT("java/lang/Throwable"));
	woven_free(&w);
}

TEST(an_empty_finalizer_stays_empty)
{
	static const uint8_t lone[] = { RETURN }, more[] = { NOP, RETURN };
	struct woven w;

	weave_made(&(struct make){ .access = CFR_ACC_PROTECTED,
				   .name = "finalize",
				   .max_locals = 1,
				   .code = jw_span(lone, 1) },
		   NULL, &w);
	is_int(woven_skip(&w), WEAVE_SKIP_FINALIZER);
	ok(!w.result.changed);
	woven_free(&w);
	weave_made(&(struct make){ .access = CFR_ACC_PROTECTED,
				   .name = "finalize",
				   .max_locals = 1,
				   .code = jw_span(more, 2) },
		   NULL, &w);
	is_int(woven_skip(&w), WEAVE_SKIP_NOT);
	woven_free(&w);
}

TEST(a_constructor_is_cut_at_its_super_call)
{
	/* iconst_0; newarray int; pop; aload_0; super(); nothing known to be quiet */
	static const uint8_t body[] = { ICONST_0,      188, 10,        POP,         ALOAD_0,
					INVOKESPECIAL, 0,   MAKE_INIT, ARRAYLENGTH, RETURN };
	struct woven w;

	for (uint16_t major = 49; major <= 50; major++) {
		weave_made(&(struct make){ .major = major,
					   .access = CFR_ACC_PUBLIC,
					   .name = "<init>",
					   .max_stack = 1,
					   .max_locals = 1,
					   .code = jw_span(body, sizeof(body)) },
			   NULL, &w);
		if (major == 49) {
			is_int(w.code.handler_count, 1);
			is_int(cfr_code_handler(&w.code, 0).end_pc, 15);
		} else {
			/* before super(), and after it; the call itself cannot be covered */
			is_int(w.code.handler_count, 2);
			is_int(cfr_code_handler(&w.code, 0).start_pc, 6);
			is_int(cfr_code_handler(&w.code, 0).end_pc, 11);
			is_int(cfr_code_handler(&w.code, 1).start_pc, 14);
			is_int(cfr_code_handler(&w.code, 1).end_pc, 15);
			ok(cfr_code_handler(&w.code, 0).handler_pc !=
			   cfr_code_handler(&w.code, 1).handler_pc);
		}
		woven_free(&w);
	}
}
