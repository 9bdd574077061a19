/*
 * taps_netty.c: what is called in place of the natives of netty's own transports (epoll, io_uring).
 *
 * A process may have several copies of netty, in packages or of loaders of their own, and each has
 * unpacked its own library. So each function here is there RT_NETTY_COPIES times, and calls the
 * original of its copy. A library is unloaded with its classes, so that nobody calls its functions,
 * and the next copy takes its place.
 *
 * Of each form of natives: NAME_PARAMS, how they are passed on (NAME_ARGS), and their type.
 */
#define _GNU_SOURCE /* dladdr; NOLINT(bugprone-reserved-identifier) */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime-jni/jvm/tap_functions.h"
#include "runtime-jni/jvm/taps_tell.h"

#include "base/banned.h"

static rt_native_fn originals[RT_NETTY_COPIES][RT_TAP_FUNCTIONS];

#define EACH_COPY(X, ...) X(0, __VA_ARGS__) X(1, __VA_ARGS__) X(2, __VA_ARGS__) X(3, __VA_ARGS__)
_Static_assert(RT_NETTY_COPIES == 4, "EACH_COPY has them all");

/* The head of the function of NAME for COPY, and a call of the original. */
#define TAP(copy, type, name, form) static type JNICALL tap_##name##_##copy form##_PARAMS
#define CALL(copy, name, form)      ((form##_fn)originals[copy][RT_TAP_##name]) form##_ARGS

/* ---- what moves bytes ---- */

#define ADDRESS_PARAMS (JNIEnv * env, jclass class, jint fd, jlong address, jint at, jint end)
#define ADDRESS_ARGS   (env, class, fd, address, at, end)
typedef jint(JNICALL *ADDRESS_fn) ADDRESS_PARAMS;

#define BUFFER_PARAMS (JNIEnv * env, jclass class, jint fd, jobject buffer, jint at, jint end)
#define BUFFER_ARGS   (env, class, fd, buffer, at, end)
typedef jint(JNICALL *BUFFER_fn) BUFFER_PARAMS;

#define BUFFERS_PARAMS \
	(JNIEnv * env, jclass class, jint fd, jobjectArray buffers, jint at, jint n, jlong most)
#define BUFFERS_ARGS (env, class, fd, buffers, at, n, most)
typedef jlong(JNICALL *BUFFERS_fn) BUFFERS_PARAMS;

#define ADDRESSES_PARAMS (JNIEnv * env, jclass class, jint fd, jlong address, jint n)
#define ADDRESSES_ARGS   (env, class, fd, address, n)
typedef jlong(JNICALL *ADDRESSES_fn) ADDRESSES_PARAMS;

/* (Which file it is stays netty's secret.) */
#define FILE_PARAMS \
	(JNIEnv * env, jclass class, jint fd, jobject region, jlong base, jlong at, jlong n)
#define FILE_ARGS (env, class, fd, region, base, at, n)
typedef jlong(JNICALL *FILE_fn) FILE_PARAMS;

