/*
 * loaded.h: which packages the program has loaded classes of, for `jweave run`, which has started it
 * (recorder/run_message.h) and says what of it was not traced.
 */
#ifndef RT_LOADED_H
#define RT_LOADED_H

#include <jni.h>

/* Tells it now, once the VM is about to die; nothing where nobody asks, or the VM does not tell. */
void rt_loaded_tell(JNIEnv *env);

#endif
