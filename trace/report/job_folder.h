/*
 * job_folder.h: the recordings of a job in one folder (JWEAVE_JOB): who they are, and how each
 * ended. Only what each says of itself is read (its meta), no records.
 */
#ifndef JW_TRACE_JOB_FOLDER_H
#define JW_TRACE_JOB_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "trace/names/role.h"

struct trace_job_end; /* job_ends.h */

struct trace_job_process {
	const char *path;       /* of the recording */
	const char *unreadable; /* why nothing more is known; NULL: it is */
	struct trace_role role;
	uint64_t began_ns,
		ended_ns;   /* since 1970; 0: unknown. Of one that did not end: last seen */
	const char *reason; /* of its end, or of that of recording; "": none is known */
	bool ended, stopped, is_summary;
	bool gone;             /* it has not ended, and is no longer there: killed, or crashed */
	bool data_told;        /* its end says how many bytes of records there are */
	uint64_t data_missing; /* of those */
	bool again;            /* of a process that another recording has more of: a dump, a copy */
	bool in_job;           /* it was recorded for a job */
	const char *boot;      /* of its machine; "": unknown */
	const struct trace_job_end *ends; /* of its connections (job_ends.h) */
	size_t end_count;
};

struct trace_job_listing {
	struct trace_job_process *at; /* by application and role; unreadable ones last */
	size_t n, readable;
	uint32_t applications, hosts; /* applications that have a name */
	bool in_job;                  /* one of them was recorded for a job */
};

/* Lists the recordings in FOLDER; n is 0 where there are none. Texts are in ARENA. JW_IO: the folder
 * cannot be read. */
enum jw_status JW_MUST_USE trace_job_list(const char *folder, struct jw_arena *arena,
					  struct trace_job_listing *out, struct jw_err *e);

/* Does FOLDER, which is no recording, hold some? */
bool trace_has_recordings(const char *folder);

#endif
