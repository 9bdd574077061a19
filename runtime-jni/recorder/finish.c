#include "runtime-jni/recorder/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/guard.h"
#include "base/text.h"
#include "runtime-jni/recorder/archives.h"
#include "runtime-jni/recorder/control.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/job.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/ring.h"
#include "runtime-jni/recorder/run_message.h"
#include "runtime-jni/recorder/say.h"
#include "runtime-jni/recorder/session.h"
#include "trace/paraver/paraver.h"
#include "trace/report/cost.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* recordings below are converted by the process itself */
#define AUTO_BYTES    (UINT64_C(256) << 20)
#define PRV_GROWTH    4 /* a trace takes at most about so many times its recording */
#define WARNINGS_SAID 3
#define METHODS_SAID  3
#define COST_SAID     0.1 /* as a share of the time in traced methods: below, it is not told */
#define COST_LEAST    1e6 /* ns: below, nobody would leave out methods for it */
/* of the converting thread: the program's -Xss may be tiny */
#define STACK_BYTES ((size_t)4 << 20)

static const struct rt_config *config;

void rt_finish_prepare(const struct rt_config *c)
{
	config = c;
}

/* 1204 -> "1,204" in TEXT. */
static const char *grouped(uint64_t n, char text[32])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n), at = 0;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	return text;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_summary(const struct trace_summary *s, const char *shown, const char *suffix)
{
	char threads[32], calls[32], methods[32], lost[32], extra[64] = "";

	if (s->lost)
		snprintf(extra, sizeof(extra), ", %s events lost", grouped(s->lost, lost));
	rt_say("%s thread%s, %s call%s, %s method%s in %.2f s%s -> %s%s",
	       grouped(s->threads, threads), plural(s->threads), grouped(s->calls, calls),
	       plural(s->calls), grouped(s->methods, methods), plural(s->methods),
	       (double)s->duration_ns / 1e9, extra, shown, suffix);
	if (s->closed)
		rt_say("%s", s->closed);
	for (size_t i = 0; i < s->warning_count && i < WARNINGS_SAID; i++)
		rt_say("%s", s->warnings[i]);
	if (s->warning_count > WARNINGS_SAID)
		rt_say("and %zu more: jweave prv tells them all", s->warning_count - WARNINGS_SAID);
}

/* What tracing seems to have cost, when that shows: by the pairs of probes, each as jweave
 * score takes it, against the time inside traced methods. Names the methods to leave out, most called
 * first. */
static void say_cost(const struct trace_summary *s, const char *shown, const char *suffix)
{
	double inside = (double)s->inside_ns, events = 0, cost = (double)s->calls * TRACE_PAIR_NS;
	struct jw_buf names = { 0 };
	size_t n = 0;

	if (cost < inside * COST_SAID || cost < COST_LEAST)
		return;
	for (; n < s->top_count && n < METHODS_SAID; n++) {
		const struct trace_top_method *m = &s->top[n];

		if (n && (double)m->calls < (double)s->calls / 20)
			break;
		jw_put_fmt(&names, "%s%.60s", n ? ", " : "", m->label);
		events += (double)m->calls;
	}
	jw_put_u1(&names, '\0');
	if (n && !names.failed)
		rt_say("tracing added about %.0f %% to the %s; %.0f %% of the "
		       "events are of %s; jweave score %s%s suggests what to leave out",
		       100 * trace_cost_overhead(inside, cost),
		       s->inside_is_cpu ? "CPU time of threads in traced methods"
					: "time in traced methods",
		       100 * events / (double)s->calls, (const char *)names.p, shown, suffix);
	jw_buf_free(&names);
}

/* TEXT and SUFFIX as the next word of a command of the shell. */
static void put_word(struct jw_buf *out, const char *text, const char *suffix)
{
	struct jw_buf word = { 0 };

	jw_put_fmt(&word, "%s%s", text, suffix);
	jw_put_u1(out, ' ');
	jw_put_word(out, jw_buf_span(&word));
	if (word.failed)
		out->failed = word.failed;
	jw_buf_free(&word);
}

static void say_report(const char *shown)
{
	struct jw_buf b = { 0 };

	put_word(&b, shown, ".jwr");
	jw_put_u1(&b, '\0');
	rt_say("sums alone, no events; to see them: jweave report%s",
	       b.failed ? "" : (const char *)b.p);
	jw_buf_free(&b);
}

static void say_command(const char *shown, const char *why)
{
	struct jw_buf b = { 0 };

	jw_put_str(&b, "jweave prv");
	put_word(&b, shown, ".jwr");
	jw_put_str(&b, " -o");
	put_word(&b, shown, "");
	jw_put_u1(&b, '\0');
	rt_say("%s; to convert the recording: %s", why,
	       b.failed ? "jweave prv" : (const char *)b.p);
	jw_buf_free(&b);
}

static void say_job(const char *shown)
{
	struct jw_buf b = { 0 };

	put_word(&b, config->job, "");
	jw_put_u1(&b, '\0');
	rt_say("recording complete: %s.jwr; with the others of its job: jweave report%s", shown,
	       b.failed ? "" : (const char *)b.p);
	jw_buf_free(&b);
}

