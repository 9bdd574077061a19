/*
 * taps_io.c: what is called in place of natives that read and write, and of those that close.
 */
#include "runtime-jni/jvm/tap_functions.h"
#include "runtime-jni/jvm/taps_tell.h"

#include "base/banned.h"

#define ORIGINAL(type, name) ((type)rt_tap_original[RT_TAP_##name])

typedef jint(JNICALL *move_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n);
typedef jlong(JNICALL *move_all_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n);
typedef jint(JNICALL *move_at_fn)(JNIEnv *env, jclass class, jobject fd, jlong at, jint n,
				  jlong position);

static jint move(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, enum jwr_await what,
		 move_fn original)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_of(env, fd), what);
	jint moved = original(env, class, fd, at, n);
	rt_move_end(env, &m, moved);
	return moved;
}

static jlong move_all(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, enum jwr_await what,
		      move_all_fn original)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_of(env, fd), what);
	jlong moved = original(env, class, fd, at, n);
	rt_move_end(env, &m, moved);
	return moved;
}

#define MOVE(name, what)                                                                        \
	static jint JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jlong at, jint n) \
	{                                                                                       \
		return move(env, class, fd, at, n, JWR_AWAIT_##what, ORIGINAL(move_fn, name));  \
	}
RT_TAP_MOVE_LIST(MOVE)
#undef MOVE

#define MOVE(name, what)                                                                         \
	static jlong JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jlong at, jint n) \
	{                                                                                        \
		return move_all(env, class, fd, at, n, JWR_AWAIT_##what,                         \
				ORIGINAL(move_all_fn, name));                                    \
	}
RT_TAP_MOVE_ALL_LIST(MOVE)
#undef MOVE

#define MOVE(name, what)                                                                        \
	static jint JNICALL tap_##name(JNIEnv *env, jclass class, jobject fd, jlong at, jint n, \
				       jlong position)                                          \
	{                                                                                       \
		struct rt_move m;                                                               \
		rt_move_begin(&m, rt_fd_of(env, fd), JWR_AWAIT_##what);                         \
		jint moved = ORIGINAL(move_at_fn, name)(env, class, fd, at, n, position);       \
		rt_move_end(env, &m, moved);                                                    \
		return moved;                                                                   \
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
	struct rt_move m;

	rt_move_begin(&m, rt_fd_of(env, fd), JWR_AWAIT_READ);
	jint moved =
		ORIGINAL(receive_fn, DATAGRAM_RECEIVE)(env, class, fd, at, n, sender, connected);
	rt_move_end(env, &m, moved);
	return moved;
}

static jint JNICALL tap_DATAGRAM_SEND(JNIEnv *env, jclass class, jobject fd, jlong at, jint n,
				      jlong to, jint to_n)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_of(env, fd), JWR_AWAIT_WRITE);
	jint moved = ORIGINAL(send_fn, DATAGRAM_SEND)(env, class, fd, at, n, to, to_n);
	rt_move_end(env, &m, moved);
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
	struct rt_move from, to;
};

static void begin_transfer(JNIEnv *env, struct transfer *t, jobject from, jobject to)
{
	rt_move_begin(&t->to, rt_fd_of(env, to), JWR_AWAIT_WRITE);
	rt_move_begin(&t->from, rt_fd_of(env, from), JWR_AWAIT_READ);
}

static void end_transfer(JNIEnv *env, const struct transfer *t, jlong moved)
{
	rt_move_end(env, &t->from, moved);
	rt_move_end(env, &t->to, moved);
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

/* Which descriptor it is matters where the read takes long. */
static void begin_stream_read(JNIEnv *env, struct rt_move *m, jobject stream, jfieldID field)
{
	rt_move_begin(m, rt_fd_in(env, stream, field), JWR_AWAIT_READ);
	if (m->since) {
		m->of = stream;
		m->field = field;
	}
}

static jint stream_read(JNIEnv *env, jobject stream, jfieldID field, stream_read_fn original)
{
	struct rt_move m;

	begin_stream_read(env, &m, stream, field);
	jint byte = original(env, stream);
	rt_move_end(env, &m, byte >= 0 ? 1 : -1);
	return byte;
}

static jint stream_read_bytes(JNIEnv *env, jobject stream, jbyteArray bytes, jint at, jint n,
			      jfieldID field, stream_read_bytes_fn original)
{
	struct rt_move m;

	begin_stream_read(env, &m, stream, field);
	jint moved = original(env, stream, bytes, at, n);
	rt_move_end(env, &m, moved);
	return moved;
}

#define FIELD_INPUT  rt_io.input
#define FIELD_RANDOM rt_io.random
#define READ(name, of)                                                                       \
	static jint JNICALL tap_##name(JNIEnv *env, jobject stream)                          \
	{                                                                                    \
		return stream_read(env, stream, FIELD_##of, ORIGINAL(stream_read_fn, name)); \
	}
RT_TAP_STREAM_READ_LIST(READ)
#undef READ

#define READ(name, of)                                                                         \
	static jint JNICALL tap_##name(JNIEnv *env, jobject stream, jbyteArray bytes, jint at, \
				       jint n)                                                 \
	{                                                                                      \
		return stream_read_bytes(env, stream, bytes, at, n, FIELD_##of,                \
					 ORIGINAL(stream_read_bytes_fn, name));                \
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
static void end_write(JNIEnv *env, const struct rt_move *m, jint n)
{
	if (m->channel)
		rt_move_end(env, m, (*env)->ExceptionCheck(env) ? -1 : n);
}

static void JNICALL tap_OUTPUT_WRITE(JNIEnv *env, jobject stream, jint byte, jboolean append)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_in(env, stream, rt_io.output), JWR_AWAIT_WRITE);
	ORIGINAL(output_write_fn, OUTPUT_WRITE)(env, stream, byte, append);
	end_write(env, &m, 1);
}

