#include "runtime-jni/recorder/own_thread.h"

#include <pthread.h>
#include <signal.h>

#include "base/banned.h"

int rt_own_thread(void *(*work)(void *unused), size_t stack)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, before;
	int failed = pthread_attr_init(&attr);

	if (failed)
		return failed;
	pthread_attr_setstacksize(&attr, stack);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&thread, &attr, work, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return failed;
}
