/*
 * taps_io.c: see taps_io.h.
 */
#include "runtime-jni/jvm/taps_io.h"

#include <stdatomic.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/stack_place.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/recorder/channels.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

static struct {
	jfieldID number;                /* FileDescriptor.fd */
	jfieldID input, output, random; /* the FileDescriptor of a stream; NULL: unknown */
	bool waits, sockets;            /* is `io` asked for? `net`? */
	atomic_bool closed;
} io;

bool rt_io_taps_prepare(JNIEnv *env, unsigned events)
{
	static const char of[] = "Ljava/io/FileDescriptor;";
	const struct {
		const char *class, *type;
		jfieldID *field;
	} fields[] = {
		{ "java/io/FileDescriptor", "I", &io.number },
		{ "java/io/FileInputStream", of, &io.input },
		{ "java/io/FileOutputStream", of, &io.output },
		{ "java/io/RandomAccessFile", of, &io.random },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
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
	io.waits = events & RT_EVENTS_IO;
	io.sockets = events & RT_EVENTS_NET;
	rt_channels_want(events & RT_EVENTS_NET, events & RT_EVENTS_FILE);
	return true;
}

void rt_io_taps_close(void)
{
	if (!io.number || atomic_exchange(&io.closed, true))
		return;
	rt_channels_end();
}

/* ---- descriptors ---- */

static int fd_of(JNIEnv *env, jobject descriptor)
{
	return descriptor ? (*env)->GetIntField(env, descriptor, io.number) : -1;
}

static int fd_in(JNIEnv *env, jobject stream, jfieldID field)
{
	jobject descriptor = (*env)->GetObjectField(env, stream, field);
	int fd = fd_of(env, descriptor);

	if (descriptor)
		(*env)->DeleteLocalRef(env, descriptor);
	return fd;
}

/* ---- telling ---- */

static bool tells(void)
{
	return rt_recording_now() && !atomic_load_explicit(&io.closed, memory_order_relaxed);
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

static void put_event(enum jwr_kind kind, uint64_t payload)
{
	rt_event(rt_recorder_clock(), kind, payload);
}

/* ---- what moves bytes ---- */

/* Something that is read or written. */
struct move {
	struct rt_channel *channel; /* NULL: nobody wants to know */
	uint32_t number;
	enum jwr_await what;
	enum rt_channel_way way;
	bool stream, told;
};

static void begin_move(struct move *m, int fd, enum jwr_await what)
{
	struct rt_channel *c = rt_channel_of(fd);

	m->channel = NULL;
	if (!c || !rt_recording())
		return;
	uint8_t kind = atomic_load_explicit(&c->kind, memory_order_acquire);

	if (kind == RT_CHANNEL_NEW)
		kind = (uint8_t)rt_channel_meet(c, fd);
	if (kind <= RT_CHANNEL_UNTOLD)
		return;
	m->channel = c;
	m->number = atomic_load_explicit(&c->number, memory_order_relaxed);
	m->what = what;
	m->way = what == JWR_AWAIT_READ ? RT_READ : RT_WRITTEN;
	m->stream = kind == RT_CHANNEL_STREAM;
	if (m->stream)
		atomic_store_explicit(&c->busy[m->way], true, memory_order_relaxed);
	m->told = tells();
	if (m->told)
		put_event(JWR_AWAIT, jwr_await(what, m->number));
}

/* N bytes of a stream have crossed: how many that makes; tells what was not told before. */
static uint64_t count(const struct move *m, uint64_t n)
{
	struct rt_channel *c = m->channel;

	atomic_store_explicit(&c->busy[m->way], false, memory_order_relaxed);
	if (atomic_load_explicit(&c->number, memory_order_relaxed) != m->number)
		return 0; /* it was closed meanwhile */
	uint64_t before =
		n ? atomic_fetch_add_explicit(&c->moved[m->way], n, memory_order_relaxed)
		  : atomic_load_explicit(&c->moved[m->way], memory_order_relaxed);

	if (!m->told || !n || !rt_recording_now())
		return before + n;
	if (atomic_load_explicit(&c->told[m->way], memory_order_relaxed) != before)
		put_event(JWR_OFFSET, before);
	atomic_store_explicit(&c->told[m->way], before + n, memory_order_relaxed);
	return before + n;
}

/* RESULT: bytes; or below 0, what the JDK makes of -1, interrupts and failures. */
static void end_move(JNIEnv *env, const struct move *m, int64_t result)
{
	if (!m->channel)
		return;
	jthrowable pending = result < 0 ? put_aside(env) : NULL;
	uint64_t n = result > 0 ? (uint64_t)result : 0, mark = m->stream ? count(m, n) : 0;

	if (m->told)
		put_event(JWR_AWAITED, jwr_awaited(m->what, n, mark));
	put_back(env, pending);
}

/* ---- waits ---- */

/* Where it is may take one part in so many of what the thread waits. */
#define PLACE_SHARE 128
#define PLACES_FREE 16

static _Thread_local struct {
	uint64_t waited, looked; /* ticks */
	uint32_t looks;
} waits;

struct wait {
	bool told;
	enum jwr_await what;
	uint64_t began;
};

static void tell_place(JNIEnv *env)
{
	uint64_t before = trace_tick_now(rt_recorder_clock());

	if (rt_recorder_mode() == RT_MODE_SUMMARY ||
	    (waits.looks >= PLACES_FREE && waits.looked > waits.waited / PLACE_SHARE))
		return;
	uint32_t place = rt_place(env);

	waits.looks++;
	waits.looked += trace_tick_now(rt_recorder_clock()) - before;
	if (place)
		put_event(JWR_PLACE, place);
}

/* ALWAYS: also on a thread that has logged nothing so far. */
static void begin_wait(JNIEnv *env, struct wait *w, enum jwr_await what, uint64_t number,
		       bool always)
{
	w->told = tells() && (always || rt_has_logged());
	if (!w->told)
		return;
	w->what = what;
	tell_place(env);
	w->began = trace_tick_now(rt_recorder_clock());
	put_event(JWR_AWAIT, jwr_await(what, number));
}

static void end_wait(JNIEnv *env, const struct wait *w, uint64_t came_of_it)
{
	if (!w->told)
		return;
	jthrowable pending = put_aside(env);

	waits.waited += trace_tick_now(rt_recorder_clock()) - w->began;
	put_event(JWR_AWAITED, jwr_awaited(w->what, came_of_it, 0));
	put_back(env, pending);
}

/* The number of FD, if it has one already. */
static uint32_t number_of(int fd)
{
	const struct rt_channel *c = rt_channel_of(fd);

	return c ? atomic_load_explicit(&c->number, memory_order_relaxed) : 0;
}

/* ---- natives that move bytes ---- */

#define ORIGINAL(type, name) ((type)rt_tap_original[RT_TAP_##name])

typedef jint(JNICALL *move_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n);
typedef jlong(JNICALL *move_all_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n);
typedef jint(JNICALL *move_at_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n,
				  jlong position);

static jint move(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, enum jwr_await what,
		 move_fn original)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), what);
	jint moved = original(env, class, fd, at, n);
	end_move(env, &m, moved);
	return moved;
}

