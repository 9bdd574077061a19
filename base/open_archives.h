/*
 * open_archives.h: which archives a process has open: class loaders have theirs open as long as they live.
 */
#ifndef JW_BASE_OPEN_ARCHIVES_H
#define JW_BASE_OPEN_ARCHIVES_H

#include <stdbool.h>

/* By its ending: a jar, war or ear. */
bool jw_is_archive(const char *path);

/* Calls TAKE with CTX and the path of each archive among the descriptors in FOLDER (/proc/PID/fd; /proc/self/fd), maybe
 * with one path again and again. Nothing where FOLDER cannot be read. */
void jw_each_open_archive(const char *folder, void (*take)(void *ctx, const char *path), void *ctx);

#endif
