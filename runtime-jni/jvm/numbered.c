#include "runtime-jni/jvm/numbered.h"

#include <stdatomic.h>
#include <stdint.h>

#include "runtime-jni/jvm/jvm.h"

#include "base/banned.h"

/* X(number) for each archive that can have natives: octal digits */
#define EIGHT(X, d) X(d##0) X(d##1) X(d##2) X(d##3) X(d##4) X(d##5) X(d##6) X(d##7)
#define ARCHIVES(X)  \
	EIGHT(X, 00) \
	EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05) EIGHT(X, 06) EIGHT(X, 07)

#define COUNT_ONE(k) +1
enum { MOST = 0 ARCHIVES(COUNT_ONE) };

static jlong bases[MOST];
static rt_probe_fn to_events[RT_PROBES];
static atomic_int next;

#define NATIVES(k)                                                            \
	static void JNICALL enter_##k(JNIEnv *env, jclass class, jint number) \
	{                                                                     \
		to_events[RT_ENTER](env, class, bases[k] + number);           \
	}                                                                     \
	static void JNICALL exit_##k(JNIEnv *env, jclass class, jint number)  \
	{                                                                     \
		to_events[RT_EXIT](env, class, bases[k] + number);            \
	}                                                                     \
	static void JNICALL fail_##k(JNIEnv *env, jclass class, jint number)  \
	{                                                                     \
		to_events[RT_FAIL](env, class, bases[k] + number);            \
	}
ARCHIVES(NATIVES)

typedef void(JNICALL *numbered_fn)(JNIEnv *env, jclass class, jint number);

static const numbered_fn natives[MOST][RT_PROBES] = {
#define ROW(k) { enter_##k, exit_##k, fail_##k },
	ARCHIVES(ROW)
#undef ROW
};

int rt_numbered_take(JNIEnv *env, jclass probe)
{
	jfieldID base = (*env)->GetStaticFieldID(env, probe, "IDS", "J");

	if (!base || atomic_load(&next) >= MOST)
		return -1;
	int taken = atomic_fetch_add(&next, 1);
	if (taken >= MOST)
		return -1;
	bases[taken] = (*env)->GetStaticLongField(env, probe, base);
	return taken;
}

bool rt_numbered_bind(JNIEnv *env, jclass probe, int taken, const rt_probe_fn events[RT_PROBES])
{
	const numbered_fn *own = natives[taken];
	const JNINativeMethod methods[] = {
		rt_native_method("Code", "(I)V", &own[RT_ENTER]),
		rt_native_method("StackMapTable", "(I)V", &own[RT_EXIT]),
		rt_native_method("LineNumberTable", "(I)V", &own[RT_FAIL]),
	};

	for (int i = 0; i < RT_PROBES; i++)
		to_events[i] = events[i];
	return (*env)->RegisterNatives(env, probe, methods, RT_PROBES) == JNI_OK;
}
