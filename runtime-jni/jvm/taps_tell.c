/*
 * taps_tell.c: see taps_tell.h.
 */
#include "runtime-jni/jvm/taps_tell.h"

#include <stdatomic.h>
#include <sys/epoll.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/stack_place.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/jvm/waiter.h"
#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/channels.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/early.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/short_waits.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

struct rt_io rt_io;

/* How channels are told whose bytes the GROUP of events counts. CLOSES_SEEN: else what a descriptor was it may be no
 * longer. */
static enum rt_channels how_of(unsigned events, unsigned group, bool closes_seen)
{
	if (events & group)
		return RT_CHANNELS_COUNTED;
	return events & RT_EVENTS_IO && closes_seen && rt_recorder.mode != RT_MODE_SUMMARY
		       ? RT_CHANNELS_NAMED
		       : RT_CHANNELS_UNTOLD;
}

bool rt_io_taps_prepare(JNIEnv *env, unsigned events, int version)
{
	enum { FILE_CLOSES = 11, OLD_SOCKETS_END = 13 };
	static const char of[] = "Ljava/io/FileDescriptor;";
	const struct {
		const char *class, *type;
		jfieldID *field;
	} fields[] = {
		{ "java/io/FileDescriptor", "I", &rt_io.number },
		{ "java/io/FileInputStream", of, &rt_io.input },
		{ "java/io/FileOutputStream", of, &rt_io.output },
		{ "java/io/RandomAccessFile", of, &rt_io.random },
		{ "java/net/SocketImpl", of, &rt_io.old_socket },
	};
	const size_t count = sizeof(fields) / sizeof(*fields) - (version >= OLD_SOCKETS_END);

	for (size_t i = 0; i < count; i++) {
		jclass class = (*env)->FindClass(env, fields[i].class);

		if (class)
			*fields[i].field = rt_jvm_field(env, class, "fd", fields[i].type);
		else
			(*env)->ExceptionClear(env);
		if (class)
			(*env)->DeleteLocalRef(env, class);
		if (!*fields[i].field)
			return false;
	}
	rt_io.waits = events & RT_EVENTS_IO;
	rt_io.children = events & RT_EVENTS_PROCESS;
	rt_io.moves = events & (RT_EVENTS_NET | RT_EVENTS_FILE);
	rt_channels_want(how_of(events, RT_EVENTS_NET, true),
			 how_of(events, RT_EVENTS_FILE, version >= FILE_CLOSES));
	return true;
}

void rt_io_taps_close(void)
{
	if (!rt_io.number || atomic_exchange(&rt_io.closed, true))
		return;
	rt_channels_end();
}

/* ---- descriptors ---- */

static int fd_in(JNIEnv *env, jobject stream, jfieldID field)
{
	jobject descriptor = (*env)->GetObjectField(env, stream, field);
	int fd = rt_fd_of(env, descriptor);

	if (descriptor)
		(*env)->DeleteLocalRef(env, descriptor);
	return fd;
}

int rt_fd_in(JNIEnv *env, jobject stream, jfieldID field)
{
	return rt_io.moves ? fd_in(env, stream, field) : -1; /* nobody asks which it is */
}

int rt_fd_of_socket(JNIEnv *env, jobject socket)
{
	return fd_in(env, socket, rt_io.old_socket);
}

/* ---- telling ---- */

#define COLD __attribute__((cold, noinline))

static inline bool tells(void)
{
	return rt_recording_now() && !atomic_load_explicit(&rt_io.closed, memory_order_relaxed);
}

/* What the recorder may ask the VM it must not with an exception pending. */
static jthrowable put_aside(JNIEnv *env)
{
	jthrowable pending = (*env)->ExceptionCheck(env) ? (*env)->ExceptionOccurred(env) : NULL;

	if (pending)
		(*env)->ExceptionClear(env);
	return pending;
}

static void put_back(JNIEnv *env, jthrowable pending)
{
	if (!pending)
		return;
	(void)(*env)->Throw(env, pending);
	(*env)->DeleteLocalRef(env, pending);
}

