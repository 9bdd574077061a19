/*
 * t_batch.c: what trace_batch_output passes on: each thread's own order, arrows and pauses after what
 * came before them, methods in the order in which they appeared; what else is held back, and from whom.
 */
#include <string.h>

#include "tests/tap.h"
#include "tests/trace/log_output.h"
#include "trace/batch.h"
#include "trace/tee.h"

#include "base/banned.h"

enum { THREADS = 2 * TRACE_BATCH_THREADS + 3, LINES = 1 << 16 };

static const struct trace_scene scene = { .end = 1000000, .thread_count = THREADS };

struct both {
	struct log first, second;
	struct trace_tee tee;
	struct trace_batch *batch;
};

static bool open_both(struct both *b)
{
	struct jw_err e;

	*b = (struct both){ 0 };
	if (!ok(log_open(&b->first, LINES)) || !ok(log_open(&b->second, LINES)))
		return false;
	b->tee = (struct trace_tee){ &log_output, &log_output, &b->first, &b->second };
	b->batch = trace_batch_new(&trace_tee_output, &b->tee);
	return ok(b->batch) && ok(trace_batch_output.begin(b->batch, &scene, &e) == JW_OK);
}

static void close_both(struct both *b)
{
	trace_batch_free(b->batch);
	log_close(&b->first);
	log_close(&b->second);
}

/* Where the line is in LOG; SIZE_MAX: nowhere. */
static size_t place(const struct log *log, uint32_t thread, uint64_t time, int kind)
{
	for (size_t i = 0; i < log->n; i++)
		if (log->at[i].thread == thread && log->at[i].time == time &&
		    log->at[i].kind == kind)
			return i;
	return SIZE_MAX;
}

TEST(threads_take_turns)
{
	struct both b;
	struct jw_err e;

	if (open_both(&b)) {
		const struct trace_output *o = &trace_batch_output;

		o->enter(b.batch, 0, 1, 1);
		for (uint64_t i = 2; i < 2000; i += 2)
			for (uint32_t thread = 0; thread < 3; thread++) {
				o->enter(b.batch, thread, i, 1);
				o->leave(b.batch, thread, i + 1, i % 10 == 0);
			}
		o->over(b.batch, 5000);
		ok(o->end(b.batch, NULL, &e) == JW_OK);
		ok(b.first.n == 3 + 1 + 2 * 999 * 3 && b.second.n == b.first.n);
		ok(memcmp(b.first.at, b.second.at, b.first.n * sizeof(struct log_line)) == 0);
		size_t turns = 0;
		uint64_t before[3] = { 0 };

		for (size_t i = 1; i + 2 < b.first.n; i++) {
			const struct log_line *l = &b.first.at[i];

			ok(l->time > before[l->thread]);
			before[l->thread] = l->time;
			turns += i > 1 && l->thread != l[-1].thread;
			ok(l->kind == (l->time % 2 == 0 || l->time == 1 ? 'e'
				       : l->time % 10 == 1              ? 'f'
									: 'l'));
		}
		ok(turns < 40);
		ok(b.first.at[b.first.n - 2].kind == 'o' && b.first.at[b.first.n - 1].kind == 'E');
	}
	close_both(&b);
}

TEST(arrows_come_after_both)
{
	struct both b;

	if (open_both(&b)) {
		const struct trace_output *o = &trace_batch_output;

		for (uint32_t thread = 0; thread < 4; thread++)
			o->enter(b.batch, thread, 1, 7);
		for (uint32_t thread = 0; thread < 4; thread++)
			o->leave(b.batch, thread, 2, false);
		o->arrow(b.batch, 1, 3, 2, 4, 0);
		size_t at = place(&b.first, 1, 3, 'a');

		ok(at != SIZE_MAX);
		ok(place(&b.first, 1, 2, 'l') < at && place(&b.first, 2, 2, 'l') < at);
		ok(place(&b.first, 0, 2, 'l') == SIZE_MAX); /* it is held back */
		o->event(b.batch, 3, 5, TRACE_TYPE_GC, 1);
		at = place(&b.first, 3, 5, 'v');
		ok(place(&b.first, 0, 2, 'l') < at && place(&b.first, 3, 2, 'l') < at);
		o->leave(b.batch, 0, 6, false);
		o->leave(b.batch, 1, 6, false);
		o->event(b.batch, 1, 6, TRACE_TYPE_BYTES, 8); /* for one alone */
		ok(place(&b.first, 1, 6, 'l') < place(&b.first, 1, 6, 'v'));
		ok(place(&b.first, 0, 6, 'l') == SIZE_MAX);
		o->resume(b.batch, 0, 7, 9);
		o->suspend(b.batch, 0, 8);
		ok(place(&b.first, 0, 6, 'l') < place(&b.first, 0, 7, 'r'));
		ok(place(&b.first, 0, 7, 'r') < place(&b.first, 0, 8, 'u'));
		o->outside(b.batch, 2, 9, TRACE_TYPE_CHANNEL, 1);
		ok(place(&b.first, 2, 9, 'O') != SIZE_MAX);
		o->leave(b.batch, 0, 10, false);
		o->event(b.batch, 2, 11, TRACE_TYPE_HOLDER, 1); /* of thread 0 */
		ok(place(&b.first, 0, 10, 'l') < place(&b.first, 2, 11, 'v'));
		o->event(b.batch, 2, 12, TRACE_TYPE_HOLDER, THREADS + 1); /* nobody */
	}
	close_both(&b);
}