#define MOVE(copy, type, name, form, what)               \
	TAP(copy, type, name, form)                      \
	{                                                \
		struct rt_move m;                        \
		rt_move_begin(&m, fd, JWR_AWAIT_##what); \
		type moved = CALL(copy, name, form);     \
		rt_move_end(env, &m, moved);             \
		return moved;                            \
	}
#define MOVE_ADDRESS(name, what) EACH_COPY(MOVE, jint, name, ADDRESS, what)
#define MOVE_BUFFER(name, what)  EACH_COPY(MOVE, jint, name, BUFFER, what)
RT_TAP_NETTY_MOVE_LIST(MOVE_ADDRESS)
RT_TAP_NETTY_MOVE_BUFFER_LIST(MOVE_BUFFER)
EACH_COPY(MOVE, jlong, NETTY_WRITEV, BUFFERS, WRITE)
EACH_COPY(MOVE, jlong, NETTY_WRITEV_ADDRESSES, ADDRESSES, WRITE)
EACH_COPY(MOVE, jlong, NETTY_SEND_FILE, FILE, WRITE)

/* ---- connections ---- */

#define FD_PARAMS (JNIEnv * env, jclass class, jint fd)
#define FD_ARGS   (env, class, fd)
typedef jint(JNICALL *FD_fn) FD_PARAMS;

#define BYTES_PARAMS (JNIEnv * env, jclass class, jint fd, jbyteArray bytes)
#define BYTES_ARGS   (env, class, fd, bytes)
typedef jint(JNICALL *BYTES_fn) BYTES_PARAMS;

#define CONNECT_PARAMS                                                                     \
	(JNIEnv * env, jclass class, jint fd, jboolean v6, jbyteArray address, jint scope, \
	 jint port)
#define CONNECT_ARGS (env, class, fd, v6, address, scope, port)
typedef jint(JNICALL *CONNECT_fn) CONNECT_PARAMS;

#define CLOSE(copy, name)                    \
	TAP(copy, jint, name, FD)            \
	{                                    \
		rt_channel_closes(fd);       \
		return CALL(copy, name, FD); \
	}
EACH_COPY(CLOSE, NETTY_CLOSE)

#define ACCEPT(copy, name)                          \
	TAP(copy, jint, name, BYTES)                \
	{                                           \
		struct rt_await w;                  \
		rt_accept_begin(env, &w, fd);       \
		jint got = CALL(copy, name, BYTES); \
		rt_accept_end(env, &w, got);        \
		return got;                         \
	}
EACH_COPY(ACCEPT, NETTY_ACCEPT)

/* DONE: 0: there is a connection; -EINPROGRESS: there will be. */
static void end_connect(JNIEnv *env, const struct rt_await *w, jint fd, jint done)
{
	bool pending = done == -EINPROGRESS;

	rt_await_end(env, w,
		     done >= 0 || pending ? rt_channel_made(fd, RT_CHANNEL_CONNECT, pending) : 0);
}

#define CONNECT(copy, name, form)                                     \
	TAP(copy, jint, name, form)                                   \
	{                                                             \
		struct rt_await w;                                    \
		rt_await_begin(env, &w, JWR_AWAIT_CONNECT, 0, false); \
		jint done = CALL(copy, name, form);                   \
		end_connect(env, &w, fd, done);                       \
		return done;                                          \
	}
EACH_COPY(CONNECT, NETTY_CONNECT, CONNECT)
EACH_COPY(CONNECT, NETTY_CONNECT_UNIX, BYTES)

#define FINISH(copy, name)                        \
	TAP(copy, jint, name, FD)                 \
	{                                         \
		jint done = CALL(copy, name, FD); \
		if (done >= 0)                    \
			rt_channel_connected(fd); \
		return done;                      \
	}
EACH_COPY(FINISH, NETTY_FINISH_CONNECT)

/* ---- waits ---- */

#define WAIT_PARAMS (JNIEnv * env, jclass class, jint epoll, jlong events, jint n, jint timeout)
#define WAIT_ARGS   (env, class, epoll, events, n, timeout)
typedef jint(JNICALL *WAIT_fn) WAIT_PARAMS;

#define TIMER_PARAMS                                                                         \
	(JNIEnv * env, jclass class, jint epoll, jlong events, jint n, jint timer, jint sec, \
	 jint ns)
#define TIMER_ARGS (env, class, epoll, events, n, timer, sec, ns)
typedef jint(JNICALL *TIMER_fn) TIMER_PARAMS;

#define TIMER_MS_PARAMS                                                                      \
	(JNIEnv * env, jclass class, jint epoll, jlong events, jint n, jint timer, jint sec, \
	 jint ns, jlong least_ms)
#define TIMER_MS_ARGS (env, class, epoll, events, n, timer, sec, ns, least_ms)
typedef jlong(JNICALL *TIMER_MS_fn) TIMER_MS_PARAMS;

#define WAKE_PARAMS (JNIEnv * env, jclass class, jint fd, jlong value)
#define WAKE_ARGS   (env, class, fd, value)
typedef void(JNICALL *WAKE_fn) WAKE_PARAMS;

#define WAKE(copy, name)                \
	TAP(copy, void, name, WAKE)     \
	{                               \
		rt_wake(fd);            \
		CALL(copy, name, WAKE); \
	}
EACH_COPY(WAKE, NETTY_WAKE)

/* READY, a number; with TIMER_MS it is the upper half of what is returned. */
#define SELECT(copy, type, name, form, waits)                                \
	TAP(copy, type, name, form)                                          \
	{                                                                    \
		struct rt_await w = { 0 };                                   \
		if (waits)                                                   \
			rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false); \
		type ready = CALL(copy, name, form);                         \
		rt_select_end(env, &w, events, READY_##form(ready), n);      \
		return ready;                                                \
	}
#define READY_WAIT(ready)     (ready)
#define READY_TIMER(ready)    (ready)
#define READY_TIMER_MS(ready) ((jint)((ready) >> 32))
/* With a timer a time of 0 is that there is none. Netty gives them so many parameters.
 * NOLINTBEGIN(readability-function-size) */
EACH_COPY(SELECT, jint, NETTY_EPOLL_WAIT, WAIT, timeout != 0)
EACH_COPY(SELECT, jint, NETTY_EPOLL_WAIT_TIMER, TIMER, true)
EACH_COPY(SELECT, jlong, NETTY_EPOLL_WAIT_TIMER_MS, TIMER_MS, true)
/* NOLINTEND(readability-function-size) */

/* Submits what is to be done, and waits until LEAST of it has been done. Who has woken it is among that, unseen. */
#define ENTER_PARAMS (JNIEnv * env, jclass class, jint ring, jint submitted, jint least, jint flags)
#define ENTER_ARGS   (env, class, ring, submitted, least, flags)
typedef jint(JNICALL *ENTER_fn) ENTER_PARAMS;

#define ENTER(copy, name)                                                    \
	TAP(copy, jint, name, ENTER)                                         \
	{                                                                    \
		struct rt_await w = { 0 };                                   \
		if (least > 0)                                               \
			rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false); \
		jint done = CALL(copy, name, ENTER);                         \
		rt_await_end(env, &w, 0);                                    \
		return done;                                                 \
	}
EACH_COPY(ENTER, NETTY_URING_ENTER)

/* ---- which of them ---- */

#define COPY(copy, name)  [copy] = (rt_native_fn)tap_##name##_##copy,
#define COPIES(name, ...) [RT_TAP_##name] = { EACH_COPY(COPY, name) },
static const rt_native_fn taps[RT_TAP_FUNCTIONS][RT_NETTY_COPIES] = { RT_TAP_NETTY_LIST(COPIES) };

static bool is_unloaded(rt_native_fn function)
{
	void *address;
	Dl_info info;

	memcpy(&address, &function, sizeof(address));
	return !dladdr(address, &info);
}

rt_native_fn rt_netty_tap(enum rt_tap_function function, rt_native_fn original)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	rt_native_fn found = NULL;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; !found && i < RT_NETTY_COPIES; i++) {
		rt_native_fn *place = &originals[i][function];

		if (!*place || *place == original || is_unloaded(*place)) {
			*place = original;
			found = taps[function][i];
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}
