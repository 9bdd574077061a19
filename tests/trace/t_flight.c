/*
 * t_flight.c: exceptions thrown, in flight and caught, and objects made, in recordings made by
 * hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"

#include "base/banned.h"

#define T 1000000

/* Objects of a class that meta names, and of one that it does not. */
#define BOOM    jwr_object(7, 5)
#define BANG    jwr_object(8, 5)
#define UNKNOWN jwr_object(9, 6)

static struct make begin(const char *name)
{
	struct make m = make_begin(name);

	make_meta(&m, "class|5|acme.Boom");
	make_thread(&m, 1, 0, "main");
	return m;
}

static void at(struct make *m, uint64_t ns, enum jwr_kind kind, uint64_t payload)
{
	make_event(m, 1, T + 2 * ns, kind, payload);
}

/* The text of the .prv of NAME, to be freed. */
static char *convert(const char *name, const char *map)
{
	static struct trace_summary summary;
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);

	if (!ok(make_convert(&path, 1, name, map, &arena, &summary, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(name), 0);
	jw_arena_free(&arena);
	return make_slurp(make_path("%s.prv", name));
}

static void has(const char *text, const char *line)
{
	if (!ok(strstr(text, line) != NULL))
		tap_note("no line %s", line);
}

static void has_not(const char *text, const char *part)
{
	if (!ok(strstr(text, part) == NULL))
		tap_note("there is %s", part);
}

TEST(from_the_throw_to_the_catch)
{
	struct make m = begin("flight");

	at(&m, 500, JWR_ENTER, make_method(0));
	at(&m, 1000, JWR_ENTER, make_method(1));
	at(&m, 1500, JWR_THROWN, BOOM);
	at(&m, 2000, JWR_FAIL, make_method(1));
	at(&m, 2500, JWR_CAUGHT, BOOM);
	at(&m, 9000, JWR_EXIT, make_method(0));
	make_finish(&m, true);
	char *prv = convert("flight", NULL);

	has(prv, "1:1:1:1:1:1501:2501:15\n");
	has(prv, "2:1:1:1:1:1501:48100006:1:48000002:1\n");
	has(prv, "2:1:1:1:1:2501:48100008:1:48000002:0\n");
	free(prv);
	char *pcf = make_slurp(make_path("flight.pcf"));

	has(pcf, "48100008    Java exception caught\nVALUES\n0      End\n1      acme.Boom\n");
	free(pcf);
}

TEST(a_finally_throws_it_on)
{
	struct make m = begin("finally");

	at(&m, 500, JWR_ENTER, make_method(0));
	at(&m, 1000, JWR_THROWN, BOOM);
	at(&m, 1500, JWR_ENTER, make_method(1)); /* in finally, another one */
	at(&m, 1600, JWR_THROWN, BANG);
	at(&m, 1700, JWR_CAUGHT, BANG);
	at(&m, 2000, JWR_EXIT, make_method(1));
	at(&m, 2500, JWR_THROWN, BOOM);
	at(&m, 3000, JWR_CAUGHT, BOOM);
	at(&m, 9000, JWR_EXIT, make_method(0));
	make_finish(&m, true);
	char *prv = convert("finally", NULL);

	has(prv, "2:1:1:1:1:1001:48100006:1:48000002:1\n");
	has(prv, "2:1:1:1:1:1501:48000002:0:60000019:2\n");
	has(prv, "2:1:1:1:1:2501:48000002:1\n"); /* not thrown once more */
	has(prv, "1:1:1:1:1:2501:3001:15\n");
	has_not(prv, "48100007");
	free(prv);
}

TEST(who_has_caught_it_throws_it_again)
{
	struct make m = begin("again");

	at(&m, 1000, JWR_THROWN, BOOM);
	at(&m, 1500, JWR_CAUGHT, BOOM);
	at(&m, 2000, JWR_THROWN, BOOM);
	at(&m, 2500, JWR_CAUGHT, BOOM);
	make_finish(&m, true);
	char *prv = convert("again", NULL);

	has(prv, "2:1:1:1:1:2001:48100007:1:48000002:1\n");
	has(prv, "2:1:1:1:1:2501:48100008:1:48000002:0\n");
	free(prv);
}

TEST(out_of_the_outermost_frame_it_is_gone)
{
	struct make m = begin("gone");

	at(&m, 500, JWR_ENTER, make_method(0));
	at(&m, 1000, JWR_THROWN, BOOM);
	at(&m, 1500, JWR_FAIL, make_method(0));
	at(&m, 90000, JWR_ENTER, make_method(1)); /* the next task of a pool */
	at(&m, 91000, JWR_EXIT, make_method(1));
	make_finish(&m, true);
	char *prv = convert("gone", NULL);

	has(prv, "1:1:1:1:1:1001:1501:15\n");
	has(prv, "2:1:1:1:1:1501:48100024:1:60000019:0:48000002:0\n");
	free(prv);
}

TEST(one_that_nobody_saw_thrown_is_thrown_where_it_is_caught)
{
	struct make m = begin("unseen");

	at(&m, 1000, JWR_CAUGHT, UNKNOWN);
	at(&m, 2000, JWR_THROWN, BOOM);
	at(&m, 2500, JWR_WAIT, 3);
	at(&m, 3500, JWR_WAITED, 3);
	make_finish(&m, true);
	char *prv = convert("unseen", NULL), *pcf = make_slurp(make_path("unseen.pcf"));

	has(prv, "2:1:1:1:1:1001:48100006:1:48100008:1\n");
	has(prv, "1:1:1:1:1:2501:3501:5\n");
	has(pcf, "1      unknown class\n2      acme.Boom\n");
	free(prv);
	free(pcf);
}

TEST(what_a_frame_returns_from_has_landed)
{
	struct make m = begin("landed");

	at(&m, 500, JWR_ENTER, make_method(0));
	at(&m, 600, JWR_ENTER, make_method(1));
	at(&m, 1000, JWR_THROWN, BOOM);
	at(&m, 1500, JWR_FAIL, make_method(1));
	at(&m, 2000, JWR_EXIT,
	   make_method(0)); /* a handler that is not woven, or finally returns */
	at(&m, 3000, JWR_THROWN, BOOM);
	at(&m, 3500, JWR_CAUGHT, BOOM);
	make_finish(&m, true);
	char *prv = convert("landed", NULL);

	has(prv, "2:1:1:1:1:3001:48100007:1:48000002:1\n");
	free(prv);
}

TEST(objects_and_lengths_of_arrays)
{
	static const struct make_site sites[] = {
		{ -1, "acme.Thing.new()V", "" },
		{ -1, "int[].new()V", "" },
		{ -1, "acme.Kernel.step(I)I", "|arg0:value:48200001|return:value:48200003" }
	};
	struct make m = begin("made");

	make_call(&m, 1, T + 1000, 2, 0);
	at(&m, 500, JWR_VALUE, 17);
	at(&m, 1000, JWR_CREATED, make_site(0));
	at(&m, 1500, JWR_CREATED, make_site(1));
	at(&m, 1500, JWR_VALUE, 40);
	at(&m, 2000, JWR_VALUE, 99);
	make_returned(&m, 1, T + 4000, 2);
	at(&m, 3000, JWR_CREATED, make_site(9)); /* of which no map tells */
	at(&m, 3500, JWR_CREATED, make_site(1));
	at(&m, 3500, JWR_VALUE, UINT64_C(1) << 54); /* damage: no array is as long */
	make_finish(&m, true);
	char *prv = convert("made", make_sites("made.map", sites, 3));
	char *pcf = make_slurp(make_path("made.pcf"));

	has(prv, "2:1:1:1:1:1001:48100010:1\n");
	has(prv, "2:1:1:1:1:1501:48100010:2:48100011:40\n");
	has(prv, ":48100011:9007199254740992\n");
	has(prv, ":48200003:99"); /* lengths are no captures of the call around them */
	has(pcf, "1      acme.Thing\n2      int()\n3      unknown class\n");
	free(prv);
	free(pcf);
}
