/*
 * archive_job.h: what is asked of the weaving of a whole input.
 */
#ifndef JW_WEAVER_ARCHIVE_JOB_H
#define JW_WEAVER_ARCHIVE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "weaver/archive/weave_report.h"
#include "weaver/class/weave.h"

enum weave_runtime_mode { WEAVE_RUNTIME_EMBED, WEAVE_RUNTIME_CLASSPATH, WEAVE_RUNTIME_NONE };
enum weave_signed_mode { WEAVE_SIGNED_STRIP, WEAVE_SIGNED_FAIL };
enum weave_woven_mode { WEAVE_WOVEN_ERROR, WEAVE_WOVEN_SKIP };

struct weave_archive_job {
	const char *in;  /* path, or "-": standard input (an archive or a class) */
	const char *out; /* path, or "-"; NULL: weave, report, write nothing (--dry-run) */
	const struct rules *rules;
	const struct weave_limits *limits; /* of methods; NULL: the defaults */
	enum weave_runtime_mode runtime;
	enum weave_signed_mode signatures;
	enum weave_woven_mode on_woven;
	const char *nested;     /* "all", "none", or a glob of nested archives' paths */
	const char *class_path; /* where rules with subtypeOf find types, as java's -cp; or NULL */
	int level;              /* of deflate, 1..12; 0: by the entry's size */
	size_t threads;         /* 0: one per processor */
	bool strict;    /* a method or class that cannot be woven fails the run (JW_INPUT) */
	bool full_map;  /* the map names all methods itself, and none by their class files */
	bool off;       /* traces only where JWEAVE=on says so, as by rules with "tracing": false */
	bool no_limits; /* lift the limits on entries (size 512 MiB, ratio 1000) */
	void (*progress)(void *ctx, uint64_t done_bytes, uint64_t all_bytes); /* may be NULL */
	void *progress_ctx;
	/* Called once when all is woven and the report is complete, before the output appears; also
	 * in a dry run. Anything but JW_OK ends the run with its error and leaves no output. May be
	 * NULL. */
	enum jw_status (*before_commit)(void *ctx, const struct weave_report *report,
					struct jw_err *e);
	void *before_commit_ctx;
};

#endif