/* Where converting now would be wrong: why, for the user; else NULL. */
static const char *reason_to_wait(const struct rt_recorder_result *r)
{
	uint64_t floor, free_bytes;

	if (config->convert == RT_CHOICE_OFF)
		return "recording complete";
	if (config->convert == RT_CHOICE_ON)
		return NULL;
	if (r->bytes >= AUTO_BYTES)
		return "the recording is large and was not converted";
	int fd = open(r->names.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return "the recording cannot be opened";
	rt_output_space(fd, &floor, &free_bytes);
	close(fd);
	return free_bytes - floor < r->bytes * PRV_GROWTH || free_bytes < floor
		       ? "the disk is too full to convert the recording"
		       : NULL;
}

static void remove_recording(const struct rt_recorder_names *names)
{
	static const char *const parts[] = { JWR_DATA, "windows", JWR_CONTROL, JWR_REGIONS,
					     "meta" };
	int fd = open(names->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	rt_ring_close();
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		unlinkat(fd, parts[i], 0);
	rt_archives_remove(fd);
	close(fd);
	rmdir(names->folder);
}

/* A recording is kept where another archive may still give it names. */
static void say_kept(const char *shown)
{
	struct jw_buf b = { 0 };

	put_word(&b, shown, ".jwr");
	jw_put_str(&b, " --force --map");
	jw_put_u1(&b, '\0');
	rt_say("the recording is kept for that: jweave prv%s WOVEN.jar",
	       b.failed ? "" : (const char *)b.p);
	jw_buf_free(&b);
}

static void *convert(void *result)
{
	const struct rt_recorder_result *r = result;
	const char *recordings[] = { r->names.folder };
	const struct trace_job job = { .recordings = recordings, .recording_count = 1 };
	const struct trace_paraver_files files = { .base = r->names.base };
	struct trace_summary summary = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	enum jw_status status = trace_to_paraver(&job, &files, &arena, &summary, &e);

	if (status == JW_INPUT) { /* jweave prv would say no more */
		rt_say("%s", e.text);
	} else if (status != JW_OK) {
		say_command(r->names.shown, e.text);
	} else {
		bool keep = config->keep == RT_CHOICE_ON || !r->complete ||
			    (config->keep == RT_CHOICE_AUTO && summary.unnamed);

		rt_tell_starter(&summary, r->names.base, ".prv");
		if (config->summary) {
			say_summary(&summary, r->names.shown, ".prv");
			if (keep && summary.unnamed)
				say_kept(r->names.shown);
			say_cost(&summary, r->names.shown, ".prv");
		}
		if (!keep)
			remove_recording(&r->names);
	}
	jw_arena_free(&arena);
	return NULL;
}

/* A summary stays what it is. */
static void *summarize(void *result)
{
	const struct rt_recorder_result *r = result;
	const char *recordings[] = { r->names.folder };
	const struct trace_job job = { .recordings = recordings, .recording_count = 1 };
	struct trace_summary summary = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	if (trace_summarize(&job, &arena, &summary, &e) != JW_OK) {
		rt_say("%s.jwr: %s", r->names.shown, e.text);
	} else {
		rt_tell_starter(&summary, r->names.base, ".jwr");
		say_summary(&summary, r->names.shown, ".jwr");
		say_cost(&summary, r->names.shown, ".jwr");
		say_report(r->names.shown);
	}
	jw_arena_free(&arena);
	return NULL;
}

/* WHAT on a stack of its own, undisturbed by signals; on this one where that cannot be. */
static void do_aside(void *(*what)(void *), struct rt_recorder_result *r)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	int failed = pthread_create(&thread, &attr, what, r);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed)
		what(r);
	else
		pthread_join(thread, NULL);
}

static bool is_gone(const char *folder)
{
	struct stat st;

	return stat(folder, &st) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* What to do with the recording that is complete now. */
static void deal_with(struct rt_recorder_result *r)
{
	if (is_gone(r->names.folder)) {
		rt_say("%s.jwr was removed, or moved, while the program ran: there is no trace",
		       r->names.shown);
		return;
	}
	if (config->mode == RT_MODE_SUMMARY) {
		if (config->summary)
			do_aside(summarize, r);
		return;
	}
	if (rt_in_job(config)) {
		if (config->summary)
			say_job(r->names.shown);
		return;
	}
	const char *why = reason_to_wait(r);

	if (!why)
		do_aside(convert, r);
	else if (r->empty && r->stopped[0])
		rt_say("no event could be recorded: there is no trace");
	else if (config->summary || config->convert != RT_CHOICE_OFF)
		say_command(r->names.shown, why);
}

/* ulimit -f: a write beyond it shall be an error, not a signal that kills the program now. */
static void block_xfsz(sigset_t *before)
{
	sigset_t xfsz;

	sigemptyset(&xfsz);
	sigaddset(&xfsz, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &xfsz, before);
}

static struct {
	const char *reason; /* of the end, when the VM has said that it dies; else NULL */
	struct rt_recorder_result result;
	_Atomic bool waits; /* recording has ended, the rest is still to be done */
} finish;

void rt_finish_dying(void (*alive)(rt_name_fn take))
{
	sigset_t before;

	if (!config)
		return;
	finish.reason = "vm-death";
	if (rt_recorder_outlives(alive)) {
		rt_recorder_alive(); /* native code may leave at once, by no exit that we hear of */
		return;
	}
	block_xfsz(&before);
	if (rt_recorder_end(finish.reason, &finish.result))
		atomic_store(&finish.waits, true);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void rt_finish(const char *reason)
{
	sigset_t before;

	if (!config)
		return;
	block_xfsz(&before);
	if (rt_recorder_end(finish.reason ? finish.reason : reason, &finish.result) ||
	    atomic_exchange(&finish.waits, false)) {
		rt_control_close();
		deal_with(&finish.result);
		/* the signal stays blocked in this thread: unblocking would deliver what is pending
		 */
	} else {
		/* done, or another thread is at it while the process exits: leave no half-written
		 * file */
		jw_guard_cleanup();
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
}
