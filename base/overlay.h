/*
 * overlay.h: the table by which a java opens woven copies in the place of their originals: `jweave run` writes
 * it, runtime-jni/overlay reads it.
 *
 * A struct jw_overlay_head, its entries by their hashes, and texts that end with a zero byte, in the byte order of
 * the machine; it never leaves that. An original is known by what stat() says of it, so one that was built anew
 * since, or replaced, is shown as it is.
 */
#ifndef JW_OVERLAY_H
#define JW_OVERLAY_H

#include <stddef.h>
#include <stdint.h>

#define JW_OVERLAY_VARIABLE "JWEAVE_OVERLAY"   /* the path of the table */
#define JW_JVM_VARIABLE     "JWEAVE_JVM"       /* that of a program that sees copies, as java */
#define JW_OVERLAY_MAGIC    "jweave overlay 1" /* without its end: 16 bytes */
#define JW_OVERLAY_LIBRARY  "libjweave-overlay.so"
/* The number of a process, in so many digits, and the path of a script: any other java that has this in its environment
 * becomes the script, with its own path and arguments as the script's. 0: each does; 1: the next one goes on as what it
 * is, and puts its own number there for those that it starts. (It may run itself anew, which has the same number.) */
#define JW_LAUNCH_VARIABLE "JWEAVE_LAUNCH"
#define JW_LAUNCH_EACH     "0000000000"
#define JW_LAUNCH_NEXT     "0000000001"

enum { JW_LAUNCH_DIGITS = sizeof(JW_LAUNCH_EACH) - 1 };

enum { JW_OVERLAY_BYTES_MAX = 16 << 20 };

struct jw_overlay_head {
	char magic[16];
	uint64_t count;
	uint64_t texts; /* offset of the texts, which are the rest: Probe.java reads these alone */
};

struct jw_overlay_file {
	uint64_t size;
	int64_t changed_s;
	int64_t changed_ns;
};

struct jw_overlay_entry {
	uint64_t hash; /* of the last part of the original's path: jw_overlay_hash() */
	uint64_t device, inode;
	struct jw_overlay_file original, copy;
	uint64_t copy_path; /* offset, in the table, of the path of the copy, from the root */
};

/* FNV-1a, of 64 bits. */
uint64_t jw_overlay_hash(const char *name);
/* The first of the COUNT ENTRIES that has HASH; those after it may have it, too. NULL: none has. */
const struct jw_overlay_entry *jw_overlay_find(const struct jw_overlay_entry *entries, size_t count,
					       uint64_t hash);

/* The entries of the table BYTES (N of them, aligned for an entry), *COUNT of them: all their texts are in the table.
 * NULL: it is damaged, or has none. */
const struct jw_overlay_entry *jw_overlay_entries(const void *bytes, size_t n, size_t *count);

#endif
