/* Whole files in, atomic files out. */
#define _GNU_SOURCE /* O_TMPFILE; NOLINT(bugprone-reserved-identifier) */
#include "base/file.h"
#include "base/guard.h"
#include "base/out_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "tests/tap.h"

#include "base/banned.h"

static char folder[64];
static struct jw_err e;

static const char *in_folder(const char *name)
{
	static char paths[4][400];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static void make_folder(void)
{
	snprintf(folder, sizeof(folder), "/tmp/jweave-file-XXXXXX");
	ok(mkdtemp(folder) != NULL);
	umask(022);
}

/* How many names are in the folder; removes them and it. */
static int remove_folder(void)
{
	DIR *dir = opendir(folder);
	int count = 0;

	for (struct dirent *d; dir && (d = readdir(dir));) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		count++;
		remove(in_folder(d->d_name));
	}
	closedir(dir);
	rmdir(folder);
	return count;
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	fputs(text, f);
	fclose(f);
}

static void file_is(const char *path, const char *text)
{
	struct jw_file file = { 0 };

	if (ok(jw_file_open(path, 0, &file, &e) == JW_OK))
		is_span(file.bytes, jw_span_str(text));
	jw_file_close(&file);
}

TEST(reads_files)
{
	struct jw_file file;

	make_folder();
	const char *path = in_folder("a");
	write_text(path, "hello");
	chmod(path, 0640);
	is_int(jw_file_open(path, 5, &file, &e), JW_OK);
	is_span(file.bytes, jw_span_str("hello"));
	ok(file.mapped);
	is_int(file.mode, 0640);
	jw_file_close(&file);
	jw_file_close(&file); /* twice does no harm */
	is_int(jw_file_open(path, 4, &file, &e), JW_LIMIT);
	ok(strstr(e.text, "/a: too large (limit is 4 bytes)") != NULL);
	write_text(path, "");
	is_int(jw_file_open(path, 0, &file, &e), JW_OK);
	is_int(file.bytes.n, 0);
	is_int(file.mode, 0640);
	jw_file_close(&file);
	is_int(remove_folder(), 1);
}

TEST(what_was_let_go_can_be_read_again)
{
	enum { PAGES = 40, PAGE = 4096 };
	static char text[PAGES * PAGE + 1];
	struct jw_file file, memory;

	make_folder();
	const char *path = in_folder("a");
	for (size_t i = 0; i < PAGES * PAGE; i++)
		text[i] = (char)('a' + i / PAGE % 26);
	write_text(path, text);
	is_int(jw_file_open(path, 0, &file, &e), JW_OK);
	jw_file_let_go(&file, 0, file.bytes.n);
	jw_file_let_go(&file, 1, 2); /* no whole page */
	jw_file_let_go(&file, PAGE, 0);
	jw_file_let_go(&file, 0, file.bytes.n + PAGE); /* not of the file */
	is_span(file.bytes, jw_span_str(text));
	jw_file_close(&file);
	is_int(jw_file_open("/proc/self/status", 0, &memory, &e), JW_OK);
	jw_file_let_go(&memory, 0, memory.bytes.n); /* bytes in memory stay */
	ok(memory.bytes.n > 100 && memory.bytes.p[0] != 0);
	jw_file_close(&memory);
	is_int(remove_folder(), 1);
}

TEST(says_what_cannot_be_read)
{
	struct jw_file file;

	is_int(jw_file_open("/nowhere/at/all", 0, &file, &e), JW_INPUT);
	is_str(e.text, "/nowhere/at/all: cannot open: No such file or directory");
	is_int(e.status, JW_INPUT);
	is_int(jw_file_open("/tmp", 0, &file, &e), JW_INPUT);
	is_str(e.text, "/tmp: is a directory, not a file");
	is_int(jw_file_open("/dev/zero", 1000, &file, &e), JW_INPUT);
	is_str(e.text, "/dev/zero: is a device, not a file");
}

