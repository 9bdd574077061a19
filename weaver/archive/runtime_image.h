/*
 * runtime_image.h: the runtime that woven archives carry, kept inside the weaver.
 *
 * The build puts the class and the stripped library for each platform into the program. A woven
 * archive gets the class under a name of its own, so that two of them can be in one JVM (two modules
 * may not share a package; a sealed or older copy may come first on the class path).
 */
#ifndef JW_WEAVER_RUNTIME_IMAGE_H
#define JW_WEAVER_RUNTIME_IMAGE_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "trace/format/methodmap.h"
#include "weaver/archive/zip_out.h"

/* The name the class was compiled under, in internal form: what --runtime=classpath calls. */
#define WEAVE_RUNTIME_CLASS "jweave/rt/Probe"
/* What follows it in the name of the class that probes of java.base call. */
#define WEAVE_RUNTIME_EARLY "$Early"

/* How libraries are stored: inflating one took a third of the time until tracing begins. */
#define WEAVE_LIBRARY_METHOD JW_ZIP_STORED

struct weave_library {
	const char *platform; /* linux-x86_64 */
	const char *path;     /* in the archive: META-INF/jweave/lib/linux-x86_64/libjweave-rt.so */
	struct jw_span bytes;
};

/* The library of each platform that this build has, by INDEX, in the order of their names; false
 * after the last. */
bool weave_runtime_library(size_t index, struct weave_library *out);

/* What follows the name of the runtime class in the name of its class INDEX: "" for itself, "$Fast"
 * for the one inside it; NULL after the last. */
const char *weave_runtime_suffix(size_t index);

/* The bytes of the runtime's class INDEX, renamed to NAME (internal form, without the suffix),
 * appended to OUT. JW_UNSUPPORTED when this build carries none. */
enum jw_status JW_MUST_USE weave_runtime_class(size_t index, struct jw_span name,
					       struct jw_buf *out, struct jw_err *e);

/* The bytes of the class NAME that probes by number call where the runtime is on the class path,
 * appended to OUT; as above. */
enum jw_status JW_MUST_USE weave_runtime_numbered(struct jw_span name, struct jw_buf *out,
						  struct jw_err *e);

/* The same for WEAVE_RUNTIME_EARLY, which only the runtime of java.base has. */
enum jw_status JW_MUST_USE weave_runtime_early(struct jw_span name, struct jw_buf *out,
					       struct jw_err *e);

/* A jar of the runtime alone, the class named NAME, appended to OUT: for --runtime=classpath and
 * for the lib folder of an ear. MAP (may be empty) goes in as META-INF/jweave/MAP_NAME; BAKED (may
 * be empty) into the class. */
enum jw_status JW_MUST_USE weave_runtime_jar(struct jw_span name, struct jw_span map_name,
					     struct jw_span map, struct jw_span baked,
					     uint32_t dos_time, struct jw_buf *out,
					     struct jw_err *e);

/* BYTES (a class file) with every constant that names the class FROM, or one nested in it (FROM$X),
 * naming TO (TO$X) instead, also inside descriptors, appended to OUT. Not a class file: JW_INPUT.
 */
enum jw_status JW_MUST_USE weave_rename_class(struct jw_span bytes, struct jw_span from,
					      struct jw_span to, struct jw_buf *out,
					      struct jw_err *e);

#endif
