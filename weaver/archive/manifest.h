/*
 * manifest.h: what weaving changes in META-INF/MANIFEST.MF, every other byte kept.
 *
 * A manifest is sections divided by empty lines; the first holds the main attributes, each other
 * one starts with "Name:". A line that begins with a space continues the one before it (72 bytes a
 * line). Digests of a signature ("SHA-256-Digest", "SHA1-Digest-Manifest", "Magic") are in the
 * sections; a section that holds nothing else is dropped with them.
 */
#ifndef JW_WEAVER_MANIFEST_H
#define JW_WEAVER_MANIFEST_H

#include <stdbool.h>

#include "base/bytes.h"

struct weave_manifest_edit {
	bool strip_digests;
	bool native_access; /* add Enable-Native-Access: ALL-UNNAMED where there is a Main-Class */
};

struct weave_manifest_facts {
	bool main_class; /* `java -jar` can start it */
	bool agent;      /* code of it may run before main() */
	bool had_digests;
};

/* Appends TEXT to OUT, edited as EDIT says; the same bytes when nothing applies. OUT remembers
 * failures. */
void weave_manifest_edit(struct jw_span text, const struct weave_manifest_edit *edit,
			 struct jw_buf *out, struct weave_manifest_facts *facts);

/* Appends the value of the main attribute NAME of TEXT, its lines joined; false when there is none.
 */
bool weave_manifest_value(struct jw_span text, const char *name, struct jw_buf *out);

/* Appends TEXT with VALUE as that of the main attribute NAME, which is there already. */
void weave_manifest_set(struct jw_span text, const char *name, struct jw_span value,
			struct jw_buf *out);

/* An OSGi bundle whose Bundle-ClassPath leaves out its own root, where the runtime is, could not
 * load it: appends TEXT with "." as the last element. False, and nothing appended, where that is
 * not needed: no Bundle-ClassPath, or the root (of a web application: WEB-INF/classes) is in it. */
bool weave_manifest_bundle(struct jw_span text, struct jw_buf *out);

#endif
