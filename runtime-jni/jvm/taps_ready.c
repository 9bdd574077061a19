/*
 * taps_ready.c: what is called in place of natives that wait until something can be read or
 * written, accept, connect, write a file to disk, or wait for a process.
 */
#include <poll.h>
#include <sys/epoll.h>

#include "runtime-jni/jvm/tap_functions.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/jvm/taps_tell.h"

#include "base/banned.h"

#define ORIGINAL(type, name) ((type)rt_tap_original[RT_TAP_##name])

typedef jint(JNICALL *select_epoll_fn)(JNIEnv *env, jclass class, jint epoll, jlong at, jint n,
				       jint timeout);
typedef jint(JNICALL *epoll_ctl_fn)(JNIEnv *env, jclass class, jint epoll, jint op, jint fd,
				    jint events);
typedef jint(JNICALL *wake_fn)(JNIEnv *env, jclass class, jint fd);
typedef jint(JNICALL *select_poll_fn)(JNIEnv *env, jclass class, jlong at, jint n, jint timeout);
typedef jint(JNICALL *poll_fn)(JNIEnv *env, jclass class, jobject fd, jint events, jlong timeout);
typedef jboolean(JNICALL *poll_connect_fn)(JNIEnv *env, jclass class, jobject fd, jlong timeout);
typedef jint(JNICALL *accept_fn)(JNIEnv *env, jclass class, jobject fd, jobject fresh,
				 jobjectArray from);
typedef jint(JNICALL *connect_fn)(JNIEnv *env, jclass class, jboolean v6, jobject fd,
				  jobject address, jint port);
typedef jint(JNICALL *lock_fn)(JNIEnv *env, jclass class, jobject fd, jboolean blocking, jlong at,
			       jlong n, jboolean shared);
typedef jint(JNICALL *force_fn)(JNIEnv *env, jclass class, jobject fd, jboolean metadata);
typedef void(JNICALL *force_mapped_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jlong n);
typedef void(JNICALL *sync_fn)(JNIEnv *env, jobject fd);
typedef jint(JNICALL *watch_fn)(JNIEnv *env, jclass class, jint files, jint waker);
typedef jint(JNICALL *child_fn)(JNIEnv *env, jclass class, jlong pid, jboolean reap);

static jint JNICALL tap_SELECT_EPOLL(JNIEnv *env, jclass class, jint epoll, jlong at, jint n,
				     jint timeout)
{
	struct rt_await w = { 0 };

	if (timeout != 0) /* else it does not wait */
		rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);
	jint ready = ORIGINAL(select_epoll_fn, SELECT_EPOLL)(env, class, epoll, at, n, timeout);
	rt_select_end(env, &w, at, ready, n);
	return ready;
}

/* The JDK's own way to wait for a descriptor on a virtual thread, which parks next. */
static jint JNICALL tap_EPOLL_CTL(JNIEnv *env, jclass class, jint epoll, jint op, jint fd,
				  jint events)
{
	rt_virtual_polls(op != EPOLL_CTL_DEL && (unsigned)events & EPOLLIN ? fd : -1);
	return ORIGINAL(epoll_ctl_fn, EPOLL_CTL)(env, class, epoll, op, fd, events);
}

static jint JNICALL tap_WAKE(JNIEnv *env, jclass class, jint fd)
{
	rt_wake(fd);
	return ORIGINAL(wake_fn, WAKE)(env, class, fd);
}

static jint JNICALL tap_SELECT_POLL(JNIEnv *env, jclass class, jlong at, jint n, jint timeout)
{
	struct rt_await w = { 0 };

	if (timeout != 0)
		rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);
	jint ready = ORIGINAL(select_poll_fn, SELECT_POLL)(env, class, at, n, timeout);
	rt_await_end(env, &w, 0);
	return ready;
}

/* The number of FD for who polls it. Where what crosses is not told, nothing says whether a server has
 * read a request; one that waits until it can write has. */
static uint32_t number_for(int fd, jint events)
{
	return events & POLLIN ? rt_channel_met(fd) : rt_channel_counted(fd);
}

static jint JNICALL tap_POLL(JNIEnv *env, jclass class, jobject fd, jint events, jlong timeout)
{
	struct rt_await w = { 0 };

	if (timeout != 0)
		rt_await_begin(env, &w, JWR_AWAIT_POLL, number_for(rt_fd_of(env, fd), events),
			       false);
	jint ready = ORIGINAL(poll_fn, POLL)(env, class, fd, events, timeout);
	rt_await_end(env, &w, 0);
	return ready;
}

static jboolean JNICALL tap_POLL_CONNECT(JNIEnv *env, jclass class, jobject fd, jlong timeout)
{
	struct rt_await w = { 0 };

	if (timeout != 0 && rt_io.waits)
		rt_await_begin(env, &w, JWR_AWAIT_POLL, rt_channel_number(rt_fd_of(env, fd)),
			       false);
	jboolean done = ORIGINAL(poll_connect_fn, POLL_CONNECT)(env, class, fd, timeout);
	if (done)
		rt_channel_connected(rt_fd_of(env, fd));
	rt_await_end(env, &w, 0);
	return done;
}

#define ACCEPT(name, unused)                                                                 \
	static jint JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jobject fresh, \
				       jobjectArray from)                                    \
	{                                                                                    \
		struct rt_await w;                                                           \
                                                                                             \
		rt_accept_begin(env, &w, rt_fd_of(env, fd));                                 \
		jint got = ORIGINAL(accept_fn, name)(env, class, fd, fresh, from);           \
		rt_accept_end(env, &w, got > 0 ? rt_fd_of(env, fresh) : -1);                 \
		return got;                                                                  \
	}
