/*
 * taps_tell.h: how taps of I/O tell: tap_functions.h says what.
 *
 *     rt_move_begin -> the original -> rt_move_end
 *     rt_await_begin -> the original -> rt_await_end
 *
 * No exception is pending when something begins; one that is when it ends stays so.
 */
#ifndef RT_TAPS_TELL_H
#define RT_TAPS_TELL_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime-jni/recorder/channels.h"
#include "trace/format/recording.h"

extern struct rt_io {
	jfieldID number;                /* FileDescriptor.fd */
	jfieldID input, output, random; /* the FileDescriptor of a stream */
	jfieldID old_socket;            /* that of a SocketImpl; NULL: since JDK 13 */
	bool waits, moves;              /* is `io` asked for; is `net` or `file`? */
	bool children;                  /* is `process`: each wait for one, of any thread? */
	atomic_bool closed;
} rt_io;

/* The descriptor that a FileDescriptor has, or the one in FIELD of a stream; below 0: none. */
static inline int rt_fd_of(JNIEnv *env, jobject descriptor)
{
	return descriptor ? (*env)->GetIntField(env, descriptor, rt_io.number) : -1;
}
int rt_fd_in(JNIEnv *env, jobject stream, jfieldID field);
/* That of a SocketImpl, of JDK 8 to 12. */
int rt_fd_of_socket(JNIEnv *env, jobject socket);
/* The number of the channel that FD is, if it has one already; else 0. */
uint32_t rt_channel_number(int fd);
/* The same, 0 where what crosses is not told. */
uint32_t rt_channel_counted(int fd);

/* Something that is read or written. Whoever asks for waits alone (`io`) is told of reads that have
 * taken long, without bytes. */
struct rt_move {
	struct rt_channel *channel; /* NULL: nobody wants to know what is moved */
	uint64_t since;             /* it may become a long wait; ticks, else 0 */
	int fd;                     /* of that; where it is below 0, that in `field` of `of` */
	jobject of;                 /* NULL: none */
	jfieldID field;
	uint32_t number;
	enum jwr_await what;
	enum rt_channel_way way;
	uint64_t pauses;
	bool stream, told, early;
};
void rt_move_begin(struct rt_move *m, int fd, enum jwr_await what);
/* RESULT: bytes; or below 0, what the JDK makes of -1, interrupts and failures. */
void rt_move_end(JNIEnv *env, const struct rt_move *m, int64_t result);

/* Something that is only waited for. */
struct rt_await {
	bool told, early; /* early: kept in case that the thread tells something */
	enum jwr_await what;
};
/* ALWAYS: also on a thread that has logged nothing so far. */
void rt_await_begin(JNIEnv *env, struct rt_await *w, enum jwr_await what, uint64_t number,
		    bool always);
void rt_await_end(JNIEnv *env, const struct rt_await *w, uint64_t came_of_it);

/* Who waits in a select for FD, among others, is about to be woken by that. */
void rt_wake(int fd);
/* The end of a select, of which READY of MOST events of epoll_wait(2) are at EVENTS: a waker may be
 * among them. */
void rt_select_end(JNIEnv *env, const struct rt_await *w, int64_t events, int ready, int most);

/* FD waits for connections: it is met so that it has a name. MADE: the descriptor of a connection that
 * has come; below 0: none. */
void rt_accept_begin(JNIEnv *env, struct rt_await *w, int fd);
void rt_accept_end(JNIEnv *env, const struct rt_await *w, int made);
/* What was being connected on FD is. */
void rt_channel_connected(int fd);

#endif