static COLD void put_event_slowly(enum jwr_kind kind, uint64_t payload)
{
	rt_event(rt_recorder.clock, kind, payload);
}

/* Where the clock is read without a call, and there is room. */
static inline bool try_event(enum jwr_kind kind, uint64_t payload)
{
	return __builtin_expect(rt_recorder.clock == RT_FAST_CLOCK, 1) &&
	       rt_try_event(RT_FAST_CLOCK, kind, payload);
}

static inline void put_event(enum jwr_kind kind, uint64_t payload)
{
	if (!try_event(kind, payload))
		put_event_slowly(kind, payload);
}

/* The same at the end of something, where an exception may be pending. */
static COLD void put_end_slowly(JNIEnv *env, enum jwr_kind kind, uint64_t payload)
{
	jthrowable pending = put_aside(env);

	put_event_slowly(kind, payload);
	put_back(env, pending);
}

static inline void put_end(JNIEnv *env, enum jwr_kind kind, uint64_t payload)
{
	if (!try_event(kind, payload))
		put_end_slowly(env, kind, payload);
}

/* ---- reads that take long ---- */

/* 20 to 30 us where ticks are fast, else some milliseconds. What is there already is read in less. A
 * virtual thread does not wait in a read: the JDK lets it park. */
#define LONG_TICKS (1 << 16)

static void begin_read(struct rt_move *m)
{
	bool early = rt_early_wanted();

	if (!rt_io.waits || rt_tls.mounted ||
	    atomic_load_explicit(&rt_io.closed, memory_order_relaxed) ||
	    !(early || (tells() && rt_is_told())))
		return;
	m->early = early;
	m->told = !early && rt_recorder.mode == RT_MODE_SUMMARY;
	m->pauses = rt_pauses();
	if (early)
		rt_early_begins(JWR_AWAIT, jwr_await(JWR_AWAIT_READ, 0));
	else if (m->told)
		put_event(JWR_AWAIT, jwr_await(JWR_AWAIT_READ, 0));
	m->since = early || m->told
			   ? trace_tick_now(rt_recorder.clock)
			   : rt_expect_late(JWR_AWAIT, jwr_await(JWR_AWAIT_READ, 0), m->fd);
}

static void tell_read(JNIEnv *env, const struct rt_move *m, int64_t result, uint64_t now)
{
	enum { END_OF_FILE = -1 };
	uint32_t place = m->told ? 0 : rt_place(env);
	int fd = m->fd < 0 && m->of ? fd_in(env, m->of, m->field) : m->fd;
	/* of one that failed, or was interrupted, the descriptor may be something else by now */
	uint32_t number = result >= END_OF_FILE ? rt_channel_met(fd) : 0;

	if (m->early && rt_channel_is_own(fd)) {
		rt_early_was_nothing();
		return;
	}
	if (m->early) {
		rt_early_ends(JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 0, 0), place);
		return;
	}
	if (m->told) {
		put_event(JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 0, 0));
		return;
	}
	if (rt_channel_is_own(fd))
		return;
	rt_short_waits_told(m->since);
	if (place)
		rt_event_late(m->since, JWR_PLACE, place);
	rt_event_late(m->since, JWR_AWAIT, jwr_await(JWR_AWAIT_READ, number));
	rt_event_late(now, JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 0, 0));
}

static void end_read(JNIEnv *env, const struct rt_move *m, int64_t result)
{
	uint64_t now = trace_tick_now(rt_recorder.clock), least = rt_budget_least_wait();

	if (!m->told && !m->early)
		rt_expect_no_more();
	if (!m->told && now - m->since < (least > LONG_TICKS ? least : LONG_TICKS)) {
		if (m->early)
			rt_early_was_nothing();
		else if (now - m->since >= LONG_TICKS && rt_recording_now())
			rt_short_wait(now, now - m->since, least, true);
		return;
	}
	if (!rt_recording_now() || m->pauses != rt_pauses())
		return;
	jthrowable pending = put_aside(env);

	tell_read(env, m, result, now);
	put_back(env, pending);
}

