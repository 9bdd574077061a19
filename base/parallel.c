/* for sched_getaffinity() and CPU_COUNT() */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier) */

#include "base/parallel.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/memory.h"

#include "base/banned.h"

/* ---- slots ---- */

/* Slots without a job. A thread prefers those that it had before: they are in its cache. */
struct slots {
	size_t *last;   /* by thread: the one that it had last */
	size_t *before; /* by slot: the one that its thread had before */
	size_t threads, count;
	size_t fresh; /* from here on they were never used */
};

#define NO_SLOT SIZE_MAX

static bool open_slots(struct slots *s, size_t count, size_t threads)
{
	*s = (struct slots){ .threads = threads, .count = count };
	s->last = jw_mem_zalloc(threads, sizeof(*s->last));
	s->before = jw_mem_zalloc(count, sizeof(*s->before));
	for (size_t i = 0; s->last && i < threads; i++)
		s->last[i] = NO_SLOT;
	return s->last && s->before;
}

static void close_slots(struct slots *s)
{
	jw_mem_free(s->last);
	jw_mem_free(s->before);
}

static void give_slot(struct slots *s, size_t thread, size_t slot)
{
	s->before[slot] = s->last[thread];
	s->last[thread] = slot;
}

/* There are as many slots as jobs that run at once. */
static size_t take_slot(struct slots *s, size_t thread)
{
	if (s->last[thread] == NO_SLOT && s->fresh < s->count)
		return s->fresh++;
	while (s->last[thread] == NO_SLOT)
		thread = (thread + 1) % s->threads;
	size_t slot = s->last[thread];

	s->last[thread] = s->before[slot];
	return slot;
}

/* ---- the run ---- */

/* A job, and how many early ones are before it. */
struct place {
	size_t job, early;
};

/* A job that is begun. */
struct cell {
	size_t slot, thread;
	bool ready; /* its work is finished */
};

struct run {
	const struct jw_parallel *p;
	size_t window;
	pthread_mutex_t lock;
	pthread_cond_t room; /* a slot came free, or the run ends */
	size_t waiting;      /* threads that wait for one */
	size_t early;        /* early jobs that were taken */
	struct place next;   /* after those, a free thread takes this job */
	struct place out;    /* all jobs before are done */
	size_t stop;         /* no job from here on is begun: the count, or the first that failed */
	struct cell *cells;  /* of the jobs that are begun and not taken out */
	struct slots slots;
	size_t held; /* bytes in results that are ready */
	bool handing_over;
	enum jw_status status; /* of job `stop`, when it failed */
	struct jw_err error;
};

struct worker {
	struct run *run;
	size_t number; /* 0: the caller of the run */
	pthread_t thread;
};

static void fail_at(struct run *r, size_t job, enum jw_status status, const struct jw_err *why)
{
	if (job >= r->stop)
		return;
	r->stop = job;
	r->status = status;
	r->error = *why;
}

static bool is_early(const struct run *r, struct place at)
{
	return at.early < r->p->early_count && r->p->early[at.early] == at.job;
}

static struct cell *cell_of(const struct run *r, struct place at)
{
	return &r->cells[is_early(r, at) ? r->window + at.early : at.job % r->window];
}

static struct place after(const struct run *r, struct place at)
{
	return (struct place){ at.job + 1, at.early + is_early(r, at) };
}

static enum jw_status take_out(struct run *r, size_t slot, size_t thread, struct jw_err *why)
{
	/* the caller's thread takes the signals: it is not in the middle of this when it handles
	 * one */
	if (thread > 0)
		jw_guard_step_begin();
	enum jw_status status = r->p->done(r->p->ctx, r->out.job, slot, why);
	if (thread > 0)
		jw_guard_step_end();
	return status;
}

static size_t held_in(const struct run *r, size_t slot)
{
	return r->p->held ? r->p->held(r->p->ctx, slot) : 0;
}

/* May the next job begin? When its result is the next to be taken out, only it can make room. */
static bool has_room(const struct run *r, size_t window, size_t held_max)
{
	if (r->next.job == r->out.job)
		return true;
	return r->next.job < r->out.job + window && r->held <= held_max;
}

/* Takes out, in order, the results that are there, unless another thread is doing so: no thread
 * waits for results, and one that has made one goes on at once. The lock is held, except in done().
 */
static void hand_over(struct run *r, size_t thread)
{
	if (r->handing_over)
		return;
	r->handing_over = true;
	while (r->out.job < r->stop && cell_of(r, r->out)->ready) {
		struct cell *cell = cell_of(r, r->out);
		struct jw_err why = { 0 };

		r->held -= held_in(r, cell->slot);
		pthread_mutex_unlock(&r->lock);
		enum jw_status status = take_out(r, cell->slot, thread, &why);
		pthread_mutex_lock(&r->lock);
		cell->ready = false;
		give_slot(&r->slots, cell->thread, cell->slot);
		if (status != JW_OK)
			fail_at(r, r->out.job, status, &why);
		r->out = after(r, r->out);
		/* not for each one: waking costs as much as a small job */
		if (r->waiting && has_room(r, r->window / 2 + 1, r->p->held_max / 2))
			pthread_cond_broadcast(&r->room);
	}
	r->handing_over = false;
}

