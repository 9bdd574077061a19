/*
 * weave_report.h: what weaving an input did: its numbers, what was left and why, notes.
 */
#ifndef JW_WEAVER_WEAVE_REPORT_H
#define JW_WEAVER_WEAVE_REPORT_H

#include "base/bytes.h"
#include "rules/rules.h"
#include "weaver/class/weave.h"

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
	const bool *rule_used;        /* by rule: those, and what does something without deciding */
	bool signature_removed;
	bool agent; /* its manifest names a class that runs before main() */
	uint64_t in_bytes, out_bytes;
	const char *const
		*notes; /* sentences for the user: signature stripped, new class version, ... */
	size_t note_count;
	const char *runtime_class; /* Java name of the runtime class; NULL when nothing was woven */
};

#endif
