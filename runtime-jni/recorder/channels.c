/*
 * channels.c: see channels.h.
 */
#include "runtime-jni/recorder/channels.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/overlay.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

#define MOST_CHANNELS 262144 /* a line of meta for each */
#define MOST_FILES    65536  /* a power of two; told apart by their paths */
#define FILE_PLACES   ((size_t)MOST_FILES * 2)

struct rt_channel *_Atomic rt_channel_blocks[RT_CHANNEL_BLOCKS];

static struct {
	pthread_mutex_t lock;
	enum rt_channels sockets, files;
	uint32_t count; /* numbers that were given */
	bool told_namespace;
	struct { /* numbers of paths, by their hash; owned array, NULL: no file so far */
		uint64_t hash;
		uint32_t number;
	} * paths;
	uint32_t path_count;
	char own[2]
		[4096]; /* paths of files that each class of the runtime reads when it begins; or "" */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The first place for a channel from AT on. */
static struct rt_channel *aligned(char *at)
{
	size_t over = (uintptr_t)at % sizeof(struct rt_channel);

	return (struct rt_channel *)(void *)(over ? at + sizeof(struct rt_channel) - over : at);
}

struct rt_channel *rt_channel_add(int fd)
{
	size_t block = (size_t)fd / RT_CHANNELS_IN_BLOCK;
	/* one more, since memory is not aligned for it; it stays until the process ends */
	char *memory = jw_mem_zalloc(RT_CHANNELS_IN_BLOCK + 1, sizeof(struct rt_channel));
	struct rt_channel *none = NULL, *fresh = memory ? aligned(memory) : NULL;

