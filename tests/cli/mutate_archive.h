/*
 * mutate_archive.h: archives of classes, as lists of entries (archive_list.h), changed also by what
 * the entries are.
 */
#ifndef JW_TESTS_CLI_MUTATE_ARCHIVE_H
#define JW_TESTS_CLI_MUTATE_ARCHIVE_H

#include "tests/base/mutate_list.h"
#include "tests/cfr/mutate_class.h"
#include "tests/trace/mutate_lines.h"

static inline void mutate_manifest(struct jw_buf *text, uint32_t *state)
{
	static const char *const lines[] = { "Manifest-Version: 1.0",
					     "Main-Class: a.A",
					     "Start-Class: a.B",
					     "Class-Path: lib/inner.jar other.jar",
					     "Multi-Release: true",
					     "Launcher-Agent-Class: a.A",
					     "Spring-Boot-Classes: BOOT-INF/classes/",
					     "Spring-Boot-Lib: BOOT-INF/lib/",
					     "Sealed: true",
					     "",
					     "Name: a/A.class",
					     "SHA-256-Digest: #",
					     "SHA1-Digest-Manifest: #",
					     " goes on#" };

	mutate_lines(text, lines, sizeof(lines) / sizeof(lines[0]), state);
}

/* A mutate_content. */
static inline void mutate_jar_entry(const struct list_entry *entry, struct jw_buf *out,
				    uint32_t *state)
{
	mutate_class(entry->content, out, state);
	if (out->n > 0)
		return;
	jw_put_bytes(out, entry->content);
	if (entry->kind % 16 == 0)
		mutate_manifest(out, state);
	else
		mutate_bytes(out, state);
}

#endif
