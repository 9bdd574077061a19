/*
 * t_relay.c: what trace_relay_output passes on: all of it, in order; failures; an early end.
 */
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "tests/trace/log_output.h"
#include "trace/relay.h"

#include "base/banned.h"

enum { THINGS = 60000 };

static const struct trace_scene scene = { .end = 1000000, .thread_count = 7 };

/* Thing I of a long list, each kind often, in an order that does not repeat with the blocks. */
static void tell_one(const struct trace_output *o, void *ctx, uint64_t i)
{
	const struct jw_capture *what = (const struct jw_capture *)(const void *)&scene;
	uint32_t thread = (uint32_t)(i % 7);

	switch (i * 2654435761u >> 7 & 15) {
	case 0:
		o->state(ctx, thread, i, i + 5, UINT64_MAX - i);
		break;
	case 1:
		o->resume(ctx, thread, i, i << 32);
		break;
	case 2:
		o->suspend(ctx, thread, i);
		break;
	case 3:
		o->event(ctx, thread, i, (enum trace_type)(i % TRACE_TYPES), i * i);
		break;
	case 4:
		o->operation(ctx, thread, i, (enum jw_operation_type)(i % 5), i + 1);
		break;
	case 5:
		o->captured(ctx, thread, i, what, UINT64_MAX);
		break;
	case 6:
		o->released(ctx, thread, i, what, i % 2, i);
		break;
	case 7:
		o->user(ctx, thread, i, UINT64_MAX - 1, i);
		break;
	case 8:
		o->arrow(ctx, thread, i, UINT32_MAX, i + 9, 10007);
		break;
	case 9:
	case 10:
	case 11:
		o->leave(ctx, thread, i, i % 3 == 0);
		break;
	case 12:
		if (o->outside)
			o->outside(ctx, thread, i, TRACE_TYPE_CHANNEL, i * 3);
		break;
	default:
		o->enter(ctx, thread, i, i);
		break;
	}
}

static void tell_all(const struct trace_output *o, void *ctx, struct jw_err *e)
{
	ok(o->begin(ctx, &scene, e) == JW_OK);
	for (uint64_t i = 0; i < THINGS; i++)
		tell_one(o, ctx, i);
	o->over(ctx, THINGS);
	o->name(ctx, TRACE_NAME_CLASS, 5, jw_span("five", 4));
}

TEST(all_in_order)
{
	struct log plain, relayed;
	struct jw_err e = { 0 };

	if (ok(log_open(&plain, 2 * THINGS)) && ok(log_open(&relayed, 2 * THINGS))) {
		struct trace_relay *relay = trace_relay_new(&log_output, &relayed);

		if (ok(relay)) {
			tell_all(&log_output, &plain, &e);
			tell_all(&trace_relay_output, relay, &e);
			ok(trace_relay_output.check(relay, &e) == JW_OK);
			ok(trace_relay_output.end(relay, NULL, &e) == JW_OK);
			ok(log_output.end(&plain, NULL, &e) == JW_OK);
		}
		trace_relay_free(relay);
		ok(plain.n > THINGS && plain.n == relayed.n);
		ok(memcmp(plain.at, relayed.at, plain.n * sizeof(*plain.at)) == 0);
		ok(plain.at[plain.n - 1].kind == 'E' && plain.at[plain.n - 2].kind == 'n');
	}
	log_close(&plain);
	log_close(&relayed);
}

/* Calls that go on are calls to it; what it has no function for is left out. */
TEST(who_hears_little)
{
	struct log log;
	struct jw_err e = { 0 };

	if (ok(log_open(&log, 2 * THINGS))) {
		struct trace_relay *relay = trace_relay_new(&log_output_least, &log);
		size_t entered = 0, left = 0, other = 0;

		if (ok(relay)) {
			tell_all(&trace_relay_output, relay, &e);
			ok(trace_relay_output.end(relay, NULL, &e) == JW_OK);
		}
		trace_relay_free(relay);
		for (size_t i = 0; i < log.n; i++) {
			entered += log.at[i].kind == 'e';
			left += log.at[i].kind == 'l' || log.at[i].kind == 'f';
			other += strchr("ruRxonO", (int)log.at[i].kind) != NULL;
		}
		ok(entered > THINGS * 4 / 17 && left > THINGS * 4 / 17 && other == 0);
	}
	log_close(&log);
}

TEST(a_failure_ends_it)
{
	struct log log;
	struct jw_err e = { 0 };

	if (ok(log_open(&log, 2 * THINGS))) {
		log.fails_at = 10;
		struct trace_relay *relay = trace_relay_new(&log_output, &log);
		enum jw_status status = JW_OK;
		uint64_t i = 0;

		if (ok(relay)) {
			ok(trace_relay_output.begin(relay, &scene, &e) == JW_OK);
			for (; status == JW_OK && i < THINGS; i++) {
				tell_one(&trace_relay_output, relay, i);
				status = trace_relay_output.check(relay, &e);
			}
			ok(status == JW_IO && strcmp(e.text, "the log is full") == 0);
			size_t heard = log.n;

			ok(i < THINGS);
			trace_relay_output.over(relay, i);
			ok(log.n == heard);
			e = (struct jw_err){ 0 };
			ok(trace_relay_output.end(relay, NULL, &e) == JW_IO);
			ok(strcmp(e.text, "the log is full") == 0);
		}
		trace_relay_free(relay);
	}
	log_close(&log);
}

/* Found by who ends, though nobody has asked. */
TEST(a_late_failure_is_told)
{
	struct log log;
	struct jw_err e = { 0 };

	if (ok(log_open(&log, 2 * THINGS))) {
		log.fails_at = THINGS;
		struct trace_relay *relay = trace_relay_new(&log_output, &log);

		if (ok(relay)) {
			tell_all(&trace_relay_output, relay, &e);
			ok(trace_relay_output.end(relay, NULL, &e) == JW_IO);
			ok(log.at[log.n - 1].kind != 'E');
		}
		trace_relay_free(relay);
	}
	log_close(&log);
}

/* A source that fails frees what it tells without an end. */
TEST(an_early_end)
{
	struct log log;
	struct jw_err e = { 0 };

	if (ok(log_open(&log, 2 * THINGS))) {
		for (uint64_t n = 1; n < THINGS; n *= 11) {
			struct trace_relay *relay = trace_relay_new(&log_output, &log);

			if (!ok(relay))
				break;
			ok(trace_relay_output.begin(relay, &scene, &e) == JW_OK);
			for (uint64_t i = 0; i < n; i++)
				tell_one(&trace_relay_output, relay, i);
			trace_relay_free(relay);
		}
		trace_relay_free(trace_relay_new(&log_output, &log));
		trace_relay_free(NULL);
	}
	log_close(&log);
}

TEST(no_memory)
{
	struct log log = { 0 };
	bool failed = true;

	for (long n = 0; failed; n++) {
		(void)jw_mem_fail_after(n);
		struct trace_relay *relay = trace_relay_new(&log_output, &log);

		failed = jw_mem_fail_after(-1);
		ok(failed == !relay);
		trace_relay_free(relay);
	}
}
