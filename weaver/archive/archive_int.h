/*
 * archive_int.h: what the files that weave archives share.
 *
 *     archive.c    the input is a jar, a folder or a class; the output appears or does not
 *     jar.c        one archive: its entries on N threads, written in order; archives inside it
 *     folder.c tree.c roots.c   a folder: classes and archives in it
 *     entry.c      one entry: what it is, what becomes of it
 *     addition.c   what is added: map, woven.json, runtime; and where the kind of archive wants it
 *     weave_tally.c  counts, skipped methods, notes and the map, gathered in order
 *     manifest.c module_info.c runtime_image.c zip_out.c   their subjects
 *     work_limit.c what is too much work is refused before any of it is done
 *     scan.c weave_report.c   the other public calls
 *
 * Names: a UNIT is what carries one runtime and one map: the outermost archive, or each archive in
 * a folder or a plain zip of archives. A LEVEL is one archive; archives inside it are levels of the
 * same unit.
 */
#ifndef JW_WEAVER_ARCHIVE_INT_H
#define JW_WEAVER_ARCHIVE_INT_H

#include <string.h>

#include "base/file.h"
#include "base/runtime_class.h"
#include "base/zip.h"
#include "rules/glob.h"
#include "weaver/archive/archive.h"
#include "weaver/archive/roots.h"
#include "weaver/archive/tree.h"
#include "weaver/archive/zip_out.h"

#define WEAVE_MARK "META-INF/jweave/woven.json"

enum {
	WEAVE_DEPTH_MAX = 8,       /* archives inside archives */
	WEAVE_RESTARTS_MAX = 64,   /* runs again with salts, before giving up */
	WEAVE_LET_GO = 1 << 20,    /* bytes of the input that leave the memory at once */
	WEAVE_KEEP_BYTES = 4 << 20 /* a slot's buffer over this is given back after each entry */
};

/* ---- the tally ---- */

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
	struct jw_buf
		plain;     /* struct trace_map_plain each: classes that need no line of their own */
	uint64_t *matches; /* by rule */
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

/* ---- archives inside ---- */

/* Which of them: those whose path GLOB matches, or all, or none. */
struct weave_nested {
	bool none, some;
	struct rules_glob glob; /* of some */
};

/* As TEXT says ("all", "none" or a glob; NULL: all), in ARENA. A wrong glob: JW_USAGE. */
enum jw_status JW_MUST_USE weave_nested_set(struct weave_nested *nested, const char *text,
					    struct jw_arena *arena, struct jw_err *e);
bool weave_wants_nested(const struct weave_nested *nested, struct jw_span path);

/* work_limit.c: is the archive in BYTES, or the folder ROOT of TREE, with the archives inside that
 * are NESTED, so much work that it is an attack? Then JW_LIMIT. */
enum jw_status JW_MUST_USE weave_check_work(struct jw_span bytes, const struct weave_nested *nested,
					    struct jw_err *e);
enum jw_status JW_MUST_USE weave_check_tree_work(const char *root, const struct weave_tree *tree,
						 const struct weave_nested *nested,
						 struct jw_err *e);

/* ---- a run ---- */

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
	const struct jw_span *versioned; /* sorted; classes that stand more than once */
	size_t versioned_count;
	/* no program, but a folder or a plain zip with archives in it: each of them is a unit of
	 * its own, and each of its class directories gets the runtime */
	bool bundle;
	struct weave_roots roots; /* of a bundle */
	unsigned depth;           /* archives around the unit */
};

static inline const struct weave_limits *weave_limits_of(const struct weave_unit *unit)
{
	return unit->job->limits ? unit->job->limits : &weave_default_limits;
}

/* What a thread needs to unpack and pack. */
struct weave_tools {
	struct jw_inflater *inflater;
	struct libdeflate_compressor *small, *large; /* for entries of such sizes */
};
/* LEVEL: of deflate, 1 to 12; 0: as is best for the time that it takes, by the entry's size and the
 * bytes of all that is in the ARCHIVE. */
enum jw_status JW_MUST_USE weave_tools_open(struct weave_tools *tools, int level, uint64_t archive,
					    struct jw_err *e);
void weave_tools_close(struct weave_tools *tools);

/* What packs an entry of SIZE bytes. */
struct libdeflate_compressor *weave_deflater_for(const struct weave_tools *tools, size_t size);

