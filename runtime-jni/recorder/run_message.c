#include "runtime-jni/recorder/run_message.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/settings.h"

#include "base/banned.h"

enum { MOST_OPEN = 4096 };

static bool is_archive(const char *path, size_t n)
{
	static const char *const endings[] = { ".jar", ".war", ".ear" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (n > 4 && memcmp(path + n - 4, endings[i], 4) == 0)
			return !memchr(path, '\n', n);
	return false;
}

/* Class loaders have their archives open as long as they live. */
static void put_open(struct jw_buf *out)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	for (struct dirent *d; dir && count < MOST_OPEN && (d = readdir(dir));) {
		char path[4096];
		ssize_t n = readlinkat(dirfd(dir), d->d_name, path, sizeof(path));

		if (n <= 0 || (size_t)n == sizeof(path) || !is_archive(path, (size_t)n))
			continue;
		jw_put_fmt(out, "open\t%.*s\n", (int)n, path);
		count++;
	}
	if (dir)
		closedir(dir);
}

void rt_tell_starter(const struct trace_summary *s, const char *base, const char *suffix)
{
	const char *file = getenv(JW_TELL_VARIABLE);
	struct jw_buf line = { 0 };
	uint64_t inside = 0;

	if (!file || !*file || strchr(base, '\n'))
		return;
	for (size_t i = 0; i < s->top_count; i++)
		inside += s->top[i].exclusive_ns;
	jw_put_fmt(&line, "trace\t%llu\t%u\t%u\t%llu\t%llu\t%s%s\n", (unsigned long long)s->calls,
		   s->methods, s->threads, (unsigned long long)s->duration_ns,
		   (unsigned long long)inside, base, suffix);
	for (size_t i = 0; i < s->small_count; i++)
		jw_put_fmt(&line, "small\t%s\t%s\t%s\n", s->small[i].class_name, s->small[i].name,
			   s->small[i].descriptor);
	put_open(&line);
	int fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		/* one write: lines of several processes do not mix */
		ssize_t done = line.failed ? 0 : write(fd, line.p, line.n);
		(void)done; /* only something less is said then */
		close(fd);
	}
	jw_buf_free(&line);
}
