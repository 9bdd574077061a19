/* What a method map says that calls and methods are about: operations and captures. */
#include "trace/format/methodmap.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

static struct jw_err err;

static const struct jw_capture captures[] = {
	{ .what = JW_CAPTURE_THIS, .as = JW_AS_IDENTITY, .label = "" },
	{ .what = JW_CAPTURE_ARG,
	  .arg = 2,
	  .as = JW_AS_STRING,
	  .type = 48200001,
	  .max_values = 10,
	  .label = "a: b\tc" },
	{ .what = JW_CAPTURE_RETURN, .as = JW_AS_VALUE, .label = "" },
};

static void put_all(struct jw_buf *text, const struct trace_map_about *about, const char *label)
{
	struct trace_map_method m = { .index = 1,
				      .name = JW_SPAN_LIT("m"),
				      .descriptor = JW_SPAN_LIT("()V"),
				      .rule = JW_SPAN_LIT("r"),
				      .label = jw_span_str(label),
				      .about = *about };
	struct trace_map_site s = { .index = 32768,
				    .state = -1,
				    .owner = JW_SPAN_LIT("java/lang/Thread"),
				    .name = JW_SPAN_LIT("start"),
				    .descriptor = JW_SPAN_LIT("()V"),
				    .method = JW_SPAN_LIT("m"),
				    .method_descriptor = JW_SPAN_LIT("()V"),
				    .rule = JW_SPAN_LIT("r"),
				    .label = jw_span_str(label),
				    .about = *about };

	trace_map_put_header(text);
	trace_map_put_class(text, 1, JW_SPAN_LIT("a/B"), JW_SPAN_LIT("B.java"));
	trace_map_put_method(text, &m);
	trace_map_put_site(text, &s);
}

static void check_about(const struct trace_map_about *got, const struct trace_map_about *want)
{
	ok(got->operation == want->operation);
	is_int(got->size, want->size);
	is_int(got->capture_count, want->capture_count);
	for (size_t i = 0; i < got->capture_count && i < want->capture_count; i++) {
		const struct jw_capture *g = &got->captures[i], *w = &want->captures[i];

		is_int(g->what, w->what);
		is_int(g->arg, w->arg);
		is_int(g->as, w->as);
		is_int(g->type, w->type);
		is_int(g->max_values, w->max_values);
		is_str(g->label, w->label);
	}
}

static void check_round_trip(const struct trace_map_about *about, const char *label)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };
	static const uint16_t indices[] = { 1, 32768 };

	put_all(&text, about, label);
	is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_OK);
	for (size_t i = 0; i < 2; i++) {
		const struct trace_method *m = trace_map_find(map, jwr_method_id(1, indices[i]));

		if (!ok(m != NULL))
			continue;
		is_str(m->label, label);
		is_str(m->rule, "r");
		check_about(&m->about, about);
	}
	trace_map_free(map);
	jw_buf_free(&text);
}

TEST(operations_and_captures_come_back)
{
	const struct jw_operation *start = jw_operation_find(JW_SPAN_LIT("thread/start"));
	const struct jw_operation *read = jw_operation_find(JW_SPAN_LIT("io/read"));

	check_round_trip(&(struct trace_map_about){ 0 }, "");
	check_round_trip(&(struct trace_map_about){ 0 }, "label");
	check_round_trip(&(struct trace_map_about){ .operation = start }, "");
	check_round_trip(&(struct trace_map_about){ .operation = read, .size = 4 }, "label");
	check_round_trip(&(struct trace_map_about){ .captures = captures, .capture_count = 3 }, "");
	check_round_trip(&(struct trace_map_about){ read, 1, captures, 3, NULL }, "label");
}

TEST(as_many_captures_as_a_rule_may_have)
{
	struct jw_capture many[JW_CAPTURES];

	for (size_t i = 0; i < JW_CAPTURES; i++)
		many[i] = captures[i % 3];
	check_round_trip(
		&(struct trace_map_about){ .captures = many, .capture_count = JW_CAPTURES },
		"label");
}

/* After LINE, does the capture of type 7 hold? */
static void check_held(const char *line, enum jw_status status, enum jw_hold hold)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };

	trace_map_put_header(&text);
	jw_put_fmt(&text,
		   "%s\nc\t1\ta.B\t\nm\t0\t1\t1\tm\t()V\tr\t\t\targ0:value:7\treturn:value:7\n",
		   line);
	if (!is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), status))
		tap_note("%s", line);
	const struct trace_method *m = trace_map_find(map, jwr_method_id(1, 0));

	if (m && is_int(m->about.capture_count, 2)) {
		is_int(m->about.captures[0].hold, hold);
		ok(!m->about.captures[1].hold); /* of what comes after the call, whatever it says */
	}
	trace_map_free(map);
	jw_buf_free(&text);
}

