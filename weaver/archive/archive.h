/*
 * archive.h: whole inputs: a jar (war, ear, zip), a class directory, or a single class file.
 *
 * The output is a pure function of the input, the rules and the version: the same bytes for any
 * number of threads. Entries that are not woven are copied bit for bit, still packed; order, times,
 * modes, extra fields, comments and STORED alignment are kept. The output appears whole or not at
 * all.
 *
 * What weaving adds to an archive (HASH: of its entries, the rules and the version):
 *     META-INF/jweave/woven.json            version, rules digest, counts; marks it as woven
 *     META-INF/jweave/xHASH.map             the method map (trace/format/methodmap.h)
 *     jweave/HASH/P.class, and P$Fast.class                                         --runtime=embed
 *     META-INF/jweave/lib/linux-x86_64/libjweave-rt.so                              --runtime=embed
 * (with --runtime=classpath P says whose numbers methods have: numbers.c.)
 * A war has the last two, and the map once more, under WEB-INF/classes; an ear has them in a jar in
 * its lib folder. Archives inside are woven in place and get nothing of their own, but for a plain
 * zip of jars (no classes, no manifest): there each jar is woven as if it stood alone. Signatures
 * go, the manifest of an archive with a Main-Class gains Enable-Native-Access, a Bundle-ClassPath
 * without the root of the bundle gains that, ModulePackages the new package.
 *
 * A folder becomes a new folder; OUT may be there when it is empty or was woven by jweave, and is
 * then replaced. A single class cannot carry the runtime: its map is written beside it as OUT.map.
 * An archive in which nothing is woven gains nothing: it is its input's twin.
 */
#ifndef JW_WEAVER_ARCHIVE_H
#define JW_WEAVER_ARCHIVE_H

#include "weaver/class/weave.h"

enum weave_runtime_mode { WEAVE_RUNTIME_EMBED, WEAVE_RUNTIME_CLASSPATH, WEAVE_RUNTIME_NONE };
enum weave_signed_mode { WEAVE_SIGNED_STRIP, WEAVE_SIGNED_FAIL };
enum weave_woven_mode { WEAVE_WOVEN_ERROR, WEAVE_WOVEN_SKIP };

/* What an entry is, by its name alone. */
enum weave_kind {
	WEAVE_KIND_OTHER,
	WEAVE_KIND_CLASS,
	WEAVE_KIND_MODULE,
	WEAVE_KIND_MANIFEST,
	WEAVE_KIND_SIGNATURE,
	WEAVE_KIND_ARCHIVE,
};
enum weave_kind weave_kind(struct jw_span name);

/* Is NAME one that weaving adds to an archive? */
bool weave_is_added(struct jw_span name);

struct weave_report; /* below */

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

/* One thing the report names: a chosen method that was not woven, or a class that was not read. */
struct weave_skipped {
	const char *entry;      /* path in the archive, outer!/inner */
	const char *class_name; /* Java name, UTF-8; "" when not known */
	const char *method;     /* name and descriptor, UTF-8; "" for a whole class */
	enum weave_skip skip;
	const char *detail; /* or "" */
	uint32_t size, woven_size;
};

struct weave_report {
	const char *in, *out; /* as given; out may be NULL */
	uint64_t entries;     /* of the archive (files in a directory), nested ones included */
	uint64_t classes, woven_classes;
	uint64_t methods;                    /* with a body */
	uint64_t chosen, woven;              /* by the rules; of these, woven */
	uint64_t creations;                  /* places that make objects, woven */
	uint64_t exceptions;                 /* methods whose exceptions are recorded */
	uint64_t calls;                      /* call sites woven */
	uint64_t guarded;                    /* left out by the guard */
	const struct weave_skipped *skipped; /* in the order of the archive */
	size_t skipped_count;
	uint64_t skips[64];           /* by enum weave_skip */
	const uint64_t *rule_matches; /* chosen or skipped methods by deciding rule */
	bool signature_removed;
	bool agent; /* its manifest names a class that runs before main() */
	uint64_t in_bytes, out_bytes;
	const char *const
		*notes; /* sentences for the user: signature stripped, new class version, ... */
	size_t note_count;
	const char *runtime_class; /* Java name of the runtime class; NULL when nothing was woven */
};

/* Weaves JOB. Everything in REPORT lives in ARENA. Errors: JW_INPUT (missing, no archive, damaged,
 * already woven, encrypted class entry, output is the input), JW_IO, JW_LIMIT, JW_POLICY
 * (signatures), JW_NOMEM. */
enum jw_status JW_MUST_USE weave_archive(const struct weave_archive_job *job,
					 struct jw_arena *arena, struct weave_report *report,
					 struct jw_err *e);

/* The report as JSON (its shape is documented in the man page), stable and without times or
 * absolute paths other than those given. */
void weave_report_json(const struct weave_report *report, const struct rules *rules,
		       struct jw_buf *out);

struct weave_scan_job {
	const char *in; /* path, or "-" */
	const struct rules *rules;
	const char *nested;     /* as in weave_archive_job */
	const char *class_path; /* the same */
	bool no_limits;
	weave_each_method *each;
	weave_each_call *each_call; /* may be NULL */
	void *ctx;
	/* Takes sentences for the user, when all is scanned; may be NULL. */
	enum jw_status (*note)(void *ctx, const char *note, struct jw_err *e);
	void *note_ctx;
};

/* Calls EACH for every method with a body, in the order of the archive: for list and explain. */
enum jw_status JW_MUST_USE weave_scan(const struct weave_scan_job *job, struct jw_err *e);

/* The woven.json of an archive or directory, for `jweave info`; an empty span when PATH is not
 * woven. */
enum jw_status JW_MUST_USE weave_info(const char *path, struct jw_arena *arena,
				      struct jw_span *json, struct jw_err *e);

/* Calls EACH for the bytes of every class in BYTES, a class or an archive called NAME. */
enum jw_status JW_MUST_USE
weave_each_class_in(struct jw_span bytes, const char *name, bool no_limits,
		    enum jw_status (*each)(void *ctx, struct jw_span entry, struct jw_span bytes,
					   struct jw_err *e),
		    void *ctx, struct jw_err *e);

/* Calls EACH for the bytes of every class in PATH (or PATH itself, a single class): for dump, init.
 */
enum jw_status JW_MUST_USE weave_each_class(const char *path, bool no_limits,
					    enum jw_status (*each)(void *ctx, struct jw_span entry,
								   struct jw_span bytes,
								   struct jw_err *e),
					    void *ctx, struct jw_err *e);

#endif