	if (fresh && !atomic_compare_exchange_strong(&rt_channel_blocks[block], &none, fresh)) {
		jw_mem_free(memory); /* another thread was faster */
		fresh = none;
	}
	return fresh ? &fresh[fd % RT_CHANNELS_IN_BLOCK] : NULL;
}

void rt_channels_want(enum rt_channels sockets, enum rt_channels files)
{
	const char *of[] = { "/proc/self/environ", getenv(JW_OVERLAY_VARIABLE) };

	all.sockets = sockets;
	all.files = files;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (!of[i] || !realpath(of[i], all.own[i]))
			all.own[i][0] = '\0';
}

static uint32_t next_number(void)
{
	if (all.count == MOST_CHANNELS)
		return 0;
	if (++all.count == MOST_CHANNELS)
		rt_note("more connections and files were used than are told apart (262144)");
	return all.count;
}

/* ---- what the kernel counts ---- */

/* The begin of the kernel's struct tcp_info (linux/tcp.h); not every libc has so much of it. */
struct tcp_counts {
	uint8_t state, others[7];
	uint32_t more[24];
	uint64_t pacing[2], acked, received;
	uint32_t segments[2], unsent, rtt, data_segments[2];
	uint64_t rates[4];
	uint32_t delivered[2];
	uint64_t sent, retransmitted;
};

#define TCP_OPTION_INFO 11

/* Its states. */
enum { FIN_WAIT1 = 4, FIN_WAIT2, TIME_WAIT, CLOSE, CLOSE_WAIT, LAST_ACK, CLOSING = 11 };

static bool is_one_of(unsigned state, unsigned states)
{
	return state < 32 && (states & 1U << state);
}

static bool ask_counts(int fd, struct tcp_counts *t)
{
	socklen_t n = sizeof(*t);

	*t = (struct tcp_counts){ 0 };
	return getsockopt(fd, IPPROTO_TCP, TCP_OPTION_INFO, t, &n) == 0 && n >= sizeof(*t);
}

/* What the program has moved on FD, the kernel says; MORE: or one byte less. A FIN counts as a byte: the
 * peer's as one that was received; our own, which shutdown() puts after what was written, as one that
 * is not sent yet, as long as that is so. In state CLOSE nobody knows. */
static bool kernel_counts(int fd, uint64_t moved[RT_CHANNEL_WAYS], bool more[RT_CHANNEL_WAYS])
{
	const unsigned shut = 1U << FIN_WAIT1 | 1U << LAST_ACK | 1U << CLOSING;
	const unsigned ended = 1U << TIME_WAIT | 1U << CLOSE_WAIT | 1U << LAST_ACK | 1U << CLOSING;
	struct tcp_counts t;
	int waiting = 0;

	if (!ask_counts(fd, &t) || ioctl(fd, FIONREAD, &waiting) != 0)
		return false;
	uint64_t unread = (uint64_t)waiting + is_one_of(t.state, ended);
	uint64_t fin = t.unsent && is_one_of(t.state, shut);

	moved[RT_WRITTEN] = t.sent - t.retransmitted + t.unsent - fin;
	moved[RT_READ] = t.received > unread ? t.received - unread : 0;
	more[RT_WRITTEN] = t.unsent && t.state == CLOSE;
	more[RT_READ] = t.state == CLOSE;
	return true;
}

/* The same of what was written, by what the peer has confirmed and what waits for that: where the
 * machine itself drops packets (a queue that is full), they count as sent each time. A FIN counts as a
 * byte, and so does the SYN of the end that connects. */
static bool confirmed_counts(const struct rt_channel *c, int fd, uint64_t *written, bool *more)
{
	const unsigned shut = 1U << FIN_WAIT1 | 1U << FIN_WAIT2 | 1U << TIME_WAIT | 1U << LAST_ACK |
			      1U << CLOSING;
	uint8_t made = atomic_load(&c->made);
	struct tcp_counts t, then;
	int waiting = 0;

	if (made != 1 + RT_CHANNEL_CONNECT && made != 1 + RT_CHANNEL_ACCEPT)
		return false;
	for (int tries = 0; tries < 4; tries++) {
		if (!ask_counts(fd, &t) || ioctl(fd, TIOCOUTQ, &waiting) != 0 ||
		    !ask_counts(fd, &then))
			return false;
		if (t.acked != then.acked || t.state != then.state)
			continue;
		*written = t.acked + (uint64_t)waiting - is_one_of(t.state, shut) -
			   (made == 1 + RT_CHANNEL_CONNECT);
		*more = t.state == CLOSE;
		return true;
	}
	return false;
}

/* Where a connection is that was there before: what arrives between two questions is read as if it
 * had been read. */
static bool steady_counts(int fd, uint64_t moved[RT_CHANNEL_WAYS])
{
	uint64_t again[RT_CHANNEL_WAYS];
	bool more[RT_CHANNEL_WAYS];

	for (int tries = 0; tries < 4; tries++)
		if (!kernel_counts(fd, moved, more) || !kernel_counts(fd, again, more))
			return false;
		else if (moved[RT_READ] == again[RT_READ])
			return true;
	return true;
}

/* ---- lines of meta ---- */

static void tell_namespace(void)
{
	struct stat st;
	struct jw_buf line = { 0 };

	if (all.told_namespace || stat("/proc/self/ns/net", &st) != 0)
		return;
	all.told_namespace = true;
	rt_meta_begin(&line, "net-namespace");
	rt_meta_number(&line, (uint64_t)st.st_ino);
	rt_meta_end(&line);
}

/* An end of a connection, as text: "" there is none. */
struct end {
	char address[sizeof(((struct sockaddr_un *)0)->sun_path) + 1];
	uint16_t port;
};

static void read_v6(const struct sockaddr_in6 *a, struct end *out)
{
	if (IN6_IS_ADDR_V4MAPPED(&a->sin6_addr))
		inet_ntop(AF_INET, &a->sin6_addr.s6_addr[12], out->address, sizeof(out->address));
	else
		inet_ntop(AF_INET6, &a->sin6_addr, out->address, sizeof(out->address));
	out->port = ntohs(a->sin6_port);
}

static void read_end(const void *address, socklen_t n, struct end *out)
{
	const struct sockaddr *any = address;
	const struct sockaddr_in *v4 = address;
	const struct sockaddr_un *un = address;

	*out = (struct end){ 0 };
	if (n >= sizeof(*v4) && any->sa_family == AF_INET) {
		inet_ntop(AF_INET, &v4->sin_addr, out->address, sizeof(out->address));
		out->port = ntohs(v4->sin_port);
	} else if (n >= sizeof(struct sockaddr_in6) && any->sa_family == AF_INET6) {
		read_v6(address, out);
	} else if (n > offsetof(struct sockaddr_un, sun_path) && any->sa_family == AF_UNIX) {
		memcpy(out->address, un->sun_path, n - offsetof(struct sockaddr_un, sun_path));
	}
}

static int option(int fd, int name)
{
	int value = 0;
	socklen_t n = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &n) == 0 ? value : -1;
}

