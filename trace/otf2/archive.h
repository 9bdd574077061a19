/*
 * archive.h: libotf2, and how it says that it failed.
 *
 *     open -> events of one location after another (events.c) -> definitions (definitions.c) -> close
 *
 * libotf2 reports errors by a callback, one for all of the process, and does not survive them: it
 * swallows some, and a writer that goes on after one crashes. So the callback keeps the first, each
 * step asks for it, and after it nothing is called any more; what libotf2 holds is left to the end of
 * the process.
 */
#ifndef JW_TRACE_OTF2_ARCHIVE_H
#define JW_TRACE_OTF2_ARCHIVE_H

#include <otf2/otf2.h>

#include "trace/otf2/otf2_int.h"

struct trace_otf2_archive {
	OTF2_Archive *archive;
	OTF2_ErrorCallback before; /* of whoever else uses libotf2 */
	const char *name;          /* of the output */
	uint64_t *events;          /* owned; of each location, how many */
	uint64_t last;             /* the latest time of all */
	struct jw_err why;
};

enum jw_status JW_MUST_USE trace_otf2_open(struct trace_otf2_archive *a, const struct trace_otf2 *w,
					   struct jw_err *e);
/* Has libotf2 failed? */
static inline bool trace_otf2_is_well(const struct trace_otf2_archive *a)
{
	return a->why.status == JW_OK;
}
enum jw_status JW_MUST_USE trace_otf2_close(struct trace_otf2_archive *a, enum jw_status status,
					    struct jw_err *e);

/* Writes the events of all threads. */
enum jw_status JW_MUST_USE trace_otf2_write_events(struct trace_otf2_archive *a,
						   struct trace_otf2 *w, struct jw_err *e);
/* Writes what their numbers stand for. NAMES: NULL of a .prv. */
enum jw_status JW_MUST_USE trace_otf2_define(struct trace_otf2_archive *a, struct trace_otf2 *w,
					     const struct trace_names *names, struct jw_err *e);

#endif
