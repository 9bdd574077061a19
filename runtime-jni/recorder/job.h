/*
 * job.h: the recordings of all processes of a job, in one folder.
 *
 *     JOB/HOST-PID-STARTED.jwr     STARTED: when recording began, in UTC, to the millisecond: a
 *                                  process id is used again, by the next job or after a reboot
 *
 * They are kept, and none is converted by its own process: only together are they the job. A
 * container of YARN loses its working folder when it ends: where no folder is named, its recordings
 * are a job's, too, in a folder of the user's own outside of it.
 */
#ifndef RT_JOB_H
#define RT_JOB_H

#include "base/memory.h"
#include "base/status.h"
#include "runtime-jni/recorder/config.h"

/* Makes the folder that CONFIG, or YARN, asks for, and changes CONFIG to record there; nothing
 * where nobody asks. Texts are in ARENA. JW_USAGE: the folder is not absolute; JW_IO: it cannot be
 * made; the message names it. */
enum jw_status JW_MUST_USE rt_job_settle(struct rt_config *config, struct jw_arena *arena,
					 struct jw_err *e);

/* Tells meta which job the process is of, and what it is in it. */
void rt_job_tell(const struct rt_config *config, struct jw_arena *arena);

static inline bool rt_in_job(const struct rt_config *config)
{
	return config->job && *config->job;
}

/* The variable that names where the recording goes. */
static inline const char *rt_place_variable(const struct rt_config *config)
{
	return rt_in_job(config) ? "JWEAVE_JOB" : "JWEAVE_OUTPUT";
}

#endif
