#include "runtime-jni/recorder/meta_trim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/grow.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/ring.h"
#include "runtime-jni/recorder/state.h"
#include "trace/format/fields.h"

#include "base/banned.h"

#define STEP_LEAST (UINT64_C(64) << 10)

static struct {
	pthread_mutex_t lock;
	uint64_t step;
	_Atomic uint64_t next; /* it is worth a try when meta has so many bytes */
	uint64_t cut;          /* the last one: nothing is gone before it */
	uint64_t threads;      /* that are gone, in all */
} trim = { .lock = PTHREAD_MUTEX_INITIALIZER, .next = UINT64_MAX };

/* What is left of a meta, and what is not. */
struct rest {
	struct jw_file file;
	struct jw_span text; /* its whole lines */
	struct {
		uint32_t *at; /* owned; in order */
		size_t n, room;
	} gone;
	struct jw_buf kept;
	struct rt_ring_marks marks;
	uint64_t before[RT_RING_SEGMENTS]; /* bytes that go before each mark */
	uint64_t lost;                     /* events of threads that go */
};

void rt_trim_begin(uint64_t most)
{
	trim.step = most / 16 > STEP_LEAST ? most / 16 : STEP_LEAST;
	atomic_store(&trim.next, trim.step);
}

bool rt_trim_pause(void)
{
	const struct timespec pause = { .tv_nsec = 100000 };

	for (int tries = 0; pthread_mutex_trylock(&trim.lock) != 0; tries++) {
		if (tries >= RT_END_PATIENCE_MS * 10)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

void rt_trim_go_on(void)
{
	pthread_mutex_unlock(&trim.lock);
}

/* ---- what goes ---- */

static int by_uid(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_gone(const struct rest *r, uint64_t uid)
{
	uint32_t key = (uint32_t)uid;

	return r->gone.n && bsearch(&key, r->gone.at, r->gone.n, sizeof(key), by_uid);
}

/* The threads whose end is told before CUT; false: no memory. */
static bool find_gone(struct rest *r, uint64_t cut)
{
	static const struct jw_growth threads = { .what = "threads" };
	struct jw_span rest = jw_span(r->text.p, cut < r->text.n ? (size_t)cut : r->text.n);

	while (rest.n) {
		struct jw_span line = trace_line(&rest), item = trace_field(&line);
		uint64_t uid;

		if (!jw_span_eq_str(item, "thread-end") ||
		    !trace_dec(trace_field(&line), UINT32_MAX, &uid))
			continue;
		if (JW_GROW(&r->gone, &threads, NULL) != JW_OK)
			return false;
		r->gone.at[r->gone.n++] = (uint32_t)uid;
	}
	if (r->gone.n)
		qsort(r->gone.at, r->gone.n, sizeof(*r->gone.at), by_uid);
	return true;
}

/* Does LINE go? */
static bool goes(struct rest *r, struct jw_span line)
{
	static const char *const items[] = { "thread", "thread-name", "lost", "thread-end" };
	struct jw_span item = trace_field(&line);
	uint64_t uid, count;

	if (jw_span_eq_str(item, "threads-gone")) /* there is a new one */
		return true;
	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
		if (!jw_span_eq_str(item, items[i]))
			continue;
		if (!trace_dec(trace_field(&line), UINT32_MAX, &uid) || !is_gone(r, uid))
			return false;
		if (i == 2 && trace_dec(trace_field(&line), UINT64_MAX, &count))
			r->lost += count;
		return true;
	}
	return false;
}

static void keep_others(struct rest *r)
{
	struct jw_span rest = r->text;
	uint64_t away = 0;
	unsigned mark = 0;

	while (rest.n) {
		const uint8_t *p = rest.p;

		for (; mark < r->marks.n && r->marks.at[mark] <= (uint64_t)(p - r->text.p); mark++)
			r->before[mark] = away;
		struct jw_span line = trace_line(&rest);
		size_t n = line.n + 1;

		if (goes(r, line))
			away += n;
		else
			jw_put_bytes(&r->kept, jw_span(p, n));
	}
	for (; mark < r->marks.n; mark++)
		r->before[mark] = away;
}

/* ---- the new file ---- */

/* Where the mark AT of the old file is in the new one. That of a segment which began meanwhile may be told
 * too low: then less goes than could. */
static uint64_t moved(void *rest, uint64_t at)
{
	const struct rest *r = rest;
	uint64_t away = r->text.n - r->kept.n;

	for (unsigned i = 0; i < r->marks.n; i++)
		if (r->marks.at[i] == at)
			return at - r->before[i];
	return at > away ? at - away : 0;
}

/* What was written to PATH since it was read goes to FD, which takes its place, under the name FRESH so far. No line
 * is written meanwhile. */
static bool take_place(struct rest *r, const char *path, const char *fresh, int fd)
{
	struct jw_buf line = { 0 };
	struct jw_file now = { 0 };

	jw_put_fmt(&line, "threads-gone\t%llu\n", (unsigned long long)(trim.threads + r->gone.n));
	bool done = !line.failed && jw_file_open(path, 0, &now, NULL) == JW_OK &&
		    now.bytes.n >= r->text.n;
	struct jw_span tail =
		done ? jw_span(now.bytes.p + r->text.n, now.bytes.n - r->text.n) : jw_span(NULL, 0);

	done = done && jw_write_all(fd, line.p, line.n) && jw_write_all(fd, tail.p, tail.n) &&
	       rename(fresh, path) == 0;
	if (done)
		rt_meta_moves(fd, r->kept.n + line.n + tail.n);
	jw_file_close(&now);
	jw_buf_free(&line);
	return done;
}

static bool replace(struct rest *r, const char *path)
{
	char fresh[4200];

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	bool done = fd >= 0 && jw_write_all(fd, r->kept.p, r->kept.n) && rt_meta_hold();

	if (done) {
		done = take_place(r, path, fresh, fd);
		rt_meta_go_on();
	}
	if (!done && fd >= 0) {
		close(fd);
		unlink(fresh);
	}
	return done;
}

/* The whole lines of R's file. */
static struct jw_span whole_lines(const struct rest *r)
{
	struct jw_span text = r->file.bytes;

	while (text.n && text.p[text.n - 1] != '\n')
		text.n--;
	return text;
}

static void trim_to(struct rest *r)
{
	char path[4100];
	uint64_t cut = r->marks.n ? r->marks.at[0] : 0;

	snprintf(path, sizeof(path), "%.4000s/meta", rt_recorder.names.folder);
	if (cut <= trim.cut || jw_file_open(path, 0, &r->file, NULL) != JW_OK)
		return;
	r->text = whole_lines(r);
	if (!find_gone(r, cut) || !r->gone.n)
		return;
	keep_others(r);
	if (r->kept.failed || !replace(r, path))
		return;
	trim.threads += r->gone.n;
	atomic_fetch_add(&rt_recorder.lost, r->lost);
	trim.cut = moved(r, cut);
	rt_ring_move_marks(moved, r);
}

void rt_trim_meta(void)
{
	struct rest r = { 0 };

	if (rt_meta_bytes() < atomic_load_explicit(&trim.next, memory_order_relaxed) ||
	    pthread_mutex_trylock(&trim.lock) != 0)
		return;
	if (rt_state_now() == RT_RUN) {
		rt_ring_marks(&r.marks); /* before meta is read: each mark is in it */
		trim_to(&r);
	}
	atomic_store(&trim.next, rt_meta_bytes() + trim.step);
	pthread_mutex_unlock(&trim.lock);
	jw_file_close(&r.file);
	jw_mem_free(r.gone.at);
	jw_buf_free(&r.kept);
}
