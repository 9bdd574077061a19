/*
 * copy.c: natives of the names and forms that netty's own transport has, of one copy of it: PREFIX is what its package
 * begins with. They do with descriptors what netty's do; what Help has, nobody taps. MORE bytes make libraries of
 * several sizes, which are not loaded at one address.
 */
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/banned.h"

char more[MORE] = { 1 };

static jlong or_errno(ssize_t n)
{
	return n < 0 ? -(jlong)errno : (jlong)n;
}

static char *bytes_of(JNIEnv *env, jobject buffer)
{
	return (*env)->GetDirectBufferAddress(env, buffer);
}

/* ---- FileDescriptor, Socket ---- */

static jint take(JNIEnv *env, jclass class, jint fd, jlong address, jint at, jint end)
{
	(void)env, (void)class;
	return (jint)or_errno(read(fd, (char *)(intptr_t)address + at, (size_t)(end - at)));
}

static jint give(JNIEnv *env, jclass class, jint fd, jlong address, jint at, jint end)
{
	(void)env, (void)class;
	return (jint)or_errno(write(fd, (char *)(intptr_t)address + at, (size_t)(end - at)));
}

static jint take_buffer(JNIEnv *env, jclass class, jint fd, jobject buffer, jint at, jint end)
{
	return take(env, class, fd, (jlong)(intptr_t)bytes_of(env, buffer), at, end);
}

static jint give_buffer(JNIEnv *env, jclass class, jint fd, jobject buffer, jint at, jint end)
{
	return give(env, class, fd, (jlong)(intptr_t)bytes_of(env, buffer), at, end);
}

/* Half of what is to be written from each of two buffers. */
static jlong give_buffers(JNIEnv *env, jclass class, jint fd, jobjectArray buffers, jint at, jint n,
			  jlong most)
{
	struct iovec v[2];

	(void)class, (void)n;
	for (int i = 0; i < 2; i++)
		v[i] = (struct iovec){ bytes_of(env, (*env)->GetObjectArrayElement(env, buffers,
										   at + i)),
				       (size_t)most / 2 };
	return or_errno(writev(fd, v, 2));
}

static jlong give_addresses(JNIEnv *env, jclass class, jint fd, jlong address, jint n)
{
	(void)env, (void)class;
	return or_errno(writev(fd, (struct iovec *)(intptr_t)address, n));
}

static jlong send_file(JNIEnv *env, jclass class, jint fd, jobject region, jlong base, jlong at,
		       jlong n)
{
	static const char zeros[4096];

	(void)env, (void)class, (void)region, (void)base, (void)at;
	return or_errno(write(fd, zeros, (size_t)n));
}

static jint shut(JNIEnv *env, jclass class, jint fd)
{
	(void)env, (void)class;
	return (jint)or_errno(close(fd));
}

static jint take_connection(JNIEnv *env, jclass class, jint fd, jbyteArray from)
{
	(void)env, (void)class, (void)from;
	return (jint)or_errno(accept(fd, NULL, NULL));
}

static jint connect_v4(JNIEnv *env, jclass class, jint fd, jboolean v6, jbyteArray address,
		       jint scope, jint port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	(void)class, (void)v6, (void)scope;
	(*env)->GetByteArrayRegion(env, address, 0, 4, (jbyte *)&a.sin_addr);
	return (jint)or_errno(connect(fd, (struct sockaddr *)&a, sizeof(a)));
}

static jint connect_unix(JNIEnv *env, jclass class, jint fd, jbyteArray path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	(void)class;
	(*env)->GetByteArrayRegion(env, path, 0, (*env)->GetArrayLength(env, path),
				   (jbyte *)a.sun_path);
	return (jint)or_errno(connect(fd, (struct sockaddr *)&a, sizeof(a)));
}

static jint connected(JNIEnv *env, jclass class, jint fd)
{
	int failed = 0;
	socklen_t n = sizeof(failed);

	(void)env, (void)class;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &n) != 0)
		failed = errno;
	return -failed;
}

/* ---- Native ---- */

static jint wait_ms(JNIEnv *env, jclass class, jint epoll, jlong events, jint n, jint timeout)
{
	(void)env, (void)class;
	return (jint)or_errno(
		epoll_wait(epoll, (struct epoll_event *)(intptr_t)events, n, timeout));
}

static jint wait_timer(JNIEnv *env, jclass class, jint epoll, jlong events, jint n, jint timer,
		       jint seconds, jint nanos)
{
	(void)timer;
	return wait_ms(env, class, epoll, events, n, seconds * 1000 + nanos / 1000000);
}

static jlong wait_timer_ms(JNIEnv *env, jclass class, jint epoll, jlong events, jint n, jint timer,
			   jint seconds, jint nanos, jlong least_ms)
{
	(void)least_ms;
	return (jlong)wait_timer(env, class, epoll, events, n, timer, seconds, nanos) << 32;
}

static void wake(JNIEnv *env, jclass class, jint fd, jlong value)
{
	(void)env, (void)class;
	if (write(fd, &value, sizeof(value)) != (ssize_t)sizeof(value))
		abort();
}

