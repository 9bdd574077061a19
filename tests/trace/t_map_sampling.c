/*
 * t_map_sampling.c: rules that record less than all calls, in a method map and in labels.
 */
#include <stdio.h>
#include <string.h>

#include "tests/tap.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/names/map_sampling.h"

#include "base/banned.h"

static struct jw_err err;

static const char *said(struct trace_map_sampling s)
{
	static char text[128];
	struct jw_buf b = { 0 };

	trace_put_sampling(&b, &s);
	snprintf(text, sizeof(text), "%.*s", (int)b.n, (const char *)b.p);
	jw_buf_free(&b);
	return text;
}

TEST(in_words)
{
	is_str(said((struct trace_map_sampling){ .every = 100 }), "1 of 100");
	is_str(said((struct trace_map_sampling){ .max_depth = 1 }), "depth 1");
	is_str(said((struct trace_map_sampling){ .min_ns = 1500000 }), "from 1.5ms");
	is_str(said((struct trace_map_sampling){ .min_ns = 1000000000 }), "from 1s");
	is_str(said((struct trace_map_sampling){ .min_ns = 1000001 }), "from 1.000001ms");
	is_str(said((struct trace_map_sampling){ .min_ns = 250 }), "from 250ns");
	is_str(said((struct trace_map_sampling){ .min_ns = UINT64_MAX }),
	       "from 18446744073.709551615s");
	is_str(said((struct trace_map_sampling){ 7, 3, 10000 }), "1 of 7, depth 3, from 10us");
}

static const char method_line[] = "c\t0000000001\ta.B\tB.java\n"
				  "m\t1\t3\t0\tm\t()V\tsome\n"
				  "m\t2\t3\t0\tn\t()V\tother\n"
				  "s\t32768\t4\t-\tjava.lang.T\tc\t()V\tm\t()V\tsome\n"
				  "s\t32769\t5\t-\tjava.lang.T\tc\t()V\tm\t()V\tother\n"
				  "s\t32770\t6\t-\tjava.lang.T\tc\t()V\tm\t()V\tsome\n";

static struct trace_map *map_of(const char *lines)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };

	jw_put_str(&text, "jweave-map\t1\n");
	jw_put_str(&text, lines);
	jw_put_str(&text, method_line);
	is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_OK);
	jw_buf_free(&text);
	return map;
}

static void label_is(const struct trace_map *map, uint16_t index, const char *want)
{
	const struct trace_method *m = trace_map_find(map, jwr_method_id(1, index));
	struct jw_buf b = { 0 };

	if (ok(m != NULL))
		trace_put_label(&b, m, m->id, SIZE_MAX);
	jw_put_u1(&b, 0);
	is_str((const char *)b.p, want);
	jw_buf_free(&b);
}

TEST(labels_say_it)
{
	struct trace_map *map = map_of("a\tsome\t100\t0\t1000\na\tnobody\t2\t0\t0\n");

	label_is(map, 1, "B.m (1 of 100, from 1us) [a.B.m():void B.java:3]");
	label_is(map, 2, "B.n [a.B.n():void B.java:3]");
	trace_map_free(map);
}

TEST(calls_of_which_all_are_there_have_a_label_of_their_own)
{
	struct trace_map *map = map_of("a\tsome\t100\t0\t0\n");
	uint64_t first = jwr_method_id(1, 32768);

	ok(trace_map_same(map, jwr_method_id(1, 32769)) != first);
	ok(trace_map_same(map, jwr_method_id(1, 32770)) == first);
	label_is(map, 32768, "T.c (1 of 100) [java.lang.T.c():void]");
	label_is(map, 32769, "T.c [java.lang.T.c():void]");
	trace_map_free(map);
	map = map_of("");
	ok(trace_map_same(map, jwr_method_id(1, 32769)) == first);
	trace_map_free(map);
}

TEST(what_is_written_is_read)
{
	struct trace_map_sampling_rule *list = NULL;
	struct jw_arena arena = { 0 };
	struct jw_buf b = { 0 };
	char text[][24] = { "a", "r", "7", "3", "18446744073709551615", "x" };
	char *fields[] = { text[0], text[1], text[2], text[3], text[4] }, zero[] = "0";

	trace_map_put_sampling(&b, JW_SPAN_LIT("r"),
			       &(struct trace_map_sampling){ 7, 3, UINT64_MAX });
	jw_put_u1(&b, 0);
	is_str((const char *)b.p, "a\tr\t7\t3\t18446744073709551615\n");
	ok(trace_map_take_sampling(&arena, &list, fields, 5, false));
	const struct trace_map_sampling *s = trace_map_sampling_of(list, "r");
	ok(s && s->every == 7 && s->max_depth == 3 && s->min_ns == UINT64_MAX);
	ok(!trace_map_sampling_of(list, "q"));
	fields[1] = text[4]; /* of a summary */
	ok(trace_map_take_sampling(&arena, &list, fields, 5, true));
	s = trace_map_sampling_of(list, text[4]);
	ok(s && s->every == 7 && s->max_depth == 3 && s->min_ns == 0);
	fields[1] = fields[2] = fields[3] = zero;
	ok(trace_map_take_sampling(&arena, &list, fields, 5, true));
	ok(!trace_map_sampling_of(list, zero));
	ok(!trace_map_take_sampling(&arena, &list, fields, 4, false));
	fields[3] = text[5];
	ok(!trace_map_take_sampling(&arena, &list, fields, 5, false));
	jw_buf_free(&b);
	jw_arena_free(&arena);
}

TEST(damage_is_named)
{
	struct trace_map *map = trace_map_new();

	is_int(trace_map_add(map, JW_SPAN_LIT("jweave-map\t1\na\tr\t1\n"), "x", &err), JW_INPUT);
	is_str(err.text,
	       "x:2: damaged method map: what a rule leaves out is \"a RULE EVERY DEPTH NS\"");
	trace_map_free(map);
}