TEST(waits_for_nothing_that_is_no_file)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct jw_file file;
	int fd = 7, end = socket(AF_UNIX, SOCK_STREAM, 0);

	make_folder();
	const char *path = in_folder("pipe");
	is_int(mkfifo(path, 0600), 0);
	is_int(jw_file_open(path, 0, &file, &e), JW_INPUT);
	ok(strstr(e.text, "/pipe: is a pipe, not a file (only '-' reads a pipe)") != NULL);
	is_int(jw_file_fd(path, &fd, &e), JW_INPUT);
	is_int(errno, ENXIO);
	unlink(path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	is_int(bind(end, (const void *)&address, sizeof(address)), 0);
	is_int(jw_file_fd(path, &fd, &e), JW_INPUT);
	is_str(e.text, "is a socket, not a file");
	unlink(path);
	is_int(jw_file_fd(path, &fd, &e), JW_INPUT);
	is_int(errno, ENOENT);
	is_int(jw_file_fd("/tmp", &fd, &e), JW_INPUT);
	is_int(errno, EISDIR);
	is_int(fd, 7);
	close(end);
	write_text(path, "text");
	is_int(jw_file_fd(path, &fd, &e), JW_OK);
	ok(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	unlink(path);
	is_int(remove_folder(), 0);
}

TEST(reads_files_without_a_length)
{
	struct jw_file file;

	is_int(jw_file_open("/proc/self/status", 0, &file, &e), JW_OK);
	ok(file.bytes.n > 100 && !file.mapped);
	jw_file_close(&file);
}

TEST(reads_standard_input)
{
	struct jw_file file;
	int pipes[2], old = dup(0);

	ok(pipe(pipes) == 0);
	ok(write(pipes[1], "piped", 5) == 5);
	close(pipes[1]);
	dup2(pipes[0], 0);
	is_int(jw_file_open("-", 0, &file, &e), JW_OK);
	is_span(file.bytes, jw_span_str("piped"));
	jw_file_close(&file);
	dup2(old, 0);
	close(old);
	close(pipes[0]);
}

TEST(an_output_appears_at_commit)
{
	struct jw_out out;
	struct stat st;

	make_folder();
	const char *path = in_folder("out");
	write_text(path, "before");
	is_int(jw_out_open(path, 0755, &out, &e), JW_OK);
	is_int(jw_out_write(&out, jw_span_str("_ello"), &e), JW_OK);
	is_int(jw_out_patch(&out, 0, jw_span_str("h"), &e), JW_OK);
	is_int(jw_out_patch(&out, 5, jw_span_str("h"), &e), JW_BUG);
	is_int(out.n, 5);
	file_is(path, "before");
	is_int(jw_out_commit(&out, &e), JW_OK);
	file_is(path, "hello");
	jw_out_abort(&out); /* after commit: nothing */
	file_is(path, "hello");
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0755);
	is_int(jw_out_write(&out, jw_span_str("x"), &e), JW_BUG);
	is_int(jw_out_commit(&out, &e), JW_BUG);
	is_int(remove_folder(), 1);
}

TEST(bytes_can_be_inserted)
{
	enum { N = 600 * 1024, AT = 1000, MORE = 300 * 1024 };
	struct jw_out out;
	struct jw_file file;
	char *text = malloc(N);
	bool same = true;

	make_folder();
	for (size_t i = 0; i < N; i++)
		text[i] = (char)(i * 7 + i / 253);
	is_int(jw_out_open(in_folder("out"), 0644, &out, &e), JW_OK);
	is_int(jw_out_insert(&out, 1, 1, &e), JW_BUG);
	is_int(jw_out_write(&out, jw_span(text, N), &e), JW_OK);
	is_int(jw_out_insert(&out, AT, MORE, &e), JW_OK);
	is_int(out.n, N + MORE);
	is_int(jw_out_write(&out, jw_span_str("end"), &e), JW_OK);
	is_int(jw_out_insert(&out, out.n, 1, &e), JW_OK);
	is_int(jw_out_commit(&out, &e), JW_OK);
	is_int(jw_file_open(in_folder("out"), 0, &file, &e), JW_OK);
	is_int(file.bytes.n, N + MORE + 4);
	for (size_t i = 0; i < N + MORE && same; i++) {
		bool moved = i >= AT + MORE, is_new = i >= AT && !moved;

		same = file.bytes.p[i] == (is_new ? 0 : (uint8_t)text[moved ? i - MORE : i]);
	}
	ok(same);
	is_span(jw_span_sub(file.bytes, N + MORE, file.bytes.n), jw_span("end", 4));
	jw_file_close(&file);
	is_int(jw_out_insert(&out, 0, 1, &e), JW_BUG);
	free(text);
	is_int(remove_folder(), 1);
}

