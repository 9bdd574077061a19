/*
 * t_probes.c: how long probes are, which locals they take, and what they leave out.
 */
#include "weaver/class/captures.h"
#include "weaver/class/probes.h"

#include "tests/tap.h"

#include "base/banned.h"

static struct jw_arena arena;

/* A rule's captures out of the words of WHAT; AS of all of them. */
static void about_of(const char *const *what, enum jw_capture_as as, struct rules_about *out)
{
	*out = (struct rules_about){ .state = RULES_NO_STATE };
	for (; *what; what++) {
		struct jw_capture *c = &out->captures[out->capture_count++];

		*c = (struct jw_capture){ .as = as, .label = "" };
		ok(jw_capture_of(jw_span_str(*what), c));
	}
}

static struct weave_join pick(const char *const *what, enum jw_capture_as as,
			      const char *descriptor, bool has_this)
{
	struct weave_signature signature = { jw_span_str(descriptor), has_this, false };
	struct weave_join join = { 0 };
	struct rules_about about;

	about_of(what, as, &about);
	ok(weave_pick_captures(&about, &signature, &arena, &join, NULL) == JW_OK);
	return join;
}

static const char *const all[] = { "this", "arg0", "arg1", "return", "exception", NULL };

TEST(what_a_method_has_not_is_left_out)
{
	is_int(pick(all, JW_AS_COUNT, "(ILjava/lang/Object;)V", true).capture_count, 4);
	is_int(pick(all, JW_AS_COUNT, "()J", false).capture_count, 2);
	/* of numbers there is only the value; arrays have none */
	is_int(pick(all, JW_AS_IDENTITY, "(J[I)D", false).capture_count, 2);
	is_int(pick(all, JW_AS_VALUE, "(J[I)D", false).capture_count, 3);
	/* of objects, those that may be in a box, or constants of an enum */
	is_int(pick(all, JW_AS_VALUE, "(Ljava/lang/String;Ljava/lang/Class;)V", false)
		       .capture_count,
	       1);
	is_int(pick(all, JW_AS_VALUE, "(Ljava/lang/Integer;Lacme/Color;)Ljava/lang/Object;", false)
		       .capture_count,
	       4);
	is_int(pick(all, JW_AS_LENGTH, "([ILjava/lang/String;)Ljava/util/List;", false)
		       .capture_count,
	       3);
	is_int(pick(all, JW_AS_LENGTH, "(Ljava/nio/ByteBuffer;Ljava/nio/file/Path;)V", false)
		       .capture_count,
	       2);
	is_int(pick(all, JW_AS_STRING, "([CLjava/lang/CharSequence;)I", false).capture_count, 2);
	is_int(pick(all, JW_AS_CLASS, "(ZLjava/lang/Object;)V", true).capture_count, 3);
}

TEST(an_open_form_becomes_what_the_type_has)
{
	struct weave_join join = pick(all, JW_AS_COUNT, "(F[J)Ljava/lang/Object;", true);
	static const enum jw_capture_as want[] = { JW_AS_IDENTITY, JW_AS_VALUE, JW_AS_IDENTITY,
						   JW_AS_IDENTITY, JW_AS_IDENTITY };

	is_int(join.capture_count, 5);
	for (size_t i = 0; i < join.capture_count && i < 5; i++)
		is_int(join.captures[i].as, want[i]);
}

/* A body with MAX_LOCALS and COUNT calls that capture WHAT. */
static struct weave_body body(uint32_t max_locals, const char *const *what, const char *descriptor,
			      uint32_t count, struct weave_call *calls)
{
	static struct cfr_class cls;
	struct weave_body b = { .arena = &arena, .cls = &cls };

	cls.major = CFR_MAJOR_STRICT;
	b.code.max_locals = (uint16_t)max_locals;
	b.plan.arena = &arena;
	b.plan.calls = calls;
	b.plan.call_count = count;
	for (uint32_t i = 0; i < count; i++) {
		calls[i] =
			(struct weave_call){ .descriptor = jw_span_str(descriptor), .tail = true };
		calls[i].join = pick(what, JW_AS_COUNT, descriptor, true);
	}
	return b;
}

static const char *const receiver[] = { "this", NULL };
static const char *const last[] = { "arg2", NULL };
static const char *const first[] = { "arg0", NULL };
static const char *const none[] = { NULL };

