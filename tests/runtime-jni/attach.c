/*
 * attach.c: threads that the program did not start in Java. Attach.run() makes THREADS of them at
 * once; each is attached TIMES times, under another name, calls back, and detaches.
 */
#include <jni.h>
#include <pthread.h>
#include <stdio.h>

#include "base/banned.h"

#define MOST 64

static struct job {
	pthread_t thread;
	int me, times;
	jclass class;
	jmethodID pair;
} jobs[MOST];
static JavaVM *vm;

static void *work(void *arg)
{
	struct job *job = arg;

	for (int k = 0; k < job->times; k++) {
		char name[32];
		JavaVMAttachArgs args = { JNI_VERSION_1_6, name, NULL };
		void *env_out = NULL;

		snprintf(name, sizeof(name), "native-%d-%d", job->me, k);
		if ((*vm)->AttachCurrentThread(vm, &env_out, &args) != JNI_OK)
			return NULL;
		JNIEnv *env = env_out;
		(*env)->CallStaticVoidMethod(env, job->class, job->pair,
					     (jlong)(job->me * 1000 + k));
		(*vm)->DetachCurrentThread(vm);
	}
	return NULL;
}

JNIEXPORT void JNICALL Java_Attach_run(JNIEnv *env, jclass class, jint threads, jint times)
{
	jclass global = (*env)->NewGlobalRef(env, class);
	jmethodID pair = (*env)->GetStaticMethodID(env, class, "pair", "(J)V");

	(*env)->GetJavaVM(env, &vm);
	for (jint i = 0; i < threads && i < MOST; i++) {
		jobs[i] = (struct job){ .me = i, .times = times, .class = global, .pair = pair };
		pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
	}
	for (jint i = 0; i < threads && i < MOST; i++)
		pthread_join(jobs[i].thread, NULL);
	(*env)->DeleteGlobalRef(env, global);
}
