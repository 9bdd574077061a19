/*
 * export.h: recordings, or a .prv, in a format of other tools: which there are, and all of it at once.
 *
 *     trace_export_recordings()                                   recordings
 *     trace_export_new() -> begin() -> feed() .. -> finish() -> free()   a .prv, in pieces of any size
 *
 * Bytes go to a destination, in order, or to files that the format makes; what is not whole is the
 * caller's to throw away.
 */
#ifndef JW_TRACE_EXPORT_H
#define JW_TRACE_EXPORT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "trace/destination.h"
#include "trace/export/limit.h"
#include "trace/replay/job.h"
#include "trace/replay/profile.h"

struct trace_engine;
struct trace_requests;
struct trace_output;
struct trace_select;

enum trace_export_form {
	TRACE_EXPORT_STREAM, /* bytes, to the destination's write() */
	TRACE_EXPORT_FILE,   /* a file, which it makes: the destination's `path` */
	TRACE_EXPORT_FOLDER, /* files in a folder: likewise */
};

struct trace_export_format {
	const char *name, *suffix; /* "perfetto", ".pftrace" */
	const char *summary;       /* for people, one line */
	enum trace_export_form form;
	bool tables; /* one table is a stream, all of them are a folder */
	const struct trace_output *output;
	void *(*make)(const struct trace_destination *to); /* its context; NULL: no memory */
	void (*free)(void *ctx);
	/* It shows tasks of engines: those of ENGINE, which is told all before it. NULL: it does not. */
	void (*tasks)(void *ctx, const struct trace_engine *engine);
	/* It shows requests on connections, likewise. */
	void (*requests)(void *ctx, struct trace_requests *requests);
	struct trace_limit limit; /* of its viewers; most 0: none */
	enum trace_apart apart;   /* how it may be told */
	bool counts;              /* the destination's `by` and `reverse` are for it */
	const char *main;         /* of FOLDER: its file that viewers open */
	const char *needs;   /* the library that this program was built without; NULL: it has all */
	const char *package; /* of Debian, that brings it */
};
extern const struct trace_export_format trace_export_formats[]; /* name NULL ends */

/* NULL: there is none of this NAME. */
const struct trace_export_format *trace_export_format(const char *name);

/* Replays JOB; OUT is in ARENA. JW_INPUT: a recording or map is not usable. */
enum jw_status JW_MUST_USE trace_export_recordings(const struct trace_export_format *format,
						   const struct trace_job *job,
						   const struct trace_destination *to,
						   struct jw_arena *arena,
						   struct trace_summary *out, struct jw_err *e);

struct trace_export;

/* What there is to tell of a .prv that was exported. */
struct trace_exported {
	const char *const *warnings; /* sentences for the user */
	size_t warning_count;
	size_t closed_methods; /* while the program ran (follow/closed.h) */
};

/* NULL: no memory. TO and SELECT live as long. SELECT: the part of it that is exported
 * (select/select.h); NULL: all. Of recordings the job has it. */
struct trace_export *trace_export_new(const struct trace_export_format *format,
				      const struct trace_destination *to,
				      struct trace_select *select);
/* The texts beside the .prv, before its first piece; they live until that is fed. */
enum jw_status JW_MUST_USE trace_export_begin(struct trace_export *export, struct jw_span pcf,
					      struct jw_span row, struct jw_err *e);
/* The next piece of a .prv. JW_INPUT: it is no trace. */
enum jw_status JW_MUST_USE trace_export_feed(struct trace_export *export, struct jw_span piece,
					     struct jw_err *e);
/* The .prv is at its end; PCF and ROW are the texts beside it (empty: there are none). OUT is in
 * ARENA. */
enum jw_status JW_MUST_USE trace_export_finish(struct trace_export *export, struct jw_span pcf,
					       struct jw_span row, struct jw_arena *arena,
					       struct trace_exported *out, struct jw_err *e);
/* NULL may be freed, too. */
void trace_export_free(struct trace_export *export);

#endif
