/*
 * t_captures.c: captures of several processes, of all 64 bits, and those that no trace can show.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"

#include "base/banned.h"

#define T 1000000

enum { TEXT, NUMBER, FEW };
static const struct make_site sites[] = {
	[TEXT] = { -1, "acme.Task.run(Ljava/lang/String;)V", "|arg0:string:48200020:0:name" },
	[NUMBER] = { -1, "acme.Task.run(J)V", "|arg0:value:48200021:0:id" },
	[FEW] = { -1, "acme.Task.run(I)V", "|arg0:string:48200022:2:few" },
};

static struct trace_summary summary;

/* Converts the N recordings NAMES together as the first; the text of the .prv, to be freed. */
static char *convert(const char *const *names, size_t n)
{
	static struct jw_arena arena;
	const char *paths[4], *map = make_sites("captures.map", sites, 3);
	struct jw_err e = { 0 };

	jw_arena_free(&arena);
	memset(&summary, 0, sizeof(summary));
	for (size_t i = 0; i < n; i++)
		paths[i] = make_path("%s.jwr", names[i]);
	if (!ok(make_convert(paths, n, names[0], map, &arena, &summary, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(names[0]), 0);
	return make_slurp(make_path("%s.prv", names[0]));
}

static void make_captured(struct make *m, uint64_t tick, uint32_t site, uint64_t value)
{
	make_event(m, 1, tick, JWR_ENTER, make_site(site));
	make_event(m, 1, tick, JWR_VALUE, value);
	make_returned(m, 1, tick + 500, site);
}

/* A recording NAME that captures the texts of META, numbers 1 to N. */
static void make_texts(const char *name, const char *meta, uint64_t n)
{
	struct make m = make_begin(name);

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "%s", meta);
	for (uint64_t i = 0; i <= n; i++)
		make_captured(&m, T + 1000 + 1000 * i, TEXT, i);
	make_finish(&m, true);
}

/* Of "maxValues": 2 the first two are told apart, whatever other captures tell. */
TEST(texts_beyond_the_most_share_a_number)
{
	static const uint64_t order[] = { 4, 2, 1, 3, 2, 0, 4 };
	static const char *const names[] = { "few" };
	struct make m = make_begin(names[0]);

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "text|1|a\ntext|2|b\ntext|3|c\ntext|4|d");
	make_captured(&m, T + 500, TEXT, 3);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		make_captured(&m, T + 1000 + 1000 * i, FEW, order[i]);
	make_finish(&m, true);
	char *prv = convert(names, 1), *p = prv;
	char *pcf = make_slurp(make_path("few.pcf")), found[64] = "";
	size_t n = 0;

	while ((p = strstr(p, ":48200022:"))) {
		p += strlen(":48200022:");
		n += (size_t)snprintf(found + n, sizeof(found) - n, "%.*s ", (int)strcspn(p, ":\n"),
				      p);
	}
	is_str(found, "4 2 5 5 2 0 4 ");
	ok(strstr(prv, ":48200020:3\n"));
	ok(strstr(pcf, "0    48200022    few (48200022)\nVALUES\n0      null\n1      a\n2      b\n"
		       "3      c\n4      d\n5      (others)\n\n"));
	free(prv);
	free(pcf);
}

TEST(equal_texts_of_processes_have_one_number)
{
	static const char *const names[] = { "texts1", "texts2", "texts3" };

	make_texts(names[0], "text|1|map\ntext|2|reduce", 2);
	make_texts(names[1], "text|1|reduce\ntext|2|sort\ntext|3|map", 3);
	make_texts(names[2], "text|1|map\ntext|1|not told again\ntext|7|sort", 2);
	char *prv = convert(names, 3);
	char *pcf = make_slurp(make_path("texts1.pcf"));

	ok(strstr(prv, ":1:1:1:501:60000019:1:48200020:0\n"));
	ok(strstr(prv, ":1:1:1:1001:60000019:1:48200020:1\n"));
	ok(strstr(prv, ":1:1:1:1501:60000019:1:48200020:2\n"));
	ok(strstr(prv, ":1:2:1:1001:60000019:1:48200020:2\n"));
	ok(strstr(prv, ":1:2:1:1501:60000019:1:48200020:3\n"));
	ok(strstr(prv, ":1:2:1:2001:60000019:1:48200020:1\n"));
	ok(strstr(prv, ":1:3:1:1001:60000019:1:48200020:1\n"));
	ok(strstr(prv, ":1:3:1:1501:60000019:1:48200020:0\n")); /* 2 was not told */
	ok(strstr(pcf, "0    48200020    name (48200020)\nVALUES\n0      null\n1      map\n"
		       "2      reduce\n3      sort\n\n"));
	free(prv);
	free(pcf);
}

TEST(numbers_of_all_bits_are_taken)
{
	static const char *const names[] = { "wide" };
	struct make m = make_begin("wide");

	make_thread(&m, 1, 0, "main");
	make_captured(&m, T + 1000, NUMBER, UINT64_C(1) << 53);
	make_captured(&m, T + 2000, NUMBER, (UINT64_C(1) << 53) + 1);
	make_event(&m, 1, T + 3000, JWR_ENTER, make_site(NUMBER));
	make_event(&m, 1, T + 3000, JWR_WIDE, 0x12); /* 0x1200000000000005 */
	make_event(&m, 1, T + 3000, JWR_VALUE, 5);
	make_returned(&m, 1, T + 3500, NUMBER);
	make_captured(&m, T + 4000, NUMBER, 6);      /* of which that says nothing */
	make_event(&m, 1, T + 5000, JWR_WIDE, 0xff); /* of nothing */
	make_event(&m, 1, T + 5000, JWR_ENTER, make_site(NUMBER));
	make_event(&m, 1, T + 5000, JWR_WIDE, 0); /* what a VALUE alone would be negative */
	make_event(&m, 1, T + 5000, JWR_VALUE, 7);
	make_returned(&m, 1, T + 5500, NUMBER);
	make_captured(&m, T + 6000, NUMBER, JWR_PAYLOAD_MASK); /* -1 */
	make_finish(&m, true);
	char *prv = convert(names, 1);
	bool told = false;

	ok(strstr(prv, ":501:60000019:1:48200021:9007199254740992\n"));
	ok(strstr(prv, ":1001:60000019:1\n"));
	ok(strstr(prv, ":1501:60000019:1\n"));
	ok(strstr(prv, ":2001:60000019:1:48200021:6\n"));
	ok(strstr(prv, ":2501:60000019:1:48200021:7\n"));
	ok(strstr(prv, ":3001:60000019:1\n"));
	for (size_t i = 0; i < summary.warning_count; i++)
		told |= strcmp(summary.warnings[i],
			       "3 captured values of id (type 48200021) below 0 or above 2^53, "
			       "left "
			       "out: no reader of traces knows such numbers for sure") == 0;
	ok(told);
	free(prv);
}
