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
 *     HOME/jweave/HASH/P.class, and P$Fast.class (home.h)                           --runtime=embed
 *     META-INF/jweave/lib/linux-x86_64/libjweave-rt.so                              --runtime=embed
 * (with --runtime=classpath P says which archive the numbers of methods belong to: numbers.c.)
 * A war has the last two, and the map once more, under WEB-INF/classes; an ear has them in a jar in
 * its lib folder. Archives inside are woven in place and get nothing of their own, except in a
 * plain zip of jars (no classes, no manifest): there each jar is woven as if it were alone. Signatures
 * are removed, the manifest of an archive with a Main-Class gains Enable-Native-Access, a
 * Bundle-ClassPath without the root of the bundle gains that, ModulePackages the new package.
 *
 * A folder becomes a new folder; OUT may be there when it is empty or was woven by jweave, and is
 * then replaced. A single class cannot carry the runtime: its map is written next to it as OUT.map.
 * An archive in which nothing is woven gains nothing: the output is a copy of the input.
 */
#ifndef JW_WEAVER_ARCHIVE_H
#define JW_WEAVER_ARCHIVE_H

#include "base/memory.h"
#include "weaver/archive/archive_job.h"

/* Weaves JOB. Everything in REPORT lives in ARENA. Errors: JW_INPUT (missing, no archive, damaged,
 * already woven, encrypted class entry, output is the input), JW_IO, JW_LIMIT, JW_POLICY
 * (signatures), JW_NOMEM. */
enum jw_status JW_MUST_USE weave_archive(const struct weave_archive_job *job,
					 struct jw_arena *arena, struct weave_report *report,
					 struct jw_err *e);

#endif
