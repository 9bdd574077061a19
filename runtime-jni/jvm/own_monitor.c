#define _GNU_SOURCE /* dladdr; NOLINT(bugprone-reserved-identifier) */
#include "runtime-jni/jvm/own_monitor.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime-jni/jvm/jvm.h"

#include "base/banned.h"

typedef jboolean(JNICALL *holds_lock_fn)(JNIEnv *env, jclass thread, jobject object);

static holds_lock_fn holds_lock; /* NULL: there is none */

void rt_own_monitor_prepare(void)
{
	void *of_vm = NULL, *library, *symbol;
	Dl_info info;

	memcpy(&of_vm, &(*rt_jvm.vm)->GetEnv, sizeof(of_vm));
	if (!dladdr(of_vm, &info) || !info.dli_fname)
		return;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return;
	symbol = dlsym(library, "JVM_HoldsLock");
	memcpy(&holds_lock, &symbol, sizeof(symbol));
	dlclose(library); /* the VM stays */
}

bool rt_own_monitor(JNIEnv *env, jobject object)
{
	return !holds_lock || !rt_jvm.thread || holds_lock(env, rt_jvm.thread, object);
}
