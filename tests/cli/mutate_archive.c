#include "tests/cli/mutate_archive.h"

#include "base/banned.h"

static void mutate_manifest(struct jw_buf *text, uint32_t *state)
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

void mutate_jar_entry(const struct list_entry *entry, struct jw_buf *out, uint32_t *state)
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

/* ---- distributions: archives, and folders of classes, together in one archive ---- */

/* The name of a file in FOLDER: of a class its own, else that of ENTRY. */
static void mutate_put_path(const char *folder, const struct list_entry *entry, struct jw_buf *out)
{
	struct jw_arena arena = { 0 };
	struct jw_err ignored = { 0 };
	struct cfr_class cls;

	jw_put_str(out, folder);
	if (cfr_class_peek(entry->content, &arena, &cls, &ignored) == JW_OK) {
		jw_put_bytes(out, cls.name);
		jw_put_str(out, ".class");
	} else if (entry->odd & LIST_ODD_NAME) {
		jw_put_bytes(out, entry->field[2]);
	} else {
		jw_put_str(out, list_names[entry->kind % 16]);
	}
	jw_arena_free(&arena);
}

void mutate_into_folders(struct jw_span list, uint8_t used, struct jw_buf *out, uint32_t *state)
{
	enum { INNER = 6, DATA = 12, NAMES = 15 }; /* of list_names */
	static const char *const folders[] = { "classes/", "x/lib/", "META-INF/versions/9/",
					       "../",      "x/./",   "x//",
					       "/",        "x\\y/",  "" };
	const uint32_t count = sizeof(folders) / sizeof(folders[0]);
	const char *two[] = { folders[draw(state, count)], folders[draw(state, count)] };
	struct jw_cur c = jw_cur(list);
	struct list_entry entry;

	for (; list_next(&c, used, &entry); used = 0) {
		struct jw_buf path = { 0 };

		if (used) {
			entry.kind = (uint8_t)((entry.kind & ~NAMES) | DATA);
		} else {
			mutate_put_path(two[draw(state, 2)], &entry, &path);
			entry.kind |= LIST_ODD;
			entry.odd |= LIST_ODD_NAME;
			entry.field[2] = jw_buf_span(&path);
		}
		list_put(out, used, &entry);
		jw_buf_free(&path);
	}
	entry = (struct list_entry){ .kind = INNER | LIST_NESTED };
	list_put(out, used, &entry);
}