/* Is PATH that of the class in which the runtime of java.base begins? */
bool weave_is_boot_class(struct jw_span path);

/* Takes INPUT, its hash, for the unit's salt, and names its own class from that, the rules and the
 * version; an arena string. NUMBERS: its methods will have some. java.base without a runtime of its
 * own is JW_UNSUPPORTED. */
enum jw_status JW_MUST_USE weave_unit_name(struct weave_unit *unit, uint64_t input, bool numbers,
					   struct jw_err *e);

/* numbers.c: gives each class in ZIP, which UNIT is, numbers for its methods. */
enum jw_status JW_MUST_USE weave_numbers_share(struct weave_unit *unit, const struct jw_zip *zip,
					       struct jw_err *e);
/* Those of ENTRY, by its index in the directory; none in a unit that has no numbers. */
struct weave_numbers weave_numbers_of(const struct weave_unit *unit, size_t entry);

/* That hash: from 0 over each entry's name, CRC and size. */
uint64_t weave_hash_entry(uint64_t hash, struct jw_span name, uint32_t crc, uint64_t size);

/* ---- entries ---- */

enum weave_fate {
	WEAVE_COPY,
	WEAVE_CHANGE,
	WEAVE_DROP,
	WEAVE_AGAIN /* of an archive: becomes what the entry before it did */
};

