#include "runtime-jni/recorder/archives.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime-jni/recorder/session.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

#define MOST 1024 /* redeployments without end shall not fill the disk */

static struct {
	pthread_mutex_t lock;
	unsigned count;
	struct {
		dev_t device;
		ino_t file;
	} kept[MOST];
} archives = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool is_kept(const struct stat *st)
{
	for (unsigned i = 0; i < archives.count; i++)
		if (archives.kept[i].device == st->st_dev && archives.kept[i].file == st->st_ino)
			return true;
	return false;
}

static void name_of(unsigned i, char name[32])
{
	snprintf(name, 32, JWR_ARCHIVES "/%u", i + 1);
}

static void link_into(const char *folder, const char *place, const struct stat *st)
{
	char name[32];
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	name_of(archives.count, name);
	if ((mkdirat(fd, JWR_ARCHIVES, 0777) == 0 || errno == EEXIST) &&
	    linkat(AT_FDCWD, place, fd, name, AT_SYMLINK_FOLLOW) == 0) {
		archives.kept[archives.count].device = st->st_dev;
		archives.kept[archives.count++].file = st->st_ino;
	}
	if (!archives.count)
		unlinkat(fd, JWR_ARCHIVES, AT_REMOVEDIR);
	close(fd);
}

static void keep_file(const char *folder, const char *place)
{
	struct stat st;

	if (stat(place, &st) == 0 && S_ISREG(st.st_mode) && archives.count < MOST && !is_kept(&st))
		link_into(folder, place, &st);
}

static bool is_map(const char *name)
{
	size_t n = strlen(name), suffix = strlen(JWMAP_SUFFIX);

	return n > suffix && !strcmp(name + n - suffix, JWMAP_SUFFIX);
}

/* The maps of an exploded archive, of which PLACE has the first N bytes. Such a map has all names
 * itself. */
static void keep_maps(const char *folder, const char *place, size_t n)
{
	char path[4096];
	int length = snprintf(path, sizeof(path), "%.*s/" JWMAP_FOLDER, (int)n, place);
	DIR *dir = length > 0 && (size_t)length < sizeof(path) ? opendir(path) : NULL;

	if (!dir)
		return;
	for (struct dirent *d; (d = readdir(dir));) {
		size_t room = sizeof(path) - (size_t)length;

		if (is_map(d->d_name) &&
		    (size_t)snprintf(path + length, room, "%s", d->d_name) < room)
			keep_file(folder, path);
	}
	closedir(dir);
}

/* Classes may lie further in: the application's own folder has the map. */
static void keep_folder(const char *folder, const char *place)
{
	static const char *const inside[] = { "/WEB-INF/", "/BOOT-INF/" };

	keep_maps(folder, place, strlen(place));
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		const char *cut = strstr(place, inside[i]);

		if (cut)
			keep_maps(folder, place, (size_t)(cut - place));
	}
}

/* What is shown has the number of the original by its name, and its own once it is open. */
const char *rt_archive_opened(const char *place, char *opened, size_t size)
{
	struct stat named, st;
	char link[32];
	ssize_t n = -1;
	int saved = errno;

	if (stat(place, &named) == 0 && S_ISREG(named.st_mode)) {
		int fd = open(place, O_RDONLY | O_CLOEXEC);

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (fd >= 0 && fstat(fd, &st) == 0 &&
		    (st.st_dev != named.st_dev || st.st_ino != named.st_ino))
			n = readlink(link, opened, size - 1);
		if (fd >= 0)
			close(fd);
	}
	errno = saved;
	if (n <= 0)
		return place;
	opened[n] = '\0';
	return opened;
}

void rt_archive_keep(const char *place)
{
	struct rt_recorder_status status;
	int saved = errno;

	if (rt_recorder_status(&status)) {
		pthread_mutex_lock(&archives.lock);
		keep_file(status.names.folder, place);
		keep_folder(status.names.folder, place);
		pthread_mutex_unlock(&archives.lock);
	}
	errno = saved;
}

void rt_archives_share(int into)
{
	struct rt_recorder_status status;
	char name[32];

	if (!rt_recorder_status(&status))
		return;
	int from = open(status.names.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (from < 0)
		return;
	pthread_mutex_lock(&archives.lock);
	if (archives.count && mkdirat(into, JWR_ARCHIVES, 0777) == 0)
		for (unsigned i = 0; i < archives.count; i++) {
			name_of(i, name);
			(void)linkat(from, name, into, name, 0);
		}
	pthread_mutex_unlock(&archives.lock);
	close(from);
}

void rt_archives_remove(int folder)
{
	char name[32];

	for (unsigned i = 0; i < archives.count; i++) {
		name_of(i, name);
		unlinkat(folder, name, 0);
	}
	unlinkat(folder, JWR_ARCHIVES, AT_REMOVEDIR);
}