/* The next job for a free thread; waits for one. False: there is none. */
static bool take_job(struct run *r, struct place *job)
{
	while (r->early < r->p->early_count) {
		size_t taken = r->early++;
		size_t i = r->p->early_first ? r->p->early_first[taken] : taken;

		*job = (struct place){ r->p->early[i], i };
		if (job->job < r->stop)
			return true;
	}
	for (;;) {
		while (is_early(r, r->next))
			r->next = after(r, r->next);
		if (r->next.job >= r->stop)
			return false;
		if (has_room(r, r->window, r->p->held_max))
			break;
		r->waiting++;
		pthread_cond_wait(&r->room, &r->lock);
		r->waiting--;
	}
	*job = r->next;
	r->next = after(r, r->next);
	return true;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct run *r = w->run;
	struct place at;

	pthread_mutex_lock(&r->lock);
	while (take_job(r, &at)) {
		struct cell *cell = cell_of(r, at);
		struct jw_err why = { 0 };

		cell->slot = take_slot(&r->slots, w->number);
		cell->thread = w->number;
		pthread_mutex_unlock(&r->lock);
		enum jw_status status = r->p->work(r->p->ctx, at.job, cell->slot, w->number, &why);
		pthread_mutex_lock(&r->lock);
		if (status != JW_OK)
			fail_at(r, at.job, status, &why);
		cell->ready = true;
		r->held += held_in(r, cell->slot);
		hand_over(r, w->number);
	}
	pthread_cond_broadcast(&r->room);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static enum jw_status run_alone(const struct jw_parallel *p, struct jw_err *e)
{
	for (size_t job = 0; job < p->jobs; job++) {
		JW_TRY(p->work(p->ctx, job, 0, 0, e));
		JW_TRY(p->done(p->ctx, job, 0, e));
	}
	return JW_OK;
}

static enum jw_status run_threads(struct run *r, struct worker *workers, size_t threads,
				  struct jw_err *e)
{
	size_t started = 1;
	sigset_t old;

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->room, NULL);
	workers[0] = (struct worker){ .run = r };
	jw_guard_hold(&old);
	for (; started < threads; started++) {
		workers[started] = (struct worker){ .run = r, .number = started };
		if (pthread_create(&workers[started].thread, NULL, worker_main,
				   &workers[started]) != 0)
			break; /* a limit on threads costs time only */
	}
	jw_guard_release(&old);
	worker_main(&workers[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_cond_destroy(&r->room);
	pthread_mutex_destroy(&r->lock);
	if (r->status != JW_OK && e)
		*e = r->error;
	return r->status;
}

enum jw_status jw_parallel_run(const struct jw_parallel *p, struct jw_err *e)
{
	size_t threads = p->threads ? p->threads : jw_processors();

	if (threads > p->jobs)
		threads = p->jobs;
	if (threads <= 1)
		return run_alone(p, e);
	struct run r = { .p = p, .stop = p->jobs };
	r.window = p->window ? p->window : 4 * threads;
	size_t slots = r.window + p->early_count;
	bool opened = open_slots(&r.slots, slots, threads);
	r.cells = jw_mem_zalloc(slots, sizeof(*r.cells));
	struct worker *workers = jw_mem_zalloc(threads, sizeof(*workers));
	enum jw_status status = JW_NOMEM;
	if (opened && r.cells && workers)
		status = run_threads(&r, workers, threads, e);
	else
		(void)jw_nomem(e);
	close_slots(&r.slots);
	jw_mem_free(r.cells);
	jw_mem_free(workers);
	return status;
}

/* ---- processors ---- */

/* The beginning of PATH as a string; false when it cannot be read. */
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

static size_t quota_of(long long quota, long long period)
{
	if (quota <= 0 || period <= 0)
		return SIZE_MAX;
	return quota <= period ? 1 : (size_t)((quota + period - 1) / period);
}

/* cgroup 2: "QUOTA PERIOD" or "max PERIOD" in cpu.max of our group and of each group above it. */
static size_t quota_v2(void)
{
	char text[4096], path[4096 + 64];
	size_t least = SIZE_MAX;

	if (!read_text("/proc/self/cgroup", text, sizeof(text)))
		return least;
	char *group = strstr(text, "0::/");
	if (!group)
		return least;
	group += strlen("0::");
	group[strcspn(group, "\n")] = 0;
	for (;;) {
		char line[64], *end;

		snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", group);
		if (read_text(path, line, sizeof(line)) && strncmp(line, "max", 3) != 0) {
			long long quota = strtoll(line, &end, 10);
			size_t here = quota_of(quota, strtoll(end, NULL, 10));

			least = here < least ? here : least;
		}
		char *slash = strrchr(group, '/');
		if (!slash)
			return least;
		*slash = 0;
	}
}

static size_t quota_v1(void)
{
	char quota[64], period[64];

	if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof(quota)) ||
	    !read_text("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof(period)))
		return SIZE_MAX;
	return quota_of(strtoll(quota, NULL, 10), strtoll(period, NULL, 10));
}

size_t jw_processors(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = online > 0 ? (size_t)online : 1, quota;
	cpu_set_t set;

	/* fails on machines with more processors than the set has room for: then the count holds
	 */
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		count = (size_t)CPU_COUNT(&set);
	quota = quota_v2();
	count = quota < count ? quota : count;
	quota = quota_v1();
	return quota < count ? quota : count;
}