/* ---- what moves bytes ---- */

/* What is read or written is not told so far: KIND is what is known of the channel C, which is FD. What
 * it is. */
static uint8_t meet(struct rt_move *m, struct rt_channel *c, int fd, enum jwr_await what,
		    uint8_t kind)
{
	if (kind == RT_CHANNEL_NEW && rt_state_now() == RT_RUN)
		kind = (uint8_t)rt_channel_meet(c, fd);
	if (kind <= RT_CHANNEL_NAMED && what == JWR_AWAIT_READ) {
		m->fd = fd;
		m->of = NULL;
		begin_read(m);
	}
	return kind;
}

/* Between the begin and the end of a read or a write the kernel has filled the caches with its own:
 * so there are few lines, of code and of data, on the way. */
void rt_move_begin(struct rt_move *m, int fd, enum jwr_await what)
{
	struct rt_channel *c = rt_io.moves ? rt_channel_of(fd) : NULL;
	uint8_t kind = c ? atomic_load_explicit(&c->kind, memory_order_acquire) : RT_CHANNEL_UNTOLD;

	if (__builtin_expect(rt_tls.mounted != 0, 0))
		rt_virtual_polls(-1);
	m->channel = NULL;
	m->since = 0;
	if (__builtin_expect(kind <= RT_CHANNEL_NAMED, 0))
		kind = meet(m, c, fd, what, kind);
	if (kind <= RT_CHANNEL_NAMED || rt_state_now() != RT_RUN)
		return;
	m->channel = c;
	m->number = atomic_load_explicit(&c->number, memory_order_relaxed);
	m->what = what;
	m->way = what == JWR_AWAIT_READ ? RT_READ : RT_WRITTEN;
	m->stream = kind == RT_CHANNEL_STREAM;
	if (m->stream)
		atomic_store_explicit(&c->busy[m->way], true, memory_order_relaxed);
	m->told = tells();
	m->pauses = rt_pauses();
	if (m->told)
		put_event(JWR_AWAIT, jwr_await(what, m->number));
}

/* Is what began still told? Where recording was paused it was cut. */
static inline bool tells_end(const struct rt_move *m)
{
	return m->told && rt_recording_now() && m->pauses == rt_pauses();
}

/* N bytes of a stream have crossed: how many that makes; tells (TOLD) what was not told before. */
static inline uint64_t count(const struct rt_move *m, uint64_t n, bool told)
{
	struct rt_channel *c = m->channel;

	atomic_store_explicit(&c->busy[m->way], false, memory_order_relaxed);
	if (atomic_load_explicit(&c->number, memory_order_relaxed) != m->number)
		return 0; /* it was closed meanwhile */
	uint64_t before = n ? atomic_fetch_add_explicit(&c->moved[m->way], n, memory_order_relaxed)
			    : atomic_load_explicit(&c->moved[m->way], memory_order_relaxed);

	if (!n || !told)
		return before + n;
	if (__builtin_expect(atomic_load_explicit(&c->told[m->way], memory_order_relaxed) != before,
			     0))
		put_event_slowly(JWR_OFFSET, before);
	atomic_store_explicit(&c->told[m->way], before + n, memory_order_relaxed);
	return before + n;
}

void rt_move_end(JNIEnv *env, const struct rt_move *m, int64_t result)
{
	if (__builtin_expect(m->since != 0, 0))
		end_read(env, m, result);
	if (!m->channel)
		return;
	uint64_t n = result > 0 ? (uint64_t)result : 0;
	bool told = tells_end(m);
	uint64_t mark = m->stream ? count(m, n, told) : 0;

	if (told)
		put_end(env, JWR_AWAITED, jwr_awaited(m->what, n, mark));
}

/* ---- waits ---- */

