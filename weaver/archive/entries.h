/*
 * entries.h: the names of what a jar holds, and what is in the archives inside it: a look, without
 * reading a class.
 */
#ifndef JW_WEAVER_ENTRIES_H
#define JW_WEAVER_ENTRIES_H

#include "base/bytes.h"
#include "base/status.h"

/* NAME of an entry; INSIDE: of the archive inside the jar that has it, or empty. Both are bytes of
 * the archive, gone after the call. Another status than JW_OK ends the look. */
typedef enum jw_status weave_each_entry(void *ctx, struct jw_span inside, struct jw_span name,
					struct jw_err *e);

/* Gives EACH the entries of the jar PATH, and (one level deep) those of the jars inside it. Jars
 * inside that are damaged, or too large to be looked at (128 MiB, together 1 GiB), are passed over.
 * JW_INPUT: PATH is no archive. */
enum jw_status JW_MUST_USE weave_jar_entries(const char *path, weave_each_entry *each, void *ctx,
					     struct jw_err *e);

#endif