TEST(the_umask_applies)
{
	struct jw_out out;
	struct stat st;

	make_folder();
	umask(077);
	is_int(jw_out_open(in_folder("m"), 0644, &out, &e), JW_OK);
	is_int(jw_out_commit(&out, &e), JW_OK);
	ok(stat(in_folder("m"), &st) == 0 && (st.st_mode & 0777) == 0600);
	umask(022);
	is_int(remove_folder(), 1);
}

TEST(an_abort_leaves_what_was)
{
	struct jw_out out, none = { .fd = -1 };

	make_folder();
	write_text(in_folder("out"), "before");
	is_int(jw_out_open(in_folder("out"), 0644, &out, &e), JW_OK);
	is_int(jw_out_write(&out, jw_span_str("after"), &e), JW_OK);
	jw_out_abort(&out);
	file_is(in_folder("out"), "before");
	jw_out_abort(&none);
	is_int(remove_folder(), 1);
}

/* Around the size at which writes are gathered. */
TEST(large_and_small_writes_keep_their_order)
{
	struct jw_buf want = { 0 };
	struct jw_file file;
	struct jw_out out;

	make_folder();
	is_int(jw_out_open(in_folder("big"), 0644, &out, &e), JW_OK);
	for (size_t i = 0; i < 40; i++) {
		size_t start = want.n, n = i % 3 ? tap_below(1000) : 256 * 1024 - 20 + i;

		for (size_t k = 0; k < n; k++)
			jw_put_u1(&want, (uint8_t)tap_random());
		is_int(jw_out_write(&out, jw_span_sub(jw_buf_span(&want), start, n), &e), JW_OK);
	}
	is_int(out.n, want.n);
	is_int(jw_out_commit(&out, &e), JW_OK);
	is_int(jw_file_open(in_folder("big"), 0, &file, &e), JW_OK);
	ok(jw_span_eq(file.bytes, jw_buf_span(&want)));
	jw_file_close(&file);
	jw_buf_free(&want);
	is_int(remove_folder(), 1);
}

/* So much that pages of its beginning are given back: nothing of it is lost. */
TEST(a_large_output_is_whole)
{
	static const uint64_t words = (uint64_t)90 << 17;
	struct jw_file file;
	struct jw_out out;
	static uint64_t part[100003];
	uint64_t at = 0, wrong = 0;

	make_folder();
	is_int(jw_out_open(in_folder("large"), 0644, &out, &e), JW_OK);
	while (at < words) {
		size_t n = 0;

		for (; n < sizeof(part) / sizeof(*part) && at < words; n++)
			part[n] = at++;
		if (jw_out_write(&out, jw_span(part, n * sizeof(*part)), &e) != JW_OK)
			break;
	}
	is_int(out.n, words * sizeof(*part));
	is_int(jw_out_commit(&out, &e), JW_OK);
	is_int(jw_file_open(in_folder("large"), 0, &file, &e), JW_OK);
	is_int(file.bytes.n, words * sizeof(*part));
	for (at = 0; at < file.bytes.n / sizeof(*part); at++) {
		uint64_t word;

		memcpy(&word, file.bytes.p + at * sizeof(word), sizeof(word));
		wrong += word != at;
	}
	is_int(wrong, 0);
	jw_file_close(&file);
	is_int(remove_folder(), 1);
}

TEST(a_link_keeps_pointing)
{
	struct jw_out out;
	struct stat st;

	make_folder();
	write_text(in_folder("real"), "old");
	ok(symlink("real", in_folder("link")) == 0);
	is_int(jw_out_open(in_folder("link"), 0644, &out, &e), JW_OK);
	is_int(jw_out_write(&out, jw_span_str("new"), &e), JW_OK);
	is_int(jw_out_commit(&out, &e), JW_OK);
	ok(lstat(in_folder("link"), &st) == 0 && S_ISLNK(st.st_mode));
	file_is(in_folder("real"), "new");
	is_int(remove_folder(), 2);
}