static jlong move_all(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, enum jwr_await what,
		      move_all_fn original)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), what);
	jlong moved = original(env, class, fd, at, n);
	end_move(env, &m, moved);
	return moved;
}

static jint move_at(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, jlong position,
		    enum jwr_await what, move_at_fn original)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), what);
	jint moved = original(env, class, fd, at, n, position);
	end_move(env, &m, moved);
	return moved;
}

#define MOVE(name, what)                                                                     \
	static jint JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jlong at, jint n) \
	{                                                                                    \
		return move(env, class, fd, at, n, JWR_AWAIT_##what, ORIGINAL(move_fn, name)); \
	}
RT_TAP_MOVE_LIST(MOVE)
#undef MOVE

#define MOVE(name, what)                                                                      \
	static jlong JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jlong at, jint n) \
	{                                                                                     \
		return move_all(env, class, fd, at, n, JWR_AWAIT_##what,                      \
				ORIGINAL(move_all_fn, name));                                 \
	}
RT_TAP_MOVE_ALL_LIST(MOVE)
#undef MOVE

#define MOVE(name, what)                                                                     \
	static jint JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, \
				       jlong position)                                       \
	{                                                                                    \
		return move_at(env, class, fd, at, n, position, JWR_AWAIT_##what,            \
			       ORIGINAL(move_at_fn, name));                                  \
	}
