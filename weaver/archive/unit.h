/*
 * unit.h: a UNIT is what carries one runtime and one map: the outermost archive or folder, or each
 * archive in a bundle.
 *
 * Order of calls: archive.c makes one with its job, arena, types, nested and limits; unit_of_zip.c or
 * folder.c names it (weave_unit_name) and says what it holds; then it is woven, as often as idents.h
 * wants it.
 */
#ifndef JW_WEAVER_UNIT_H
#define JW_WEAVER_UNIT_H

#include "base/memory.h"
#include "base/runtime_class.h"
#include "base/status.h"
#include "base/zip.h"
#include "weaver/archive/archive_job.h"
#include "weaver/archive/roots.h"
#include "weaver/input/nested.h"

struct weave_salt {
	struct weave_salt *next;
	struct jw_span name; /* of a class, internal form */
	uint32_t salt;       /* in addition to the archive's */
};

/* Shared by all threads of a unit; written between runs and by done() alone. */
struct weave_unit {
	const struct weave_archive_job *job;
	struct jw_arena *arena;
	const struct weave_types *types; /* NULL: no rule asks for supertypes */
	struct weave_nested nested;
	struct jw_zip_limits limits;
	uint64_t salt;                  /* of class hashes: a hash of the input */
	char hash[JW_RUNTIME_HASH + 1]; /* of input, rules and version */
	struct jw_span own; /* internal name of the class that it carries for probes; or empty */
	struct jw_span runtime;       /* of the runtime class: that, or the one on the class path */
	struct jw_span probes;        /* of what probes call: that, or what waits for the boot */
	uint64_t number_space;        /* of the ids of its numbers: numbers.c */
	const uint32_t *first_number; /* by entry; NULL: none has numbers */
	struct jw_span shares;        /* the same as a line of the map */
	bool boots;                   /* it is java.base */
	struct weave_salt *salts;
	bool collided;  /* a salt was added: the unit must run again */
	bool plain_map; /* names of methods may be left to class files: see methodmap.h */
	const struct jw_span *versioned; /* sorted; classes that are there more than once */
	size_t versioned_count;
	/* no program, but a folder or a plain zip with archives in it: each of them is a unit of
	 * its own, and each of its class directories gets the runtime */
	bool bundle;
	struct weave_roots roots; /* of a bundle */
	unsigned depth;           /* archives around the unit */
};

const struct weave_limits *weave_limits_of(const struct weave_unit *unit);

/* Does the output of JOB carry a runtime class of its own? Always when it carries the runtime; with
 * --runtime=classpath when the rules have something to tell it, which is put into the class. (A unit
 * with numbers carries a small one in any case: unit->own.) */
bool weave_carries_class(const struct weave_archive_job *job);

/* Is PATH that of the class in which the runtime of java.base begins? */
bool weave_is_boot_class(struct jw_span path);

/* Takes INPUT, its hash, for the unit's salt, and names its own class from that, the rules and the
 * version, below HOME (home.h); an arena string. NUMBERS: its methods will have some. java.base
 * without a runtime of its own is JW_UNSUPPORTED. */
enum jw_status JW_MUST_USE weave_unit_name(struct weave_unit *unit, uint64_t input,
					   struct jw_span home, bool numbers, struct jw_err *e);

/* That hash: from 0 over each entry's name, CRC and size. */
uint64_t weave_hash_entry(uint64_t hash, struct jw_span name, uint32_t crc, uint64_t size);

/* What messages call the archive whose paths begin with PREFIX in UNIT: "outer.jar!/inner.jar", or
 * what the user calls the unit. */
struct jw_span weave_whole_name(const struct weave_unit *unit, const char *prefix);

#endif