TEST(pipes_and_devices_are_written_to)
{
	struct jw_out out;
	char got[16] = { 0 };
	struct stat st;

	is_int(jw_out_open("/dev/null", 0644, &out, &e), JW_OK);
	is_int(jw_out_write(&out, jw_span_str("x"), &e), JW_OK);
	is_int(jw_out_commit(&out, &e), JW_OK);
	ok(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	is_int(jw_out_open("/dev/full", 0644, &out, &e), JW_OK);
	is_int(jw_out_write(&out, jw_span_str("x"), &e), JW_OK);
	is_int(jw_out_commit(&out, &e), JW_IO);
	ok(strstr(e.text, "No space left") != NULL);

	int pipes[2], old = dup(1);
	fflush(stdout);
	ok(pipe(pipes) == 0);
	dup2(pipes[1], 1);
	enum jw_status status = jw_out_open("-", 0644, &out, &e);
	if (status == JW_OK)
		status = jw_out_write(&out, jw_span_str("to stdout"), &e);
	if (status == JW_OK)
		status = jw_out_commit(&out, &e);
	dup2(old, 1);
	close(old);
	close(pipes[1]);
	is_int(status, JW_OK);
	ok(read(pipes[0], got, sizeof(got) - 1) == 9);
	is_str(got, "to stdout");
	close(pipes[0]);
}

TEST(says_where_nothing_can_be_written)
{
	struct jw_out out;

	is_int(jw_out_open("/nowhere/out", 0644, &out, &e), JW_IO);
	is_str(e.text, "/nowhere/out: cannot create a file there: No such file or directory");
	is_int(jw_out_open("/tmp", 0644, &out, &e), JW_IO);
	is_str(e.text, "/tmp: is a directory, not a file");
	is_int(jw_out_open("", 0644, &out, &e), JW_IO);
}

TEST(a_signal_leaves_no_temporary_name)
{
	make_folder();
	pid_t child = fork();
	if (child == 0) {
		struct jw_out outs[3], gone;

		for (size_t i = 0; i < 3; i++)
			if (jw_out_open(in_folder("s"), 0644, &outs[i], &e) != JW_OK)
				_exit(1);
		if (jw_out_open(in_folder("gone"), 0644, &gone, &e) != JW_OK)
			_exit(1);
		jw_out_abort(&gone);
		jw_guard_cleanup();
		_exit(0);
	}
	int status = 1;
	waitpid(child, &status, 0);
	is_int(status, 0);
	is_int(remove_folder(), 0);
}

/* Where files can be without a name. */
TEST(a_killed_process_leaves_nothing)
{
	make_folder();
	int fd = open(in_folder("."), O_TMPFILE | O_RDWR, 0600);
	pid_t child = fork();
	if (child == 0) {
		struct jw_out out;

		if (jw_out_open(in_folder("k"), 0644, &out, &e) == JW_OK &&
		    jw_out_write(&out, jw_span_str("half"), &e) == JW_OK)
			raise(SIGKILL);
		_exit(1);
	}
	int status = 1;
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	is_int(remove_folder(), fd < 0 ? 1 : 0);
	if (fd >= 0)
		close(fd);
}

/* A folder's tree of odd things, with names enough for several reads of a folder. */
static bool make_tree(const char *root)
{
	char name[256];
	int fd = -1;

	if (mkdir(root, 0700) != 0)
		return false;
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "%s/%s-%d", root, i % 3 ? "file" : "folder", i);
		if (i % 3 == 0 && mkdir(name, 0700) != 0)
			return false;
		if (i % 3 == 0)
			snprintf(name, sizeof(name), "%s/folder-%d/file", root, i);
		fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0 || close(fd) != 0)
			return false;
	}
	snprintf(name, sizeof(name), "%s/folder-3", root);
	if (chmod(name, 0500) != 0)
		return false;
	snprintf(name, sizeof(name), "%s/folder-6/link", root);
	return symlink("../../other", name) == 0 && mkdir(in_folder("other"), 0700) == 0;
}