TEST(what_is_new_is_told_at_once)
{
	struct both b;

	if (open_both(&b)) {
		const struct trace_output *o = &trace_batch_output;
		uint64_t most = 0;

		for (uint64_t i = 1; i < 3000; i++)
			o->enter(b.batch, (uint32_t)(i * 7 % 10), i, i % 3 ? i / 3 + 1 : 1);
		o->enter(b.batch, 1, 3000, UINT64_C(1) << 40); /* of a trace that somebody wrote */
		o->state(b.batch, 1, 3001, 3002, 70);
		o->state(b.batch, 1, 3002, 3003, 1);
		o->state(b.batch, 1, 3003, 3005, 1);
		o->over(b.batch, 4000);
		for (size_t i = 0; i < b.first.n; i++) {
			if (b.first.at[i].kind != 'e' || b.first.at[i].what <= most)
				continue;
			ok(b.first.at[i].what == most + 1 || b.first.at[i].time == 3000);
			most = b.first.at[i].what;
		}
		ok(place(&b.first, 1, 3001, 's') < place(&b.first, 1, 3002, 's'));
		ok(b.first.at[place(&b.first, 1, 3003, 's')].more == 3005);
	}
	close_both(&b);
}

TEST(who_wants_order_is_told_at_once)
{
	struct both b;
	const struct trace_output *o = &trace_batch_output;
	struct jw_err e;

	if (open_both(&b)) {
		trace_batch_free(b.batch);
		b.tee.second = &log_output_in_order;
		b.batch = trace_batch_new(&trace_tee_output, &b.tee);
		ok(b.batch && o->begin(b.batch, &scene, &e) == JW_OK);
		b.second.n = 0;
		for (uint64_t i = 0; b.batch && i < 900; i += 3) {
			o->state(b.batch, (uint32_t)(i % 7), i, i + 1, i % 2);
			o->enter(b.batch, (uint32_t)(i % 7), i, i % 11 + 1);
			o->leave(b.batch, (uint32_t)(i % 7), i + 1, false);
			ok(b.second.n == i + 3 && b.second.at[i + 2].time == i + 1);
		}
		ok(b.first.n < 900);
		o->over(b.batch, 1000);
		ok(b.first.n == 903 && b.second.n == 901);
	}
	close_both(&b);
}

/* Anything that may happen to THREAD, by number, at TIME; an arrow is one that it receives. */
static void tell_some(struct trace_batch *batch, unsigned number, uint32_t thread, uint64_t time)
{
	static const struct jw_capture capture = { .type = 7 };
	const struct trace_output *o = &trace_batch_output;

	switch (number) {
	case 0:
		o->enter(batch, thread, time, time % 3 + 1);
		break;
	case 1:
		o->leave(batch, thread, time, time % 2);
		break;
	case 2:
		o->state(batch, thread, time, time + 1, time % 2);
		break;
	case 3:
		o->event(batch, thread, time, TRACE_TYPE_BYTES, time << 32);
		break;
	case 4:
		o->operation(batch, thread, time, JW_OPERATIONS_IO, time % 3);
		break;
	case 5:
		o->captured(batch, thread, time, &capture, UINT64_MAX - time);
		break;
	case 6:
		o->released(batch, thread, time, &capture, time % 2, time << 33);
		break;
	case 7:
		o->user(batch, thread, time, UINT64_MAX - time, UINT64_MAX / time);
		break;
	default:
		o->arrow(batch, thread + 1, time, thread, time << 34, time << 35);
		break;
	}
}