RT_TAP_MOVE_AT_LIST(MOVE)
#undef MOVE

typedef jint(JNICALL *receive_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n,
				  jlong sender, jboolean connected);
typedef jint(JNICALL *send_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, jlong to,
			       jint to_n);

static jint JNICALL tap_DATAGRAM_RECEIVE(JNIEnv *env, jclass class, jobject fd, jlong at, jint n,
					 jlong sender, jboolean connected)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), JWR_AWAIT_READ);
	jint moved = ORIGINAL(receive_fn, DATAGRAM_RECEIVE)(env, class, fd, at, n, sender,
							     connected);
	end_move(env, &m, moved);
	return moved;
}

static jint JNICALL tap_DATAGRAM_SEND(JNIEnv *env, jclass class, jobject fd, jlong at, jint n,
				      jlong to, jint to_n)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), JWR_AWAIT_WRITE);
	jint moved = ORIGINAL(send_fn, DATAGRAM_SEND)(env, class, fd, at, n, to, to_n);
	end_move(env, &m, moved);
	return moved;
}

/* ---- from one to another ---- */

typedef jlong(JNICALL *transfer_old_fn)(JNIEnv *env, jobject channel, jobject from, jlong at,
					jlong n, jobject to);
typedef jlong(JNICALL *transfer_to_fn)(JNIEnv *env, jclass class, jobject from, jlong at, jlong n,
				       jobject to, jboolean append);
typedef jlong(JNICALL *transfer_from_fn)(JNIEnv *env, jclass class, jobject from, jobject to,
					 jlong at, jlong n, jboolean append);

/* What is read by one is written by the other. */
struct transfer {
	struct move from, to;
};

static void begin_transfer(JNIEnv *env, struct transfer *t, jobject from, jobject to)
{
	begin_move(&t->to, fd_of(env, to), JWR_AWAIT_WRITE);
	begin_move(&t->from, fd_of(env, from), JWR_AWAIT_READ);
}

static void end_transfer(JNIEnv *env, const struct transfer *t, jlong moved)
{
	end_move(env, &t->from, moved);
	end_move(env, &t->to, moved);
}

static jlong JNICALL tap_TRANSFER_OLD(JNIEnv *env, jobject channel, jobject from, jlong at, jlong n,
				      jobject to)
{
	struct transfer t;

	begin_transfer(env, &t, from, to);
	jlong moved = ORIGINAL(transfer_old_fn, TRANSFER_OLD)(env, channel, from, at, n, to);
	end_transfer(env, &t, moved);
	return moved;
}

static jlong JNICALL tap_TRANSFER_TO(JNIEnv *env, jclass class, jobject from, jlong at, jlong n,
				     jobject to, jboolean append)
{
	struct transfer t;

	begin_transfer(env, &t, from, to);
	jlong moved = ORIGINAL(transfer_to_fn, TRANSFER_TO)(env, class, from, at, n, to, append);
	end_transfer(env, &t, moved);
	return moved;
}

static jlong JNICALL tap_TRANSFER_FROM(JNIEnv *env, jclass class, jobject from, jobject to,
				       jlong at, jlong n, jboolean append)
{
	struct transfer t;

	begin_transfer(env, &t, from, to);
	jlong moved =
		ORIGINAL(transfer_from_fn, TRANSFER_FROM)(env, class, from, to, at, n, append);
	end_transfer(env, &t, moved);
	return moved;
}

/* ---- streams ---- */

typedef jint(JNICALL *stream_read_fn)(JNIEnv *env, jobject stream);
typedef jint(JNICALL *stream_read_bytes_fn)(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					    jint n);

static jint stream_read(JNIEnv *env, jobject stream, jfieldID field, stream_read_fn original)
{
	struct move m;

	begin_move(&m, fd_in(env, stream, field), JWR_AWAIT_READ);
	jint byte = original(env, stream);
	end_move(env, &m, byte >= 0 ? 1 : -1);
	return byte;
}

