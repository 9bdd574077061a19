/*
 * glibc.c: stat, lstat and fstat by the kernel: before 2.33 glibc had no such symbols. On 64-bit
 * machines its struct stat is the kernel's. Not for other C libraries.
 */
#include "runtime-jni/jvm/glibc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/banned.h"

#if defined(__GLIBC__) && defined(RT_GLIBC_FIRST)
#if __GLIBC_PREREQ(2, 33)
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): of the C library */
int stat(const char *path, struct stat *out)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, 0);
}

int lstat(const char *path, struct stat *out)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *out)
{
	return (int)syscall(SYS_fstat, fd, out);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
#endif
#endif
