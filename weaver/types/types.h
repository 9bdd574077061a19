/*
 * types.h: what extends and implements what, for rules that say subtypeOf.
 *
 * A type is looked for in the archive (or folder) being woven, archives inside it included; then on
 * the class path, in the order given; then in a table of the types that the JDK exports, which the
 * program carries, so that the answer does not depend on a JDK of this machine. Where an archive
 * has a class twice, the first one counts; a class that is asked about counts for its own name.
 *
 * Built once, by one thread; then any number of threads may ask.
 */
#ifndef JW_WEAVER_TYPES_H
#define JW_WEAVER_TYPES_H

#include "cfr/class.h"
#include "rules/rules.h"

enum { WEAVE_SUPERTYPES_MAX = 1024 }; /* of one class; the rest is not looked at */
enum { WEAVE_SUPERS_KEPT = 32 };

struct weave_types;

struct weave_types_job {
	const char *in;         /* file or folder; its name in messages, when `bytes` are given */
	struct jw_span bytes;   /* of the file, when it is open already */
	const char *class_path; /* as java's: jars, folders, folders of jars; or NULL */
	bool no_limits;
};

/* Reads what JOB names. Errors: those of reading `in`; a part of the class path that cannot be read
 * is a note. Close OUT, also after an error. */
enum jw_status JW_MUST_USE weave_types_open(const struct weave_types_job *job,
					    struct weave_types **out, struct jw_err *e);
void weave_types_close(struct weave_types *types);

/* What one class extends and implements, kept for the next rule that asks. {0} before the first
 * question; borrows from the class and from the types. */
struct weave_supers {
	struct jw_span names[WEAVE_SUPERS_KEPT];
	uint32_t nodes[WEAVE_SUPERS_KEPT]; /* 0: a name that the types do not have */
	uint32_t count;
	bool found, too_many; /* too many to be kept: each question walks */
};

/* Gives TAKE the class and its supertypes, nearest first; rules_each_name tells when it stops. KEPT
 * belongs to the class and to one thread. */
bool weave_types_each(const struct weave_types *types, const struct cfr_class *cls,
		      struct weave_supers *kept, rules_take_name *take, void *ctx);

/* The same of the type NAME, "[..." included, of which nothing else is known. */
bool weave_types_each_of(const struct weave_types *types, struct jw_span name,
			 rules_take_name *take, void *ctx);

/* Gives TAKE the names by which FROM extends or implements TO, by the shortest way: FROM first, TO
 * last, both known to TYPES. False: there is no way (or it is over WEAVE_SUPERTYPES_MAX types). */
bool weave_types_path(const struct weave_types *types, struct jw_span from, struct jw_span to,
		      rules_take_name *take, void *ctx);

/* What the user should know, once all questions have been asked: parts of the class path that could
 * not be read, and each missing type that a question led to. */
enum jw_status JW_MUST_USE weave_types_notes(const struct weave_types *types,
					     enum jw_status (*each)(void *ctx, const char *note,
								    struct jw_err *e),
					     void *ctx, struct jw_err *e);

#endif
