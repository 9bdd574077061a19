/*
 * overlay.c: a java that opens a file of the table (base/overlay.h) to read it gets the woven copy.
 *
 * `jweave run` has this library loaded (LD_PRELOAD) into the java that it starts, and into what that starts. So
 * the program finds its jars where they are: a program asks where its own jar is, and looks for its files
 * around that; a server opens web applications that are on no path of its command.
 *
 *   - open() and its kin: a file that is opened for reading alone, and is an original, is the copy.
 *   - stat() and its kin tell size and time of change of the copy: an archive of classes (CDS), or a server that
 *     has unpacked the original, shall see that it is another file.
 *   - Everything else (names, links, rights, who writes) is the original's.
 *
 * Only a java does so, and the program that JW_JVM_VARIABLE names: what it starts besides sees the files as they are.
 *
 * A script is started with it, too: each java that is started then, by whatever path, becomes a `jweave run` of the
 * same command before it has done anything (JW_LAUNCH_VARIABLE).
 *
 * Nothing here needs more than system
 * calls, and the library names no other that it needs: it is the same for glibc and musl, and works before either
 * is set up.
 */
#define _GNU_SOURCE /* O_PATH, O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/overlay.h"

#include "base/banned.h"

extern char **environ;

/* The header's own declarations of these differ between C libraries: so they have names of ours here. */
#define EXPORT(name) __asm__(name) __attribute__((visibility("default")))

static const struct jw_overlay_head none;           /* of no entries */
static const struct jw_overlay_head *_Atomic table; /* NULL: not looked for yet */

/* ---- the table ---- */

static char *variable(const char *name)
{
	size_t n = strlen(name);

	for (char **v = environ; v && *v; v++)
		if (strncmp(*v, name, n) == 0 && (*v)[n] == '=')
			return *v + n + 1;
	return NULL;
}

enum { PATH_SIZE = 4096 };

/* The file that this process runs, into PATH; its last part, whatever it is called by, from "java" on where it is
 * ".java-wrapped" (as Nix has it). NULL: unknown. */
static const char *own_name(char path[PATH_SIZE])
{
	long n = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, PATH_SIZE - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	return name + (*name == '.');
}

/* Is this process the launcher of a JVM, or a tool of the JDK's? */
static bool is_java(void)
{
	char path[PATH_SIZE];
	const char *name = own_name(path), *embedded = variable(JW_JVM_VARIABLE);

	return name && (strncmp(name, "java", strlen("java")) == 0 ||
			(embedded && strcmp(path, embedded) == 0));
}

/* What is wrong counts as none. */
static const struct jw_overlay_head *map(int fd)
{
	struct stat st;
	size_t count;

	if (syscall(SYS_fstat, fd, &st) != 0 || st.st_size <= 0 ||
	    st.st_size > JW_OVERLAY_BYTES_MAX)
		return &none;
	void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED || !jw_overlay_entries(bytes, (size_t)st.st_size, &count))
		return &none;
	return bytes;
}

static const struct jw_overlay_head *load(void)
{
	const char *path = variable(JW_OVERLAY_VARIABLE);
	int fd = path && is_java()
			 ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
			 : -1;

	if (fd < 0)
		return &none;
	const struct jw_overlay_head *found = map(fd);
	syscall(SYS_close, fd);
	return found;
}

/* It is there from the first file on that the process opens: threads that meet here map it once each. errno
 * stays. */
static const struct jw_overlay_head *the_table(void)
{
	const struct jw_overlay_head *t = atomic_load_explicit(&table, memory_order_acquire);

	if (!t) {
		int error = errno;

		t = load();
		atomic_store_explicit(&table, t, memory_order_release);
		errno = error;
	}
	return t;
}

static bool is_original(const struct jw_overlay_entry *e, uint64_t device, uint64_t inode,
			const struct jw_overlay_file *now)
{
	return e->device == device && e->inode == inode && e->original.size == now->size &&
	       e->original.changed_s == now->changed_s && e->original.changed_ns == now->changed_ns;
}

/* The first entry that has the name of PATH. (A link may be called otherwise: what it leads to is shown as it is.) */
static const struct jw_overlay_entry *named(const char *path)
{
	const struct jw_overlay_head *t = the_table();

	if (!t->count || !path)
		return NULL;
	const char *slash = strrchr(path, '/');
	return jw_overlay_find((const void *)(t + 1), t->count,
			       jw_overlay_hash(slash ? slash + 1 : path));
}

/* That of these, from FIRST on, which is of this file. */
static const struct jw_overlay_entry *find(const struct jw_overlay_entry *first, uint64_t device,
					   uint64_t inode, const struct jw_overlay_file *now)
{
	const struct jw_overlay_head *t = the_table();
	const struct jw_overlay_entry *end =
		(const struct jw_overlay_entry *)(const void *)(t + 1) + t->count;

	for (const struct jw_overlay_entry *e = first; e && e < end && e->hash == first->hash; e++)
		if (is_original(e, device, inode, now))
			return e;
	return NULL;
}

