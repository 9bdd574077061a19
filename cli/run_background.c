/*
 * run_background.c: processes are known by the file that they are to tell this run of their traces in, which all that
 * it starts has in its environment (JW_TELL_VARIABLE).
 */
#include "cli/run_background.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/settings.h"

#include "base/banned.h"

enum { ENVIRONMENT_MAX = 8 << 20 };

/* The environment of the process PID into OUT. (jw_file_open() takes a file of /proc for an empty one.) */
static bool read_environment(const char *pid, struct jw_buf *out)
{
	char path[64];
	int n = snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	int fd = n > 0 && (size_t)n < sizeof(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	uint8_t part[8192];
	ssize_t got = 0;

	while (fd >= 0 && out->n < ENVIRONMENT_MAX && (got = read(fd, part, sizeof(part))) > 0)
		jw_put_bytes(out, jw_span(part, (size_t)got));
	if (fd >= 0)
		close(fd);
	return fd >= 0 && got == 0 && !out->failed;
}

/* Is WORD, "NAME=VALUE", in the environment of the process PID? (Another user's cannot be read.) */
static bool has_word(const char *pid, struct jw_span word)
{
	struct jw_buf text = { 0 };
	bool found = false;

	if (read_environment(pid, &text))
		for (size_t at = 0; at < text.n && !found;) {
			const uint8_t *end = memchr(text.p + at, '\0', text.n - at);
			size_t n = end ? (size_t)(end - text.p) - at : text.n - at;

			found = jw_span_eq(jw_span(text.p + at, n), word);
			at += n + 1;
		}
	jw_buf_free(&text);
	return found;
}

/* Does the process PID run a java, or the program SELF or EMBEDDED (or NULL)? */
static bool is_of_java(const char *pid, const char *self, const char *embedded)
{
	char link[64], path[PATH_MAX];
	int length = snprintf(link, sizeof(link), "/proc/%s/exe", pid);
	ssize_t n = length > 0 && (size_t)length < sizeof(link)
			    ? readlink(link, path, sizeof(path) - 1)
			    : -1;

	if (n < 0)
		return false;
	path[n] = '\0';
	const char *slash = strrchr(path, '/');
	return strncmp(slash ? slash + 1 : path, "java", strlen("java")) == 0 ||
	       strcmp(path, self) == 0 || (embedded && strcmp(path, embedded) == 0);
}

bool run_background(const struct run *run, bool any)
{
	char self[PATH_MAX], own[32];
	const char *word =
		run->told_file ? jw_arena_fmt(run->arena, JW_TELL_VARIABLE "=%s", run->told_file)
			       : NULL;
	DIR *dir = word ? opendir("/proc") : NULL;
	const struct dirent *entry;
	bool found = false;

	if (!realpath("/proc/self/exe", self))
		self[0] = '\0';
	snprintf(own, sizeof(own), "%ld", (long)getpid());
	while (dir && !found && (entry = readdir(dir))) {
		const char *pid = entry->d_name;

		if (*pid < '0' || *pid > '9' || strcmp(pid, own) == 0)
			continue;
		found = (any || is_of_java(pid, self, run->embedded)) &&
			has_word(pid, jw_span_str(word));
	}
	if (dir)
		closedir(dir);
	return found;
}
