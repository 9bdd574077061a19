/*
 * taps.h: natives of the JDK that are bound anew (taps.def): each wait inside the JDK is told where
 * it happens, whoever calls.
 *
 *     taps.c          which ones, how the originals are found, how they are bound
 *     taps_waits.c    what is called in their place: park, unpark, start, sleep
 *     taps_io.c       what reads and writes
 *     taps_ready.c    what waits until that can be done; what waits for a process
 *     taps_netty.c    both, of netty's own transport
 *     taps_tell.c     how both tell
 *
 * A tap tells, calls the original, and tells again. It calls no Java code and throws nothing, keeps
 * exceptions and errno as they are, and does nothing on threads that have logged nothing yet, but where
 * such a thread unparks one that has. What the VM does not let be bound stays as it was, and meta says so.
 */
#ifndef RT_TAPS_H
#define RT_TAPS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime-jni/jvm/tap_functions.h"

void JNICALL rt_tap_park(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time);
void JNICALL rt_tap_unpark(JNIEnv *env, jobject unsafe, jobject thread);
void JNICALL rt_tap_start(JNIEnv *env, jobject thread);
void JNICALL rt_tap_interrupt(JNIEnv *env, jobject thread);
void JNICALL rt_tap_sleep(JNIEnv *env, jclass class, jlong time);
void JNICALL rt_tap_references(JNIEnv *env, jclass class);
jobject JNICALL rt_tap_unblock(JNIEnv *env, jclass class);

/* From JNI_OnLoad, in this order. Chooses what EVENTS (of rt_config) asks for. */
void rt_taps_choose(JNIEnv *env, unsigned events);

/* Tell it of every loaded CLASS ("Lname;"): natives of the others are bound once the JDK needs
 * them. */
void rt_taps_meet(JNIEnv *env, jclass class, const char *signature);

/* Binds the rest of what was chosen. The caller of JNI_OnLoad is a class of the boot loader: from
 * other code the VM warns. */
void rt_taps_bind(JNIEnv *env);

/* THREAD, the virtual one that runs here, gives its carrier back, or is on one again (ID): to what parks
 * that is as if it parked. Call them before and after the recorder is told of it. PINNED: it could not,
 * so it parks on it now, unless it has been let go. WAITS: it does not only yield, or end. */
void rt_taps_unmount(JNIEnv *env, jobject thread, bool waits);
void rt_taps_mounted(uint64_t id, bool pinned);
/* THREAD, a virtual one with this ID, ends here: before the recorder is told of it. */
void rt_taps_virtual_ends(JNIEnv *env, jobject thread, uint64_t id);
/* The thread that runs here wants to read from FD, and if it is a virtual one, it parks until it can,
 * unless it can already: then it reads. -1: it reads, or no longer wants to. */
void rt_virtual_polls(int fd);

/* Of waits that go on and that their threads would tell once they are over: where, and for what. Before the
 * VM dies: threads that wait until then have no time to tell it. */
void rt_taps_tell_open(JNIEnv *env);

/* The VM dies: no tap tells that anything begins, since JVM TI no longer answers. */
void rt_taps_close(void);

/* What taps_waits.c has to know before anything is bound, of EVENTS. False: nothing can be told. */
bool rt_taps_prepare(unsigned events);

/* The same two of taps_tell.c, for EVENTS (of rt_config) and a JDK of VERSION: false where it cannot
 * be known what is read and written. At its end it tells what connections have moved. */
bool rt_io_taps_prepare(JNIEnv *env, unsigned events, int version);
void rt_io_taps_close(void);

#endif
