#include "runtime-jni/recorder/job.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/say.h"

#include "base/banned.h"

/* Recordings hold arguments and texts of the program: what is made here is the user's alone. Whoever
 * wants to share a folder makes it first. */
#define FOLDER_MODE 0700

static enum jw_status make_folders(const char *path, struct jw_err *e)
{
	if (jw_make_folders(path, FOLDER_MODE, NULL))
		return JW_OK;
	if (strlen(path) >= PATH_MAX)
		return jw_fail(e, JW_IO, "the name of the job's folder is longer than %d bytes",
			       PATH_MAX - 1);
	return jw_fail_errno(e, errno, "cannot create the job's folder '%s'", path);
}

/* ---- YARN ---- */

/* "container_e17_1410901177871_0001_01_000005" -> "application_1410901177871_0001"; NULL: TEXT is no
 * such name, or no memory. */
static const char *yarn_application(const char *text, struct jw_arena *arena)
{
	static const char front[] = "container_";
	struct jw_span number[5]; /* epoch (or nothing), cluster, application, attempt, container */
	size_t count = 0;

	if (!text || strncmp(text, front, sizeof(front) - 1) != 0)
		return NULL;
	text += sizeof(front) - 1;
	for (; count < 5; count++) {
		size_t n = strspn(text + (*text == 'e' && !count), "0123456789");

		if (!n)
			return NULL;
		n += *text == 'e';
		number[count] = jw_span(text, n);
		text += n;
		if (!*text)
			break;
		if (*text++ != '_')
			return NULL;
	}
	size_t first = number[0].p[0] == 'e';
	if (count != first + 3)
		return NULL;
	return jw_arena_fmt(arena, "application_%.*s_%.*s", (int)number[first].n,
			    (const char *)number[first].p, (int)number[first + 1].n,
			    (const char *)number[first + 1].p);
}

/* Is PATH, which others could have made, a folder that only we write to? */
static bool is_own(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* A folder of APPLICATION that outlives its containers; NULL: there is no place for one. */
static const char *outside(const char *application, struct jw_arena *arena)
{
	static const char *const places[] = { "/var/tmp", "/tmp" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *own = jw_arena_fmt(arena, "%s/jweave-%ld", places[i], (long)geteuid());

		if (own && (mkdir(own, FOLDER_MODE) == 0 || is_own(own)))
			return jw_arena_fmt(arena, "%s/%s", own, application);
	}
	return NULL;
}

/* Names a job where YARN would delete what CONFIG names. */
static void leave_container(struct rt_config *config, struct jw_arena *arena)
{
	const char *application = yarn_application(getenv("CONTAINER_ID"), arena);

	if (!application || config->output[0] == '/')
		return;
	const char *folder = outside(application, arena);
	if (folder) {
		config->job = folder;
		rt_say("YARN deletes the folder of this container: the recording goes to %s "
		       "(JWEAVE_JOB names another folder)",
		       folder);
	} else {
		rt_say("YARN deletes the folder of this container, and the recording with it: "
		       "neither /var/tmp nor /tmp takes it; JWEAVE_JOB names another folder");
	}
}

/* ---- names ---- */

/* The pattern (rt_expand_name) of a recording in FOLDER that begins now; NULL: no memory. */
static const char *pattern_in(const char *folder, struct jw_arena *arena)
{
	struct jw_buf b = { 0 };
	struct timespec now;
	struct tm utc;
	char started[32];

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	if (!strftime(started, sizeof(started), "%Y%m%dT%H%M%S", &utc))
		started[0] = '\0';
	for (; *folder; folder++)
		jw_put_fmt(&b, "%s%c", *folder == '%' ? "%" : "", *folder);
	jw_put_fmt(&b, "/%%h-%%p-%s-%03ld", started, now.tv_nsec / 1000000);
	const char *pattern = b.failed ? NULL : jw_arena_str(arena, jw_buf_span(&b));
	jw_buf_free(&b);
	return pattern;
}

/* ---- which job ---- */

static const char *as_it_is(const char *text, struct jw_arena *arena)
{
	return *text ? jw_arena_str(arena, jw_span_str(text)) : NULL;
}

void rt_job_tell(const struct rt_config *config, struct jw_arena *arena)
{
	static const struct {
		const char *variable;
		const char *(*of)(const char *text, struct jw_arena *arena);
	} known[] = {
		{ "CONTAINER_ID", yarn_application },
		{ "SPARK_APPLICATION_ID", as_it_is },
		{ "SLURM_JOB_ID", as_it_is },
		{ "PMIX_NAMESPACE", as_it_is },
	};

	if (config->role && *config->role)
		rt_meta_item("role", config->role);
	if (rt_in_job(config))
		rt_meta_item("job", config->job);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *text = getenv(known[i].variable);
		const char *application = text ? known[i].of(text, arena) : NULL;

		if (application) {
			rt_meta_item("application", application);
			return;
		}
	}
}

enum jw_status rt_job_settle(struct rt_config *config, struct jw_arena *arena, struct jw_err *e)
{
	if (!*config->job)
		leave_container(config, arena);
	if (!*config->job)
		return JW_OK;
	if (config->job[0] != '/')
		return jw_fail(e, JW_USAGE,
			       "JWEAVE_JOB is '%s', and a job's folder is absolute: its processes "
			       "may run anywhere",
			       config->job);
	size_t n = strlen(config->job);
	while (n > 1 && config->job[n - 1] == '/')
		n--;
	config->job = jw_arena_str(arena, jw_span(config->job, n));
	if (!config->job)
		return jw_nomem(e);
	JW_TRY(make_folders(config->job, e));
	config->output = pattern_in(config->job, arena);
	if (!config->output)
		return jw_nomem(e);
	config->convert = RT_CHOICE_OFF;
	config->keep = RT_CHOICE_ON;
	if (!config->events_said)
		config->events |= RT_EVENTS_IO | RT_EVENTS_NET | RT_EVENTS_FILE;
	return JW_OK;
}
