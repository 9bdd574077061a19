/*
 * archives.h: woven archives that the names of methods will be read from, kept as they are now.
 *
 * An archive may be gone when the recording is converted: a bundle uninstalled, a web application
 * replaced, a jar built again. A hard link in the recording, archives/N, keeps it readable and
 * costs no space while it lasts. Of an exploded archive the method map alone is linked: that of a
 * folder has all names itself. Where the file system has no such link to give (another one, a file
 * of somebody else), names are read from where the archive was.
 */
#ifndef RT_ARCHIVES_H
#define RT_ARCHIVES_H

#include <stddef.h>

/* PLACE, or the file that this process opens there: `jweave run` shows it a woven copy where the original is. Then
 * its path is in OPENED, of SIZE. Any thread; errno stays. */
const char *rt_archive_opened(const char *place, char *opened, size_t size);

/* Links the archive, or the map of the folder, PLACE into the recording, once. Any thread; errno
 * stays. */
void rt_archive_keep(const char *place);

/* The same links in the folder INTO of a dump. */
void rt_archives_share(int into);

/* Removes them from the recording, or dump, FOLDER. */
void rt_archives_remove(int folder);

#endif
