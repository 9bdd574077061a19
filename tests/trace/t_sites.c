/*
 * Calls that wait or do something, by the place where they are made: how often, how long, in which
 * thread. What such a call does inside itself is time of the outer one.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"
#include "trace/report/report.h"

#include "base/banned.h"

#define T 1000000

enum { JOIN, READ, LEAF };
static const struct make_site sites[] = {
	[JOIN] = { 8, "java.util.concurrent.ForkJoinTask.join()Ljava/lang/Object;", "" },
	[READ] = { 12, "java.io.InputStream.read([B)I", "io/read|this:identity|return:value" },
	[LEAF] = { 5, "java.lang.Thread.sleep(J)V", "" },
};

static struct jw_arena arena;

/* What is reported of NAME.jwr; LANES: most virtual threads with a row at one time, 0: any. */
static struct trace_report report_of(const char *name, uint32_t lanes)
{
	const char *map = make_sites("sites.map", sites, sizeof(sites) / sizeof(*sites));
	const char *path = make_path("%s.jwr", name);
	struct trace_job job = { .recordings = &path,
				 .recording_count = 1,
				 .maps = &map,
				 .map_count = 1,
				 .lanes = lanes };
	struct trace_report r = { 0 };
	struct jw_err e = { 0 };

	if (!ok(trace_report_recordings(&job, &arena, &r, &e) == JW_OK))
		tap_note("%s", e.text);
	return r;
}

/* The call at site I; NULL: it is not reported. */
static const struct trace_report_site *site_of(const struct trace_report *r, uint32_t i)
{
	for (size_t k = 0; k < r->site_count; k++)
		if (r->sites[k].line == i + 1)
			return &r->sites[k];
	return NULL;
}

/* COUNT calls, NS of time: ticks are half nanoseconds. */
static bool is_site(const struct trace_report_site *s, uint64_t count, uint64_t ns)
{
	if (s && s->count == count && s->ns == ns)
		return true;
	tap_note("%llu calls, %llu ns", s ? (unsigned long long)s->count : 0,
		 s ? (unsigned long long)s->ns : 0);
	return false;
}

static bool is_share(const struct trace_report_site *s, size_t i, uint64_t count, uint64_t ns)
{
	return s && i < s->thread_count && s->threads[i].of == i && s->threads[i].count == count &&
	       s->threads[i].ns == ns;
}

TEST(a_call_inside_itself_counts_once)
{
	struct make m = make_begin("recursive");

	make_thread(&m, 1, 0, "main");
	make_call(&m, 1, T + 2000, JOIN, 0); /* 4000 ns, three deep */
	make_call(&m, 1, T + 3000, JOIN, 0);
	make_call(&m, 1, T + 4000, LEAF, 0);
	make_call(&m, 1, T + 4200, JOIN, 0); /* after another call */
	make_failed(&m, 1, T + 4400, JOIN);
	make_returned(&m, 1, T + 5000, LEAF);
	make_returned(&m, 1, T + 6000, JOIN);
	make_returned(&m, 1, T + 10000, JOIN);
	make_call(&m, 1, T + 12000, JOIN, 0); /* and 500 ns, alone */
	make_returned(&m, 1, T + 13000, JOIN);
	make_finish(&m, true);
	struct trace_report r = report_of("recursive", 0);

	ok(is_site(site_of(&r, JOIN), 4, 4500));
	ok(is_site(site_of(&r, LEAF), 1, 500));
	ok(site_of(&r, JOIN)->exceptional == 1);
	is_int((long)r.method_count, 2);
	for (size_t i = 0; i < r.method_count; i++) /* as the profile has it */
		if (r.methods[i].calls == 4)
			ok(r.methods[i].inclusive_ns == 4500 && r.methods[i].shares[0].ns == 4500);
	jw_arena_free(&arena);
}

TEST(threads_nest_apart)
{
	struct make m = make_begin("apart");

	make_thread(&m, 1, 0, "one");
	make_thread(&m, 2, 0, "two");
	make_call(&m, 1, T + 2000, JOIN, 0); /* both are in it at once */
	make_call(&m, 2, T + 4000, JOIN, 0);
	make_call(&m, 2, T + 5000, JOIN, 0);
	make_returned(&m, 1, T + 6000, JOIN);
	make_returned(&m, 2, T + 7000, JOIN);
	make_returned(&m, 2, T + 9000, JOIN);
	make_call(&m, 2, T + 9000, READ, 77);
	make_event(&m, 2, T + 9100, JWR_VALUE, 30);
	make_returned(&m, 2, T + 9200, READ);
	make_finish(&m, true);
	struct trace_report r = report_of("apart", 0);
	const struct trace_report_site *join = site_of(&r, JOIN), *read = site_of(&r, READ);

	ok(is_site(join, 3, 2000 + 2500));
	is_int((long)join->thread_count, 2);
	ok(is_share(join, 0, 1, 2000));
	ok(is_share(join, 1, 2, 2500));
	ok(read && read->thread_count == 1 && read->threads[0].of == 1 &&
	   read->threads[0].bytes == 30 && read->bytes == 30);
	jw_arena_free(&arena);
}

/* Those without a row share one, where durations mean nothing: their calls are counted. */
TEST(virtual_threads_that_share_a_row)
{
	struct make m = make_begin("virtuals");

	for (uint32_t i = 1; i <= 3; i++)
		make_thread(&m, i, 0, "carrier");
	for (uint32_t i = 1; i <= 3; i++) {
		make_event(&m, i, T + 2000 * i, JWR_SWITCH, 40 + i);
		make_call(&m, i, T + 2000 * i + 100, JOIN, 0);
	}
	for (uint32_t i = 1; i <= 3; i++) {
		make_returned(&m, i, T + 8000 + 2000 * i, JOIN);
		make_event(&m, i, T + 8100 + 2000 * i, JWR_END, 40 + i);
	}
	make_finish(&m, true);
	struct trace_report r = report_of("virtuals", 1);

	ok(site_of(&r, JOIN) && site_of(&r, JOIN)->count == 3);
	is_int((long)site_of(&r, JOIN)->thread_count, 2);
	jw_arena_free(&arena);
}

TEST(calls_that_are_open_end_with_the_trace)
{
	struct make m = make_begin("open");

	make_thread(&m, 1, 0, "main");
	make_call(&m, 1, T + 2000, JOIN, 0);
	make_call(&m, 1, T + 3000, JOIN, 0);
	make_event(&m, 1, T + 4000, JWR_ENTER, make_method(0));
	make_finish(&m, false);
	struct trace_report r = report_of("open", 0);

	ok(is_site(site_of(&r, JOIN), 2, 1000));
	jw_arena_free(&arena);
}