static void JNICALL tap_OUTPUT_WRITE_BYTES(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					   jint n, jboolean append)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_in(env, stream, rt_io.output), JWR_AWAIT_WRITE);
	ORIGINAL(output_write_bytes_fn, OUTPUT_WRITE_BYTES)(env, stream, bytes, at, n, append);
	end_write(env, &m, n);
}

static void JNICALL tap_RANDOM_WRITE(JNIEnv *env, jobject stream, jint byte)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_in(env, stream, rt_io.random), JWR_AWAIT_WRITE);
	ORIGINAL(random_write_fn, RANDOM_WRITE)(env, stream, byte);
	end_write(env, &m, 1);
}

static void JNICALL tap_RANDOM_WRITE_BYTES(JNIEnv *env, jobject stream, jbyteArray bytes, jint at,
					   jint n)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_in(env, stream, rt_io.random), JWR_AWAIT_WRITE);
	ORIGINAL(random_write_bytes_fn, RANDOM_WRITE_BYTES)(env, stream, bytes, at, n);
	end_write(env, &m, n);
}

/* Of JDK 8 to 12, as below. */
typedef jint(JNICALL *old_read_fn)(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
				   jint at, jint n, jint timeout);
typedef void(JNICALL *old_write_fn)(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
				    jint at, jint n);

static jint JNICALL tap_OLD_SOCKET_READ(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
					jint at, jint n, jint timeout)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_of(env, fd), JWR_AWAIT_READ);
	jint moved = ORIGINAL(old_read_fn, OLD_SOCKET_READ)(env, stream, fd, bytes, at, n, timeout);
	rt_move_end(env, &m, moved);
	return moved;
}

static void JNICALL tap_OLD_SOCKET_WRITE(JNIEnv *env, jobject stream, jobject fd, jbyteArray bytes,
					 jint at, jint n)
{
	struct rt_move m;

	rt_move_begin(&m, rt_fd_of(env, fd), JWR_AWAIT_WRITE);
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
		rt_channel_closes(rt_fd_of(env, fd));                         \
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
	rt_channel_closes(rt_fd_of(env, descriptor));
	ORIGINAL(close_descriptor_fn, CLOSE_DESCRIPTOR)(env, descriptor);
}

typedef void(JNICALL *old_close_fn)(JNIEnv *env, jobject socket, jboolean later);

static void JNICALL tap_OLD_SOCKET_CLOSE(JNIEnv *env, jobject socket, jboolean later)
{
	rt_channel_closes(rt_fd_of_socket(env, socket));
	ORIGINAL(old_close_fn, OLD_SOCKET_CLOSE)(env, socket, later);
}

static void JNICALL tap_OLD_SOCKET_CLOSE_LOST(JNIEnv *env, jclass class, jint fd)
{
	rt_channel_closes(fd);
	ORIGINAL(close_number_fn, OLD_SOCKET_CLOSE_LOST)(env, class, fd);
}

static void JNICALL tap_CLOSE_LOST(JNIEnv *env, jclass class, jint fd, jlong handle)
{
	rt_channel_closes(fd);
	ORIGINAL(close_lost_fn, CLOSE_LOST)(env, class, fd, handle);
}

#define TAP(name, ...) [RT_TAP_##name] = (rt_native_fn)tap_##name,
const rt_native_fn rt_io_taps[RT_TAP_FUNCTIONS] = { RT_TAP_IO_LIST(TAP) };
#undef TAP
