/* Work on threads, results in order. */
#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "tests/tap.h"

#include "base/banned.h"

enum { JOBS = 2000, WINDOW = 8, EARLY = 4, NEVER = -1 };

struct probe {
	pthread_mutex_t lock;
	size_t slots[WINDOW + EARLY]; /* job + 1 that waits in it */
	size_t last[WINDOW + EARLY];  /* thread + 1 that had it */
	size_t changed;               /* how often another thread had one */
	const size_t *early;          /* jobs */
	size_t next;                  /* job that done() expects */
	size_t begun, most_waiting, threads;
	long work_fails[2], done_fails; /* jobs */
	size_t first;                   /* job */
	bool ordered, slot_reused, slow, other_caller;
	pthread_t caller;
};

static void start(struct probe *p)
{
	*p = (struct probe){ .ordered = true, .done_fails = NEVER };
	p->work_fails[0] = p->work_fails[1] = NEVER;
	pthread_mutex_init(&p->lock, NULL);
}

static void nap(long microseconds)
{
	struct timespec t = { .tv_nsec = microseconds * 1000 };

	nanosleep(&t, NULL);
}

static bool in_list(size_t job, const size_t list[EARLY])
{
	for (size_t i = 0; i < EARLY; i++)
		if (list[i] == job)
			return true;
	return false;
}

static enum jw_status work(void *ctx, size_t job, size_t slot, size_t thread, struct jw_err *e)
{
	struct probe *p = ctx;

	if (p->slow)
		nap((long)(job * 7919 % 200)); /* some overtake others */
	pthread_mutex_lock(&p->lock);
	p->begun++;
	p->slot_reused = p->slot_reused || slot >= WINDOW + EARLY || p->slots[slot] != 0;
	if (slot < WINDOW + EARLY) {
		p->changed += p->last[slot] && p->last[slot] != thread + 1;
		p->last[slot] = thread + 1;
		p->slots[slot] = job + 1;
	}
	if (p->begun == 1)
		p->first = job;
	if (!(p->early && in_list(job, p->early)) && job + 1 - p->next > p->most_waiting)
		p->most_waiting = job + 1 - p->next;
	if (thread + 1 > p->threads)
		p->threads = thread + 1;
	pthread_mutex_unlock(&p->lock);
	if ((long)job == p->work_fails[0] || (long)job == p->work_fails[1])
		return jw_fail(e, JW_INPUT, "job %zu", job);
	return JW_OK;
}

/* Counts the jobs of other threads than the caller's on which SIGTERM would run its handler. */
static enum jw_status look_at_mask(void *ctx, size_t job, size_t slot, size_t thread,
				   struct jw_err *e)
{
	struct probe *p = ctx;
	sigset_t mask;

	(void)e, (void)job, (void)slot;
	nap(500); /* all have their share */
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	pthread_mutex_lock(&p->lock);
	if (thread > 0)
		p->begun += !sigismember(&mask, SIGTERM) || !sigismember(&mask, SIGINT);
	else
		p->other_caller |= !pthread_equal(p->caller, pthread_self());
	if (thread + 1 > p->threads)
		p->threads = thread + 1;
	pthread_mutex_unlock(&p->lock);
	return JW_OK;
}

static enum jw_status done(void *ctx, size_t job, size_t slot, struct jw_err *e)
{
	struct probe *p = ctx;

	pthread_mutex_lock(&p->lock);
	p->ordered = p->ordered && job == p->next && p->slots[slot] == job + 1;
	p->next = job + 1;
	p->slots[slot] = 0;
	pthread_mutex_unlock(&p->lock);
	if ((long)job == p->done_fails)
		return jw_fail(e, JW_IO, "done %zu", job);
	return JW_OK;
}

static enum jw_status run(struct probe *p, size_t jobs, size_t threads, struct jw_err *e)
{
	struct jw_parallel par = { .jobs = jobs,
				   .threads = threads,
				   .window = WINDOW,
				   .ctx = p,
				   .work = work,
				   .done = done };

	return jw_parallel_run(&par, e);
}

TEST(results_come_in_order_for_any_number_of_threads)
{
	static const size_t threads[] = { 1, 2, 3, 8, 20, 0 };

	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		struct jw_err e = { 0 };
		struct probe p;

		start(&p);
		p.slow = threads[i] > 1;
		is_int(run(&p, JOBS, threads[i], &e), JW_OK);
		ok(p.ordered);
		ok(!p.slot_reused);
		is_int(p.next, JOBS);
		ok(p.most_waiting <= WINDOW);
		ok(threads[i] == 0 || p.threads <= threads[i]);
	}
}

