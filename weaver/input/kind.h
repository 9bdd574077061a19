/*
 * kind.h: what an entry of an archive, or a file of a folder, is by its name alone.
 */
#ifndef JW_WEAVER_KIND_H
#define JW_WEAVER_KIND_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/zip.h"

enum weave_kind {
	WEAVE_KIND_OTHER,
	WEAVE_KIND_CLASS,
	WEAVE_KIND_MODULE,
	WEAVE_KIND_MANIFEST,
	WEAVE_KIND_SIGNATURE,
	WEAVE_KIND_ARCHIVE,
};
enum weave_kind weave_kind(struct jw_span name);

/* META-INF/MANIFEST.MF in any case, as the JDK looks for it. */
bool weave_is_manifest(struct jw_span name);

/* A signature file or block directly in META-INF, in any case: *.SF *.RSA *.DSA *.EC SIG-*. */
bool weave_is_signature(struct jw_span name);

/* Does ZIP hold archives, and no program of its own? Then each of them may be a unit. */
bool weave_may_be_bundle(const struct jw_zip *zip);

#endif