static const char *family_of(int fd)
{
	int domain = option(fd, SO_DOMAIN), type = option(fd, SO_TYPE);

	if (domain == AF_UNIX)
		return "unix";
	if (domain != AF_INET && domain != AF_INET6)
		return "other";
	return type == SOCK_STREAM ? "tcp" : type == SOCK_DGRAM ? "udp" : "other";
}

static const char *const roles[] = { "connect", "accept", "late" };

/* What it is: a stream if its bytes are counted. */
static enum rt_channel_kind tell_socket(struct rt_channel *c, int fd, enum rt_channel_role role,
					uint64_t inode)
{
	union {
		struct sockaddr_un un;
		struct sockaddr_in6 v6;
	} local = { .un = { 0 } }, peer = { .un = { 0 } };
	socklen_t local_n = sizeof(local), peer_n = sizeof(peer);
	struct end ends[2];
	struct jw_buf line = { 0 };
	const char *family = family_of(fd);
	bool listens = option(fd, SO_ACCEPTCONN) > 0, tcp = strcmp(family, "tcp") == 0;
	bool named = all.sockets == RT_CHANNELS_NAMED;
	uint64_t moved[RT_CHANNEL_WAYS] = { 0 };

	if (getsockname(fd, (struct sockaddr *)&local, &local_n) != 0)
		local_n = 0;
	if (getpeername(fd, (struct sockaddr *)&peer, &peer_n) != 0)
		peer_n = 0;
	read_end(&local, local_n, &ends[0]);
	read_end(&peer, peer_n, &ends[1]);

	atomic_store(&c->made, (uint8_t)(role + 1));
	bool counts =
		!named && tcp && !listens && (role != RT_CHANNEL_LATE || steady_counts(fd, moved));

	for (int i = 0; i < RT_CHANNEL_WAYS; i++) {
		atomic_store(&c->moved[i], moved[i]);
		atomic_store(&c->told[i], moved[i]);
	}
	tell_namespace();
	rt_meta_begin(&line, "connection");
	rt_meta_number(&line, atomic_load(&c->number));
	rt_meta_number(&line, trace_tick_now(rt_recorder_clock()));
	rt_meta_text(&line, listens ? "listen" : roles[role]);
	rt_meta_text(&line, family);
	for (int i = 0; i < 2; i++) {
		rt_meta_text(&line, ends[i].address);
		rt_meta_number(&line, ends[i].port);
	}
	rt_meta_number(&line, inode);
	rt_meta_number(&line, moved[RT_WRITTEN]);
	rt_meta_number(&line, moved[RT_READ]);
	if (named)
		rt_meta_text(&line, "named");
	rt_meta_end(&line);
	if (named)
		return RT_CHANNEL_NAMED;
	return counts ? RT_CHANNEL_STREAM : RT_CHANNEL_SOCKET;
}

static void tell_end(const struct rt_channel *c, const char *how)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "connection-end");
	rt_meta_number(&line, atomic_load(&c->number));
	rt_meta_number(&line, trace_tick_now(rt_recorder_clock()));
	rt_meta_number(&line, atomic_load(&c->moved[RT_WRITTEN]));
	rt_meta_number(&line, atomic_load(&c->moved[RT_READ]));
	rt_meta_text(&line, how);
	rt_meta_end(&line);
}

static void tell_file(uint32_t number, const char *path)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "file");
	rt_meta_number(&line, number);
	rt_meta_text(&line, path);
	if (all.files == RT_CHANNELS_NAMED)
		rt_meta_text(&line, "named");
	rt_meta_end(&line);
}

/* ---- files ---- */

