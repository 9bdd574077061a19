/*
 * snapshot.h: what a flight recorder holds now, as a recording of its own, while it goes on.
 */
#ifndef RT_SNAPSHOT_H
#define RT_SNAPSHOT_H

#include <stddef.h>

/*
 * Writes NAME-dump-1.jwr (or -2 ...) beside the recording: windows first, then the ring's segments
 * (links, where the file system has them), names and clock points. PATH gets its folder. NULL:
 * done; else why not, for the user, and nothing is left. One at a time. Threads that log wait only
 * where a window of theirs is full just then.
 */
const char *rt_dump(char *path, size_t size);

#endif