RT_TAP_ACCEPT_LIST(ACCEPT)
#undef ACCEPT

#define IN_PROGRESS (-2) /* IOStatus.UNAVAILABLE */

static jint JNICALL tap_CONNECT(JNIEnv *env, jclass class, jboolean v6, jobject fd, jobject address,
				jint port)
{
	struct rt_await w;
	uint32_t number = 0;

	rt_await_begin(env, &w, JWR_AWAIT_CONNECT, 0, false);
	jint done = ORIGINAL(connect_fn, CONNECT)(env, class, v6, fd, address, port);
	if (done > 0 || done == IN_PROGRESS)
		number = rt_channel_made(rt_fd_of(env, fd), RT_CHANNEL_CONNECT, done < 0);
	rt_await_end(env, &w, number);
	return done;
}

/* Of java.net's sockets of JDK 8 to 12, which throw where there is no connection. */
typedef void(JNICALL *old_accept_fn)(JNIEnv *env, jobject socket, jobject fresh);
typedef void(JNICALL *old_connect_fn)(JNIEnv *env, jobject socket, jobject address, jint port,
				      jint timeout);

/* The descriptor of SOCKET, which is connected; below 0: it is not. */
static int fd_made(JNIEnv *env, jobject socket)
{
	return (*env)->ExceptionCheck(env) ? -1 : rt_fd_of_socket(env, socket);
}

static void JNICALL tap_OLD_SOCKET_ACCEPT(JNIEnv *env, jobject socket, jobject fresh)
{
	struct rt_await w;

	rt_accept_begin(env, &w, rt_fd_of_socket(env, socket));
	ORIGINAL(old_accept_fn, OLD_SOCKET_ACCEPT)(env, socket, fresh);
	rt_accept_end(env, &w, fd_made(env, fresh));
}

static void JNICALL tap_OLD_SOCKET_CONNECT(JNIEnv *env, jobject socket, jobject address, jint port,
					   jint timeout)
{
	struct rt_await w;

	rt_await_begin(env, &w, JWR_AWAIT_CONNECT, 0, false);
	ORIGINAL(old_connect_fn, OLD_SOCKET_CONNECT)(env, socket, address, port, timeout);
	int fd = fd_made(env, socket);
	rt_await_end(env, &w, fd >= 0 ? rt_channel_made(fd, RT_CHANNEL_CONNECT, false) : 0);
}

/* For files that change, or for who waits to be woken. */
static jint JNICALL tap_WATCH(JNIEnv *env, jclass class, jint files, jint waker)
{
	struct rt_await w;

	rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);
	jint ready = ORIGINAL(watch_fn, WATCH)(env, class, files, waker);
	rt_await_end(env, &w, 0);
	return ready;
}

typedef void(JNICALL *window_events_fn)(JNIEnv *env, jclass class, jlong until);

/* For what the X server tells of windows. */
static void JNICALL tap_WINDOW_EVENTS(JNIEnv *env, jclass class, jlong until)
{
	struct rt_await w;

	rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);
	ORIGINAL(window_events_fn, WINDOW_EVENTS)(env, class, until);
	rt_await_end(env, &w, 0);
}

/* What was written to FD goes to the disk. */
static void force_begin(JNIEnv *env, struct rt_await *w, jobject fd)
{
	rt_await_begin(env, w, JWR_AWAIT_FORCE, rt_channel_met(rt_fd_of(env, fd)), false);
}

static jint JNICALL tap_FORCE(JNIEnv *env, jclass class, jobject fd, jboolean metadata)
{
	struct rt_await w;

	force_begin(env, &w, fd);
	jint done = ORIGINAL(force_fn, FORCE)(env, class, fd, metadata);
	rt_await_end(env, &w, 0);
	return done;
}

static void JNICALL tap_FORCE_MAPPED(JNIEnv *env, jclass class, jobject fd, jlong at, jlong n)
{
	struct rt_await w;

	force_begin(env, &w, fd);
	ORIGINAL(force_mapped_fn, FORCE_MAPPED)(env, class, fd, at, n);
	rt_await_end(env, &w, 0);
}

static void JNICALL tap_SYNC(JNIEnv *env, jobject fd)
{
	struct rt_await w;

	force_begin(env, &w, fd);
	ORIGINAL(sync_fn, SYNC)(env, fd);
	rt_await_end(env, &w, 0);
}

/* Which another process has; to try is not to wait. */
static jint JNICALL tap_LOCK(JNIEnv *env, jclass class, jobject fd, jboolean blocking, jlong at,
			     jlong n, jboolean shared)
{
	struct rt_await w;

	if (!blocking)
		return ORIGINAL(lock_fn, LOCK)(env, class, fd, blocking, at, n, shared);
	rt_await_begin(env, &w, JWR_AWAIT_LOCK, rt_channel_met(rt_fd_of(env, fd)), false);
	jint got = ORIGINAL(lock_fn, LOCK)(env, class, fd, blocking, at, n, shared);
	rt_await_end(env, &w, 0);
	return got;
}

static jint JNICALL tap_CHILD(JNIEnv *env, jclass class, jlong pid, jboolean reap)
{
	struct rt_await w;

	rt_await_begin(env, &w, JWR_AWAIT_CHILD, (uint64_t)pid, rt_io.children);
	jint status = ORIGINAL(child_fn, CHILD)(env, class, pid, reap);
	rt_await_end(env, &w, 0);
	return status;
}

#define TAP(name, ...) [RT_TAP_##name] = (rt_native_fn)tap_##name,
const rt_native_fn rt_ready_taps[RT_TAP_FUNCTIONS] = { RT_TAP_READY_LIST(TAP) };
#undef TAP