static const struct jw_overlay_entry *find_by_stat(const struct jw_overlay_entry *first,
						   const struct stat *st)
{
	const struct jw_overlay_file now = { (uint64_t)st->st_size, st->st_mtim.tv_sec,
					     st->st_mtim.tv_nsec };

	return find(first, st->st_dev, st->st_ino, &now);
}

/* ---- open ---- */

/* FD, of PATH, or a descriptor of the copy in its place. */
static int shown(int fd, const char *path, int flags)
{
	struct stat st;

	if (fd < 0 || (flags & O_ACCMODE) != O_RDONLY || (flags & (O_PATH | O_DIRECTORY)))
		return fd;
	const struct jw_overlay_entry *e = named(path);
	if (e)
		e = syscall(SYS_fstat, fd, &st) == 0 ? find_by_stat(e, &st) : NULL;
	if (!e)
		return fd;
	int error = errno;
	long copy = syscall(SYS_openat, AT_FDCWD, (const char *)the_table() + e->copy_path,
			    flags & ~(O_CREAT | O_NOFOLLOW), 0);
	if (copy < 0) { /* removed since: the original is there */
		errno = error;
		return fd;
	}
	syscall(SYS_close, fd);
	return (int)copy;
}

static int open_at(int folder, const char *path, int flags, unsigned mode)
{
	return shown((int)syscall(SYS_openat, folder, path, flags, mode), path, flags);
}

/* The third argument, which is there only when a file may be made. */
#define MODE(mode, flags)                                       \
	unsigned mode = 0;                                      \
	if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
		va_list more;                                   \
		va_start(more, flags);                          \
		(mode) = va_arg(more, unsigned);                \
		va_end(more);                                   \
	}

#define OPEN(function, name)                                         \
	int function(const char *path, int flags, ...) EXPORT(name); \
	int function(const char *path, int flags, ...)               \
	{                                                            \
		MODE(mode, flags)                                    \
		return open_at(AT_FDCWD, path, flags, mode);         \
	}
#define OPEN_AT(function, name)                                                  \
	int function(int folder, const char *path, int flags, ...) EXPORT(name); \
	int function(int folder, const char *path, int flags, ...)               \
	{                                                                        \
		MODE(mode, flags)                                                \
		return open_at(folder, path, flags, mode);                       \
	}

OPEN(overlay_open, "open")
OPEN(overlay_open64, "open64")
OPEN(overlay_open_2, "__open_2")
OPEN(overlay_open64_2, "__open64_2")
OPEN_AT(overlay_openat, "openat")
OPEN_AT(overlay_openat64, "openat64")
OPEN_AT(overlay_openat_2, "__openat_2")
OPEN_AT(overlay_openat64_2, "__openat64_2")

/* ---- stat ---- */

static int stat_at(int folder, const char *path, struct stat *out, int flags)
{
	int result = (int)syscall(SYS_newfstatat, folder, path, out, flags);

	if (result != 0 || !S_ISREG(out->st_mode))
		return result;
	const struct jw_overlay_entry *e = find_by_stat(named(path), out);
	if (e) {
		out->st_size = (off_t)e->copy.size;
		out->st_mtim = (struct timespec){ e->copy.changed_s, e->copy.changed_ns };
	}
	return result;
}

#define STAT(function, name, flags)                                    \
	int function(const char *path, struct stat *out) EXPORT(name); \
	int function(const char *path, struct stat *out)               \
	{                                                              \
		return stat_at(AT_FDCWD, path, out, flags);            \
	}
#define STAT_AT(function, name)                                                               \
	int function(int folder, const char *path, struct stat *out, int flags) EXPORT(name); \
	int function(int folder, const char *path, struct stat *out, int flags)               \
	{                                                                                     \
		return stat_at(folder, path, out, flags);                                     \
	}
/* Those of a glibc before 2.33, to which a JVM may have been linked: the first argument is the version of the
 * structure, of which there is one on a machine of 64 bits. */
#define XSTAT(function, name, flags)                                                \
	int function(int version, const char *path, struct stat *out) EXPORT(name); \
	int function(int version, const char *path, struct stat *out)               \
	{                                                                           \
		(void)version;                                                      \
		return stat_at(AT_FDCWD, path, out, flags);                         \
	}
#define XSTAT_AT(function, name)                                                             \
	int function(int version, int folder, const char *path, struct stat *out, int flags) \
		EXPORT(name);                                                                \
	int function(int version, int folder, const char *path, struct stat *out, int flags) \
	{                                                                                    \
		(void)version;                                                               \
		return stat_at(folder, path, out, flags);                                    \
	}