static jint stream_read_bytes(JNIEnv *env, jobject stream, jbyteArray bytes, jint at, jint n,
			      jfieldID field, stream_read_bytes_fn original)
{
	struct move m;

	begin_move(&m, fd_in(env, stream, field), JWR_AWAIT_READ);
	jint moved = original(env, stream, bytes, at, n);
	end_move(env, &m, moved);
	return moved;
}

#define FIELD_INPUT  io.input
#define FIELD_RANDOM io.random
#define READ(name, of)                                                                       \
	static jint JNICALL tap_##name(JNIEnv *env, jobject stream)                          \
	{                                                                                    \
		return stream_read(env, stream, FIELD_##of, ORIGINAL(stream_read_fn, name)); \
	}
RT_TAP_STREAM_READ_LIST(READ)
#undef READ

#define READ(name, of)                                                                    \
	static jint JNICALL tap_##name(JNIEnv *env, jobject stream, jbyteArray bytes, jint at, \
				       jint n)                                            \
	{                                                                                 \
		return stream_read_bytes(env, stream, bytes, at, n, FIELD_##of,           \
					 ORIGINAL(stream_read_bytes_fn, name));           \
	}
RT_TAP_STREAM_READ_BYTES_LIST(READ)
#undef READ

typedef void(JNICALL *output_write_fn)(JNIEnv *env, jobject stream, jint byte, jboolean append);
typedef void(JNICALL *output_write_bytes_fn)(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					     jint n, jboolean append);
typedef void(JNICALL *random_write_fn)(JNIEnv *env, jobject stream, jint byte);
typedef void(JNICALL *random_write_bytes_fn)(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					     jint n);

/* All N bytes were written, unless it has thrown. */
static void end_write(JNIEnv *env, const struct move *m, jint n)
{
	if (m->channel)
		end_move(env, m, (*env)->ExceptionCheck(env) ? -1 : n);
}

static void JNICALL tap_OUTPUT_WRITE(JNIEnv *env, jobject stream, jint byte, jboolean append)
{
	struct move m;

	begin_move(&m, fd_in(env, stream, io.output), JWR_AWAIT_WRITE);
	ORIGINAL(output_write_fn, OUTPUT_WRITE)(env, stream, byte, append);
	end_write(env, &m, 1);
}

static void JNICALL tap_OUTPUT_WRITE_BYTES(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					   jint n, jboolean append)
{
	struct move m;

	begin_move(&m, fd_in(env, stream, io.output), JWR_AWAIT_WRITE);
	ORIGINAL(output_write_bytes_fn, OUTPUT_WRITE_BYTES)(env, stream, bytes, at, n, append);
	end_write(env, &m, n);
}

static void JNICALL tap_RANDOM_WRITE(JNIEnv *env, jobject stream, jint byte)
{
	struct move m;

	begin_move(&m, fd_in(env, stream, io.random), JWR_AWAIT_WRITE);
	ORIGINAL(random_write_fn, RANDOM_WRITE)(env, stream, byte);
	end_write(env, &m, 1);
}

static void JNICALL tap_RANDOM_WRITE_BYTES(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					   jint n)
{
	struct move m;

	begin_move(&m, fd_in(env, stream, io.random), JWR_AWAIT_WRITE);
	ORIGINAL(random_write_bytes_fn, RANDOM_WRITE_BYTES)(env, stream, bytes, at, n);
	end_write(env, &m, n);
}

/* Of JDK 8 to 12. */
typedef jint(JNICALL *old_read_fn)(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
				   jint at, jint n, jint timeout);
typedef void(JNICALL *old_write_fn)(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
				    jint at, jint n);

static jint JNICALL tap_OLD_SOCKET_READ(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
					jint at, jint n, jint timeout)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), JWR_AWAIT_READ);
	jint moved = ORIGINAL(old_read_fn, OLD_SOCKET_READ)(env, stream, fd, bytes, at, n, timeout);
	end_move(env, &m, moved);
	return moved;
}

