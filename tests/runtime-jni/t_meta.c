/* The file of names and notes, and threads that write to it when it is closed. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime-jni/recorder/meta.h"
#include "tests/tap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

#define WRITERS 4
#define ROUNDS  100

static _Atomic bool stop;

static void *write_lines(void *unused)
{
	(void)unused;
	while (!atomic_load(&stop))
		rt_meta_item("note", "a line that is for the recording alone");
	return NULL;
}

static void wait_a_little(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
}

/* How many bytes threads that are late have written to the file that is opened when meta is closed,
 * in many tries. */
static long strays(int folder)
{
	long bytes = 0;

	for (int i = 0; i < ROUNDS; i++) {
		if (!rt_meta_open(folder, JWR_VERSION))
			return -1;
		wait_a_little();
		rt_meta_close();
		int other = openat(folder, "other", O_RDWR | O_CREAT | O_EXCL, 0600);
		struct stat st = { .st_size = -1 };

		wait_a_little();
		if (other >= 0 && fstat(other, &st) == 0)
			bytes += st.st_size;
		close(other);
		unlinkat(folder, "other", 0);
		unlinkat(folder, "meta", 0);
	}
	return bytes;
}

TEST(no_line_goes_to_another_file)
{
	char path[] = "/tmp/jw-meta-XXXXXX";
	pthread_t threads[WRITERS];
	int folder = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY) : -1;

	if (!ok(folder >= 0))
		return;
	for (int i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, write_lines, NULL);
	is_int(strays(folder), 0);
	atomic_store(&stop, true);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	close(folder);
	rmdir(path);
}
