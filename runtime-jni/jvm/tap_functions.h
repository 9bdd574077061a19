/*
 * tap_functions.h: the functions that are called in place of natives (taps.def).
 *
 * Of I/O, the JDK's and netty's:
 *
 *     READ, WRITE    AWAIT    the original    [OFFSET] AWAITED, with the bytes that were moved
 *     WAKE           WAKE     the original
 *     others         [PLACE] AWAIT    the original    AWAITED
 *
 * What moves bytes is told on every thread; what only waits, on those that the VM's events are told
 * of. Where a thread is takes long to find out: it is told of what only waits.
 */
#ifndef RT_TAP_FUNCTIONS_H
#define RT_TAP_FUNCTIONS_H

#include <jni.h>

/* By the form of the native. X(NAME, what) : a name of taps.def; READ or WRITE. */

/* int f(FileDescriptor, long address, int n), static */
#define RT_TAP_MOVE_LIST(X)    \
	X(SOCKET_READ, READ)   \
	X(SOCKET_WRITE, WRITE) \
	X(FILE_READ, READ)     \
	X(FILE_WRITE, WRITE)   \
	X(DATAGRAM_READ, READ) \
	X(DATAGRAM_WRITE, WRITE)
/* The same of several pieces: long f() */
#define RT_TAP_MOVE_ALL_LIST(X) \
	X(SOCKET_READV, READ)   \
	X(SOCKET_WRITEV, WRITE) \
	X(FILE_READV, READ)     \
	X(FILE_WRITEV, WRITE)   \
	X(DATAGRAM_READV, READ) \
	X(DATAGRAM_WRITEV, WRITE)
/* int f(FileDescriptor, long address, int n, long position), static */
#define RT_TAP_MOVE_AT_LIST(X) \
	X(FILE_PREAD, READ)    \
	X(FILE_PWRITE, WRITE)
/* int f(), of a stream; int f(byte[], int, int) */
#define RT_TAP_STREAM_READ_LIST(X) \
	X(INPUT_READ, INPUT)       \
	X(RANDOM_READ, RANDOM)
#define RT_TAP_STREAM_READ_BYTES_LIST(X) \
	X(INPUT_READ_BYTES, INPUT)       \
	X(RANDOM_READ_BYTES, RANDOM)
/* void f(FileDescriptor), static */
#define RT_TAP_CLOSE_LIST(X) \
	X(CHANNEL_CLOSE, )   \
	X(CHANNEL_PRECLOSE, )
/* int f(FileDescriptor, FileDescriptor new, ...[]), static */
#define RT_TAP_ACCEPT_LIST(X) \
	X(ACCEPT, )           \
	X(UNIX_ACCEPT, )
/* Each of a form of its own. */
#define RT_TAP_ONE_LIST(X)         \
	X(DATAGRAM_RECEIVE, )      \
	X(DATAGRAM_SEND, )         \
	X(TRANSFER_OLD, )          \
	X(TRANSFER_TO, )           \
	X(TRANSFER_FROM, )         \
	X(OUTPUT_WRITE, )          \
	X(OUTPUT_WRITE_BYTES, )    \
	X(RANDOM_WRITE, )          \
	X(RANDOM_WRITE_BYTES, )    \
	X(OLD_SOCKET_READ, )       \
	X(OLD_SOCKET_WRITE, )      \
	X(OLD_SOCKET_CLOSE, )      \
	X(OLD_SOCKET_CLOSE_LOST, ) \
	X(CLOSE_NUMBER, )          \
	X(CLOSE_DESCRIPTOR, )      \
	X(CLOSE_LOST, )
#define RT_TAP_ONE_WAIT_LIST(X) \
	X(FORCE, )              \
	X(FORCE_MAPPED, )       \
	X(SYNC, )               \
	X(LOCK, )               \
	X(SELECT_EPOLL, )       \
	X(EPOLL_CTL, )          \
	X(SELECT_POLL, )        \
	X(WATCH, )              \
	X(WINDOW_EVENTS, )      \
	X(WAKE, )               \
	X(POLL, )               \
	X(POLL_CONNECT, )       \
	X(CONNECT, )            \
	X(OLD_SOCKET_ACCEPT, )  \
	X(OLD_SOCKET_CONNECT, ) \
	X(CHILD, )

