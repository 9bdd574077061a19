/*
 * t_spans.c: trace contexts in recordings made by hand: the calls that are made while one is current,
 * in several threads and processes, and what damage does to them.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/source/source.h"
#include "trace/spans/spans.h"

#include "base/banned.h"

#define T     1000000
#define CLASS UINT64_C(0x77)

static const struct jwr_context first = { UINT64_C(0x4bf92f3577b34da6),
					  UINT64_C(0xa3ce929d0e0e4736),
					  UINT64_C(0x00f067aa0ba902b7) };
static const struct jwr_context inner = { UINT64_C(0x4bf92f3577b34da6),
					  UINT64_C(0xa3ce929d0e0e4736),
					  UINT64_C(0xfedcba9876543210) };
static const struct jwr_context other = { UINT64_C(0x4bf92f3577b34da7), 1, 2 };
static const struct jwr_context none = { 0 };

static void part(struct make *m, uint32_t uid, uint64_t tick, const struct jwr_context *c,
		 unsigned number)
{
	make_event(m, uid, T + tick, JWR_CONTEXT, jwr_context_part(c, number));
}

static void context(struct make *m, uint32_t uid, uint64_t tick, const struct jwr_context *c)
{
	for (unsigned i = 0; i < JWR_CONTEXT_PARTS; i++)
		part(m, uid, tick, c, i);
}

static void enter(struct make *m, uint32_t uid, uint64_t tick, uint16_t method)
{
	make_event(m, uid, T + tick, JWR_ENTER, jwr_method_id(CLASS, method));
}

static void leave(struct make *m, uint32_t uid, uint64_t tick, uint16_t method, bool failed)
{
	make_event(m, uid, T + tick, failed ? JWR_FAIL : JWR_EXIT, jwr_method_id(CLASS, method));
}

static struct make begin(const char *name)
{
	struct make m = make_begin(name);

	make_meta(&m, "boot|a|0");
	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "other");
	return m;
}

/* ---- what is found ---- */

static char found[4096];

static void say(const char *fmt, ...) JW_PRINTF(1, 2);
static void say(const char *fmt, ...)
{
	size_t n = strlen(found);
	va_list args;

	va_start(args, fmt);
	vsnprintf(found + n, sizeof(found) - n, fmt, args);
	va_end(args);
}

static void say_list(const struct trace_spans_list *list)
{
	for (size_t i = 0; i < list->thread_count; i++) {
		const struct trace_span_thread *t = &list->threads[i];

		say("%s of %s:", t->name, list->processes[t->process].name);
		for (size_t k = t->first; k < t->first + t->n; k++) {
			const struct trace_span_call *c = &list->calls[k];
			const struct trace_span_stretch *s = &list->stretches[c->stretch];

			say(" %.*s%s@%llu+%llu/%llx%s", (int)c->depth, ">>>>", c->method,
			    (unsigned long long)c->begin, (unsigned long long)c->ns,
			    (unsigned long long)s->span & 0xffff,
			    c->failed ? "!"
			    : c->open ? "..."
				      : "");
			is_int(s->thread, i);
		}
		say("\n");
	}
	say("%zu calls, %zu stretches, %llu others\n", list->call_count, list->stretch_count,
	    (unsigned long long)list->others);
}

/* What is found of ID in the N recordings NAMES. */
static const char *finds(const char *id, const char *const *names, size_t n)
{
	static const char *const methods[] = { "a()V", "b()V", "c()V" };
	const char *paths[4], *map = make_map("spans.map", CLASS, "acme.S", "S.java", methods, 3);
	struct jw_arena arena = { 0 };
	struct trace_summary summary;
	struct trace_id_prefix prefix;
	struct jw_err e = { 0 };

	for (size_t i = 0; i < n; i++)
		paths[i] = strdup(make_path("%s.jwr", names[i]));
	const struct trace_job job = {
		.recordings = paths, .recording_count = n, .maps = &map, .map_count = 1
	};

	found[0] = '\0';
	ok(trace_id_prefix_read(id, &prefix));
	struct trace_spans *spans = trace_spans_new(&prefix, &arena);

	if (!is_int(trace_source_recordings(&job, &trace_spans_output, spans, &arena, &summary, &e),
		    JW_OK))
		tap_note("%s", e.text);
	const struct trace_spans_list list = trace_spans_list(spans);

	say_list(&list);
	trace_spans_free(spans);
	jw_arena_free(&arena);
	for (size_t i = 0; i < n; i++)
		free((void *)(uintptr_t)paths[i]);
	return found;
}

/* ---- tests ---- */

TEST(calls_that_begin_while_it_is_current)
{
	static const char *const names[] = { "begin" };
	struct make m = begin("begin");

	enter(&m, 1, 0, 0);
	context(&m, 1, 2000, &first);
	enter(&m, 1, 4000, 1);
	context(&m, 1, 6000, &inner);
	enter(&m, 1, 8000, 2);
	leave(&m, 1, 10000, 2, true);
	context(&m, 1, 12000, &first);
	leave(&m, 1, 14000, 1, false);
	enter(&m, 1, 16000, 2);
	leave(&m, 1, 18000, 2, false);
	context(&m, 1, 20000, &none);
	enter(&m, 1, 22000, 2);
	leave(&m, 1, 24000, 2, false);
	leave(&m, 1, 26000, 0, false);
	enter(&m, 2, 5000, 2); /* of nobody */
	leave(&m, 2, 7000, 2, false);
	make_finish(&m, true);
	is_str(finds("4bf92f3577b34da6a3ce929d0e0e4736", names, 1),
	       "main of process 100: S.b@2001+5000/2b7 >S.c@4001+1000/3210! S.c@8001+1000/2b7\n"
	       "3 calls, 3 stretches, 0 others\n");
	is_str(finds("4BF92F35", names, 1),
	       "main of process 100: S.b@2001+5000/2b7 >S.c@4001+1000/3210! S.c@8001+1000/2b7\n"
	       "3 calls, 3 stretches, 0 others\n");
	is_str(finds("4bf92f3577b34da6a3ce929d0e0e4737", names, 1),
	       "0 calls, 0 stretches, 3 others\n");
}