TEST(only_what_is_above_goes_into_locals)
{
	struct weave_call calls[2];
	struct weave_body b = body(7, none, "(IJLjava/lang/Object;)V", 1, calls);

	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(b.fresh_locals, 0);
	is_int(calls[0].join.enter, 6);
	is_int(calls[0].join.exit, 6);
	is_int(calls[0].join.fail, 7);
	b = body(7, last, "(IJLjava/lang/Object;)V", 1, calls);
	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(b.fresh_locals, 0);
	is_int(calls[0].join.enter, 6 + 4); /* dup, invokestatic */
	b = body(7, first, "(IJLjava/lang/Object;)V", 1, calls);
	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(b.fresh_locals, 3);
	/* two stores; dup, i2l, invokestatic; two loads, and the reference cleared */
	is_int(calls[0].join.enter, 6 + 4 + 5 + 4 + 3);
	b = body(7, receiver, "(IJLjava/lang/Object;)V", 1, calls);
	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(b.fresh_locals, 4);
	is_int(calls[0].spill, 7);
	ok(b.probe_used[WEAVE_PROBE_OBJECT] && !b.probe_used[WEAVE_PROBE_VALUE]);
}

static const char *const context[] = { "arg0", "context", NULL };

TEST(a_trace_context_is_asked_for_around_it_and_is_no_capture)
{
	struct weave_call calls[1];
	struct weave_body b = body(7, context, "(I)V", 1, calls);

	is_int(calls[0].join.capture_count, 1);
	ok(calls[0].join.context);
	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(calls[0].join.enter, 3 + 6 + 5); /* dup, i2l, invokestatic */
	is_int(calls[0].join.exit, 6 + 3);
	is_int(calls[0].join.fail, 6 + 3 + 1);
	ok(b.probe_used[WEAVE_PROBE_CONTEXT]);
}

static const char *const filled[] = { "this", "filled0", "filled1", NULL };

TEST(what_is_filled_waits_in_locals_behind_those_of_the_others)
{
	struct weave_call calls[1];
	struct weave_body b =
		body(7, filled, "(Ljava/nio/ByteBuffer;Ljava/net/DatagramPacket;)V", 1, calls);

	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(calls[0].spill, 7);
	is_int(calls[0].filled, 7 + 2);
	is_int(b.fresh_locals, 2 + 2 * 2);
	/* spilled, this, back and cleared; of each: two copies, a store, the probe, a store */
	is_int(calls[0].join.enter, 6 + 2 * 2 + 4 + 2 * (2 + 3) + 2 * (1 + 1 + 2 + 3 + 2));
	/* of each: two loads, the probe; cleared */
	is_int(calls[0].join.exit, 6 + 2 * (2 + 2 + 3 + 3));
	is_int(calls[0].join.fail, 7);
	ok(b.probe_used[WEAVE_PROBE_ROOM] && b.probe_used[WEAVE_PROBE_FILLED]);
}

TEST(only_calls_fill_and_only_what_counts_what_is_in_it)
{
	static const char *const two[] = { "filled0", "filled1", NULL };
	struct weave_signature method = { JW_SPAN_LIT("(Ljava/nio/CharBuffer;)V"), false, true };
	struct weave_join join = { 0 };
	struct rules_about about;

	is_int(pick(two, JW_AS_COUNT, "([BLjava/nio/ByteBuffer;)V", true).capture_count, 1);
	is_int(pick(two, JW_AS_COUNT, "(Ljava/lang/Object;J)V", true).capture_count, 0);
	is_int(pick(two, JW_AS_COUNT, "(Ljava/nio/file/Path;)V", true).capture_count, 0);
	about_of(two, JW_AS_COUNT, &about);
	ok(weave_pick_captures(&about, &method, &arena, &join, NULL) == JW_OK);
	is_int(join.capture_count, 0);
}

TEST(locals_beyond_255_take_wide_instructions)
{
	struct weave_call calls[1];
	struct weave_body b = body(255, receiver, "(II)V", 1, calls);

	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(calls[0].join.enter, 6 + (2 + 4) + 4 + (2 + 4));
}

/* Of version 50, too: frames of it may be wrong. */
TEST(calls_share_their_locals_but_where_types_may_be_inferred)
{
	struct weave_call calls[2];
	struct weave_body b = body(3, receiver, "(IJ)V", 2, calls);

	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(b.fresh_locals, 3);
	is_int(calls[1].spill, 3);
	b = body(3, receiver, "(IJ)V", 2, calls);
	b.cls->major = CFR_MAJOR_FRAMES;
	is_int(weave_measure_probes(&b, NULL), JW_OK);
	is_int(b.fresh_locals, 6);
	is_int(calls[1].spill, 6);
}

TEST(no_more_locals_than_there_can_be)
{
	for (uint32_t max_locals = 65531; max_locals <= 65533; max_locals++) {
		struct weave_call calls[1];
		struct weave_body b = body(max_locals, receiver, "(IJ)V", 1, calls);
		enum jw_status status = weave_measure_probes(&b, NULL);

		is_int(status, max_locals <= 65532 ? JW_OK : JW_UNSUPPORTED);
		is_int(b.skip, max_locals <= 65532 ? WEAVE_SKIP_NOT : WEAVE_SKIP_TOO_LARGE);
		is_str(b.detail, max_locals <= 65532 ? NULL : "65536 local variables");
	}
	jw_arena_free(&arena);
}
