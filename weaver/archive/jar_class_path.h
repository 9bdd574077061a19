/*
 * jar_class_path.h: the Class-Path of a jar's manifest: read it, or make a copy of the jar with another
 * one, for a jar that is about to be put into another folder than the jars it names; or a copy without its signature.
 */
#ifndef JW_WEAVER_JAR_CLASS_PATH_H
#define JW_WEAVER_JAR_CLASS_PATH_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

struct weave_jar_facts {
	const char *class_path; /* as written, lines joined; NULL: none */
	const char *main_class; /* Start-Class (Spring Boot) or Main-Class; NULL: none */
	const char *agent;      /* Premain-Class; NULL: none */
	bool is_signed;
	bool native_access; /* started by -jar it may load libraries, from its main() on (JDK 24) */
	bool starts_agent;  /* started by -jar it has an agent, which runs before main() */
};

/* What the manifest of the jar PATH says. No archive: JW_INPUT. (An error names PATH.) */
enum jw_status JW_MUST_USE weave_jar_facts(const char *path, struct jw_arena *arena,
					   struct weave_jar_facts *out, struct jw_err *e);

/* Does the jar PATH have the entry NAME? False also when it is no jar. */
bool weave_jar_has(const char *path, const char *name);

/* Copies the jar IN to OUT with CLASS_PATH in the place of the Class-Path it has; all other entries
 * are copied as they are. */
enum jw_status JW_MUST_USE weave_jar_set_class_path(const char *in, const char *out,
						    const char *class_path, struct jw_err *e);

/* Copies the jar IN to OUT without its signature: what is of it in its manifest goes, too; all else is as it is. */
enum jw_status JW_MUST_USE weave_jar_unsign(const char *in, const char *out, struct jw_err *e);

/* The Class-Path of the jar PATH, which has one, ends with WORD from now on, and what it starts may load
 * libraries (JDK 24): where that one does. */
enum jw_status JW_MUST_USE weave_jar_add_to_class_path(const char *path, const char *word,
						       struct jw_err *e);

#endif