static size_t used(const struct probe *p)
{
	size_t n = 0;

	for (size_t i = 0; i < WINDOW + EARLY; i++)
		n += p->last[i] > 0;
	return n;
}

TEST(a_slot_goes_back_to_the_thread_that_had_it)
{
	struct probe p;

	start(&p);
	is_int(run(&p, JOBS, 1, NULL), JW_OK);
	is_int(used(&p), 1);
	for (size_t threads = 2; threads <= 5; threads += 3) {
		start(&p);
		p.slow = true;
		is_int(run(&p, JOBS, threads, NULL), JW_OK);
		ok(!p.slot_reused);
		/* only where it has none, and all were used: handed around, most would change */
		printf("# %zu changed of %d\n", p.changed, JOBS);
		ok(p.changed < JOBS * 2 / 5);
	}
}

TEST(early_jobs_are_begun_first_and_done_in_their_turn)
{
	static const size_t lists[][EARLY] = { { 100, 900, 901, 1999 },
					       { 0, 1, 2, 3 },
					       { 1996, 1997, 1998, 1999 },
					       { 7, 8, 15, 16 } };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (size_t threads = 1; threads <= 8; threads += 3) {
			struct jw_parallel par = { .jobs = JOBS,
						   .threads = threads,
						   .window = WINDOW,
						   .early = lists[i],
						   .early_count = EARLY,
						   .work = work,
						   .done = done };
			struct probe p;

			start(&p);
			par.ctx = &p;
			p.early = lists[i];
			p.slow = true;
			is_int(jw_parallel_run(&par, NULL), JW_OK);
			ok(p.ordered);
			ok(!p.slot_reused);
			is_int(p.next, JOBS);
			is_int(p.begun, JOBS);
			ok(p.most_waiting <= WINDOW);
			/* the first that is worked on is one of them, if there is one for each
			 * thread */
			ok(threads == 1 || threads > EARLY || in_list(p.first, lists[i]));
		}
	}
}

TEST(early_jobs_are_begun_in_the_order_that_is_asked_for)
{
	static const size_t jobs[EARLY] = { 100, 900, 901, 1999 };

	for (size_t first = 0; first < EARLY; first++) {
		const size_t order[EARLY] = { first, (first + 1) % EARLY, (first + 3) % EARLY,
					      (first + 2) % EARLY };
		struct probe p;

		start(&p);
		is_int(jw_parallel_run(&(struct jw_parallel){ .jobs = JOBS,
							      .threads = 2,
							      .window = WINDOW,
							      .early = jobs,
							      .early_count = EARLY,
							      .early_first = order,
							      .ctx = &p,
							      .work = work,
							      .done = done },
				       NULL),
		       JW_OK);
		ok(p.first == jobs[first] || p.first == jobs[order[1]]); /* of two at once */
		ok(p.ordered);
		is_int(p.next, JOBS);
	}
}

/* ---- what results hold ---- */

enum { RESULT = 10, RESULTS = 5, ROOM = 1000 };

/* Job 0 takes long; the others are done at once, and wait for it. */
struct ahead {
	pthread_mutex_t lock;
	size_t begun, before_first; /* jobs, until the first is done with */
	bool first_done;
};

static enum jw_status run_ahead(void *ctx, size_t job, size_t slot, size_t thread, struct jw_err *e)
{
	struct ahead *a = ctx;

	(void)slot, (void)thread, (void)e;
	pthread_mutex_lock(&a->lock);
	a->begun++;
	pthread_mutex_unlock(&a->lock);
	if (job == 0)
		nap(50000);
	return JW_OK;
}

static enum jw_status take_ahead(void *ctx, size_t job, size_t slot, struct jw_err *e)
{
	struct ahead *a = ctx;

	(void)slot, (void)e;
	pthread_mutex_lock(&a->lock);
	if (job == 0)
		a->before_first = a->begun;
	pthread_mutex_unlock(&a->lock);
	return JW_OK;
}

static size_t ten_bytes(void *ctx, size_t slot)
{
	(void)ctx, (void)slot;
	return RESULT;
}

