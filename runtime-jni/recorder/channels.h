/*
 * channels.h: what is read and written through file descriptors: connections, other sockets, files.
 * Each has a number, which meta explains; it is told there once, when it is met first.
 *
 *     want -> made, meet .. moved .. closes -> end
 *
 * One place for each descriptor, which stays when the descriptor names something else: whoever is
 * reading or writing at that moment compares the number.
 *
 * Cost: a load to find a place; some system calls when a channel is met, and when a TCP connection
 * is closed: the kernel counts its bytes, too, and tells whether some went another way.
 */
#ifndef RT_CHANNELS_H
#define RT_CHANNELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rt_channel_kind {
	RT_CHANNEL_NEW,    /* nobody has looked what it is */
	RT_CHANNEL_UNTOLD, /* nobody wants to know */
	RT_CHANNEL_OWN,    /* a file that the runtime's class reads; so is a wait for it */
	RT_CHANNEL_NAMED, /* a thread may wait at it: what crosses is not told; a file has no number yet */
	RT_CHANNEL_FILE, /* or a pipe, a terminal ... */
	RT_CHANNEL_SOCKET,
	RT_CHANNEL_STREAM, /* a TCP connection: its bytes are counted */
};

#define RT_CHANNEL_SIZE 64

enum rt_channel_way { RT_WRITTEN, RT_READ, RT_CHANNEL_WAYS };

/* In a line of the cache of its own: the two ends of a connection have descriptors next to each
 * other, and two threads write to them. */
struct rt_channel {
	_Alignas(RT_CHANNEL_SIZE) _Atomic uint32_t number; /* 0: none */
	_Atomic uint8_t kind;                              /* set after the number */
	_Atomic uint8_t made; /* 1 + the role by which it was made; 0: unknown, or no socket */
	_Atomic bool busy[RT_CHANNEL_WAYS];
	/* Of a stream, since the connection was made: so much was moved; so much records say. */
	_Atomic uint64_t moved[RT_CHANNEL_WAYS], told[RT_CHANNEL_WAYS];
};

#define RT_CHANNELS_IN_BLOCK 256
#define RT_CHANNEL_BLOCKS    4096
extern struct rt_channel *_Atomic rt_channel_blocks[RT_CHANNEL_BLOCKS];

struct rt_channel *rt_channel_add(int fd);

/* The place of FD; NULL: it is no descriptor, or there is no memory. */
static inline struct rt_channel *rt_channel_of(int fd)
{
	size_t block = (size_t)fd / RT_CHANNELS_IN_BLOCK;

	if (fd < 0 || block >= RT_CHANNEL_BLOCKS)
		return NULL;
	struct rt_channel *found =
		atomic_load_explicit(&rt_channel_blocks[block], memory_order_acquire);

	return found ? &found[fd % RT_CHANNELS_IN_BLOCK] : rt_channel_add(fd);
}

/* How sockets and files are told: by their names where threads wait at them, or with all that crosses. */
enum rt_channels { RT_CHANNELS_UNTOLD, RT_CHANNELS_NAMED, RT_CHANNELS_COUNTED };
void rt_channels_want(enum rt_channels sockets, enum rt_channels files);

/* What FD is, whose place is C. */
enum rt_channel_kind rt_channel_meet(struct rt_channel *c, int fd);
/* The number of FD, where a thread waits: it is met if it is new; 0: it has none. */
uint32_t rt_channel_met(int fd);
/* Is FD, which was met, a file that the runtime's class reads? */
bool rt_channel_is_own(int fd);

/* A connection has just been made, or is (pending) being made; its number, 0: none so far. */
enum rt_channel_role { RT_CHANNEL_CONNECT, RT_CHANNEL_ACCEPT, RT_CHANNEL_LATE };
uint32_t rt_channel_made(int fd, enum rt_channel_role role, bool pending);

/* FD is about to be closed. */
void rt_channel_closes(int fd);

/* Recording ends: what was moved by then. */
void rt_channels_end(void);

#endif
