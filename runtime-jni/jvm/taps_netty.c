/*
 * taps_netty.c: what is called in place of the natives of netty's own transport (epoll).
 *
 * A process may have several copies of netty, in packages or of loaders of their own, and each has
 * unpacked its own library. So each function here is there RT_NETTY_COPIES times, and calls the
 * original of its copy: one that was unloaded is called by nobody.
 */
#include <errno.h>
#include <pthread.h>

#include "runtime-jni/jvm/tap_functions.h"
#include "runtime-jni/jvm/taps_tell.h"

#include "base/banned.h"

/* A library that is loaded where another was unloaded is told by its address, like that one. */
static rt_native_fn originals[RT_NETTY_COPIES][RT_TAP_FUNCTIONS];

#define ORIGINAL(type, copy, name) ((type)originals[copy][RT_TAP_##name])
#define EACH_COPY(X, ...) \
	X(0, __VA_ARGS__) \
	X(1, __VA_ARGS__) \
	X(2, __VA_ARGS__) \
	X(3, __VA_ARGS__)
_Static_assert(RT_NETTY_COPIES == 4, "EACH_COPY has them all");

/* ---- what moves bytes ---- */

typedef jint(JNICALL *move_fn)(JNIEnv *env, jclass class, jint fd, jlong address, jint at,
			       jint end);
typedef jint(JNICALL *move_buffer_fn)(JNIEnv *env, jclass class, jint fd, jobject buffer, jint at,
				      jint end);
typedef jlong(JNICALL *writev_fn)(JNIEnv *env, jclass class, jint fd, jobjectArray buffers, jint at,
				  jint n, jlong most);
typedef jlong(JNICALL *writev_addresses_fn)(JNIEnv *env, jclass class, jint fd, jlong address,
					    jint n);
typedef jlong(JNICALL *send_file_fn)(JNIEnv *env, jclass class, jint fd, jobject region, jlong base,
				     jlong at, jlong n);

static jint move(JNIEnv *env, jclass class, jint fd, jlong address, jint at, jint end,
		 enum jwr_await what, move_fn original)
{
	struct rt_move m;

	rt_move_begin(&m, fd, what);
	jint moved = original(env, class, fd, address, at, end);
	rt_move_end(env, &m, moved);
	return moved;
}

static jint move_buffer(JNIEnv *env, jclass class, jint fd, jobject buffer, jint at, jint end,
			enum jwr_await what, move_buffer_fn original)
{
	struct rt_move m;

	rt_move_begin(&m, fd, what);
	jint moved = original(env, class, fd, buffer, at, end);
	rt_move_end(env, &m, moved);
	return moved;
}

#define COPY(copy, name, what)                                                                     \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd, jlong address, \
						jint at, jint end)                                 \
	{                                                                                          \
		return move(env, class, fd, address, at, end, JWR_AWAIT_##what,                    \
			    ORIGINAL(move_fn, copy, name));                                        \
	}
#define MOVE(name, what) EACH_COPY(COPY, name, what)
RT_TAP_NETTY_MOVE_LIST(MOVE)
#undef COPY

#define COPY(copy, name, what)                                                        \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd,   \
						jobject buffer, jint at, jint end)    \
	{                                                                             \
		return move_buffer(env, class, fd, buffer, at, end, JWR_AWAIT_##what, \
				   ORIGINAL(move_buffer_fn, copy, name));             \
	}
RT_TAP_NETTY_MOVE_BUFFER_LIST(MOVE)
#undef COPY
#undef MOVE

#define COPY(copy, name)                                                                       \
	static jlong JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd,           \
						 jobjectArray buffers, jint at, jint n,        \
						 jlong most)                                   \
	{                                                                                      \
		struct rt_move m;                                                              \
		rt_move_begin(&m, fd, JWR_AWAIT_WRITE);                                        \
		jlong moved =                                                                  \
			ORIGINAL(writev_fn, copy, name)(env, class, fd, buffers, at, n, most); \
		rt_move_end(env, &m, moved);                                                   \
		return moved;                                                                  \
	}