/* The number of PATH, which is told when it is new; 0: there are too many. */
static uint32_t number_of_path(const char *path)
{
	uint64_t hash = jw_hash64(jw_span_str(path), 0) | 1;

	if (!all.paths)
		all.paths = jw_mem_zalloc(FILE_PLACES, sizeof(*all.paths));
	if (!all.paths)
		return 0;
	size_t at = (size_t)(hash >> 20) % FILE_PLACES;

	while (all.paths[at].hash && all.paths[at].hash != hash)
		at = (at + 1) % FILE_PLACES;
	if (all.paths[at].hash)
		return all.paths[at].number;
	uint32_t number = all.path_count < MOST_FILES ? next_number() : 0;

	if (!number)
		return 0;
	all.path_count++;
	all.paths[at].hash = hash;
	all.paths[at].number = number;
	tell_file(number, path);
	return number;
}

/* PATH, which FD is. Where waits alone are told, pipes are one for all: "pipe:[4711]" is another one in each run,
 * and for each child. */
static const char *name_of_file(int fd, char *path)
{
	if (path[0] == '/' || all.files != RT_CHANNELS_NAMED)
		return path;
	if (fd == STDIN_FILENO)
		return "standard input";
	path[strcspn(path, ":")] = '\0';
	return path;
}

static bool is_own(const char *path)
{
	return !strcmp(path, all.own[0]) || !strcmp(path, all.own[1]);
}

/* Gives C, which is FD, its number, if it has one; what it is: KIND, or the runtime's own. */
static enum rt_channel_kind number_file(struct rt_channel *c, int fd, enum rt_channel_kind kind)
{
	char link[32], path[4096];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);

	if (n <= 0)
		return kind;
	path[n] = '\0';
	if (is_own(path))
		return RT_CHANNEL_OWN;
	atomic_store(&c->number, number_of_path(name_of_file(fd, path)));
	return kind;
}

/* ---- what descriptors are ---- */

static enum rt_channel_kind look_at(struct rt_channel *c, int fd, enum rt_channel_role role)
{
	struct stat st;
	bool failed = fstat(fd, &st) != 0, socket = !failed && S_ISSOCK(st.st_mode);

	if (failed || !(socket ? all.sockets : all.files))
		return RT_CHANNEL_UNTOLD;
	if (!socket && all.files == RT_CHANNELS_NAMED)
		return RT_CHANNEL_NAMED; /* most are never waited for */
	if (!socket)
		return number_file(c, fd, RT_CHANNEL_FILE);
	if (!atomic_load(&c->number)) {
		uint32_t number = next_number();

		if (!number)
			return all.sockets == RT_CHANNELS_NAMED ? RT_CHANNEL_UNTOLD
								: RT_CHANNEL_SOCKET;
		atomic_store(&c->number, number);
	}
	return tell_socket(c, fd, role, (uint64_t)st.st_ino);
}

/* How C was made, as far as is known. A number without more: it was being connected. */
static enum rt_channel_role role_of(const struct rt_channel *c)
{
	uint8_t made = atomic_load(&c->made);

	if (made)
		return (enum rt_channel_role)(made - 1);
	return atomic_load(&c->number) ? RT_CHANNEL_CONNECT : RT_CHANNEL_LATE;
}

enum rt_channel_kind rt_channel_meet(struct rt_channel *c, int fd)
{
	int saved = errno;

	pthread_mutex_lock(&all.lock);
	enum rt_channel_kind kind = atomic_load(&c->kind);

	if (kind == RT_CHANNEL_NEW && rt_recording()) {
		kind = look_at(c, fd, role_of(c));
		atomic_store_explicit(&c->kind, (uint8_t)kind, memory_order_release);
	}
	pthread_mutex_unlock(&all.lock);
	errno = saved;
	return kind;
}

/* C, which is FD, has a name, but no number: it is a file that a thread waits for, for the first time. */
static void number_late(struct rt_channel *c, int fd)
{
	int saved = errno;

	pthread_mutex_lock(&all.lock);
	if (atomic_load(&c->kind) == RT_CHANNEL_NAMED && !atomic_load(&c->number) && rt_recording())
		atomic_store(&c->kind, (uint8_t)number_file(c, fd, RT_CHANNEL_NAMED));
	pthread_mutex_unlock(&all.lock);
	errno = saved;
}

bool rt_channel_is_own(int fd)
{
	const struct rt_channel *c = rt_channel_of(fd);

	return c && atomic_load_explicit(&c->kind, memory_order_acquire) == RT_CHANNEL_OWN;
}

