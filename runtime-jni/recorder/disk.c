#include "runtime-jni/recorder/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/settings.h"
#include "runtime-jni/recorder/job.h"

#include "base/banned.h"

#define MANY_FILES 256   /* a limit from here on leaves enough: what is open is not counted */
#define TRIES      10000 /* names NAME-1 ... tried */

void rt_host_name(char *out, size_t size)
{
	if (gethostname(out, size) != 0)
		snprintf(out, size, "localhost");
	out[size - 1] = '\0';
	for (char *p = out; *p; p++)
		if (*p == '/' || (unsigned char)*p < ' ')
			*p = '-';
}

static bool exists(const char *base, const char *suffix)
{
	char path[PATH_MAX];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s%s", base, suffix);

	return n > 0 && (size_t)n < sizeof(path) && lstat(path, &st) == 0;
}

static bool trace_exists(const char *base)
{
	static const char *const suffixes[] = { ".prv", ".prv.gz", ".pcf", ".row" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (exists(base, suffixes[i]))
			return true;
	return false;
}

/* Claims BASE.jwr. EEXIST: BASE is taken. A trace that appears between the two looks is one whose
 * recording was just converted, hence the look after mkdir(). */
static int claim(const char *base, const char *folder)
{
	if (trace_exists(base))
		return EEXIST;
	if (mkdir(folder, 0777) != 0)
		return errno;
	if (!trace_exists(base))
		return 0;
	rmdir(folder);
	return EEXIST;
}

char *rt_absolute(const char *name, struct jw_arena *arena)
{
	char cwd[PATH_MAX];

	if (name[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		return jw_arena_str(arena, jw_span_str(name));
	return jw_arena_fmt(arena, "%s/%s", cwd, name);
}

static enum jw_status try_names(const char *name, const char *variable, struct jw_arena *arena,
				struct rt_recorder_names *out, struct jw_err *e)
{
	for (unsigned i = 0; i < TRIES; i++) {
		out->shown = i ? jw_arena_fmt(arena, "%s-%u", name, i) : name;
		out->base = out->shown ? rt_absolute(out->shown, arena) : NULL;
		out->folder = out->base ? jw_arena_fmt(arena, "%s.jwr", out->base) : NULL;
		if (!out->folder)
			return jw_nomem(e);
		int failed = claim(out->base, out->folder);
		if (!failed)
			return JW_OK;
		if (failed != EEXIST)
			return jw_fail(e, JW_IO,
				       "cannot create '%s.jwr': %s; name another place with %s",
				       out->shown, strerror(failed), variable);
	}
	return jw_fail(e, JW_IO, "'%s' and %u names after it exist already", name, TRIES - 1);
}

/* A trace may be named as its file is, here as in `jweave prv -o`. */
static void drop_suffix(char *name)
{
	static const char *const suffixes[] = { ".prv.gz", ".prv", ".jwr" };

	struct jw_span whole = jw_span_str(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		struct jw_span suffix = jw_span_str(suffixes[i]);
		size_t left = whole.n - suffix.n;

		if (jw_span_ends(whole, suffix) && left > 0 && name[left - 1] != '/') {
			name[left] = '\0';
			return;
		}
	}
}

enum jw_status rt_output_create(const struct rt_config *config, struct jw_arena *arena,
				struct rt_recorder_names *out, int *fd, struct jw_err *e)
{
	char host[256];

	rt_host_name(host, sizeof(host));
	size_t n = strlen(config->output);
	bool folder = n > 0 && config->output[n - 1] == '/';
	const char *pattern = folder ? jw_arena_fmt(arena, "%s%s", config->output,
						    jw_settings[JW_SETTING_ID_output].fallback)
				     : config->output;
	char *name = pattern ? rt_expand_name(pattern, host, (long)getpid(), arena) : NULL;
	if (!name)
		return jw_nomem(e);
	drop_suffix(name);
	JW_TRY(try_names(name, rt_place_variable(config), arena, out, e));
	if (!out->folder)
		return jw_bug(e, "a claimed recording has no name");
	*fd = open(out->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd >= 0)
		return JW_OK;
	int failed = errno;
	rmdir(out->folder);
	return jw_fail_errno(e, failed, "cannot open '%s.jwr'", out->shown);
}

void rt_output_space(int fd, uint64_t *floor, uint64_t *free_bytes)
{
	const uint64_t most = UINT64_C(1) << 30;
	struct statvfs fs;

	*floor = 0;
	*free_bytes = UINT64_MAX;
	if (fstatvfs(fd, &fs) != 0 || !fs.f_blocks)
		return; /* some file systems (overlays, network) do not say */
	uint64_t unit = fs.f_frsize ? fs.f_frsize : fs.f_bsize, part = fs.f_blocks * unit / 20;

	*floor = part < most ? part : most;
	*free_bytes = fs.f_bavail * unit;
}

bool rt_output_has_space(int fd, uint64_t bytes)
{
	uint64_t floor, free_bytes;

	rt_output_space(fd, &floor, &free_bytes);
	return free_bytes >= floor && free_bytes - floor >= bytes;
}

uint64_t rt_output_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

uint64_t rt_output_files_left(void)
{
	struct rlimit limit;
	uint64_t open_now = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur > MANY_FILES)
		return UINT64_MAX;
	DIR *files = opendir("/proc/self/fd");
	while (files && readdir(files))
		open_now++;
	if (files)
		closedir(files);
	else if (errno == EMFILE)
		return 0;
	return open_now < limit.rlim_cur ? limit.rlim_cur - open_now : 0;
}

static bool copy_rest(int from, int to)
{
	char part[8192];
	ssize_t n;

	while ((n = read(from, part, sizeof(part))) > 0)
		if (!jw_write_all(to, part, (size_t)n))
			return false;
	return n == 0;
}

bool rt_copy_to(int from, int into, const char *name, struct jw_span tail)
{
	int to = openat(into, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool whole =
		to >= 0 && (from < 0 || copy_rest(from, to)) && jw_write_all(to, tail.p, tail.n);
	int failed = errno;

	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	errno = failed;
	return whole;
}