TEST(several_threads_and_processes)
{
	static const char *const names[] = { "client", "server" };
	struct make m = begin("client"), n = begin("server");

	context(&m, 2, 0, &first);
	enter(&m, 2, 2000, 0); /* until the process ends */
	enter(&m, 1, 3000, 0);
	context(&m, 1, 4000, &other);
	enter(&m, 1, 5000, 1);
	leave(&m, 1, 6000, 1, false);
	leave(&m, 1, 7000, 0, false);
	make_finish(&m, true);
	context(&n, 1, 4000, &first);
	enter(&n, 1, 4000, 2);
	leave(&n, 1, 6000, 2, false);
	make_finish(&n, true);
	is_str(finds("4bf92f3577b34da6", names, 2),
	       "other of process 100: S.a@1001+3500/2b7...\n"
	       "main of process 100: S.c@2001+1000/2b7\n2 calls, 2 stretches, 1 others\n");
	is_str(finds("4bf92f3577b34da", names, 2),
	       "main of process 100: S.b@2501+500/2\nother of process 100: S.a@1001+3500/2b7...\n"
	       "main of process 100: S.c@2001+1000/2b7\n3 calls, 3 stretches, 0 others\n");
}

/* Of the thread in which Runtime.halt is called the JVM tells the end first, then its own. */
TEST(what_a_halt_cut_off_did_not_end)
{
	static const char *const names[] = { "halt" };
	struct make m = begin("halt");

	context(&m, 2, 0, &first);
	enter(&m, 2, 2000, 0);
	leave(&m, 2, 3000, 0, false);
	enter(&m, 2, 4000, 1);
	make_meta(&m, "thread-end|2|%u|other", T + 5000);
	enter(&m, 1, 8000, 2);
	make_finish(&m, true);
	is_str(finds("4bf92f3577b34da6", names, 1),
	       "other of process 100: S.a@1001+500/2b7 S.b@2001+500/2b7...\n"
	       "2 calls, 1 stretches, 0 others\n");
}

TEST(parts_that_do_not_follow_each_other_are_damage)
{
	static const char *const names[] = { "parts" };
	struct make m = begin("parts");

	part(&m, 1, 0, &first, 1); /* its beginning is lost */
	part(&m, 1, 0, &first, 2);
	part(&m, 1, 0, &first, 3);
	enter(&m, 1, 2000, 0);
	leave(&m, 1, 4000, 0, false);
	part(&m, 1, 6000, &first, 0); /* so is an end */
	part(&m, 1, 6000, &first, 1);
	context(&m, 1, 8000, &first);
	context(&m, 1, 8500, &first); /* told again: the same stretch */
	make_event(&m, 1, T + 9000, JWR_CONTEXT, UINT64_C(77) << JWR_CONTEXT_PART_BITS);
	enter(&m, 1, 10000, 1);
	leave(&m, 1, 12000, 1, false);
	make_finish(&m, true);
	is_str(finds("4bf92f3577b34da6", names, 1),
	       "main of process 100: S.b@5001+1000/2b7\n1 calls, 1 stretches, 0 others\n");
}

/* Between what a call is left by, and what that leaves, there may be one: the exception flies on. */
TEST(it_says_nothing_of_exceptions)
{
	static const char *const names[] = { "flies" };
	struct make m = begin("flies");

	context(&m, 1, 0, &first);
	enter(&m, 1, 2000, 0);
	context(&m, 1, 3000, &inner);
	enter(&m, 1, 4000, 1);
	make_event(&m, 1, T + 5000, JWR_THROWN, 5);
	leave(&m, 1, 6000, 1, true);
	context(&m, 1, 6000, &first);
	leave(&m, 1, 7000, 0, true);
	make_finish(&m, true);
	is_str(finds("4bf92f3577b34da6", names, 1),
	       "main of process 100: S.a@1001+2500/2b7! >S.b@2001+1000/3210!\n"
	       "2 calls, 3 stretches, 0 others\n");
}

TEST(what_is_an_id)
{
	struct trace_id_prefix p;

	ok(trace_id_prefix_read("01234567", &p));
	ok(p.high == UINT64_C(0x0123456700000000) && p.high_mask == UINT64_C(0xffffffff00000000));
	ok(p.low == 0 && p.low_mask == 0);
	ok(trace_id_prefix_read("0123456789abcdefABCDEF0123456789", &p));
	ok(p.low == UINT64_C(0xabcdef0123456789) && p.low_mask == UINT64_MAX);
	ok(!trace_id_prefix_read("0123456", &p));
	ok(!trace_id_prefix_read("0123456789abcdef0123456789abcdef0", &p));
	ok(!trace_id_prefix_read("0123456g", &p));
	ok(!trace_id_prefix_read("", &p));
}
