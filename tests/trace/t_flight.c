/*
 * t_flight.c: exceptions thrown, in flight and caught, and objects made, in recordings made by
 * hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"
#include "tests/trace/make_prv.h"

#include "base/banned.h"

#define T MAKE_START

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

TEST(from_the_throw_to_the_catch)
{
	struct make m = begin("flight");

	make_at(&m, 500, JWR_ENTER, make_method(0));
	make_at(&m, 1000, JWR_ENTER, make_method(1));
	make_at(&m, 1500, JWR_THROWN, BOOM);
	make_at(&m, 2000, JWR_FAIL, make_method(1));
	make_at(&m, 2500, JWR_CAUGHT, BOOM);
	make_at(&m, 9000, JWR_EXIT, make_method(0));
	make_finish(&m, true);
	char *prv = make_prv("flight", NULL, NULL);

	has_text(prv, "1:1:1:1:1:1501:2501:15\n");
	has_text(prv, "2:1:1:1:1:1501:48100006:1:48000002:1\n");
	has_text(prv, "2:1:1:1:1:2501:48100008:1:48000002:0\n");
	free(prv);
	char *pcf = make_slurp(make_path("flight.pcf"));

	has_text(pcf, "48100008    Java exception caught\nVALUES\n0      End\n1      acme.Boom\n");
	free(pcf);
}

TEST(a_finally_throws_it_on)
{
	struct make m = begin("finally");

	make_at(&m, 500, JWR_ENTER, make_method(0));
	make_at(&m, 1000, JWR_THROWN, BOOM);
	make_at(&m, 1500, JWR_ENTER, make_method(1)); /* in finally, another one */
	make_at(&m, 1600, JWR_THROWN, BANG);
	make_at(&m, 1700, JWR_CAUGHT, BANG);
	make_at(&m, 2000, JWR_EXIT, make_method(1));
	make_at(&m, 2500, JWR_THROWN, BOOM);
	make_at(&m, 3000, JWR_CAUGHT, BOOM);
	make_at(&m, 9000, JWR_EXIT, make_method(0));
	make_finish(&m, true);
	char *prv = make_prv("finally", NULL, NULL);

	has_text(prv, "2:1:1:1:1:1001:48100006:1:48000002:1\n");
	has_text(prv, "2:1:1:1:1:1501:48000002:0:60000019:2\n");
	has_text(prv, "2:1:1:1:1:2501:48000002:1\n"); /* not thrown once more */
	has_text(prv, "1:1:1:1:1:2501:3001:15\n");
	has_no_text(prv, "48100007");
	free(prv);
}

TEST(who_has_caught_it_throws_it_again)
{
	struct make m = begin("again");

	make_at(&m, 1000, JWR_THROWN, BOOM);
	make_at(&m, 1500, JWR_CAUGHT, BOOM);
	make_at(&m, 2000, JWR_THROWN, BOOM);
	make_at(&m, 2500, JWR_CAUGHT, BOOM);
	make_finish(&m, true);
	char *prv = make_prv("again", NULL, NULL);

	has_text(prv, "2:1:1:1:1:2001:48100007:1:48000002:1\n");
	has_text(prv, "2:1:1:1:1:2501:48100008:1:48000002:0\n");
	free(prv);
}

TEST(out_of_the_outermost_frame_it_is_gone)
{
	struct make m = begin("gone");

	make_at(&m, 500, JWR_ENTER, make_method(0));
	make_at(&m, 1000, JWR_THROWN, BOOM);
	make_at(&m, 1500, JWR_FAIL, make_method(0));
	make_at(&m, 90000, JWR_ENTER, make_method(1)); /* the next task of a pool */
	make_at(&m, 91000, JWR_EXIT, make_method(1));
	make_finish(&m, true);
	char *prv = make_prv("gone", NULL, NULL);

	has_text(prv, "1:1:1:1:1:1001:1501:15\n");
	has_text(prv, "2:1:1:1:1:1501:48100024:1:60000019:0:48000002:0\n");
	free(prv);
}

TEST(one_that_nobody_saw_thrown_is_thrown_where_it_is_caught)
{
	struct make m = begin("unseen");

	make_at(&m, 1000, JWR_CAUGHT, UNKNOWN);
	make_at(&m, 2000, JWR_THROWN, BOOM);
	make_at(&m, 2500, JWR_WAIT, 3);
	make_at(&m, 3500, JWR_WAITED, 3);
	make_finish(&m, true);
	char *prv = make_prv("unseen", NULL, NULL), *pcf = make_slurp(make_path("unseen.pcf"));

	has_text(prv, "2:1:1:1:1:1001:48100006:1:48100008:1\n");
	has_text(prv, "1:1:1:1:1:2501:3501:5\n");
	has_text(pcf, "1      unknown class\n2      acme.Boom\n");
	free(prv);
	free(pcf);
}

TEST(what_a_frame_returns_from_has_landed)
{
	struct make m = begin("landed");

	make_at(&m, 500, JWR_ENTER, make_method(0));
	make_at(&m, 600, JWR_ENTER, make_method(1));
	make_at(&m, 1000, JWR_THROWN, BOOM);
	make_at(&m, 1500, JWR_FAIL, make_method(1));
	make_at(&m, 2000, JWR_EXIT,
		make_method(0)); /* a handler that is not woven, or finally returns */
	make_at(&m, 3000, JWR_THROWN, BOOM);
	make_at(&m, 3500, JWR_CAUGHT, BOOM);
	make_finish(&m, true);
	char *prv = make_prv("landed", NULL, NULL);

	has_text(prv, "2:1:1:1:1:3001:48100007:1:48000002:1\n");
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
	make_at(&m, 500, JWR_VALUE, 17);
	make_at(&m, 1000, JWR_CREATED, make_site(0));
	make_at(&m, 1500, JWR_CREATED, make_site(1));
	make_at(&m, 1500, JWR_VALUE, 40);
	make_at(&m, 2000, JWR_VALUE, 99);
	make_returned(&m, 1, T + 4000, 2);
	make_at(&m, 3000, JWR_CREATED, make_site(9)); /* of which no map tells */
	make_at(&m, 3500, JWR_CREATED, make_site(1));
	make_at(&m, 3500, JWR_VALUE, UINT64_C(1) << 54); /* damage: no array is as long */
	make_finish(&m, true);
	char *prv = make_prv("made", make_sites("made.map", sites, 3), NULL);
	char *pcf = make_slurp(make_path("made.pcf"));

	has_text(prv, "2:1:1:1:1:1001:48100010:1\n");
	has_text(prv, "2:1:1:1:1:1501:48100010:2:48100011:40\n");
	has_text(prv, ":48100011:9007199254740992\n");
	has_text(prv, ":48200003:99"); /* lengths are no captures of the call around them */
	has_text(pcf, "1      acme.Thing\n2      int()\n3      unknown class\n");
	free(prv);
	free(pcf);
}
