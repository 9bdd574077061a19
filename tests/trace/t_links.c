/*
 * t_links.c: arrows between ends of messages that are known by a key, in recordings made by hand: of
 * one process and of several, of one clock and of two.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"
#include "trace/source/source.h"
#include "trace/ignore.h"

#include "base/banned.h"

#define T 1000000

enum { SEND, RECEIVE, SEND_TEXT, GET_TEXT, EITHER, SEND_BACK, OBJECT };
static const struct make_site sites[] = {
	[SEND] = { -1, "acme.Out.send(J)V", "|arg0:value:48200030:0:id" },
	[RECEIVE] = { -1, "acme.In.take(J)V", "|arg0:value" },
	[SEND_TEXT] = { -1, "acme.Out.name(Ljava/lang/String;I)V", "|arg0:string|arg1:value" },
	[GET_TEXT] = { -1, "acme.In.name(I)Ljava/lang/String;", "|arg0:value|return:string" },
	[EITHER] = { -1, "acme.Id.<init>(J)V", "|arg0:value" },
	[SEND_BACK] = { -1, "acme.Out.call()J", "|return:value" },
	[OBJECT] = { -1, "acme.Out.put(La/B;)V", "|arg0:identity" },
};

/* Each site has a rule of its own. */
static const char *link_map(void)
{
	static const char *const lines =
		"l\trule0\tsend\tjob\targ0\nl\trule1\treceive\tjob\targ0\n"
		"l\trule2\tsend\tname\targ0\targ1\nl\trule3\treceive\tname\treturn\targ0\n"
		"l\trule4\tboth\tid\targ0\nl\trule5\tsend\tback\treturn\nl\trule6\tsend\tjob\targ0"
		"\n";

	make_map_lines = lines;
	make_own_rules = true;
	return make_sites("links.map", sites, sizeof(sites) / sizeof(*sites));
}

/* ---- what an output hears of arrows and links ---- */

static char heard[4096];

static void hear(const char *fmt, ...) JW_PRINTF(1, 2);
static void hear(const char *fmt, ...)
{
	size_t n = strlen(heard);
	va_list args;

	va_start(args, fmt);
	vsnprintf(heard + n, sizeof(heard) - n, fmt, args);
	va_end(args);
}

static enum jw_status hear_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx, (void)scene, (void)e;
	return JW_OK;
}

static void hear_call(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	(void)ctx, (void)thread, (void)time, (void)method;
}

static void hear_end(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	(void)ctx, (void)thread, (void)time, (void)failed;
}

static void hear_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	(void)ctx;
	if (type == TRACE_TYPE_LINK)
		hear("%u@%llu sends %llu\n", thread, (unsigned long long)time,
		     (unsigned long long)value);
}

static void hear_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	(void)ctx;
	hear("%u@%llu -> %u@%llu %llu\n", from, (unsigned long long)sent, to,
	     (unsigned long long)received, (unsigned long long)tag);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	(void)ctx, (void)e;
	return JW_OK;
}

static enum jw_status hear_names(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	(void)ctx, (void)e;
	for (size_t i = 0; i < names->link_count; i++) {
		const struct trace_link_count *l = &names->links[i];

		hear("%s: %llu matched, %llu backward, %llu sent, %llu received, %llu unknown\n",
		     l->name, (unsigned long long)l->matched, (unsigned long long)l->backward,
		     (unsigned long long)l->sent, (unsigned long long)l->received,
		     (unsigned long long)l->unknown);
	}
	return JW_OK;
}

static const struct trace_output listener = {
	.begin = hear_scene,
	.state = trace_ignore_state,
	.enter = hear_call,
	.leave = hear_end,
	.event = hear_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = hear_arrow,
	.check = check,
	.end = hear_names,
};

/* What is heard of the N recordings NAMES. */
static const char *hears(const char *const *names, size_t n)
{
	const char *paths[8], *map = link_map();
	struct jw_arena arena = { 0 };
	struct trace_summary summary;
	struct jw_err e = { 0 };

	for (size_t i = 0; i < n; i++)
		paths[i] = make_path("%s.jwr", names[i]);
	struct trace_job job = {
		.recordings = paths, .recording_count = n, .maps = &map, .map_count = 1
	};

	heard[0] = '\0';
	if (!is_int(trace_source_recordings(&job, &listener, NULL, &arena, &summary, &e), JW_OK))
		tap_note("%s", e.text);
	jw_arena_free(&arena);
	return heard;
}

/* ---- recordings ---- */

/* A call at SITE from TICK on, for 100, whose captures before it are KEYS. */
static void make_end(struct make *m, uint32_t uid, uint64_t tick, uint32_t site, size_t n,
		     const uint64_t *keys)
{
	make_event(m, uid, T + tick, JWR_ENTER, make_site(site));
	for (size_t i = 0; i < n; i++)
		make_event(m, uid, T + tick, JWR_VALUE, keys[i]);
	make_returned(m, uid, T + tick + 100, site);
}
#define END(m, uid, tick, site, ...)                                                         \
	make_end(m, uid, tick, site, sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
		 (uint64_t[]){ __VA_ARGS__ })