EACH_COPY(COPY, NETTY_WRITEV)
#undef COPY

#define COPY(copy, name)                                                                       \
	static jlong JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd,           \
						 jlong address, jint n)                        \
	{                                                                                      \
		struct rt_move m;                                                              \
		rt_move_begin(&m, fd, JWR_AWAIT_WRITE);                                        \
		jlong moved =                                                                  \
			ORIGINAL(writev_addresses_fn, copy, name)(env, class, fd, address, n); \
		rt_move_end(env, &m, moved);                                                   \
		return moved;                                                                  \
	}
EACH_COPY(COPY, NETTY_WRITEV_ADDRESSES)
#undef COPY

/* Which file it is stays netty's secret. */
#define COPY(copy, name)                                                                         \
	static jlong JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd,             \
						 jobject region, jlong base, jlong at, jlong n)  \
	{                                                                                        \
		struct rt_move m;                                                                \
		rt_move_begin(&m, fd, JWR_AWAIT_WRITE);                                          \
		jlong moved =                                                                    \
			ORIGINAL(send_file_fn, copy, name)(env, class, fd, region, base, at, n); \
		rt_move_end(env, &m, moved);                                                     \
		return moved;                                                                    \
	}
EACH_COPY(COPY, NETTY_SEND_FILE)
#undef COPY

/* ---- connections ---- */

typedef jint(JNICALL *of_fd_fn)(JNIEnv *env, jclass class, jint fd);
typedef jint(JNICALL *accept_fn)(JNIEnv *env, jclass class, jint fd, jbyteArray from);
typedef jint(JNICALL *connect_fn)(JNIEnv *env, jclass class, jint fd, jboolean v6,
				  jbyteArray address, jint scope, jint port);
typedef jint(JNICALL *connect_unix_fn)(JNIEnv *env, jclass class, jint fd, jbyteArray path);

#define COPY(copy, name)                                                            \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd) \
	{                                                                           \
		rt_channel_closes(fd);                                              \
		return ORIGINAL(of_fd_fn, copy, name)(env, class, fd);              \
	}
EACH_COPY(COPY, NETTY_CLOSE)
#undef COPY

#define COPY(copy, name)                                                            \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd, \
						jbyteArray from)                    \
	{                                                                           \
		struct rt_await w;                                                  \
		rt_accept_begin(env, &w, fd);                                       \
		jint got = ORIGINAL(accept_fn, copy, name)(env, class, fd, from);   \
		rt_accept_end(env, &w, got >= 0 ? got : -1);                        \
		return got;                                                         \
	}
EACH_COPY(COPY, NETTY_ACCEPT)
#undef COPY

/* 0: there is a connection; -EINPROGRESS: there will be. */
static void end_connect(JNIEnv *env, const struct rt_await *w, jint fd, jint done)
{
	bool pending = done == -EINPROGRESS;

	rt_await_end(env, w,
		     done >= 0 || pending ? rt_channel_made(fd, RT_CHANNEL_CONNECT, pending) : 0);
}

#define COPY(copy, name)                                                                         \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd, jboolean v6, \
						jbyteArray address, jint scope, jint port)       \
	{                                                                                        \
		struct rt_await w;                                                               \
		rt_await_begin(env, &w, JWR_AWAIT_CONNECT, 0, false);                            \
		jint done = ORIGINAL(connect_fn, copy, name)(env, class, fd, v6, address, scope, \
							     port);                              \
		end_connect(env, &w, fd, done);                                                  \
		return done;                                                                     \
	}
EACH_COPY(COPY, NETTY_CONNECT)
#undef COPY

#define COPY(copy, name)                                                                 \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd,      \
						jbyteArray path)                         \
	{                                                                                \
		struct rt_await w;                                                       \
		rt_await_begin(env, &w, JWR_AWAIT_CONNECT, 0, false);                    \
		jint done = ORIGINAL(connect_unix_fn, copy, name)(env, class, fd, path); \
		end_connect(env, &w, fd, done);                                          \
		return done;                                                             \
	}