TEST(captures_of_some_types_hold)
{
	static const uint32_t types[] = { 9, 7 };
	struct jw_buf text = { 0 };

	trace_map_put_held(&text, JW_HOLD_CALL, types, 0);
	is_int(text.n, 0);
	trace_map_put_held(&text, JW_HOLD_CALL, types, 2);
	trace_map_put_held(&text, JW_HOLD_AROUND, types, 1);
	jw_put_u1(&text, 0);
	is_str((const char *)text.p, "h\tcall\t9\t7\nh\taround\t9\n");
	jw_buf_free(&text);
	check_held("h\tcall\t9\t7", JW_OK, JW_HOLD_CALL);
	check_held("h\tcall\t7\nh\tcall\t9", JW_OK, JW_HOLD_CALL);
	check_held("h\taround\t7", JW_OK, JW_HOLD_AROUND);
	check_held("h\tcall\t8", JW_OK, JW_HOLD_NOT);
	check_held("h\tcall", JW_OK, JW_HOLD_NOT);
	check_held("h", JW_INPUT, JW_HOLD_NOT);
	check_held("h\t7", JW_INPUT, JW_HOLD_NOT);
	is_str(err.text, "x:2: damaged method map: what holds is \"h call|around TYPE...\", "
			 "at most 16 types in a line");
	check_held("h\tcall\t-7", JW_INPUT, JW_HOLD_NOT);
	check_held("h\tcall\t4294967296", JW_INPUT, JW_HOLD_NOT);
	check_held("h\tcall\t", JW_INPUT, JW_HOLD_NOT);
	check_held("h\tcall\t1\t2\t3\t4\t5\t6\t7\t8\t9\t1\t2\t3\t4\t5\t6\t7", JW_OK, JW_HOLD_CALL);
	check_held("h\tcall\t1\t2\t3\t4\t5\t6\t7\t8\t9\t1\t2\t3\t4\t5\t6\t7\t8", JW_INPUT,
		   JW_HOLD_NOT);
}

/* After LINE, what link is a method of rule r that captures arg0 and what it returns? */
static void check_link(const char *line, enum jw_status status, const char *want)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };
	char got[64] = "none";

	trace_map_put_header(&text);
	jw_put_fmt(&text,
		   "%s\nc\t1\ta.B\t\nm\t0\t1\t1\tm\t()V\tr\t\t\targ0:identity\targ0:value\targ1:"
		   "identity\treturn:string\n",
		   line);
	if (!is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), status))
		tap_note("%s", line);
	const struct trace_method *m = trace_map_find(map, jwr_method_id(1, 0));
	const struct trace_map_link *l = m ? m->about.link : NULL;

	if (l)
		snprintf(got, sizeof(got), "%s %s %u %u: %u %u", l->name, jw_link_ends[l->end],
			 l->n, l->early, l->parts[0], l->parts[1]);
	is_str(got, want);
	trace_map_free(map);
	jw_buf_free(&text);
}

TEST(links_of_rules)
{
	const struct jw_link link = { .name = "a\tb",
				      .end = JW_LINK_BOTH,
				      .n = 2,
				      .parts = { { JW_CAPTURE_ARG, 3 }, { JW_CAPTURE_THIS, 0 } } };
	struct jw_buf text = { 0 };

	trace_map_put_link(&text, JW_SPAN_LIT("r"), &link);
	jw_put_u1(&text, 0);
	is_str((const char *)text.p, "l\tr\tboth\ta\\x09b\targ3\tthis\n");
	jw_buf_free(&text);
	check_link("l\tr\tsend\tjob\targ0", JW_OK, "job send 1 1: 1 0");
	check_link("l\tr\treceive\tjob\treturn\targ0", JW_OK, "job receive 2 1: 3 1");
	check_link("l\tx\tsend\tjob\targ0", JW_OK, "none");
	check_link("l\tr\tsend\tjob\targ1", JW_OK, "none"); /* an identity */
	check_link("l\tr\tsend\tjob\targ0\targ2", JW_OK, "none");
	check_link("l\tr\tsend\tjob", JW_INPUT, "none");
	is_str(err.text, "x:2: damaged method map: a link is \"l RULE send|receive|both NAME "
			 "WHAT...\", of 1 to 4 captures");
	check_link("l\tr\tsend\t\targ0", JW_INPUT, "none");
	check_link("l\tr\tsent\tjob\targ0", JW_INPUT, "none");
	check_link("l\tr\tsend\tjob\tfilled0", JW_INPUT, "none");
	check_link("l\tr\tsend\tjob\targ256", JW_INPUT, "none");
	check_link("l\tr\tsend\tjob\targ0\targ0\targ0\targ0\targ0", JW_INPUT, "none");
	check_link("l", JW_INPUT, "none");
}

/* ABOUT after a method's label: read as STATUS. */
static void check_read(const char *about, enum jw_status status, size_t count)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };

	trace_map_put_header(&text);
	jw_put_fmt(&text, "c\t1\ta.B\t\nm\t0\t1\t1\tm\t()V\tr\t\t%s\n", about);
	if (!is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), status))
		tap_note("%s", about);
	const struct trace_method *m = trace_map_find(map, jwr_method_id(1, 0));

	ok((m != NULL) == (status == JW_OK));
	if (m)
		is_int(m->about.capture_count, count);
	trace_map_free(map);
	jw_buf_free(&text);
}

TEST(what_is_damaged_is_told)
{
	check_read("", JW_OK, 0);
	check_read("dance/step*7", JW_OK, 0); /* of a later version */
	check_read("\tthis:identity", JW_OK, 1);
	check_read("\tthis:value:7", JW_OK, 1);
	check_read("\tthis:value:7:8", JW_OK, 1);
	check_read("\tthis:value:7:8:a:b", JW_OK, 1);
	check_read("io/read*", JW_INPUT, 0);
	check_read("io/read*x", JW_INPUT, 0);
	check_read("io/read*4294967296", JW_INPUT, 0);
	check_read("\tthis", JW_INPUT, 0);
	check_read("\tthat:identity", JW_INPUT, 0);
	check_read("\targ:identity", JW_INPUT, 0);
	check_read("\tthis:self", JW_INPUT, 0);
	check_read("\tthis:value:x", JW_INPUT, 0);
	check_read("\tthis:value:1:x", JW_INPUT, 0);
	check_read("\tthis:identity\t", JW_INPUT, 0);
}