/* With two threads, on the clock of BOOT. */
static struct make begin_process(const char *name, const char *boot)
{
	struct make m = make_begin(name);

	make_meta(&m, "boot|%s|0", boot);
	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "other");
	make_event(&m, 1, T, JWR_ENTER, make_method(0));
	make_event(&m, 2, T, JWR_ENTER, make_method(0));
	return m;
}

TEST(equal_keys_meet_in_order)
{
	static const char *const names[] = { "order" };
	struct make m = begin_process("order", "a");

	END(&m, 1, 1000, SEND, 7);
	END(&m, 1, 2000, SEND, 7);
	END(&m, 1, 3000, SEND, 8);
	END(&m, 2, 4000, RECEIVE, 8);
	END(&m, 2, 5000, RECEIVE, 7);
	END(&m, 2, 6000, RECEIVE, 7);
	END(&m, 2, 7000, RECEIVE, 7); /* nobody has sent it */
	END(&m, 1, 8000, SEND, 7);    /* this is not that */
	END(&m, 1, 9000, SEND, 0);    /* in one thread there is no arrow */
	END(&m, 1, 9500, RECEIVE, 0);
	make_finish(&m, true);
	is_str(hears(names, 1),
	       "0@501 -> 1@2501 10001\n0@501 sends 1\n0@1001 -> 1@3001 10001\n0@1001 sends 1\n"
	       "0@1501 -> 1@2001 10001\n0@1501 sends 1\n"
	       "job: 4 matched, 0 backward, 1 sent, 1 received, 0 unknown\n");
}

TEST(keys_of_several_parts_and_texts)
{
	static const char *const names[] = { "parts1", "parts2" };
	struct make m = begin_process("parts1", "a"), n = begin_process("parts2", "a");

	make_meta(&m, "text|1|x\ntext|2|y\ntext|3|%080d", 7);
	make_meta(&n, "text|1|y\ntext|2|x\ntext|3|%080d", 7);
	END(&m, 1, 1000, SEND_TEXT, 1, 5); /* x 5 */
	END(&m, 2, 1500, SEND_TEXT, 2, 5); /* y 5 */
	END(&m, 2, 1700, SEND_TEXT, 3, 5); /* it may go on otherwise */
	END(&m, 2, 1900, SEND_TEXT, 0, 5); /* null */
	for (uint64_t i = 0; i < 4; i++) {
		make_event(&n, 1, T + 2000 + 1000 * i, JWR_ENTER, make_site(GET_TEXT));
		make_event(&n, 1, T + 2000 + 1000 * i, JWR_VALUE, i == 2 ? 6 : 5);
		make_event(&n, 1, T + 2500 + 1000 * i, JWR_VALUE, (uint64_t[]){ 1, 2, 2, 3 }[i]);
		make_returned(&n, 1, T + 2500 + 1000 * i, GET_TEXT);
	}
	make_event(&n, 1, T + 8000, JWR_ENTER, make_site(GET_TEXT)); /* which gets nothing */
	make_event(&n, 1, T + 8000, JWR_VALUE, 5);
	make_failed(&n, 1, T + 8500, GET_TEXT);
	make_finish(&m, true);
	make_finish(&n, true);
	is_str(hears(names, 2), "0@501 -> 2@1751 10001\n0@501 sends 1\n"
				"1@751 -> 2@1251 10001\n1@751 sends 1\n"
				"name: 2 matched, 0 backward, 0 sent, 1 received, 3 unknown\n");
}

TEST(whoever_has_a_key_next_has_got_it)
{
	static const char *const names[] = { "both1", "both2", "both3" };
	struct make m = begin_process("both1", "a"), n = begin_process("both2", "a"),
		    o = begin_process("both3", "a");

	END(&m, 1, 1000, EITHER, 5);
	END(&m, 2, 1500, EITHER, 5); /* it has it already */
	END(&n, 1, 2000, EITHER, 5);
	END(&n, 1, 2500, EITHER, 5);
	END(&m, 2, 3000, EITHER, 5); /* an answer */
	END(&o, 1, 4000, EITHER, 6);
	make_event(&o, 1, T + 5000, JWR_ENTER, make_site(EITHER)); /* all bits count */
	make_event(&o, 1, T + 5000, JWR_WIDE, 0x80);
	make_event(&o, 1, T + 5000, JWR_VALUE, 5);
	make_returned(&o, 1, T + 5500, EITHER);
	make_finish(&m, true);
	make_finish(&n, true);
	make_finish(&o, true);
	is_str(hears(names, 3), "0@501 -> 2@1001 10001\n0@501 sends 1\n"
				"2@1001 -> 1@1501 10001\n2@1001 sends 1\n"
				"id: 2 matched, 0 backward, 2 sent, 0 received, 0 unknown\n");
}