/* Where the result of one entry waits to be written. Reused: reset by weave_slot_reset(). */
struct weave_slot {
	struct jw_arena arena;
	struct jw_arena *scratch; /* of what nobody needs once the entry is woven; NULL: arena */
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

/* Where an entry stands. */
struct weave_where {
	struct weave_unit *unit;
	const char *prefix; /* of paths: "" or "outer.jar!/" */
	unsigned depth;     /* archives around it */
	bool is_signed;     /* its archive is */
	uint64_t salt;      /* of the hashes of its archive's classes */
};

/* Decides whether the map of UNIT may leave names to the class files of ZIP (unit->plain_map, true
 * before): each must have a hash of its own. */
enum jw_status JW_MUST_USE weave_plain_map(struct weave_unit *unit, const struct jw_zip *zip,
					   struct jw_err *e);
/* "a/B" of "a/B.class": the class that can be found again in the entry PATH by its name, and it
 * alone; else empty. */
struct jw_span weave_home(const struct weave_where *where, struct jw_span path);

/* Decides over the entry of KIND whose unpacked bytes are in SLOT->bytes. */
enum jw_status JW_MUST_USE weave_entry(const struct weave_where *where, enum weave_kind kind,
				       struct jw_span name, struct weave_slot *slot,
				       const struct weave_tools *tools, struct jw_err *e);

/* Tells the user, in TALLY, what weaving costs a whole archive or folder in which something was
 * woven: its signature, and (HAS_MODULE) that a named module does not see the class path. */
enum jw_status JW_MUST_USE weave_note_whole(const struct weave_where *where, bool has_module,
					    struct weave_tally *tally, struct jw_err *e);

/* Adds PACKAGE (internal form) to ModulePackages of the module-info in BYTES, into OUT. *CHANGED is
 * false when there is no such attribute: then the JVM looks for itself. */
enum jw_status JW_MUST_USE weave_module_add_package(struct jw_span bytes, struct jw_span package,
						    struct jw_arena *arena, struct jw_buf *out,
						    bool *changed, struct jw_err *e);

/* ---- levels and units ---- */

/* One archive to weave: what goes in, and what came of it. */
struct weave_level {
	const struct jw_zip *zip;
	const struct jw_file *file; /* that it is, whole; NULL: it lies in memory */
	const char *prefix;         /* of paths: "" or "outer.jar!/" */
	unsigned depth;             /* archives of the same unit around it */
	struct weave_sink sink;
	struct weave_tally *tally;
	bool wove;    /* else what the sink got is no archive: the input stands */
	bool already; /* it was woven before, and left alone as on_woven says */
};

/* What messages call the archive that lies at PREFIX of UNIT (weave_level): "outer.jar!/inner.jar",
 * or what the user calls the unit. */
static inline struct jw_span weave_whole_name(const struct weave_unit *unit, const char *prefix)
{
	struct jw_span name = jw_span_str(prefix);

	return name.n ? jw_span_sub(name, 0, name.n - (sizeof("!/") - 1))
		      : jw_span_str(unit->job->in);
}

/* E is about the archive at PREFIX (weave_level): says so, where it lies in another. Returns E's
 * status. */
static inline enum jw_status weave_err_inside(const char *prefix, struct jw_err *e)
{
	size_t n = strlen(prefix);

	return n ? jw_err_where(e, "%.*s", (int)(n - (sizeof("!/") - 1)), prefix) : e->status;
}

/* Is an error of STATUS about the input, whose name then goes in front? */
static inline bool weave_is_about_input(enum jw_status status)
{
	return status == JW_INPUT || status == JW_LIMIT || status == JW_UNSUPPORTED ||
	       status == JW_BUG;
}

/* Weaves LEVEL, an archive inside UNIT, sequentially, with TOOLS. */
enum jw_status JW_MUST_USE weave_jar_inside(struct weave_unit *unit, struct weave_level *level,
					    const struct weave_tools *tools, struct jw_err *e);

/* Weaves LEVEL as UNIT, on THREADS threads, with what is added. UNIT->collided: run it again. */
enum jw_status JW_MUST_USE weave_jar_unit(struct weave_unit *unit, struct weave_level *level,
					  size_t threads, struct jw_err *e);

/* Does ZIP hold archives, and no program of its own? Then each of them may be a unit. */
bool weave_may_be_bundle(const struct jw_zip *zip);

/* Fills what of UNIT depends on ZIP: the name of the runtime, bundle or not. */
enum jw_status JW_MUST_USE weave_unit_of_zip(struct weave_unit *unit, const struct jw_zip *zip,
					     struct jw_err *e);

/* Sees that no two classes of T share a hash: else adds a salt to UNIT and sets UNIT->collided. */
enum jw_status JW_MUST_USE weave_check_idents(struct weave_unit *unit, struct weave_tally *t,
					      struct jw_err *e);

/* Weaves the folder job->in into a new folder *MADE beside job->out (NULL: nothing was to be
 * written), which the caller commits or removes, also after a failure. */
enum jw_status JW_MUST_USE weave_folder(struct weave_unit *unit, struct weave_tally *tally,
					const char **made, struct jw_err *e);
enum jw_status JW_MUST_USE weave_folder_commit(struct weave_unit *unit, const char *made,
					       struct jw_err *e);
/* Removes the folder MADE (NULL: there is none), or what is left of it. */
void weave_folder_discard(const char *made);

/* Appends the method map of UNIT, whose tally is T. */
enum jw_status JW_MUST_USE weave_put_map(const struct weave_unit *unit, const struct weave_tally *t,
					 struct jw_buf *out, struct jw_err *e);

/* ---- what is added ---- */

enum weave_layout { WEAVE_LAYOUT_JAR, WEAVE_LAYOUT_WAR, WEAVE_LAYOUT_EAR };

struct weave_addition {
	struct weave_unit *unit;
	enum weave_layout layout;
	bool main_class; /* `java -jar` starts it */
	const struct weave_tally *tally;
	uint32_t dos_time; /* for a jar inside an ear */
	/* METHOD: ZIP_STORED or ZIP_DEFLATED, in an archive */
	enum jw_status (*add)(void *ctx, struct jw_span name, struct jw_span bytes, uint16_t method,
			      struct jw_err *e);
	void *ctx;
};

/* bake.c: does the output of JOB carry a runtime class of its own? Always when it carries the
 * runtime; with --runtime=classpath when the rules have something to tell it, which stands in the
 * class. (A unit with numbers carries a small one in any case: unit->own.) */
bool weave_carries_class(const struct weave_archive_job *job);
/* Tells CLASS_FILE, the runtime class of UNIT, what there is to tell. */
enum jw_status JW_MUST_USE weave_bake_unit(const struct weave_unit *unit, struct jw_buf *class_file,
					   struct jw_err *e);
/* The rules of JOB have something to tell the runtime, and the output (ARCHIVE, or a single class)
 * has no place for it: JW_RULES. */
enum jw_status JW_MUST_USE weave_check_baked(const struct weave_archive_job *job, bool archive,
					     struct jw_err *e);

/* Calls add() for each file that a woven unit gets, in a fixed order. */
enum jw_status JW_MUST_USE weave_add_all(const struct weave_addition *a, struct jw_err *e);

/* ---- walking (scan.c), JSON ---- */

/* "TEXT" as a JSON string; what is not UTF-8 becomes U+FFFD. */
void weave_put_json_string(struct jw_buf *out, struct jw_span text);

#endif