/* What is waited for is over in 5 ms. */
static jint enter_ring(JNIEnv *env, jclass class, jint ring, jint submitted, jint least, jint flags)
{
	(void)env, (void)class, (void)ring, (void)flags;
	if (least)
		usleep(5000);
	return submitted;
}

/* ---- Help ---- */

static jint make_socket(JNIEnv *env, jclass class, jboolean unix_one, jboolean waits)
{
	(void)env, (void)class;
	return socket(unix_one ? AF_UNIX : AF_INET, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK), 0);
}

/* Listens on the loopback; its port. */
static jint listen_v4(JNIEnv *env, jclass class, jint fd)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);

	(void)env, (void)class;
	if (bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 || listen(fd, 5) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &n) != 0)
		return -errno;
	return ntohs(a.sin_port);
}

static jint listen_unix(JNIEnv *env, jclass class, jint fd, jbyteArray path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	(void)class;
	(*env)->GetByteArrayRegion(env, path, 0, (*env)->GetArrayLength(env, path),
				   (jbyte *)a.sun_path);
	return bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 || listen(fd, 5) != 0 ? -errno : 0;
}

static jint make_epoll(JNIEnv *env, jclass class)
{
	(void)env, (void)class;
	return epoll_create1(0);
}

static jint make_waker(JNIEnv *env, jclass class, jint epoll)
{
	int fd = eventfd(0, EFD_NONBLOCK);
	struct epoll_event e = { .events = EPOLLIN | EPOLLET, .data.fd = fd };

	(void)env, (void)class;
	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) == 0 ? fd : -errno;
}

/* Memory of N bytes, or (PIECES) the iovecs of two of its halves. */
static jlong memory(JNIEnv *env, jclass class, jint n, jboolean pieces)
{
	char *bytes = calloc(1, (size_t)n);
	struct iovec *v = calloc(2, sizeof(*v));

	(void)env, (void)class;
	if (!bytes || !v)
		abort();
	v[0] = (struct iovec){ bytes, (size_t)n / 2 };
	v[1] = (struct iovec){ bytes + n / 2, (size_t)n / 2 };
	return (jlong)(intptr_t)(pieces ? (void *)v : (void *)bytes);
}

#define IN(package) PREFIX "io/netty/channel/" package
#define N(name, signature, function)                                        \
	{                                                                   \
		(char *)name, (char *)signature, (void *)(intptr_t)function \
	}

static const struct {
	const char *class;
	int count;
	JNINativeMethod natives[8];
} all[] = {
	{ IN("epoll/Native"),
	  4,
	  { N("eventFdWrite", "(IJ)V", wake), N("epollWait", "(IJII)I", wait_ms),
	    N("epollWait0", "(IJIIII)I", wait_timer),
	    N("epollWait0", "(IJIIIIJ)J", wait_timer_ms) } },
	{ IN("uring/Native"), 1, { N("ioUringEnter", "(IIII)I", enter_ring) } },
	{ IN("epoll/LinuxSocket"),
	  1,
	  { N("sendFile", "(IL" IN("DefaultFileRegion") ";JJJ)J", send_file) } },
	{ IN("unix/FileDescriptor"),
	  7,
	  { N("read", "(ILjava/nio/ByteBuffer;II)I", take_buffer),
	    N("readAddress", "(IJII)I", take),
	    N("write", "(ILjava/nio/ByteBuffer;II)I", give_buffer),
	    N("writeAddress", "(IJII)I", give),
	    N("writev", "(I[Ljava/nio/ByteBuffer;IIJ)J", give_buffers),
	    N("writevAddresses", "(IJI)J", give_addresses), N("close", "(I)I", shut) } },
	{ IN("unix/Socket"),
	  8,
	  { N("accept", "(I[B)I", take_connection), N("connect", "(IZ[BII)I", connect_v4),
	    N("connectDomainSocket", "(I[B)I", connect_unix), N("finishConnect", "(I)I", connected),
	    N("recv", "(ILjava/nio/ByteBuffer;II)I", take_buffer),
	    N("recvAddress", "(IJII)I", take),
	    N("send", "(ILjava/nio/ByteBuffer;II)I", give_buffer),
	    N("sendAddress", "(IJII)I", give) } },
	{ IN("Help"),
	  6,
	  { N("socket", "(ZZ)I", make_socket), N("listen", "(I)I", listen_v4),
	    N("listenUnix", "(I[B)I", listen_unix), N("epoll", "()I", make_epoll),
	    N("eventFd", "(I)I", make_waker), N("memory", "(IZ)J", memory) } },
};

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
	JNIEnv *env = NULL;

	(void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK)
		return JNI_ERR;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		jclass class = (*env)->FindClass(env, all[i].class);

		if (!class ||
		    (*env)->RegisterNatives(env, class, all[i].natives, all[i].count) != JNI_OK)
			return JNI_ERR;
	}
	return JNI_VERSION_1_6;
}