TEST(objects_are_no_keys_and_what_is_returned_is_late)
{
	static const char *const names[] = { "late1", "late2" };
	struct make m = begin_process("late1", "a"), n = begin_process("late2", "a");

	make_event(&m, 1, T + 1000, JWR_ENTER, make_site(SEND_BACK));
	make_event(&m, 1, T + 5000, JWR_VALUE, 9);
	make_returned(&m, 1, T + 5000, SEND_BACK);
	make_event(&m, 2, T + 1000, JWR_ENTER, make_site(OBJECT)); /* damage: no number */
	make_event(&m, 2, T + 1000, JWR_OBJECT, 9);
	make_returned(&m, 2, T + 1100, OBJECT);
	make_event(&m, 2, T + 2000, JWR_ENTER, make_site(SEND));
	make_event(&m, 2, T + 2000, JWR_OBJECT, 9);
	make_returned(&m, 2, T + 2100, SEND);
	END(&n, 1, 3000, RECEIVE, 9);
	make_finish(&m, true);
	make_finish(&n, true);
	is_str(hears(names, 2), "job: 0 matched, 0 backward, 0 sent, 1 received, 0 unknown\n"
				"back: 0 matched, 0 backward, 1 sent, 0 received, 0 unknown\n");
}

TEST(on_one_clock_nothing_is_received_before_it_is_sent)
{
	static const char *const names[] = { "clock1", "clock2" };
	struct make m = begin_process("clock1", "a"), n = begin_process("clock2", "a");

	END(&n, 1, 1000, RECEIVE, 5);
	END(&m, 1, 2000, SEND, 5);
	END(&n, 1, 3000, RECEIVE, 5);
	make_finish(&m, true);
	make_finish(&n, true);
	is_str(hears(names, 2), "0@1001 -> 2@1501 10001\n0@1001 sends 1\n"
				"job: 1 matched, 0 backward, 0 sent, 1 received, 0 unknown\n");
}

TEST(jobs_of_engines_have_keys_of_their_own)
{
	static const char *const names[] = { "jobs1", "jobs2", "jobs3" };
	static const char *const commands[] = {
		"org.apache.spark.executor.CoarseGrainedExecutorBackend --executor-id 0 --app-id "
		"a1",
		"org.apache.spark.executor.CoarseGrainedExecutorBackend --executor-id 0 --app-id "
		"a2",
		"acme.Main",
	};
	struct make m[3];

	for (size_t i = 0; i < 3; i++) {
		m[i] = begin_process(names[i], "a");
		make_meta(&m[i], "command|%s", commands[i]);
	}
	END(&m[0], 1, 1000, SEND, 0);
	END(&m[1], 1, 2000, RECEIVE, 0); /* of another job */
	END(&m[2], 1, 3000, RECEIVE, 0); /* of none that is known */
	for (size_t i = 0; i < 3; i++)
		make_finish(&m[i], true);
	is_str(hears(names, 3), "0@501 -> 4@1501 10001\n0@501 sends 1\n"
				"job: 1 matched, 0 backward, 0 sent, 1 received, 0 unknown\n");
}

TEST(clocks_of_two_hosts_may_be_wrong)
{
	static const char *const names[] = { "host1", "host2" };
	struct make m = begin_process("host1", "a"), n = begin_process("host2", "b");

	make_meta(&m, "host|one");
	make_meta(&n, "host|two");
	END(&n, 1, 1000, RECEIVE, 5);
	END(&m, 1, 2000, SEND, 5);
	END(&m, 1, 3000, SEND, 6);
	END(&n, 1, 4000, RECEIVE, 6);
	make_finish(&m, true);
	make_finish(&n, true);
	is_str(hears(names, 2), "0@1501 -> 2@2001 10001\n0@1501 sends 1\n"
				"job: 2 matched, 1 backward, 0 sent, 0 received, 0 unknown\n");
}

TEST(a_trace_calls_links_by_name)
{
	const char *path = make_path("order.jwr");
	struct trace_summary summary = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	is_int(make_convert(&path, 1, "named", link_map(), &arena, &summary, &e), JW_OK);
	is_int(make_validate("named"), 0);
	char *prv = make_slurp(make_path("named.prv")), *pcf = make_slurp(make_path("named.pcf"));

	ok(strstr(prv, "\n3:1:1:1:1:501:501:2:1:1:2:2501:2501:0:10001\n"));
	ok(strstr(prv, ":501:48100034:1"));
	ok(strstr(pcf,
		  "0    48100034    Java message sent, by link\nVALUES\n0      End\n1      job\n"));
	free(prv);
	free(pcf);
	jw_arena_free(&arena);
}