uint32_t rt_channel_met(int fd)
{
	struct rt_channel *c = rt_channel_of(fd);

	if (!c)
		return 0;
	uint8_t kind = atomic_load_explicit(&c->kind, memory_order_acquire);

	if (kind == RT_CHANNEL_NEW)
		kind = (uint8_t)rt_channel_meet(c, fd);
	if (kind == RT_CHANNEL_NAMED && !atomic_load_explicit(&c->number, memory_order_relaxed))
		number_late(c, fd);
	return atomic_load_explicit(&c->number, memory_order_relaxed);
}

static void forget(struct rt_channel *c)
{
	atomic_store(&c->kind, RT_CHANNEL_NEW);
	atomic_store(&c->made, 0);
	atomic_store(&c->number, 0);
}

uint32_t rt_channel_made(int fd, enum rt_channel_role role, bool pending)
{
	struct rt_channel *c = rt_channel_of(fd);
	int saved = errno;

	if (!c || !all.sockets || !rt_recording())
		return 0;
	pthread_mutex_lock(&all.lock);
	forget(c);
	if (all.sockets == RT_CHANNELS_NAMED) /* most are never waited at for long */
		atomic_store(&c->made, (uint8_t)(role + 1));
	else if (pending)
		atomic_store(&c->number, next_number());
	else
		atomic_store_explicit(&c->kind, (uint8_t)look_at(c, fd, role),
				      memory_order_release);
	uint32_t number = atomic_load(&c->number);

	pthread_mutex_unlock(&all.lock);
	errno = saved;
	return number;
}

/* ---- the end ---- */

/* Is what the kernel has counted, MOVED, what was told to us? */
static bool is_told(const struct rt_channel *c, enum rt_channel_way way, uint64_t moved, bool more)
{
	uint64_t told = atomic_load(&c->moved[way]);

	return moved == told || (more && moved == told + 1);
}

/* MOVED counts what was sent. If as much is confirmed, that has no FIN. */
static bool is_written_told(const struct rt_channel *c, int fd, uint64_t moved, bool more)
{
	uint64_t confirmed;
	bool fin;

	if (is_told(c, RT_WRITTEN, moved, more))
		return true;
	return confirmed_counts(c, fd, &confirmed, &fin) &&
	       is_told(c, RT_WRITTEN, confirmed, fin && confirmed != moved);
}

/* Has all that was moved on FD been told to us? The kernel reads the state before the counts: where a
 * FIN comes between, they are one apart, and it is asked again. */
static const char *verify(const struct rt_channel *c, int fd)
{
	uint64_t moved[RT_CHANNEL_WAYS];
	bool more[RT_CHANNEL_WAYS];

	for (int i = 0; i < RT_CHANNEL_WAYS; i++)
		if (atomic_load(&c->busy[i]))
			return "open";
	for (int tries = 0; tries < 2; tries++) {
		if (!kernel_counts(fd, moved, more))
			return "open";
		if (is_told(c, RT_READ, moved[RT_READ], more[RT_READ]) &&
		    is_written_told(c, fd, moved[RT_WRITTEN], more[RT_WRITTEN]))
			return "whole";
	}
	return "other";
}

void rt_channel_closes(int fd)
{
	struct rt_channel *c = rt_channel_of(fd);
	int saved = errno;

	if (!c || (!atomic_load(&c->number) && !atomic_load(&c->kind) && !atomic_load(&c->made)))
		return;
	pthread_mutex_lock(&all.lock);
	if (atomic_load(&c->kind) == RT_CHANNEL_STREAM)
		tell_end(c, verify(c, fd));
	forget(c);
	pthread_mutex_unlock(&all.lock);
	errno = saved;
}

void rt_channels_end(void)
{
	pthread_mutex_lock(&all.lock);
	for (int block = 0; block < RT_CHANNEL_BLOCKS; block++) {
		struct rt_channel *in = atomic_load(&rt_channel_blocks[block]);

		for (int i = 0; in && i < RT_CHANNELS_IN_BLOCK; i++)
			if (atomic_load(&in[i].kind) == RT_CHANNEL_STREAM)
				tell_end(&in[i], verify(&in[i], block * RT_CHANNELS_IN_BLOCK + i));
	}
	pthread_mutex_unlock(&all.lock);
}