EACH_COPY(COPY, NETTY_CONNECT_UNIX)
#undef COPY

#define COPY(copy, name)                                                            \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint fd) \
	{                                                                           \
		jint done = ORIGINAL(of_fd_fn, copy, name)(env, class, fd);         \
		if (done >= 0)                                                      \
			rt_channel_connected(fd);                                   \
		return done;                                                        \
	}
EACH_COPY(COPY, NETTY_FINISH_CONNECT)
#undef COPY

/* ---- waits ---- */

typedef jint(JNICALL *epoll_wait_fn)(JNIEnv *env, jclass class, jint epoll, jlong events, jint n,
				     jint timeout);
typedef jint(JNICALL *epoll_wait_timer_fn)(JNIEnv *env, jclass class, jint epoll, jlong events,
					   jint n, jint timer, jint seconds, jint nanos);
typedef jlong(JNICALL *epoll_wait_timer_ms_fn)(JNIEnv *env, jclass class, jint epoll, jlong events,
					       jint n, jint timer, jint seconds, jint nanos,
					       jlong least_ms);

#define COPY(copy, name)                                                                       \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint epoll,         \
						jlong events, jint n, jint timeout)            \
	{                                                                                      \
		struct rt_await w = { 0 };                                                     \
		if (timeout != 0) /* else it does not wait */                                  \
			rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);                   \
		jint ready = ORIGINAL(epoll_wait_fn, copy, name)(env, class, epoll, events, n, \
								 timeout);                     \
		rt_await_end(env, &w, 0);                                                      \
		return ready;                                                                  \
	}
EACH_COPY(COPY, NETTY_EPOLL_WAIT)
#undef COPY

/* With a time of 0 it waits until something comes. */
#define COPY(copy, name)                                                                          \
	static jint JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint epoll,            \
						jlong events, jint n, jint timer, jint seconds,   \
						jint nanos)                                       \
	{                                                                                         \
		struct rt_await w;                                                                \
		rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);                              \
		jint ready = ORIGINAL(epoll_wait_timer_fn, copy, name)(env, class, epoll, events, \
								       n, timer, seconds, nanos); \
		rt_await_end(env, &w, 0);                                                         \
		return ready;                                                                     \
	}
EACH_COPY(COPY, NETTY_EPOLL_WAIT_TIMER)
#undef COPY

#define COPY(copy, name)                                                                         \
	static jlong JNICALL tap_##name##_##copy(JNIEnv *env, jclass class, jint epoll,          \
						 jlong events, jint n, jint timer, jint seconds, \
						 jint nanos, jlong least_ms)                     \
	{                                                                                        \
		struct rt_await w;                                                               \
		rt_await_begin(env, &w, JWR_AWAIT_SELECT, 0, false);                             \
		jlong ready = ORIGINAL(epoll_wait_timer_ms_fn, copy, name)(                      \
			env, class, epoll, events, n, timer, seconds, nanos, least_ms);          \
		rt_await_end(env, &w, 0);                                                        \
		return ready;                                                                    \
	}
EACH_COPY(COPY, NETTY_EPOLL_WAIT_TIMER_MS)
#undef COPY

/* ---- which of them ---- */

#define COPY(copy, name) [copy] = (rt_native_fn)tap_##name##_##copy,
#define TAP(name, ...)   [RT_TAP_##name] = { EACH_COPY(COPY, name) },
static const rt_native_fn taps[RT_TAP_FUNCTIONS][RT_NETTY_COPIES] = { RT_TAP_NETTY_LIST(TAP) };
#undef TAP
#undef COPY

rt_native_fn rt_netty_tap(enum rt_tap_function function, rt_native_fn original)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	rt_native_fn found = NULL;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; !found && i < RT_NETTY_COPIES; i++)
		if (!originals[i][function] || originals[i][function] == original) {
			originals[i][function] = original;
			found = taps[function][i];
		}
	pthread_mutex_unlock(&lock);
	return found;
}