STAT(overlay_stat, "stat", 0)
STAT(overlay_stat64, "stat64", 0)
STAT(overlay_lstat, "lstat", AT_SYMLINK_NOFOLLOW)
STAT(overlay_lstat64, "lstat64", AT_SYMLINK_NOFOLLOW)
STAT_AT(overlay_fstatat, "fstatat")
STAT_AT(overlay_fstatat64, "fstatat64")
XSTAT(overlay_xstat, "__xstat", 0)
XSTAT(overlay_xstat64, "__xstat64", 0)
XSTAT(overlay_lxstat, "__lxstat", AT_SYMLINK_NOFOLLOW)
XSTAT(overlay_lxstat64, "__lxstat64", AT_SYMLINK_NOFOLLOW)
XSTAT_AT(overlay_fxstatat, "__fxstatat")
XSTAT_AT(overlay_fxstatat64, "__fxstatat64")

/* What of `struct statx` (statx(2)) is read and written here; not every C library declares it. */
struct statx_head {
	uint32_t mask, block_size;
	uint64_t attributes;
	uint32_t links, user, group;
	uint16_t mode, unused;
	uint64_t inode, size, blocks, attributes_mask;
	struct {
		int64_t s;
		uint32_t ns, unused;
	} accessed, made, altered, changed;
	uint32_t special_major, special_minor, device_major, device_minor;
};

int overlay_statx(int folder, const char *path, int flags, unsigned mask, struct statx_head *out)
	EXPORT("statx");
int overlay_statx(int folder, const char *path, int flags, unsigned mask, struct statx_head *out)
{
	enum {
		TYPE = 0x1,
		CHANGED = 0x40,
		INODE = 0x100,
		SIZE = 0x200,
		NEEDED = TYPE | CHANGED | INODE | SIZE
	};
	int result = (int)syscall(SYS_statx, folder, path, flags, mask, out);

	if (result != 0 || (out->mask & NEEDED) != NEEDED || !S_ISREG(out->mode))
		return result;
	const struct jw_overlay_file now = { out->size, out->changed.s, out->changed.ns };
	const struct jw_overlay_entry *e =
		find(named(path), makedev(out->device_major, out->device_minor), out->inode, &now);
	if (e) {
		out->size = e->copy.size;
		out->changed.s = e->copy.changed_s;
		out->changed.ns = (uint32_t)e->copy.changed_ns;
	}
	return result;
}

/* ---- a java that is started by a script of ours ---- */

/* More bytes than a command may have (execve(2)), unless its stack is unlimited. */
enum { COMMAND_MAX = 8 << 20 };

static void *pages(size_t n)
{
	void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* The words of this process's command into TEXT of COMMAND_MAX bytes, each with its zero byte; how many bytes, 0
 * where they are not known. (What a C library hands to a constructor, if anything, differs.) */
static size_t read_command(char *text)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	size_t n = 0;
	long got = 1;

	while (fd >= 0 && got > 0 && n < COMMAND_MAX) {
		got = syscall(SYS_read, fd, text + n, COMMAND_MAX - n);
		n += got > 0 ? (size_t)got : 0;
	}
	syscall(SYS_close, fd);
	return got == 0 && n > 0 && text[n - 1] == '\0' ? n : 0;
}

/* SCRIPT and PATH, then the words of TEXT, of N bytes, but the first. NULL: no memory. */
static const char **words_of(const char *script, const char *path, const char *text, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += text[i] == '\0';
	const char **words = pages((count + 2) * sizeof(*words)), **next = words;
	if (!words)
		return NULL;
	*next++ = script;
	*next++ = path;
	for (const char *word = text + strlen(text) + 1; word < text + n; word += strlen(word) + 1)
		*next++ = word;
	return words;
}

static bool is_launcher(const char *name)
{
	return strcmp(name, "java") == 0 || strcmp(name, "java-wrapped") == 0;
}

/* Does this java go on as what it is, by the digits at VALUE? If it is the next one, they become its own. */
static bool goes_on(char *value)
{
	char own[JW_LAUNCH_DIGITS];
	long rest = syscall(SYS_getpid);

	for (int i = JW_LAUNCH_DIGITS; i-- > 0; rest /= 10)
		own[i] = (char)('0' + rest % 10);
	if (strncmp(value, JW_LAUNCH_NEXT, JW_LAUNCH_DIGITS) == 0)
		memcpy(value, own, sizeof(own));
	return strncmp(value, own, sizeof(own)) == 0;
}

/* A java that cannot become the script goes on as what it is. */
__attribute__((constructor)) static void launch(void)
{
	char *value = variable(JW_LAUNCH_VARIABLE), path[PATH_SIZE];
	const char *name = value && strlen(value) > JW_LAUNCH_DIGITS ? own_name(path) : NULL;

	if (!name || !is_launcher(name) || goes_on(value))
		return;
	const char *script = value + JW_LAUNCH_DIGITS;
	char *text = pages(COMMAND_MAX);
	size_t n = text ? read_command(text) : 0;
	const char **words = n ? words_of(script, path, text, n) : NULL;
	if (words)
		syscall(SYS_execve, script, words, environ);
	if (text)
		munmap(text, COMMAND_MAX);
}
