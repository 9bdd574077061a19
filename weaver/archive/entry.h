/*
 * entry.h: what becomes of one entry of an archive, or file of a folder, that is no archive itself.
 *
 * Order of calls for each: reset the slot, put the unpacked bytes into it, weave_entry(), take the
 * result by its fate and merge its tally. One slot is used by one thread at a time.
 */
#ifndef JW_WEAVER_ENTRY_H
#define JW_WEAVER_ENTRY_H

#include "base/memory.h"
#include "weaver/archive/unit.h"
#include "weaver/archive/weave_tally.h"
#include "weaver/archive/zip_out.h"
#include "weaver/input/kind.h"

enum weave_fate {
	WEAVE_COPY,
	WEAVE_CHANGE,
	WEAVE_DROP,
	WEAVE_AGAIN /* of an archive: becomes what the entry before it did */
};

/* Where the result of one entry waits to be written. Reused: reset by weave_slot_reset(). */
struct weave_slot {
	struct jw_arena arena;
	struct jw_arena *scratch; /* of what is not needed once the entry is woven; NULL: arena */
	struct jw_buf bytes, woven, packed;
	enum weave_fate fate;
	struct weave_numbers numbers; /* of the class at hand */
	struct jw_span content;     /* what is woven, manifest edited...: unpacked; WEAVE_CHANGE */
	struct weave_zip_data data; /* the same, packed */
	struct weave_tally tally;
	bool wove;       /* something in it was woven: edits of manifests do not count */
	bool main_class; /* it is a manifest with a Main-Class */
	bool has_module; /* it is a module-info */
};
enum jw_status JW_MUST_USE weave_slot_reset(struct weave_slot *slot, const struct rules *rules,
					    struct jw_err *e);
void weave_slot_free(struct weave_slot *slot);

/* What an entry belongs to. */
struct weave_where {
	struct weave_unit *unit;
	const char *prefix; /* of paths: "" or "outer.jar!/" */
	unsigned depth;     /* archives around it */
	bool is_signed;     /* its archive is */
	uint64_t salt;      /* of the hashes of its archive's classes */
};

/* Decides about the entry of KIND whose unpacked bytes are in SLOT->bytes; PATH has the prefix. */
enum jw_status JW_MUST_USE weave_entry(const struct weave_where *where, enum weave_kind kind,
				       const char *path, struct weave_slot *slot, struct jw_err *e);

/* Tells the user, in TALLY, what weaving costs a whole archive or folder in which something was
 * woven: its signature, and (HAS_MODULE) that a named module does not see the class path. */
enum jw_status JW_MUST_USE weave_note_whole(const struct weave_where *where, bool has_module,
					    struct weave_tally *tally, struct jw_err *e);

#endif