TEST(no_job_is_begun_while_results_hold_too_much)
{
	for (size_t threads = 2; threads <= 4; threads++) {
		struct ahead a = { .begun = 0 };

		pthread_mutex_init(&a.lock, NULL);
		is_int(jw_parallel_run(&(struct jw_parallel){ .jobs = JOBS,
							      .threads = threads,
							      .window = ROOM,
							      .ctx = &a,
							      .held = ten_bytes,
							      .held_max = RESULT * RESULTS,
							      .work = run_ahead,
							      .done = take_ahead },
				       NULL),
		       JW_OK);
		is_int(a.begun, JOBS);
		/* the first, those that fill it, and one at each other thread beyond */
		ok(a.before_first > RESULTS && a.before_first <= 1 + RESULTS + threads);
	}
}

TEST(a_result_that_holds_more_than_all_may_does_not_stop_the_run)
{
	struct probe p;

	start(&p);
	p.slow = true;
	is_int(jw_parallel_run(&(struct jw_parallel){ .jobs = 200,
						      .threads = 3,
						      .window = WINDOW,
						      .ctx = &p,
						      .held = ten_bytes,
						      .held_max = RESULT - 1,
						      .work = work,
						      .done = done },
			       NULL),
	       JW_OK);
	is_int(p.next, 200);
	ok(p.ordered);
}

TEST(a_failure_before_an_early_job)
{
	static const size_t early[] = { 60, 200, 1000 };

	for (size_t threads = 2; threads <= 6; threads++) {
		for (size_t fails = 59; fails <= 60; fails++) {
			struct jw_err e = { 0 };
			struct probe p;

			start(&p);
			p.slow = true;
			p.work_fails[0] = (long)fails;
			is_int(jw_parallel_run(&(struct jw_parallel){ .jobs = JOBS,
								      .threads = threads,
								      .window = WINDOW,
								      .early = early,
								      .early_count = 3,
								      .ctx = &p,
								      .work = work,
								      .done = done },
					       &e),
			       JW_INPUT);
			is_int(p.next, fails);
			ok(p.ordered);
		}
	}
}

TEST(threads_are_used)
{
	struct probe p;

	start(&p);
	p.slow = true;
	is_int(run(&p, 200, 4, NULL), JW_OK);
	ok(p.threads > 1);
}

TEST(no_jobs_no_work)
{
	struct probe p;

	start(&p);
	is_int(run(&p, 0, 4, NULL), JW_OK);
	is_int(p.begun, 0);
}

/* Whichever is found first, the error of the lowest job is told, and all before it are done. */
TEST(the_first_failure_by_number_is_told)
{
	for (size_t threads = 1; threads <= 8; threads++) {
		struct jw_err e = { 0 };
		struct probe p;

		start(&p);
		p.slow = threads > 1;
		p.work_fails[0] = 100;
		p.work_fails[1] = 101;
		is_int(run(&p, JOBS, threads, &e), JW_INPUT);
		is_str(e.text, "job 100");
		is_int(p.next, 100);
		ok(p.ordered);
		ok(p.begun <= 101 + WINDOW);
	}
}

TEST(a_failure_of_done_ends_the_run)
{
	for (size_t threads = 1; threads <= 4; threads++) {
		struct jw_err e = { 0 };
		struct probe p;

		start(&p);
		p.done_fails = 50;
		p.work_fails[0] = 52;
		is_int(run(&p, JOBS, threads, &e), JW_IO);
		is_str(e.text, "done 50");
		is_int(p.next, 51);
	}
}

TEST(no_memory_for_the_run_is_an_error)
{
	struct jw_err e = { 0 };
	struct probe p;

	for (long n = 0; n < 2; n++) {
		start(&p);
		jw_mem_fail_after(n);
		is_int(run(&p, 10, 3, &e), JW_NOMEM);
		ok(jw_mem_fail_after(-1));
		is_int(p.begun, 0);
	}
}

TEST(there_is_a_processor)
{
	ok(jw_processors() >= 1);
	ok(jw_processors() <= 100000);
}

static enum jw_status nothing(void *ctx, size_t job, size_t slot, struct jw_err *e)
{
	(void)ctx, (void)e, (void)job, (void)slot;
	return JW_OK;
}

TEST(signals_are_for_the_callers_thread)
{
	struct probe p;
	sigset_t mask;

	start(&p);
	p.caller = pthread_self();
	is_int(jw_parallel_run(&(struct jw_parallel){ .jobs = 20,
						      .threads = 3,
						      .ctx = &p,
						      .work = look_at_mask,
						      .done = nothing },
			       NULL),
	       JW_OK);
	is_int(p.begun, 0);
	ok(p.threads > 1);
	ok(!p.other_caller);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	ok(!sigismember(&mask, SIGTERM));
}