/* Whose LINE is: an arrow is with what its receiver does. */
static uint32_t thread_of(const struct log_line *line, const struct log_line *after)
{
	return line->kind == 'a'   ? (uint32_t)line->what
	       : line->kind == 't' ? (uint32_t)after[-2].what
				   : (uint32_t)line->thread;
}

/* Of each thread the same, in the same order? */
static bool same_by_thread(const struct log *a, const struct log *b, uint32_t threads)
{
	for (uint32_t thread = 0; thread < threads; thread++) {
		size_t i = 0, k = 0;

		for (;; i++, k++) {
			while (i < a->n && thread_of(&a->at[i], &a->at[i + 1]) != thread)
				i++;
			while (k < b->n && thread_of(&b->at[k], &b->at[k + 1]) != thread)
				k++;
			if (i == a->n || k == b->n)
				break;
			if (memcmp(&a->at[i], &b->at[k], sizeof(*a->at)) != 0)
				return false;
		}
		if (i < a->n || k < b->n)
			return false;
	}
	return true;
}

TEST(by_thread_all_is_held_back)
{
	struct both b;
	const struct trace_output *o = &trace_batch_output;
	struct jw_err e;
	size_t turns = 0;

	if (open_both(&b)) {
		trace_batch_free(b.batch);
		b.tee.first = &log_output_by_thread;
		b.tee.second = &log_output_in_order;
		b.batch = trace_batch_new(&trace_tee_output, &b.tee);
		ok(b.batch && o->begin(b.batch, &scene, &e) == JW_OK);
		b.first.n = b.second.n = 0;
		for (uint64_t i = 1; b.batch && i < 9000; i++)
			tell_some(b.batch, (unsigned)(i / 3 * 7 % 9), (uint32_t)(i % 3), i);
		ok(b.second.n > 9000 && b.first.n < b.second.n);
		o->event(b.batch, 4, 9000, TRACE_TYPE_GC, 1); /* all before it is told */
		ok(b.first.n == b.second.n && b.first.at[b.first.n - 1].kind == 'v');
		tell_some(b.batch, 3, 1, 9001);
		o->event(b.batch, 4, 9002, TRACE_TYPE_CLOSED, 1);
		ok(b.first.n == b.second.n && b.first.at[b.first.n - 2].time == 9001);
		tell_some(b.batch, 3, 0, 9003);
		o->event(b.batch, 2, 9004, TRACE_TYPE_HOLDER, 1);
		ok(place(&b.first, 2, 9004, 'v') != SIZE_MAX && b.first.n == b.second.n);
		ok(same_by_thread(&b.first, &b.second, 5));
		for (size_t i = 3; i < b.first.n; i++)
			turns += thread_of(&b.first.at[i], &b.first.at[i + 1]) !=
				 thread_of(&b.first.at[i - 1], &b.first.at[i]);
		ok(turns < 300);
	}
	close_both(&b);
}

/* One that is not by thread has arrows, events and all that in their order, after its calls. */
TEST(not_all_by_thread)
{
	struct both b;
	const struct trace_output *o = &trace_batch_output;
	struct jw_err e;

	if (open_both(&b)) {
		trace_batch_free(b.batch);
		b.tee.first = &log_output_by_thread;
		b.batch = trace_batch_new(&trace_tee_output, &b.tee);
		ok(b.batch && o->begin(b.batch, &scene, &e) == JW_OK);
		for (uint64_t i = 1; b.batch && i < 900; i++) {
			unsigned number = (unsigned)(i / 3 * 7 % 9);

			tell_some(b.batch, number, (uint32_t)(i % 3), i);
			ok(number < 3 || b.second.at[b.second.n - (number > 7 ? 2 : 1)].time == i);
		}
		o->over(b.batch, 1000);
		ok(b.first.n == b.second.n &&
		   memcmp(b.first.at, b.second.at, b.first.n * sizeof(struct log_line)) == 0);
	}
	close_both(&b);
}

/* More threads than there is room for. */
TEST(many_threads)
{
	struct both b;

	if (open_both(&b)) {
		const struct trace_output *o = &trace_batch_output;
		size_t n[2] = { 0 };

		for (uint64_t round = 0; round < 3; round++)
			for (uint32_t thread = 0; thread < THREADS; thread++) {
				o->enter(b.batch, thread, 2 * round, 1);
				o->leave(b.batch, thread, 2 * round + 1, false);
			}
		o->over(b.batch, 100);
		for (size_t i = 0; i < b.first.n; i++) {
			n[0] += b.first.at[i].kind == 'e';
			n[1] += b.first.at[i].kind == 'l';
		}
		ok(n[0] == (size_t)3 * THREADS && n[1] == n[0]);
	}
	close_both(&b);
}