static void JNICALL tap_OLD_SOCKET_WRITE(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
					 jint at, jint n)
{
	struct move m;

	begin_move(&m, fd_of(env, fd), JWR_AWAIT_WRITE);
	ORIGINAL(old_write_fn, OLD_SOCKET_WRITE)(env, stream, fd, bytes, at, n);
	end_write(env, &m, n);
}

/* ---- what closes ---- */

typedef void(JNICALL *close_fn)(JNIEnv *env, jclass class, jobject fd);
typedef void(JNICALL *close_number_fn)(JNIEnv *env, jclass class, jint fd);
typedef void(JNICALL *close_descriptor_fn)(JNIEnv *env, jobject descriptor);
typedef void(JNICALL *close_lost_fn)(JNIEnv *env, jclass class, jint fd, jlong handle);

#define CLOSE(name, unused)                                                   \
	static void JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd) \
	{                                                                     \
		rt_channel_closes(fd_of(env, fd));                            \
		ORIGINAL(close_fn, name)(env, class, fd);                     \
	}
RT_TAP_CLOSE_LIST(CLOSE)
#undef CLOSE

static void JNICALL tap_CLOSE_NUMBER(JNIEnv *env, jclass class, jint fd)
{
	rt_channel_closes(fd);
	ORIGINAL(close_number_fn, CLOSE_NUMBER)(env, class, fd);
}

static void JNICALL tap_CLOSE_DESCRIPTOR(JNIEnv *env, jobject descriptor)
{
	rt_channel_closes(fd_of(env, descriptor));
	ORIGINAL(close_descriptor_fn, CLOSE_DESCRIPTOR)(env, descriptor);
}

static void JNICALL tap_CLOSE_LOST(JNIEnv *env, jclass class, jint fd, jlong handle)
{
	rt_channel_closes(fd);
	ORIGINAL(close_lost_fn, CLOSE_LOST)(env, class, fd, handle);
}

/* ---- what only waits ---- */

typedef jint(JNICALL *select_epoll_fn)(JNIEnv *env, jclass class, jint epoll, jlong at, jint n,
				       jint timeout);
typedef jint(JNICALL *select_poll_fn)(JNIEnv *env, jclass class, jlong at, jint n, jint timeout);
typedef jint(JNICALL *poll_fn)(JNIEnv *env, jclass class, jobject fd, jint events, jlong timeout);
typedef jboolean(JNICALL *poll_connect_fn)(JNIEnv *env, jclass class, jobject fd, jlong timeout);
typedef jint(JNICALL *accept_fn)(JNIEnv *env, jclass class, jobject fd, jobject fresh,
				 jobjectArray from);
typedef jint(JNICALL *connect_fn)(JNIEnv *env, jclass class, jboolean v6, jobject fd,
				  jobject address, jint port);
typedef jint(JNICALL *force_fn)(JNIEnv *env, jclass class, jobject fd, jboolean metadata);
typedef jint(JNICALL *child_fn)(JNIEnv *env, jclass class, jlong pid, jboolean reap);

static jint JNICALL tap_SELECT_EPOLL(JNIEnv *env, jclass class, jint epoll, jlong at, jint n,
				     jint timeout)
{
	struct wait w = { 0 };

	if (timeout != 0) /* else it does not wait */
		begin_wait(env, &w, JWR_AWAIT_SELECT, 0, false);
	jint ready = ORIGINAL(select_epoll_fn, SELECT_EPOLL)(env, class, epoll, at, n, timeout);
	end_wait(env, &w, 0);
	return ready;
}

static jint JNICALL tap_SELECT_POLL(JNIEnv *env, jclass class, jlong at, jint n, jint timeout)
{
	struct wait w = { 0 };

	if (timeout != 0)
		begin_wait(env, &w, JWR_AWAIT_SELECT, 0, false);
	jint ready = ORIGINAL(select_poll_fn, SELECT_POLL)(env, class, at, n, timeout);
	end_wait(env, &w, 0);
	return ready;
}

