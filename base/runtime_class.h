/*
 * runtime_class.h: the names of the runtime's classes, which the weaver gives, rules leave out and
 * the library looks for.
 *
 * A woven archive has a runtime class of its own in a package of its own, so that several can be
 * loaded into one JVM: HOME/jweave/HASH/P. HOME is the package that all classes of the archive are
 * in, or below; there may be none. A class loader that serves only com.acme.** from the archive
 * serves it, too. HASH is a letter and six digits of base 36 (among a thousand archives in one
 * process, the chance that two have the same is one in 110,000). The name is in each woven class,
 * and HASH does not compress, so it is as short as possible. What all archives share is in jweave/rt.
 */
#ifndef JW_BASE_RUNTIME_CLASS_H
#define JW_BASE_RUNTIME_CLASS_H

#include <stdbool.h>

#include "base/bytes.h"

#define JW_RUNTIME_PACKAGE "jweave/" /* HOME comes before, HASH follows */
#define JW_RUNTIME_CLASS   "P"
#define JW_RUNTIME_SHARED  "jweave/rt/"

enum { JW_RUNTIME_HASH = 7 /* characters of HASH */ };

/* Writes HASH as text, and a zero byte. */
void jw_runtime_hash(uint64_t hash, char text[JW_RUNTIME_HASH + 1]);

/* Is NAME (internal form) that of a class of the runtime, or the path of a file next to one? */
bool jw_is_runtime_class(struct jw_span name);

#endif