/* Of netty: what the JDK's have as FileDescriptor is a number here.
 *
 * int f(int fd, long address, int at, int end), static; int f(int fd, ByteBuffer, int at, int end) */
#define RT_TAP_NETTY_MOVE_LIST(X)     \
	X(NETTY_READ_ADDRESS, READ)   \
	X(NETTY_RECV_ADDRESS, READ)   \
	X(NETTY_WRITE_ADDRESS, WRITE) \
	X(NETTY_SEND_ADDRESS, WRITE)
#define RT_TAP_NETTY_MOVE_BUFFER_LIST(X) \
	X(NETTY_READ, READ)              \
	X(NETTY_RECV, READ)              \
	X(NETTY_WRITE, WRITE)            \
	X(NETTY_SEND, WRITE)
/* Each of a form of its own. */
#define RT_TAP_NETTY_ONE_LIST(X)    \
	X(NETTY_WRITEV, )           \
	X(NETTY_WRITEV_ADDRESSES, ) \
	X(NETTY_SEND_FILE, )        \
	X(NETTY_CLOSE, )            \
	X(NETTY_ACCEPT, )           \
	X(NETTY_CONNECT, )          \
	X(NETTY_CONNECT_UNIX, )     \
	X(NETTY_FINISH_CONNECT, )   \
	X(NETTY_WAKE, )             \
	X(NETTY_URING_ENTER, )      \
	X(NETTY_EPOLL_WAIT, )       \
	X(NETTY_EPOLL_WAIT_TIMER, ) \
	X(NETTY_EPOLL_WAIT_TIMER_MS, )

/* Those of taps_io.c, of taps_ready.c, and of taps_netty.c. */
#define RT_TAP_IO_LIST(X)                \
	RT_TAP_MOVE_LIST(X)              \
	RT_TAP_MOVE_ALL_LIST(X)          \
	RT_TAP_MOVE_AT_LIST(X)           \
	RT_TAP_STREAM_READ_LIST(X)       \
	RT_TAP_STREAM_READ_BYTES_LIST(X) \
	RT_TAP_CLOSE_LIST(X)             \
	RT_TAP_ONE_LIST(X)
#define RT_TAP_READY_LIST(X)  \
	RT_TAP_ACCEPT_LIST(X) \
	RT_TAP_ONE_WAIT_LIST(X)
#define RT_TAP_NETTY_LIST(X)             \
	RT_TAP_NETTY_MOVE_LIST(X)        \
	RT_TAP_NETTY_MOVE_BUFFER_LIST(X) \
	RT_TAP_NETTY_ONE_LIST(X)

/* What is called in place of natives. */
#define RT_TAP_NUMBER(name, ...) RT_TAP_##name,
enum rt_tap_function {
	RT_TAP_PARK,
	RT_TAP_UNPARK,
	RT_TAP_START,
	RT_TAP_INTERRUPT,
	RT_TAP_SLEEP,
	RT_TAP_REFERENCES,
	RT_TAP_UNBLOCK,
	RT_TAP_IO_LIST(RT_TAP_NUMBER) RT_TAP_READY_LIST(RT_TAP_NUMBER)
		RT_TAP_NETTY_LIST(RT_TAP_NUMBER) RT_TAP_FUNCTIONS,
};
#undef RT_TAP_NUMBER

/* A native of any type, to be cast to its own. */
typedef void(JNICALL *rt_native_fn)(void);

/* What each of the JDK's was; set before it is bound. */
extern rt_native_fn rt_tap_original[RT_TAP_FUNCTIONS];

/* Those of taps_io.c, and of taps_ready.c. */
extern const rt_native_fn rt_io_taps[RT_TAP_FUNCTIONS], rt_ready_taps[RT_TAP_FUNCTIONS];

/* Of netty a process may have several copies, each with a library of its own. What to call in place of
 * ORIGINAL, which one of them binds to FUNCTION; NULL: there are too many. */
#define RT_NETTY_COPIES 4
rt_native_fn rt_netty_tap(enum rt_tap_function function, rt_native_fn original);

#endif