static jint JNICALL tap_POLL(JNIEnv *env, jclass class, jobject fd, jint events, jlong timeout)
{
	struct wait w = { 0 };

	if (timeout != 0)
		begin_wait(env, &w, JWR_AWAIT_POLL, number_of(fd_of(env, fd)), false);
	jint ready = ORIGINAL(poll_fn, POLL)(env, class, fd, events, timeout);
	end_wait(env, &w, 0);
	return ready;
}

static jboolean JNICALL tap_POLL_CONNECT(JNIEnv *env, jclass class, jobject fd, jlong timeout)
{
	struct rt_channel *c = rt_channel_of(fd_of(env, fd));
	struct wait w = { 0 };

	if (timeout != 0 && io.waits)
		begin_wait(env, &w, JWR_AWAIT_POLL, number_of(fd_of(env, fd)), false);
	jboolean done = ORIGINAL(poll_connect_fn, POLL_CONNECT)(env, class, fd, timeout);
	if (done && c && atomic_load(&c->kind) == RT_CHANNEL_NEW && atomic_load(&c->number))
		(void)rt_channel_meet(c, fd_of(env, fd));
	end_wait(env, &w, 0);
	return done;
}

/* A channel that others connect to is met so that it has a name. */
static void begin_accept(JNIEnv *env, struct wait *w, int fd)
{
	struct rt_channel *c = rt_channel_of(fd);

	if (c && atomic_load(&c->kind) == RT_CHANNEL_NEW)
		(void)rt_channel_meet(c, fd);
	begin_wait(env, w, JWR_AWAIT_ACCEPT, number_of(fd), false);
}

#define ACCEPT(name, unused)                                                                    \
	static jint JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jobject fresh,    \
				       jobjectArray from)                                       \
	{                                                                                       \
		struct wait w;                                                                  \
                                                                                                \
		begin_accept(env, &w, fd_of(env, fd));                                          \
		jint got = ORIGINAL(accept_fn, name)(env, class, fd, fresh, from);              \
		end_wait(env, &w,                                                               \
			 got > 0 ? rt_channel_made(fd_of(env, fresh), RT_CHANNEL_ACCEPT, false) \
				 : 0);                                                          \
		return got;                                                                     \
	}
RT_TAP_ACCEPT_LIST(ACCEPT)
#undef ACCEPT

#define IN_PROGRESS (-2) /* IOStatus.UNAVAILABLE */

static jint JNICALL tap_CONNECT(JNIEnv *env, jclass class, jboolean v6, jobject fd, jobject address,
				jint port)
{
	struct wait w;
	uint32_t number = 0;

	begin_wait(env, &w, JWR_AWAIT_CONNECT, 0, false);
	jint done = ORIGINAL(connect_fn, CONNECT)(env, class, v6, fd, address, port);
	if (done > 0 || done == IN_PROGRESS)
		number = rt_channel_made(fd_of(env, fd), RT_CHANNEL_CONNECT, done < 0);
	end_wait(env, &w, number);
	return done;
}

static jint JNICALL tap_FORCE(JNIEnv *env, jclass class, jobject fd, jboolean metadata)
{
	int number = fd_of(env, fd);
	struct rt_channel *c = rt_channel_of(number);
	struct wait w;

	if (c && atomic_load(&c->kind) == RT_CHANNEL_NEW)
		(void)rt_channel_meet(c, number);
	begin_wait(env, &w, JWR_AWAIT_FORCE, number_of(number), false);
	jint done = ORIGINAL(force_fn, FORCE)(env, class, fd, metadata);
	end_wait(env, &w, 0);
	return done;
}

static jint JNICALL tap_CHILD(JNIEnv *env, jclass class, jlong pid, jboolean reap)
{
	struct wait w;

	begin_wait(env, &w, JWR_AWAIT_CHILD, (uint64_t)pid, true);
	jint status = ORIGINAL(child_fn, CHILD)(env, class, pid, reap);
	end_wait(env, &w, 0);
	return status;
}

#define TAP(name, ...) [RT_TAP_##name] = (rt_native_fn)tap_##name,
const rt_native_fn rt_io_taps[RT_TAP_FUNCTIONS] = { RT_TAP_IO_LIST(TAP) };
#undef TAP
