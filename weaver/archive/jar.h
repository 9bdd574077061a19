/*
 * jar.h: weaves one archive: its entries on N threads, written in order; archives inside it.
 *
 * A LEVEL is one archive; archives inside it are levels of the same unit (unit.h), except in a
 * bundle, where each archive is a unit.
 */
#ifndef JW_WEAVER_JAR_H
#define JW_WEAVER_JAR_H

#include "base/file.h"
#include "weaver/archive/entry.h"
#include "weaver/archive/tools.h"

enum { WEAVE_LET_GO = 1 << 20 }; /* bytes of the input that leave the memory at once */

/* One archive to weave: what goes in, and what came of it. */
struct weave_level {
	const struct jw_zip *zip;
	const struct jw_file *file; /* that it is, whole; NULL: it is in memory */
	const char *prefix;         /* of paths: "" or "outer.jar!/" */
	unsigned depth;             /* archives of the same unit around it */
	struct weave_sink sink;
	struct weave_tally *tally;
	bool wove;    /* else what the sink got is no archive: keep the input */
	bool already; /* it was woven before, and left alone as on_woven says */
};

/* Weaves LEVEL as UNIT, on THREADS threads, with what is added. UNIT->collided: run it again. */
enum jw_status JW_MUST_USE weave_jar_unit(struct weave_unit *unit, struct weave_level *level,
					  size_t threads, struct jw_err *e);

/* Weaves what PATH is, an archive inside WHERE whose bytes are in SLOT->bytes, where the user wants
 * archives inside to be woven; else the slot's fate stays WEAVE_COPY. */
enum jw_status JW_MUST_USE weave_inner(const struct weave_where *where, const char *path,
				       struct weave_slot *slot, const struct weave_tools *tools,
				       struct jw_err *e);

#endif
