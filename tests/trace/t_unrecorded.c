/*
 * t_unrecorded.c: what closed methods took while nothing was recorded of them, by the moments in which
 * everything was.
 */
#include <string.h>

#include "tests/tap.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* Row 1 the program's, row 2 the VM's. Times are in us, for what is to be estimated needs some. */
#define HEAD "#Paraver (21/11/2025 at 10:00):10000000_ns:1(2):1:1(2:1),0\n"
#define MAIN "2:1:1:1:1:"
#define VM   "2:2:1:1:2:"
#define US   "000:"

static struct jw_arena arena;
static struct trace_report rep;

/* Method OF has the likely running time NS. */
static uint64_t likely(const char *of)
{
	for (size_t i = 0; i < rep.method_count; i++)
		if (strcmp(rep.methods[i].label, of) == 0)
			return rep.methods[i].likely_ns;
	return UINT64_MAX;
}

/* When method OF was closed; 0: it was not. */
static uint64_t closed(const char *of)
{
	for (size_t i = 0; i < rep.method_count; i++)
		if (strcmp(rep.methods[i].label, of) == 0)
			return rep.methods[i].closed_ns;
	return UINT64_MAX;
}

static void read_all(const char *prv)
{
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_err err = { 0 };

	jw_arena_free(&arena);
	rep = (struct trace_report){ 0 };
	ok(trace_reading_feed(r, jw_span_str(prv), &err) == JW_OK);
	ok(trace_reading_finish(r, JW_SPAN_LIT(""), JW_SPAN_LIT(""), &arena, &rep, &err) == JW_OK);
	trace_reading_free(r);
}

/* Method 1 is open all the time; 2 is closed at 1000. In the detail from 5000 to 5150, of what is
 * known from the first call on, 2 takes 120 us and 1 takes 10. */
static const char one[] = HEAD
	"1:1:1:1:1:0:10000" US "1\n" MAIN "100" US "60000019:1\n" MAIN "200" US "60000019:2\n" MAIN
	"300" US "60000019:0\n" VM "1000" US "48100015:2\n" VM "5000" US "48100016:1\n" MAIN
	"5020" US "60000019:2\n" MAIN "5080" US "60000019:0\n" MAIN "5090" US "60000019:2\n" MAIN
	"5150" US "60000019:0\n" VM "5150" US "48100016:0\n" MAIN "9000" US "60000019:0\n";

TEST(a_closed_method_gets_its_part)
{
	const uint64_t outside = 4000000 + 3850000; /* of 1, from 1000 on but for the detail */
	const uint64_t moved = outside / 130 * 120;

	read_all(one);
	is_int(rep.closed_methods, 1);
	is_int(closed("function 2"), 1000000);
	is_int(closed("function 1"), 0);
	/* what was recorded of 2 is 100 us at first, and 120 in the detail */
	ok(likely("function 2") > 220000 + moved - 1000 &&
	   likely("function 2") < 220000 + moved + 1000);
	/* nothing is lost */
	is_int(likely("function 1") + likely("function 2"), 8900000);
	is_int(rep.methods[0].self.ns[TRACE_REPORT_RUNNING], 8680000); /* what was recorded stays */
}

/* 2 has no CPU for 3.2 ms in a detail, which lasts as long: it counts as the 100 us that a detail takes. */
TEST(who_has_no_cpu_in_a_detail_has_not_run)
{
	const uint64_t outside = 3000000 + 1600000; /* from 1000 to 4000, and from 7400 to 9000 */
	const uint64_t moved = outside / 250 * 150; /* of that, 50 more, and 100 of 1 */

	read_all(HEAD "1:1:1:1:1:0:10000" US "1\n" MAIN "100" US "60000019:1\n" VM "1000" US
		      "48100015:2\n" VM "4000" US "48100016:1\n" MAIN "4050" US "60000019:2\n" MAIN
		      "7250" US "60000019:0\n" MAIN "7300" US "60000019:2\n" MAIN "7350" US
		      "60000019:0\n" MAIN "7400" US "60000019:2:60000019:0\n" VM "7400" US
		      "48100016:0\n" MAIN "9000" US "60000019:0\n");
	ok(likely("function 2") > 3250000 + moved - 1000 &&
	   likely("function 2") < 3250000 + moved + 1000);
}

TEST(without_details_nothing_is_said)
{
	read_all(HEAD "1:1:1:1:1:0:10000" US "1\n" MAIN "100" US "60000019:1\n" MAIN "200" US
		      "60000019:2\n" MAIN "300" US "60000019:0\n" VM "1000" US "48100015:2\n" MAIN
		      "9000" US "60000019:0\n");
	is_int(likely("function 2"), 100000);
	is_int(likely("function 1"), 8800000);
	is_int(closed("function 2"), 1000000);
}

/* 3, which 2 calls, is closed, too: its caller is whoever called 2. And a wait is no running. */
TEST(closed_methods_may_call_each_other)
{
	read_all(HEAD "1:1:1:1:1:0:6000" US "1\n" MAIN "100" US "60000019:1\n" VM "1000" US
		      "48100015:2:48100015:3\n" VM "5000" US "48100016:1\n" MAIN "5100" US
		      "60000019:2\n" MAIN "5200" US "60000019:3\n" MAIN "5300" US
		      "60000019:0:60000019:0\n" VM "5400" US "48100016:0\n1:1:1:1:1:6000" US
		      "10000" US "5\n" MAIN "9000" US "60000019:0\n");
	/* 100 us for each: of 4600 us outside */
	is_int(likely("function 2"), 100000 + 4600000 / 3);
	is_int(likely("function 3"), 100000 + 4600000 / 3);
	is_int(likely("function 1") + likely("function 2") + likely("function 3"), 5900000);
}

TEST(no_method_was_closed)
{
	read_all(HEAD "1:1:1:1:1:0:10000" US "1\n" MAIN "100" US "60000019:1\n" MAIN "9000" US
		      "60000019:0\n");
	is_int(rep.closed_methods, 0);
	is_int(likely("function 1"), 8900000);
}
