/*
 * weave_tally.h: counts, skipped methods, notes and the method map of what is woven, gathered class by
 * class and merged in the order of the archive.
 *
 * Order of calls: open; any number of classes, notes and merges; finish, which fills in the report;
 * close. A tally that is opened again keeps its memory.
 */
#ifndef JW_WEAVER_WEAVE_TALLY_H
#define JW_WEAVER_WEAVE_TALLY_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "weaver/archive/weave_report.h"

/* A class that was woven, for the map's ids. */
struct weave_ident {
	uint64_t hash;
	struct jw_span name;
};

struct weave_tally {
	struct jw_arena *arena; /* of everything here but the buffers */
	struct weave_report r;  /* its numbers; skipped, notes and matches are set by finish */
	struct jw_buf skipped;  /* struct weave_skipped each */
	struct jw_buf notes;    /* const char * each */
	struct jw_buf idents;   /* struct weave_ident each */
	struct jw_buf map;      /* lines of the method map, without header */
	/* struct trace_map_plain each: classes that need no line of their own */
	struct jw_buf plain;
	uint64_t *matches; /* by rule */
	bool *used;        /* by rule */
	size_t rule_count;
};

enum jw_status JW_MUST_USE weave_tally_open(struct weave_tally *t, struct jw_arena *arena,
					    const struct rules *rules, struct jw_err *e);
void weave_tally_close(struct weave_tally *t);

/* Counts what weave_class() said of the class in ENTRY. PLAIN: it can be found again by its hash,
 * so that the map may leave the names of its methods to it. */
enum jw_status JW_MUST_USE weave_tally_class(struct weave_tally *t, const struct rules *rules,
					     const char *entry,
					     const struct weave_class_result *cls, bool plain,
					     struct jw_err *e);

/* A sentence for the user; the same one is kept once. */
enum jw_status JW_MUST_USE weave_tally_note(struct weave_tally *t, struct jw_err *e,
					    const char *fmt, ...) JW_PRINTF(3, 4);

/* Adds FROM to T, copying what lives in FROM's arena. */
enum jw_status JW_MUST_USE weave_tally_merge(struct weave_tally *t, const struct weave_tally *from,
					     struct jw_err *e);

/* Fills the lists of T->r, in the arena. */
enum jw_status JW_MUST_USE weave_tally_finish(struct weave_tally *t, struct jw_err *e);

#endif