TEST(a_signal_leaves_no_folder)
{
	make_folder();
	char tree[200];
	snprintf(tree, sizeof(tree), "%s", in_folder("tree"));
	ok(make_tree(tree));
	jw_guard_add(tree);
	jw_guard_add(in_folder("never was"));
	jw_guard_cleanup();
	ok(access(tree, F_OK) != 0);
	/* what a link points at stays; and so does what is guarded no more */
	is_int(access(in_folder("other"), F_OK), 0);
	jw_guard_add(in_folder("other"));
	jw_guard_drop(in_folder("other"));
	jw_guard_drop(in_folder("never was"));
	jw_guard_drop(tree);
	jw_guard_cleanup();
	is_int(rmdir(in_folder("other")), 0);
	is_int(remove_folder(), 0);
}

TEST(names_of_any_length)
{
	char name[256];
	struct jw_out out;

	make_folder();
	memset(name, 'n', 255);
	name[255] = 0;
	char path[400];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	is_int(jw_out_open(path, 0644, &out, &e), JW_OK);
	is_int(jw_out_commit(&out, &e), JW_OK);
	ok(unlink(path) == 0);
	is_int(remove_folder(), 0);
}

TEST(knows_the_same_file_by_two_names)
{
	make_folder();
	write_text(in_folder("a"), "x");
	write_text(in_folder("b"), "x");
	ok(link(in_folder("a"), in_folder("c")) == 0);
	ok(jw_same_file(in_folder("a"), in_folder("c")));
	ok(!jw_same_file(in_folder("a"), in_folder("b")));
	ok(!jw_same_file(in_folder("a"), in_folder("none")));
	is_int(remove_folder(), 3);
}

TEST(folders_are_made_with_those_around_them)
{
	char deep[5000];
	bool made = false;
	struct stat st;

	make_folder();
	ok(jw_make_folders(in_folder("a/b//c/"), 0700, NULL));
	ok(stat(in_folder("a/b/c"), &st) == 0 && S_ISDIR(st.st_mode));
	is_int(st.st_mode & 0777, 0700);
	ok(jw_make_folders(in_folder("a/b/d"), 0750, &made) && made);
	ok(jw_make_folders(in_folder("a/b/d"), 0750, &made) && !made);
	write_text(in_folder("a/file"), "x");
	ok(!jw_make_folders(in_folder("a/file/b"), 0700, &made) && errno == ENOTDIR);
	ok(!jw_make_folders(in_folder("a/file"), 0700, &made) && errno == ENOTDIR);
	for (size_t i = 0; i < sizeof(deep); i++)
		deep[i] = "/x"[i % 2];
	deep[sizeof(deep) - 1] = '\0';
	ok(!jw_make_folders(deep, 0700, &made) && errno == ENAMETOOLONG);
	jw_remove_all(folder);
}

TEST(every_allocation_of_an_output_may_fail)
{
	make_folder();
	for (long n = 0; n < 20; n++) {
		struct jw_out out = { .fd = -1 };

		jw_mem_fail_after(n);
		enum jw_status status = jw_out_open(in_folder("o"), 0644, &out, &e);
		if (status == JW_OK)
			status = jw_out_write(&out, jw_span_str("x"), &e);
		if (status == JW_OK)
			status = jw_out_commit(&out, &e);
		bool failed = jw_mem_fail_after(-1);
		jw_out_abort(&out);
		is_int(status, failed ? JW_NOMEM : JW_OK);
		if (!failed)
			break;
		ok(access(in_folder("o"), F_OK) != 0);
	}
	is_int(remove_folder(), 1);
}

TEST(an_output_needs_a_name)
{
	struct jw_out out = { .fd = -1 };

	is_int(jw_out_open("", 0644, &out, &e), JW_IO);
	is_str(e.text, "the name of the output is empty");
}

TEST(the_limit_of_open_files_rises_to_what_is_wanted_as_far_as_it_may)
{
	struct rlimit before, now;

	getrlimit(RLIMIT_NOFILE, &before);
	const struct rlimit low = { 40, before.rlim_max };

	setrlimit(RLIMIT_NOFILE, &low);
	is_int(jw_files_at_once(30), 40);
	is_int(jw_files_at_once(41), 41);
	getrlimit(RLIMIT_NOFILE, &now);
	is_int(now.rlim_cur, 41);
	is_int(now.rlim_max, before.rlim_max);
	ok(jw_files_at_once(SIZE_MAX) >= before.rlim_cur);
	setrlimit(RLIMIT_NOFILE, &before);
}