void rt_await_begin(JNIEnv *env, struct rt_await *w, enum jwr_await what, uint64_t number,
		    bool always)
{
	w->told = tells() && (always || rt_is_told());
	w->early = !w->told && rt_early_wanted() &&
		   !atomic_load_explicit(&rt_io.closed, memory_order_relaxed);
	w->what = what;
	if (w->early)
		rt_early_begins(JWR_AWAIT, jwr_await(what, number));
	if (!w->told)
		return;
	uint64_t now = trace_tick_now(rt_recorder.clock);
	uint32_t place = rt_recorder.mode == RT_MODE_SUMMARY
				 ? 0
				 : rt_waiter_place(env, jwr_await(what, number),
						   __builtin_frame_address(0), now);

	rt_placed_event_at(now, place, JWR_AWAIT, jwr_await(what, number));
}

static COLD void end_early(JNIEnv *env, const struct rt_await *w, uint64_t came_of_it)
{
	jthrowable pending = put_aside(env);

	rt_early_ends(JWR_AWAITED, jwr_awaited(w->what, came_of_it, 0), rt_early_place(env));
	put_back(env, pending);
}

void rt_await_end(JNIEnv *env, const struct rt_await *w, uint64_t came_of_it)
{
	if (w->told)
		put_end(env, JWR_AWAITED, jwr_awaited(w->what, came_of_it, 0));
	else if (w->early)
		end_early(env, w, came_of_it);
}

/* ---- selectors that are woken ---- */

/* A bit for each descriptor that has been a waker. It may be something else by now: then no WAKE has
 * its number during a select. */
#define WAKERS 65536
static _Atomic uint64_t wakers[WAKERS / 64];

static bool is_waker(int fd)
{
	return fd >= 0 && fd < WAKERS &&
	       atomic_load_explicit(&wakers[fd / 64], memory_order_relaxed) >> fd % 64 & 1;
}

void rt_wake(int fd)
{
	if (!rt_io.waits || !rt_is_told() || !tells() || rt_recorder.mode == RT_MODE_SUMMARY ||
	    fd < 0 || fd >= WAKERS)
		return;
	if (!is_waker(fd))
		atomic_fetch_or(&wakers[fd / 64], UINT64_C(1) << fd % 64);
	rt_event(rt_recorder.clock, JWR_WAKE, (uint64_t)fd + 1);
}

void rt_select_end(JNIEnv *env, const struct rt_await *w, int64_t events, int ready, int most)
{
	const struct epoll_event *e = (const struct epoll_event *)(uintptr_t)events;
	uint64_t waker = 0;

	if (!w->told && !w->early)
		return;
	for (int i = 0; i < ready && i < most && !waker; i++)
		if (is_waker(e[i].data.fd))
			waker = (uint64_t)e[i].data.fd + 1;
	rt_await_end(env, w, waker);
}

uint32_t rt_channel_counted(int fd)
{
	const struct rt_channel *c = rt_channel_of(fd);

	return c && atomic_load_explicit(&c->kind, memory_order_acquire) > RT_CHANNEL_NAMED
		       ? atomic_load_explicit(&c->number, memory_order_relaxed)
		       : 0;
}

uint32_t rt_channel_number(int fd)
{
	const struct rt_channel *c = rt_channel_of(fd);

	return c ? atomic_load_explicit(&c->number, memory_order_relaxed) : 0;
}

void rt_accept_begin(JNIEnv *env, struct rt_await *w, int fd)
{
	rt_virtual_polls(-1);
	rt_await_begin(env, w, JWR_AWAIT_ACCEPT, rt_channel_met(fd), false);
}

void rt_accept_end(JNIEnv *env, const struct rt_await *w, int made)
{
	rt_await_end(env, w, made >= 0 ? rt_channel_made(made, RT_CHANNEL_ACCEPT, false) : 0);
}

void rt_channel_connected(int fd)
{
	struct rt_channel *c = rt_channel_of(fd);

	if (c && atomic_load(&c->kind) == RT_CHANNEL_NEW && atomic_load(&c->number))
		(void)rt_channel_meet(c, fd);
}
