#include "runtime-jni/recorder/sums_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime-jni/recorder/disk.h"
#include "trace/format/recording.h"

#include "base/banned.h"

/* The beginning of a piece that is free. */
struct spare {
	struct spare *next;
	uint64_t place;
};

#define SIZES 64

static struct {
	const char *path;
	int fd; /* -1: not open */
	uint64_t size, most;
	struct spare *spare[SIZES]; /* by log2 of their bytes */
} all = { .fd = -1 };

void rt_tables_open(const char *path, uint64_t file_bytes)
{
	all.path = path;
	all.most = file_bytes;
}

static bool is_open(void)
{
	if (all.fd < 0 && all.path)
		all.fd = open(all.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return all.fd >= 0;
}

/* BYTES more of the file; NULL: it cannot be. */
static void *map_file(uint64_t bytes, uint64_t *place)
{
	if (bytes > all.most || all.size > all.most - bytes || !is_open() ||
	    !rt_output_has_space(all.fd, bytes) ||
	    posix_fallocate(all.fd, (off_t)all.size, (off_t)bytes) != 0)
		return NULL;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, all.fd, (off_t)all.size);

	if (p == MAP_FAILED)
		return NULL;
	*place = JWR_IN_TABLES | jwr_place(all.size, 0);
	all.size += bytes;
	return p;
}

bool rt_tables_take(uint64_t bytes, struct rt_tables_piece *out, uint64_t *grew)
{
	struct spare **spare = &all.spare[__builtin_ctzll(bytes)], *found = *spare;

	*grew = 0;
	*out = (struct rt_tables_piece){ .bytes = bytes };
	if (found) {
		*spare = found->next;
		out->place = found->place;
		out->p = memset(found, 0, bytes);
		return true;
	}
	out->p = map_file(bytes, &out->place);
	if (!out->p)
		out->p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
	if (out->p == MAP_FAILED)
		return false;
	*grew = bytes;
	return true;
}

void rt_tables_give(struct rt_tables_piece *piece)
{
	if (!piece->p)
		return;
	struct spare **list = &all.spare[__builtin_ctzll(piece->bytes)], *one = piece->p;

	*one = (struct spare){ *list, piece->place };
	*list = one;
	*piece = (struct rt_tables_piece){ 0 };
}

void rt_tables_remove(void)
{
	if (all.fd >= 0)
		unlink(all.path);
}
