/*
 * woven_mark.h: what shows that an archive or folder was woven, and the names that weaving adds.
 */
#ifndef JW_WEAVER_WOVEN_MARK_H
#define JW_WEAVER_WOVEN_MARK_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

#define WEAVE_MARK "META-INF/jweave/woven.json"

/* The folder of an ear in which a jar of the runtime is, and how that jar's name begins. */
#define WEAVE_EAR_FOLDER "lib/"
#define WEAVE_EAR_JAR    "jweave-rt-x"

/* The same of a folder that Quarkus has built ("fast-jar"): what shows that it is one, the jar that starts it
 * and names, in its Class-Path, all that the loader of the application has as its parent. */
#define WEAVE_QUARKUS_INDEX  "quarkus/quarkus-application.dat"
#define WEAVE_QUARKUS_START  "quarkus-run.jar"
#define WEAVE_QUARKUS_FOLDER "lib/boot/"

/* Is NAME one that weaving adds to an archive? */
bool weave_is_added(struct jw_span name);

/* The woven.json of an archive or directory, for `jweave info`; an empty span when PATH is not
 * woven. */
enum jw_status JW_MUST_USE weave_info(const char *path, struct jw_arena *arena,
				      struct jw_span *json, struct jw_err *e);

#endif
